//! Fills the generated parts of the chapters `spec/*.md`: rules in place and field tables, each between markers. Owns
//! the markers and how a rule looks on a page; the prose around them is written by hand.
//!
//! ```text
//! <!-- rule container.header.magic -->        the rule of that id
//! <!-- /rule -->
//! <!-- table structure header -->             fields of a structure; also `flags`, `tags`, `ranges`, `sizes`,
//! <!-- /table -->                            `example`, `types`, `layouts`, `devices` and `schemes`
//! ```

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

use super::enumerations;
use super::rules::RuleEntry;
use super::shapes::{Bit, Field, Flags, Range, Size, Space, Structure, Tables, Value};

/// What a chapter is filled from.
pub(super) struct Chapters<'a> {
    rules: BTreeMap<&'a str, &'a RuleEntry>,
    tables: &'a Tables,
    /// Chapter in which each rule stands.
    homes: BTreeMap<String, String>,
}

/// The chapters as they stand: name and text, by name.
pub(super) fn read(root: &Path) -> io::Result<Vec<(String, String)>> {
    let mut chapters = Vec::new();
    for entry in fs::read_dir(root.join("spec"))? {
        let path = entry?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()).filter(|name| name.ends_with(".md")) else {
            continue;
        };
        chapters.push((name.to_owned(), fs::read_to_string(&path)?));
    }
    chapters.sort();
    Ok(chapters)
}

impl<'a> Chapters<'a> {
    /// Every chapter, filled anew.
    ///
    /// # Errors
    ///
    /// A marker that names nothing or is not closed, with chapter and line; a rule shown twice or not at all.
    pub(super) fn render(
        texts: &[(String, String)],
        rules: &'a [RuleEntry],
        tables: &'a Tables,
    ) -> io::Result<Vec<(PathBuf, String)>> {
        let by_id = rules.iter().map(|rule| (rule.id.as_str(), rule)).collect();
        let mut chapters = Chapters { rules: by_id, tables, homes: BTreeMap::new() };
        for (name, text) in texts {
            chapters.note_homes(name, text)?;
        }
        if let Some(rule) = rules.iter().find(|rule| !chapters.homes.contains_key(&rule.id)) {
            let id = &rule.id;
            let text = format!("rule {id} stands in no chapter; give it `<!-- rule {id} -->` and `<!-- /rule -->`");
            return Err(fault(text));
        }
        let fill = |(name, text): &(String, String)| Ok((Path::new("spec").join(name), chapters.fill(name, text)?));
        texts.iter().map(fill).collect()
    }

    fn note_homes(&mut self, chapter: &str, text: &str) -> io::Result<()> {
        for id in text.lines().filter_map(|line| opened(line, "rule")) {
            if let Some(other) = self.homes.insert(id.to_owned(), chapter.to_owned()) {
                return Err(fault(format!("rule {id} stands twice: in {other} and in {chapter}; keep one")));
            }
        }
        Ok(())
    }

    fn fill(&self, chapter: &str, text: &str) -> io::Result<String> {
        let mut out = String::with_capacity(text.len());
        let mut lines = text.lines().enumerate();
        while let Some((at, line)) = lines.next() {
            let _ = writeln!(out, "{line}");
            let (body, close) = if let Some(id) = opened(line, "rule") {
                (self.rule(chapter, id), "<!-- /rule -->")
            } else if let Some(what) = opened(line, "table") {
                (self.table(chapter, what), "<!-- /table -->")
            } else {
                continue;
            };
            let at = at + 1;
            let body = body.ok_or_else(|| fault(format!("{chapter}:{at}: nothing of that name: {line}")))?;
            if !lines.by_ref().any(|(_, line)| line == close) {
                return Err(fault(format!("{chapter}:{at}: marker is never closed; add `{close}`")));
            }
            let _ = writeln!(out, "{body}{close}");
        }
        Ok(out)
    }

