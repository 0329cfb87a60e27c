//! The 40-byte trailer, the last bytes of the file (file-format.md § Trailer).

use hurray_spec::Rule;

use crate::bytes::{Cursor, Field, to_u64};
use crate::judge::Judge;
use crate::reject::Reject;

/// Bytes of the trailer.
pub(crate) const TRAILER_LEN: u64 = 40;
/// The last four bytes of every file; descriptors begin with the same.
pub(crate) const TRAILER_MAGIC: [u8; 4] = *b"HRRY";

/// The trailer's fields, with the bytes they stand in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trailer {
    pub(crate) index_offset: Field<u64>,
    pub(crate) index_length: Field<u64>,
    pub(crate) kv_offset: Field<u64>,
    pub(crate) kv_length: Field<u32>,
    pub(crate) index_crc32c: Field<u32>,
    pub(crate) reserved: Field<u32>,
}

/// Reads the trailer that starts at `base`; its magic is judged before any other field is looked at.
///
/// # Errors
/// A wrong magic.
pub(crate) fn read_trailer(bytes: &[u8], base: u64, judge: &mut Judge) -> Result<Trailer, Reject> {
    let magic_position = bytes.len().saturating_sub(TRAILER_MAGIC.len());
    let (fields, magic) = bytes.split_at(magic_position);
    let magic_offset = base.saturating_add(to_u64(magic_position));
    let mut magic = Cursor::new(magic, magic_offset, Rule::ContainerTrailerMagicReject);
    let magic = magic.u32()?;
    judge.require(magic.value.to_le_bytes() == TRAILER_MAGIC, Rule::ContainerTrailerMagicReject, magic.span)?;
    let mut cursor = Cursor::new(fields, base, Rule::ContainerTrailerMagicReject);
    Ok(Trailer {
        index_offset: cursor.u64()?,
        index_length: cursor.u64()?,
        kv_offset: cursor.u64()?,
        kv_length: cursor.u32()?,
        index_crc32c: cursor.u32()?,
        reserved: cursor.u32()?,
    })
}

/// The trailer of these sections; `kv` is offset and length, (0, 0) without one.
pub(crate) fn put_trailer(index_offset: u64, index_length: u64, kv: (u64, u32), index_crc32c: u32) -> Vec<u8> {
    let mut out = Vec::with_capacity(40);
    out.extend_from_slice(&index_offset.to_le_bytes());
    out.extend_from_slice(&index_length.to_le_bytes());
    out.extend_from_slice(&kv.0.to_le_bytes());
    out.extend_from_slice(&kv.1.to_le_bytes());
    out.extend_from_slice(&index_crc32c.to_le_bytes());
    out.extend_from_slice(&[0; 4]);
    out.extend_from_slice(&TRAILER_MAGIC);
    out
}

#[cfg(test)]
mod tests;
