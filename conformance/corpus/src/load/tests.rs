//! The checks of the suite on itself, one mistake at a time.

use super::super::{Class, Due, Expect, ExpectValidate, LoadError, LoadFault, Vector};
use super::{Sources, load};
use crate::Feature;
use crate::recipe::Fault;
use hurray_adapter::{BufferObservation, FieldValue, KvValue, Place, PlaceWord, Text, U64};

const BASE: &str = r#"
why = "Three bytes."
class = "explicit"
rules = ["container.header.size"]
needs = ["type:uint8", "layout:row_major"]
listing = '''
a u8 1
b u16 2
'''
[observe]
container = { version = [1, 0], tensor_count = "0x1" }
kv = [{ key = "k", value = { array = { type = "bool", items = [{ bool = true }], repeat = 2 } } }]
[[observe.tensors]]
name = "t"
type = "uint8"
layout = "row_major"
shape = ["18446744073709551615"]
handles = [{ byte_size = 3 }]
data = [["hex 01", "u16 2"]]
"#;

const VECTORS: &str = r#"
[[vector]]
id = "bad"
base = "b"
edit = [{ set = "a", to = "2" }]
class = "explicit"
rules = ["container.header.magic-reject", "container.header.magic"]
then = [{ rule = "container.header.size", because = "It is short." }]
expect = "reject"
due = 'describe \x74'
near = "good"
why = "One byte differs."
validate = ["container.header.magic"]

[[vector]]
id = "good"
base = "b"
edit = [{ set = "a", to = "3" }]
class = "decided"
rules = ["container.header.size"]
expect = "accept"
why = "Still good."
observe = { kv = [] }
absent = ["x", { hex = "ff" }, { byte = 110, len = 3 }]
tags = ["small"]
"#;

/// A sound base and two vectors; of `change`, the part before `=>` is replaced by the part behind it.
pub(crate) fn sources(change: &str) -> Sources {
    let (from, to) = change.split_once("=>").unwrap_or(("\0", ""));
    assert!(change.is_empty() || BASE.contains(from) || VECTORS.contains(from), "{from}");
    let change = |text: &str| text.replacen(from, to, 1);
    Sources::from([("bases/b.toml".to_owned(), change(BASE)), ("area/noun.toml".to_owned(), change(VECTORS))])
}

fn vector(id: &str) -> Vector {
    let loaded = load(&sources(""));
    assert_eq!(loaded.errors, []);
    loaded.vectors.into_iter().find(|vector| vector.id == id).expect(id)
}

fn error(change: &str) -> LoadError {
    let loaded = load(&sources(change));
    loaded.errors.into_iter().next().unwrap_or_else(|| panic!("{change}: no mistake found"))
}

#[test]
fn a_base_is_an_accepted_vector() {
    let base = vector("bases/b");
    assert_eq!(
        (base.expect, base.validate, base.bytes.to_vec()),
        (Expect::Accept, ExpectValidate::Clean, vec![1, 2, 0])
    );
    let tensor = &base.observe.tensors[0];
    assert_eq!(tensor.tensor.shape, Some(vec![U64(u64::MAX)]));
    assert_eq!(tensor.buffers, Some(vec![BufferObservation::of(&[1, 2, 0])]));
    assert_eq!(base.observe.container.unwrap().tensor_count, Some(U64(1)));
    let KvValue::Array { items, .. } = &base.observe.kv.unwrap()[0].value else { panic!("no array") };
    assert_eq!(items[..], [KvValue::Bool(true), KvValue::Bool(true)]);
}

fn texts(needs: &[Feature]) -> Vec<String> {
    needs.iter().map(ToString::to_string).collect()
}

