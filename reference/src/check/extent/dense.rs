//! Buffer 0 of the layouts that find every element by arithmetic: row-major, column-major, strided, tiled, curves.

use hurray_spec::Rule;

use crate::judge::Judge;
use crate::model::{DYNAMIC, LayoutDescriptor, TensorDescriptor};
use crate::reject::Reject;
use crate::wire::descriptor::Decoded;

use super::blocks::whole_blocks_count;
use super::size::{product, size_of};

/// Requires what a curve demands of the shape. A dynamic dimension fits no curve (ruling R49).
pub(super) fn check_shape(decoded: &Decoded, judge: &mut Judge) -> Result<(), Reject> {
    let dims = decoded.descriptor.shape.dims();
    match &decoded.descriptor.layout {
        LayoutDescriptor::Morton { morton_bits } => {
            let fits_in = |dim: u64, bits: u32| 1_u128.checked_shl(bits).is_none_or(|most| u128::from(dim) <= most);
            let fits = dims.iter().zip(morton_bits).all(|(dim, bits)| *dim != DYNAMIC && fits_in(*dim, *bits));
            judge.require(fits, Rule::LayoutMortonShapeFits, decoded.layout_span)
        }
        LayoutDescriptor::Hilbert { hilbert_order, .. } => {
            let side = 1_u64.checked_shl(*hilbert_order);
            let is_cube = dims.iter().all(|dim| Some(*dim) == side);
            judge.require(is_cube, Rule::LayoutHilbertShape, decoded.layout_span)
        }
        _ => Ok(()),
    }
}

/// Requires that buffer 0 holds every element of a tensor of `count` elements, at least one.
pub(super) fn check_size(decoded: &Decoded, count: u64, judge: &mut Judge) -> Result<(), Reject> {
    let descriptor = &decoded.descriptor;
    let dims = descriptor.shape.dims();
    match &descriptor.layout {
        LayoutDescriptor::Strided { strides } => {
            let byte_size = descriptor.buffers.first().map_or(0, |handle| handle.byte_size);
            let is_inside = strided_fits(descriptor, strides, byte_size);
            judge.require(is_inside, Rule::LayoutStridedBounds, decoded.byte_size_span(0))
        }
        LayoutDescriptor::Tiled { levels, .. } => {
            let tile_shape = levels.first().map_or(&[][..], |level| &level.tile_shape);
            require_room(decoded, tiled_count(dims, tile_shape), Rule::LayoutTiledSize, judge)
        }
        LayoutDescriptor::Morton { morton_bits } => {
            let bits: u64 = morton_bits.iter().map(|bits| u64::from(*bits)).sum();
            // Beyond 63 bits the buffer could not be addressed (ruling R58).
            let cells = u32::try_from(bits).ok().filter(|bits| *bits <= 63).map(|bits| 1_u128 << bits);
            require_room(decoded, cells, Rule::LayoutMortonSize, judge)
        }
        LayoutDescriptor::Hilbert { .. } => check_hilbert(decoded, count, judge),
        LayoutDescriptor::ColumnMajor => {
            require_room(decoded, Some(u128::from(count)), Rule::LayoutColmajorSize, judge)?;
            check_last_block(decoded, judge)
        }
        _ => {
            require_room(decoded, Some(u128::from(count)), Rule::LayoutRowmajorSize, judge)?;
            check_last_block(decoded, judge)
        }
    }
}

/// The buffer of a Hilbert curve is exactly as long as the curve. `count` is the curve's: the shape was judged.
fn check_hilbert(decoded: &Decoded, count: u64, judge: &mut Judge) -> Result<(), Reject> {
    let needed = Some(u128::from(count));
    require_room(decoded, needed, Rule::LayoutHilbertSize, judge)?;
    let exact = decoded.descriptor.packed_len(u128::from(count));
    let is_exact = exact.is_none_or(|exact| room(decoded) <= exact);
    judge.require(is_exact, Rule::LayoutHilbertSize, decoded.byte_size_span(0))
}

/// Whole tiles, those over the edge included.
fn tiled_count(dims: &[u64], tile_shape: &[u64]) -> Option<u128> {
    let tiles = dims.iter().zip(tile_shape).map(|(dim, tile)| u128::from(dim.div_ceil((*tile).max(1))));
    let cells = tile_shape.iter().map(|tile| u128::from(*tile));
    product(tiles.chain(cells))
}