    fn rule(&self, chapter: &str, id: &str) -> Option<String> {
        let rule = self.rules.get(id)?;
        let mut out =
            format!("<a id=\"{id}\"></a>\n> **`{id}`** — {}, {}\\\n> {}\n", rule.level, rule.party, rule.text);
        let mut small = vec![link_rulings(&rule.source)];
        if !rule.ruling.is_empty() {
            small.push(format!("rulings {}", rule.ruling.iter().map(|r| ruling(r)).collect::<Vec<_>>().join(", ")));
        }
        if let Some(site) = &rule.same_as {
            small.push(format!("judged as {}", self.link(chapter, site)));
        }
        if rule.tolerated {
            small.push("a strict reader lets it pass, `validate` names it".to_owned());
        }
        if !rule.reason.is_empty() {
            small.push(format!("no site: {}", link_rulings(&rule.reason)));
        }
        let _ = writeln!(out, ">\n> <sub>{}</sub>", small.join(" · "));
        if !rule.note.is_empty() {
            let _ = writeln!(out, ">\n> <sub>{}</sub>", self.link_ids(chapter, &link_rulings(&rule.note)));
        }
        Some(out)
    }

    fn table(&self, chapter: &str, what: &str) -> Option<String> {
        let (kind, id) = what.split_once(' ').unwrap_or((what, ""));
        let structures = &self.tables.structures;
        match kind {
            "structure" => Some(self.structure(chapter, structures.structure.iter().find(|entry| entry.id == id)?)),
            "flags" => Some(self.flags(chapter, structures.flags.iter().find(|entry| entry.id == id)?)),
            "tags" => Some(tags(self.tables.space(id)?)),
            "ranges" => Some(ranges(self.tables.space(id)?)),
            "sizes" => Some(sizes(&structures.size)),
            "example" => self.example(id),
            _ => enumerations::table(self.tables, kind),
        }
    }

    fn structure(&self, chapter: &str, structure: &Structure) -> String {
        let Structure { title, len, source, fields, .. } = structure;
        let mut out = format!(
            "**{title}**, {len} bytes ({source})\n\n| offset | field | type | value | rules |\n|---|---|---|---|---|\n"
        );
        for Field { offset, after, name, wire, count, means, rules } in fields {
            let place = match (offset, after) {
                (Some(offset), _) => offset.to_string(),
                (None, Some(after)) => format!("after `{after}`"),
                (None, None) => String::new(),
            };
            let wire = count.as_ref().map_or(wire.clone(), |count| format!("{wire}\\[{count}\\]"));
            let rules = self.links(chapter, rules);
            let _ = writeln!(out, "| {place} | `{name}` | {wire} | {means} | {rules} |");
        }
        out
    }

    /// A structure's bytes, one field a line.
    fn example(&self, id: &str) -> Option<String> {
        let example = self.tables.examples.iter().find(|entry| entry.id == id)?;
        let structure = self.tables.structures.structure.iter().find(|entry| entry.id == example.of)?;
        let bytes: Vec<&str> = example.bytes.split_whitespace().collect();
        let starts: Vec<usize> = structure.fields.iter().map(|field| field.offset.unwrap_or(0) as usize).collect();
        let ends = starts.iter().skip(1).copied().chain([bytes.len()]);
        let mut out = "```text\n".to_owned();
        for ((field, start), end) in structure.fields.iter().zip(&starts).zip(ends) {
            let bytes = bytes.get(*start..end)?;
            let shown = match bytes {
                [first, .., last] if bytes.len() > 8 && first == last => format!("{first} x {}", bytes.len()),
                _ => bytes.join(" "),
            };
            let _ = writeln!(out, "{start:>3}  {shown:<24} {}", field.name);
        }
        out.push_str("```\n");
        Some(out)
    }

    fn flags(&self, chapter: &str, flags: &Flags) -> String {
        let mut out = format!("| bit | name | meaning when set ({}) | rules |\n|---|---|---|---|\n", flags.source);
        for Bit { bit, name, means, rules } in &flags.bits {
            let _ = writeln!(out, "| {bit} | `{name}` | {} | {} |", link_rulings(means), self.links(chapter, rules));
        }
        out
    }

