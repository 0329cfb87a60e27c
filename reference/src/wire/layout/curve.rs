//! Space-filling curves: Morton (layouts/morton.md) and Hilbert (layouts/hilbert.md).

use hurray_spec::Rule;

use crate::bytes::Cursor;
use crate::judge::Judge;
use crate::model::LayoutDescriptor;
use crate::reject::Reject;

use super::items::read_items;

pub(super) fn read_morton(cursor: &mut Cursor<'_>, rank: u32, judge: &mut Judge) -> Result<LayoutDescriptor, Reject> {
    let (morton_bits, span) = read_items(cursor, rank, 4, |cursor| Ok(cursor.u32()?.value))?;
    judge.require(morton_bits.iter().all(|bits| *bits > 0), Rule::LayoutMortonBitsNonzero, span)?;
    Ok(LayoutDescriptor::Morton { morton_bits })
}

pub(super) fn read_hilbert(cursor: &mut Cursor<'_>, rank: u32, judge: &mut Judge) -> Result<LayoutDescriptor, Reject> {
    let order = cursor.u32()?;
    judge.require(order.value >= 1, Rule::LayoutHilbertOrderMin, order.span)?;
    let dimensions = cursor.u32()?;
    judge.require(dimensions.value >= 2, Rule::LayoutHilbertRankMin, dimensions.span)?;
    judge.require(dimensions.value == rank, Rule::LayoutHilbertRankEqual, dimensions.span)?;
    Ok(LayoutDescriptor::Hilbert { hilbert_order: order.value, hilbert_rank: dimensions.value })
}

pub(super) fn put_hilbert(out: &mut Vec<u8>, order: u32, rank: u32) {
    out.extend_from_slice(&order.to_le_bytes());
    out.extend_from_slice(&rank.to_le_bytes());
}
