//! Careless habits: each sees something that is not there. Owns nothing else.

use hurray_adapter::{FieldValue, Float64, I64, KvValue, Observed, Text, U64};
use hurray_spec::tables::ElementType;

use super::{Sight, View, avoid};

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
        composite.members = Some(behind.take(composite.member_names().len()).map(Text).collect());
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

/// Reads corrections from the last to the first.
pub(super) fn corrections_backwards(_: &Sight<'_>, observed: &mut Observed) {
    if let Some(composite) = observed.composite.as_mut().filter(|composite| composite.rule == "overlay") {
        composite.members.iter_mut().for_each(|members| members.reverse());
    }
}

/// Gives statistics that the mask does not declare as 0.
pub(super) fn unset_statistics(_: &Sight<'_>, observed: &mut Observed) {
    if let Some(statistics) = observed.tensor.as_mut().and_then(|tensor| tensor.statistics.as_mut()) {
        for name in ["nnz", "nm_n", "nm_m", "has_nan", "has_inf"] {
            statistics.entry(name.to_owned()).or_insert_with(|| FieldValue::One("0".to_owned()));
        }
        for name in ["sparsity_ratio", "value_min", "value_max", "value_abs_max", "value_mean", "value_stddev"] {
            statistics.entry(name.to_owned()).or_insert_with(|| FieldValue::One("0000000000000000".to_owned()));
        }
    }
}

/// Takes a dimension that is not known for one of no elements.
pub(super) fn dynamic_as_empty(_: &Sight<'_>, observed: &mut Observed) {
    for dim in observed.tensor.iter_mut().flat_map(|tensor| tensor.shape.iter_mut().flatten()) {
        if dim.0 == u64::MAX {
            dim.0 = 0;
        }
    }
}

/// Shows no shape where it does not know the layout or the scheme.
pub(super) fn unknown_without_shape(_: &Sight<'_>, observed: &mut Observed) {
    if let Some(tensor) = &mut observed.tensor
        && (avoid::unknown_layouts(tensor) || avoid::unknown_schemes(tensor))
    {
        tensor.shape = Some(Vec::new());
    }
}

/// Takes every memory for that of the CPU.
pub(super) fn every_device_is_the_cpu(_: &Sight<'_>, observed: &mut Observed) {
    for handle in observed.tensor.iter_mut().flat_map(|tensor| tensor.handles.iter_mut().flatten()) {
        handle.device_tag = handle.device_tag.map(|_| 0);
    }
}

/// Takes types beyond the mandatory ones for bytes.
pub(super) fn optional_types_as_bytes(_: &Sight<'_>, observed: &mut Observed) {
    if let Some(name) = observed.tensor.as_mut().and_then(|tensor| tensor.element_type.as_mut())
        && ElementType::from_name(name).is_some_and(|element| element.tier > 1)
    {
        "uint8".clone_into(name);
    }
}

/// Takes the n-th name for the n-th descriptor of the file, wherever the index says it is.
pub(super) fn nth_descriptor_for_nth_name(view: &View, name: &[u8]) -> Option<Vec<u8>> {
    let mut entries = view.entries();
    let at = entries.iter().position(|entry| entry.name == name)?;
    entries.sort_by_key(|entry| entry.descriptor_offset);
    Some(entries[at].name.clone())
}
