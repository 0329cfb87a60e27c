//! The quantization section (quantization.md, quantization/*.md): a length, a header, the fields of a scheme. Bytes behind
//! the fields are skipped, whatever they hold (ruling R61).

use hurray_spec::Rule;

use crate::bytes::{Cursor, Field};
use crate::judge::Judge;
use crate::model::{Quantization, Scheme};
use crate::reject::{Misuse, Reject};
use crate::wire::layout::read_zeros;

/// `scheme_version` of every scheme in format 1.0.
const VERSION: u8 = 1;
/// The one flag of per-channel and per-block: no zero-points.
const SYMMETRIC: u16 = 1 << 0;
/// `zero_point_buffer_index` where there is no such buffer.
const NO_BUFFER: u32 = u32::MAX;

pub(super) fn read(cursor: &mut Cursor<'_>, judge: &mut Judge) -> Result<Quantization, Reject> {
    let length = cursor.u32()?.value;
    let section = cursor.take(usize::try_from(length).unwrap_or(usize::MAX))?;
    let mut cursor = Cursor::new(section.value, section.span.start, Rule::QuantHeaderOverread);
    let tag = cursor.u8()?;
    let is_invalid = matches!(tag.value, 0x00 | 0xFF);
    judge.require(!is_invalid, Rule::QuantTagZeroFfReject, tag.span)?;
    let is_known = matches!(tag.value, 0x01..=0x05);
    judge.require(is_known || is_invalid, Rule::QuantHeaderUnknownReject, tag.span)?;
    let version = cursor.u8()?;
    let flags = cursor.u16()?;
    if !is_known {
        return Ok(Quantization { version: version.value, scheme: Scheme::Unknown(tag.value) });
    }
    judge.require(version.value <= VERSION, Rule::QuantHeaderVersionReject, version.span)?;
    judge.require(version.value >= VERSION, Rule::QuantHeaderVersionOne, version.span)?;
    let scheme = match tag.value {
        0x01 => read_per_tensor(&mut cursor, flags, judge)?,
        0x02 => read_per_channel(&mut cursor, flags, judge)?,
        0x03 => read_per_block(&mut cursor, flags, judge)?,
        0x04 => read_nf4(&mut cursor, flags, judge)?,
        _ => read_mxfp(&mut cursor, flags, judge)?,
    };
    Ok(Quantization { version: version.value, scheme })
}

fn read_per_tensor(cursor: &mut Cursor<'_>, flags: Field<u16>, judge: &mut Judge) -> Result<Scheme, Reject> {
    judge.require(flags.value == 0, Rule::QuantPertensorFlagsZero, flags.span)?;
    let scale = cursor.u32()?;
    let value = f32::from_bits(scale.value);
    judge.require(value.is_finite() && value != 0.0, Rule::QuantPertensorScale, scale.span)?;
    let zero_point = cursor.u32()?.value.cast_signed();
    read_zeros(cursor, 4, Rule::QuantPertensorReservedReject, judge)?;
    Ok(Scheme::PerTensor { scale: scale.value, zero_point })
}

fn read_per_channel(cursor: &mut Cursor<'_>, flags: Field<u16>, judge: &mut Judge) -> Result<Scheme, Reject> {
    judge.require(flags.value & !SYMMETRIC == 0, Rule::QuantHeaderFlagsReservedReject, flags.span)?;
    let is_symmetric = flags.value & SYMMETRIC != 0;
    let axis = cursor.u32()?.value;
    let scale_buffer_index = cursor.u32()?.value;
    let zero_point = cursor.u32()?;
    let has_none = !is_symmetric || zero_point.value == NO_BUFFER;
    judge.require(has_none, Rule::QuantPerchannelSymmetricIndex, zero_point.span)?;
    let scale_type = cursor.u8()?;
    judge.require(scale_type.value == 0x03, Rule::QuantPerchannelScaleType, scale_type.span)?;
    read_zeros(cursor, 3, Rule::QuantPerchannelReservedReject, judge)?;
    Ok(Scheme::PerChannel {
        axis,
        scale_buffer_index,
        zero_point_buffer_index: zero_point.value,
        is_symmetric,
        scale_type_tag: scale_type.value,
    })
}

