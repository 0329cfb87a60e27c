//! The manifest: every vector with its expectation, length and hash, for people without Rust.
//!
//! Owns the JSON of `vectors/manifest.json`. Generated, one vector a line, so that a change shows as one.

use hurray_adapter::{CompositeObservation, ContainerObservation, KvEntry, Place, TensorObservation, Text, U64};
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::feature::Feature;
use crate::vector::{Due, Expect, ExpectValidate, Meaning, Vector};
use crate::write_vector::WriteVector;

use writes::{ids, write_lines};

mod writes;

/// The longest file that is committed, in bytes; longer ones are assembled on demand and pinned by their hash.
pub const MAX_COMMITTED_LEN: usize = 64 << 10;

/// Where the assembled file of a vector stands, relative to `vectors/`.
pub fn file_path(vector: &Vector) -> String {
    let extension = if vector.mode.is_of_file() { "hrry" } else { "bin" };
    format!("files/{}.{extension}", vector.of.as_ref().unwrap_or(&vector.id))
}

/// Whether the assembled file is committed.
pub fn is_committed(vector: &Vector) -> bool {
    vector.bytes.len() <= MAX_COMMITTED_LEN
}

/// One line of the manifest.
#[derive(Serialize)]
struct Line<'a> {
    id: &'a str,
    class: &'static str,
    expect: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    prefer: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    due: Option<Step<'a>>,
    rules: Vec<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    then: Vec<Then<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    near: Option<&'a str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    needs: &'a [Feature],
    #[serde(skip_serializing_if = "Option::is_none")]
    requires: Option<[&'static str; 1]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    of: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    passing: Vec<PassingLine<'a>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    tags: &'a [String],
    /// What `validate` has to name; `null` when it is not judged.
    validate: Option<Vec<&'static str>>,
    observe: Observe<'a>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    meaning: Vec<Element<'a>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    absent: &'a [Text],
    why: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    spec_silent: Option<&'a str>,
    source: &'a str,
    file: String,
    committed: bool,
    len: usize,
    sha256: String,
}

#[derive(Serialize)]
struct Step<'a> {
    step: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a Text>,
}

#[derive(Serialize)]
struct PassingLine<'a> {
    at: U64,
    name: &'a Text,
}

#[derive(Serialize)]
struct Then<'a> {
    rule: &'static str,
    because: &'a str,
}

/// Place and value of one element.
#[derive(Serialize)]
struct Element<'a> {
    tensor: &'a Text,
    index: &'a [U64],
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<&'a Place>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<&'a str>,
}

#[derive(Serialize)]
struct Observe<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    descriptor_length: Option<U64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    container: Option<&'a ContainerObservation>,
    tensors: Vec<Tensor<'a>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    composites: &'a [CompositeObservation],
    #[serde(skip_serializing_if = "Option::is_none")]
    kv: Option<&'a [KvEntry]>,
    #[serde(skip_serializing_if = "is_false")]
    kv_may_be_hidden: bool,
}

#[derive(Serialize)]
struct Tensor<'a> {
    name: &'a Text,
    #[serde(flatten)]
    tensor: &'a TensorObservation,
    #[serde(skip_serializing_if = "Option::is_none")]
    buffers: Option<&'a [hurray_adapter::BufferObservation]>,
}

impl<'a> Line<'a> {
    fn of(vector: &'a Vector) -> Self {
        let (expect, prefer, due) = match &vector.expect {
            Expect::Accept => ("accept", None, None),
            Expect::Reject { due } => ("reject", None, Some(due)),
            Expect::Either { due, prefer_accept } => {
                ("either", Some(if *prefer_accept { "accept" } else { "reject" }), Some(due))
            }
        };
        let then = vector.then.iter().zip(&vector.then_because);
        Line {
            id: &vector.id,
            class: vector.class.name(),
            expect,
            prefer,
            due: due.map(Step::of),
            rules: ids(&vector.rules),
            then: then.map(|(rule, because)| Then { rule: rule.id(), because }).collect(),
            near: vector.near.as_deref(),
            needs: &vector.needs,
            requires: vector.mode.requirement().map(|word| [word]),
            of: vector.of.as_deref(),
            passing: vector.passing.iter().map(|one| PassingLine { at: U64(one.at), name: &one.name }).collect(),
            tags: &vector.tags,
            validate: match &vector.validate {
                ExpectValidate::Clean => Some(Vec::new()),
                ExpectValidate::Names(rules) => Some(ids(rules)),
                ExpectValidate::Any => None,
            },
            observe: Observe::of(vector),
            meaning: vector.meaning.iter().map(Element::of).collect(),
            absent: &vector.absent,
            why: &vector.why,
            spec_silent: vector.spec_silent.as_deref(),
            source: vector.source.split(':').next().unwrap_or_default(),
            file: file_path(vector),
            committed: is_committed(vector),
            len: vector.bytes.len(),
            sha256: hex::encode(Sha256::digest(&vector.bytes)),
        }
    }
}

impl<'a> Step<'a> {
    fn of(due: &'a Due) -> Self {
        match due {
            Due::Open => Step { step: "open", name: None },
            Due::Descriptor => Step { step: "descriptor", name: None },
            Due::Scan => Step { step: "scan", name: None },
            Due::Kv => Step { step: "kv", name: None },
            Due::Describe(name) => Step { step: "describe", name: Some(name) },
            Due::Read(name) => Step { step: "read", name: Some(name) },
            Due::Composite(name) => Step { step: "composite", name: Some(name) },
        }
    }
}

