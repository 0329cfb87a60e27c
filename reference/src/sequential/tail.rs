//! The end of a file that went by: trailer, index and key-values, and whether they say of the tensors what was seen.
//!
//! Owns that comparison. Everything that a reader by ranges checks when it opens a file is checked by the same functions.

use std::ops::Range;

use hurray_spec::Rule;

use crate::bytes::to_u64;
use crate::check::entries::check_entries;
use crate::check::placement::{Placement, check_data};
use crate::check::ranges::certain_ranges;
use crate::check::sections::{check_crc, check_zeros, locate_index, locate_kv};
use crate::judge::{Judge, bound};
use crate::memory::Buffer;
use crate::reject::{Error, Span, Unsupported};
use crate::wire::header::FileHeader;
use crate::wire::index::{Index, read_index};
use crate::wire::kv::{KvSection, read_kv};
use crate::wire::trailer::{TRAILER_LEN, Trailer, read_trailer};

use super::region::{Region, Seen, Tail};
use super::scanned::{Scanned, container};

/// Understands the end of a file of `size` bytes, whose last forty are `trailer`.
pub(super) fn finish(region: Region, trailer: &[u8], size: u64, judge: &mut Judge) -> Result<Scanned, Error> {
    let end = size.saturating_sub(TRAILER_LEN);
    let trailer = read_trailer(trailer, end, judge)?;
    let Region { header, seen, part } = region;
    let tail = part.into_tail(end)?;
    // A tensor that is not over here would go on in the trailer.
    bound(tail.is_some(), Rule::ContainerSeqTrailerNotTensor, Span::at(end, TRAILER_LEN))?;
    let tail = tail.unwrap_or_default();
    let index_range = locate_index(&trailer, size, judge)?;
    let kv_range = locate_kv(&header, &trailer, size, judge)?;
    check_zeros(&header, &trailer, judge)?;
    check_boundary(&tail, &trailer, kv_range.as_ref())?;
    let is_exact = header.minor.value == 0;
    let bytes = tail.section(&index_range)?;
    check_crc(&bytes, &header, &trailer, judge)?;
    let index = read_index(bytes, index_range.start, is_exact, judge)?;
    check_entries(&index, &header, size, judge)?;
    let kv = match &kv_range {
        Some(range) => read_kv(tail.section(range)?, range.start, is_exact, judge)?,
        None => KvSection::default(),
    };
    certain_ranges(&index, [Some(index_range.clone()), kv_range], header.alignment(), size)?.check_disjoint(judge)?;
    check_seen(&seen, &index, &header, size, judge)?;
    Ok(Scanned { size, container: container(&header), index, kv })
}

/// The tensors end where the first section begins, padding apart. Otherwise there is more in the file than went by as what
/// it is; whether that is a fault is not for who cannot look again.
fn check_boundary(tail: &Tail, trailer: &Trailer, kv: Option<&Range<u64>>) -> Result<(), Error> {
    let first = kv.map_or(trailer.index_offset.value, |kv| kv.start.min(trailer.index_offset.value));
    let padding_end = tail.from.saturating_add(to_u64(tail.padding_len));
    if !(tail.from..=padding_end).contains(&first) {
        return Err(Unsupported::Order { offset: tail.from }.into());
    }
    Ok(())
}

impl Tail {
    /// A copy of a section that stands behind the tensors.
    fn section(&self, range: &Range<u64>) -> Result<Buffer, Error> {
        let at = |offset: u64| offset.checked_sub(self.from).and_then(|at| usize::try_from(at).ok());
        let there = at(range.start).zip(at(range.end)).and_then(|(start, end)| self.bytes.get(start..end));
        let there = there.ok_or(Unsupported::Order { offset: self.from })?;
        let mut bytes = Buffer::zeroed(to_u64(there.len()), 1)?;
        bytes.copy_from_slice(there);
        Ok(bytes)
    }
}

/// The index names every tensor that was seen, where it was seen, and no other.
fn check_seen(seen: &[Seen], index: &Index, header: &FileHeader, size: u64, judge: &mut Judge) -> Result<(), Error> {
    let mut entries = index.in_offset_order().iter().filter_map(|position| index.get(*position));
    for seen in seen {
        let order = || Unsupported::Order { offset: seen.descriptor_offset };
        let entry =
            entries.next().filter(|entry| entry.descriptor_offset == seen.descriptor_offset).ok_or_else(order)?;
        let (length, rule) = (entry.descriptor_length, Rule::ContainerIndexDescriptorLengthMismatchReject);
        judge.require(length == seen.descriptor_length, rule, entry.descriptor_length_span())?;
        if !seen.data.is_empty() && entry.data_offset != seen.data.start {
            // What was handed on as its data is not what the index means.
            return Err(order().into());
        }
        let placement = Placement { buffers: Vec::new(), region: seen.data.clone() };
        check_data(&placement, &entry, header.alignment(), size, judge)?;
    }
    match entries.next() {
        Some(entry) => Err(Unsupported::Order { offset: entry.descriptor_offset }.into()),
        None => Ok(()),
    }
}
