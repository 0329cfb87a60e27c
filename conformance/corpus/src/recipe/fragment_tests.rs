//! Fragments: what a use stands for, and what is wrong with one.

use std::sync::Arc;

use super::super::{Edit, Listing};
use super::*;

fn place() -> Place {
    Place { file: "bases/x.toml".into(), line: 10 }
}

fn fragment(name: &str, lines: &str, defaults: &[(&str, &str)]) -> Fragment {
    let place = Place { file: "fragments/f.toml".into(), line: 3 };
    let defaults = defaults.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Fragment { name: name.to_owned(), place, lines: lines.to_owned(), defaults }
}

fn fragments() -> Arc<Fragments> {
    let mut all = Fragments::default();
    let entry = "length  u16  len(name)  # $of the name\nname    $name\n\nat      u32  &$tensor.data + $more\n";
    all.add(fragment("index.entry", entry, &[("more", "0")])).unwrap();
    all.add(fragment("pair", "one u8 $n\ntwo u8 $n", &[])).unwrap();
    all.add(fragment("open", "block {\nin u8 1", &[])).unwrap();
    Arc::new(all)
}

fn parsed(text: &str) -> Result<Listing, RecipeError> {
    Listing::parse_with(text, &place(), &fragments())
}

fn same(short: &str, long: &str) {
    let (short, long) = (parsed(short).unwrap(), parsed(long).unwrap());
    assert_eq!(short.assemble().unwrap(), long.assemble().unwrap());
}

#[test]
fn a_use_stands_for_its_lines_and_with_a_label_for_a_block() {
    same("a {\n  use pair n = 7 # twice\n}\nuse pair n=8", "a {\n one u8 7\n two u8 7\n}\none u8 8\ntwo u8 8");
    same("a {\n  b use pair  n = 7\n}", "a {\n b {\n one u8 7\n two u8 7\n }\n}");
}

#[test]
fn names_are_looked_up_from_the_block_of_the_use() {
    same(
        "t {\n  data fill 3\n}\nindex {\n  t.data u8 9\n  e0 use index.entry  name = text \"a\", tensor = t, more = 2 - 1\n}",
        "t {\n  data fill 3\n}\nindex {\n  t.data u8 9\n  e0 {\n length u16 len(name)\n name text \"a\"\n at u32 &t.data + 2 - 1\n }\n}",
    );
}

#[test]
fn quoted_text_holds_what_it_likes() {
    same(
        "t.data u8 1\nuse index.entry  name = text \"a, $n = \\\"#\\\" use\", tensor = t",
        "t.data u8 1\nlength u16 len(name)\nname text \"a, $n = \\\"#\\\" use\"\nat u32 &t.data + 0",
    );
}

#[test]
fn a_field_may_hold_the_word() {
    same("name text \"use pair\"", "name  text  \"use pair\"");
    assert_eq!(fragments().by_name["pair"].labels().collect::<Vec<_>>(), ["one", "two"]);
}

#[test]
fn edits_act_on_the_lines_and_may_use_fragments_themselves() {
    let listing = parsed("a use pair  n = 7\nb u8 1").unwrap();
    let set = Edit::Set { label: "a.two".to_owned(), to: "9".to_owned() };
    let insert = Edit::InsertAfter { label: "a.two".to_owned(), lines: "c use pair  n = 1".to_owned() };
    let edited = listing.assemble_with(&[set, insert], &place()).unwrap();
    assert_eq!(edited.bytes, [7, 9, 1, 1, 1]);
    assert_eq!(edited.labels[4], ("a.c.one".to_owned(), 2..3));
}