#[test]
fn a_vector_takes_from_its_base_what_it_does_not_say() {
    let good = vector("area/noun/good");
    assert_eq!(good.observe.kv, Some(Vec::new()));
    assert_eq!(good.observe.tensors.len(), 1);
    assert_eq!(texts(&good.needs), ["type:uint8", "layout:row_major"]);
    assert_eq!(good.absent, [Text::from("x"), Text::new([0xFF]), Text::from("nnn")]);
    assert_eq!((good.class, good.bytes.to_vec(), good.near), (Class::Decided, vec![3, 2, 0], None));
    let bad = vector("area/noun/bad");
    assert_eq!(bad.expect, Expect::Reject { due: Due::Describe(Text::from("t")) });
    assert_eq!(bad.near.as_deref(), Some("area/noun/good"));
    assert_eq!(bad.source, "area/noun.toml:2");
    assert_eq!(bad.labels, [("a".to_owned(), 0..1), ("b".to_owned(), 1..3)]);
    assert_eq!(bad.then_because, ["It is short."]);
}

#[test]
fn a_vector_needs_more_than_its_base() {
    let loaded = load(&sources("tags = [\"small\"]=>needs = [\"layout:row_major\", \"type:int8\"]"));
    assert_eq!(loaded.errors, []);
    assert_eq!(texts(&loaded.vectors[1].needs), ["type:uint8", "layout:row_major", "type:int8"]);
}

#[test]
fn near_is_resolved_within_the_file_or_to_the_base() {
    for (near, whole) in [("base", "bases/b"), ("area/noun/good", "area/noun/good")] {
        let loaded = load(&sources(&format!("near = \"good\"=>near = \"{near}\"")));
        assert_eq!(loaded.vectors[0].near.as_deref(), Some(whole));
    }
    assert_eq!(error("near = \"good\"=>near = \"gone\"").fault, LoadFault::UnknownNear("gone".into()));
    assert_eq!(error("near = \"good\"=>near = \"bad\"").fault, LoadFault::NearNotAccepted("area/noun/bad".into()));
}

#[test]
fn errors_name_file_line_and_id() {
    let found = error("\"2\" }]=>\"256\" }]");
    assert_eq!(
        (&*found.place.file, found.place.line, found.id.as_deref()),
        ("area/noun.toml", 2, Some("area/noun/bad"))
    );
    let found = error("b u16 2=>b u16 &c");
    let LoadFault::Recipe(recipe) = &found.fault else { panic!("{found}") };
    assert_eq!((&*recipe.place.file, recipe.place.line), ("bases/b.toml", 8));
    assert!(matches!(recipe.fault, Fault::UnknownLabel { .. }));
    let found = error("why = \"Still=>wy = \"Still");
    assert_eq!(found.place.line, 22);
    assert!(found.to_string().contains("unknown field `wy`"), "{found}");
}

#[test]
fn unknown_words_come_with_a_guess() {
    let LoadFault::UnknownRule { rule, similar } = error("magic-reject=>magic-rejects").fault else { panic!() };
    assert_eq!(
        (rule.as_str(), similar.as_deref()),
        ("container.header.magic-rejects", Some("container.header.magic-reject"))
    );
    let found = error("base = \"b\"=>base = \"c\"").fault;
    assert_eq!(found, LoadFault::UnknownBase { base: "c".into(), similar: Some("b".into()) });
    assert_eq!(error("\"type:uint8\"=>\"type:u8\"").fault, LoadFault::UnknownFeature("type:u8".into()));
    assert_eq!(
        error("layout = \"row_major\"=>layout = \"rows\"").fault,
        LoadFault::UnknownFeature("layout:rows".into())
    );
    assert_eq!(error("\"type:uint8\", =>").fault, LoadFault::UndeclaredFeature("type:uint8".into()));
}

#[test]
fn two_of_a_kind_are_refused() {
    assert_eq!(error("id = \"good\"=>id = \"bad\"").fault, LoadFault::DuplicateId { first: "area/noun.toml:2".into() });
    assert_eq!(error("to = \"3\"=>to = \"2\"").fault, LoadFault::SameBytes { other: "area/noun/bad".into() });
    assert_eq!(error("to = \"3\"=>to = \"1\"").fault, LoadFault::SameBytes { other: "bases/b".into() });
    let found = error("\"container.header.magic\"]=>\"container.header.magic-reject\"]").fault;
    assert!(matches!(found, LoadFault::BadField { field: "rules", .. }), "{found}");
}

