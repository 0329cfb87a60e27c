//! Header and trailer against each other and against the size of the file: where the index and the key-values are.

use std::ops::Range;

use hurray_spec::Rule;

use crate::judge::{Judge, bound};
use crate::reject::{Reject, Span};
use crate::wire::header::{FILE_HEADER_LEN, FileHeader, flag};
use crate::wire::index::INDEX_COUNT_LEN;
use crate::wire::kv::KV_COUNT_LEN;
use crate::wire::trailer::{TRAILER_LEN, Trailer};

/// A file that holds header, index count and trailer, and nothing else.
pub(crate) const MIN_FILE_LEN: u64 = FILE_HEADER_LEN + INDEX_COUNT_LEN + TRAILER_LEN;

/// Requires that a file of `size` bytes can hold the fixed parts.
///
/// # Errors
/// It cannot.
pub(crate) fn check_size(size: u64) -> Result<(), Reject> {
    bound(size >= MIN_FILE_LEN, Rule::ContainerSafetyMinFile, Span::value(0, size, size))
}

/// Absolute range of `len` bytes at `offset`, inside the `size` bytes of the file.
///
/// # Errors
/// The range wraps or reaches past the end of the file, whatever the policy.
pub(crate) fn range_in_file(offset: u64, len: u64, size: u64, span: Span) -> Result<Range<u64>, Reject> {
    let end = offset.checked_add(len).filter(|end| *end <= size);
    match end {
        Some(end) => Ok(offset..end),
        None => Err(Reject::new(Rule::ContainerSafetyOffsetOverflow, span)),
    }
}

/// Requires that `offset + len` does not wrap.
///
/// # Errors
/// It does.
pub(crate) fn check_wrap(offset: u64, len: u64, span: Span) -> Result<(), Reject> {
    bound(offset.checked_add(len).is_some(), Rule::ContainerSafetyOffsetOverflow, span)
}

/// Whether `len` bytes at `offset` lie between header and trailer.
pub(crate) fn is_between(offset: u64, len: u64, size: u64) -> bool {
    let end = offset.checked_add(len);
    offset >= FILE_HEADER_LEN && end.is_some_and(|end| end <= size.saturating_sub(TRAILER_LEN))
}

/// Where the index stands.
///
/// # Errors
/// The trailer's index fields break a rule.
pub(crate) fn locate_index(trailer: &Trailer, size: u64, judge: &mut Judge) -> Result<Range<u64>, Reject> {
    let (offset, len) = (trailer.index_offset, trailer.index_length);
    judge.require(offset.value >= FILE_HEADER_LEN, Rule::ContainerSafetyIndexLowerBound, offset.span)?;
    bound(len.value >= INDEX_COUNT_LEN, Rule::ContainerSafetyIndexMinLength, len.span)?;
    check_wrap(offset.value, len.value, offset.span)?;
    let is_before_trailer = offset.value.saturating_add(len.value) <= size.saturating_sub(TRAILER_LEN);
    judge.require(is_before_trailer, Rule::ContainerTrailerIndexBounds, Span { end: len.span.end, ..offset.span })?;
    let range = range_in_file(offset.value, len.value, size, offset.span)?;
    judge.require(offset.value.is_multiple_of(8), Rule::ContainerIndexAligned, offset.span)?;
    Ok(range)
}

/// Where the key-value section stands, if there is one. The trailer decides, not the header's flag (ruling R7).
///
/// # Errors
/// The trailer's key-value fields break a rule, or the flag promises a section that is not there.
pub(crate) fn locate_kv(
    header: &FileHeader,
    trailer: &Trailer,
    size: u64,
    judge: &mut Judge,
) -> Result<Option<Range<u64>>, Reject> {
    let (offset, len) = (trailer.kv_offset, trailer.kv_length);
    let length = u64::from(len.value);
    let is_absent = offset.value == 0 && length == 0;
    let both = Span { end: len.span.end, ..offset.span };
    judge.require(is_absent || (offset.value != 0 && length != 0), Rule::ContainerTrailerKvFields, both)?;
    judge.require(!(header.has(flag::KV) && is_absent), Rule::ContainerFlagsKvImpliesNonzero, header.flags.span)?;
    if length == 0 {
        return Ok(None);
    }
    bound(length >= KV_COUNT_LEN, Rule::KvSectionTruncated, len.span)?;
    check_wrap(offset.value, length, offset.span)?;
    judge.require(is_between(offset.value, length, size), Rule::ContainerSafetyKvBounds, both)?;
    let range = range_in_file(offset.value, length, size, offset.span)?;
    judge.require(offset.value.is_multiple_of(8), Rule::KvSectionAligned, offset.span)?;
    Ok(Some(range))
}

/// What has to be zero in the trailer: a checksum that nothing promises, and the reserved bytes. Judged after the
/// offsets, which say more about a file that was cut.
///
/// # Errors
/// It is not.
pub(crate) fn check_zeros(header: &FileHeader, trailer: &Trailer, judge: &mut Judge) -> Result<(), Reject> {
    let Trailer { index_crc32c: crc, reserved, .. } = trailer;
    judge.require(reserved.value == 0, Rule::ContainerTrailerReserved, reserved.span)?;
    judge.require(header.has(flag::CRC) || crc.value == 0, Rule::ContainerFlagsCrcClearNonzeroReject, crc.span)
}

/// The flag alone decides whether the checksum is compared; 0 is a checksum like any other (ruling R8).
///
/// # Errors
/// The index is not the one the checksum was made of.
pub(crate) fn check_crc(index: &[u8], header: &FileHeader, trailer: &Trailer, judge: &mut Judge) -> Result<(), Reject> {
    let crc = trailer.index_crc32c;
    let is_equal = !header.has(flag::CRC) || crc32c::crc32c(index) == crc.value;
    judge.require(is_equal, Rule::ContainerFlagsCrcMismatchReject, crc.span)
}

#[cfg(test)]
mod tests;
