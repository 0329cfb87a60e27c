//! The type table of the listing language, row by row.

use super::super::{Fault, Place, value_bytes};

fn bytes(text: &str) -> Vec<u8> {
    value_bytes(text, &Place::file("t")).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn fault(text: &str) -> Fault {
    match value_bytes(text, &Place::file("t")) {
        Ok(bytes) => panic!("{text} gave {bytes:?}"),
        Err(error) => error.fault,
    }
}

#[test]
fn integers_are_little_endian_and_fit() {
    assert_eq!(bytes("u8 255"), [255]);
    assert_eq!(bytes("u16 0x0102"), [2, 1]);
    assert_eq!(bytes("u32 1 + 0xFF"), [0, 1, 0, 0]);
    assert_eq!(bytes("u64 18446744073709551615"), [255; 8]);
    assert_eq!(bytes("i8 -128"), [0x80]);
    assert_eq!(bytes("i16 -2"), [0xFE, 0xFF]);
    assert_eq!(bytes("i64 -9223372036854775808"), [0, 0, 0, 0, 0, 0, 0, 0x80]);
    for text in
        ["u8 256", "u8 -1", "i8 128", "i8 -129", "u16 65536", "i32 2147483648", "u64 0 - 1", "i64 0x8000000000000000"]
    {
        assert!(matches!(fault(text), Fault::DoesNotFit { .. }), "{text}");
    }
}

#[test]
fn lists_stand_one_behind_the_other() {
    assert_eq!(bytes("u16[] 1 2 + 3 4"), [1, 0, 5, 0, 4, 0]);
    assert_eq!(bytes("i8[] -1 - 1 7"), [0xFE, 7]);
    assert_eq!(bytes("u64[]"), b"");
    assert_eq!(bytes("f32[] 1 0x7F800001"), [0, 0, 0x80, 0x3F, 1, 0, 0x80, 0x7F]);
    assert!(matches!(fault("u16 1 2"), Fault::ExtraText(_)));
    assert!(matches!(fault("u16[] 1 +"), Fault::BadTerm(_)));
}

#[test]
fn floats_are_decimals_or_bits() {
    assert_eq!(bytes("f64 -0.0"), [0, 0, 0, 0, 0, 0, 0, 0x80]);
    assert_eq!(bytes("f32 -1.5"), [0, 0, 0xC0, 0xBF]);
    assert_eq!(bytes("f64 0x7FF0000000000001"), [1, 0, 0, 0, 0, 0, 0xF0, 0x7F]);
    for text in ["f32 nan", "f64 inf", "f64 1e999", "f32 x", "f32[] 1 inf"] {
        assert!(matches!(fault(text), Fault::BadFloat(_)), "{text}");
    }
    assert!(matches!(fault("f32 0x100000000"), Fault::DoesNotFit { .. }));
    assert!(matches!(fault("f64 1 2"), Fault::ExtraText(_)));
}

#[test]
fn text_has_six_escapes() {
    assert_eq!(bytes(r#"text "a\\\"\n\0\xFf\u{e9}\u{1F30A}b""#), b"a\\\"\n\0\xFF\xC3\xA9\xF0\x9F\x8C\x8Ab");
    assert_eq!(bytes(r#"text """#), b"");
    assert_eq!(bytes(r#"text "a\\""#), b"a\\");
    for text in [
        "text a",
        "text \"a",
        r#"text "\q""#,
        r#"text "\x4""#,
        r#"text "\x+4""#,
        r#"text "\xé0""#,
        r#"text "\u{d800}""#,
        r#"text "\u41""#,
        r#"text "\u{41""#,
        r#"text "a\""#,
    ] {
        assert!(matches!(fault(text), Fault::BadText(_)), "{text}");
    }
    assert!(matches!(fault(r#"text "a" b"#), Fault::ExtraText(_)));
}

#[test]
fn runs_of_bytes() {
    assert_eq!(bytes("hex 48 52ff"), [0x48, 0x52, 0xFF]);
    assert_eq!(bytes("hex"), b"");
    assert_eq!(bytes("fill 3 0xAB"), [0xAB; 3]);
    assert_eq!(bytes("fill 2"), [0; 2]);
    assert_eq!(bytes("pad 2"), [0; 2]);
    assert_eq!(bytes("ramp 4 254"), [254, 255, 0, 1]);
    assert_eq!(bytes("ramp 257")[255..], [255, 0]);
    assert!(matches!(fault("hex 4"), Fault::BadHex(_)));
    assert!(matches!(fault("hex zz"), Fault::BadHex(_)));
    assert!(matches!(fault("fill 1 256"), Fault::DoesNotFit { value: 256, .. }));
    assert!(matches!(fault("fill -1"), Fault::BadNumber(_)));
    assert!(matches!(fault("fill 1 + 1"), Fault::BadNumber(_)));
    assert!(matches!(fault("ramp 1 2 3"), Fault::ExtraText(_)));
    assert!(matches!(fault("pad 1 2"), Fault::ExtraText(_)));
    assert!(matches!(fault("align 0"), Fault::BadNumber(_)));
}

#[test]
fn every_value_needs_a_known_type_and_a_content() {
    assert_eq!(fault(""), Fault::MissingType);
    assert_eq!(fault("u8"), Fault::MissingValue);
    assert_eq!(fault("fill"), Fault::MissingValue);
    assert_eq!(fault("text"), Fault::MissingValue);
    for text in ["u128 1", "u7 1", "x", "text[] \"a\"", "fill[] 1", "i 1", "U8 1"] {
        assert!(matches!(fault(text), Fault::UnknownType(_)), "{text}");
    }
}

#[test]
fn a_value_alone_points_at_nothing() {
    assert!(matches!(fault("u8 &a"), Fault::UnknownLabel { .. }));
    assert!(matches!(fault("u32 crc32c(a)"), Fault::UnknownLabel { .. }));
}

#[test]
fn no_run_exceeds_the_longest_file() {
    assert_eq!(bytes("fill 67108864").len(), 67_108_864);
    for text in ["fill 67108865", "ramp 18446744073709551615", "pad 67108865"] {
        assert_eq!(fault(text), Fault::TooLarge, "{text}");
    }
}