#[test]
fn fields_that_ask_for_one_another() {
    for (change, field) in [
        ("due = 'describe \\x74'\n=>", "due"),
        ("expect = \"reject\"=>expect = \"either\"", "prefer"),
        ("because = \"It is short.\"=>because = \" \"", "because"),
        ("validate = [\"container.header.magic\"]=>validate = []", "validate"),
        ("edit = [{ set = \"a\", to = \"3\" }]=>", "edit"),
        ("edit = [{ set = \"a\", to = \"3\" }]=>edit = [{ cut = \"a\" }, { cut = \"b\" }]", "edits_because"),
        (
            "class = \"explicit\"\nrules = [\"container.header.magic-reject\", \"container.header.magic\"]=>class = \"contested\"\nrules = []",
            "rules",
        ),
        ("why = \"Still good.\"=>why = \"\"", "why"),
    ] {
        let found = error(change).fault;
        let missing = matches!(&found, LoadFault::Missing { field: name, .. } if *name == field);
        let contested = change.contains("contested") && matches!(found, LoadFault::BadField { field: "class", .. });
        assert!(missing || contested, "{change}: {found}");
    }
}

#[test]
fn contested_and_either_go_together() {
    let either = "expect = \"reject\"=>prefer = \"accept\"\nspec_silent = \"Silent.\"\nexpect = \"either\"";
    assert!(matches!(error(either).fault, LoadFault::BadField { field: "class", .. }));
    let mut files = sources(either);
    let text = files["area/noun.toml"].replacen("explicit", "contested", 1);
    files.insert("area/noun.toml".to_owned(), text.clone());
    let loaded = load(&files);
    assert_eq!(loaded.errors, []);
    assert!(matches!(loaded.vectors[0].expect, Expect::Either { prefer_accept: true, .. }));
    files.insert("area/noun.toml".to_owned(), text.replace("spec_silent = \"Silent.\"\n", ""));
    assert!(matches!(load(&files).errors[0].fault, LoadFault::Missing { field: "spec_silent", .. }));
}

#[test]
fn fields_that_have_no_place() {
    for (change, field) in [
        ("tags = [\"small\"]=>near = \"base\"", "near"),
        ("tags = [\"small\"]=>due = \"open\"", "due"),
        ("tags = [\"small\"]=>prefer = \"accept\"", "prefer"),
        ("tags = [\"small\"]=>spec_silent = \"x\"", "spec_silent"),
        ("tags = [\"small\"]=>edits_because = \"x\"", "edits_because"),
        ("tags = [\"small\"]=>then = [{ rule = \"container.header.magic\", because = \"x\" }]", "then"),
        ("tags = [\"small\"]=>validate_any = true\nvalidate = []", "validate"),
    ] {
        let found = error(change).fault;
        assert!(matches!(&found, LoadFault::Needless { field: name, .. } if *name == field), "{change}: {found}");
    }
}

#[test]
fn values_that_are_not_what_they_should_be() {
    for (change, field) in [
        ("describe \\x74=>describe u", "due"),
        ("describe \\x74=>describe", "due"),
        ("describe \\x74=>list", "due"),
        ("describe \\x74=>open now", "due"),
        ("describe \\x74=>read \\q", "due"),
        ("id = \"good\"=>id = \"Good one\"", "id"),
        ("{ hex = \"ff\" }=>{ hex = \"f\" }", "absent"),
        ("rule = \"container.header.size\", because=>rule = \"container.header.magic-reject\", because", "then"),
        ("observe = { kv = [] }=>observe = { kv = [{ key = \"a\", value = { float64 = \"1.0\" } }] }", "observe"),
        ("observe = { kv = [] }=>observe = { kv = [{ value = { bool = true } }] }", "observe"),
        ("observe = { kv = [] }=>observe = { kv = [{ key = \"a\", value = { uint64 = -1 } }] }", "observe"),
        ("byte_size = 3=>byte_size = 4", "observe"),
        ("\"u16 2\"]]=>\"u16 2\"], \"hex\"]", "observe"),
        ("items = [{ bool = true }]=>items = [{ array = { items = [] } }]", "observe"),
        ("\"u16 2\"]]=>\"u16 &a\"]]", "observe"),
    ] {
        let found = error(change).fault;
        assert!(matches!(&found, LoadFault::BadField { field: name, .. } if *name == field), "{change}: {found}");
    }
    assert!(matches!(error("[[observe.tensors]]\nname = \"t\"=>[[observe.kv_more]]").fault, LoadFault::Toml(_)));
}

