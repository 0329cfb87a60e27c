//! `cargo xtask explain RULE|VECTOR|FILE`: everything the repository knows of one thing. Owns how it is laid out; gathers
//! from the rules, the code, the vectors and the annotator.

use std::fmt::Write as _;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use hurray_adapter::{MemorySource, ReadAt, Source, Step};
use hurray_conformance::candidates::reference::Reference;
use hurray_conformance::support::text::printable;
use hurray_conformance::tool::inspect::{Field, FileAt, fields_in, hex_line, judge, render};
use hurray_corpus::write_vector::{WriteExpect, WriteVector};
use hurray_corpus::{Due, Expect, ExpectValidate, Vector, VectorSet};
use hurray_mutants::SABOTEURS;
use hurray_mutants::writer::WRITER_SABOTEURS;
use hurray_spec::Rule;

use crate::trace::{chapters, cited, sites};

/// Characters shown of a description.
const LONGEST_SHOWN: usize = 4000;
/// Vectors listed for one rule.
const MAX_LISTED: usize = 40;

/// Explains a rule, a vector or a file.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Options {
    /// A rule's id, a vector's id, or a path.
    #[arg(value_name = "RULE|VECTOR|FILE")]
    what: String,
}

/// Prints the explanation.
///
/// # Errors
/// There is nothing of that name, or a file cannot be read.
pub(crate) fn run(root: &Path, options: &Options) -> io::Result<bool> {
    let what = options.what.as_str();
    if Path::new(what).is_file() {
        print!("{}", explain_file(Path::new(what))?);
        return Ok(true);
    }
    let set = VectorSet::from_dir(&root.join("vectors")).map_err(|errors| io::Error::other(errors.to_string()))?;
    if let Some(rule) = Rule::from_id(what) {
        print!("{}", explain_rule(root, rule, &set)?);
    } else if let Some(vector) = set.get(what) {
        print!("{}", explain_vector(vector));
    } else if let Some(vector) = set.write(what) {
        print!("{}", explain_write(vector));
    } else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, unknown(what, &set)));
    }
    Ok(true)
}

fn explain_rule(root: &Path, rule: Rule, set: &VectorSet) -> io::Result<String> {
    let info = rule.info();
    let mut out = format!("{rule}\n  {}\n", info.text);
    let _ = writeln!(out, "  {} of the {}, {}; {}", info.level, info.party, info.kind, info.source);
    let _ = writeln!(out, "  enforced: {}", info.enforced);
    for (label, value) in [("because", info.reason), ("rulings", &info.rulings.join(", "))] {
        if !value.is_empty() {
            let _ = writeln!(out, "  {label}: {value}");
        }
    }
    if let Some(site) = info.same_as {
        let _ = writeln!(out, "  shares the site of {site}");
    }
    if info.tolerated {
        let _ = writeln!(out, "  a strict reader lets it pass; validate flags it");
    }
    if let Some(chapter) = chapters(root)?.get(rule.id()) {
        let _ = writeln!(out, "chapter\n  spec/{chapter}");
    }
    out.push_str("sites\n");
    for site in cited(rule, &sites::scan(root)?) {
        let how = if site.is_require { "require" } else { "handed on" };
        let _ = writeln!(out, "  {}:{} ({how})", site.path, site.line);
    }
    for saboteur in SABOTEURS.iter().filter(|saboteur| saboteur.rule == rule) {
        let _ = writeln!(out, "saboteur\n  {}", saboteur.name);
    }
    for saboteur in WRITER_SABOTEURS.iter().filter(|saboteur| saboteur.rule == rule) {
        let _ = writeln!(out, "sabotaged writer\n  {}", saboteur.name);
    }
    out.push_str("vectors\n");
    for vector in set.writes.iter().filter(|vector| vector.rules.contains(&rule)) {
        let _ = writeln!(out, "  {}: {}", vector.id, write_expectation(vector.expect));
    }
    let listing = set.vectors.iter().filter(|vector| vector.rules.contains(&rule));
    for vector in listing.clone().take(MAX_LISTED) {
        let near = vector.near.as_deref().map(|near| format!(", near miss {near}")).unwrap_or_default();
        let _ = writeln!(out, "  {}: {}{near}", vector.id, expectation(vector));
    }
    if listing.clone().count() > MAX_LISTED {
        let _ = writeln!(out, "  … and {} more", listing.count() - MAX_LISTED);
    }
    Ok(out)
}

