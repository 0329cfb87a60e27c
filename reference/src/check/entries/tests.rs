//! The index as a whole by table: two entries against each other and against the header.

use super::*;
use crate::judge::Policy;
use crate::memory::Buffer;
use crate::wire::header::{put_header, read_header};
use crate::wire::index::{NewEntry, put_index, read_index};

const SIZE: u64 = 10_000;

fn index(entries: &[(&str, u64)]) -> Index {
    let entry = |(name, descriptor_offset): &(&str, u64)| NewEntry {
        name: (*name).to_owned(),
        descriptor_offset: *descriptor_offset,
        descriptor_length: 45,
        data_offset: 0,
        data_length: 0,
    };
    let entries: Vec<NewEntry> = entries.iter().map(entry).collect();
    let bytes = put_index(entries.iter()).unwrap();
    let mut buffer = Buffer::zeroed(bytes.len() as u64, 1).unwrap();
    buffer.copy_from_slice(&bytes);
    read_index(buffer, 9000, true, &mut Judge::new(Policy::strict())).unwrap()
}

/// The rule that an index breaks under a header with these edits, and where.
fn broken(entries: &[(&str, u64)], flags: u32, edits: &[(usize, u8)]) -> Option<(Rule, u64)> {
    let mut bytes = put_header(flags, 4096);
    for (at, byte) in edits {
        bytes[*at] = *byte;
    }
    let header = read_header(&bytes, &mut Judge::new(Policy::strict())).unwrap();
    let mut judge = Judge::new(Policy::collecting());
    check_entries(&index(entries), &header, SIZE, &mut judge).unwrap();
    judge.findings().first().map(|finding| (finding.rule, finding.span.start))
}

#[test]
fn names_are_unique_and_in_order_only_where_promised() {
    let unsorted = [("b", 64), ("a", 112)];
    assert_eq!(broken(&unsorted, 0, &[]), None);
    assert_eq!(broken(&unsorted, flag::SORTED, &[]), Some((Rule::ContainerIndexSortedOrder, 9045)));
    assert_eq!(broken(&[("a", 64), ("a\0", 112), ("b", 160)], flag::SORTED, &[]), None);
    assert_eq!(broken(&[("a", 64), ("A", 112)], 0, &[]), None);
    // The second of the two is at fault, wherever it stands.
    let twice = [("b", 64), ("a", 112), ("b", 160)];
    assert_eq!(broken(&twice, 0, &[]), Some((Rule::ContainerIndexNameUnique, 9080)));
}

#[test]
fn no_two_entries_share_a_descriptor() {
    assert_eq!(broken(&[("a", 64), ("b", 64)], 0, &[]), Some((Rule::ContainerIndexCount, 9043)));
    assert_eq!(broken(&[("a", 64), ("b", 72)], 0, &[]), None);
}

#[test]
fn the_first_descriptor_is_the_one_the_header_names() {
    assert_eq!(broken(&[("b", 112), ("a", 64)], 0, &[]), None);
    let points = Some((Rule::ContainerHeaderFirstDescriptorPoints, 20));
    assert_eq!(broken(&[("a", 72)], 0, &[]), points);
    assert_eq!(broken(&[("a", 64)], 0, &[(20, 72)]), points);
    assert_eq!(broken(&[("a", 64)], 0, &[(20, 68)]), Some((Rule::ContainerHeaderFirstDescriptorAligned, 20)));
    assert_eq!(broken(&[("a", 68)], 0, &[(20, 68)]), Some((Rule::ContainerRegionDescriptorAligned, 9011)));
    // Without tensors it points at nothing, and one out of bounds is at fault when it is asked for (ruling R13).
    assert_eq!(broken(&[], 0, &[(20, 68)]), None);
    assert_eq!(broken(&[("a", 0), ("b", 64)], 0, &[]), None);
}

#[test]
fn a_hint_is_true_or_unknown() {
    let hint = |count: u8| (28..36).map(|at| (at, if at == 28 { count } else { 0 })).collect::<Vec<_>>();
    let wrong = Some((Rule::ContainerHeaderHintValue, 28));
    assert_eq!(broken(&[("a", 64)], 0, &hint(1)), None);
    assert_eq!(broken(&[("a", 64)], 0, &hint(2)), wrong);
    assert_eq!(broken(&[("a", 64)], 0, &hint(0)), wrong);
    assert_eq!(broken(&[], 0, &hint(0)), None);
}
