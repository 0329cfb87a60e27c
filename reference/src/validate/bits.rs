//! What the data of some element types must not hold: bits behind the last element, elements of the last block behind it,
//! reserved float8_e8m0 bytes.
//!
//! Only contiguous layouts are looked at; between strided elements any bit may stand.

use std::ops::Range;

use hurray_spec::Rule;

use crate::bytes::{to_u64, to_usize};
use crate::check::extent::whole_blocks_count;
use crate::model::{ElementType, LayoutDescriptor, TensorDescriptor};
use crate::reject::Span;

use super::{Stop, Walk};

/// Bits of the last byte of `count` elements of `bits` bits that belong to none of them; in a 6-bit type's last group
/// of three bytes, the bits of each.
fn unused_bits(bits: u8, count: u64) -> Vec<u8> {
    // Of any width, 24 elements fill their last byte and group, so that they can be left out of the product.
    let total = (count % 24).saturating_mul(u64::from(bits));
    let (used, len) = if bits == 6 { (total % 24, 3) } else { (total % 8, 1) };
    if used == 0 {
        return Vec::new();
    }
    (u32::MAX << used).to_le_bytes().into_iter().take(len).collect()
}

fn padding_rule(element_type: ElementType) -> Option<Rule> {
    match element_type {
        ElementType::Bool => Some(Rule::TypeBoolPadding),
        ElementType::Int4 | ElementType::Uint4 => Some(Rule::TypeInt4Padding),
        ElementType::Int2 | ElementType::Uint2 => Some(Rule::TypeInt2Padding),
        ElementType::Float4E2m1 => Some(Rule::TypeFloat4Packing),
        ElementType::Float6E2m3 | ElementType::Float6E3m2 => Some(Rule::TypeFloat6Padding),
        _ => None,
    }
}

impl<E, F: FnMut(u64, &mut [u8]) -> Result<usize, E>> Walk<F> {
    /// Looks at the elements of a contiguous tensor whose buffer stands at `buffer`.
    pub(super) fn check_bits(&mut self, descriptor: &TensorDescriptor, buffer: &Range<u64>) -> Result<(), Stop<E>> {
        let Some(count) = descriptor.stored_count() else { return Ok(()) };
        let Some(needed) = descriptor.element_type.packed_len(u128::from(count)) else { return Ok(()) };
        let start = buffer.start.saturating_add(descriptor.byte_offset);
        let end = u64::try_from(needed).ok().and_then(|needed| start.checked_add(needed));
        // A buffer that is too small, or not in the file, is at fault itself.
        let Some(end) = end.filter(|end| *end <= buffer.end.min(self.size)) else { return Ok(()) };
        let Some(unscanned) = self.unscanned.checked_sub(end.saturating_sub(start)) else { return Ok(()) };
        self.unscanned = unscanned;
        if descriptor.element_type == ElementType::Float8E8m0
            && let Some((offset, byte)) = self.scan(start..end, |byte| matches!(byte, 0x00 | 0xFF))?
        {
            let span = Span::value(offset, 1, u64::from(byte));
            self.core.judge().require(false, Rule::TypeFloat8E8m0Reserved, span)?;
        }
        self.check_last_block(descriptor, start, end, buffer.end)?;
        let Some((rule, bits)) = padding_rule(descriptor.element_type).zip(descriptor.element_type.bits()) else {
            return Ok(());
        };
        let masks = unused_bits(bits, count);
        let first = end.saturating_sub(to_u64(masks.len()));
        for (offset, mask) in (first..end).zip(masks) {
            if let Some((offset, byte)) = self.scan(offset..offset.saturating_add(1), |byte| byte & mask != 0)? {
                self.core.judge().require(false, rule, Span::value(offset, 1, u64::from(byte)))?;
            }
        }
        Ok(())
    }

    /// The elements of the last block that no index reaches are zero. Where they stand is certain only if blocks end where
    /// the tensor does (ruling R63): along the slowest dimension.
    fn check_last_block(&mut self, tensor: &TensorDescriptor, start: u64, end: u64, most: u64) -> Result<(), Stop<E>> {
        let Some(scheme) = tensor.quantization.map(|quantization| quantization.scheme) else { return Ok(()) };
        let dims = tensor.shape.dims();
        let slowest = match tensor.layout {
            LayoutDescriptor::RowMajor => 0,
            LayoutDescriptor::ColumnMajor => dims.len().saturating_sub(1),
            _ => return Ok(()),
        };
        if scheme.axis().map(to_usize) != Some(slowest) && dims.len() != 1 {
            return Ok(());
        }
        let len = whole_blocks_count(dims, &scheme).flatten().and_then(|count| tensor.packed_len(count));
        let whole = len.and_then(|len| u64::try_from(len).ok()).and_then(|len| start.checked_add(len));
        // Room that was not allocated is a fault of its own.
        let Some(whole) = whole.filter(|whole| *whole <= most.min(self.size)) else { return Ok(()) };
        let Some(unscanned) = self.unscanned.checked_sub(whole.saturating_sub(end)) else { return Ok(()) };
        self.unscanned = unscanned;
        self.require_zero(end..whole, Rule::QuantPartialStorageAllocated)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_byte_or_group_has_the_bits_that_no_element_takes() {
        let cases: [(u8, u64, &[u8]); 14] = [
            (1, 8, &[]),
            (1, 10, &[0xFC]),
            (1, 15, &[0x80]),
            (2, 4, &[]),
            (2, 5, &[0xFC]),
            (2, 7, &[0xC0]),
            (4, 2, &[]),
            (4, 3, &[0xF0]),
            (6, 4, &[]),
            (6, 5, &[0xC0, 0xFF, 0xFF]),
            (6, 6, &[0x00, 0xF0, 0xFF]),
            (6, 7, &[0x00, 0x00, 0xFC]),
            (1, u64::MAX, &[0x80]),
            (6, u64::MAX, &[0x00, 0x00, 0xFC]),
        ];
        for (bits, count, masks) in cases {
            assert_eq!(unused_bits(bits, count), masks, "{count} of {bits} bits");
        }
    }
}
