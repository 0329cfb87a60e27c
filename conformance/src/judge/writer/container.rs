//! What the container of a written file shows of its writer beyond what every file owes: promises of the header, places,
//! order. Owns these questions; reads bytes through [`View`] and knows no implementation.

use crc::{CRC_32_ISCSI, Crc};
use hurray_adapter::{NewFile, NewItem, Text};
use hurray_spec::Rule;
use hurray_spec::tables::{
    COUNT_UNKNOWN, DESCRIPTOR_FLAGS_RESERVED, FILE_HAS_INDEX_CRC32C, FILE_SORTED_INDEX, SECTION_ALIGNMENT,
};

use super::neglect::Neglect;
use crate::judge::writer::file_view::{Entry, View};
use hurray_corpus::write_vector::{name_of, seen_in};

/// CRC-32C, by another implementation than that of the reference.
const CRC32C: Crc<u32> = Crc::<u32>::new(&CRC_32_ISCSI);

/// What was found, and the recommendations that were not followed.
#[derive(Debug, Default)]
pub(super) struct Facts {
    pub(super) faults: Vec<Neglect>,
    pub(super) advice: Vec<Rule>,
}

impl Facts {
    fn require(&mut self, is_kept: bool, rules: &[Rule], offset: u64, expected: &str, actual: impl ToString) {
        if !is_kept {
            self.faults.push(Neglect::invalid(rules, Some(offset), expected, actual.to_string()));
        }
    }

    fn advise(&mut self, is_followed: bool, rule: Rule) {
        if !is_followed && !self.advice.contains(&rule) {
            self.advice.push(rule);
        }
    }
}

/// Looks at the container of a file that was written from `file`.
pub(super) fn facts(view: &View, file: &NewFile) -> Facts {
    let mut facts = Facts::default();
    let mut entries = view.entries();
    header(view, file, entries.len() as u64, &mut facts);
    let order: Vec<Text> = seen_in(file).tensors.into_iter().map(|tensor| tensor.name).collect();
    let is_sorted = view.flags() & u64::from(FILE_SORTED_INDEX) != 0;
    let follows = || entries.iter().map(|entry| &entry.name).eq(order.iter().map(|name| &name.0));
    facts.advise(is_sorted || entries.len() != order.len() || follows(), Rule::ContainerIndexWriteOrder);
    entries.sort_by_key(|entry| entry.descriptor_offset);
    let heads: Vec<&Text> = file.items.iter().flat_map(heads_of).collect();
    for (at, entry) in entries.iter().enumerate() {
        let next = entries.get(at + 1).map(|next| next.descriptor_offset);
        let is_head = heads.iter().any(|head| head.0 == entry.name);
        descriptor(view, entry, &mut facts);
        placement(view, entry, next.filter(|_| is_head), is_head, &mut facts);
    }
    facts
}

fn header(view: &View, file: &NewFile, count: u64, facts: &mut Facts) {
    let number = |offset, len| view.number(offset, len);
    let (major, minor) = (number(8, 1), number(9, 1));
    let version = &[Rule::ContainerHeaderVersionMajor, Rule::VersionWriterExact];
    facts.require(major == 1, version, 8, "container major 1", major);
    let version = &[Rule::ContainerHeaderVersionMinor, Rule::VersionWriterExact];
    facts.require(minor == 0, version, 9, "container minor 0", minor);
    let hint = number(28, 8);
    let is_unknown = hint == COUNT_UNKNOWN || hint == count;
    let expected = format!("tensor_count_hint {COUNT_UNKNOWN}, or {count}");
    facts.require(is_unknown, &[Rule::ContainerHeaderHintUnknown], 28, &expected, hint);
    let flags = view.flags();
    let has_crc = flags & u64::from(FILE_HAS_INDEX_CRC32C) != 0;
    let (stored, computed) = (view.trailer(28, 4), u64::from(CRC32C.checksum(view.index())));
    // Without the flag the field is 0, and with it the true checksum (ruling R8).
    facts.advise(has_crc, Rule::ContainerFlagsCrcShouldSet);
    let (crc, wanted) = (&[Rule::ContainerWriterCrcPopulated], if has_crc { computed } else { 0 });
    let at = (view.bytes().len() as u64).saturating_sub(12);
    facts.require(stored == wanted, crc, at, &format!("index_crc32c {wanted:#010x}"), format!("{stored:#010x}"));
    let identical = &[Rule::ComplianceTestRoundtripIdentical];
    if let Some(alignment) = file.options.data_buffer_alignment {
        let seen = number(16, 4);
        let expected = format!("data_buffer_alignment {alignment}, as asked for");
        facts.require(seen == u64::from(alignment), identical, 16, &expected, seen);
    }
    let is_sorted = flags & u64::from(FILE_SORTED_INDEX) != 0;
    if let Some(wanted) = file.options.sorted_index {
        let expected = format!("SORTED_INDEX {wanted}, as asked for");
        facts.require(is_sorted == wanted, identical, 12, &expected, is_sorted);
    }
}

