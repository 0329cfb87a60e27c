//! The key-value section (file-format.md § KV Section Encoding, § KV Value Types).
//!
//! Checked once from end to end, then read in place: the section's bytes stay as they came, and a value is decoded when
//! it is looked at. So a hostile section costs no more than a small multiple of its own length.

use hurray_spec::Rule;

use crate::bytes::{Cursor, Field, to_u64, to_usize};
use crate::judge::{Judge, bound};
use crate::memory::{Buffer, reserved};
use crate::model::{KvType, KvValue};
use crate::reject::{Error, Misuse, Reject, Span};
use crate::wire::index::bad_utf8;

mod put;
#[cfg(test)]
mod tests;

pub(crate) use put::put_kv;

/// Bytes of the count in front.
pub(crate) const KV_COUNT_LEN: u64 = 4;
/// The shortest entry: a key of one byte and a bool.
const MIN_ENTRY_LEN: u64 = 5;

#[derive(Clone, Copy, Debug)]
struct Slot {
    key_position: u32,
    value_position: u32,
    key_length: u16,
}

/// The entries of a file, in file order.
#[derive(Debug, Default)]
pub struct KvSection {
    bytes: Option<Buffer>,
    slots: Vec<Slot>,
    by_key: Vec<u32>,
}

/// A value where it stands in the file. Text is UTF-8 unless that rule was waived.
#[derive(Clone, Copy, Debug)]
pub enum KvValueRef<'a> {
    /// UTF-8 text.
    String(&'a [u8]),
    /// Signed 64-bit integer.
    Int64(i64),
    /// Unsigned 64-bit integer.
    Uint64(u64),
    /// IEEE 754 binary64, bit for bit.
    Float64(f64),
    /// True or false.
    Bool(bool),
    /// Opaque bytes.
    Bytes(&'a [u8]),
    /// Values of one type.
    Array(KvArray<'a>),
    /// A tag without a meaning, which only a waived rule lets through: its length cannot be known, so nothing behind it
    /// was read.
    Opaque(u8),
}

/// An array where it stands in the file.
#[derive(Clone, Copy, Debug)]
pub struct KvArray<'a> {
    element: KvType,
    count: u32,
    payload: &'a [u8],
}

impl KvValueRef<'_> {
    /// The value as one that can be written; `None` for what has no meaning or is not UTF-8.
    pub fn to_value(&self) -> Option<KvValue> {
        Some(match *self {
            KvValueRef::String(text) => KvValue::String(std::str::from_utf8(text).ok()?.to_owned()),
            KvValueRef::Int64(value) => KvValue::Int64(value),
            KvValueRef::Uint64(value) => KvValue::Uint64(value),
            KvValueRef::Float64(value) => KvValue::Float64(value),
            KvValueRef::Bool(value) => KvValue::Bool(value),
            KvValueRef::Bytes(bytes) => KvValue::Bytes(bytes.to_vec()),
            KvValueRef::Array(array) => {
                let items = array.iter().map(|item| item.to_value()).collect::<Option<_>>()?;
                KvValue::Array { element: array.element(), items }
            }
            KvValueRef::Opaque(_) => return None,
        })
    }
}

impl<'a> KvArray<'a> {
    /// Type of the items.
    pub fn element(&self) -> KvType {
        self.element
    }

    /// Number of items.
    pub fn len(&self) -> usize {
        to_usize(self.count)
    }

    /// Whether there is no item.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The items, in order.
    pub fn iter(&self) -> impl Iterator<Item = KvValueRef<'a>> {
        let mut cursor = Cursor::new(self.payload, 0, Rule::KvSectionTruncated);
        let element = self.element;
        (0..self.count).map_while(move |_| view(&mut cursor, element).ok())
    }
}

impl KvSection {
    /// Number of entries.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Every key and value, in file order.
    pub fn iter(&self) -> impl Iterator<Item = (&[u8], KvValueRef<'_>)> {
        self.slots.iter().map(|slot| (self.key(slot), self.value(slot)))
    }

