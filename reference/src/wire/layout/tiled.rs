//! Tiles, and tiles in tiles (layouts/tiled.md). Levels are read one after the other: how deep they go costs no stack.

use hurray_spec::Rule;

use crate::bytes::{Cursor, to_u64};
use crate::judge::Judge;
use crate::model::{LayoutDescriptor, TileLevel, TileOrder};
use crate::reject::{Misuse, Reject, Span};

use super::items::{put_items, read_items, read_strides, read_zeros};

/// Levels this reader follows, as the text recommends; 9 to 64 are contested (ruling R57).
const MAX_LEVELS: usize = 8;
/// `inner_layout` of a tile that is tiled itself.
const NESTED: u8 = 0x04;
/// Bytes of the reserved field of a level.
const RESERVED_LEN: usize = 2;

pub(super) fn read(cursor: &mut Cursor<'_>, rank: u32, judge: &mut Judge) -> Result<LayoutDescriptor, Reject> {
    let mut levels = Vec::new();
    loop {
        let depth = Span::value(cursor.offset(), 8, to_u64(levels.len()).saturating_add(1));
        judge.require(levels.len() < MAX_LEVELS, Rule::LayoutTiledDepthLimit, depth)?;
        let (tile_shape, span) = read_items(cursor, rank, 8, |cursor| Ok(cursor.u64()?.value))?;
        judge.require(tile_shape.iter().all(|dim| *dim > 0), Rule::LayoutTiledTileNonzero, span)?;
        let outer = cursor.u8()?;
        judge.require(matches!(outer.value, 0x01..=0x03), Rule::LayoutTiledOuterValues, outer.span)?;
        let inner = cursor.u8()?;
        judge.require(matches!(inner.value, 0x01..=NESTED), Rule::LayoutTiledInnerValues, inner.span)?;
        read_zeros(cursor, RESERVED_LEN, Rule::LayoutTiledReserved, judge)?;
        let outer = read_order(cursor, outer.value, rank)?;
        levels.push(TileLevel { tile_shape, outer });
        if inner.value != NESTED {
            let inner = read_order(cursor, inner.value, rank)?;
            return Ok(LayoutDescriptor::Tiled { levels, inner });
        }
    }
}

/// A tag that is none, with its rule waived, is taken for row-major.
fn read_order(cursor: &mut Cursor<'_>, tag: u8, rank: u32) -> Result<TileOrder, Reject> {
    Ok(match tag {
        0x02 => TileOrder::ColumnMajor,
        0x03 => TileOrder::Strided(read_strides(cursor, rank)?),
        _ => TileOrder::RowMajor,
    })
}

pub(super) fn put(out: &mut Vec<u8>, levels: &[TileLevel], inner: &TileOrder, rank: usize) -> Result<(), Misuse> {
    let Some((last, _)) = levels.split_last() else { return Err(Misuse::Encoding) };
    for level in levels {
        let is_last = std::ptr::eq(level, last);
        put_items(out, &level.tile_shape, rank, |dim| dim.to_le_bytes())?;
        out.extend_from_slice(&[level.outer.tag(), if is_last { inner.tag() } else { NESTED }]);
        out.extend_from_slice(&[0; RESERVED_LEN]);
        put_strides(out, &level.outer, rank)?;
    }
    put_strides(out, inner, rank)
}

fn put_strides(out: &mut Vec<u8>, order: &TileOrder, rank: usize) -> Result<(), Misuse> {
    match order {
        TileOrder::Strided(strides) => put_items(out, strides, rank, |stride| stride.to_le_bytes()),
        TileOrder::RowMajor | TileOrder::ColumnMajor => Ok(()),
    }
}
