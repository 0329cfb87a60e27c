//! Names for the bytes of any file: walks header, trailer, index, key-values and descriptors as far as they make sense, and
//! keeps the fields near one offset. Owns the field order of the container; judges nothing, and never trusts a number.

use std::ops::Range;

use hurray_adapter::ReadAt;

use super::peek::Peek;

/// Index entries, key-value entries and dimensions looked at; beyond them bytes simply have no name.
const MAX_ITEMS: u64 = 1 << 20;
/// Fields kept; a window is small, and a hostile file may put everything into it.
const MAX_FIELDS: usize = 256;
/// Descriptors walked: any number of index entries may point at the same bytes.
const MAX_DESCRIPTORS: u32 = 64;
/// Bytes of a name that are shown.
const MAX_NAME: u64 = 64;

const HEADER_LEN: u64 = 64;
const TRAILER_LEN: u64 = 40;
const HEADER: &[(&str, u64)] = &[
    ("magic", 8),
    ("container_version_major", 1),
    ("container_version_minor", 1),
    ("_reserved", 2),
    ("file_flags", 4),
    ("data_buffer_alignment", 4),
    ("first_descriptor_offset", 8),
    ("tensor_count_hint", 8),
    ("_reserved_header", 28),
];
const TRAILER: &[(&str, u64)] = &[
    ("index_offset", 8),
    ("index_length", 8),
    ("kv_offset", 8),
    ("kv_length", 4),
    ("index_crc32c", 4),
    ("_reserved", 4),
    ("trailer_magic", 4),
];
const ENTRY: &[(&str, u64)] =
    &[("descriptor_offset", 8), ("descriptor_length", 4), ("data_offset", 8), ("data_length", 8), ("flags", 4)];
const DESCRIPTOR: &[(&str, u64)] = &[
    ("magic", 4),
    ("version_major", 1),
    ("version_minor", 1),
    ("descriptor_length", 4),
    ("flags", 4),
    ("type_tag", 1),
    ("layout_tag", 1),
    ("rank", 4),
];
const HANDLE: &[(&str, u64)] =
    &[("byte_size", 8), ("alignment", 4), ("device_tag", 1), ("sync_mode", 1), ("memory_class", 1), ("_reserved", 1)];
/// Layouts without fields of their own, and strided, which has one stride a dimension.
const PLAIN_LAYOUTS: [u8; 2] = [0x01, 0x02];
const STRIDED: u8 = 0x03;

/// One named run of bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Such as `trailer.index_offset` or `index.entry[2].name`.
    pub name: String,
    /// Absolute byte range.
    pub range: Range<u64>,
}

/// The fields that overlap `window`, in the order of the bytes. Where two structures claim the same bytes both are named.
pub fn fields_in(source: &mut dyn ReadAt, window: Range<u64>) -> Vec<Field> {
    let mut walk = Walk { peek: Peek::new(source), window, fields: Vec::new(), descriptors: 0 };
    walk.file();
    walk.fields.sort_by_key(|field| (field.range.start, field.range.end));
    walk.fields.dedup();
    walk.fields
}

struct Walk<'a> {
    peek: Peek<'a>,
    window: Range<u64>,
    fields: Vec<Field>,
    descriptors: u32,
}

