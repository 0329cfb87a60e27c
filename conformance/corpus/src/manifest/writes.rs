//! The lines of the vectors for writers: each description as the worker protocol sends it. Owns their JSON.

use hurray_adapter::{KvEntry, NewFile, NewItem, WriteOptions};
use hurray_spec::Rule;
use serde::Serialize;

use crate::feature::Feature;
use crate::write_vector::{Refusal, WriteExpect, WriteVector};

/// One line.
#[derive(Serialize)]
struct Line<'a> {
    id: &'a str,
    class: &'static str,
    expect: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    prefer: Option<&'static str>,
    rules: Vec<&'static str>,
    needs: &'a [Feature],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    tags: &'a [String],
    /// What is there in the end.
    file: &'a NewFile,
    #[serde(skip_serializing_if = "Option::is_none")]
    refused_options: Option<&'a WriteOptions>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    refused_items: Vec<Item<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refused_kv: Option<&'a [KvEntry]>,
    why: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    spec_silent: Option<&'a str>,
    source: &'a str,
}

/// An item that has to be refused before the item of that position in `file`.
#[derive(Serialize)]
struct Item<'a> {
    before: usize,
    item: &'a NewItem,
}

impl<'a> Line<'a> {
    fn of(vector: &'a WriteVector) -> Self {
        let mut line = Line {
            id: &vector.id,
            class: vector.class.name(),
            expect: vector.expect.name(),
            prefer: match vector.expect {
                WriteExpect::Either { prefer_accept: true } => Some("accept"),
                WriteExpect::Either { prefer_accept: false } => Some("refused"),
                WriteExpect::Accept | WriteExpect::Refused => None,
            },
            rules: ids(&vector.rules),
            needs: &vector.needs,
            tags: &vector.tags,
            file: &vector.file,
            refused_options: None,
            refused_items: Vec::new(),
            refused_kv: None,
            why: &vector.why,
            spec_silent: vector.spec_silent.as_deref(),
            source: vector.source.split(':').next().unwrap_or_default(),
        };
        for refusal in &vector.refusals {
            match refusal {
                Refusal::Options(options) => line.refused_options = Some(options),
                Refusal::Item { before, item } => line.refused_items.push(Item { before: *before, item }),
                Refusal::Kv(entries) => line.refused_kv = Some(entries),
            }
        }
        line
    }
}

/// One JSON object a vector, without the line's end.
pub(super) fn write_lines(vectors: &[WriteVector]) -> impl Iterator<Item = String> {
    vectors.iter().map(|vector| serde_json::to_string(&Line::of(vector)).unwrap_or_default())
}

/// The ids of rules, in their order.
pub(super) fn ids(rules: &[Rule]) -> Vec<&'static str> {
    rules.iter().map(|rule| rule.id()).collect()
}
