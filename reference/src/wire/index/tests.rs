//! The index by table, and its lookup.

use super::*;
use crate::judge::Policy;
use crate::reject::{Error, Found};

const BASE_OFFSET: u64 = 200;

/// Two entries: `b` with a descriptor of 61 bytes at 64 and 48 bytes of data at 4096; `a` behind it.
fn base() -> Vec<u8> {
    let mut bytes = vec![2, 0, 0, 0, 0, 0, 0, 0];
    bytes.extend([1, 0, b'b', 64, 0, 0, 0, 0, 0, 0, 0, 61, 0, 0, 0, 0, 0x10, 0, 0, 0, 0, 0, 0]);
    bytes.extend([48, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    bytes.extend([1, 0, b'a', 0x30, 0x10, 0, 0, 0, 0, 0, 0, 45, 0, 0, 0, 0, 0x20, 0, 0, 0, 0, 0, 0]);
    bytes.extend([4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    bytes
}

fn read(bytes: &[u8], policy: Policy) -> Result<Index, Error> {
    let mut buffer = Buffer::zeroed(bytes.len() as u64, 1).unwrap();
    buffer.copy_from_slice(bytes);
    read_index(buffer, BASE_OFFSET, true, &mut Judge::new(policy))
}

fn rejected(bytes: &[u8]) -> Reject {
    match read(bytes, Policy::strict()) {
        Err(Error::Reject(reject)) => reject,
        other => panic!("{other:?}"),
    }
}

#[test]
fn entries_keep_their_order_and_are_found_by_name() {
    let index = read(&base(), Policy::strict()).unwrap();
    let names: Vec<&[u8]> = index.iter().map(|entry| entry.name).collect();
    assert_eq!(names, [b"b", b"a"]);
    assert_eq!(
        (index.find(b"a"), index.find(b"b"), index.find(b""), index.find(b"ab")),
        (Some(1), Some(0), None, None)
    );
    let entry = index.get(1).unwrap();
    assert_eq!((entry.descriptor_offset, entry.descriptor_length), (4144, 45));
    assert_eq!((entry.data_offset, entry.data_length), (8192, 4));
    let spans = [
        (entry.name_span(), 245, 1),
        (entry.descriptor_offset_span(), 246, 8),
        (entry.descriptor_length_span(), 254, 4),
        (entry.data_offset_span(), 258, 8),
        (entry.data_length_span(), 266, 8),
    ];
    for (span, start, len) in spans {
        assert_eq!((span.start, span.end), (start, start + len));
    }
}

#[test]
fn each_field_is_refused_at_its_place() {
    let cases: [(usize, &[u8], Rule, u64); 7] = [
        (0, &[3], Rule::ContainerSafetyIndexCountHuge, 200),
        (7, &[0x10], Rule::ContainerSafetyIndexCountHuge, 200),
        (0, &[1], Rule::ContainerIndexLengthExact, 243),
        (10, &[0xFF], Rule::ContainerIndexNameUtf8, 210),
        (8, &[0xFF, 0xFF], Rule::ContainerSafetyIndexEntryOverrun, 210),
        (39, &[1], Rule::ContainerIndexFlagsZero, 239),
        (42, &[0x80], Rule::ContainerIndexFlagsZero, 239),
    ];
    for (at, bytes, rule, start) in cases {
        let mut index = base();
        index[at..at + bytes.len()].copy_from_slice(bytes);
        let reject = rejected(&index);
        assert_eq!((reject.rule, reject.span.start), (rule, start), "{bytes:?} at {at}");
    }
}

#[test]
fn an_empty_name_is_refused() {
    let mut index = base();
    index[8] = 0;
    index.remove(10);
    index.push(0);
    assert_eq!(rejected(&index).rule, Rule::ContainerIndexNameNonempty);
}

#[test]
fn a_count_is_bounded_before_memory_is_asked_for() {
    let mut index = base();
    index[..8].copy_from_slice(&(1_u64 << 60).to_le_bytes());
    let reject = rejected(&index);
    assert_eq!((reject.rule, reject.found), (Rule::ContainerSafetyIndexCountHuge, Found::Unsigned(1 << 60)));
}

#[test]
fn every_truncation_is_refused_whatever_the_policy() {
    let bytes = base();
    for len in 0..bytes.len() {
        assert!(matches!(read(&bytes[..len], Policy::collecting()), Err(Error::Reject(_))), "{len} bytes");
    }
}

#[test]
fn what_is_written_is_read_back() {
    let entry = |name: &str, descriptor_offset, descriptor_length, data_offset, data_length| NewEntry {
        name: name.to_owned(),
        descriptor_offset,
        descriptor_length,
        data_offset,
        data_length,
    };
    let entries = [entry("b", 64, 61, 4096, 48), entry("a", 4144, 45, 8192, 4)];
    assert_eq!(put_index(entries.iter()).unwrap(), base());
    // One byte more than its length could say.
    let (longest, too_long) = ("x".repeat(65_535), "x".repeat(65_536));
    assert!(put_index([entry(&longest, 64, 61, 4096, 48)].iter()).is_ok());
    assert_eq!(put_index([entry(&too_long, 64, 61, 4096, 48)].iter()), Err(Misuse::NameTooLong(65_536)));
}