impl Walk<'_> {
    fn file(&mut self) -> Option<()> {
        let size = self.peek.size();
        self.record("header", 0, HEADER);
        let trailer = size.checked_sub(TRAILER_LEN)?;
        self.record("trailer", trailer, TRAILER);
        let index = self.peek.u64(trailer)?..self.peek.u64(trailer)?.checked_add(self.peek.u64(trailer + 8)?)?;
        let kv_offset = self.peek.u64(trailer + 16)?;
        let kv = kv_offset..kv_offset.checked_add(u64::from(self.peek.u32(trailer + 24)?))?;
        if kv.start >= HEADER_LEN && kv.end <= trailer && self.touches(&kv) {
            self.key_values(kv);
        }
        if index.start >= HEADER_LEN && index.end <= trailer {
            self.index(index);
        }
        Some(())
    }

    fn index(&mut self, index: Range<u64>) -> Option<()> {
        self.note("index.index_entry_count", index.start, 8);
        let count = self.peek.u64(index.start)?.min(MAX_ITEMS);
        let mut at = index.start.checked_add(8)?;
        for number in 0..count {
            let name_length = u64::from(self.peek.u16(at)?);
            let fixed = at.checked_add(2 + name_length)?;
            if fixed.checked_add(32)? > index.end {
                return None;
            }
            let entry = at..fixed + 32;
            if self.touches(&entry) {
                let prefix = format!("index.entry[{number}]");
                self.note(&format!("{prefix}.name_length"), at, 2);
                self.note(&format!("{prefix}.name"), at + 2, name_length);
                self.record(&prefix, fixed, ENTRY);
            }
            let descriptor = span(self.peek.u64(fixed)?, u64::from(self.peek.u32(fixed + 8)?));
            let data = span(self.peek.u64(fixed + 12)?, self.peek.u64(fixed + 20)?);
            let is_near = self.touches(&descriptor) || self.touches(&data);
            if is_near && self.descriptors < MAX_DESCRIPTORS {
                self.descriptors += 1;
                let tensor = self.peek.text(at + 2, name_length.min(MAX_NAME))?;
                self.descriptor(&tensor, descriptor, &data);
            }
            at = entry.end;
        }
        Some(())
    }

    /// Names a descriptor's fields, and the data that belongs to its buffers.
    fn descriptor(&mut self, tensor: &str, range: Range<u64>, data: &Range<u64>) -> Option<()> {
        self.note(&format!("{tensor}.data"), data.start, data.end - data.start);
        if !self.touches(&range) {
            return None;
        }
        let prefix = format!("{tensor}.descriptor");
        self.record(&prefix, range.start, DESCRIPTOR);
        let rank = u64::from(self.peek.u32(range.start.checked_add(16)?)?);
        let layout = self.peek.u8(range.start + 15)?;
        let shape = range.start + 20;
        let byte_offset = shape.checked_add(rank.checked_mul(8)?)?;
        if rank > MAX_ITEMS || byte_offset > range.end {
            return None;
        }
        self.items(&format!("{prefix}.shape"), shape, rank);
        self.note(&format!("{prefix}.byte_offset"), byte_offset, 8);
        let mut at = byte_offset.checked_add(8)?;
        if layout == STRIDED {
            self.items(&format!("{prefix}.strides"), at, rank);
            at = at.checked_add(8 * rank)?;
        } else if !PLAIN_LAYOUTS.contains(&layout) {
            return None;
        }
        if at >= range.end {
            return None;
        }
        self.note(&format!("{prefix}.buffer_count"), at, 1);
        for number in 0..u64::from(self.peek.u8(at)?) {
            let handle = at + 1 + 16 * number;
            self.record(&format!("{prefix}.buffer[{number}]"), handle, HANDLE);
        }
        Some(())
    }

    fn key_values(&mut self, kv: Range<u64>) -> Option<()> {
        self.note("kv.kv_count", kv.start, 4);
        let count = u64::from(self.peek.u32(kv.start)?).min(MAX_ITEMS);
        let mut at = kv.start.checked_add(4)?;
        for number in 0..count {
            if at >= kv.end {
                return None;
            }
            let key_length = u64::from(self.peek.u16(at)?);
            let tag_at = at + 2 + key_length;
            let tag = self.peek.u8(tag_at)?;
            let value = self.value(tag, tag_at + 1, kv.end);
            let prefix = format!("kv.entry[{number}]");
            self.note(&format!("{prefix}.key_length"), at, 2);
            self.note(&format!("{prefix}.key"), at + 2, key_length);
            self.note(&format!("{prefix}.value_tag"), tag_at, 1);
            let end = value?;
            self.note(&format!("{prefix}.value"), tag_at + 1, end.checked_sub(tag_at + 1)?);
            at = end;
        }
        Some(())
    }

    /// End of a value's payload; none if it has no end inside the section.
    fn value(&mut self, tag: u8, at: u64, end: u64) -> Option<u64> {
        let payload_end = match tag {
            0x01 | 0x06 => at.checked_add(4)?.checked_add(u64::from(self.peek.u32(at)?))?,
            0x02..=0x04 => at.checked_add(8)?,
            0x05 => at.checked_add(1)?,
            0x07 => {
                let element = self.peek.u8(at)?;
                let mut element_at = at.checked_add(5)?;
                for _ in 0..u64::from(self.peek.u32(at + 1)?).min(MAX_ITEMS) {
                    element_at = if element == 0x07 { None } else { self.value(element, element_at, end) }?;
                }
                element_at
            }
            _ => return None,
        };
        (payload_end <= end).then_some(payload_end)
    }

    fn record(&mut self, prefix: &str, start: u64, fields: &[(&str, u64)]) {
        let mut at = start;
        for (name, len) in fields {
            self.note(&format!("{prefix}.{name}"), at, *len);
            at = at.saturating_add(*len);
        }
    }

    fn items(&mut self, name: &str, start: u64, count: u64) {
        let first = self.window.start.saturating_sub(start) / 8;
        let last = self.window.end.saturating_sub(start).div_ceil(8).min(count);
        for number in first..last {
            self.note(&format!("{name}[{number}]"), start.saturating_add(8 * number), 8);
        }
    }

    fn note(&mut self, name: &str, start: u64, len: u64) {
        let range = span(start, len);
        if self.touches(&range) && self.fields.len() < MAX_FIELDS {
            self.fields.push(Field { name: name.to_owned(), range });
        }
    }

    fn touches(&self, range: &Range<u64>) -> bool {
        range.start < self.window.end && self.window.start < range.end
    }
}

