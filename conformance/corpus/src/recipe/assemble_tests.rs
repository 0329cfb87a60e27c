//! Layout, expressions, checksums and limits.

use super::super::{Fault, Listing, Place};

fn place() -> Place {
    Place { file: "l".into(), line: 1 }
}

fn bytes(text: &str) -> Vec<u8> {
    Listing::parse(text, &place()).unwrap().assemble().unwrap_or_else(|error| panic!("{error}")).bytes
}

fn fault(text: &str) -> (Fault, usize) {
    let error = Listing::parse(text, &place()).unwrap().assemble().expect_err(text);
    (error.fault, error.place.line)
}

#[test]
fn addresses_and_lengths_see_the_whole_file() {
    assert_eq!(
        bytes("a u8 &c\nb u8 len(d)\nc u8 len(c) + &d - 1\nd {\n e fill 4 1\n f u8 &d\n}\n"),
        [2, 5, 3, 1, 1, 1, 1, 3]
    );
}

#[test]
fn align_reaches_the_next_multiple_and_no_further() {
    assert_eq!(bytes("a u8 1\np align 4\nb u8 &b\nq align 5\nr align 5\nc u8 len(q)"), [1, 0, 0, 0, 4, 0]);
    assert_eq!(bytes("p align 8").len(), 0);
}

#[test]
fn the_innermost_label_wins() {
    let text = "x u8 1\nb {\n  x u8 &x\n  c {\n    y u8 &x\n  }\n  c.x u8 9\n  d {\n    y u8 &x\n  }\n}\ne u8 &x";
    // b.x stands at 1, b.c.x at 3; `b.d` has no x of its own.
    assert_eq!(bytes(text), [1, 1, 3, 9, 1, 0]);
}

#[test]
fn an_enclosing_block_is_seen_from_inside() {
    assert_eq!(bytes("d {\n length u8 len(d)\n rest fill 3\n}"), [4, 0, 0, 0]);
}

#[test]
fn the_checksum_is_castagnoli() {
    // Check value of CRC-32C over "123456789", and the value of eight zero bytes.
    assert_eq!(bytes("a text \"123456789\"\nb u32 crc32c(a)")[9..], 0xE306_9283_u32.to_le_bytes());
    assert_eq!(bytes("b u32 crc32c(a)\na pad 8")[..4], 0x8C28_B28A_u32.to_le_bytes());
    assert_eq!(bytes("a pad 0\nb u32 crc32c(a) + 1"), [1, 0, 0, 0]);
}

#[test]
fn a_checksum_waits_for_all_other_bytes_but_not_for_another_checksum() {
    assert_eq!(bytes("b u32 crc32c(a)\na u8 &a")[..4], bytes("b u32 crc32c(a)\na u8 4")[..4]);
    let (found, line) = fault("a {\n x u32 crc32c(y)\n y u8 1\n}\nb u32 crc32c(a)");
    assert_eq!((found, line), (Fault::CrcOverCrc("a".into()), 5));
    assert!(matches!(fault("a u32 crc32c(a)").0, Fault::CrcOverCrc(_)));
}

#[test]
fn faults_name_the_line_of_the_field() {
    assert_eq!(fault("a u8 1\nb u8 &c"), (Fault::UnknownLabel { label: "c".into(), similar: Some("a".into()) }, 2));
    assert_eq!(fault("a u8 1\nb u8 0 - 1"), (Fault::DoesNotFit { value: -1, keyword: "u8".into() }, 2));
    assert!(matches!(fault("a u16 crc32c(b)\nb text \"x\"").0, Fault::DoesNotFit { .. }));
}

#[test]
fn a_file_has_at_most_64_mib() {
    assert_eq!(bytes("a fill 67108863\nb u8 1").len(), 67_108_864);
    assert_eq!(fault("a fill 67108864\nb u8 1"), (Fault::TooLarge, 2));
    assert_eq!(fault("a u8 1\nb align 18446744073709551615"), (Fault::TooLarge, 2));
    assert_eq!(fault("a fill 67108864\nb fill 67108864"), (Fault::TooLarge, 2));
}

#[test]
fn labels_come_in_the_order_of_the_bytes_blocks_first() {
    let file = Listing::parse("a {\n b u8 1\n c {\n  d u16 2\n }\n}\ne hex", &place()).unwrap().assemble().unwrap();
    let expected = [("a", 0..3), ("a.b", 0..1), ("a.c", 1..3), ("a.c.d", 1..3), ("e", 3..3)];
    assert_eq!(file.labels, expected.map(|(label, range)| (label.to_owned(), range)));
}