#[test]
fn a_wrong_use_is_a_mistake_at_its_place() {
    let name = || "pair".to_owned();
    for (line, fault) in [
        ("a use pairs  n = 1", FragmentFault::Unknown { name: "pairs".to_owned(), similar: Some(name()) }),
        ("use", FragmentFault::Unknown { name: String::new(), similar: None }),
        ("a use pair", FragmentFault::MissingParameter { fragment: name(), parameter: "n".to_owned() }),
        (
            "a use pair  n = 1, m = 2",
            FragmentFault::UnknownParameter {
                fragment: name(),
                parameter: "m".to_owned(),
                similar: Some("n".to_owned()),
            },
        ),
        ("a use pair  n = 1, n = 2", FragmentFault::BadParameter("n = 2".to_owned())),
        ("a use pair  n =", FragmentFault::BadParameter("n =".to_owned())),
        ("a use pair  n = 1,, ", FragmentFault::BadParameter(String::new())),
        ("a use pair  7", FragmentFault::BadParameter("7".to_owned())),
    ] {
        let found = parsed(&format!("z u8 1\n{line}")).expect_err(line);
        let seen = (found.fault, found.place.to_string());
        assert_eq!(seen, (Fault::from(fault), "bases/x.toml:11".to_owned()), "{line}");
    }
    let alone = Listing::parse("a use pair  n = 1", &place()).expect_err("no fragments");
    assert_eq!(alone.fault, Fault::from(FragmentFault::Unknown { name: name(), similar: None }));
}

#[test]
fn a_mistake_in_its_lines_names_the_fragment_and_the_use() {
    let found = parsed("z u8 1\na use pair  n = x").expect_err("no number");
    assert_eq!(found.place.to_string(), "bases/x.toml:11: fragment pair, fragments/f.toml:3");
    assert_eq!((found.label.as_deref(), &found.fault), (Some("a.one"), &Fault::BadTerm("x".to_owned())));
    let found = parsed("use pair  n = 300").unwrap().assemble().expect_err("too large");
    assert_eq!(found.place.to_string(), "bases/x.toml:10: fragment pair, fragments/f.toml:3");
    let found = parsed("use index.entry  name = text \"a\", tensor = ?").expect_err("no label");
    assert_eq!(found.place.to_string(), "bases/x.toml:10: fragment index.entry, fragments/f.toml:6");
    let found = parsed("a use open").expect_err("a block that is not closed");
    assert_eq!((found.label.as_deref(), &found.fault), (Some("a"), &Fault::UnclosedBlock));
}

#[test]
fn a_wrong_fragment_is_a_mistake_at_its_line() {
    for (lines, defaults, fault, line) in [
        ("a u8 1\nb use g", vec![], FragmentFault::Nested("g".to_owned()), 4),
        ("use f  n = 1", vec![], FragmentFault::Nested("f".to_owned()), 3),
        ("a u8 $", vec![], FragmentFault::BadParameter("$".to_owned()), 3),
        ("a u8 1\nb u8 $-n", vec![], FragmentFault::BadParameter("$-n".to_owned()), 4),
        (
            "a u8 $n # $m",
            vec![("m", "1")],
            FragmentFault::UnknownParameter {
                fragment: "f".to_owned(),
                parameter: "m".to_owned(),
                similar: Some("n".to_owned()),
            },
            3,
        ),
    ] {
        let found = Fragments::default().add(fragment("f", lines, &defaults)).expect_err(lines);
        assert_eq!((found.fault, found.place.line), (Fault::from(fault), line), "{lines}");
    }
    assert_eq!(Fragments::default().add(fragment("f g", "", &[])).expect_err("a blank").fault, Fault::BadLabel);
    let mut all = Fragments::default();
    all.add(fragment("f", "", &[])).unwrap();
    let again = all.add(fragment("f", "a u8 1", &[])).expect_err("two of one name");
    let first = Place { file: "fragments/f.toml".into(), line: 3 };
    assert_eq!(again.fault, Fault::from(FragmentFault::Duplicate { first }));
}

#[test]
fn lines_and_values_without_end_are_refused() {
    let mut all = Fragments::default();
    all.add(fragment("values", &"a text $n$n$n$n\n".repeat(1000), &[])).unwrap();
    all.add(fragment("blank", &"\n".repeat(5000), &[])).unwrap();
    let all = Arc::new(all);
    let values = format!("u8 u8 1\nuse values  n = \"{}\"", "x".repeat(5000));
    for (text, last) in [(values, 11), ("use blank\n".repeat(100), 100)] {
        let found = Listing::parse_with(&text, &place(), &all).expect_err("no end");
        assert_eq!(found.fault, FragmentFault::TooLong.into());
        assert!(found.place.line <= last, "{}", found.place);
    }
    let one = Listing::parse_with("use blank\na u8 1", &place(), &all).unwrap();
    assert_eq!(one.assemble().unwrap().bytes, [1]);
}
