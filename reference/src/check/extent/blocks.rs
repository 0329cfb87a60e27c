//! The parameter buffers of a quantization scheme: how many scales and zero-points there have to be (rulings R60, R64).

use hurray_spec::Rule;

use crate::bytes::to_usize;
use crate::judge::Judge;
use crate::model::{LayoutDescriptor, Scheme, TensorDescriptor};
use crate::reject::Reject;
use crate::wire::descriptor::Decoded;

use super::size::{product, size_of, size_span};

/// Bytes of a zero-point.
const ZERO_POINT_LEN: u128 = 4;

/// Scales of a quantized tensor without dynamic dimensions, and as many zero-points; `None` beyond 128 bits.
pub(crate) fn parameter_entries(descriptor: &TensorDescriptor, scheme: &Scheme) -> Option<u128> {
    let dims = descriptor.shape.dims();
    let axis = scheme.axis().map_or(usize::MAX, to_usize);
    let along = dims.get(axis).map_or(0, |dim| u128::from(*dim));
    if let (Scheme::PerBlock { .. }, LayoutDescriptor::BlockPaged(paged)) = (scheme, &descriptor.layout) {
        return product([u128::from(paged.num_pages), u128::from(paged.page_size)]);
    }
    let Some(block_size) = scheme.block_size() else { return Some(along) };
    let blocks = along.div_ceil(u128::from(block_size.max(1)));
    if blocks == 0 || dims.contains(&0) {
        return Some(0);
    }
    let others = dims.iter().enumerate().filter(|(at, _)| *at != axis).map(|(_, dim)| u128::from(*dim));
    product(std::iter::once(blocks).chain(others))
}

/// Elements of a tensor of `dims` with the last block of each run in full; `None` inside beyond 128 bits, outside for a
/// scheme without blocks.
pub(crate) fn whole_blocks_count(dims: &[u64], scheme: &Scheme) -> Option<Option<u128>> {
    let (axis, block) = (to_usize(scheme.axis()?), u128::from(scheme.block_size()?.max(1)));
    let dims = dims.iter().enumerate().map(|(at, dim)| match at == axis {
        true => u128::from(*dim).div_ceil(block).saturating_mul(block),
        false => u128::from(*dim),
    });
    Some(product(dims))
}

/// Requires that parameter buffers are exactly as long as their entries take.
pub(super) fn check_parameters(decoded: &Decoded, judge: &mut Judge) -> Result<(), Reject> {
    let descriptor = &decoded.descriptor;
    let Some(scheme) = descriptor.quantization.map(|quantization| quantization.scheme) else { return Ok(()) };
    let entries = parameter_entries(descriptor, &scheme);
    let baseline = descriptor.layout.baseline(descriptor.shape.dims().len());
    let is_paged = matches!(descriptor.layout, LayoutDescriptor::BlockPaged(_));
    let (scale_len, scale_rule, zero_point_rule) = match scheme {
        Scheme::PerChannel { .. } => (4, Rule::QuantPerchannelScaleSize, Rule::QuantPerchannelZeroPointSize),
        Scheme::PerBlock { .. } if is_paged => {
            (scale_len(&scheme), Rule::LayoutPagedQuantScaleEntries, Rule::LayoutPagedQuantScaleEntries)
        }
        Scheme::PerBlock { .. } => (scale_len(&scheme), Rule::QuantPerblockScaleSize, Rule::QuantPerblockZeroPointSize),
        Scheme::Nf4 { .. } => (4, Rule::QuantNf4ScaleSize, Rule::QuantNf4ScaleSize),
        Scheme::Mxfp { .. } => (1, Rule::QuantMxfpScaleSize, Rule::QuantMxfpScaleSize),
        Scheme::PerTensor { .. } | Scheme::Unknown(_) => return Ok(()),
    };
    let mut require = |buffer: Option<u32>, len: u128, rule: Rule| match buffer.map(to_usize) {
        // An index beyond the table, or of a layout's buffer, is at fault itself.
        Some(buffer) if (baseline..descriptor.buffers.len()).contains(&buffer) => {
            let exact = entries.and_then(|entries| entries.checked_mul(len));
            let is_exact = exact == Some(size_of(decoded, buffer));
            judge.require(is_exact, rule, size_span(decoded, buffer))
        }
        _ => Ok(()),
    };
    require(scheme.scale_buffer(), scale_len, scale_rule)?;
    // In one buffer the zero-points stand behind the scales (quantization.md § Buffer Table Placement Rules 3), so that
    // the buffer cannot have the size of either.
    let is_shared = scheme.scale_buffer() == scheme.zero_point_buffer();
    let zero_point_len = if is_shared { scale_len.saturating_add(ZERO_POINT_LEN) } else { ZERO_POINT_LEN };
    require(scheme.zero_point_buffer(), zero_point_len, zero_point_rule)
}

/// Bytes of a scale: float32, or one of the two 16-bit floats.
fn scale_len(scheme: &Scheme) -> u128 {
    match scheme {
        Scheme::PerBlock { scale_type_tag: 0x01 | 0x02, .. } => 2,
        _ => 4,
    }
}
