//! Shapes against buffers: counts, sizes, strides. All arithmetic is wide and checked.

use hurray_spec::Rule;

use crate::judge::Judge;
use crate::model::{ElementType, LayoutDescriptor, TensorDescriptor};
use crate::reject::{Reject, Span};
use crate::wire::descriptor::Decoded;

/// Requires that number, devices and sizes of the buffers fit the tensor.
///
/// # Errors
/// Any broken rule of buffer count, colocation, `byte_offset` or size.
pub(crate) fn check_buffers(decoded: &Decoded, judge: &mut Judge) -> Result<(), Reject> {
    let descriptor = &decoded.descriptor;
    check_count(decoded, judge)?;
    check_colocation(decoded, judge)?;
    let (Some(handle), true) = (descriptor.buffers.first(), descriptor.has_meaning()) else { return Ok(()) };
    let offset = descriptor.byte_offset;
    let is_inside = offset <= handle.byte_size;
    judge.require(is_inside, Rule::DescriptorOffsetRange, decoded.byte_offset_span)?;
    if descriptor.shape.is_dynamic() {
        // Nothing is computed from a dimension that is not known (ruling R49).
        return Ok(());
    }
    let Some(count) = descriptor.shape.element_count() else {
        return judge.require(false, Rule::ModelShapeElementCount, decoded.shape_span);
    };
    if let LayoutDescriptor::Coo { nnz, .. } = descriptor.layout {
        return check_coo(decoded, nnz, judge);
    }
    let size = decoded.byte_size_span(0);
    if count == 0 {
        return judge.require(handle.byte_size == 0, Rule::ModelEmptySizeZero, size);
    }
    match &descriptor.layout {
        LayoutDescriptor::Strided { strides } => {
            let is_inside = strided_fits(descriptor, strides, handle.byte_size);
            judge.require(is_inside, Rule::LayoutStridedBounds, size)
        }
        LayoutDescriptor::ColumnMajor => check_dense(descriptor, count, Rule::LayoutColmajorSize, size, judge),
        LayoutDescriptor::RowMajor | LayoutDescriptor::Coo { .. } | LayoutDescriptor::Unknown(_) => {
            check_dense(descriptor, count, Rule::LayoutRowmajorSize, size, judge)
        }
    }
}

fn check_count(decoded: &Decoded, judge: &mut Judge) -> Result<(), Reject> {
    if decoded.descriptor.layout.name().is_none() {
        return Ok(());
    }
    let count = decoded.descriptor.buffers.len();
    if matches!(decoded.descriptor.layout, LayoutDescriptor::Coo { .. }) {
        return judge.require(count == 2, Rule::LayoutCooBufferCount, decoded.buffer_count_span);
    }
    judge.require(count >= 1, Rule::DescriptorBuffersCountMin, decoded.buffer_count_span)?;
    judge.require(count <= 1, Rule::DescriptorBuffersCountDense, decoded.buffer_count_span)
}

fn check_colocation(decoded: &Decoded, judge: &mut Judge) -> Result<(), Reject> {
    let handles = &decoded.descriptor.buffers;
    for (at, pair) in handles.windows(2).enumerate() {
        let is_same = pair[0].device_tag == pair[1].device_tag && pair[0].memory_class == pair[1].memory_class;
        judge.require(is_same, Rule::BufferDeviceColocationReject, decoded.device_span(at + 1))?;
    }
    Ok(())
}

/// Values and coordinates are large enough (layouts/coo.md § Buffer Size; ruling R46). Larger ones are tolerated.
fn check_coo(decoded: &Decoded, nnz: u64, judge: &mut Judge) -> Result<(), Reject> {
    let descriptor = &decoded.descriptor;
    judge.require(descriptor.byte_offset == 0, Rule::LayoutCommonByteOffsetSparse, decoded.byte_offset_span)?;
    let size = |buffer: usize| descriptor.buffers.get(buffer).map_or(0, |handle| u128::from(handle.byte_size));
    let values = descriptor.element_type.packed_len(u128::from(nnz)).unwrap_or(0);
    judge.require(size(0) >= values, Rule::LayoutCooValuesSize, decoded.byte_size_span(0))?;
    // At most 2^64 * 64 * 8: no overflow in 128 bits.
    let indices = u128::from(nnz) * descriptor.shape.dims().len() as u128 * 8;
    judge.require(size(1) >= indices, Rule::LayoutCooIndicesSize, decoded.byte_size_span(1))
}

fn check_dense(
    descriptor: &TensorDescriptor,
    count: u64,
    rule: Rule,
    span: Span,
    judge: &mut Judge,
) -> Result<(), Reject> {
    let byte_size = descriptor.buffers.first().map_or(0, |handle| u128::from(handle.byte_size));
    let room = byte_size.saturating_sub(u128::from(descriptor.byte_offset));
    let Some(needed) = descriptor.element_type.packed_len(u128::from(count)) else { return Ok(()) };
    if descriptor.element_type.bits() == Some(6) && room < needed {
        // Whole groups or tight bits: the text says both (ruling R52), so the tight size is a fault of its own.
        let tight = (u128::from(count) * 6).div_ceil(8);
        let rule = if room >= tight { Rule::TypeSizeSixBit } else { rule };
        return judge.require(false, rule, span);
    }
    judge.require(room >= needed, rule, span)
}

/// Whether every element of a non-empty strided tensor lies inside buffer 0 (ruling R56). A sum beyond 64 bits does not.
fn strided_fits(descriptor: &TensorDescriptor, strides: &[i64], byte_size: u64) -> bool {
    let Some((low, high)) = strided_extent(descriptor.shape.dims(), strides) else { return false };
    let Some((first, end)) = byte_extent(descriptor.element_type, low, high) else { return true };
    let offset = i128::from(descriptor.byte_offset);
    offset + first >= 0 && offset + end <= i128::from(byte_size)
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
/// 6-bit elements are addressed by whole groups of four in three bytes.
fn byte_extent(element_type: ElementType, low: i128, high: i128) -> Option<(i128, i128)> {
    let bits = i128::from(element_type.bits()?);
    let (per_unit, unit) = match bits {
        6 => (4, 3),
        1 | 2 | 4 => (8 / bits, 1),
        _ => (1, bits / 8),
    };
    Some((low.div_euclid(per_unit) * unit, (high.div_euclid(per_unit) + 1) * unit))
}

#[cfg(test)]
mod tests;
