//! Whatever text comes in, the assembler answers with bytes or an error.

use proptest::prelude::*;

use super::{Edit, Fragment, Fragments, Listing, MAX_FILE_LEN, Place, value_bytes};

fn place() -> Place {
    Place { file: "p".into(), line: 1 }
}

/// Words of the language in any order: closer to valid recipes than noise is.
fn recipe_text(max_words: usize) -> impl Strategy<Value = String> {
    let word = prop_oneof![
        Just("a"),
        Just("b.c"),
        Just("{"),
        Just("}"),
        Just("\n"),
        Just("\n"),
        Just("u8"),
        Just("u64"),
        Just("i16[]"),
        Just("u32[]"),
        Just("text"),
        Just("\"x\\x41\\u{e9}\""),
        Just("\"\\"),
        Just("hex"),
        Just("ff 0"),
        Just("fill"),
        Just("ramp"),
        Just("align"),
        Just("pad"),
        Just("f32"),
        Just("f64"),
        Just("0"),
        Just("7"),
        Just("-1"),
        Just("+"),
        Just("-"),
        Just("0xFFFFFFFFFFFFFFFF"),
        Just("&a"),
        Just("len(a)"),
        Just("crc32c(a)"),
        Just("#"),
        Just("0x"),
        Just("18446744073709551615"),
        Just("é"),
        Just("1e400"),
        Just("use f"),
        Just("n = 1"),
        Just("$n"),
        Just(","),
    ];
    prop::collection::vec(word, 0..max_words).prop_map(|words| words.join(" "))
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let label = prop_oneof![Just("a".to_owned()), Just("b.c".to_owned()), Just("b".to_owned()), Just("".to_owned())];
    let number = prop_oneof![0..20_u64, Just(u64::MAX), Just(MAX_FILE_LEN)];
    let edit = (label, recipe_text(8), number, 0..9).prop_map(|(label, text, number, kind)| match kind {
        0 => Edit::Set { label, to: text },
        1 => Edit::Cut { label },
        2 => Edit::InsertBefore { label, lines: text },
        3 => Edit::InsertAfter { label, lines: text },
        4 => Edit::Append { lines: text },
        5 => Edit::Poke { label, at: number, bytes: vec![1; 3] },
        6 => Edit::TruncateAt { label, keep: number },
        7 => Edit::TruncateTo { len: number },
        _ => Edit::DropFirst { len: number },
    });
    prop::collection::vec(edit, 0..4)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_ends_in_bytes_or_an_error(text in "\\PC{0,60}", lines in recipe_text(40)) {
        for text in [&text, &lines] {
            match Listing::parse(text, &place()).and_then(|listing| listing.assemble()) {
                Ok(file) => prop_assert!(file.bytes.len() as u64 <= MAX_FILE_LEN),
                Err(error) => prop_assert!(error.place.line <= 1 + text.lines().count()),
            }
            let _ = value_bytes(text, &place());
        }
    }

    #[test]
    fn any_fragment_ends_in_bytes_or_an_error(lines in recipe_text(12), text in recipe_text(30)) {
        let mut fragments = Fragments::default();
        let _ = fragments.add(Fragment { name: "f".to_owned(), place: place(), lines, defaults: Default::default() });
        if let Ok(listing) = Listing::parse_with(&text, &place(), &fragments.into()) {
            let _ = listing.assemble();
        }
    }

    #[test]
    fn any_edit_ends_in_labels_within_the_bytes_or_an_error(edits in edits(), last in 0..4_u8) {
        let text = format!("a u8[] 1 2 3\nb {{\n  c u32 crc32c(a)\n  d ramp {last}\n}}\ne align 8\n");
        let listing = Listing::parse(&text, &place()).expect("a sound listing");
        if let Ok(file) = listing.assemble_with(&edits, &place()) {
            prop_assert!(file.bytes.len() as u64 <= MAX_FILE_LEN);
            for (label, range) in file.labels {
                prop_assert!(range.start <= range.end && range.end <= file.bytes.len() as u64, "{label} {range:?}");
            }
        }
    }

    #[test]
    fn integers_come_out_little_endian(value in any::<u64>(), signed in any::<i32>()) {
        let text = format!("u64 {value}");
        prop_assert_eq!(value_bytes(&text, &place()).expect("fits"), value.to_le_bytes());
        let text = format!("i32 {signed}");
        prop_assert_eq!(value_bytes(&text, &place()).expect("fits"), signed.to_le_bytes());
    }
}