#[test]
fn edits_say_exactly_one_thing() {
    for edit in [
        "{}",
        "{ set = \"a\" }",
        "{ set = \"a\", cut = \"b\", to = \"1\" }",
        "{ cut = \"a\", keep = 1 }",
        "{ poke = \"a\", at = 0 }",
        "{ poke = \"a\", hex = \"f\" }",
        "{ insert_after = \"a\" }",
        "{ append = \"c u8 1\", lines = \"d u8 1\" }",
    ] {
        let found = error(&format!("{{ set = \"a\", to = \"3\" }}=>{edit}")).fault;
        assert!(matches!(found, LoadFault::BadEdit(_)), "{edit}: {found}");
    }
    for (edit, bytes) in [
        ("{ cut = \"a\" }", vec![2, 0]),
        ("{ poke = \"b\", at = 1, hex = \"f f\" }", vec![1, 2, 255]),
        ("{ insert_before = \"b\", lines = \"c u8 9\" }", vec![1, 9, 2, 0]),
        ("{ insert_after = \"b\", lines = \"c u8 9\" }", vec![1, 2, 0, 9]),
        ("{ append = \"c u8 9\" }", vec![1, 2, 0, 9]),
        ("{ truncate_at = \"b\" }", vec![1]),
        ("{ truncate_at = \"b\", keep = 1 }", vec![1, 2]),
        ("{ truncate_to = 0 }", vec![]),
        ("{ drop_first = 2 }", vec![0]),
    ] {
        let loaded = load(&sources(&format!("{{ set = \"a\", to = \"3\" }}=>{edit}")));
        assert_eq!(loaded.errors, [], "{edit}");
        assert_eq!(loaded.vectors[1].bytes.to_vec(), bytes, "{edit}");
    }
}

#[test]
fn files_stand_where_vectors_belong() {
    let mut files = sources("");
    for path in ["loose.toml", "a/b/c.toml"] {
        files.insert(path.to_owned(), String::new());
    }
    files.insert("known/reference.toml".to_owned(), "not even TOML".to_owned());
    let loaded = load(&files);
    assert_eq!(loaded.errors.iter().map(|error| &*error.place.file).collect::<Vec<_>>(), ["a/b/c.toml", "loose.toml"]);
    assert!(loaded.errors.iter().all(|error| error.fault == LoadFault::Misplaced));
}

#[test]
fn one_mistake_does_not_hide_the_others() {
    let mut files = sources("why = \"Still good.\"=>why = \"\"");
    files.insert("bases/c.toml".to_owned(), "listing = 1".to_owned());
    let loaded = load(&files);
    assert_eq!(loaded.vectors.len(), 2);
    let places: Vec<_> = loaded.errors.iter().map(|error| (&*error.place.file, error.place.line)).collect();
    assert_eq!(places, [("bases/c.toml", 1), ("area/noun.toml", 15), ("area/noun.toml", 2)]);
}

#[test]
fn a_base_says_what_is_to_be_seen() {
    let base = "why = \"x\"\nclass = \"explicit\"\nrules = [\"container.header.size\"]\nlisting = 'a u8 1'\n[observe]\nkv = []\n";
    let loaded = load(&Sources::from([("bases/x.toml".to_owned(), base.to_owned())]));
    assert!(matches!(loaded.errors[0].fault, LoadFault::Missing { field: "observe.tensors", .. }));
}

