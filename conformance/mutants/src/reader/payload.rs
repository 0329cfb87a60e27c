//! Careless habits with the bytes of buffers: floats made canonical, bytes turned round, lengths guessed. Owns nothing
//! else; knows of an element type what the table of the specification says, and how many bits its exponent has.

use hurray_adapter::{BufferObservation, Observed, TensorObservation};
use hurray_spec::tables::{ElementKind, ElementType};

use super::Sight;

/// Rewrites the only buffer of a plain row-major tensor, as `describe` and `read` show it.
fn rewrite(sight: &Sight<'_>, observed: &mut Observed, change: impl Fn(&ElementType, &mut Vec<u8>)) {
    let plain = |tensor: &TensorObservation| {
        let is_plain = tensor.layout.as_deref() == Some("row_major") && tensor.quantization.is_none();
        tensor.element_type.as_deref().and_then(ElementType::from_name).filter(|_| is_plain)
    };
    let Some(element) = observed.tensor.as_ref().and_then(plain) else { return };
    let (Some(entry), Some([buffer])) = (sight.view.entry(sight.name), observed.buffers.as_deref_mut()) else { return };
    let before = sight.view.slice(entry.data_offset, buffer.len.0);
    let mut bytes = before.to_vec();
    change(element, &mut bytes);
    if bytes != before {
        let memory_alignment = buffer.memory_alignment;
        *buffer = BufferObservation { memory_alignment, ..BufferObservation::of(&bytes) };
    }
}

/// Bits of the exponent of a float, which the table of types does not hold.
fn exponent_bits(element: &ElementType) -> Option<u32> {
    Some(match element.name {
        "float4_e2m1" | "float6_e2m3" => 2,
        "float6_e3m2" => 3,
        "float8_e4m3" => 4,
        "float16" | "float8_e5m2" => 5,
        "bfloat16" | "float32" => 8,
        "float64" => 11,
        "float128" => 15,
        _ => return None,
    })
}

/// Quiets every NaN, flushes every subnormal and drops the sign of zeros in tensors of one type.
pub(super) fn make_canonical<const TAG: u8>(sight: &Sight<'_>, observed: &mut Observed) {
    rewrite(sight, observed, |element, bytes| {
        if let Some(exponent) = exponent_bits(element).filter(|_| element.tag == TAG) {
            each_element(element, bytes, |bits| canonical(element, exponent, bits));
        }
    });
}

/// Calls `change` with the bits of every element. Elements of less than a byte follow each other from the least
/// significant bit on.
fn each_element(element: &ElementType, bytes: &mut [u8], change: impl Fn(u128) -> u128) {
    let width = element.bits as usize;
    for at in 0..bytes.len() * 8 / width {
        let bits = (at * width)..((at + 1) * width);
        let is_set = |bytes: &[u8], bit: usize| bytes[bit / 8] >> (bit % 8) & 1;
        let value = bits.clone().rev().fold(0, |value, bit| value << 1 | u128::from(is_set(bytes, bit)));
        let changed = change(value);
        for (place, bit) in bits.enumerate() {
            let mask = 1 << (bit % 8);
            bytes[bit / 8] = bytes[bit / 8] & !mask | if changed >> place & 1 == 1 { mask } else { 0 };
        }
    }
}

fn canonical(element: &ElementType, exponent_bits: u32, bits: u128) -> u128 {
    let mantissa_bits = element.bits - 1 - exponent_bits;
    let [mantissa_mask, exponent_mask] = [(1 << mantissa_bits) - 1, (1 << exponent_bits) - 1];
    let (mantissa, exponent) = (bits & mantissa_mask, bits >> mantissa_bits & exponent_mask);
    let has_nan = element.bits >= 8;
    if exponent == 0 {
        0
    } else if exponent == exponent_mask && mantissa != 0 && has_nan {
        // One NaN for all: no sign, the highest bit of the mantissa.
        exponent_mask << mantissa_bits | 1 << (mantissa_bits - 1)
    } else {
        bits
    }
}

/// Hands out the bytes of every element in the order of a big-endian machine.
pub(super) fn turned_round(sight: &Sight<'_>, observed: &mut Observed) {
    rewrite(sight, observed, |element, bytes| {
        let width = element.bits as usize / 8;
        if width > 1 && element.kind != ElementKind::Complex {
            bytes.chunks_exact_mut(width).for_each(<[u8]>::reverse);
        }
    });
}

/// Takes a byte for each element of a private type, whatever its width.
pub(super) fn private_bytes(sight: &Sight<'_>, observed: &mut Observed) {
    let Some(tensor) = observed.tensor.as_ref().filter(|tensor| tensor.extension.is_some()) else { return };
    let (count, entry) = (super::avoid::count(tensor), sight.view.entry(sight.name));
    if let (Some(entry), Some([buffer])) = (entry, observed.buffers.as_deref_mut()) {
        *buffer = BufferObservation::of(sight.view.slice(entry.data_offset, count));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made_canonical(name: &str, bytes: &[u8]) -> Vec<u8> {
        let element = ElementType::from_name(name).expect("a type");
        let exponent = exponent_bits(element).expect("a float");
        let mut bytes = bytes.to_vec();
        each_element(element, &mut bytes, |bits| canonical(element, exponent, bits));
        bytes
    }

    #[test]
    fn floats_of_every_width_are_made_canonical() {
        assert_eq!(made_canonical("float32", &[1, 0, 0xA0, 0xFF]), [0, 0, 0xC0, 0x7F]);
        assert_eq!(made_canonical("float16", &[1, 0x80, 0, 0x7C]), [0, 0, 0, 0x7C]);
        assert_eq!(made_canonical("float8_e4m3", &[0xFF, 0x01, 0x38]), [0x7C, 0, 0x38]);
        // Codes 1, 2 and 15: the greatest is no NaN.
        assert_eq!(made_canonical("float4_e2m1", &[0x21, 0x0F]), [0x20, 0x0F]);
        // Codes 32, 8, 63 and 7, six bits each.
        assert_eq!(made_canonical("float6_e2m3", &[0x20, 0xF2, 0x1F]), [0x00, 0xF2, 0x03]);
    }
}
