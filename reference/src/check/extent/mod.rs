//! Shapes against buffers: counts, devices, sizes. All arithmetic is wide and checked; what overflows does not fit.

mod blocks;
mod dense;
mod size;
mod sparse;

pub(crate) use blocks::whole_blocks_count;

use hurray_spec::Rule;

use crate::judge::Judge;
use crate::model::LayoutDescriptor;
use crate::reject::Reject;
use crate::wire::descriptor::Decoded;

/// Requires that number, devices and sizes of the buffers fit the tensor.
///
/// # Errors
/// Any broken rule of buffer count, colocation, `byte_offset` or size.
pub(crate) fn check_extent(decoded: &Decoded, judge: &mut Judge) -> Result<(), Reject> {
    let descriptor = &decoded.descriptor;
    check_count(decoded, judge)?;
    check_colocation(decoded, judge)?;
    dense::check_shape(decoded, judge)?;
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
    blocks::check_parameters(decoded, judge)?;
    if !descriptor.layout.is_dense() {
        judge.require(offset == 0, Rule::LayoutCommonByteOffsetSparse, decoded.byte_offset_span)?;
        return sparse::check_sizes(decoded, judge);
    }
    if count == 0 {
        return judge.require(handle.byte_size == 0, Rule::ModelEmptySizeZero, decoded.byte_size_span(0));
    }
    dense::check_size(decoded, count, judge)
}

/// The buffers of the layout, and behind them those of the scheme (ruling R51).
fn check_count(decoded: &Decoded, judge: &mut Judge) -> Result<(), Reject> {
    let descriptor = &decoded.descriptor;
    let (count, span) = (descriptor.buffers.len(), decoded.buffer_count_span);
    let baseline = descriptor.layout.baseline(descriptor.shape.dims().len());
    let parameters = descriptor.quantization.map_or(Some(0), |quantization| quantization.scheme.parameter_count());
    // What an unknown scheme needs is not known.
    let is_exact = parameters.map_or(count >= baseline, |parameters| baseline.checked_add(parameters) == Some(count));
    match descriptor.layout {
        // A head is judged with its other rules. Where the table of an unknown layout stands, nobody knows.
        LayoutDescriptor::Composite(_) | LayoutDescriptor::Unknown(_) => Ok(()),
        LayoutDescriptor::Coo { .. } => judge.require(is_exact, Rule::LayoutCooBufferCount, span),
        LayoutDescriptor::Csr { .. } => judge.require(is_exact, Rule::LayoutCsrBufferCount, span),
        LayoutDescriptor::Csc { .. } => judge.require(is_exact, Rule::LayoutCscBufferCount, span),
        LayoutDescriptor::Csf { .. } => judge.require(is_exact, Rule::LayoutCsfBufferCount, span),
        LayoutDescriptor::BlockPaged(_) => judge.require(is_exact, Rule::LayoutPagedBufferCount, span),
        LayoutDescriptor::Extension { .. } => judge.require(count >= 1, Rule::DescriptorBuffersCountMin, span),
        _ => {
            judge.require(count >= 1, Rule::DescriptorBuffersCountMin, span)?;
            let is_exact = is_exact || count == 0;
            match parameters {
                _ if descriptor.quantization.is_none() => {
                    judge.require(is_exact, Rule::DescriptorBuffersCountDense, span)
                }
                Some(0) => judge.require(is_exact, Rule::QuantPertensorNoBuffers, span),
                _ => judge.require(is_exact, Rule::DescriptorBuffersCountDenseQuantized, span),
            }
        }
    }
}

fn check_colocation(decoded: &Decoded, judge: &mut Judge) -> Result<(), Reject> {
    let handles = &decoded.descriptor.buffers;
    for (second, pair) in (1..).zip(handles.windows(2)) {
        let is_same = pair[0].device_tag == pair[1].device_tag && pair[0].memory_class == pair[1].memory_class;
        judge.require(is_same, Rule::BufferDeviceColocationReject, decoded.device_span(second))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
