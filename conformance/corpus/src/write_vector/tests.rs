//! Descriptions become vectors, and mistakes in them are told. Owns examples made by hand.
use hurray_adapter::{FieldValue, KvValue, NewItem, WriteFeature, Writes};

use super::*;
use crate::{Sources, VectorSet};

const HEAD: &str = "id = \"x\"\nclass = \"explicit\"\nrules = [\"container.writer.records\"]\nwhy = \"So.\"\n";
const TENSOR: &str = "[[vector.tensor]]\nname = \"a\"\ntype = \"uint8\"\nshape = [1]\ndata = [\"hex 01\"]\n";

fn load(vector: &str) -> Result<WriteVector, String> {
    let sources = Sources::from([("write/noun.toml".to_owned(), format!("[[vector]]\n{vector}"))]);
    match VectorSet::from_sources(&sources) {
        Ok(set) => set.writes.into_iter().next().ok_or_else(|| "none".to_owned()),
        Err(errors) => Err(errors.to_string()),
    }
}

#[test]
fn what_is_refused_is_not_in_the_file_but_in_the_whole() {
    let text = format!(
        "{HEAD}expect = \"refused\"\nrefuse = [0, 2]\nrefused_options = {{ data_buffer_alignment = 1 }}\n\
         refused_kv = [{{ key = \"\", value = {{ bool = true }} }}]\n{}{}{}",
        TENSOR.replace("\"a\"", "\"bad\""),
        TENSOR,
        TENSOR.replace("\"a\"", "\"worse\"")
    );
    let vector = load(&text).expect("a vector");
    let names = |file: &NewFile| file.items.iter().map(|item| name_of(item).to_string()).collect::<Vec<_>>();
    let wholes = vector.wholes();
    let each: Vec<_> =
        wholes.iter().map(|file| (names(file).join(" "), file.options.data_buffer_alignment, file.kv.len())).collect();
    let wanted = [("a", Some(1), 0), ("bad", None, 0), ("a worse", None, 0), ("a", None, 1)];
    assert_eq!(each, wanted.map(|(names, alignment, kv)| (names.to_owned(), alignment, kv)));
    assert_eq!((names(&vector.file), vector.file.kv.len()), (vec!["a".to_owned()], 0));
    assert_eq!(vector.id, "write/noun/x");
    assert_eq!(vector.source, "write/noun.toml:1");
}

fn texts(needs: &[Feature]) -> Vec<String> {
    needs.iter().map(ToString::to_string).collect()
}

#[test]
fn needs_follow_from_the_description() {
    let text = format!(
        "{HEAD}expect = \"accept\"\n[vector.options]\nsorted_index = true\n{TENSOR}{}",
        "[[vector.kv]]\nkey = \"k\"\nvalue = { array = { type = \"int64\", items = [] } }\n"
    );
    let needs = load(&text).expect("a vector").needs;
    assert_eq!(
        texts(&needs),
        ["feature:kv", "feature:kv_integers", "feature:sorted_index", "layout:row_major", "type:uint8"]
    );
    let declared = Writes { types: vec!["uint8".to_owned()], features: vec!["kv".to_owned()], ..Writes::default() };
    let met: Vec<Feature> = needs.into_iter().filter(|need| need.is_written_by(&declared)).collect();
    assert_eq!(texts(&met), ["feature:kv", "type:uint8"]);
}

#[test]
fn a_tensor_beyond_the_plain_ones_needs_features() {
    let tensor = TENSOR.replace("data =", "byte_offset = 8\nhandles = [{ alignment = 128, device_tag = 1 }]\nshard = {}\nmember = {}\nquantization = { scheme = \"nf4\" }\ndata =");
    let needs = load(&format!("{HEAD}expect = \"accept\"\n{tensor}")).expect("a vector").needs;
    for need in [
        "feature:byte_offset",
        "feature:device",
        "feature:handle_alignment",
        "feature:member",
        "feature:shard",
        "quantization:nf4",
    ] {
        assert!(texts(&needs).iter().any(|there| there == need), "{need} in {needs:?}");
    }
}

#[test]
fn a_name_that_is_none_is_a_mistake_and_a_bare_tag_is_not() {
    let load_typed = |kind: &str| load(&format!("{HEAD}expect = \"accept\"\n{}", TENSOR.replace("uint8", kind)));
    assert!(load_typed("u8").expect_err("no type").contains("`type:u8` is not a feature"));
    assert_eq!(texts(&load_typed("0xE0").expect("a vector").needs), ["layout:row_major"]);
}

#[test]
fn members_are_named_after_their_head_or_need_names() {
    let of = |member: &str| {
        let head = TENSOR
            .replace("\"a\"", "\"h\"")
            .replace("data = [\"hex 01\"]", "layout_fields = { composition_rule = \"group\" }");
        let member = TENSOR.replace("vector.tensor", "vector.tensor.members").replace("\"a\"", member);
        let needs = load(&format!("{HEAD}expect = \"accept\"\n{head}{member}")).expect("a vector").needs;
        assert!(needs.contains(&Feature::Write(WriteFeature::Composite)), "{needs:?}");
        needs.contains(&Feature::Write(WriteFeature::MemberNames))
    };
    assert_eq!(["\"h.0\"", "\"h.1\"", "\"a\""].map(of), [false, true, true]);
}

