//! The report as one page that needs nothing but a browser. Owns what goes into the page beside the JSON report: the rules in
//! words and the bytes around each fault. Its numbers are those of the JSON report, which it is made from.

use std::collections::BTreeSet;
use std::ops::Range;

use hurray_spec::Rule;
use serde_json::{Map, Value, json};

use super::fault_place;
use hurray_corpus::{Vector, VectorSet};

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Bytes shown before and after a fault.
const AROUND: u64 = 16;
/// Bytes shown of one field.
const SHOWN: u64 = 16;
/// What belongs to a vector, whoever was asked, and is kept once.
const OF_VECTORS: [&str; 4] = ["rules", "offset", "field", "why"];

/// The page of a report in the form of [`json_report`](super::json_report).
pub fn html_report(set: &VectorSet, report: &Value) -> String {
    let data = serde_json::to_string(&page_data(set, report)).unwrap_or_default();
    // Inside a script element only the end of the element means anything; without `<` there is none.
    let data = data.replace('<', "\\u003c");
    // The data goes in last: it may hold the marks of the others.
    PAGE.replacen("@STYLE@", STYLE, 1).replacen("@SCRIPT@", SCRIPT, 1).replacen("@DATA@", &data, 1)
}

/// The report, with what belongs to vectors and rules taken out of the results and told once.
fn page_data(set: &VectorSet, report: &Value) -> Value {
    let mut report = report.clone();
    let mut vectors = Map::new();
    let mut rules = BTreeSet::new();
    let candidates = report.get_mut("candidates").and_then(Value::as_array_mut);
    for candidate in candidates.into_iter().flatten() {
        let results = candidate.get_mut("results").and_then(Value::as_array_mut);
        for result in results.into_iter().flatten().filter_map(Value::as_object_mut) {
            let of_vector: Map<String, Value> =
                OF_VECTORS.iter().filter_map(|field| Some(((*field).to_owned(), result.remove(*field)?))).collect();
            let Some(id) = result.get("id").and_then(Value::as_str).filter(|id| !vectors.contains_key(*id)) else {
                continue;
            };
            if let Some(vector) = set.get(id) {
                rules.extend(vector.rules.iter().copied());
                vectors.insert(id.to_owned(), vector_value(set, vector, of_vector));
            }
        }
    }
    report["vectors"] = Value::Object(vectors);
    report["rules"] = rules.into_iter().map(|rule| (rule.id().to_owned(), rule_value(rule))).collect();
    report
}

fn rule_value(rule: Rule) -> Value {
    let info = rule.info();
    json!({ "text": info.text, "source": info.source })
}

fn vector_value(set: &VectorSet, vector: &Vector, mut of_vector: Map<String, Value>) -> Value {
    if let Some((offset, _)) = fault_place(set, vector) {
        of_vector.insert("bytes".to_owned(), lines(vector, offset).collect());
    }
    Value::Object(of_vector)
}

/// The fields around an offset, one a line, as the recipe names them.
fn lines(vector: &Vector, offset: u64) -> impl Iterator<Item = Value> {
    let size = vector.bytes.len() as u64;
    let end = offset.saturating_add(AROUND).min(size);
    let mut at = offset.saturating_sub(AROUND);
    let mut lines = Vec::new();
    while at < end {
        let (name, range) = field_at(vector, at);
        let is_here = range.contains(&offset);
        lines.push(line(vector, name, &range, is_here));
        at = range.end.max(at + 1);
    }
    if offset >= size {
        lines.push(json!({ "at": size.to_string(), "hex": "", "name": "the end of the file", "here": true }));
    }
    lines.into_iter()
}

/// The smallest field at an offset, or the nameless bytes up to the next one.
fn field_at(vector: &Vector, at: u64) -> (&str, Range<u64>) {
    let around = vector.labels.iter().filter(|(_, range)| range.contains(&at));
    let smallest = around.min_by_key(|(_, range)| range.end - range.start);
    let next = vector.labels.iter().map(|(_, range)| range.start).filter(|start| *start > at).min();
    let next = next.unwrap_or(vector.bytes.len() as u64);
    match smallest {
        // A block has bytes of its own between its fields, up to the next of them.
        Some((name, range)) if is_block(vector, name) => (name, at..next.min(range.end)),
        Some((name, range)) => (name, range.clone()),
        None => ("", at..next),
    }
}

fn is_block(vector: &Vector, name: &str) -> bool {
    vector.labels.iter().any(|(other, _)| other.strip_prefix(name).is_some_and(|rest| rest.starts_with('.')))
}

fn line(vector: &Vector, name: &str, range: &Range<u64>, is_here: bool) -> Value {
    let len = range.end - range.start;
    let index = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
    let bytes = vector.bytes.get(index(range.start)..index(range.start + len.min(SHOWN))).unwrap_or_default();
    let hex: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let more = if len > SHOWN { format!(" … {len} bytes") } else { String::new() };
    let number = match bytes {
        _ if name.contains("magic") || name.ends_with("name") => None,
        [a, b] => Some(u64::from(u16::from_le_bytes([*a, *b]))),
        [a, b, c, d] => Some(u64::from(u32::from_le_bytes([*a, *b, *c, *d]))),
        [a, b, c, d, e, f, g, h] => Some(u64::from_le_bytes([*a, *b, *c, *d, *e, *f, *g, *h])),
        _ => None,
    };
    let number = number.filter(|_| !name.is_empty()).map(|number| format!(" = {number}")).unwrap_or_default();
    json!({
        "at": range.start.to_string(),
        "hex": format!("{}{more}", hex.join(" ")),
        "name": format!("{name}{number}"),
        "here": is_here,
    })
}

#[cfg(test)]
mod tests;