fn explain_vector(vector: &Vector) -> String {
    let ids = |rules: &[Rule]| rules.iter().map(|rule| rule.id()).collect::<Vec<_>>().join(", ");
    let mut out = format!("{}\n  {}\n", vector.id, vector.why);
    let class = vector.class.name();
    let _ = writeln!(out, "  {class}: {}; {} bytes from base {}", expectation(vector), vector.bytes.len(), vector.base);
    let _ = writeln!(out, "  rules: {}", ids(&vector.rules));
    if !vector.then.is_empty() {
        let _ = writeln!(out, "  then: {}", ids(&vector.then));
    }
    let validate = match &vector.validate {
        ExpectValidate::Clean => "finds nothing".to_owned(),
        ExpectValidate::Any => "is not judged".to_owned(),
        ExpectValidate::Names(rules) => format!("names {}", ids(rules)),
    };
    let _ = writeln!(out, "  validate {validate}");
    for (label, value) in [("near miss", &vector.near), ("the text is silent", &vector.spec_silent)] {
        if let Some(value) = value {
            let _ = writeln!(out, "  {label}: {value}");
        }
    }
    let mut source = MemorySource(Arc::clone(&vector.bytes));
    for (name, range) in leaves(&vector.labels) {
        let _ = writeln!(out, "{}", hex_line(&mut source, &Field { name: name.clone(), range: range.clone() }));
    }
    out
}

fn write_expectation(expect: WriteExpect) -> &'static str {
    match expect {
        WriteExpect::Accept => "to be written as described",
        WriteExpect::Refused => "to be refused, at no cost",
        WriteExpect::Either { prefer_accept: true } => "to be written, or refused",
        WriteExpect::Either { prefer_accept: false } => "to be refused, or written",
    }
}

fn explain_write(vector: &WriteVector) -> String {
    let rules = vector.rules.iter().map(|rule| rule.id()).collect::<Vec<_>>().join(", ");
    let mut out = format!("{}\n  {}\n", vector.id, vector.why);
    let _ = writeln!(out, "  {}: {}", vector.class.name(), write_expectation(vector.expect));
    let _ = writeln!(out, "  rules: {rules}\n  needs: {}", vector.needs.join(", "));
    if let Some(silent) = &vector.spec_silent {
        let _ = writeln!(out, "  the text is silent: {silent}");
    }
    let _ = writeln!(out, "  vectors/{}", vector.source);
    for file in vector.wholes() {
        // Plain values with string keys: they cannot fail to be shown.
        let asked = serde_json::to_string(&Step::Write(file)).unwrap_or_default();
        let _ = writeln!(out, "asked for\n  {}", printable(&asked, LONGEST_SHOWN));
    }
    out
}

/// The labels that hold no other label.
fn leaves(labels: &[(String, Range<u64>)]) -> impl Iterator<Item = &(String, Range<u64>)> {
    labels.iter().filter(|(name, _)| {
        let prefix = format!("{name}.");
        !labels.iter().any(|(other, _)| other.starts_with(&prefix))
    })
}

fn expectation(vector: &Vector) -> String {
    let step = |due: &Due| match due {
        Due::Open => "open".to_owned(),
        Due::Descriptor => "descriptor".to_owned(),
        Due::Scan => "scan".to_owned(),
        Due::Kv => "kv".to_owned(),
        Due::Describe(name) => format!("describe {name}"),
        Due::Read(name) => format!("read {name}"),
        Due::Composite(name) => format!("composite {name}"),
    };
    match &vector.expect {
        Expect::Accept => "accept".to_owned(),
        Expect::Reject { due } => format!("reject at {} at the latest", step(due)),
        Expect::Either { due, prefer_accept: true } => format!("accept, or reject at {} at the latest", step(due)),
        Expect::Either { due, prefer_accept: false } => format!("reject at {} at the latest, or accept", step(due)),
    }
}

