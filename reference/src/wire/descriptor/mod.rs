//! The tensor descriptor (metadata.md): fixed header, shape, byte_offset, layout fields, buffer table, sections.
//!
//! What the fields mean together, sizes above all, is for `check::extent`.

use hurray_spec::Rule;

use crate::bytes::{Cursor, Field, to_u64, to_usize};
use crate::judge::Judge;
use crate::model::{BufferHandle, ElementType, Shape, TensorDescriptor};
use crate::reject::{Error, Limit, Misuse, Reject, Span};
use crate::wire::handle::{HANDLE_LEN, put_handle, read_handle};
use crate::wire::layout::{put_layout, read_items, read_layout};
use crate::wire::section::{SectionSpans, flag, flags_of, put_sections, read_sections};

/// Bytes of the fixed header.
pub(crate) const DESCRIPTOR_HEADER_LEN: u64 = 20;
/// The first four bytes of every descriptor.
pub(crate) const DESCRIPTOR_MAGIC: [u8; 4] = *b"HRRY";
/// A descriptor whose content goes beyond this many bytes is not decoded. Whatever the format calls for is far below:
/// rank 64, eight levels of strided tiles, 255 handles and every section take 19 KiB. The rest is opaque bytes of private
/// layouts, padding and surplus, and not worth memory.
pub(crate) const MAX_CONTENT_LEN: u64 = 64 * 1024;
/// The highest rank of a tensor.
const MAX_RANK: u32 = 64;

/// A descriptor with the places of the fields that are judged later.
#[derive(Clone, Debug)]
pub(crate) struct Decoded {
    pub(crate) descriptor: TensorDescriptor,
    pub(crate) shape_span: Span,
    pub(crate) byte_offset_span: Span,
    pub(crate) flags_span: Span,
    pub(crate) layout_span: Span,
    pub(crate) buffer_count_span: Span,
    pub(crate) handles_offset: u64,
    pub(crate) sections: SectionSpans,
}

impl Decoded {
    /// Where `byte_size` of a handle stands.
    pub(crate) fn byte_size_span(&self, buffer: usize) -> Span {
        let value = self.descriptor.buffers.get(buffer).map_or(0, |handle| handle.byte_size);
        Span::value(self.handle_offset(buffer), 8, value)
    }

    /// Where the device tag and memory class of a handle stand.
    pub(crate) fn device_span(&self, buffer: usize) -> Span {
        Span::at(self.handle_offset(buffer).saturating_add(12), 3)
    }

    fn handle_offset(&self, buffer: usize) -> u64 {
        self.handles_offset.saturating_add(to_u64(buffer).saturating_mul(HANDLE_LEN))
    }
}

struct Fixed {
    version: [u8; 2],
    length: u32,
    flags: Field<u32>,
    type_tag: u8,
    layout_tag: Field<u8>,
    rank: Field<u32>,
}

/// Reads the descriptor whose bytes start at `base`; `bytes` may end early only behind [`MAX_CONTENT_LEN`]. `indexed_len`
/// is the length the index gives, with its place there.
///
/// # Errors
/// Any broken rule of one descriptor by itself; a limit if its content is too long.
pub(crate) fn read_descriptor(
    bytes: &[u8],
    base: u64,
    indexed_len: (u32, Span),
    judge: &mut Judge,
) -> Result<Decoded, Error> {
    let mut cursor = Cursor::new(bytes, base, Rule::DescriptorHeaderLengthOverread);
    let fixed = read_fixed(&mut cursor, indexed_len, judge)?;
    // From here on the descriptor's own length is the end, however many bytes came.
    let content = &bytes[cursor.position()..bytes.len().min(to_usize(fixed.length)).max(cursor.position())];
    let mut cursor = Cursor::new(content, cursor.offset(), Rule::DescriptorHeaderLengthOverread);
    read_content(&mut cursor, &fixed, base, judge).map_err(|reject| {
        let (len, here) = (u64::from(fixed.length), to_u64(bytes.len()));
        let is_cut = here >= MAX_CONTENT_LEN && len > here;
        if is_cut && reject.rule == Rule::DescriptorHeaderLengthOverread {
            return Limit::Descriptor { len }.into();
        }
        reject.into()
    })
}

fn read_content(cursor: &mut Cursor<'_>, fixed: &Fixed, base: u64, judge: &mut Judge) -> Result<Decoded, Reject> {
    let (shape, shape_span) = read_items(cursor, fixed.rank.value, 8, |cursor| Ok(cursor.u64()?.value))?;
    let byte_offset = cursor.u64()?;
    let layout_offset = cursor.offset();
    let (layout, has_table) = read_layout(cursor, fixed.layout_tag, fixed.rank, judge)?;
    let element_type = ElementType::from_tag(fixed.type_tag);
    let descriptor = TensorDescriptor {
        version: fixed.version,
        byte_offset: byte_offset.value,
        ..TensorDescriptor::new(element_type, Shape::new(shape), layout, Vec::new())
    };
    let mut decoded = Decoded {
        descriptor,
        shape_span,
        byte_offset_span: byte_offset.span,
        flags_span: fixed.flags.span,
        layout_span: Span::at(layout_offset, cursor.offset().saturating_sub(layout_offset)),
        buffer_count_span: Span::at(cursor.offset(), 0),
        handles_offset: cursor.offset(),
        sections: SectionSpans::none(cursor.offset()),
    };
    if has_table {
        let count = cursor.u8()?;
        decoded.buffer_count_span = count.span;
        decoded.handles_offset = cursor.offset();
        decoded.descriptor.buffers = read_handles(cursor, count.value, judge)?;
        decoded.sections = read_sections(cursor, fixed.flags.value, &mut decoded.descriptor, judge)?;
        let end = base.saturating_add(u64::from(fixed.length));
        let surplus = end.saturating_sub(cursor.offset());
        let is_exact = surplus == 0 || fixed.version[1] > 0;
        judge.require(is_exact, Rule::DescriptorHeaderLengthTotal, Span::at(cursor.offset(), surplus))?;
    }
    Ok(decoded)
}

