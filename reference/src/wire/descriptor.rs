//! The tensor descriptor (metadata.md): fixed header, shape, byte_offset, layout fields, buffer table.
//!
//! What the fields mean together, sizes above all, is for `check::extent`.

use hurray_spec::Rule;

use crate::bytes::{Cursor, Field};
use crate::judge::Judge;
use crate::model::{BufferHandle, ElementType, Shape, TensorDescriptor};
use crate::reject::{Error, Misuse, Reject, Span, Unsupported};
use crate::wire::handle::{HANDLE_LEN, put_handle, read_handle};
use crate::wire::layout::{put_layout, read_items, read_layout};

/// Bytes of the fixed header.
pub(crate) const DESCRIPTOR_HEADER_LEN: u64 = 20;
/// The first four bytes of every descriptor.
pub(crate) const DESCRIPTOR_MAGIC: [u8; 4] = *b"HRRY";
/// No descriptor this reader decodes has more bytes of content: rank 64, strided, 255 handles. What goes beyond it is
/// surplus, and not worth memory.
pub(crate) const MAX_CONTENT_LEN: u64 = DESCRIPTOR_HEADER_LEN + 64 * 8 + 8 + 64 * 8 + 1 + 255 * HANDLE_LEN;
/// The highest rank of a tensor.
const MAX_RANK: u32 = 64;

/// Bits of the descriptor's flags.
mod flag {
    pub(super) const QUANTIZATION: u32 = 1 << 0;
    pub(super) const SHARD: u32 = 1 << 1;
    pub(super) const EXTENSION_TYPE: u32 = 1 << 2;
    pub(super) const STATISTICS: u32 = 1 << 3;
    pub(super) const COMPOSITE_MEMBER: u32 = 1 << 4;
    pub(super) const RESERVED: u32 = !0x1F;
}

/// A descriptor with the places of the fields that are judged later.
#[derive(Clone, Debug)]
pub(crate) struct Decoded {
    pub(crate) descriptor: TensorDescriptor,
    pub(crate) shape_span: Span,
    pub(crate) byte_offset_span: Span,
    pub(crate) buffer_count_span: Span,
    pub(crate) handles_offset: u64,
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
        self.handles_offset.saturating_add(buffer as u64 * HANDLE_LEN)
    }
}

struct Fixed {
    version: [u8; 2],
    length: u32,
    flags: u32,
    type_tag: u8,
    layout_tag: Field<u8>,
    rank: u32,
}

/// Reads the descriptor whose bytes start at `base`; `bytes` may end early only beyond what any descriptor holds.
/// `indexed_len` is the length the index gives, with its place there.
///
/// # Errors
/// Any broken rule of one descriptor by itself, or a part of the format that is not decoded here.
pub(crate) fn read_descriptor(
    bytes: &[u8],
    base: u64,
    indexed_len: (u32, Span),
    judge: &mut Judge,
) -> Result<Decoded, Error> {
    let mut cursor = Cursor::new(bytes, base, Rule::DescriptorHeaderLengthOverread);
    let fixed = read_fixed(&mut cursor, indexed_len, judge)?;
    // From here on the descriptor's own length is the end, however many bytes came.
    let content = &bytes[cursor.position()..bytes.len().min(fixed.length as usize).max(cursor.position())];
    let mut cursor = Cursor::new(content, cursor.offset(), Rule::DescriptorHeaderLengthOverread);
    let (shape, shape_span) = read_items(&mut cursor, fixed.rank, |cursor| Ok(cursor.u64()?.value))?;
    let byte_offset = cursor.u64()?;
    let (layout, has_table) = read_layout(&mut cursor, fixed.layout_tag, fixed.rank, judge)?;
    let descriptor = TensorDescriptor {
        version: fixed.version,
        element_type: ElementType::from_tag(fixed.type_tag),
        shape: Shape::new(shape),
        byte_offset: byte_offset.value,
        layout,
        buffers: Vec::new(),
    };
    let mut decoded = Decoded {
        descriptor,
        shape_span,
        byte_offset_span: byte_offset.span,
        buffer_count_span: Span::at(cursor.offset(), 0),
        handles_offset: cursor.offset(),
    };
    if has_table {
        let count = cursor.u8()?;
        decoded.buffer_count_span = count.span;
        decoded.handles_offset = cursor.offset();
        decoded.descriptor.buffers = read_handles(&mut cursor, count.value, judge)?;
        refuse_sections(fixed.flags)?;
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
        flags: flags.value,
        type_tag: type_tag.value,
        layout_tag,
        rank: rank.value,
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
    let is_known = matches!(tag.value, 0x01..=0x0B | 0x40);
    judge.require(is_known || is_invalid, Rule::LayoutTagUnknownReject, tag.span)
}

fn read_handles(cursor: &mut Cursor<'_>, count: u8, judge: &mut Judge) -> Result<Vec<BufferHandle>, Reject> {
    (0..count).map(|_| read_handle(cursor, judge)).collect()
}

fn refuse_sections(flags: u32) -> Result<(), Unsupported> {
    let sections = [
        (flag::QUANTIZATION, Unsupported::Quantization),
        (flag::SHARD, Unsupported::Shard),
        (flag::STATISTICS, Unsupported::Statistics),
        (flag::EXTENSION_TYPE, Unsupported::ExtensionType),
        (flag::COMPOSITE_MEMBER, Unsupported::CompositeMember),
    ];
    match sections.into_iter().find(|(bit, _)| flags & bit != 0) {
        Some((_, section)) => Err(section),
        None => Ok(()),
    }
}

/// The bytes of a descriptor.
///
/// # Errors
/// More than 64 dimensions or 255 buffers, strides that do not match the rank, or a layout without a meaning.
pub(crate) fn put_descriptor(descriptor: &TensorDescriptor) -> Result<Vec<u8>, Misuse> {
    let dims = descriptor.shape.dims();
    let rank = u32::try_from(dims.len()).ok().filter(|rank| *rank <= MAX_RANK).ok_or(Misuse::Encoding)?;
    let buffer_count = u8::try_from(descriptor.buffers.len()).map_err(|_| Misuse::Encoding)?;
    let mut layout = Vec::new();
    put_layout(&mut layout, &descriptor.layout, dims.len())?;
    let numbers = (dims.len() + 1) as u64 * 8 + layout.len() as u64;
    // At most MAX_CONTENT_LEN, so it fits.
    let length = (DESCRIPTOR_HEADER_LEN + numbers + 1 + u64::from(buffer_count) * HANDLE_LEN) as u32;
    let mut out = DESCRIPTOR_MAGIC.to_vec();
    out.extend_from_slice(&descriptor.version);
    out.extend_from_slice(&length.to_le_bytes());
    out.extend_from_slice(&0_u32.to_le_bytes());
    out.extend_from_slice(&[descriptor.element_type.tag(), descriptor.layout.tag()]);
    out.extend_from_slice(&rank.to_le_bytes());
    dims.iter().for_each(|dim| out.extend_from_slice(&dim.to_le_bytes()));
    out.extend_from_slice(&descriptor.byte_offset.to_le_bytes());
    out.extend_from_slice(&layout);
    out.push(buffer_count);
    descriptor.buffers.iter().for_each(|handle| put_handle(&mut out, handle));
    Ok(out)
}

#[cfg(test)]
mod tests;