#[test]
fn any_listing_has_lines() {
    for (listing, line) in
        [("'aé u8 1'", 5), ("\"a u8 1\\n$\"", 6), ("''", 0), ("'''\n\n$ u8 1'''", 7), ("'''é u8 1'''", 5)]
    {
        let base = format!(
            "why = 'x'\nclass = 'explicit'\nrules = ['container.header.size']\n\nlisting = {listing}\nobserve.kv = []\n"
        );
        let loaded = load(&Sources::from([("bases/x.toml".to_owned(), base)]));
        match &loaded.errors[0].fault {
            LoadFault::Recipe(error) => assert_eq!(error.place.line, line, "{listing}: {error}"),
            other => assert_eq!(line, 0, "{listing}: {other}"),
        }
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { cases: 100, failure_persistence: None, ..Default::default() })]

    #[test]
    fn damaged_files_end_in_vectors_or_mistakes(at in 0..4000_usize, cut in 0..30_usize, insert in "[ -~\n\u{e9}]{0,4}") {
        let damage = |text: &str| {
            let letters: Vec<char> = text.chars().collect();
            let at = at % (letters.len() + 1);
            let rest = letters.iter().skip(at + cut);
            letters[..at].iter().copied().chain(insert.chars()).chain(rest.copied()).collect::<String>()
        };
        for path in ["bases/b.toml", "area/noun.toml"] {
            let mut files = sources("");
            let text = damage(&files[path]);
            files.insert(path.to_owned(), text);
            let loaded = load(&files);
            proptest::prop_assert!(loaded.vectors.len() + loaded.errors.len() > 0);
        }
    }
}

/// The sources with `meaning` before the listing's tensor, and its shape [2, 3].
fn with_meaning(meaning: &str) -> Sources {
    let mut sources = sources("shape = [\"18446744073709551615\"]=>shape = [2, 3]");
    sources.entry("bases/b.toml".to_owned()).and_modify(|text| text.push_str(meaning));
    sources
}

#[test]
fn a_row_of_values_is_one_element_after_the_other() {
    let loaded = load(&with_meaning(
        "[[meaning]]\ntensor = \"t\"\nindex = [1, 1]\nvalues = [\"7\", \"nan\"]\n\
         [[meaning]]\ntensor = \"t\"\nindex = [0, 0]\nplace = { byte = 3, bit = 4 }\n\
         [[meaning]]\ntensor = \"t\"\nindex = [0, 1]\nplace = \"unstored\"\nvalue = \"0\"\n",
    ));
    assert_eq!(loaded.errors, []);
    let base = loaded.vectors.iter().find(|vector| vector.id == "bases/b").expect("the base");
    let seen: Vec<_> = base.meaning.iter().map(|one| (one.index[1].0, one.place, one.value.as_deref())).collect();
    let stored = Place::Stored { buffer: 0, byte: U64(3), bit: 4 };
    let unstored = Place::Word(PlaceWord::Unstored);
    assert_eq!(
        seen,
        [(1, None, Some("7")), (2, None, Some("nan")), (0, Some(stored), None), (1, Some(unstored), Some("0"))]
    );
    let good = loaded.vectors.iter().find(|vector| vector.id == "area/noun/good").expect("a vector");
    assert_eq!(good.meaning, [], "edited bytes have a meaning of their own");
}

#[test]
fn an_element_that_cannot_be_is_a_mistake() {
    for meaning in [
        "index = [2, 0]\nvalue = \"1\"",
        "index = [0]\nvalue = \"1\"",
        "index = [0, 2]\nvalues = [\"1\", \"2\"]",
        "index = [0, 0]",
        "index = [0, 0]\nplace = { byte = 1, bit = 8 }",
        "index = [0, 0]\nvalue = \"1\"\nvalues = [\"1\"]",
    ] {
        let loaded = load(&with_meaning(&format!("[[meaning]]\ntensor = \"t\"\n{meaning}\n")));
        let found = loaded.errors.first().map(|error| error.fault.clone());
        assert!(matches!(found, Some(LoadFault::BadField { field: "meaning", .. })), "{meaning}: {found:?}");
    }
}

