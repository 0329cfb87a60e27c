//! Habits that change what a writer is told to write, or how it answers.
//!
//! Owns these defects and nothing else.

#![expect(clippy::ptr_arg, reason = "one table holds the habits that move bytes and those that change them")]

use hurray_adapter::{
    FieldValue, Fields, HandleObservation, KvEntry, KvValue, NewComposite, NewItem, NewTensor, Payload,
    TensorObservation, Text, U64, WriteOptions,
};

use hurray_corpus::write_vector::name_of;

/// Calls `change` with every descriptor of an item.
fn each(item: &mut NewItem, change: &mut dyn FnMut(&mut TensorObservation)) {
    match item {
        NewItem::Tensor(tensor) => change(&mut tensor.descriptor),
        NewItem::Composite(composite) => {
            change(&mut composite.descriptor);
            composite.members.iter_mut().for_each(|member| each(member, change));
        }
    }
}

fn each_handle(item: &mut NewItem, change: impl Fn(&mut HandleObservation)) {
    each(item, &mut |descriptor| descriptor.handles.iter_mut().flatten().for_each(&change));
}

fn is_empty(handle: &HandleObservation) -> bool {
    handle.byte_size == Some(U64(0))
}

pub(super) fn alignment_of_64(item: &mut NewItem) {
    each_handle(item, |handle| handle.alignment = handle.alignment.map(|alignment| alignment.min(64)));
}

pub(super) fn alignment_of_64_for_nothing(item: &mut NewItem) {
    each_handle(item, |handle| {
        if is_empty(handle) {
            handle.alignment = Some(64);
        }
    });
}

pub(super) fn alignment_of_64_for_devices(item: &mut NewItem) {
    each_handle(item, |handle| {
        if handle.device_tag.is_some_and(|tag| tag > 0) {
            handle.alignment = Some(64);
        }
    });
}

pub(super) fn twice_the_alignment(item: &mut NewItem) {
    each_handle(item, |handle| handle.alignment = handle.alignment.and_then(|alignment| alignment.checked_mul(2)));
}

pub(super) fn a_device_it_knows(item: &mut NewItem) {
    each_handle(item, |handle| {
        if handle.device_tag.is_some_and(|tag| tag > 8) {
            handle.device_tag = Some(1);
        }
    });
}

pub(super) fn a_type_it_knows(item: &mut NewItem) {
    each(item, &mut |descriptor| {
        if descriptor.element_type.as_deref().is_some_and(|name| name.starts_with("0x")) {
            descriptor.element_type = Some("uint8".to_owned());
        }
    });
}

pub(super) fn no_scheme_it_does_not_know(item: &mut NewItem) {
    let is_unknown = |section: &Fields| matches!(section.get("scheme"), Some(FieldValue::One(name)) if name.starts_with("0x") || name.parse::<u8>().is_ok());
    each(item, &mut |descriptor| {
        if descriptor.quantization.as_ref().is_some_and(is_unknown) {
            descriptor.quantization = None;
        }
    });
}

pub(super) fn no_statistics(item: &mut NewItem) {
    each(item, &mut |descriptor| descriptor.statistics = None);
}

pub(super) fn sixty_four_dimensions(item: &mut NewItem) {
    each(item, &mut |descriptor| {
        if let Some(shape) = &mut descriptor.shape {
            shape.truncate(64);
        }
    });
}

pub(super) fn tiles_in_rows(item: &mut NewItem) {
    each(item, &mut |descriptor| {
        let field = descriptor.layout_fields.as_mut().and_then(|fields| fields.get_mut("outer_layout"));
        if let Some(FieldValue::One(order)) = field.filter(|field| **field == FieldValue::One("2".to_owned())) {
            "1".clone_into(order);
        }
    });
}

pub(super) fn other_nothing(item: &mut NewItem) {
    each(item, &mut |descriptor| {
        if let Some(shape) = descriptor.shape.as_mut().filter(|shape| shape.contains(&U64(0)) && shape.len() > 1) {
            shape.iter_mut().for_each(|dim| dim.0 = 0);
        }
    });
}

