//! What the bits of one element stand for (element-types.md; OCP OFP8 and OCP MX for the small floats, ruling R53).

use super::words::NoMeaning;
use crate::model::ElementType;

/// The value of an element. Floats are bits, so that NaN payloads and signs of zero survive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// An integer, or a bool as 0 or 1.
    Integer(i128),
    /// Any float of at most 32 bits, and any dequantized element: the bits of the float32 it is.
    Float32(u32),
    /// The bits of a float64.
    Float64(u64),
    /// The bits of a float128.
    Float128(u128),
    /// Real and imaginary part, bits of a float32 each.
    Complex64([u32; 2]),
    /// Real and imaginary part, bits of a float64 each.
    Complex128([u64; 2]),
}

/// The bits of an element of that width, least significant first. Below 8 bits it may begin in one byte and end in the
/// next.
pub(super) fn code(bytes: &[u8], byte: u64, bit: u8, bits: u8) -> Result<u128, NoMeaning> {
    let start = usize::try_from(byte).map_err(|_| NoMeaning::Data)?;
    let len = usize::from(bit).saturating_add(usize::from(bits)).div_ceil(8);
    let bytes = bytes.get(start..).and_then(|rest| rest.get(..len)).ok_or(NoMeaning::Data)?;
    let all = bytes.iter().rev().fold(0_u128, |all, byte| all << 8 | u128::from(*byte));
    let above = u128::MAX.checked_shl(u32::from(bits)).unwrap_or(0);
    Ok(all >> bit & !above)
}

/// The value of the element whose bits are `code`.
pub(super) fn value(kind: ElementType, code: u128) -> Result<Value, NoMeaning> {
    Ok(match kind {
        ElementType::Bool
        | ElementType::Uint2
        | ElementType::Uint4
        | ElementType::Uint8
        | ElementType::Uint16
        | ElementType::Uint32
        | ElementType::Uint64 => Value::Integer(code.cast_signed()),
        ElementType::Int2 => signed(code, 2),
        ElementType::Int4 => signed(code, 4),
        ElementType::Int8 => signed(code, 8),
        ElementType::Int16 => signed(code, 16),
        ElementType::Int32 => signed(code, 32),
        ElementType::Int64 => signed(code, 64),
        ElementType::Float16 => small(low32(code), 5, 10, 15, Specials::Ieee),
        ElementType::Bfloat16 => Value::Float32(low32(code) << 16),
        ElementType::Float32 => Value::Float32(low32(code)),
        ElementType::Float64 => Value::Float64(low64(code)),
        ElementType::Float128 => Value::Float128(code),
        ElementType::Float8E4m3 => small(low32(code), 4, 3, 7, Specials::AllOnesNan),
        ElementType::Float8E5m2 => small(low32(code), 5, 2, 15, Specials::Ieee),
        ElementType::Float8E8m0 => Value::Float32(power(code.to_le_bytes()[0])?),
        ElementType::Float4E2m1 => small(low32(code), 2, 1, 1, Specials::None),
        ElementType::Float6E2m3 => small(low32(code), 2, 3, 1, Specials::None),
        ElementType::Float6E3m2 => small(low32(code), 3, 2, 3, Specials::None),
        ElementType::Complex64 => Value::Complex64([low32(code), low32(code >> 32)]),
        ElementType::Complex128 => Value::Complex128([low64(code), low64(code >> 64)]),
        ElementType::Unknown(_) => return Err(NoMeaning::Unknown),
    })
}

#[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "the lowest bits are what is asked for")]
fn low32(code: u128) -> u32 {
    code as u32
}

#[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "the lowest bits are what is asked for")]
fn low64(code: u128) -> u64 {
    code as u64
}

/// Two's complement.
fn signed(code: u128, bits: u32) -> Value {
    let unused = u128::BITS.saturating_sub(bits);
    Value::Integer((code << unused).cast_signed() >> unused)
}

/// The bits of the float32 2^(byte - 127). The bytes 0x00 and 0xFF must not occur (ruling R54).
pub(super) fn power(byte: u8) -> Result<u32, NoMeaning> {
    match byte {
        0x00 | 0xFF => Err(NoMeaning::Reserved),
        exponent => Ok(u32::from(exponent) << 23),
    }
}

/// Which patterns of a small float are no numbers.
#[derive(Clone, Copy, PartialEq)]
enum Specials {
    /// The highest exponent is infinity and NaN.
    Ieee,
    /// All bits but the sign set is NaN; there is no infinity.
    AllOnesNan,
    /// None.
    None,
}

/// A float of one sign bit, `exponent_bits` and `fraction_bits` as the float32 it is; none of them is too large or too
/// small to be a normal one.
fn small(code: u32, exponent_bits: u32, fraction_bits: u32, bias: u32, specials: Specials) -> Value {
    let ones = |count: u32| !(u32::MAX << count);
    let sign = code >> exponent_bits >> fraction_bits << 31;
    let highest = ones(exponent_bits);
    let exponent = code >> fraction_bits & highest;
    let fraction = code & ones(fraction_bits);
    let moved = fraction << 23_u32.saturating_sub(fraction_bits);
    // What an exponent gains by the larger bias of a float32.
    let gain = 127_u32.saturating_sub(bias);
    let lowest = gain.saturating_add(1) << 23;
    let is_special = match specials {
        Specials::Ieee => exponent == highest,
        Specials::AllOnesNan => exponent == highest && fraction == ones(fraction_bits),
        Specials::None => false,
    };
    let magnitude = match exponent {
        _ if is_special => 0xFF << 23 | moved,
        // 0.f times the lowest power of two is 1.f times it, less the power itself: exact, of so few bits.
        0 => (f32::from_bits(lowest | moved) - f32::from_bits(lowest)).to_bits(),
        _ => exponent.saturating_add(gain) << 23 | moved,
    };
    Value::Float32(sign | magnitude)
}