    /// The value of exactly that key; logarithmic in the number of entries.
    pub fn get(&self, key: &str) -> Option<KvValueRef<'_>> {
        let key = key.as_bytes();
        let at = self.by_key.partition_point(|position| self.key_at(*position) < key);
        let slot = self.by_key.get(at).and_then(|position| self.slots.get(to_usize(*position)))?;
        (self.key(slot) == key).then(|| self.value(slot))
    }

    fn bytes(&self) -> &[u8] {
        self.bytes.as_deref().unwrap_or_default()
    }

    fn key(&self, slot: &Slot) -> &[u8] {
        slot_key(self.bytes(), slot)
    }

    fn key_at(&self, position: u32) -> &[u8] {
        self.slots.get(to_usize(position)).map_or(&[], |slot| self.key(slot))
    }

    fn value(&self, slot: &Slot) -> KvValueRef<'_> {
        let bytes = self.bytes().get(to_usize(slot.value_position)..).unwrap_or_default();
        let mut cursor = Cursor::new(bytes, 0, Rule::KvSectionTruncated);
        let tag = cursor.u8().map_or(0, |tag| tag.value);
        let value = KvType::from_tag(tag).and_then(|kind| view(&mut cursor, kind).ok());
        value.unwrap_or(KvValueRef::Opaque(tag))
    }
}

fn slot_key<'a>(bytes: &'a [u8], slot: &Slot) -> &'a [u8] {
    let start = to_usize(slot.key_position);
    bytes.get(start..start.saturating_add(usize::from(slot.key_length))).unwrap_or_default()
}

/// Decodes one payload that was judged before.
fn view<'a>(cursor: &mut Cursor<'a>, kind: KvType) -> Result<KvValueRef<'a>, Reject> {
    Ok(match kind {
        KvType::String => KvValueRef::String(sized(cursor)?.value),
        KvType::Int64 => KvValueRef::Int64(cursor.u64()?.value.cast_signed()),
        KvType::Uint64 => KvValueRef::Uint64(cursor.u64()?.value),
        KvType::Float64 => KvValueRef::Float64(f64::from_bits(cursor.u64()?.value)),
        KvType::Bool => KvValueRef::Bool(cursor.u8()?.value != 0),
        KvType::Bytes => KvValueRef::Bytes(sized(cursor)?.value),
        KvType::Array => {
            let tag = cursor.u8()?;
            let count = cursor.u32()?.value;
            let element = KvType::from_tag(tag.value).filter(|element| *element != KvType::Array);
            let element = element.ok_or_else(|| Reject::new(Rule::KvValueArrayElementTag, tag.span))?;
            KvValueRef::Array(KvArray { element, count, payload: cursor.rest().value })
        }
    })
}

fn sized<'a>(cursor: &mut Cursor<'a>) -> Result<Field<&'a [u8]>, Reject> {
    let len = cursor.u32()?.value;
    cursor.take(usize::try_from(len).unwrap_or(usize::MAX))
}

/// Reads the section whose bytes start at `base`. Bytes left over are a fault only if `exact`.
///
/// # Errors
/// Any broken rule of the area `kv`; a limit if memory for the entries cannot be had.
pub(crate) fn read_kv(bytes: Buffer, base: u64, exact: bool, judge: &mut Judge) -> Result<KvSection, Error> {
    let mut cursor = Cursor::new(&bytes, base, Rule::KvSectionTruncated);
    let count = cursor.u32()?;
    let room = to_u64(bytes.len()).saturating_sub(KV_COUNT_LEN) / MIN_ENTRY_LEN;
    bound(u64::from(count.value) <= room, Rule::KvSectionCountHuge, count.span)?;
    let mut slots = reserved(u64::from(count.value))?;
    let mut readable = true;
    for _ in 0..count.value {
        let (slot, known) = read_entry(&mut cursor, judge)?;
        slots.push(slot);
        if !known {
            // Reached only with the rule waived or noted: nothing behind an unknown tag can be found.
            readable = false;
            break;
        }
    }
    let rest = cursor.rest();
    judge.require(!exact || !readable || rest.value.is_empty(), Rule::KvSectionLengthExact, rest.span)?;
    let mut by_key: Vec<u32> = reserved(to_u64(slots.len()))?;
    by_key.extend((0..count.value).take(slots.len()));
    let key = |position: &u32| slots.get(to_usize(*position)).map_or(&[][..], |slot| slot_key(&bytes, slot));
    by_key.sort_unstable_by(|a, b| key(a).cmp(key(b)).then(a.cmp(b)));
    for pair in by_key.windows(2) {
        let twice = key(&pair[0]) == key(&pair[1]);
        judge.require(!twice, Rule::KvKeyDuplicateReject, key_span(base, &slots, pair[1]))?;
    }
    Ok(KvSection { bytes: Some(bytes), slots, by_key })
}

