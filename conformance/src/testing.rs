//! Vectors and introductions made by hand, for tests of the harness.

use hurray_adapter::{BufferObservation, Hello, KvEntry, KvValue, NewFile, TensorObservation, U64};
use hurray_spec::Rule;
use serde_json::json;

use hurray_corpus::write_vector::{WriteExpect, WriteVector};
use hurray_corpus::{Class, Expect, ExpectValidate, Expected, ExpectedTensor, ReadMode, Vector};

/// A candidate that offers and observes everything that is asked here.
pub(crate) fn hello() -> Hello {
    serde_json::from_value(json!({
        "protocol": [1, 1], "name": "x", "version": "1",
        "operations": ["open", "list", "kv", "describe", "read"],
        "types": ["float32"], "layouts": ["row_major"], "io_contract": true,
        "observes": ["tensors", "kv", "payload"],
    }))
    .expect("a hello")
}

pub(crate) fn tensor(name: &str) -> ExpectedTensor {
    ExpectedTensor {
        name: name.into(),
        tensor: TensorObservation {
            element_type: Some("float32".to_owned()),
            layout: Some("row_major".to_owned()),
            shape: Some(vec![U64(1)]),
            ..TensorObservation::default()
        },
        buffers: Some(vec![BufferObservation::of(b"abcd")]),
    }
}

/// Tensors `a` and `b`, one key-value entry, and a name that is not there.
pub(crate) fn vector(expect: Expect) -> Vector {
    Vector {
        id: "x/y/z".to_owned(),
        base: "x".to_owned(),
        class: Class::Explicit,
        rules: vec![Rule::ContainerHeaderMagicReject],
        then: Vec::new(),
        then_because: Vec::new(),
        expect,
        near: None,
        validate: ExpectValidate::Any,
        mode: ReadMode::Whole,
        of: None,
        passing: Vec::new(),
        needs: ["type:float32", "layout:row_major"].map(|need| need.parse().expect("a feature")).into(),
        tags: Vec::new(),
        observe: Expected {
            descriptor_length: None,
            container: None,
            tensors: vec![tensor("a"), tensor("b")],
            composites: Vec::new(),
            kv: Some(vec![KvEntry { key: "k".into(), value: KvValue::Bool(true) }]),
            kv_may_be_hidden: false,
        },
        meaning: Vec::new(),
        absent: vec!["c".into()],
        why: String::new(),
        spec_silent: None,
        edits_because: None,
        source: String::new(),
        bytes: Vec::new().into(),
        labels: Vec::new(),
    }
}

/// A vector for writers of a file without tensors.
pub(crate) fn write_vector() -> WriteVector {
    WriteVector {
        id: "write/x/y".to_owned(),
        class: Class::Explicit,
        expect: WriteExpect::Accept,
        rules: vec![Rule::ContainerWriterRecords],
        needs: Vec::new(),
        tags: Vec::new(),
        file: NewFile::default(),
        refusals: Vec::new(),
        why: "So it is.".to_owned(),
        spec_silent: None,
        source: String::new(),
    }
}