impl<'a> Element<'a> {
    fn of(meaning: &'a Meaning) -> Self {
        Element {
            tensor: &meaning.tensor,
            index: &meaning.index,
            place: meaning.place.as_ref(),
            value: meaning.value.as_deref(),
        }
    }
}

impl<'a> Observe<'a> {
    fn of(vector: &'a Vector) -> Self {
        let tensors = vector.observe.tensors.iter();
        Observe {
            descriptor_length: vector.observe.descriptor_length,
            container: vector.observe.container.as_ref(),
            tensors: tensors
                .map(|seen| Tensor { name: &seen.name, tensor: &seen.tensor, buffers: seen.buffers.as_deref() })
                .collect(),
            composites: &vector.observe.composites,
            kv: vector.observe.kv.as_deref(),
            kv_may_be_hidden: vector.observe.kv_may_be_hidden,
        }
    }
}

// The form serde asks for.
fn is_false(value: &bool) -> bool {
    !value
}

/// One JSON object a vector, without the line's end.
fn lines(vectors: &[Vector]) -> impl Iterator<Item = String> {
    // Maps with string keys and values of plain types: serializing them cannot fail.
    vectors.iter().map(|vector| serde_json::to_string(&Line::of(vector)).unwrap_or_default())
}

/// SHA-256 over the lines of the manifest, as hex.
pub fn digest(vectors: &[Vector], writes: &[WriteVector]) -> String {
    let mut hasher = Sha256::new();
    for line in lines(vectors).chain(write_lines(writes)) {
        hasher.update(line.as_bytes());
        hasher.update(b"\n");
    }
    hex::encode(hasher.finalize())
}

/// The text of `manifest.json`: the vectors for readers and for writers, and their [`digest`].
pub fn text(vectors: &[Vector], writes: &[WriteVector], digest: &str) -> String {
    let mut text = format!("{{\"format\":1,\"digest\":\"{digest}\",\"vectors\":[\n");
    text.push_str(&lines(vectors).collect::<Vec<_>>().join(",\n"));
    text.push_str("\n],\"writes\":[\n");
    text.push_str(&write_lines(writes).collect::<Vec<_>>().join(",\n"));
    text.push_str("\n]}\n");
    text
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::VectorSet;
    use crate::load::tests::sources;

    fn lines_of(change: &str) -> Vec<Value> {
        let set = VectorSet::from_sources(&sources(change)).expect("sound recipes");
        let whole: Value = serde_json::from_str(&text(&set.vectors, &set.writes, &set.digest)).expect("JSON");
        assert_eq!((&whole["format"], &whole["digest"]), (&json!(1), &json!(set.digest)));
        whole["vectors"].as_array().expect("a list").clone()
    }

    #[test]
    fn a_line_says_all_there_is_to_know() {
        let lines = lines_of("");
        let observe = json!({
            "container": { "version": [1, 0], "tensor_count": "1" },
            "tensors": [{
                "name": { "utf8": "t" }, "type": "uint8", "layout": "row_major", "shape": ["18446744073709551615"],
                "handles": [{ "byte_size": "3" }],
                // printf '\x01\x02\x00' | sha256sum
                "buffers": [{ "len": "3", "sha256": "d7b3d4012540102c40a23acdeee417e06a42a74a5d66c7efe59f4e4aa0537c5c" }],
            }],
            "kv": [{
                "key": { "utf8": "k" },
                "value": { "array": { "type": "bool", "items": [{ "bool": true }, { "bool": true }] } },
            }],
        });
        let bad = json!({
            "id": "area/noun/bad", "class": "explicit", "expect": "reject",
            "due": { "step": "describe", "name": { "utf8": "t" } },
            "rules": ["container.header.magic-reject", "container.header.magic"],
            "then": [{ "rule": "container.header.size", "because": "It is short." }],
            "near": "area/noun/good", "needs": ["type:uint8", "layout:row_major"],
            "validate": ["container.header.magic"], "observe": observe, "why": "One byte differs.",
            "source": "area/noun.toml", "file": "files/area/noun/bad.hrry", "committed": true, "len": 3,
            // printf '\x02\x02\x00' | sha256sum
            "sha256": "138793139d414148c3ea406f4b273bdfb394d17fab3636115815abdf639d433d",
        });
        assert_eq!(lines[0], bad);
        assert_eq!(lines[1]["absent"], json!([{ "utf8": "x" }, { "hex": "ff" }, { "utf8": "nnn" }]));
        assert_eq!((&lines[1]["validate"], &lines[1]["observe"]["kv"]), (&json!([]), &json!([])));
        assert_eq!((&lines[1]["due"], &lines[1]["near"]), (&Value::Null, &Value::Null));
    }

    #[test]
    fn what_is_not_judged_is_null() {
        let lines = lines_of("validate = [\"container.header.magic\"]=>validate_any = true");
        assert!(lines[0].as_object().is_some_and(|line| line["validate"].is_null()));
    }

    #[test]
    fn files_beyond_64_kib_are_not_committed() {
        for (len, committed) in [("65533", true), ("65534", false)] {
            let lines = lines_of(&format!("set = \"a\", to = \"3\"=>insert_after = \"b\", lines = \"c fill {len}\""));
            assert_eq!(lines[1]["committed"], json!(committed), "{len}");
        }
    }

    #[test]
    fn one_vector_is_one_line() {
        let set = VectorSet::from_sources(&sources("")).expect("sound recipes");
        assert_eq!(text(&set.vectors, &set.writes, &set.digest).lines().count(), 3 + 4);
    }
}
