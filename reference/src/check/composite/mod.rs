//! What the members of a composite owe their head (layouts/composite.md § Validation).

mod cover;
mod groups;

use hurray_spec::Rule;

use crate::judge::Judge;
use crate::model::{CompositeHead, CompositionRule, ElementType, LayoutDescriptor, MemberRole, TensorDescriptor};
use crate::reject::{Error, Reject, Span};

pub(crate) use groups::{Groups, Step};

use cover::Extent;

/// Heads on a path, the root being the first (ruling R66).
const MAX_DEPTH: usize = 8;

/// The head's own fields, if `descriptor` is one.
pub(crate) fn head_of(descriptor: &TensorDescriptor) -> Option<&CompositeHead> {
    match &descriptor.layout {
        LayoutDescriptor::Composite(head) => Some(head),
        _ => None,
    }
}

/// Requires what the member at `place`, counted from 0, owes `head`. `span` is the member's descriptor.
///
/// # Errors
/// Any such rule that is broken; the whole composite is at fault.
fn check_member(
    head: &TensorDescriptor,
    member: &TensorDescriptor,
    place: u32,
    span: Span,
    judge: &mut Judge,
) -> Result<(), Reject> {
    let Some(fields) = head_of(head) else { return Ok(()) };
    if fields.composition_rule.is_spatial() {
        check_place(head, member, span, judge)?;
        judge.require(decodes_to(member, head.element_type), Rule::CompositeMemberDecodedType, span)?;
    }
    match fields.composition_rule {
        CompositionRule::PARTITION => {
            judge.require(member.member_role.is_none(), Rule::CompositePartitionNoMemberSection, span)
        }
        CompositionRule::GROUP => {
            judge.require(member.member_role.is_none(), Rule::CompositeGroupNoMemberSection, span)
        }
        CompositionRule::OVERLAY => check_layer(head, member, place, span, judge),
        // By private agreement; only a permissive reader gets here.
        _ => Ok(()),
    }
}

fn check_place(
    head: &TensorDescriptor,
    member: &TensorDescriptor,
    span: Span,
    judge: &mut Judge,
) -> Result<(), Reject> {
    judge.require(member.shard.is_some(), Rule::CompositeMemberShardRequired, span)?;
    let Some(shard) = &member.shard else { return Ok(()) };
    let whole = head.shape.dims();
    judge.require(shard.parent_shape == whole, Rule::CompositeMemberParentShape, span)?;
    let ends = member.shape.dims().iter().zip(&shard.shard_offset).map(|(dim, offset)| offset.checked_add(*dim));
    let fits = ends.zip(whole).all(|(end, whole)| end.is_some_and(|end| end <= *whole));
    let is_inside = fits && member.shape.dims().len() == whole.len();
    judge.require(is_inside, Rule::CompositeMemberBoxInBounds, span)
}

/// Whether the values of `member` are of the head's type; quantized ones are float32, and a float16 head takes them too
/// (ruling R68).
fn decodes_to(member: &TensorDescriptor, kind: ElementType) -> bool {
    match member.quantization {
        Some(_) => matches!(kind, ElementType::Float32 | ElementType::Float16),
        None => member.element_type == kind,
    }
}

/// A base that spans everything, and corrections on top of it.
fn check_layer(
    head: &TensorDescriptor,
    member: &TensorDescriptor,
    place: u32,
    span: Span,
    judge: &mut Judge,
) -> Result<(), Reject> {
    judge.require(member.member_role.is_some(), Rule::CompositeOverlayMemberSection, span)?;
    let Some(role) = member.member_role else { return Ok(()) };
    if place > 0 {
        return judge.require(role == MemberRole::CORRECTION, Rule::CompositeOverlayCorrections, span);
    }
    judge.require(role == MemberRole::BASE, Rule::CompositeOverlayBaseFirst, span)?;
    let is_first = member.shard.as_ref().is_none_or(|shard| shard.shard_offset.iter().all(|offset| *offset == 0));
    let spans = is_first && member.shape == head.shape;
    judge.require(spans, Rule::CompositeOverlayBaseSpans, span)
}

/// Where `member` stands in its head; `None` without a shard section.
fn box_of(member: &TensorDescriptor) -> Option<Extent> {
    let offsets = &member.shard.as_ref()?.shard_offset;
    let sides = || member.shape.dims().iter().zip(offsets);
    Some(Extent::new(sides().map(|(_, offset)| *offset), sides().map(|(dim, offset)| offset.saturating_add(*dim))))
}

/// Requires what only all members together show: those of a partition cover each index of the head once.
///
/// # Errors
/// They do not; a limit if the boxes cut each other up beyond reason.
fn check_closed<'a>(
    head: &TensorDescriptor,
    boxes: impl Iterator<Item = &'a Extent>,
    span: Span,
    judge: &mut Judge,
) -> Result<(), Error> {
    let is_partition = head_of(head).is_some_and(|fields| fields.composition_rule == CompositionRule::PARTITION);
    if !is_partition {
        return Ok(());
    }
    let dims = head.shape.dims();
    let faults = cover::find_faults(dims, boxes)?;
    judge.require(!faults.overlap, Rule::CompositePartitionNoOverlap, span)?;
    judge.require(!faults.gap, Rule::CompositePartitionExactCover, span)?;
    Ok(())
}

#[cfg(test)]
mod tests;
