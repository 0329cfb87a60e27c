//! The optional sections behind the buffer table (metadata.md): quantization, shard, statistics, extension type, composite
//! member, in this order, which is not that of their flags (ruling R41).
//!
//! What a section demands of the rest of the descriptor is for `check`.

mod extension;
mod quantization;
mod shard;
mod statistics;

use hurray_spec::Rule;

use crate::bytes::Cursor;
use crate::judge::Judge;
use crate::model::{MemberRole, TensorDescriptor};
use crate::reject::{Misuse, Reject, Span};
use crate::wire::layout::read_zeros;

/// Bits of the descriptor's flags.
pub(crate) mod flag {
    pub(crate) const QUANTIZATION: u32 = 1 << 0;
    pub(crate) const SHARD: u32 = 1 << 1;
    pub(crate) const EXTENSION_TYPE: u32 = 1 << 2;
    pub(crate) const STATISTICS: u32 = 1 << 3;
    pub(crate) const COMPOSITE_MEMBER: u32 = 1 << 4;
    pub(crate) const RESERVED: u32 = !0x1F;
}

/// Bytes of the reserved field of the composite member section.
const MEMBER_RESERVED_LEN: usize = 15;

/// Where the sections stand that are judged later; empty for those that are not there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SectionSpans {
    pub(crate) quantization: Span,
    pub(crate) shard: Span,
    pub(crate) statistics: Span,
}

impl SectionSpans {
    /// None of them, at `offset`.
    pub(crate) fn none(offset: u64) -> Self {
        let none = Span::at(offset, 0);
        SectionSpans { quantization: none, shard: none, statistics: none }
    }
}

/// Reads the sections that `flags` announce into `descriptor`, whose shape is known.
///
/// # Errors
/// Any rule that a section by itself breaks.
pub(crate) fn read_sections(
    cursor: &mut Cursor<'_>,
    flags: u32,
    descriptor: &mut TensorDescriptor,
    judge: &mut Judge,
) -> Result<SectionSpans, Reject> {
    let mut spans = SectionSpans::none(cursor.offset());
    // It was read as 32 bits. A larger one would find no bytes.
    let rank = u32::try_from(descriptor.shape.dims().len()).unwrap_or(u32::MAX);
    if flags & flag::QUANTIZATION != 0 {
        let start = cursor.offset();
        descriptor.quantization = Some(quantization::read(cursor, judge)?);
        spans.quantization = Span::at(start, cursor.offset().saturating_sub(start));
    }
    if flags & flag::SHARD != 0 {
        let (shard, span) = shard::read(cursor, rank)?;
        (descriptor.shard, spans.shard) = (Some(shard), span);
    }
    if flags & flag::STATISTICS != 0 {
        let start = cursor.offset();
        descriptor.statistics = Some(statistics::read(cursor, judge)?);
        spans.statistics = Span::at(start, cursor.offset().saturating_sub(start));
    }
    if flags & flag::EXTENSION_TYPE != 0 {
        descriptor.extension = Some(extension::read(cursor, judge)?);
    }
    if flags & flag::COMPOSITE_MEMBER != 0 {
        descriptor.member_role = Some(read_member(cursor, judge)?);
    }
    Ok(spans)
}

fn read_member(cursor: &mut Cursor<'_>, judge: &mut Judge) -> Result<MemberRole, Reject> {
    let role = cursor.u8()?;
    judge.require(role.value <= 1, Rule::DescriptorMemberRoleReject, role.span)?;
    read_zeros(cursor, MEMBER_RESERVED_LEN, Rule::DescriptorMemberReservedReject, judge)?;
    Ok(MemberRole(role.value))
}

/// The flags that announce the sections of `descriptor`.
pub(crate) fn flags_of(descriptor: &TensorDescriptor) -> u32 {
    let sections = [
        (descriptor.quantization.is_some(), flag::QUANTIZATION),
        (descriptor.shard.is_some(), flag::SHARD),
        (descriptor.extension.is_some(), flag::EXTENSION_TYPE),
        (descriptor.statistics.is_some(), flag::STATISTICS),
        (descriptor.member_role.is_some(), flag::COMPOSITE_MEMBER),
    ];
    sections.into_iter().filter(|(is_there, _)| *is_there).fold(0, |flags, (_, bit)| flags | bit)
}

/// Appends the sections of `descriptor`.
///
/// # Errors
/// Not one item per dimension, or a scheme without a meaning.
pub(crate) fn put_sections(out: &mut Vec<u8>, descriptor: &TensorDescriptor) -> Result<(), Misuse> {
    if let Some(quantization) = &descriptor.quantization {
        quantization::put(out, quantization)?;
    }
    if let Some(shard) = &descriptor.shard {
        shard::put(out, shard, descriptor.shape.dims().len())?;
    }
    if let Some(statistics) = &descriptor.statistics {
        statistics::put(out, statistics);
    }
    if let Some(extension) = &descriptor.extension {
        extension::put(out, extension);
    }
    if let Some(role) = descriptor.member_role {
        out.push(role.0);
        out.extend_from_slice(&[0; MEMBER_RESERVED_LEN]);
    }
    Ok(())
}

#[cfg(test)]
mod tests;
