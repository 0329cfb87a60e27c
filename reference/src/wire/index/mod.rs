//! The index: one entry per tensor (file-format.md § Index Encoding).
//!
//! The section's bytes stay as they came; an entry is a few numbers and the place of its name. So a hostile index costs
//! no more than a small multiple of its own length.

use hurray_spec::Rule;

use crate::bytes::{Cursor, Field, to_u64};
use crate::judge::{Judge, bound};
use crate::memory::{Buffer, reserved};
use crate::reject::{Error, Misuse, Reject, Span};

/// Bytes of the count in front.
pub(crate) const INDEX_COUNT_LEN: u64 = 8;
/// Bytes of an entry besides its name.
const ENTRY_LEN: u64 = 34;
/// An entry with the shortest name.
const MIN_ENTRY_LEN: u64 = ENTRY_LEN + 1;

#[derive(Clone, Copy, Debug)]
struct Slot {
    name_position: usize,
    descriptor_offset: u64,
    data_offset: u64,
    data_length: u64,
    descriptor_length: u32,
    name_length: u16,
}

/// The tensors of a file, in the order of the index.
#[derive(Debug, Default)]
pub struct Index {
    bytes: Option<Buffer>,
    base: u64,
    slots: Vec<Slot>,
    by_name: Vec<usize>,
    by_offset: Vec<usize>,
}

/// One entry of the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexEntry<'a> {
    /// Name of the tensor; UTF-8 unless that rule was waived.
    pub name: &'a [u8],
    /// Absolute offset of the descriptor.
    pub descriptor_offset: u64,
    /// Bytes of the descriptor.
    pub descriptor_length: u32,
    /// Absolute offset of the first buffer.
    pub data_offset: u64,
    /// Bytes from the first buffer to the end of the last.
    pub data_length: u64,
    /// Absolute offset of the entry itself.
    pub(crate) entry_offset: u64,
}

impl IndexEntry<'_> {
    fn fields_offset(&self) -> u64 {
        self.name_span().end
    }

    pub(crate) fn name_span(&self) -> Span {
        Span::at(self.entry_offset.saturating_add(2), to_u64(self.name.len()))
    }

    pub(crate) fn descriptor_offset_span(&self) -> Span {
        Span::value(self.fields_offset(), 8, self.descriptor_offset)
    }

    pub(crate) fn descriptor_length_span(&self) -> Span {
        Span::value(self.fields_offset().saturating_add(8), 4, u64::from(self.descriptor_length))
    }

    pub(crate) fn data_offset_span(&self) -> Span {
        Span::value(self.fields_offset().saturating_add(12), 8, self.data_offset)
    }

    pub(crate) fn data_length_span(&self) -> Span {
        Span::value(self.fields_offset().saturating_add(20), 8, self.data_length)
    }
}

impl Index {
    /// Number of entries.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether the file holds no tensor.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// The entry at `position`, counted from 0.
    pub fn get(&self, position: usize) -> Option<IndexEntry<'_>> {
        self.slots.get(position).map(|slot| self.entry(slot))
    }

    /// Every entry, in index order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = IndexEntry<'_>> {
        self.slots.iter().map(|slot| self.entry(slot))
    }

    /// Position of the tensor with exactly these bytes as its name; logarithmic in the number of entries.
    pub fn find(&self, name: &[u8]) -> Option<usize> {
        let at = self.by_name.partition_point(|position| self.name(*position) < name);
        self.by_name.get(at).copied().filter(|position| self.name(*position) == name)
    }

    fn entry(&self, slot: &Slot) -> IndexEntry<'_> {
        IndexEntry {
            name: slot_name(self.bytes(), slot),
            descriptor_offset: slot.descriptor_offset,
            descriptor_length: slot.descriptor_length,
            data_offset: slot.data_offset,
            data_length: slot.data_length,
            entry_offset: self.base.saturating_add(to_u64(slot.name_position)).saturating_sub(2),
        }
    }

    fn name(&self, position: usize) -> &[u8] {
        self.slots.get(position).map_or(&[], |slot| slot_name(self.bytes(), slot))
    }

    fn bytes(&self) -> &[u8] {
        self.bytes.as_deref().unwrap_or_default()
    }

    /// The position of each entry, in the order of descriptor offsets, those of equal offsets in index order.
    pub(crate) fn in_offset_order(&self) -> &[usize] {
        &self.by_offset
    }

    /// The place of the entry at `position` in that order.
    pub(crate) fn offset_place(&self, position: usize) -> usize {
        let key = |position: usize| self.slots.get(position).map(|slot| (slot.descriptor_offset, position));
        self.by_offset.partition_point(|other| key(*other) < key(position))
    }

    /// Entries in the order of their names, those of equal names in index order.
    pub(crate) fn in_name_order(&self) -> impl Iterator<Item = IndexEntry<'_>> {
        self.by_name.iter().filter_map(|position| self.get(*position))
    }
}

