//! The layout fields of a descriptor (memory-layout.md, layouts/*.md): what stands between byte_offset and the buffer
//! table, one file per family, read and written side by side.
//!
//! What the fields demand of shape and buffers is for `check::extent`.

mod composite;
mod curve;
mod extension;
mod items;
mod paged;
mod sparse;
mod tiled;

use crate::bytes::{Cursor, Field};
use crate::judge::Judge;
use crate::model::LayoutDescriptor;
use crate::reject::{Misuse, Reject};

use items::read_strides;
pub(crate) use items::{put_items, read_items, read_zeros};

/// The layout of tag `tag`, and whether the buffer table can be found behind it.
///
/// # Errors
/// Any broken rule of the fields.
pub(crate) fn read_layout(
    cursor: &mut Cursor<'_>,
    tag: Field<u8>,
    rank: Field<u32>,
    judge: &mut Judge,
) -> Result<(LayoutDescriptor, bool), Reject> {
    let layout = match tag.value {
        0x01 => LayoutDescriptor::RowMajor,
        0x02 => LayoutDescriptor::ColumnMajor,
        0x03 => LayoutDescriptor::Strided { strides: read_strides(cursor, rank.value)? },
        0x04 => tiled::read(cursor, rank.value, judge)?,
        0x05 => curve::read_morton(cursor, rank.value, judge)?,
        0x06 => sparse::read_coo(cursor, judge)?,
        0x07 => sparse::read_csr(cursor, rank, judge)?,
        0x08 => sparse::read_csc(cursor, rank, judge)?,
        0x09 => sparse::read_csf(cursor, rank, judge)?,
        0x0A => paged::read(cursor, rank, judge)?,
        0x0B => composite::read(cursor, judge)?,
        0x40 => curve::read_hilbert(cursor, rank.value, judge)?,
        0xF0..=0xFE => extension::read(cursor, tag, judge)?,
        // The length of unknown layout fields is unknowable (ruling R42). A waived rule takes it that there are none.
        tag => return Ok((LayoutDescriptor::Unknown(tag), !judge.is_permissive())),
    };
    Ok((layout, true))
}

/// Appends the fields of `layout` to `out`.
///
/// # Errors
/// Not one item per dimension, or a layout without a meaning.
pub(crate) fn put_layout(out: &mut Vec<u8>, layout: &LayoutDescriptor, rank: usize) -> Result<(), Misuse> {
    match layout {
        LayoutDescriptor::RowMajor | LayoutDescriptor::ColumnMajor => {}
        LayoutDescriptor::Strided { strides } => put_items(out, strides, rank, |stride| stride.to_le_bytes())?,
        LayoutDescriptor::Tiled { levels, inner } => tiled::put(out, levels, inner, rank)?,
        LayoutDescriptor::Morton { morton_bits } => put_items(out, morton_bits, rank, |bits| bits.to_le_bytes())?,
        LayoutDescriptor::Coo { nnz, is_sorted } => sparse::put_coo(out, *nnz, *is_sorted),
        LayoutDescriptor::Csr { nnz } | LayoutDescriptor::Csc { nnz } => sparse::put_compressed(out, *nnz),
        LayoutDescriptor::Csf { nnz, mode_order } => sparse::put_csf(out, *nnz, mode_order, rank)?,
        LayoutDescriptor::BlockPaged(paged) => paged::put(out, paged),
        LayoutDescriptor::Composite(head) => composite::put(out, head),
        LayoutDescriptor::Hilbert { hilbert_order, hilbert_rank } => {
            curve::put_hilbert(out, *hilbert_order, *hilbert_rank);
        }
        LayoutDescriptor::Extension { id, data, .. } => extension::put(out, *id, data)?,
        LayoutDescriptor::Unknown(_) => return Err(Misuse::Encoding),
    }
    Ok(())
}

#[cfg(test)]
mod tests;
