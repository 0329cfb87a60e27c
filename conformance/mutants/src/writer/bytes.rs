//! Habits that change a finished file. Each finds its field by fixed places and the index, and leaves the rest of the file
//! in order: offsets and the checksum follow, unless they are what the habit is about.
//!
//! Owns these defects and nothing else.

#![expect(clippy::ptr_arg, reason = "one table holds the habits that move bytes and those that change them")]

use std::sync::Arc;

use crc::{CRC_32_ISCSI, Crc};
use hurray_adapter::{MemorySource, Source};

use hurray_conformance::judge::writer::file_view::{Entry, View};

const CRC32C: Crc<u32> = Crc::<u32>::new(&CRC_32_ISCSI);
const TRAILER_LEN: usize = 40;
/// The alignment a writer takes by itself.
const PAGE: u64 = 4096;

fn view(bytes: &[u8]) -> Option<View> {
    View::of(Source::Served(Box::new(MemorySource(Arc::from(bytes))))).ok()
}

fn entries(bytes: &[u8]) -> Vec<Entry> {
    let mut entries = view(bytes).map(|view| view.entries()).unwrap_or_default();
    entries.sort_by_key(|entry| entry.descriptor_offset);
    entries
}

fn put(bytes: &mut [u8], offset: u64, value: &[u8]) {
    let start = usize::try_from(offset).unwrap_or(usize::MAX);
    if let Some(place) = start.checked_add(value.len()).and_then(|end| bytes.get_mut(start..end)) {
        place.copy_from_slice(value);
    }
}

/// Writes a number of the trailer.
fn put_trailer(bytes: &mut [u8], offset: usize, value: &[u8]) {
    let start = bytes.len().saturating_sub(TRAILER_LEN) + offset;
    put(bytes, start as u64, value);
}

/// Makes the checksum that of the index.
fn seal(bytes: &mut [u8]) {
    if let Some(view) = view(bytes) {
        let checksum = CRC32C.checksum(view.index());
        put_trailer(bytes, 28, &checksum.to_le_bytes());
    }
}

/// Calls `change` with the offset of each index entry's fixed part, and the entry.
fn each_entry(bytes: &mut [u8], mut change: impl FnMut(&mut [u8], u64, &Entry)) {
    let Some(view) = view(bytes) else { return };
    let mut at = view.trailer(0, 8) + 8;
    for entry in view.entries() {
        at += 2 + entry.name.len() as u64;
        change(bytes, at, &entry);
        at += 32;
    }
    seal(bytes);
}

/// Moves everything from `at` on by `len` zero bytes.
fn shift(bytes: &mut Vec<u8>, at: u64, len: u64) {
    let moved = |offset: u64| if offset >= at { offset + len } else { offset };
    each_entry(bytes, |bytes, place, entry| {
        put(bytes, place, &moved(entry.descriptor_offset).to_le_bytes());
        put(bytes, place + 12, &moved(entry.data_offset).to_le_bytes());
    });
    let Some(view) = view(bytes) else { return };
    let (index, kv) = (view.trailer(0, 8), view.trailer(16, 8));
    put_trailer(bytes, 0, &moved(index).to_le_bytes());
    put_trailer(bytes, 16, &moved(kv).to_le_bytes());
    let start = usize::try_from(at).unwrap_or(usize::MAX).min(bytes.len());
    let gap = std::iter::repeat_n(0, usize::try_from(len).unwrap_or(0));
    drop(bytes.splice(start..start, gap));
}

/// The file's first descriptor, where there is one.
fn first(bytes: &[u8]) -> Option<Entry> {
    entries(bytes).into_iter().next()
}

fn set_flags(bytes: &mut [u8], change: fn(u8) -> u8) {
    if let Some(flags) = bytes.get_mut(12) {
        *flags = change(*flags);
    }
}

pub(super) fn container_major_2(bytes: &mut Vec<u8>) {
    put(bytes, 8, &[2]);
}

pub(super) fn container_minor_1(bytes: &mut Vec<u8>) {
    put(bytes, 9, &[1]);
}

pub(super) fn hint_of_nothing(bytes: &mut Vec<u8>) {
    put(bytes, 28, &0_u64.to_le_bytes());
}

pub(super) fn sorted_by_word_only(bytes: &mut Vec<u8>) {
    set_flags(bytes, |flags| flags | 2);
}

pub(super) fn checksum_promised_and_left_out(bytes: &mut Vec<u8>) {
    put_trailer(bytes, 28, &[0; 4]);
}

pub(super) fn reserved_header_byte(bytes: &mut Vec<u8>) {
    put(bytes, 40, &[1]);
}

pub(super) fn descriptor_minor_1(bytes: &mut Vec<u8>) {
    if let Some(entry) = first(bytes) {
        put(bytes, entry.descriptor_offset + 5, &[1]);
    }
}

pub(super) fn reserved_descriptor_flag(bytes: &mut Vec<u8>) {
    if let Some(entry) = first(bytes) {
        put(bytes, entry.descriptor_offset + 13, &[0x80]);
    }
}

