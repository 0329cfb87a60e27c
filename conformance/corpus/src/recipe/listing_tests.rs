//! The line grammar: labels, blocks, comments, places.

use super::super::{Fault, Listing, Place, RecipeError};

fn place() -> Place {
    Place { file: "bases/x.toml".into(), line: 10 }
}

fn error(text: &str) -> RecipeError {
    Listing::parse(text, &place()).expect_err(text)
}

#[test]
fn blocks_join_labels_with_dots() {
    let text = "a {\n  b u8 1\n  c.d {\n    e u8 2\n  }\n}\nf u8 3\n";
    let listing = Listing::parse(text, &place()).unwrap();
    assert_eq!(listing.labels().collect::<Vec<_>>(), ["a", "a.b", "a.c.d", "a.c.d.e", "f"]);
    assert_eq!(listing.assemble().unwrap().bytes, [1, 2, 3]);
}

#[test]
fn comments_and_blank_lines_are_free() {
    let text = "# a file\n\na u8 1 # one\nb text \"#\\\"#\" # two\nc hex 01 # 02\n   # end";
    assert_eq!(Listing::parse(text, &place()).unwrap().assemble().unwrap().bytes, b"\x01#\"#\x01");
}

#[test]
fn errors_name_the_line_and_the_label() {
    let found = error("a u8 1\n\nb {\n  c u9 1\n}\n");
    assert_eq!((found.place.line, found.label.as_deref()), (13, Some("b.c")));
    assert_eq!(
        found.to_string(),
        "bases/x.toml:13: `b.c`: `u9` is not a type; use u8 u16 u32 u64 i8 i16 i32 i64 (with [] for several), f32, f64, \
         text, hex, fill, ramp, align or pad"
    );
}

#[test]
fn braces_match_and_stand_alone() {
    assert_eq!(error("}").fault, Fault::StrayClose);
    let open = error("a {\n b u8 1\n c {\n }\n");
    assert_eq!((open.fault, open.place.line), (Fault::UnclosedBlock, 10));
    assert_eq!(error("a { b u8 1 }").fault, Fault::BraceNotAlone);
    assert_eq!(error("a {\n} b u8 1").fault, Fault::BraceNotAlone);
    assert_eq!(error("a{\n}").fault, Fault::BraceNotAlone);
}

#[test]
fn labels_are_unique_and_well_formed() {
    let found = error("a u8 1\nb u8 1\na u8 2");
    assert_eq!(found.fault, Fault::DuplicateLabel { first: place() });
    assert_eq!(found.place.line, 12);
    assert!(matches!(error("a.b u8 1\na {\n b u8 2\n}").fault, Fault::DuplicateLabel { .. }));
    assert_eq!(error("a$ u8 1").fault, Fault::BadLabel);
    assert_eq!(error("a..b u8 1").fault, Fault::BadLabel);
    assert_eq!(error("a").fault, Fault::MissingType);
}
