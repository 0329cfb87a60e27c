//! The 64-byte file header (file-format.md § File Header).

use hurray_spec::Rule;

use crate::bytes::{Cursor, Field, to_u64};
use crate::judge::Judge;
use crate::reject::{Reject, Span};

/// Bytes of the header.
pub(crate) const FILE_HEADER_LEN: u64 = 64;
/// The first eight bytes of every file.
pub(crate) const FILE_MAGIC: [u8; 8] = *b"HRRYFILE";
/// The smallest `data_buffer_alignment`.
pub(crate) const MIN_ALIGNMENT: u32 = 4096;
/// The largest `data_buffer_alignment`.
pub(crate) const MAX_ALIGNMENT: u32 = 2 * 1024 * 1024;
/// `tensor_count_hint` when the number of tensors is not known.
pub(crate) const COUNT_UNKNOWN: u64 = u64::MAX;

/// Bits of `file_flags`.
pub(crate) mod flag {
    /// HAS_KV_METADATA.
    pub(crate) const KV: u32 = 1 << 0;
    /// SORTED_INDEX.
    pub(crate) const SORTED: u32 = 1 << 1;
    /// HAS_INDEX_CRC32C.
    pub(crate) const CRC: u32 = 1 << 2;
    /// Every bit without a meaning.
    pub(crate) const RESERVED: u32 = !(KV | SORTED | CRC);
}

/// The header's fields, with the bytes they stand in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FileHeader {
    pub(crate) major: Field<u8>,
    pub(crate) minor: Field<u8>,
    pub(crate) flags: Field<u32>,
    pub(crate) data_buffer_alignment: Field<u32>,
    pub(crate) first_descriptor_offset: Field<u64>,
    pub(crate) tensor_count_hint: Field<u64>,
}

impl FileHeader {
    pub(crate) fn has(&self, bit: u32) -> bool {
        self.flags.value & bit != 0
    }

    /// `data_buffer_alignment`, in bytes.
    pub(crate) fn alignment(&self) -> u64 {
        u64::from(self.data_buffer_alignment.value)
    }
}

/// Reads and judges the header.
///
/// # Errors
/// Any broken rule of `container.header` and `container.flags.reserved-reject` that its bytes alone show.
pub(crate) fn read_header(bytes: &[u8], judge: &mut Judge) -> Result<FileHeader, Reject> {
    let mut cursor = Cursor::new(bytes, 0, Rule::ContainerHeaderSize);
    let magic = cursor.u64()?;
    judge.require(magic.value.to_le_bytes() == FILE_MAGIC, Rule::ContainerHeaderMagicReject, magic.span)?;
    let major = cursor.u8()?;
    judge.require(major.value != 0, Rule::VersionContainerMajorLowerReject, major.span)?;
    judge.require(major.value <= 1, Rule::ContainerHeaderVersionMajorReject, major.span)?;
    let minor = cursor.u8()?;
    let reserved = cursor.u16()?;
    let flags = cursor.u32()?;
    judge.require(flags.value & flag::RESERVED == 0, Rule::ContainerFlagsReservedReject, flags.span)?;
    let alignment = cursor.u32()?;
    require_alignment(alignment, judge)?;
    judge.require(reserved.value == 0, Rule::ContainerHeaderReserved1011, reserved.span)?;
    let first_descriptor_offset = cursor.u64()?;
    let first_is_behind_header = first_descriptor_offset.value >= FILE_HEADER_LEN;
    judge.require(first_is_behind_header, Rule::ContainerHeaderFirstDescriptorMin, first_descriptor_offset.span)?;
    let tensor_count_hint = cursor.u64()?;
    let padding = cursor.take(28)?;
    judge.require(is_zero(padding.value), Rule::ContainerHeaderReserved3663, nonzero(&padding))?;
    Ok(FileHeader { major, minor, flags, data_buffer_alignment: alignment, first_descriptor_offset, tensor_count_hint })
}

fn require_alignment(alignment: Field<u32>, judge: &mut Judge) -> Result<(), Reject> {
    let Field { value, span } = alignment;
    judge.require(value.is_power_of_two(), Rule::ContainerHeaderAlignmentPowerOfTwo, span)?;
    judge.require(value >= MIN_ALIGNMENT, Rule::ContainerHeaderAlignmentMin, span)?;
    judge.require(value <= MAX_ALIGNMENT, Rule::ContainerHeaderAlignmentMax, span)
}

/// Whether every byte is 0x00.
pub(crate) fn is_zero(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| *byte == 0)
}

/// The span from the first to the last byte that is not 0x00.
pub(crate) fn nonzero(field: &Field<&[u8]>) -> Span {
    let first = field.value.iter().position(|byte| *byte != 0).unwrap_or(0);
    let last = field.value.iter().rposition(|byte| *byte != 0).unwrap_or(0);
    let len = last.saturating_sub(first).saturating_add(1);
    Span::at(field.span.start.saturating_add(to_u64(first)), to_u64(len))
}

/// The header of a file with these flags and this alignment: version 1.0, the first descriptor right behind it, the
/// number of tensors not known.
pub(crate) fn put_header(flags: u32, data_buffer_alignment: u32) -> Vec<u8> {
    let mut out = Vec::with_capacity(64);
    out.extend_from_slice(&FILE_MAGIC);
    out.extend_from_slice(&[1, 0, 0, 0]);
    out.extend_from_slice(&flags.to_le_bytes());
    out.extend_from_slice(&data_buffer_alignment.to_le_bytes());
    out.extend_from_slice(&FILE_HEADER_LEN.to_le_bytes());
    out.extend_from_slice(&COUNT_UNKNOWN.to_le_bytes());
    out.extend_from_slice(&[0; 28]);
    out
}

#[cfg(test)]
mod tests;