/// Eight bytes more than any padding, behind every tensor but the last; data moves by a page, which keeps it aligned.
pub(super) fn too_much_behind_a_tensor(bytes: &mut Vec<u8>) {
    if let [_, second, ..] = entries(bytes).as_slice() {
        shift(bytes, second.descriptor_offset, 2 * PAGE);
    }
}

pub(super) fn too_much_before_data(bytes: &mut Vec<u8>) {
    if let Some(entry) = entries(bytes).into_iter().find(|entry| entry.data_len > 0) {
        shift(bytes, entry.data_offset, alignment(bytes));
    }
}

pub(super) fn padding_that_is_not_zero(bytes: &mut Vec<u8>) {
    if let Some(entry) = entries(bytes).into_iter().find(|entry| entry.data_len > 0) {
        let end = entry.descriptor_offset + u64::from(entry.descriptor_len);
        if end < entry.data_offset {
            put(bytes, end, &[0x20]);
        }
    }
}

fn alignment(bytes: &[u8]) -> u64 {
    view(bytes).map_or(PAGE, |view| view.number(16, 4))
}

/// The descriptor behind an empty tensor stands where its own descriptor ends.
pub(super) fn crowded_behind_nothing(bytes: &mut Vec<u8>) {
    let all = entries(bytes);
    let pair = all.windows(2).find(|pair| pair[0].data_len == 0 && pair[1].data_len > 0);
    if let Some([_, next]) = pair {
        shift(bytes, next.descriptor_offset, 4);
        // Its data stays where it has to be.
        let data = next.data_offset + 4;
        shift(bytes, data, alignment(bytes) - 4);
    }
}

/// A page of padding behind each head, as behind the descriptors of tensors.
/// Up to the next boundary, as published writers do it. The rest of that page goes in before the data, which stays aligned.
pub(super) fn padding_behind_heads(bytes: &mut Vec<u8>) {
    let all = entries(bytes);
    let is_head = |entry: &Entry| view(bytes).is_some_and(|view| view.number(entry.descriptor_offset + 15, 1) == 0x0b);
    let behind_heads = all.windows(2).filter(|pair| is_head(&pair[0]));
    let places: Vec<(u64, u64)> = behind_heads.map(|pair| (pair[1].descriptor_offset, pair[1].data_offset)).collect();
    for (place, data) in places.into_iter().rev() {
        shift(bytes, data, place % PAGE);
        shift(bytes, place, PAGE - place % PAGE);
    }
}

/// The word for a number of members that nobody knows, in every head.
pub(super) fn members_without_number(bytes: &mut Vec<u8>) {
    let Some(view) = view(bytes) else { return };
    for entry in entries(bytes).into_iter().filter(|entry| view.number(entry.descriptor_offset + 15, 1) == 0x0b) {
        let rank = view.number(entry.descriptor_offset + 16, 4);
        // Fixed header, shape, byte_offset; then two bytes of tags and two that are reserved.
        put(bytes, entry.descriptor_offset + 20 + 8 * rank + 8 + 4, &u32::MAX.to_le_bytes());
    }
}

pub(super) fn data_length_one_less(bytes: &mut Vec<u8>) {
    each_entry(bytes, |bytes, place, entry| {
        put(bytes, place + 20, &entry.data_len.saturating_sub(1).to_le_bytes());
    });
}

pub(super) fn descriptor_length_of_the_padded(bytes: &mut Vec<u8>) {
    let Some(entry) = first(bytes) else { return };
    let padded = (entry.descriptor_len + 8).next_multiple_of(8);
    put(bytes, entry.descriptor_offset + 6, &padded.to_le_bytes());
    each_entry(bytes, |bytes, place, other| {
        if other.descriptor_offset == entry.descriptor_offset {
            put(bytes, place + 8, &padded.to_le_bytes());
        }
    });
}

/// The key-value section behind the index.
pub(super) fn index_before_entries(bytes: &mut Vec<u8>) {
    let Some(view) = view(bytes) else { return };
    let (kv_offset, kv_len) = (view.trailer(16, 8), view.trailer(24, 4));
    if kv_len == 0 {
        return;
    }
    let (kv, index) = (view.slice(kv_offset, kv_len).to_vec(), view.index().to_vec());
    let trailer = bytes.split_off(bytes.len() - TRAILER_LEN);
    bytes.truncate(usize::try_from(kv_offset).unwrap_or(0));
    bytes.extend_from_slice(&index);
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    let moved = bytes.len() as u64;
    bytes.extend_from_slice(&kv);
    bytes.extend_from_slice(&trailer);
    put_trailer(bytes, 0, &kv_offset.to_le_bytes());
    put_trailer(bytes, 16, &moved.to_le_bytes());
}

fn value_tag(bytes: &mut [u8], tag: u8) {
    let Some(view) = view(bytes) else { return };
    let kv = view.trailer(16, 8);
    if kv > 0 && view.number(kv, 4) > 0 {
        let key_len = view.number(kv + 4, 2);
        put(bytes, kv + 6 + key_len, &[tag]);
    }
}

pub(super) fn reserved_value_tag(bytes: &mut Vec<u8>) {
    value_tag(bytes, 0x08);
}

pub(super) fn private_value_tag(bytes: &mut Vec<u8>) {
    value_tag(bytes, 0xf0);
}
