//! `explain RULE|VECTOR|FILE`: everything that is known of one thing. Owns how it is laid out; gathers from the rules, the
//! vectors and the annotator. What only the sources know of a rule comes from outside.

use std::fmt::Write as _;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use hurray_adapter::{MemorySource, ReadAt, Source, Step};
use hurray_corpus::write_vector::{WriteExpect, WriteVector};
use hurray_corpus::{Due, Expect, ExpectValidate, Vector, VectorSet};
use hurray_spec::Rule;

use crate::candidates::Home;
use crate::candidates::reference::Reference;
use crate::support::text::printable;
use crate::tool::inspect::{Field, FileAt, fields_in, hex_line, judge, render};
use crate::tool::vectors;

/// Characters shown of a description.
const LONGEST_SHOWN: usize = 4000;
/// Vectors listed for one rule.
const MAX_LISTED: usize = 40;

const EXAMPLES: &str = "\
Examples:
  hurray-conformance explain container.trailer.magic-reject          a rule: its text, its vectors
  hurray-conformance explain container/trailer/magic-last-byte       a vector: its bytes by their names
  hurray-conformance explain model.hrry                              a file, and the verdict on it";

/// What to explain.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct ExplainArgs {
    /// A rule's id, a vector's id, or a path.
    #[arg(value_name = "RULE|VECTOR|FILE")]
    pub what: String,
}

/// What only the sources know of a rule: lines that end with a line end, such as its chapter and where it is enforced.
pub type OfSources<'a> = &'a dyn Fn(Rule) -> io::Result<String>;

/// Of a program without its sources: where more is to be found.
///
/// # Errors
/// None.
pub fn without_sources(_: Rule) -> io::Result<String> {
    Ok("chapter, code and mutants\n  `cargo xtask explain` in the repository tells them\n".to_owned())
}

/// The explanation.
///
/// # Errors
/// There is nothing of that name (`InvalidInput`), a file cannot be read, or the vectors are broken.
pub fn run(args: &ExplainArgs, home: &Home, of_sources: OfSources<'_>) -> io::Result<String> {
    let what = args.what.as_str();
    if Path::new(what).is_file() {
        return explain_file(Path::new(what));
    }
    let set = vectors(home).map_err(|errors| io::Error::other(errors.to_string()))?;
    if let Some(rule) = Rule::from_id(what) {
        explain_rule(rule, &set, of_sources)
    } else if let Some(vector) = set.get(what) {
        Ok(explain_vector(vector))
    } else if let Some(vector) = set.write(what) {
        Ok(explain_write(vector))
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidInput, unknown(what, &set)))
    }
}

fn explain_rule(rule: Rule, set: &VectorSet, of_sources: OfSources<'_>) -> io::Result<String> {
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
    out.push_str(&of_sources(rule)?);
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
    let needs: Vec<String> = vector.needs.iter().map(ToString::to_string).collect();
    let rules = vector.rules.iter().map(|rule| rule.id()).collect::<Vec<_>>().join(", ");
    let mut out = format!("{}\n  {}\n", vector.id, vector.why);
    let _ = writeln!(out, "  {}: {}", vector.class.name(), write_expectation(vector.expect));
    let _ = writeln!(out, "  rules: {rules}\n  needs: {}", needs.join(", "));
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
        [] => "`vectors export` writes a manifest with all rules and vectors".to_owned(),
        close => format!("did you mean {}?", close.join(", ")),
    };
    format!("{what:?} is no rule, no vector and no file: {hint}")
}

#[cfg(test)]
mod tests;