/// The fixed header of one descriptor.
fn descriptor(view: &View, entry: &Entry, facts: &mut Facts) {
    let at = entry.descriptor_offset;
    let version = view.slice(at.saturating_add(4), 2);
    let rules = &[Rule::DescriptorHeaderVersionCurrent, Rule::VersionWriterExact];
    let name = Text::new(entry.name.clone());
    let expected = format!("{name}: descriptor version 1.0");
    facts.require(version == [1, 0], rules, at.saturating_add(4), &expected, hex::encode(version));
    let flags = view.number(at.saturating_add(10), 4);
    let rules = &[Rule::DescriptorFlagsReservedZero, Rule::VersionWriterNoReserved];
    let is_zero = flags & u64::from(DESCRIPTOR_FLAGS_RESERVED) == 0;
    facts.require(
        is_zero,
        rules,
        at.saturating_add(10),
        &format!("{name}: reserved flags zero"),
        format!("{flags:#x}"),
    );
}

/// Where data and the next descriptor stand.
fn placement(view: &View, entry: &Entry, next: Option<u64>, is_head: bool, facts: &mut Facts) {
    let end = entry.descriptor_offset.saturating_add(u64::from(entry.descriptor_len));
    let name = Text::new(entry.name.clone());
    if let Some(next) = next {
        // A partition without members has none behind it; what stands there is judged as any other gap.
        let expected = format!("{name}: the first member right behind its head, at {}", up(end, SECTION_ALIGNMENT));
        let is_next = next == up(end, SECTION_ALIGNMENT);
        facts.require(is_next, &[Rule::ContainerCompositeNoPadAfterHead], next, &expected, next);
    }
    let alignment = view.number(16, 4).max(1);
    if entry.data_len == 0 && !is_head {
        // Both placements of an empty tensor are read (ruling R30).
        facts.advise(entry.data_offset.is_multiple_of(alignment), Rule::ContainerRegionEmptyBufferAligned);
    }
    if entry.data_len > 0 {
        let wanted = up(end, alignment);
        let rules = &[Rule::ContainerRegionDataNoExtraPad, Rule::ContainerWriterRecords];
        let expected = format!("{name}: data at the first boundary behind the descriptor, {wanted}");
        facts.require(entry.data_offset == wanted, rules, entry.data_offset, &expected, entry.data_offset);
    }
}

fn up(offset: u64, alignment: u64) -> u64 {
    offset.checked_next_multiple_of(alignment).unwrap_or(u64::MAX)
}

/// The names of all heads that have members, at every depth.
fn heads_of(item: &NewItem) -> Vec<&Text> {
    match item {
        NewItem::Tensor(_) => Vec::new(),
        NewItem::Composite(composite) => {
            let own = (!composite.members.is_empty()).then(|| name_of(item));
            own.into_iter().chain(composite.members.iter().flat_map(heads_of)).collect()
        }
    }
}