fn key_span(base: u64, slots: &[Slot], position: u32) -> Span {
    let slot = slots.get(to_usize(position));
    let (start, len) = slot.map_or((0, 0), |slot| (u64::from(slot.key_position), u64::from(slot.key_length)));
    Span::at(base.saturating_add(start), len)
}

/// One entry, and whether its value has a known tag.
fn read_entry(cursor: &mut Cursor<'_>, judge: &mut Judge) -> Result<(Slot, bool), Reject> {
    let key_length = cursor.u16()?;
    judge.require(key_length.value >= 1, Rule::KvKeyLengthMin, key_length.span)?;
    let key_position = position(cursor);
    let key = cursor.take(usize::from(key_length.value))?;
    judge.require(std::str::from_utf8(key.value).is_ok(), Rule::KvKeyUtf8, bad_utf8(&key))?;
    let value_position = position(cursor);
    let tag = cursor.u8()?;
    let slot = Slot { key_position, value_position, key_length: key_length.value };
    let known = match KvType::from_tag(tag.value) {
        Some(KvType::Array) => read_array(cursor, judge)?,
        Some(kind) => {
            read_value(cursor, kind, judge)?;
            true
        }
        None => {
            let is_reserved = (0x08..=0xEF).contains(&tag.value);
            let is_private = (0xF0..=0xFE).contains(&tag.value);
            judge.require(!is_reserved, Rule::KvValueReservedReject, tag.span)?;
            judge.require(!is_private, Rule::KvValueUnknownReject, tag.span)?;
            judge.require(is_reserved || is_private, Rule::KvValueInvalidTag, tag.span)?;
            false
        }
    };
    Ok((slot, known))
}

/// The section's length is a `u32`, so positions in it fit.
fn position(cursor: &Cursor<'_>) -> u32 {
    u32::try_from(cursor.position()).unwrap_or(u32::MAX)
}

fn read_array(cursor: &mut Cursor<'_>, judge: &mut Judge) -> Result<bool, Reject> {
    let tag = cursor.u8()?;
    let element = KvType::from_tag(tag.value).filter(|element| *element != KvType::Array);
    judge.require(element.is_some(), Rule::KvValueArrayElementTag, tag.span)?;
    let count = cursor.u32()?;
    let Some(element) = element else { return Ok(false) };
    let needed = to_usize(count.value).saturating_mul(element.min_len());
    bound(needed <= cursor.left(), Rule::KvSectionTruncated, count.span)?;
    for _ in 0..count.value {
        read_value(cursor, element, judge)?;
    }
    Ok(true)
}

fn read_value(cursor: &mut Cursor<'_>, kind: KvType, judge: &mut Judge) -> Result<(), Reject> {
    match kind {
        KvType::String => {
            let text = sized(cursor)?;
            judge.require(std::str::from_utf8(text.value).is_ok(), Rule::KvValueStringUtf8, bad_utf8(&text))
        }
        KvType::Bool => {
            let byte = cursor.u8()?;
            judge.require(byte.value <= 1, Rule::KvValueBoolReject, byte.span)
        }
        // Every bit pattern of the others is a value; arrays do not nest.
        KvType::Int64 | KvType::Uint64 | KvType::Float64 | KvType::Bytes | KvType::Array => {
            view(cursor, kind).map(|_| ())
        }
    }
}

/// A length as the `u32` of the file.
///
/// # Errors
/// The length does not fit.
fn length(len: usize) -> Result<u32, Misuse> {
    u32::try_from(len).map_err(|_| Misuse::KvTooLong)
}
