//! The head of a composite (layouts/composite.md): no data of its own, a number of tensors that follow.

use hurray_spec::Rule;

use crate::bytes::Cursor;
use crate::judge::Judge;
use crate::model::{CompositeHead, CompositionRule, LayoutDescriptor};
use crate::reject::Reject;

use super::items::read_zeros;

/// `member_count` of an open composite, which format 1.0 does not have.
const OPEN: u32 = u32::MAX;
/// Bytes of the reserved field.
const RESERVED_LEN: usize = 2;

pub(super) fn read(cursor: &mut Cursor<'_>, judge: &mut Judge) -> Result<LayoutDescriptor, Reject> {
    let rule = cursor.u8()?;
    let is_private = (0xF0..=0xFE).contains(&rule.value);
    let is_known = matches!(rule.value, 0x01..=0x03);
    judge.require(is_known || is_private, Rule::CompositeHeadRuleReject, rule.span)?;
    judge.require(!is_private, Rule::CompositeHeadRulePrivateReject, rule.span)?;
    let composition_rule = CompositionRule(rule.value);
    let op = cursor.u8()?;
    if matches!(composition_rule, CompositionRule::PARTITION | CompositionRule::GROUP) {
        judge.require(op.value == 0, Rule::CompositeHeadCombinePartitionGroup, op.span)?;
    }
    if composition_rule == CompositionRule::OVERLAY {
        judge.require(matches!(op.value, 1 | 2), Rule::CompositeHeadCombineOverlay, op.span)?;
    }
    read_zeros(cursor, RESERVED_LEN, Rule::CompositeHeadReservedReject, judge)?;
    let count = cursor.u32()?;
    judge.require(count.value != OPEN, Rule::CompositeHeadOpenSentinelReject, count.span)?;
    let has_base = composition_rule != CompositionRule::OVERLAY || count.value > 0;
    judge.require(has_base, Rule::CompositeOverlayEmptyReject, count.span)?;
    let head = CompositeHead { composition_rule, combine_op: op.value, member_count: count.value };
    Ok(LayoutDescriptor::Composite(head))
}

pub(super) fn put(out: &mut Vec<u8>, head: &CompositeHead) {
    out.extend_from_slice(&[head.composition_rule.0, head.combine_op]);
    out.extend_from_slice(&[0; RESERVED_LEN]);
    out.extend_from_slice(&head.member_count.to_le_bytes());
}
