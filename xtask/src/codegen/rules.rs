//! Renders `spec/src/rules.rs` from `spec/rules/*.toml`. Owns the shape of a rule file; decides nothing about rules.

use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

use hurray_spec::{Enforced, Kind, Level, Origin, Party};
use serde::Deserialize;

use super::text::{camel, read_toml, word};

/// One rule file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleFile {
    rule: Vec<RuleEntry>,
}

/// One rule as it stands in its file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RuleEntry {
    pub(super) id: String,
    #[serde(deserialize_with = "word")]
    pub(super) level: Level,
    #[serde(deserialize_with = "word")]
    pub(super) party: Party,
    #[serde(deserialize_with = "word")]
    pub(super) kind: Kind,
    pub(super) text: String,
    pub(super) source: String,
    /// Absent for the format itself.
    #[serde(default = "format_text", deserialize_with = "word")]
    pub(super) origin: Origin,
    #[serde(default)]
    pub(super) ruling: Vec<String>,
    #[serde(deserialize_with = "word")]
    pub(super) enforced: Enforced,
    #[serde(default)]
    pub(super) reason: String,
    #[serde(default)]
    pub(super) tolerated: bool,
    pub(super) same_as: Option<String>,
    /// For people only.
    #[serde(default)]
    pub(super) note: String,
}

fn format_text() -> Origin {
    Origin::Format
}

/// Every rule, by id; an id that stands twice is an error.
pub(super) fn load(root: &Path) -> io::Result<Vec<RuleEntry>> {
    let mut rules = Vec::new();
    for entry in fs::read_dir(root.join("spec/rules"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|ext| ext == "toml") {
            let file: RuleFile = read_toml(&path)?;
            rules.extend(file.rule);
        }
    }
    rules.sort_by(|a, b| a.id.cmp(&b.id));
    if let Some(pair) = rules.windows(2).find(|pair| pair[0].id == pair[1].id) {
        return Err(io::Error::other(format!("rule id {} stands twice", pair[0].id)));
    }
    Ok(rules)
}

/// The text of `spec/src/rules.rs`, before formatting: one row a rule, in the order that the macro `rules!` of the
/// specification crate asks for.
pub(super) fn render(rules: &[RuleEntry]) -> String {
    let mut out = String::from(
        "// Generated from spec/rules/*.toml by `cargo xtask codegen`; do not edit.\n\
         //! Every rule of the format and of the I/O contract, one row a rule. Owns no decision.\n\n\
         use crate::row::rules;\n\nrules! {\n",
    );
    for rule in rules {
        let _ = writeln!(out, "    {};", row(rule));
    }
    out.push_str("}\n");
    out
}

fn row(rule: &RuleEntry) -> String {
    let RuleEntry { id, level, party, kind, text, source, origin, ruling, enforced, reason, tolerated, .. } = rule;
    let same_as = rule.same_as.as_deref().map_or("None".to_owned(), |twin| format!("Some(Rule::{})", camel(twin)));
    format!(
        "{}, {id:?}, {level:?}, {party:?}, {kind:?}, {text:?}, {source:?}, {origin:?}, {ruling:?}, {enforced:?}, \
         {reason:?}, {tolerated}, {same_as}",
        camel(id)
    )
}

/// The rules of one file's text.
#[cfg(test)]
pub(super) fn parse(text: &str) -> Result<Vec<RuleEntry>, toml::de::Error> {
    toml::from_str::<RuleFile>(text).map(|file| file.rule)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULE: &str = r#"
        [[rule]]
        id = "kv.a-b"
        level = "SHOULD"
        party = "writer"
        kind = "advice"
        text = "A \"b\"."
        source = "text.md § A"
        origin = "io-contract"
        ruling = ["R7", "R8"]
        enforced = "none"
        reason = "because"
        same_as = "kv.c"
    "#;

    #[test]
    fn a_rule_is_one_row() {
        let text = render(&parse(RULE).unwrap());
        let row = r#"    KvAB, "kv.a-b", Should, Writer, Advice, "A \"b\".", "text.md § A", IoContract, ["R7", "R8"], None, "because", false, Some(Rule::KvC);"#;
        assert_eq!(text.lines().filter(|line| *line == row).count(), 1, "{text}");
    }

    #[test]
    fn a_word_of_no_list_is_refused_by_its_line() {
        for (right, wrong, words) in [
            ("SHOULD", "should", "MUST, SHOULD, MAY"),
            ("writer", "reader-rejects", "file, reader, writer"),
            ("advice", "", "reader-rejects, reader-accepts, file, writer, io, advice"),
            ("io-contract", "io", "format, io-contract"),
        ] {
            let text = RULE.replace(&format!("\"{right}\""), &format!("\"{wrong}\""));
            let error = parse(&text).err().expect("an error").to_string();
            assert!(error.contains(&format!("{wrong:?} is none of {words}\n")) && error.contains("line "), "{error}");
        }
    }
}
