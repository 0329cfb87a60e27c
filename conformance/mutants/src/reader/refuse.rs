//! Over-strict habits: each takes for a fault what the specification allows. Owns nothing else.

use std::collections::HashSet;

use crc::{CRC_32_ISCSI, Crc};
use hurray_adapter::{KvValue, Observed, Op, Text};
use hurray_spec::tables::Scheme;

use super::avoid::{self, field};
use super::{Entry, Sight, View};

const SORTED_INDEX: u64 = 1 << 1;
const HAS_INDEX_CRC32C: u64 = 1 << 2;
const HINT_UNKNOWN: u64 = u64::MAX;
const HAS_QUANTIZATION: u64 = 1 << 0;
const ROW_MAJOR: u64 = 0x01;
const COMPOSITE_HEAD: u64 = 0x0B;

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
    sight.step == Op::List && observed.names.iter().flatten().any(|name| !seen.insert(name.0.to_ascii_lowercase()))
}

pub(super) fn names_with_a_slash(sight: &Sight<'_>, observed: &Observed) -> bool {
    sight.step == Op::List && observed.names.iter().flatten().any(|name| name.0.contains(&b'/'))
}

pub(super) fn lone_tensor_not_named_weight(sight: &Sight<'_>, observed: &Observed) -> bool {
    sight.step == Op::List && matches!(observed.names.as_deref(), Some([name]) if name.0 != b"weight")
}

pub(super) fn keys_equal_but_for_case(sight: &Sight<'_>, observed: &Observed) -> bool {
    let mut seen = HashSet::new();
    sight.step == Op::Kv && observed.kv.iter().flatten().any(|entry| !seen.insert(entry.key.0.to_ascii_lowercase()))
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

/// A quantization section longer than the fields of its scheme; seen of row-major tensors alone.
pub(super) fn bytes_behind_a_scheme(sight: &Sight<'_>, _: &Observed) -> bool {
    let longer = |entry: Entry| {
        let (view, at) = (sight.view, entry.descriptor_offset);
        let has_scheme = view.number(at + 15, 1) == ROW_MAJOR && view.number(at + 10, 4) & HAS_QUANTIZATION != 0;
        let handles = at + 20 + 8 * view.number(at + 16, 4) + 8;
        let section = handles + 1 + 16 * view.number(handles, 1);
        let known = Scheme::from_tag(view.number(section + 4, 1) as u8).map(|scheme| u64::from(scheme.len));
        has_scheme && known.is_some_and(|known| view.number(section, 4) > known)
    };
    sight.view.entry(sight.name).is_some_and(longer)
}

/// A head that gives no place in the file for the data it has not.
pub(super) fn head_at_no_boundary(sight: &Sight<'_>, observed: &Observed) -> bool {
    let is_head = observed.tensor.as_ref().is_some_and(|tensor| tensor.layout.as_deref() == Some("composite_head"));
    let boundary = sight.view.number(16, 4).max(1);
    is_head && sight.view.entry(sight.name).is_some_and(|entry| entry.data_offset % boundary != 0)
}

/// A head that promises more tensors than stand behind it in the file.
pub(super) fn head_without_its_members(sight: &Sight<'_>, observed: &Observed) -> bool {
    let promised = observed.tensor.as_ref().and_then(|tensor| field(&tensor.layout_fields, "member_count"));
    let Some((promised, head)) = promised.zip(sight.view.entry(sight.name)) else { return false };
    let behind = sight.view.entries().iter().filter(|entry| entry.descriptor_offset > head.descriptor_offset).count();
    promised > behind as u64
}

pub(super) fn composite_in_a_composite(sight: &Sight<'_>, observed: &Observed) -> bool {
    let is_head = |name: &Text| {
        let entry = sight.view.entry(&name.0);
        entry.is_some_and(|entry| sight.view.number(entry.descriptor_offset + 15, 1) == COMPOSITE_HEAD)
    };
    observed.composite.as_ref().is_some_and(|composite| composite.member_names().iter().any(is_head))
}

pub(super) fn column_major_booleans(_: &Sight<'_>, observed: &Observed) -> bool {
    observed.tensor.as_ref().is_some_and(|tensor| {
        tensor.layout.as_deref() == Some("column_major") && tensor.element_type.as_deref() == Some("bool")
    })
}

/// Empty buffers whose place is none of the file.
pub(super) fn empty_buffers_nowhere(sight: &Sight<'_>, observed: &Observed) -> bool {
    let handles = || observed.tensor.iter().flat_map(|tensor| tensor.handles.iter().flatten());
    let is_empty = handles().count() > 0 && handles().all(|handle| handle.byte_size.is_some_and(|size| size.0 == 0));
    is_empty && sight.view.entry(sight.name).is_some_and(|entry| sight.view.slice(entry.data_offset, 1).is_empty())
}

/// Pages that two entries of a block table name.
pub(super) fn shared_pages(sight: &Sight<'_>, observed: &Observed) -> bool {
    let Some(tensor) = observed.tensor.as_ref().filter(|tensor| avoid::is_paged(tensor)) else {
        return false;
    };
    let index_len = if field(&tensor.layout_fields, "block_table_index_type") == Some(1) { 8 } else { 4 };
    let sizes: Vec<u64> =
        tensor.handles.iter().flatten().filter_map(|handle| handle.byte_size).map(|len| len.0).collect();
    let (Some([pool, table, ..]), Some(entry)) = (sizes.get(..2), sight.view.entry(sight.name)) else { return false };
    // The block table begins at the first boundary behind the pool.
    let boundary = sight.view.number(16, 4).max(1);
    let table_offset = entry.data_offset.saturating_add(*pool).next_multiple_of(boundary);
    let mut pages: Vec<&[u8]> = sight.view.slice(table_offset, *table).chunks(index_len).collect();
    let count = pages.len();
    pages.sort_unstable();
    pages.dedup();
    pages.len() < count
}

/// The bytes of a tensor whose size nobody knows.
pub(super) fn bytes_of_unknown_size(sight: &Sight<'_>, observed: &Observed) -> bool {
    sight.step == Op::Read && observed.tensor.as_ref().is_some_and(avoid::dynamic)
}

/// Looks a name up by halving, trusting `SORTED_INDEX`; where the promise is broken, names get lost.
pub(super) fn halving_lookup(view: &View, name: &[u8]) -> Option<Vec<u8>> {
    if view.flags() & SORTED_INDEX == 0 {
        return Some(name.to_vec());
    }
    let entries = view.entries();
    entries.binary_search_by(|entry| entry.name.as_slice().cmp(name)).ok().map(|at| entries[at].name.clone())
}
