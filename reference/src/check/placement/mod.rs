//! Where a tensor's buffers stand in the file (file-format.md § Data Buffer Placement; ruling R27).

use std::ops::Range;

use hurray_spec::Rule;

use crate::bytes::round_up;
use crate::check::sections::{check_wrap, is_between, range_in_file};
use crate::judge::{Judge, bound};
use crate::model::TensorDescriptor;
use crate::reject::Reject;
use crate::wire::index::IndexEntry;

/// The places of one tensor's buffers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Placement {
    /// Absolute range of every buffer, in the order of the table; empty buffers have empty ranges.
    pub(crate) buffers: Vec<Range<u64>>,
    /// From the first buffer to the end of the last non-empty one; empty if there is none.
    pub(crate) region: Range<u64>,
}

/// Computes the places from `data_offset`, the alignment and the buffer table, never from `data_length`.
///
/// # Errors
/// A sum that does not fit 64 bits.
pub(crate) fn place(
    descriptor: &TensorDescriptor,
    entry: &IndexEntry<'_>,
    alignment: u64,
) -> Result<Placement, Reject> {
    let span = entry.data_offset_span();
    let start = entry.data_offset;
    let mut placement = Placement { buffers: Vec::new(), region: start..start };
    let mut next = start;
    for (at, handle) in descriptor.buffers.iter().enumerate() {
        if handle.byte_size == 0 {
            placement.buffers.push(next..next);
        } else {
            let aligned = if at == 0 { Some(next) } else { round_up(next, alignment) };
            bound(aligned.is_some(), Rule::ContainerSafetyOffsetOverflow, span)?;
            let offset = aligned.unwrap_or(next);
            check_wrap(offset, handle.byte_size, span)?;
            next = offset.saturating_add(handle.byte_size);
            placement.buffers.push(offset..next);
            placement.region.end = next;
        }
    }
    Ok(placement)
}

/// Requires that the buffers lie in the file where the index says they do.
///
/// # Errors
/// Any broken rule of bounds, alignment or length.
pub(crate) fn check_data(
    placement: &Placement,
    entry: &IndexEntry<'_>,
    alignment: u64,
    size: u64,
    judge: &mut Judge,
) -> Result<(), Reject> {
    let need = placement.region.end.saturating_sub(placement.region.start);
    let length = entry.data_length;
    judge.require(length >= need, Rule::ContainerSafetyBufferTableVsDataLength, entry.data_length_span())?;
    for buffer in &placement.buffers {
        let len = buffer.end.saturating_sub(buffer.start);
        let is_inside = len == 0 || is_between(buffer.start, len, size);
        judge.require(is_inside, Rule::ContainerSafetyDataBounds, entry.data_offset_span())?;
    }
    let is_aligned = need == 0 || entry.data_offset.is_multiple_of(alignment.max(1));
    judge.require(is_aligned, Rule::ContainerRegionDataAligned, entry.data_offset_span())?;
    // Padding behind the last buffer may be counted or not.
    let most = round_up(need, alignment).unwrap_or(u64::MAX);
    judge.require(length <= most, Rule::ContainerIndexDataLength, entry.data_length_span())?;
    // Who maps the region as a whole goes by its length.
    let is_inside = need == 0 || is_between(entry.data_offset, length, size);
    judge.require(is_inside, Rule::ContainerSafetyDataBounds, entry.data_length_span())?;
    // Whatever was waived or noted above: nothing outside the file is ever asked for.
    for buffer in placement.buffers.iter().filter(|buffer| !buffer.is_empty()) {
        let len = buffer.end.saturating_sub(buffer.start);
        range_in_file(buffer.start, len, size, entry.data_offset_span())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