/// A range that ends at the end of numbers rather than before its start.
fn span(start: u64, len: u64) -> Range<u64> {
    start..start.saturating_add(len)
}

#[cfg(test)]
mod tests {
    use hurray_adapter::MemorySource;

    use super::*;

    /// No tensors, one boolean key, as the specification lays it out.
    fn small_file() -> Vec<u8> {
        let mut file = b"HRRYFILE".to_vec();
        file.resize(64, 0);
        file.extend([1, 0, 0, 0, 1, 0, b'k', 5, 1, 0, 0, 0, 0, 0, 0, 0]); // kv: 9 bytes and padding
        file.extend(0_u64.to_le_bytes());
        for value in [80_u64, 8, 64] {
            file.extend(value.to_le_bytes());
        }
        file.extend(9_u32.to_le_bytes());
        file.extend([0; 8]);
        file.extend(b"HRRY");
        file
    }

    fn names(bytes: &[u8], window: Range<u64>) -> Vec<String> {
        fields_in(&mut MemorySource(bytes.into()), window).into_iter().map(|field| field.name).collect()
    }

    #[test]
    fn every_structure_names_its_bytes() {
        let file = small_file();
        assert_eq!(names(&file, 0..1), ["header.magic"]);
        assert_eq!(names(&file, 63..69), ["header._reserved_header", "kv.kv_count", "kv.entry[0].key_length"]);
        assert_eq!(names(&file, 70..73), ["kv.entry[0].key", "kv.entry[0].value_tag", "kv.entry[0].value"]);
        assert_eq!(names(&file, 74..80), [""; 0]);
        assert_eq!(names(&file, 80..81), ["index.index_entry_count"]);
        assert_eq!(names(&file, 127..128), ["trailer.trailer_magic"]);
    }

    #[test]
    fn any_bytes_and_any_cut_are_survived() {
        let mut file = small_file();
        for keep in 0..file.len() {
            let _ = names(&file[..keep], 0..u64::MAX);
        }
        for at in 0..file.len() {
            let before = file[at];
            for value in [0, 1, 0x7f, 0x80, 0xff] {
                file[at] = value;
                assert!(names(&file, 0..u64::MAX).len() <= MAX_FIELDS);
            }
            file[at] = before;
        }
    }
}
