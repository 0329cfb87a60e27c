//! The layouts that find an element by arithmetic on its index (layouts/row-major.md, column-major.md, strided.md,
//! tiled.md). The result counts elements from `byte_offset`, in wide arithmetic.

use super::curve;
use super::words::NoMeaning;
use crate::model::{LayoutDescriptor, TileLevel, TileOrder};

/// The offset of the element at `index`, which lies within `dims`.
pub(super) fn offset(layout: &LayoutDescriptor, dims: &[u64], index: &[u64]) -> Result<i128, NoMeaning> {
    match layout {
        LayoutDescriptor::RowMajor => row_major(dims, index),
        LayoutDescriptor::ColumnMajor => column_major(dims, index),
        LayoutDescriptor::Strided { strides } => strided(strides, index),
        LayoutDescriptor::Tiled { levels, inner } => tiled(levels, inner, dims, index),
        LayoutDescriptor::Morton { morton_bits } => curve::morton(morton_bits, index).map(i128::from),
        LayoutDescriptor::Hilbert { hilbert_order, .. } => curve::hilbert(*hilbert_order, index).map(i128::from),
        _ => Err(NoMeaning::Unknown),
    }
}

fn row_major(dims: &[u64], index: &[u64]) -> Result<i128, NoMeaning> {
    horner(dims.iter().zip(index))
}

fn column_major(dims: &[u64], index: &[u64]) -> Result<i128, NoMeaning> {
    horner(dims.iter().zip(index).rev())
}

/// The slowest dimension first.
fn horner<'a>(pairs: impl Iterator<Item = (&'a u64, &'a u64)>) -> Result<i128, NoMeaning> {
    let mut sum = 0_i128;
    for (dim, at) in pairs {
        let scaled = sum.checked_mul(i128::from(*dim)).ok_or(NoMeaning::Data)?;
        sum = scaled.checked_add(i128::from(*at)).ok_or(NoMeaning::Data)?;
    }
    Ok(sum)
}

fn strided(strides: &[i64], index: &[u64]) -> Result<i128, NoMeaning> {
    let mut sum = 0_i128;
    for (stride, at) in strides.iter().zip(index) {
        let product = i128::from(*stride).checked_mul(i128::from(*at));
        sum = product.and_then(|product| sum.checked_add(product)).ok_or(NoMeaning::Data)?;
    }
    Ok(sum)
}

fn tiled(levels: &[TileLevel], inner: &TileOrder, dims: &[u64], index: &[u64]) -> Result<i128, NoMeaning> {
    let mut sum = 0_i128;
    let mut extent = dims.to_vec();
    let mut rest = index.to_vec();
    for level in levels {
        let tile = &level.tile_shape;
        let split = rest.iter().zip(tile).map(|(at, tile)| at.checked_div(*tile).zip(at.checked_rem(*tile)));
        // A tile of no length divides nothing.
        let split: Option<(Vec<u64>, Vec<u64>)> = split.collect();
        let (number, within) = split.filter(|_| tile.len() == rest.len()).ok_or(NoMeaning::Unknown)?;
        let grid: Vec<u64> = extent.iter().zip(tile).map(|(dim, tile)| dim.div_ceil(*tile)).collect();
        rest = within;
        let len = tile.iter().try_fold(1_i128, |len, tile| len.checked_mul(i128::from(*tile)));
        let start = ordered(&level.outer, &grid, &number)?.checked_mul(len.ok_or(NoMeaning::Data)?);
        sum = start.and_then(|start| sum.checked_add(start)).ok_or(NoMeaning::Data)?;
        extent.clone_from(tile);
    }
    sum.checked_add(ordered(inner, &extent, &rest)?).ok_or(NoMeaning::Data)
}

fn ordered(order: &TileOrder, extent: &[u64], index: &[u64]) -> Result<i128, NoMeaning> {
    match order {
        TileOrder::RowMajor => row_major(extent, index),
        TileOrder::ColumnMajor => column_major(extent, index),
        TileOrder::Strided(strides) => strided(strides, index),
    }
}
