//! What a reader of a written file has to see: the description, with digests in place of payloads. Owns that translation.

use std::sync::Arc;

use hurray_adapter::{
    BufferObservation, CompositeObservation, ContainerObservation, FieldValue, NewComposite, NewFile, NewItem,
    NewTensor, TensorObservation, Text, U64,
};
use hurray_spec::tables::{COMPOSITION_RULE, FILE_HAS_KV_METADATA};

use super::WriteVector;
use crate::vector::{Expect, ExpectValidate, Expected, ExpectedTensor, ReadMode, Vector};

/// Where the header has the low byte of its flags.
const FLAGS_AT: usize = 12;

/// What has to be seen in the file of that description. Tensors stand in the order of writing, heads before members.
pub fn seen_in(file: &NewFile) -> Expected {
    let mut expected = Expected {
        container: Some(ContainerObservation {
            data_buffer_alignment: file.options.data_buffer_alignment,
            ..ContainerObservation::default()
        }),
        kv: Some(file.kv.clone()),
        ..Expected::default()
    };
    file.items.iter().for_each(|item| see(item, &mut expected));
    if let Some(container) = &mut expected.container {
        container.tensor_count = Some(U64(expected.tensors.len() as u64));
    }
    expected
}

fn see(item: &NewItem, expected: &mut Expected) {
    match item {
        NewItem::Tensor(NewTensor { name, descriptor, buffers }) => {
            let buffers = buffers.iter().map(|payload| BufferObservation::of(&payload.bytes().unwrap_or_default()));
            expected.tensors.push(ExpectedTensor {
                name: name.clone(),
                tensor: descriptor.clone(),
                buffers: Some(buffers.collect()),
            });
        }
        NewItem::Composite(NewComposite { name, descriptor, members }) => {
            let head = ExpectedTensor { name: name.clone(), tensor: descriptor.clone(), buffers: Some(Vec::new()) };
            expected.tensors.push(head);
            expected.composites.push(CompositeObservation {
                name: name.clone(),
                rule: composition_rule(descriptor),
                members: Some(members.iter().map(|member| name_of(member).clone()).collect()),
            });
            members.iter().for_each(|member| see(member, expected));
        }
    }
}

/// The name of an item.
pub fn name_of(item: &NewItem) -> &Text {
    match item {
        NewItem::Tensor(NewTensor { name, .. }) | NewItem::Composite(NewComposite { name, .. }) => name,
    }
}

/// The composition rule of a head by its name.
fn composition_rule(head: &TensorObservation) -> String {
    let field = head.layout_fields.as_ref().and_then(|fields| fields.get("composition_rule"));
    let Some(FieldValue::One(number)) = field else { return String::new() };
    let named = number.parse().ok().and_then(|tag| COMPOSITION_RULE.name(tag));
    named.map_or_else(|| number.clone(), str::to_owned)
}

/// The written file as a vector for readers: all of it has to be accepted and seen.
pub fn read_vector(vector: &WriteVector, id: String, bytes: Arc<[u8]>) -> Vector {
    let mut observe = seen_in(&vector.file);
    // Most writers learn of entries when the header is out: a reader may then hide them (ruling R7).
    observe.kv_may_be_hidden = bytes.get(FLAGS_AT).is_none_or(|flags| u32::from(*flags) & FILE_HAS_KV_METADATA == 0);
    Vector {
        id,
        base: String::new(),
        class: vector.class,
        rules: vector.rules.clone(),
        then: Vec::new(),
        then_because: Vec::new(),
        expect: Expect::Accept,
        near: None,
        validate: ExpectValidate::Clean,
        mode: ReadMode::Whole,
        of: None,
        passing: Vec::new(),
        needs: vector.needs.iter().copied().filter(|need| need.is_for_readers()).collect(),
        tags: vector.tags.clone(),
        observe,
        meaning: Vec::new(),
        absent: Vec::new(),
        why: vector.why.clone(),
        spec_silent: None,
        edits_because: None,
        source: vector.source.clone(),
        bytes,
        labels: Vec::new(),
    }
}