#[test]
fn who_says_a_thing_twice_needs_a_way_to_say_it_apart() {
    let needs = |tensor: &str| load(&format!("{HEAD}expect = \"accept\"\n{tensor}")).expect("a vector").needs;
    let has = |needs: &[Feature], name: &str| texts(needs).contains(&format!("feature:{name}"));
    for (extra, feature) in [
        ("handles = [{ byte_size = 2 }]\ndata =", "handle_size"),
        ("handles = [{}, {}]\ndata =", "handle_size"),
        ("handles = [{ sync_mode = 1 }]\ndata =", "sync"),
        ("version = [1, 1]\ndata =", "version"),
    ] {
        assert!(has(&needs(&TENSOR.replace("data =", extra)), feature), "{extra}");
        assert!(!has(&needs(TENSOR), feature), "{feature}");
    }
    // Any power of two is an alignment of no bytes, and none is usual.
    assert!(has(&needs(&TENSOR.replace("[1]\ndata = [\"hex 01\"]", "[0]\ndata = [\"fill 0\"]")), "handle_alignment"));
    for (array, is_apart) in [
        ("{ type = \"bool\", items = [{ int64 = 1 }, { int64 = 2 }] }", true),
        ("{ type = \"int64\", items = [{ int64 = 1 }] }", false),
        // Mixed items are told to anyone, and so is an empty array.
        ("{ type = \"bool\", items = [{ int64 = 1 }, { bool = true }] }", false),
        ("{ type = \"bool\", items = [] }", false),
    ] {
        let entry = format!("[[vector.kv]]\nkey = \"k\"\nvalue = {{ array = {array} }}\n");
        assert_eq!(has(&needs(&entry), "kv_array_type"), is_apart, "{array}");
    }
}

#[test]
fn a_reader_has_to_see_heads_before_members() {
    let text = format!(
        "{HEAD}expect = \"accept\"\n[[vector.tensor]]\nname = \"h\"\ntype = \"uint8\"\nshape = [1]\n\
         layout_fields = {{ composition_rule = \"group\" }}\n{}",
        TENSOR.replace("vector.tensor", "vector.tensor.members")
    );
    let vector = load(&text).expect("a vector");
    let seen = seen_in(&vector.file);
    let names: Vec<String> = seen.tensors.iter().map(|tensor| tensor.name.to_string()).collect();
    assert_eq!(names, ["h", "a"]);
    assert_eq!(
        (seen.composites[0].rule.as_str(), seen.composites[0].members.as_ref().map(Vec::len)),
        ("group", Some(1))
    );
    // printf '\x01' | sha256sum
    let digest = "4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a";
    assert_eq!(seen.tensors[1].buffers.as_ref().expect("buffers")[0].sha256, digest);
    let NewItem::Composite(head) = &vector.file.items[0] else { panic!("a composite") };
    let count = &head.descriptor.layout_fields.as_ref().expect("fields")["member_count"];
    assert_eq!(*count, FieldValue::One("1".to_owned()));
}

#[test]
fn contradictions_are_mistakes_of_the_suite() {
    for (text, what) in [
        (format!("{HEAD}expect = \"refused\"\n{TENSOR}"), "name what has to be refused"),
        (format!("{HEAD}expect = \"accept\"\nrefuse = [0]\n{TENSOR}"), "name what has to be refused"),
        (format!("{HEAD}expect = \"refused\"\nrefuse = [1]\n{TENSOR}"), "ascending positions"),
        (format!("{HEAD}expect = \"either\"\nprefer = \"accept\"\n{TENSOR}"), "go together"),
        (format!("{HEAD}expect = \"accept\"\nprefer = \"accept\"\n{TENSOR}"), "only `either`"),
        (format!("{HEAD}expect = \"accept\"\nodd = 1\n{TENSOR}"), "odd"),
        (format!("{}expect = \"accept\"\n{TENSOR}", HEAD.replace("container.writer.records", "no.such")), "no rule"),
        (format!("{}expect = \"accept\"\n{TENSOR}", HEAD.replace("So.", " ")), "one sentence"),
    ] {
        let error = load(&text).expect_err(what);
        assert!(error.contains(what), "{what} in {error}");
    }
}

#[test]
fn one_id_is_one_vector() {
    let two = format!("{HEAD}expect = \"accept\"\n{TENSOR}[[vector]]\n{HEAD}expect = \"accept\"\n{TENSOR}");
    assert!(load(&two).expect_err("a mistake").contains("write/noun/x"));
}

#[test]
fn values_of_entries_are_those_of_observations() {
    let text = format!(
        "{HEAD}expect = \"accept\"\n[[vector.kv]]\nkey = \"k\"\nvalue = {{ uint64 = \"18446744073709551615\" }}\n"
    );
    let vector = load(&text).expect("a vector");
    assert!(matches!(vector.file.kv[0].value, KvValue::Uint64(value) if value.0 == u64::MAX));
}
