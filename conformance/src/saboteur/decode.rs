//! Careless habits: each sees something that is not there. Owns nothing else.

use hurray_adapter::{BufferObservation, Float64, I64, KvValue, Observed, Text, U64};

use super::{Sight, View};

const FLOAT32: &str = "float32";
const CANONICAL_NAN: u64 = 0x7ff8_0000_0000_0000;

fn each_value(observed: &mut Observed, change: fn(KvValue) -> KvValue) {
    for entry in observed.kv.iter_mut().flatten() {
        let value = std::mem::replace(&mut entry.value, KvValue::Bool(false));
        entry.value = change(value);
    }
}

/// Takes for the members of a head the tensors that follow it in the index.
pub(super) fn members_in_the_order_of_the_index(sight: &Sight<'_>, observed: &mut Observed) {
    if let Some(composite) = &mut observed.composite {
        let names = sight.view.entries().into_iter().map(|entry| entry.name);
        let behind = names.skip_while(|name| *name != composite.name.0).skip(1);
        composite.members = behind.take(composite.members.len()).map(Text).collect();
    }
}

pub(super) fn string_as_bytes(_: &Sight<'_>, observed: &mut Observed) {
    each_value(observed, |value| match value {
        KvValue::String(text) => KvValue::Bytes(hex::encode(text.0)),
        other => other,
    });
}

pub(super) fn bytes_as_string(_: &Sight<'_>, observed: &mut Observed) {
    each_value(observed, |value| match value {
        KvValue::Bytes(digits) => KvValue::String(Text(hex::decode(digits).unwrap_or_default())),
        other => other,
    });
}

pub(super) fn int64_as_uint64(_: &Sight<'_>, observed: &mut Observed) {
    each_value(observed, |value| match value {
        KvValue::Int64(I64(number)) => KvValue::Uint64(U64(number as u64)),
        other => other,
    });
}

pub(super) fn uint64_as_int64(_: &Sight<'_>, observed: &mut Observed) {
    each_value(observed, |value| match value {
        KvValue::Uint64(U64(number)) => KvValue::Int64(I64(number as i64)),
        other => other,
    });
}

pub(super) fn floats_made_canonical(_: &Sight<'_>, observed: &mut Observed) {
    each_value(observed, |value| match value {
        KvValue::Float64(Float64(bits)) if f64::from_bits(bits).is_nan() => KvValue::Float64(Float64(CANONICAL_NAN)),
        KvValue::Float64(Float64(bits)) if f64::from_bits(bits) == 0.0 => KvValue::Float64(Float64(0)),
        other => other,
    });
}

pub(super) fn arrays_lose_their_last_item(_: &Sight<'_>, observed: &mut Observed) {
    each_value(observed, |value| match value {
        KvValue::Array { element, mut items } => {
            items.pop();
            KvValue::Array { element, items }
        }
        other => other,
    });
}

pub(super) fn one_dimension_short(_: &Sight<'_>, observed: &mut Observed) {
    if let Some(shape) = observed.tensor.as_mut().and_then(|tensor| tensor.shape.as_mut()) {
        shape.pop();
    }
}

pub(super) fn sizes_not_exposed_as_written(_: &Sight<'_>, observed: &mut Observed) {
    for handle in observed.tensor.iter_mut().flat_map(|tensor| tensor.handles.iter_mut().flatten()) {
        handle.byte_size = handle.byte_size.map(|size| U64(size.0.wrapping_add(1)));
    }
}

/// Quiets every NaN and flushes every subnormal of a float32 tensor.
pub(super) fn float_payload_made_canonical(sight: &Sight<'_>, observed: &mut Observed) {
    let is_float32 = observed.tensor.as_ref().and_then(|tensor| tensor.element_type.as_deref()) == Some(FLOAT32);
    let Some(entry) = sight.view.entry(sight.name).filter(|_| is_float32) else { return };
    let Some([buffer]) = observed.buffers.as_deref_mut() else { return };
    let mut bytes = sight.view.slice(entry.data_offset, buffer.len.0).to_vec();
    let before = bytes.clone();
    for word in bytes.chunks_exact_mut(4) {
        let value = f32::from_le_bytes([word[0], word[1], word[2], word[3]]);
        if value.is_nan() {
            word.copy_from_slice(&f32::NAN.to_le_bytes());
        } else if value.is_subnormal() {
            word.copy_from_slice(&[0; 4]);
        }
    }
    if bytes != before {
        let memory_alignment = buffer.memory_alignment;
        *buffer = BufferObservation { memory_alignment, ..BufferObservation::of(&bytes) };
    }
}

/// Takes the n-th name for the n-th descriptor of the file, wherever the index says it is.
pub(super) fn nth_descriptor_for_nth_name(view: &View, name: &[u8]) -> Option<Vec<u8>> {
    let mut entries = view.entries();
    let at = entries.iter().position(|entry| entry.name == name)?;
    entries.sort_by_key(|entry| entry.descriptor_offset);
    Some(entries[at].name.clone())
}