#[test]
fn sections_and_composites_are_written_as_they_are_compared() {
    let mut sources = sources(
        "layout = \"row_major\"=>layout = \"row_major\"\nquantization = { scheme = \"per_tensor\", scale = \"0x3F000000\", list = [1, \"18446744073709551615\"], part = { a = -1 } }",
    );
    sources.entry("bases/b.toml".to_owned()).and_modify(|text| {
        *text = text.replacen("\"layout:row_major\"]", "\"layout:row_major\", \"quantization:per_tensor\"]", 1);
        text.push_str("[[observe.composites]]\nname = \"t\"\nrule = \"group\"\nmembers = [\"t\"]\n");
    });
    let loaded = load(&sources);
    assert_eq!(loaded.errors, []);
    let observe = &loaded.vectors.iter().find(|vector| vector.id == "bases/b").expect("the base").observe;
    let one = |text: &str| FieldValue::One(text.to_owned());
    let fields = observe.tensors[0].tensor.quantization.as_ref().expect("a section");
    assert_eq!(fields["scale"], one("3f000000"));
    assert_eq!(fields["list"], FieldValue::Many(vec!["1".to_owned(), u64::MAX.to_string()]));
    assert_eq!(fields["part"], FieldValue::Part([("a".to_owned(), one("-1"))].into()));
    assert_eq!(observe.composites[0].member_names(), [Text::from("t")]);
    let base = |change: (&str, &str)| {
        let mut sources = sources.clone();
        sources.entry("bases/b.toml".to_owned()).and_modify(|text| *text = text.replacen(change.0, change.1, 1));
        load(&sources).errors.into_iter().next().map(|error| error.fault)
    };
    let undeclared = base((", \"quantization:per_tensor\"", ""));
    assert_eq!(undeclared, Some(LoadFault::UndeclaredFeature("quantization:per_tensor".to_owned())));
    for change in [("members = [\"t\"]", "members = [\"u\"]"), ("rule = \"group\"", "rule = \"heap\"")] {
        assert!(matches!(base(change), Some(LoadFault::BadField { .. })), "{change:?}");
    }
}

#[test]
fn elements_may_be_stated_apart_from_their_vector() {
    let with = |of: &str, index: &str| {
        let mut sources = with_meaning("");
        sources.entry("area/noun.toml".to_owned()).and_modify(|text| {
            text.push_str(
                "[[vector]]\nid = \"open\"\nbase = \"b\"\nedit = [{ set = \"a\", to = \"4\" }]\nclass = \"contested\"\n\
                 rules = [\"container.header.size\"]\nexpect = \"either\"\nprefer = \"accept\"\ndue = \"read t\"\nnear = \"good\"\n\
                 why = \"Open.\"\nspec_silent = \"Silent.\"\nvalidate_any = true\n",
            );
        });
        let text = format!(
            "[[meaning]]\nof = \"{of}\"\nrules = [\"container.header.magic\", \"container.header.size\"]\n\
             elements = [{{ tensor = \"t\", index = {index}, value = \"7\" }}]\n"
        );
        sources.insert("meaning/dense.toml".to_owned(), text);
        load(&sources)
    };
    let loaded = with("bases/b", "[1, 2]");
    assert_eq!(loaded.errors, []);
    let base = loaded.vectors.iter().find(|vector| vector.id == "bases/b").expect("the base");
    assert_eq!((base.meaning.len(), base.rules.len()), (1, 2), "a rule that is there already is not added again");
    assert_eq!(with("area/noun/open", "[1, 2]").errors, [], "what may be accepted has elements");
    for (of, index) in [("bases/c", "[1, 2]"), ("area/noun/bad", "[1, 2]"), ("bases/b", "[2, 2]")] {
        assert_eq!(with(of, index).errors.len(), 1, "{of} {index}");
    }
}
