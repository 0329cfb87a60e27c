//! Every edit of `vectors/README.md`, its effect and its mistakes.

use super::super::{Assembled, Edit, Fault, Listing, Place, RecipeError};

const LISTING: &str = "a {\n  x u8 1\n  y u16 len(z) + 2\n}\nz fill 3 9\nsum u32 crc32c(z)\n";

fn try_edits(edits: &[Edit]) -> Result<Assembled, RecipeError> {
    let base = Place { file: "bases/b.toml".into(), line: 1 };
    Listing::parse(LISTING, &base).unwrap().assemble_with(edits, &Place { file: "v.toml".into(), line: 7 })
}

fn edited(edits: &[Edit]) -> Vec<u8> {
    try_edits(edits).unwrap().bytes
}

fn fault(edit: Edit) -> Fault {
    let error = try_edits(std::slice::from_ref(&edit)).expect_err("no fault");
    assert_eq!((&*error.place.file, error.place.line), ("v.toml", 7), "{edit:?}");
    error.fault
}

fn set(label: &str, to: &str) -> Edit {
    Edit::Set { label: label.into(), to: to.into() }
}

fn crc(bytes: &[u8]) -> [u8; 4] {
    crc::Crc::<u32>::new(&crc::CRC_32_ISCSI).checksum(bytes).to_le_bytes()
}

#[test]
fn set_flows_through_lengths_and_checksums() {
    let bytes = edited(&[set("z", "fill 4 7")]);
    assert_eq!(bytes[..3], [1, 6, 0]);
    assert_eq!(bytes[3..7], [7; 4]);
    assert_eq!(bytes[7..], crc(&[7; 4]));
}

#[test]
fn set_keeps_the_type_of_a_bare_value() {
    assert_eq!(edited(&[set("a.y", "0x0102")])[1..3], [2, 1]);
    assert_eq!(edited(&[set("a.y", "i8 -1")])[1..2], [0xFF]);
    assert!(matches!(fault(set("a.y", "0x10000")), Fault::DoesNotFit { .. }));
    assert_eq!(fault(set("a.y", "")), Fault::MissingValue);
    assert_eq!(fault(set("a", "u8 1")), Fault::NotAField);
}

#[test]
fn cut_removes_a_field_or_a_block() {
    assert_eq!(edited(&[Edit::Cut { label: "a.x".into() }])[..2], [5, 0]);
    assert_eq!(edited(&[Edit::Cut { label: "a".into() }])[..3], [9; 3]);
    let dangling = try_edits(&[Edit::Cut { label: "z".into() }]).expect_err("len(z) has nothing to measure");
    assert!(matches!(dangling.fault, Fault::UnknownLabel { .. }));
    assert_eq!((&*dangling.place.file, dangling.label.as_deref()), ("bases/b.toml", Some("a.y")));
}

#[test]
fn insert_goes_into_the_block_of_the_label() {
    let lines = "new u8 len(y)".to_owned();
    let before = try_edits(&[Edit::InsertBefore { label: "a.y".into(), lines: lines.clone() }]).unwrap();
    assert_eq!(before.bytes[..3], [1, 2, 5]);
    assert!(before.labels.iter().any(|(label, range)| label == "a.new" && *range == (1..2)));
    let after = try_edits(&[Edit::InsertAfter { label: "a.y".into(), lines }]).unwrap();
    assert!(after.labels.iter().any(|(label, range)| label == "a.new" && *range == (3..4)));
}

#[test]
fn insert_at_a_block_stands_beside_it() {
    for (edit, at) in [
        (Edit::InsertBefore { label: "a".into(), lines: "new u8 7".into() }, 0),
        (Edit::InsertAfter { label: "a".into(), lines: "new u8 7".into() }, 3),
    ] {
        let file = try_edits(&[edit]).unwrap();
        assert!(file.labels.iter().any(|(label, range)| label == "new" && range.start == at));
        assert_eq!(file.bytes[at as usize], 7);
    }
}

