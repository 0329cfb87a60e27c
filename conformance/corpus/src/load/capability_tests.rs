//! What not every reader offers: permissive reading of a file that has a strict verdict, and descriptors without a file.

use super::super::manifest::file_path;
use super::super::{Due, Expect, ExpectValidate, LoadFault, ReadMode};
use super::tests::sources;
use super::{Loaded, load};

const ENTRY: &str = "[[permissive]]\nid = \"p\"\nof = \"area/noun/bad\"\nclass = \"decided\"\n\
                     rules = [\"type.tag.unknown-permissive\"]\nexpect = \"accept\"\nwhy = \"It passes.\"\n";

fn permissive(change: (&str, &str)) -> Loaded {
    assert!(ENTRY.contains(change.0), "{}", change.0);
    let mut sources = sources("");
    sources.insert("permissive/accept.toml".to_owned(), ENTRY.replacen(change.0, change.1, 1));
    load(&sources)
}

#[test]
fn a_file_has_a_strict_verdict_and_a_permissive_one() {
    let loaded = permissive(("It passes.", "It passes."));
    assert_eq!(loaded.errors, []);
    let of = |id: &str| loaded.vectors.iter().find(|vector| vector.id == id).expect(id);
    let (strict, other) = (of("area/noun/bad"), of("permissive/accept/p"));
    assert!(matches!(strict.expect, Expect::Reject { .. }) && strict.mode == ReadMode::Whole);
    assert_eq!((&other.expect, &other.validate), (&Expect::Accept, &ExpectValidate::Any));
    assert_eq!((other.mode, file_path(other)), (ReadMode::Permissive, file_path(strict)));
    assert_eq!(other.bytes, strict.bytes);
    assert_eq!(other.observe.tensors.len(), strict.observe.tensors.len(), "what is left out is that of the vector");
}

#[test]
fn a_permissive_entry_names_a_file_and_one_outcome() {
    let fault = |from, to| permissive((from, to)).errors.into_iter().next().map(|error| error.fault);
    let of = fault("area/noun/bad", "area/noun/none");
    assert!(matches!(of, Some(LoadFault::BadField { field: "of", .. })), "{of:?}");
    let rejected = permissive(("expect = \"accept\"", "expect = \"reject\"\ndue = \"open\""));
    assert_eq!(rejected.errors, []);
    let near =
        rejected.vectors.iter().find(|vector| vector.mode.is_permissive()).and_then(|vector| vector.near.as_deref());
    assert_eq!(near, Some("bases/b"));
    let accepted = fault("expect = \"accept\"", "expect = \"accept\"\nnear = \"base\"");
    assert!(matches!(accepted, Some(LoadFault::Needless { field: "near", .. })), "{accepted:?}");
    let either = fault("expect = \"accept\"", "expect = \"either\"\ndue = \"open\"");
    assert!(either.is_some());
}

const PASSING: &str = "[[sequential]]\nid = \"s\"\nof = \"area/noun/good\"\nclass = \"explicit\"\n\
                       rules = [\"container.seq.buffer-skip\"]\nexpect = \"accept\"\nwhy = \"It goes by.\"\n\
                       passing = [{ at = 64, name = \"t\" }]\n";

fn sequential(change: (&str, &str)) -> Loaded {
    assert!(PASSING.contains(change.0), "{}", change.0);
    let mut sources = sources("");
    sources.insert("sequential/scan.toml".to_owned(), PASSING.replacen(change.0, change.1, 1));
    load(&sources)
}

#[test]
fn a_file_that_goes_by_is_that_of_another_vector() {
    let loaded = sequential(("It goes by.", "It goes by."));
    assert_eq!(loaded.errors, []);
    let of = |id: &str| loaded.vectors.iter().find(|vector| vector.id == id).expect(id);
    let (by_ranges, passing) = (of("area/noun/good"), of("sequential/scan/s"));
    assert_eq!((&passing.expect, &passing.validate), (&Expect::Accept, &ExpectValidate::Any));
    assert_eq!((passing.mode, file_path(passing)), (ReadMode::Sequential, file_path(by_ranges)));
    assert_eq!((passing.passing[0].at, &passing.passing[0].name), (64, &"t".into()));
    assert_eq!(by_ranges.mode, ReadMode::Whole);
    let rejected = ("expect = \"accept\"", "expect = \"reject\"\nnear = \"area/noun/good\"");
    let written = sequential(rejected).errors.into_iter().next().map(|error| error.fault);
    assert!(matches!(written, Some(LoadFault::Needless { field: "passing", .. })), "{written:?}");
}

#[test]
fn a_sequential_entry_says_where_each_tensor_stands() {
    let fault = |from, to| sequential((from, to)).errors.into_iter().next().map(|error| error.fault);
    let of = fault("area/noun/good", "area/noun/none");
    assert!(matches!(of, Some(LoadFault::BadField { field: "of", .. })), "{of:?}");
    let absent = fault("passing = [{ at = 64, name = \"t\" }]\n", "");
    assert!(matches!(absent, Some(LoadFault::Missing { field: "passing", .. })), "{absent:?}");
    for other in ["[]", "[{ at = 64, name = \"u\" }]", "[{ at = 64, name = \"t\" }, { at = 72, name = \"t\" }]"] {
        let named = fault("[{ at = 64, name = \"t\" }]", other);
        assert!(matches!(named, Some(LoadFault::BadField { field: "passing", .. })), "{other}: {named:?}");
    }
    let contested = fault("class = \"explicit\"", "class = \"contested\"");
    assert!(matches!(contested, Some(LoadFault::BadField { field: "class", .. })), "{contested:?}");
    let alone = fault("expect = \"accept\"", "expect = \"reject\"");
    assert!(matches!(alone, Some(LoadFault::Missing { field: "near", .. })), "{alone:?}");
    let either = fault("expect = \"accept\"", "expect = \"either\"\nnear = \"base\"");
    assert!(matches!(either, Some(LoadFault::Missing { field: "prefer", .. })), "{either:?}");
}

#[test]
fn a_descriptor_without_a_file_has_one_step() {
    let bare = |due: &str| {
        let mut sources = sources(&format!("due = 'describe \\x74'=>due = \"{due}\""));
        sources.entry("bases/b.toml".to_owned()).and_modify(|text| {
            *text = text.replacen("needs =", "requires = [\"descriptor\"]\nneeds =", 1);
        });
        load(&sources)
    };
    let loaded = bare("descriptor");
    assert_eq!(loaded.errors, []);
    let bad = loaded.vectors.iter().find(|vector| vector.id == "area/noun/bad").expect("a vector");
    assert_eq!((bad.mode, &bad.expect), (ReadMode::Bare, &Expect::Reject { due: Due::Descriptor }));
    assert_eq!(file_path(bad), "files/area/noun/bad.bin");
    assert!(matches!(bare("open").errors[0].fault, LoadFault::BadField { field: "due", .. }));
}
