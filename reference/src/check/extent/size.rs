//! The declared size of a buffer, and what it is compared with. Owns no layout.

use hurray_spec::Rule;

use crate::judge::Judge;
use crate::reject::{Reject, Span};
use crate::wire::descriptor::Decoded;

/// `byte_size` of a buffer; 0 for one that is not there, which is at fault itself.
pub(super) fn size_of(decoded: &Decoded, buffer: usize) -> u128 {
    decoded.descriptor.buffers.get(buffer).map_or(0, |handle| u128::from(handle.byte_size))
}

/// Requires that buffer `buffer` has at least `needed` bytes; `None` is more than there can be.
pub(super) fn require_size(
    decoded: &Decoded,
    buffer: usize,
    needed: Option<u128>,
    rule: Rule,
    judge: &mut Judge,
) -> Result<(), Reject> {
    let is_enough = needed.is_some_and(|needed| size_of(decoded, buffer) >= needed);
    judge.require(is_enough, rule, size_span(decoded, buffer))
}

pub(super) fn size_span(decoded: &Decoded, buffer: usize) -> Span {
    if decoded.descriptor.buffers.get(buffer).is_some() {
        decoded.byte_size_span(buffer)
    } else {
        decoded.buffer_count_span
    }
}

/// The product, in 128 bits.
pub(super) fn product(factors: impl IntoIterator<Item = u128>) -> Option<u128> {
    factors.into_iter().try_fold(1_u128, u128::checked_mul)
}