#[test]
fn append_adds_at_the_end() {
    let bytes = edited(&[Edit::Append { lines: "end {\n  x u8 &end\n}".into() }]);
    assert_eq!(bytes.last(), Some(&10));
    assert!(matches!(fault(Edit::Append { lines: "z u8 1".into() }), Fault::DuplicateLabel { .. }));
}

#[test]
fn poke_acts_before_the_checksum() {
    let poke = |label: &str, at, bytes: &[u8]| Edit::Poke { label: label.into(), at, bytes: bytes.to_vec() };
    let bytes = edited(&[poke("z", 1, &[0, 1])]);
    assert_eq!(bytes[3..6], [9, 0, 1]);
    assert_eq!(bytes[6..], crc(&[9, 0, 1]));
    assert_eq!(edited(&[poke("a", 2, &[0xEE])])[2], 0xEE);
    assert_eq!(fault(poke("z", 2, &[0, 1])), Fault::PokeOutside { len: 3 });
    assert_eq!(fault(poke("z", u64::MAX, &[0])), Fault::PokeOutside { len: 3 });
    assert_eq!(fault(poke("sum", 0, &[0])), Fault::PokeOnCrc);
}

#[test]
fn cuts_of_the_bytes_come_last_and_shift_the_labels() {
    let file = try_edits(&[Edit::TruncateAt { label: "z".into(), keep: 2 }]).unwrap();
    assert_eq!(file.bytes, [1, 5, 0, 9, 9]);
    assert_eq!(file.labels.last(), Some(&("z".to_owned(), 3..5)));
    let file = try_edits(&[Edit::TruncateAt { label: "z".into(), keep: 0 }]).unwrap();
    assert_eq!(file.labels.last(), Some(&("a.y".to_owned(), 1..3)), "nothing is left of `z`");
    assert_eq!(edited(&[Edit::TruncateTo { len: 2 }]), [1, 5]);
    assert_eq!(edited(&[Edit::TruncateTo { len: 0 }]), b"");
    let file = try_edits(&[Edit::DropFirst { len: 4 }]).unwrap();
    assert_eq!(file.bytes[..2], [9, 9]);
    assert_eq!(file.labels[0], ("z".to_owned(), 0..2));
    assert_eq!(edited(&[Edit::DropFirst { len: 10 }]), b"");
    let whole = edited(&[]);
    assert_eq!(edited(&[Edit::DropFirst { len: 6 }]), whole[6..]);
}

#[test]
fn cuts_outside_the_file_are_faults() {
    assert_eq!(fault(Edit::TruncateTo { len: 11 }), Fault::CutOutside { len: 10 });
    assert_eq!(fault(Edit::DropFirst { len: 11 }), Fault::CutOutside { len: 10 });
    assert_eq!(fault(Edit::TruncateAt { label: "z".into(), keep: u64::MAX }), Fault::CutOutside { len: 10 });
}

#[test]
fn unknown_labels_come_with_a_guess() {
    for edit in [
        set("a.z", "1"),
        Edit::Cut { label: "a.z".into() },
        Edit::InsertBefore { label: "a.z".into(), lines: "q u8 1".into() },
        Edit::InsertAfter { label: "a.z".into(), lines: "q u8 1".into() },
        Edit::TruncateAt { label: "a.z".into(), keep: 0 },
    ] {
        let Fault::UnknownLabel { label, similar } = fault(edit) else { panic!("another fault") };
        assert_eq!((label.as_str(), similar.as_deref()), ("a.z", Some("a.x")));
    }
}

#[test]
fn edits_act_in_order() {
    let bytes = edited(&[
        Edit::Cut { label: "a.x".into() },
        Edit::InsertBefore { label: "a.y".into(), lines: "x u8 8".into() },
    ]);
    assert_eq!(bytes[..3], [8, 5, 0]);
}
