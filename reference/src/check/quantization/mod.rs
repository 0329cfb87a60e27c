//! A scheme against the tensor it belongs to: storage type, axis, blocks, places of the parameters. Sizes are for
//! `extent`.

use hurray_spec::Rule;

use crate::bytes::to_usize;
use crate::judge::Judge;
use crate::model::{DYNAMIC, ElementType, LayoutDescriptor, Scheme};
use crate::reject::Reject;
use crate::wire::descriptor::Decoded;

/// Requires that the scheme, if there is one, fits type, shape, layout and buffer table.
///
/// # Errors
/// It does not.
pub(crate) fn check_quantization(decoded: &Decoded, judge: &mut Judge) -> Result<(), Reject> {
    let Some(scheme) = decoded.descriptor.quantization.map(|quantization| quantization.scheme) else { return Ok(()) };
    check_storage(decoded, &scheme, judge)?;
    check_axis(decoded, &scheme, judge)?;
    check_paged(decoded, &scheme, judge)?;
    check_places(decoded, &scheme, judge)
}

fn check_storage(decoded: &Decoded, scheme: &Scheme, judge: &mut Judge) -> Result<(), Reject> {
    use ElementType::{
        Float4E2m1, Float6E2m3, Float6E3m2, Float8E4m3, Float8E5m2, Int2, Int4, Int8, Uint2, Uint4, Uint8,
    };
    let (kind, span) = (decoded.descriptor.element_type, decoded.sections.quantization);
    let is_small = matches!(kind, Int8 | Uint8 | Int4 | Uint4 | Int2 | Uint2);
    match scheme {
        Scheme::PerTensor { zero_point, .. } => {
            let range = kind.integer_range();
            judge.require(range.is_some(), Rule::QuantPertensorStorage, span)?;
            let is_inside = range.is_none_or(|(min, max)| (min..=max).contains(&i64::from(*zero_point)));
            judge.require(is_inside, Rule::QuantPertensorZeroPointRange, span)
        }
        Scheme::PerChannel { .. } => judge.require(kind.integer_range().is_some(), Rule::QuantPerchannelStorage, span),
        Scheme::PerBlock { .. } => judge.require(is_small, Rule::QuantPerblockStorage, span),
        Scheme::Nf4 { .. } => judge.require(kind == Uint4, Rule::QuantNf4Storage, span),
        Scheme::Mxfp { .. } => {
            let is_float = matches!(kind, Float8E4m3 | Float8E5m2 | Float4E2m1 | Float6E2m3 | Float6E3m2);
            judge.require(is_float || matches!(kind, Int8 | Int4), Rule::QuantMxfpStorage, span)
        }
        Scheme::Unknown(_) => Ok(()),
    }
}

fn check_axis(decoded: &Decoded, scheme: &Scheme, judge: &mut Judge) -> Result<(), Reject> {
    let span = decoded.sections.quantization;
    let Some(axis) = scheme.axis() else { return Ok(()) };
    let dim = decoded.descriptor.shape.dims().get(to_usize(axis)).copied();
    match scheme {
        Scheme::PerChannel { .. } => judge.require(dim.is_some(), Rule::QuantPerchannelAxis, span)?,
        Scheme::PerBlock { .. } => judge.require(dim.is_some(), Rule::QuantPerblockAxis, span)?,
        Scheme::Nf4 { .. } => judge.require(dim.is_some(), Rule::QuantNf4Axis, span)?,
        _ => judge.require(dim.is_some(), Rule::QuantMxfpAxis, span)?,
    }
    let Some(dim) = dim else { return Ok(()) };
    judge.require(dim != DYNAMIC, Rule::ModelDynamicQuantAxisReject, span)?;
    let (Some(block_size), true) = (scheme.block_size(), dim != DYNAMIC) else { return Ok(()) };
    let block_size = u64::from(block_size);
    // An empty dimension has no blocks, whatever their size.
    let is_within = dim == 0 || block_size <= dim;
    match scheme {
        Scheme::PerBlock { .. } => judge.require(is_within, Rule::QuantPerblockBlockLeAxis, span),
        Scheme::Nf4 { .. } => judge.require(is_within, Rule::QuantNf4BlockLeAxis, span),
        _ => {
            let is_multiple = dim > 0 && dim.is_multiple_of(block_size.max(1));
            judge.require(is_multiple, Rule::QuantMxfpBlockMultiple, span)
        }
    }
}

/// Pages set the blocks (ruling R60).
fn check_paged(decoded: &Decoded, scheme: &Scheme, judge: &mut Judge) -> Result<(), Reject> {
    let span = decoded.sections.quantization;
    let LayoutDescriptor::BlockPaged(paged) = &decoded.descriptor.layout else { return Ok(()) };
    match scheme {
        Scheme::PerChannel { axis, .. } => judge.require(*axis != 0, Rule::LayoutPagedQuantChannelAxis, span),
        Scheme::PerBlock { axis, block_size, .. } => {
            let is_page = *axis == 0 && *block_size == paged.page_size;
            judge.require(is_page, Rule::LayoutPagedQuantBlockAxis, span)
        }
        _ => Ok(()),
    }
}

fn check_places(decoded: &Decoded, scheme: &Scheme, judge: &mut Judge) -> Result<(), Reject> {
    let (descriptor, span) = (&decoded.descriptor, decoded.sections.quantization);
    let baseline = descriptor.layout.baseline(descriptor.shape.dims().len());
    for index in [scheme.scale_buffer(), scheme.zero_point_buffer()].into_iter().flatten() {
        let index = to_usize(index);
        judge.require(index < descriptor.buffers.len(), Rule::QuantPlaceIndexRange, span)?;
        judge.require(index != 0, Rule::QuantPlaceDistinct, span)?;
        judge.require(index == 0 || index >= baseline, Rule::QuantPlaceNotLayoutBuffer, span)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
