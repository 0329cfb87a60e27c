//! A descriptor as a whole: what its parts demand of each other.

use hurray_spec::Rule;

use crate::check::extent::check_extent;
use crate::check::quantization::check_quantization;
use crate::judge::Judge;
use crate::model::{DYNAMIC, LayoutDescriptor};
use crate::reject::Reject;
use crate::wire::descriptor::Decoded;

/// Requires everything that layout, shape, buffers and sections owe each other.
///
/// # Errors
/// Any such rule that is broken.
pub(crate) fn check_descriptor(decoded: &Decoded, judge: &mut Judge) -> Result<(), Reject> {
    check_head(decoded, judge)?;
    check_shard(decoded, judge)?;
    check_statistics(decoded, judge)?;
    check_quantization(decoded, judge)?;
    check_extent(decoded, judge)
}

/// A head has no data, so nothing that describes data.
fn check_head(decoded: &Decoded, judge: &mut Judge) -> Result<(), Reject> {
    let descriptor = &decoded.descriptor;
    let LayoutDescriptor::Composite(_) = descriptor.layout else { return Ok(()) };
    judge.require(descriptor.byte_offset == 0, Rule::CompositeHeadByteOffsetZero, decoded.byte_offset_span)?;
    judge.require(descriptor.buffers.is_empty(), Rule::CompositeHeadNoBuffers, decoded.buffer_count_span)?;
    judge.require(descriptor.quantization.is_none(), Rule::CompositeHeadNoQuantization, decoded.flags_span)?;
    judge.require(descriptor.member_role.is_none(), Rule::CompositeHeadNoMemberFlag, decoded.flags_span)
}

fn check_shard(decoded: &Decoded, judge: &mut Judge) -> Result<(), Reject> {
    let descriptor = &decoded.descriptor;
    let (Some(shard), span) = (&descriptor.shard, decoded.sections.shard) else { return Ok(()) };
    let is_csf = matches!(descriptor.layout, LayoutDescriptor::Csf { .. });
    judge.require(!is_csf, Rule::LayoutCsfNoShard, span)?;
    let is_paged = matches!(descriptor.layout, LayoutDescriptor::BlockPaged(_));
    judge.require(!is_paged, Rule::LayoutPagedNoShardReject, span)?;
    let is_static = !descriptor.shape.is_dynamic() && !shard.parent_shape.contains(&DYNAMIC);
    judge.require(is_static, Rule::DescriptorShardNoDynamic, span)?;
    let ends = descriptor.shape.dims().iter().zip(&shard.shard_offset).map(|(dim, offset)| offset.checked_add(*dim));
    let is_inside = ends.zip(&shard.parent_shape).all(|(end, parent)| end.is_some_and(|end| end <= *parent));
    judge.require(is_inside || !is_static, Rule::DescriptorShardBoundsReject, span)
}

/// Of two counts of stored elements the layout's is right.
fn check_statistics(decoded: &Decoded, judge: &mut Judge) -> Result<(), Reject> {
    let descriptor = &decoded.descriptor;
    let claimed = descriptor.statistics.and_then(|statistics| statistics.nnz);
    let is_same = claimed.zip(descriptor.layout.nnz()).is_none_or(|(claimed, nnz)| claimed == nnz);
    judge.require(is_same, Rule::DescriptorStatsSparseNnzMatch, decoded.sections.statistics)
}

#[cfg(test)]
mod tests;
