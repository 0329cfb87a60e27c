//! Names for the bytes of any file: walks header, trailer, index, key-values and descriptors as far as they make sense, and
//! keeps the fields near one offset. Names and widths are those of the specification's tables; judges nothing, and never
//! trusts a number.

use std::ops::Range;

use hurray_adapter::ReadAt;
use hurray_spec::tables::{
    BUFFER_HANDLE_LEN, DESCRIPTOR_HEADER_LEN, HEADER_LEN, INDEX_ENTRY_FIXED_LEN, Structure, TRAILER_LEN,
    VariableStructure, field_names,
};

use super::peek::Peek;

/// Index entries, key-value entries and dimensions looked at; beyond them bytes simply have no name.
const MAX_ITEMS: u64 = 1 << 20;
/// Fields kept; a window is small, and a hostile file may put everything into it.
const MAX_FIELDS: usize = 256;
/// Descriptors walked: any number of index entries may point at the same bytes.
const MAX_DESCRIPTORS: u32 = 64;
/// Bytes of a name that are shown.
const MAX_NAME: u64 = 64;

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
        self.record("header", 0, "header");
        let trailer = size.checked_sub(TRAILER_LEN)?;
        self.record("trailer", trailer, "trailer");
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
        self.record_variable("index", index.start, "index.section", &[]);
        let count = self.peek.u64(index.start)?.min(MAX_ITEMS);
        let mut at = index.start.checked_add(8)?;
        for number in 0..count {
            let name_length = u64::from(self.peek.u16(at)?);
            let entry = at..at.checked_add(INDEX_ENTRY_FIXED_LEN + name_length)?;
            if entry.end > index.end {
                return None;
            }
            if self.touches(&entry) {
                self.record_variable(&format!("index.entry[{number}]"), at, "index.entry", &[name_length]);
            }
            let fixed = at + 2 + name_length;
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
        self.record(&prefix, range.start, "descriptor.header");
        let shape = range.start.checked_add(DESCRIPTOR_HEADER_LEN)?;
        let rank = u64::from(self.peek.u32(range.start + 16)?);
        let layout = self.peek.u8(range.start + 15)?;
        let byte_offset = shape.checked_add(rank.checked_mul(8)?)?;
        if rank > MAX_ITEMS || byte_offset > range.end {
            return None;
        }
        let [shape_name, byte_offset_name] = names("descriptor.core");
        self.items(&format!("{prefix}.{shape_name}"), shape, rank);
        self.note(&format!("{prefix}.{byte_offset_name}"), byte_offset, 8);
        let mut at = byte_offset.checked_add(8)?;
        if layout == STRIDED {
            let [strides_name] = names("layout.strided");
            self.items(&format!("{prefix}.{strides_name}"), at, rank);
            at = at.checked_add(8 * rank)?;
        } else if !PLAIN_LAYOUTS.contains(&layout) {
            return None;
        }
        if at >= range.end {
            return None;
        }
        self.record_variable(&prefix, at, "buffer_table", &[]);
        for number in 0..u64::from(self.peek.u8(at)?) {
            let handle = at.checked_add(1 + BUFFER_HANDLE_LEN * number)?;
            self.record(&format!("{prefix}.buffer[{number}]"), handle, "buffer_handle");
        }
        Some(())
    }

    fn key_values(&mut self, kv: Range<u64>) -> Option<()> {
        self.record_variable("kv", kv.start, "kv.section", &[]);
        let count = u64::from(self.peek.u32(kv.start)?).min(MAX_ITEMS);
        let mut at = kv.start.checked_add(4)?;
        for number in 0..count {
            if at >= kv.end {
                return None;
            }
            let key_length = u64::from(self.peek.u16(at)?);
            let tag_at = at + 2 + key_length;
            let tag = self.peek.u8(tag_at)?;
            let prefix = format!("kv.entry[{number}]");
            match self.value(tag, tag_at + 1, kv.end) {
                Some(end) => {
                    self.record_variable(&prefix, at, "kv.entry", &[key_length, end.checked_sub(tag_at + 1)?]);
                    at = end;
                }
                None => {
                    self.record_variable(&prefix, at, "kv.entry", &[key_length]);
                    return None;
                }
            }
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

    /// Names the fields of a structure of fixed length.
    fn record(&mut self, prefix: &str, start: u64, structure: &str) {
        for field in Structure::from_id(structure).map_or(&[][..], |structure| structure.fields) {
            self.note(&format!("{prefix}.{}", field.name), start.saturating_add(field.offset), field.len);
        }
    }

    /// Names the fields of a structure whose length varies, up to the first that `lens` has no length for.
    fn record_variable(&mut self, prefix: &str, start: u64, structure: &str, lens: &[u64]) {
        let (mut at, mut lens) = (start, lens.iter());
        for field in VariableStructure::from_id(structure).map_or(&[][..], |structure| structure.fields) {
            let Some(len) = field.len.or_else(|| lens.next().copied()) else { return };
            self.note(&format!("{prefix}.{}", field.name), at, len);
            at = at.saturating_add(len);
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

/// The names of all `N` fields of a structure.
fn names<const N: usize>(structure: &str) -> [&'static str; N] {
    field_names(structure).and_then(|names| names.try_into().ok()).unwrap_or([""; N])
}

/// A range that ends at the end of numbers rather than before its start.
fn span(start: u64, len: u64) -> Range<u64> {
    start..start.saturating_add(len)
}

#[cfg(test)]
mod tests {
    use hurray_adapter::MemorySource;

    use super::*;
    use hurray_corpus::{Feature, VectorSet};

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

    fn named(bytes: &[u8], window: Range<u64>) -> Vec<String> {
        fields_in(&mut MemorySource(bytes.into()), window).into_iter().map(|field| field.name).collect()
    }

    #[test]
    fn every_structure_names_its_bytes() {
        let file = small_file();
        assert_eq!(named(&file, 0..1), ["header.magic"]);
        assert_eq!(named(&file, 63..69), ["header._reserved_header", "kv.kv_count", "kv.entry[0].key_length"]);
        assert_eq!(named(&file, 70..73), ["kv.entry[0].key", "kv.entry[0].value_tag", "kv.entry[0].value"]);
        assert_eq!(named(&file, 74..80), [""; 0]);
        assert_eq!(named(&file, 80..81), ["index.index_entry_count"]);
        assert_eq!(named(&file, 127..128), ["trailer.trailer_magic"]);
    }

    /// Recipes, this walk and the tables of the specification have one name for a field.
    #[test]
    fn fields_have_the_names_that_recipes_give_them() {
        let set = VectorSet::embedded().expect("the vectors");
        let plain = ["row_major", "column_major", "strided"];
        let structures = ["descriptor.header", "descriptor.core", "buffer_table"];
        let descriptor: Vec<_> = structures.iter().filter_map(|id| field_names(id)).flatten().collect();
        let mut count = 0;
        for base in set.vectors.iter().filter(|vector| vector.id.starts_with("bases/") && vector.mode.is_of_file()) {
            let is_plain = base.needs.iter().all(|need| match need {
                Feature::Layout(layout) => plain.contains(&layout.name),
                Feature::Type(_) | Feature::Quantization(_) | Feature::Write(_) => true,
            });
            for (label, range) in base.labels.iter().filter(|(_, range)| !range.is_empty()) {
                let Some((block, name)) = label.rsplit_once('.') else { continue };
                let inner = block.rsplit('.').next().unwrap_or_default();
                let is_walked = match inner {
                    "header" | "trailer" => true,
                    "descriptor" => is_plain && descriptor.contains(&name),
                    _ if inner.starts_with("handle") => is_plain,
                    _ => block.starts_with("index.") || block == "index" && !name.starts_with('e'),
                };
                if is_walked {
                    let found = fields_in(&mut MemorySource(base.bytes.clone()), range.start..range.start + 1);
                    let ends = [format!(".{name}"), format!(".{name}[0]")];
                    let is_same = |field: &Field| ends.iter().any(|end| field.name.ends_with(end));
                    assert!(found.iter().any(is_same), "{}: {label} is {found:?}", base.id);
                    count += 1;
                }
            }
        }
        assert!(count > 3000, "{count} fields were compared");
    }

    #[test]
    fn any_bytes_and_any_cut_are_survived() {
        let mut file = small_file();
        for keep in 0..file.len() {
            let _ = named(&file[..keep], 0..u64::MAX);
        }
        for at in 0..file.len() {
            let before = file[at];
            for value in [0, 1, 0x7f, 0x80, 0xff] {
                file[at] = value;
                assert!(named(&file, 0..u64::MAX).len() <= MAX_FIELDS);
            }
            file[at] = before;
        }
    }
}