fn slot_name<'a>(bytes: &'a [u8], slot: &Slot) -> &'a [u8] {
    let end = slot.name_position.saturating_add(usize::from(slot.name_length));
    bytes.get(slot.name_position..end).unwrap_or_default()
}

/// Reads the section whose bytes start at `base`. Bytes left over are a fault only if `exact`.
///
/// # Errors
/// Any broken rule of one entry; a limit if memory for the entries cannot be had.
pub(crate) fn read_index(bytes: Buffer, base: u64, exact: bool, judge: &mut Judge) -> Result<Index, Error> {
    let mut cursor = Cursor::new(&bytes, base, Rule::ContainerSafetyIndexEntryOverrun);
    let count = cursor.u64()?;
    let room = to_u64(bytes.len()).saturating_sub(INDEX_COUNT_LEN) / MIN_ENTRY_LEN;
    bound(count.value <= room, Rule::ContainerSafetyIndexCountHuge, count.span)?;
    let mut slots = reserved(count.value)?;
    for _ in 0..count.value {
        slots.push(read_entry(&mut cursor, judge)?);
    }
    let rest = cursor.rest();
    judge.require(!exact || rest.value.is_empty(), Rule::ContainerIndexLengthExact, rest.span)?;
    let mut by_name = reserved(count.value)?;
    by_name.extend(0..slots.len());
    let name = |position: &usize| slots.get(*position).map_or(&[][..], |slot| slot_name(&bytes, slot));
    by_name.sort_unstable_by(|a, b| name(a).cmp(name(b)).then(a.cmp(b)));
    let mut by_offset = reserved(count.value)?;
    by_offset.extend(0..slots.len());
    by_offset
        .sort_unstable_by_key(|position| slots.get(*position).map(|slot: &Slot| (slot.descriptor_offset, *position)));
    Ok(Index { bytes: Some(bytes), base, slots, by_name, by_offset })
}

fn read_entry(cursor: &mut Cursor<'_>, judge: &mut Judge) -> Result<Slot, Reject> {
    let name_length = cursor.u16()?;
    judge.require(name_length.value >= 1, Rule::ContainerIndexNameNonempty, name_length.span)?;
    let name_position = cursor.position();
    let name = cursor.take(usize::from(name_length.value))?;
    judge.require(std::str::from_utf8(name.value).is_ok(), Rule::ContainerIndexNameUtf8, bad_utf8(&name))?;
    let descriptor_offset = cursor.u64()?.value;
    let descriptor_length = cursor.u32()?.value;
    let data_offset = cursor.u64()?.value;
    let data_length = cursor.u64()?.value;
    let flags = cursor.u32()?;
    judge.require(flags.value == 0, Rule::ContainerIndexFlagsZero, flags.span)?;
    let name_length = name_length.value;
    Ok(Slot { name_position, descriptor_offset, data_offset, data_length, descriptor_length, name_length })
}

/// The bytes from the first that is not UTF-8 on.
pub(crate) fn bad_utf8(text: &Field<&[u8]>) -> Span {
    let valid = std::str::from_utf8(text.value).map_or_else(|error| error.valid_up_to(), str::len);
    let start = text.span.start.saturating_add(to_u64(valid));
    Span::at(start, text.span.end.saturating_sub(start))
}

/// What goes into one entry.
#[derive(Debug)]
pub(crate) struct NewEntry {
    pub(crate) name: String,
    pub(crate) descriptor_offset: u64,
    pub(crate) descriptor_length: u32,
    pub(crate) data_offset: u64,
    pub(crate) data_length: u64,
}

/// The section of these entries, in their order.
///
/// # Errors
/// A name is too long.
pub(crate) fn put_index<'a>(entries: impl ExactSizeIterator<Item = &'a NewEntry>) -> Result<Vec<u8>, Misuse> {
    let mut out = to_u64(entries.len()).to_le_bytes().to_vec();
    for entry in entries {
        let name_length = entry.name.len();
        let name_length = u16::try_from(name_length).map_err(|_| Misuse::NameTooLong(to_u64(name_length)))?;
        out.extend_from_slice(&name_length.to_le_bytes());
        out.extend_from_slice(entry.name.as_bytes());
        out.extend_from_slice(&entry.descriptor_offset.to_le_bytes());
        out.extend_from_slice(&entry.descriptor_length.to_le_bytes());
        out.extend_from_slice(&entry.data_offset.to_le_bytes());
        out.extend_from_slice(&entry.data_length.to_le_bytes());
        out.extend_from_slice(&0_u32.to_le_bytes());
    }
    Ok(out)
}

#[cfg(test)]
mod tests;