fn explain_file(path: &Path) -> io::Result<String> {
    let mut source = FileAt::open(path)?;
    let mut out = String::new();
    let size = source.size();
    for field in fields_in(&mut source, 0..size) {
        let _ = writeln!(out, "{}", hex_line(&mut source, &field));
    }
    let again = FileAt::open(path)?;
    let mut sources = vec![Box::new(again) as Box<dyn ReadAt>, Box::new(FileAt::open(path)?)];
    let nothing = || Box::new(MemorySource(Arc::from([]))) as Box<dyn ReadAt>;
    let name = path.display().to_string();
    let report = judge(&name, &mut Reference::strict(), || Source::Served(sources.pop().unwrap_or_else(nothing)));
    out.push_str(&render(&report, &mut source));
    Ok(out)
}

/// What to say of a name that is nothing's, with what comes close.
fn unknown(what: &str, set: &VectorSet) -> String {
    let vectors = set.vectors.iter().map(|vector| vector.id.as_str());
    let ids = Rule::ALL.iter().map(|rule| rule.id()).chain(vectors);
    let ids = ids.chain(set.writes.iter().map(|vector| vector.id.as_str()));
    let close: Vec<&str> = ids.filter(|id| id.contains(what) || what.contains(id)).take(8).collect();
    let hint = match close.as_slice() {
        [] => "rules stand in spec/rules/, vectors in vectors/manifest.json".to_owned(),
        close => format!("did you mean {}?", close.join(", ")),
    };
    format!("{what:?} is no rule, no vector and no file: {hint}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set() -> VectorSet {
        VectorSet::embedded().expect("the vectors")
    }

    #[test]
    fn a_rule_is_explained_from_its_text_to_its_vectors() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository");
        let text = explain_rule(root, Rule::ContainerTrailerMagicReject, &set()).expect("an explanation");
        for part in [
            Rule::ContainerTrailerMagicReject.info().text,
            "spec/10-container.md",
            "reference/src/wire/trailer/mod.rs:",
            "container/trailer/magic-last-byte: reject at open at the latest, near miss bases/one-f32",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
    }

    #[test]
    fn a_vector_is_explained_byte_by_byte() {
        let set = set();
        let vector = set.get("container/trailer/magic-last-byte").expect("a vector");
        let text = explain_vector(vector);
        assert!(text.contains(&vector.why) && text.contains("trailer.magic"), "{text}");
        // Every byte stands in exactly one line.
        let lens = leaves(&vector.labels).map(|(_, range)| range.end - range.start);
        assert_eq!(lens.sum::<u64>(), vector.bytes.len() as u64);
    }

    #[test]
    fn a_description_is_explained_with_what_is_asked_for() {
        let set = set();
        let vector = set.write("write/container/duplicate-name").expect("a vector for writers");
        let text = explain_write(vector);
        for part in
            ["to be refused, at no cost", "io.write.duplicate-name-refused", "vectors/write/container.toml:", "float32"]
        {
            assert!(text.contains(part), "{part} in {text}");
        }
    }

    #[test]
    fn a_file_is_explained_with_its_verdict() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.hrry");
        std::fs::write(&path, &set().get("bases/one-f32").expect("a base").bytes).expect("written");
        let text = explain_file(&path).expect("an explanation");
        assert!(text.contains("a.descriptor.type_tag") && text.contains(": accept"), "{text}");
    }

    #[test]
    fn a_name_of_nothing_brings_what_comes_close() {
        assert!(unknown("container.trailer.magic", &set()).contains("container.trailer.magic-reject"));
        assert!(unknown("zzz", &set()).contains("spec/rules/"));
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository");
        let error = run(root, &Options { what: "zzz".to_owned() }).expect_err("no explanation");
        assert_eq!(error.kind(), io::ErrorKind::InvalidInput, "wrong usage, and no fault of the suite");
    }
}
