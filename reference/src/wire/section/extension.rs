//! The extension type section (metadata.md § Extension Type Section): width and packing bind, the rest describes.

use hurray_spec::Rule;

use crate::bytes::Cursor;
use crate::judge::Judge;
use crate::model::ExtensionType;
use crate::reject::{Reject, Span};
use crate::wire::layout::read_zeros;

/// Bytes of each of the two reserved fields.
const RESERVED_LEN: usize = 2;

pub(super) fn read(cursor: &mut Cursor<'_>, judge: &mut Judge) -> Result<ExtensionType, Reject> {
    let start = cursor.offset();
    let bit_width = cursor.u32()?;
    let packing = cursor.u8()?;
    let is_packing = matches!((bit_width.value, packing.value), (1, 8) | (2, 4) | (4, 2) | (8.., 1));
    let span = Span { end: packing.span.end, ..bit_width.span };
    judge.require(is_packing, Rule::DescriptorExtViolationReject, span)?;
    let is_whole = bit_width.value < 8 || bit_width.value.is_multiple_of(8);
    judge.require(is_whole, Rule::DescriptorExtWidthMultipleOf8, bit_width.span)?;
    let [is_float, is_signed, sign_bits, exponent_bits, mantissa_bits] =
        [cursor.u8()?, cursor.u8()?, cursor.u8()?, cursor.u8()?, cursor.u8()?];
    read_zeros(cursor, RESERVED_LEN, Rule::DescriptorExtReservedZero, judge)?;
    let exponent_bias = cursor.u32()?;
    let [has_nan, has_inf] = [cursor.u8()?, cursor.u8()?];
    for field in [is_float, is_signed, has_nan, has_inf] {
        judge.require(field.value <= 1, Rule::DescriptorExtBooleans, field.span)?;
    }
    read_zeros(cursor, RESERVED_LEN, Rule::DescriptorExtReservedZero, judge)?;
    let extension = ExtensionType {
        bit_width: bit_width.value,
        packing_factor: packing.value,
        is_float: is_float.value,
        is_signed: is_signed.value,
        sign_bits: sign_bits.value,
        exponent_bits: exponent_bits.value,
        mantissa_bits: mantissa_bits.value,
        exponent_bias: exponent_bias.value,
        has_nan: has_nan.value,
        has_inf: has_inf.value,
    };
    let span = Span::at(start, cursor.offset().saturating_sub(start));
    judge.require(has_own_fields(&extension), Rule::DescriptorExtFloatFields, span)?;
    Ok(extension)
}

/// Whether an integer has no fields of a float, and a float none of an integer.
fn has_own_fields(extension: &ExtensionType) -> bool {
    if extension.is_float == 0 {
        let fields = [extension.sign_bits, extension.exponent_bits, extension.mantissa_bits];
        fields == [0; 3] && extension.exponent_bias == 0
    } else {
        extension.sign_bits <= 1 && extension.is_signed == 0
    }
}

pub(super) fn put(out: &mut Vec<u8>, extension: &ExtensionType) {
    out.extend_from_slice(&extension.bit_width.to_le_bytes());
    out.extend_from_slice(&[extension.packing_factor, extension.is_float, extension.is_signed]);
    out.extend_from_slice(&[extension.sign_bits, extension.exponent_bits, extension.mantissa_bits]);
    out.extend_from_slice(&[0; RESERVED_LEN]);
    out.extend_from_slice(&extension.exponent_bias.to_le_bytes());
    out.extend_from_slice(&[extension.has_nan, extension.has_inf]);
    out.extend_from_slice(&[0; RESERVED_LEN]);
}