pub(super) fn a_version_it_knows(item: &mut NewItem) {
    each(item, &mut |descriptor| descriptor.version = Some([1, 0]));
}

pub(super) fn payload_made_to_fit(item: &mut NewItem) {
    let NewItem::Tensor(NewTensor { descriptor, buffers, .. }) = item else { return };
    let handles = descriptor.handles.iter().flatten();
    let fitted = handles.enumerate().map(|(at, handle)| {
        let len = handle.byte_size.unwrap_or_default();
        match buffers.get(at) {
            Some(payload) if payload.len() == Some(len.0) => payload.clone(),
            _ => Payload::Fill { byte: 0, len },
        }
    });
    *buffers = fitted.collect();
}

fn rename(item: &mut NewItem, change: fn(&mut Vec<u8>)) {
    match item {
        NewItem::Tensor(NewTensor { name, .. }) => change(&mut name.0),
        NewItem::Composite(NewComposite { name, members, .. }) => {
            change(&mut name.0);
            members.iter_mut().for_each(|member| rename(member, change));
        }
    }
}

pub(super) fn names_cut(item: &mut NewItem) {
    rename(item, |name| name.truncate(65_535));
}

pub(super) fn a_name_for_the_nameless(item: &mut NewItem) {
    rename(item, |name| {
        if name.is_empty() {
            name.extend_from_slice(b"unnamed");
        }
    });
}

pub(super) fn members_backwards(item: &mut NewItem) {
    if let NewItem::Composite(composite) = item {
        composite.members.reverse();
        composite.members.iter_mut().for_each(members_backwards);
    }
}

pub(super) fn usual_alignment(options: &mut WriteOptions) {
    let is_legal = |alignment: &u32| alignment.is_power_of_two() && (4096..=2_097_152).contains(alignment);
    options.data_buffer_alignment = options.data_buffer_alignment.filter(is_legal);
}

pub(super) fn keys_made_to_fit(entries: &mut Vec<KvEntry>) {
    let mut seen: Vec<Text> = Vec::new();
    entries.retain(|entry| {
        let is_new = !entry.key.0.is_empty() && !seen.contains(&entry.key);
        seen.push(entry.key.clone());
        is_new
    });
}

pub(super) fn keys_cut(entries: &mut Vec<KvEntry>) {
    entries.iter_mut().for_each(|entry| entry.key.0.truncate(65_535));
}

/// Keeps of an array what is of the type that it says, and gives one of arrays up.
pub(super) fn arrays_made_to_fit(entries: &mut Vec<KvEntry>) {
    for entry in entries.iter_mut() {
        if let KvValue::Array { element: Some(element), items } = &mut entry.value {
            items.retain(|item| item.type_name() == element && element != "array");
            if element == "array" {
                "bool".clone_into(element);
            }
        }
    }
}

pub(super) fn is_partition(item: &NewItem) -> bool {
    has_rule(item, "1")
}

pub(super) fn is_overlay(item: &NewItem) -> bool {
    has_rule(item, "2")
}

pub(super) fn is_group(item: &NewItem) -> bool {
    has_rule(item, "3")
}

fn has_rule(item: &NewItem, rule: &str) -> bool {
    let NewItem::Composite(NewComposite { descriptor, .. }) = item else { return false };
    let field = descriptor.layout_fields.as_ref().and_then(|fields| fields.get("composition_rule"));
    matches!(field, Some(FieldValue::One(number)) if number == rule)
}

pub(super) fn is_full_table(item: &NewItem) -> bool {
    matches!(item, NewItem::Tensor(tensor) if tensor.buffers.len() > 255)
}

pub(super) fn is_tensor(item: &NewItem) -> bool {
    matches!(item, NewItem::Tensor(_))
}

pub(super) fn is_second(written: &[Vec<u8>], _item: &NewItem) -> bool {
    !written.is_empty()
}

pub(super) fn is_out_of_order(written: &[Vec<u8>], item: &NewItem) -> bool {
    written.last().is_some_and(|last| *last > name_of(item).0)
}