/// Bytes behind `byte_offset`.
fn room(decoded: &Decoded) -> u128 {
    size_of(decoded, 0).saturating_sub(u128::from(decoded.descriptor.byte_offset))
}

fn require_room(decoded: &Decoded, count: Option<u128>, rule: Rule, judge: &mut Judge) -> Result<(), Reject> {
    let (descriptor, span) = (&decoded.descriptor, decoded.byte_size_span(0));
    let room = room(decoded);
    let needed = count.and_then(|count| descriptor.packed_len(count));
    let is_enough = needed.is_some_and(|needed| room >= needed);
    if let (false, Some(6), Some(count)) = (is_enough, descriptor.element_type.bits(), count) {
        // Whole groups or tight bits: the text says both (ruling R52), so the tight size is a fault of its own.
        let tight = count.checked_mul(6).map(|bits| bits.div_ceil(8));
        let rule = if tight.is_some_and(|tight| room >= tight) { Rule::TypeSizeSixBit } else { rule };
        return judge.require(false, rule, span);
    }
    judge.require(is_enough, rule, span)
}

/// Where blocks do not divide their dimension, the last ones are stored in full (ruling R63).
fn check_last_block(decoded: &Decoded, judge: &mut Judge) -> Result<(), Reject> {
    let descriptor = &decoded.descriptor;
    let Some(scheme) = descriptor.quantization.map(|quantization| quantization.scheme) else { return Ok(()) };
    let Some(count) = whole_blocks_count(descriptor.shape.dims(), &scheme) else { return Ok(()) };
    require_room(decoded, count, Rule::QuantPartialStorageAllocated, judge)
}

/// Whether every element of a non-empty strided tensor lies inside buffer 0 (ruling R56). A sum beyond 64 bits does not.
fn strided_fits(descriptor: &TensorDescriptor, strides: &[i64], byte_size: u64) -> bool {
    let Some((low, high)) = strided_extent(descriptor.shape.dims(), strides) else { return false };
    let Some((first, end)) = byte_extent(descriptor, low, high) else { return true };
    let offset = i128::from(descriptor.byte_offset);
    offset.saturating_add(first) >= 0 && offset.saturating_add(end) <= i128::from(byte_size)
}

/// Lowest and highest element offset of a shape without a dimension 0; `None` beyond signed 64 bits.
fn strided_extent(dims: &[u64], strides: &[i64]) -> Option<(i128, i128)> {
    let (mut low, mut high) = (0_i128, 0_i128);
    for (dim, stride) in dims.iter().zip(strides) {
        let reach = i128::from(*stride).checked_mul(i128::from(dim.saturating_sub(1)))?;
        if reach < 0 {
            low = low.checked_add(reach)?;
        } else {
            high = high.checked_add(reach)?;
        }
    }
    let fits = i64::try_from(low).is_ok() && i64::try_from(high).is_ok();
    fits.then_some((low, high))
}

/// First byte and end, relative to `byte_offset`, of elements `low` to `high`; `None` for a type without a meaning.
/// 6-bit elements are addressed by whole groups of four in three bytes. What saturates lies in no buffer.
fn byte_extent(descriptor: &TensorDescriptor, low: i128, high: i128) -> Option<(i128, i128)> {
    let (per_unit, unit) = match (descriptor.extension, descriptor.element_type.bits().map(i128::from)) {
        (Some(extension), _) if extension.bit_width >= 8 => (1, i128::from(extension.bit_width.div_ceil(8))),
        (Some(extension), _) => (i128::from(extension.packing_factor.max(1)), 1),
        (None, Some(6)) => (4, 3),
        (None, Some(1)) => (8, 1),
        (None, Some(2)) => (4, 1),
        (None, Some(4)) => (2, 1),
        (None, Some(bits)) => (1, bits / 8),
        (None, None) => return None,
    };
    let (first, end) = (low.div_euclid(per_unit), high.div_euclid(per_unit).saturating_add(1));
    Some((first.saturating_mul(unit), end.saturating_mul(unit)))
}