    fn links(&self, chapter: &str, ids: &[String]) -> String {
        ids.iter().map(|id| self.link(chapter, id)).collect::<Vec<_>>().join(", ")
    }

    /// A link to the rule's place; plain code where it stands in no chapter yet.
    fn link(&self, chapter: &str, id: &str) -> String {
        match self.homes.get(id) {
            Some(home) if home == chapter => format!("[`{id}`](#{id})"),
            Some(home) => format!("[`{id}`]({home}#{id})"),
            None => format!("`{id}`"),
        }
    }

    fn link_ids(&self, chapter: &str, text: &str) -> String {
        let words = text.split(' ').map(|word| {
            let bare = word.trim_end_matches(['.', ',', ';', ':', ')']);
            match self.rules.contains_key(bare) {
                true => format!("{}{}", self.link(chapter, bare), &word[bare.len()..]),
                false => word.to_owned(),
            }
        });
        words.collect::<Vec<_>>().join(" ")
    }
}

fn tags(space: &Space) -> String {
    let mut out = format!("| value | name | meaning ({}) |\n|---|---|---|\n", space.source);
    for Value { tag, name, means, .. } in &space.values {
        let _ = writeln!(out, "| `{tag:#04x}` | `{name}` | {means} |");
    }
    range_lines(space, &mut out);
    out
}

/// The values without a name alone.
fn ranges(space: &Space) -> String {
    let mut out = format!("| value | class | a strict reader ({}) |\n|---|---|---|\n", space.source);
    range_lines(space, &mut out);
    out
}

fn range_lines(space: &Space, out: &mut String) {
    for Range { from, to, class, verdict, ruling: rulings } in &space.ranges {
        let values = if from == to { format!("`{from:#04x}`") } else { format!("`{from:#04x}`–`{to:#04x}`") };
        let rulings: String = rulings.iter().map(|id| format!(", ruling {}", ruling(id))).collect();
        let _ = writeln!(out, "| {values} | *{class}* | {verdict}{rulings} |");
    }
}

fn sizes(sizes: &[Size]) -> String {
    let mut out = "| of what | bytes | source |\n|---|---|---|\n".to_owned();
    for Size { id, formula, source } in sizes {
        let _ = writeln!(out, "| {id} | `{formula}` | {} |", link_rulings(source));
    }
    out
}

/// Links every `R` with a number.
fn link_rulings(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut word = String::new();
    for letter in text.chars().chain([' ']) {
        if letter.is_alphanumeric() {
            word.push(letter);
            continue;
        }
        let number = word.strip_prefix('R').filter(|rest| !rest.is_empty() && rest.chars().all(|c| c.is_ascii_digit()));
        match number {
            Some(_) => out.push_str(&ruling(&word)),
            None => out.push_str(&word),
        }
        word.clear();
        out.push(letter);
    }
    out.pop();
    out
}

fn ruling(id: &str) -> String {
    format!("[{id}](rulings.md#{})", id.to_lowercase())
}

/// The words of an opening marker of that kind.
fn opened<'t>(line: &'t str, kind: &str) -> Option<&'t str> {
    line.strip_prefix("<!-- ")?.strip_suffix(" -->")?.strip_prefix(kind)?.strip_prefix(' ')
}