fn read_per_block(cursor: &mut Cursor<'_>, flags: Field<u16>, judge: &mut Judge) -> Result<Scheme, Reject> {
    judge.require(flags.value & !SYMMETRIC == 0, Rule::QuantHeaderFlagsReservedReject, flags.span)?;
    let is_symmetric = flags.value & SYMMETRIC != 0;
    let axis = cursor.u32()?.value;
    let block_size = cursor.u32()?;
    let is_power = block_size.value >= 2 && block_size.value.is_power_of_two();
    judge.require(is_power, Rule::QuantPerblockBlockSize, block_size.span)?;
    let scale_buffer_index = cursor.u32()?.value;
    let zero_point = cursor.u32()?;
    let has_none = !is_symmetric || zero_point.value == NO_BUFFER;
    judge.require(has_none, Rule::QuantPerblockSymmetricIndex, zero_point.span)?;
    let scale_type = cursor.u8()?;
    judge.require(matches!(scale_type.value, 0x01..=0x03), Rule::QuantPerblockScaleType, scale_type.span)?;
    read_zeros(cursor, 3, Rule::QuantPerblockReserved, judge)?;
    Ok(Scheme::PerBlock {
        axis,
        block_size: block_size.value,
        scale_buffer_index,
        zero_point_buffer_index: zero_point.value,
        is_symmetric,
        scale_type_tag: scale_type.value,
    })
}

fn read_nf4(cursor: &mut Cursor<'_>, flags: Field<u16>, judge: &mut Judge) -> Result<Scheme, Reject> {
    judge.require(flags.value == 0, Rule::QuantNf4FlagsZero, flags.span)?;
    let axis = cursor.u32()?.value;
    let block_size = cursor.u32()?;
    let is_power = block_size.value >= 8 && block_size.value.is_power_of_two();
    judge.require(is_power, Rule::QuantNf4BlockSize, block_size.span)?;
    let scale_buffer_index = cursor.u32()?.value;
    Ok(Scheme::Nf4 { axis, block_size: block_size.value, scale_buffer_index })
}

fn read_mxfp(cursor: &mut Cursor<'_>, flags: Field<u16>, judge: &mut Judge) -> Result<Scheme, Reject> {
    judge.require(flags.value == 0, Rule::QuantMxfpFlagsZero, flags.span)?;
    let axis = cursor.u32()?.value;
    let block_size = cursor.u32()?;
    let is_power = (16..=2048).contains(&block_size.value) && block_size.value.is_power_of_two();
    judge.require(is_power, Rule::QuantMxfpBlockSize, block_size.span)?;
    let scale_buffer_index = cursor.u32()?.value;
    Ok(Scheme::Mxfp { axis, block_size: block_size.value, scale_buffer_index })
}

/// Appends the section, exactly as long as its scheme.
///
/// # Errors
/// A scheme without a meaning.
pub(super) fn put(out: &mut Vec<u8>, quantization: &Quantization) -> Result<(), Misuse> {
    let scheme = &quantization.scheme;
    let length = scheme.encoded_len().ok_or(Misuse::Encoding)?;
    out.extend_from_slice(&length.to_le_bytes());
    out.extend_from_slice(&[scheme.tag(), quantization.version]);
    let is_symmetric =
        matches!(scheme, Scheme::PerChannel { is_symmetric: true, .. } | Scheme::PerBlock { is_symmetric: true, .. });
    out.extend_from_slice(&(if is_symmetric { SYMMETRIC } else { 0 }).to_le_bytes());
    if let Scheme::PerTensor { scale, zero_point } = scheme {
        out.extend_from_slice(&scale.to_le_bytes());
        out.extend_from_slice(&zero_point.to_le_bytes());
        out.extend_from_slice(&[0; 4]);
    }
    let fields = [scheme.axis(), scheme.block_size(), scheme.scale_buffer()];
    fields.into_iter().flatten().for_each(|field| out.extend_from_slice(&field.to_le_bytes()));
    if let Scheme::PerChannel { zero_point_buffer_index, scale_type_tag, .. }
    | Scheme::PerBlock { zero_point_buffer_index, scale_type_tag, .. } = scheme
    {
        out.extend_from_slice(&zero_point_buffer_index.to_le_bytes());
        out.extend_from_slice(&[*scale_type_tag, 0, 0, 0]);
    }
    Ok(())
}
