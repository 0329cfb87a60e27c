//! Over-strict habits: each takes for a fault what the specification allows. Owns nothing else.

use std::collections::HashSet;

use crc::{CRC_32_ISCSI, Crc};
use hurray_adapter::{KvValue, Observed};

use super::{Sight, View};

const SORTED_INDEX: u64 = 1 << 1;
const HAS_INDEX_CRC32C: u64 = 1 << 2;
const HINT_UNKNOWN: u64 = u64::MAX;

pub(super) fn alignment_not_4096(view: &View) -> bool {
    view.number(16, 4) != 4096
}

pub(super) fn gap_after_header(view: &View) -> bool {
    view.number(20, 8) != 64
}

pub(super) fn wrong_hint(view: &View) -> bool {
    let hint = view.number(28, 8);
    hint != HINT_UNKNOWN && hint != view.tensor_count()
}

pub(super) fn kv_without_flag(view: &View) -> bool {
    view.flags() & 1 == 0 && view.trailer(24, 4) != 0
}

pub(super) fn crc_whatever_the_flag(view: &View) -> bool {
    let is_clear = view.flags() & HAS_INDEX_CRC32C == 0;
    is_clear && u64::from(Crc::<u32>::new(&CRC_32_ISCSI).checksum(view.index())) != view.trailer(28, 4)
}

pub(super) fn no_tensors(view: &View) -> bool {
    view.tensor_count() == 0
}

pub(super) fn no_kv(view: &View) -> bool {
    view.trailer(24, 4) == 0
}

pub(super) fn empty_kv(view: &View) -> bool {
    view.trailer(24, 4) == 4
}

pub(super) fn newer_container_minor(view: &View) -> bool {
    view.container_minor() > 0
}

pub(super) fn names_equal_but_for_case(sight: &Sight<'_>, observed: &Observed) -> bool {
    let mut seen = HashSet::new();
    sight.step == "list" && observed.names.iter().flatten().any(|name| !seen.insert(name.0.to_ascii_lowercase()))
}

pub(super) fn names_with_a_slash(sight: &Sight<'_>, observed: &Observed) -> bool {
    sight.step == "list" && observed.names.iter().flatten().any(|name| name.0.contains(&b'/'))
}

pub(super) fn lone_tensor_not_named_weight(sight: &Sight<'_>, observed: &Observed) -> bool {
    sight.step == "list" && matches!(observed.names.as_deref(), Some([name]) if name.0 != b"weight")
}

pub(super) fn keys_equal_but_for_case(sight: &Sight<'_>, observed: &Observed) -> bool {
    let mut seen = HashSet::new();
    sight.step == "kv" && observed.kv.iter().flatten().any(|entry| !seen.insert(entry.key.0.to_ascii_lowercase()))
}

pub(super) fn empty_array(_: &Sight<'_>, observed: &Observed) -> bool {
    let is_empty = |value: &KvValue| matches!(value, KvValue::Array { items, .. } if items.is_empty());
    observed.kv.iter().flatten().any(|entry| is_empty(&entry.value))
}

pub(super) fn second_request(sight: &Sight<'_>, _: &Observed) -> bool {
    sight.asked_before > 0
}

pub(super) fn versions_that_differ(sight: &Sight<'_>, observed: &Observed) -> bool {
    descriptor_minor(observed).is_some_and(|minor| minor != sight.view.container_minor())
}

pub(super) fn newer_descriptor_minor(_: &Sight<'_>, observed: &Observed) -> bool {
    descriptor_minor(observed).is_some_and(|minor| minor > 0)
}

fn descriptor_minor(observed: &Observed) -> Option<u8> {
    observed.tensor.as_ref()?.version.map(|[_, minor]| minor)
}

/// A descriptor longer than the fields of version 1.0.
pub(super) fn bytes_behind_known_fields(sight: &Sight<'_>, observed: &Observed) -> bool {
    let known_len = || {
        let tensor = observed.tensor.as_ref()?;
        let (rank, handles) = (tensor.shape.as_ref()?.len(), tensor.handles.as_ref()?.len());
        let strides = tensor.strides.as_ref().map_or(0, Vec::len);
        Some(20 + 8 * rank + 8 + 8 * strides + 1 + 16 * handles)
    };
    let len = sight.view.entry(sight.name).map(|entry| entry.descriptor_len as usize);
    len.zip(known_len()).is_some_and(|(len, known)| len > known)
}

/// Looks a name up by halving, trusting `SORTED_INDEX`; where the promise is broken, names get lost.
pub(super) fn halving_lookup(view: &View, name: &[u8]) -> Option<Vec<u8>> {
    if view.flags() & SORTED_INDEX == 0 {
        return Some(name.to_vec());
    }
    let entries = view.entries();
    entries.binary_search_by(|entry| entry.name.as_slice().cmp(name)).ok().map(|at| entries[at].name.clone())
}
