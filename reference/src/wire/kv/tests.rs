//! The key-value section by table: every type, every tag, every truncation, and the bytes that are written.

use super::*;
use crate::judge::Policy;

/// One entry of every type.
const BASE: &[u8] = &[
    7, 0, 0, 0, //
    1, 0, b's', 1, 2, 0, 0, 0, 0xC3, 0xA9, //
    1, 0, b'i', 2, 0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, //
    1, 0, b'u', 3, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, //
    1, 0, b'f', 4, 1, 0, 0, 0, 0, 0, 0xF0, 0x7F, //
    1, 0, b'b', 5, 1, //
    1, 0, b'y', 6, 1, 0, 0, 0, 0xFF, //
    1, 0, b'a', 7, 5, 2, 0, 0, 0, 0, 1,
];

fn read(bytes: &[u8], policy: Policy) -> Result<KvSection, Error> {
    let mut buffer = Buffer::zeroed(bytes.len() as u64, 1).unwrap();
    buffer.copy_from_slice(bytes);
    read_kv(buffer, 100, true, &mut Judge::new(policy))
}

fn edited(at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut section = BASE.to_vec();
    section[at..at + bytes.len()].copy_from_slice(bytes);
    section
}

fn rule(bytes: &[u8]) -> (Rule, u64) {
    match read(bytes, Policy::strict()) {
        Err(Error::Reject(reject)) => (reject.rule, reject.span.start),
        other => panic!("{other:?}"),
    }
}

fn values() -> Vec<(String, KvValue)> {
    let bools = vec![KvValue::Bool(false), KvValue::Bool(true)];
    vec![
        ("s".into(), KvValue::String("é".into())),
        ("i".into(), KvValue::Int64(-2)),
        ("u".into(), KvValue::Uint64(u64::MAX)),
        ("f".into(), KvValue::Float64(f64::from_bits(0x7FF0_0000_0000_0001))),
        ("b".into(), KvValue::Bool(true)),
        ("y".into(), KvValue::Bytes(vec![0xFF])),
        ("a".into(), KvValue::Array { element: KvType::Bool, items: bools }),
    ]
}

#[test]
fn every_type_is_read_and_written_bit_for_bit() {
    let section = read(BASE, Policy::strict()).unwrap();
    assert_eq!(section.len(), 7);
    let read: Vec<_> = section.iter().map(|(key, value)| (key.to_vec(), value.to_value().unwrap())).collect();
    for ((key, value), (expected_key, expected)) in read.iter().zip(values()) {
        assert_eq!(key, expected_key.as_bytes());
        match (value, &expected) {
            (KvValue::Float64(bits), KvValue::Float64(expected)) => assert_eq!(bits.to_bits(), expected.to_bits()),
            (value, expected) => assert_eq!(value, expected),
        }
    }
    assert!(matches!(section.get("i"), Some(KvValueRef::Int64(-2))));
    assert!(section.get("I").is_none());
    assert_eq!(put_kv(&values()).unwrap(), BASE);
}

#[test]
fn each_fault_is_refused_at_its_place() {
    let cases: [(usize, &[u8], Rule, u64); 13] = [
        (0, &[15], Rule::KvSectionCountHuge, 100),
        (0, &[8], Rule::KvSectionTruncated, 175),
        (0, &[6], Rule::KvSectionLengthExact, 164),
        (6, &[0xFF], Rule::KvKeyUtf8, 106),
        (16, b"s", Rule::KvKeyDuplicateReject, 116),
        (13, b"A", Rule::KvValueStringUtf8, 112),
        (7, &[8], Rule::KvValueReservedReject, 107),
        (7, &[0xEF], Rule::KvValueReservedReject, 107),
        (7, &[0xF0], Rule::KvValueUnknownReject, 107),
        (7, &[0xFE], Rule::KvValueUnknownReject, 107),
        (7, &[0xFF], Rule::KvValueInvalidTag, 107),
        (7, &[0], Rule::KvValueInvalidTag, 107),
        (54, &[2], Rule::KvValueBoolReject, 154),
    ];
    for (at, bytes, expected, start) in cases {
        assert_eq!(rule(&edited(at, bytes)), (expected, start), "{bytes:?} at {at}");
    }
}

#[test]
fn an_empty_key_is_refused() {
    assert_eq!(rule(&[1, 0, 0, 0, 0, 0, 5, 1, 0]).0, Rule::KvKeyLengthMin);
}

#[test]
fn arrays_hold_one_plain_type_and_no_more_than_there_is() {
    for (tag, is_known) in [(0, false), (1, true), (6, true), (7, false), (8, false), (0xFF, false)] {
        let section = [1, 0, 0, 0, 1, 0, b'k', 7, tag, 0, 0, 0, 0];
        assert_eq!(read(&section, Policy::strict()).is_ok(), is_known, "element tag {tag}");
    }
    let mut huge = vec![1, 0, 0, 0, 1, 0, b'k', 7, 2, 0xFF, 0xFF, 0xFF, 0xFF];
    huge.extend([0; 8]);
    assert_eq!(rule(&huge), (Rule::KvSectionTruncated, 109));
    assert_eq!(rule(&edited(73, &[2])), (Rule::KvValueBoolReject, 173));
}

#[test]
fn a_waived_tag_ends_the_section_in_something_opaque() {
    let section = read(&edited(7, &[8]), Policy::strict().waiving([Rule::KvValueReservedReject])).unwrap();
    assert!(matches!(section.get("s"), Some(KvValueRef::Opaque(8))));
    assert_eq!(section.len(), 1);
}

#[test]
fn every_truncation_is_refused_whatever_the_policy() {
    for len in 0..BASE.len() {
        assert!(matches!(read(&BASE[..len], Policy::collecting()), Err(Error::Reject(_))), "{len} bytes");
    }
}

#[test]
fn what_cannot_be_said_is_refused() {
    let array = |element, items| KvValue::Array { element, items };
    let nested = array(KvType::Array, vec![array(KvType::Bool, vec![])]);
    let mixed = array(KvType::Int64, vec![KvValue::Int64(1), KvValue::Bool(true)]);
    let entry = |key: &str, value| vec![(key.to_owned(), value)];
    assert_eq!(put_kv(&entry("", KvValue::Bool(true))), Err(Misuse::KeyEmpty));
    assert_eq!(put_kv(&entry(&"k".repeat(65536), KvValue::Bool(true))), Err(Misuse::KeyTooLong(65536)));
    assert!(put_kv(&entry(&"k".repeat(65535), KvValue::Bool(true))).is_ok());
    assert_eq!(put_kv(&entry("k", nested)), Err(Misuse::Array));
    assert_eq!(put_kv(&entry("k", mixed)), Err(Misuse::Array));
    assert!(put_kv(&entry("k", array(KvType::Bool, vec![]))).is_ok());
    let twice = vec![("k".to_owned(), KvValue::Bool(true)), ("k".to_owned(), KvValue::Bool(false))];
    assert_eq!(put_kv(&twice), Err(Misuse::KeyTwice));
}