fn read_fixed(cursor: &mut Cursor<'_>, indexed_len: (u32, Span), judge: &mut Judge) -> Result<Fixed, Reject> {
    let magic = cursor.u32()?;
    judge.require(magic.value.to_le_bytes() == DESCRIPTOR_MAGIC, Rule::DescriptorHeaderMagicReject, magic.span)?;
    let major = cursor.u8()?;
    judge.require(major.value != 0, Rule::VersionDescriptorMajorLowerReject, major.span)?;
    judge.require(major.value <= 1, Rule::DescriptorHeaderVersionMajorReject, major.span)?;
    let minor = cursor.u8()?;
    let length = cursor.u32()?;
    let is_header = u64::from(length.value) >= DESCRIPTOR_HEADER_LEN;
    judge.require(is_header, Rule::DescriptorHeaderLengthMinReject, length.span)?;
    let (expected, span) = indexed_len;
    judge.require(length.value == expected, Rule::ContainerIndexDescriptorLengthMismatchReject, span)?;
    let flags = cursor.u32()?;
    judge.require(flags.value & flag::RESERVED == 0, Rule::DescriptorFlagsReservedReject, flags.span)?;
    let type_tag = cursor.u8()?;
    require_type(type_tag, flags, judge)?;
    let layout_tag = cursor.u8()?;
    require_layout(layout_tag, judge)?;
    let rank = cursor.u32()?;
    judge.require(rank.value <= MAX_RANK, Rule::ModelRankReaderCap, rank.span)?;
    let is_allowed = rank.value > 0 || layout_tag.value == 0x01;
    judge.require(is_allowed, Rule::ModelScalarRowMajorOnly, layout_tag.span)?;
    Ok(Fixed {
        version: [major.value, minor.value],
        length: length.value,
        flags,
        type_tag: type_tag.value,
        layout_tag,
        rank,
    })
}

fn require_type(tag: Field<u8>, flags: Field<u32>, judge: &mut Judge) -> Result<(), Reject> {
    let is_invalid = matches!(tag.value, 0x00 | 0xFF);
    judge.require(!is_invalid, Rule::TypeTagZeroFfReject, tag.span)?;
    let is_private = (0xF0..=0xFE).contains(&tag.value);
    let is_known = ElementType::from_tag(tag.value).bits().is_some();
    judge.require(is_known || is_private || is_invalid, Rule::TypeTagUnknownReject, tag.span)?;
    let has_section = flags.value & flag::EXTENSION_TYPE != 0;
    judge.require(has_section == is_private, Rule::DescriptorFlagsExtensionIff, flags.span)
}

fn require_layout(tag: Field<u8>, judge: &mut Judge) -> Result<(), Reject> {
    let is_invalid = matches!(tag.value, 0x00 | 0xFF);
    judge.require(!is_invalid, Rule::LayoutTagZeroFfReject, tag.span)?;
    // Private tags have fields of their own, and are judged there.
    let is_known = matches!(tag.value, 0x01..=0x0B | 0x40 | 0xF0..=0xFE);
    judge.require(is_known || is_invalid, Rule::LayoutTagUnknownReject, tag.span)
}

fn read_handles(cursor: &mut Cursor<'_>, count: u8, judge: &mut Judge) -> Result<Vec<BufferHandle>, Reject> {
    // At most 255, so it may be asked for before the bytes are seen; no more of it than needed is kept.
    let mut handles = Vec::with_capacity(usize::from(count));
    for _ in 0..count {
        handles.push(read_handle(cursor, judge)?);
    }
    Ok(handles)
}

/// The bytes of a descriptor.
///
/// # Errors
/// More than 64 dimensions or 255 buffers, not one item per dimension where there has to be, or
/// a layout or scheme without a meaning.
pub(crate) fn put_descriptor(descriptor: &TensorDescriptor) -> Result<Vec<u8>, Misuse> {
    let dims = descriptor.shape.dims();
    let rank = u32::try_from(dims.len()).ok().filter(|rank| *rank <= MAX_RANK).ok_or(Misuse::Encoding)?;
    let buffer_count = u8::try_from(descriptor.buffers.len()).map_err(|_| Misuse::Encoding)?;
    let mut content = Vec::new();
    dims.iter().for_each(|dim| content.extend_from_slice(&dim.to_le_bytes()));
    content.extend_from_slice(&descriptor.byte_offset.to_le_bytes());
    put_layout(&mut content, &descriptor.layout, dims.len())?;
    content.push(buffer_count);
    descriptor.buffers.iter().for_each(|handle| put_handle(&mut content, handle));
    put_sections(&mut content, descriptor)?;
    // Longer ones would not be read back either.
    let length = DESCRIPTOR_HEADER_LEN.checked_add(to_u64(content.len())).filter(|length| *length <= MAX_CONTENT_LEN);
    let length = length.and_then(|length| u32::try_from(length).ok()).ok_or(Misuse::Encoding)?;
    let mut out = DESCRIPTOR_MAGIC.to_vec();
    out.extend_from_slice(&descriptor.version);
    out.extend_from_slice(&length.to_le_bytes());
    out.extend_from_slice(&flags_of(descriptor).to_le_bytes());
    out.extend_from_slice(&[descriptor.element_type.tag(), descriptor.layout.tag()]);
    out.extend_from_slice(&rank.to_le_bytes());
    out.extend_from_slice(&content);
    Ok(out)
}

#[cfg(test)]
mod tests;