fn fault(text: String) -> io::Error {
    io::Error::other(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: &str = r#"
        [[rule]]
        id = "kv.a.b"
        level = "MUST"
        party = "file"
        kind = "file"
        text = "A is B."
        source = "text.md § A"
        ruling = ["R7"]
        enforced = "require"
        same_as = "kv.c"

        [[rule]]
        id = "kv.c"
        level = "MUST"
        party = "reader"
        kind = "reader-rejects"
        text = "C."
        source = "derived: ruling R7"
        enforced = "require"
        note = "See kv.a.b."
    "#;

    fn render(chapters: &[(&str, &str)]) -> Result<Vec<String>, String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let tables = Tables::load(&root).unwrap();
        let rules = crate::codegen::rules::parse(RULES).unwrap();
        let texts: Vec<_> = chapters.iter().map(|(name, text)| (name.to_string(), text.to_string())).collect();
        let filled = Chapters::render(&texts, &rules, &tables).map_err(|error| error.to_string())?;
        Ok(filled.into_iter().map(|(_, text)| text).collect())
    }

    const BOTH: &str =
        "before\n<!-- rule kv.a.b -->\nstale\n<!-- /rule -->\n<!-- rule kv.c -->\n<!-- /rule -->\nafter\n";

    #[test]
    fn a_rule_stands_between_its_markers_and_what_was_there_goes() {
        let page = render(&[("10.md", BOTH)]).unwrap().remove(0);
        assert!(page.starts_with("before\n<!-- rule kv.a.b -->\n<a id=\"kv.a.b\"></a>\n"), "{page}");
        assert!(page.contains("A is B.") && page.contains("judged as [`kv.c`](#kv.c)") && !page.contains("stale"));
        assert!(page.contains("[R7](rulings.md#r7)") && page.contains("See [`kv.a.b`](#kv.a.b)."), "{page}");
        assert!(page.ends_with("<!-- /rule -->\nafter\n"));
        assert_eq!(render(&[("10.md", &page)]).unwrap(), [page]);
    }

    #[test]
    fn a_link_names_the_other_chapter() {
        let one = "<!-- rule kv.a.b -->\n<!-- /rule -->\n";
        let two = "<!-- rule kv.c -->\n<!-- /rule -->\n";
        let pages = render(&[("10.md", one), ("20.md", two)]).unwrap();
        assert!(pages[0].contains("[`kv.c`](20.md#kv.c)") && pages[1].contains("[`kv.a.b`](10.md#kv.a.b)"));
    }

    #[test]
    fn a_rule_that_is_missing_or_stands_twice_is_refused() {
        let missing = render(&[("10.md", "<!-- rule kv.a.b -->\n<!-- /rule -->\n")]).unwrap_err();
        assert!(missing.contains("kv.c stands in no chapter"), "{missing}");
        let twice = render(&[("10.md", BOTH), ("20.md", "<!-- rule kv.c -->\n<!-- /rule -->\n")]).unwrap_err();
        assert!(twice.contains("kv.c stands twice: in 10.md and in 20.md"), "{twice}");
    }

    #[test]
    fn a_marker_that_is_open_or_names_nothing_is_refused() {
        let open = render(&[("10.md", &BOTH.replace("<!-- /rule -->\nafter", "after"))]).unwrap_err();
        assert!(open.contains("10.md:5: marker is never closed"), "{open}");
        let unknown = render(&[("10.md", &format!("{BOTH}<!-- rule kv.d -->\n<!-- /rule -->\n"))]).unwrap_err();
        assert!(unknown.contains("10.md:8: nothing of that name"), "{unknown}");
        let table = render(&[("10.md", &format!("{BOTH}<!-- table structure tail -->\n<!-- /table -->\n"))]);
        assert!(table.unwrap_err().contains("nothing of that name"));
    }

    #[test]
    fn a_table_shows_fields_and_tags() {
        let text = format!(
            "{BOTH}<!-- table structure trailer -->\n<!-- /table -->\n<!-- table tags kv_value_tag -->\n<!-- /table -->\n"
        );
        let page = render(&[("10.md", &text)]).unwrap().remove(0);
        assert!(page.contains("| 24 | `kv_length` | u32 |") && page.contains("| `0x05` | `bool` |"), "{page}");
        assert!(page.contains("| `0x08`–`0xef` | *reserved* | reject |"), "{page}");
    }

    #[test]
    fn an_example_shows_its_bytes_field_by_field() {
        let text = format!("{BOTH}<!-- table example trailer of an empty file -->\n<!-- /table -->\n");
        let page = render(&[("10.md", &text)]).unwrap().remove(0);
        assert!(
            page.contains("\n 24  00 00 00 00              kv_length\n 28  8A B2 28 8C              index_crc32c\n"),
            "{page}"
        );
    }
}
