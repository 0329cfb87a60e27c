//! Each group of an observation: seen rightly, seen wrongly, left out.

use hurray_adapter::{FieldValue, Fields, I64, U64};
use serde_json::json;

use super::*;

fn hello(observes: &[&str]) -> Hello {
    serde_json::from_value(json!({"protocol": [1, 1], "name": "x", "version": "1", "observes": observes}))
        .expect("a hello")
}

fn tensor() -> TensorObservation {
    TensorObservation {
        version: Some([1, 0]),
        element_type: Some("float32".to_owned()),
        layout: Some("row_major".to_owned()),
        shape: Some(vec![U64(3), U64(4)]),
        byte_offset: Some(U64(0)),
        strides: None,
        handles: Some(vec![HandleObservation { alignment: Some(64), ..HandleObservation::default() }]),
        ..TensorObservation::default()
    }
}

#[test]
fn a_wrong_shape_is_named() {
    let hello = hello(&["tensors"]);
    let mut seen = tensor();
    seen.shape = Some(vec![U64(4), U64(3)]);
    let found = Comparison::new(&hello).tensor(&"a".into(), &tensor(), Some(&seen)).expect_err("a difference");
    assert_eq!(found.what, "a: shape");
    assert_eq!((found.expected.as_str(), found.actual.as_str()), (r#"["3","4"]"#, r#"["4","3"]"#));
}

#[test]
fn a_declared_group_that_is_left_out_is_wrong() {
    let name = Text::from("a");
    for (group, what) in
        [("tensors", "a: type"), ("handles", "a: buffer handles"), ("descriptor_version", "a: descriptor version")]
    {
        let hello = hello(&[group]);
        let found = Comparison::new(&hello).tensor(&name, &tensor(), None).expect_err(group);
        assert_eq!(found.what, what);
    }
}

#[test]
fn a_single_field_that_is_left_out_is_counted() {
    let hello = hello(&["tensors", "handles"]);
    let mut comparison = Comparison::new(&hello);
    let seen = TensorObservation { byte_offset: None, ..tensor() };
    comparison.tensor(&"a".into(), &tensor(), Some(&seen)).expect("no difference");
    assert_eq!((comparison.compared_count, comparison.unobserved_count), (4, 1));
}

#[test]
fn what_is_not_declared_is_not_compared() {
    let hello = hello(&[]);
    let mut comparison = Comparison::new(&hello);
    let seen = TensorObservation { shape: Some(Vec::new()), ..tensor() };
    comparison.tensor(&"a".into(), &tensor(), Some(&seen)).expect("nothing compared");
    assert_eq!((comparison.compared_count, comparison.unobserved_count), (0, 2));
}

#[test]
fn buffers_are_compared_by_length_digest_and_memory() {
    let hello = hello(&["payload", "memory_alignment"]);
    let name = Text::from("a");
    let (wanted, handles) = (vec![BufferObservation::of(b"abcd")], tensor().handles);
    let seen = |bytes: &[u8], alignment| {
        let alignment = Some(U64(alignment));
        vec![BufferObservation { memory_alignment: alignment, ..BufferObservation::of(bytes) }]
    };
    let mut comparison = Comparison::new(&hello);
    let mut end = |seen| comparison.buffers(&name, Some(&wanted), handles.as_ref(), Some(&seen));
    assert!(end(seen(b"abcd", 64)).is_ok());
    assert_eq!(end(seen(b"abc", 64)).expect_err("short").what, "a: buffer 0: length");
    assert_eq!(end(seen(b"abce", 64)).expect_err("other").what, "a: buffer 0: sha256");
    assert_eq!(end(seen(b"abcd", 32)).expect_err("loose").what, "a: buffer 0: memory alignment");
    assert_eq!(end(Vec::new()).expect_err("none").what, "a: buffers");
}

#[test]
fn memory_of_a_device_may_stay_unseen_but_not_be_seen_wrongly() {
    let hello = hello(&["payload"]);
    let (name, wanted) = (Text::from("a"), vec![BufferObservation::of(b"abcd")]);
    let on = |device| Some(vec![HandleObservation { device_tag: Some(device), ..HandleObservation::default() }]);
    let end = |device, seen: Option<&Vec<BufferObservation>>| {
        let mut comparison = Comparison::new(&hello);
        let compared = comparison.buffers(&name, Some(&wanted), on(device).as_ref(), seen);
        (compared.map_err(|difference| difference.what), comparison.unobserved_count)
    };
    let other = vec![BufferObservation::of(b"abce")];
    assert_eq!(end(1, None), (Ok(()), 1));
    assert_eq!(end(1, Some(&other)), (Err("a: buffer 0: sha256".to_owned()), 0));
    assert_eq!(end(1, Some(&Vec::new())), (Err("a: buffers".to_owned()), 0));
    assert_eq!(end(0, None), (Err("a: buffers".to_owned()), 0));
}

#[test]
fn key_values_are_compared_by_key_in_any_order() {
    let hello = hello(&["kv"]);
    let entry = |key: &str, value| KvEntry { key: key.into(), value };
    let array = |element: Option<&str>| KvValue::Array { element: element.map(str::to_owned), items: Vec::new() };
    let wanted = vec![entry("a", KvValue::Int64(I64(1))), entry("b", array(Some("bool")))];
    let mut comparison = Comparison::new(&hello);
    let mut end = |seen: Vec<KvEntry>| comparison.kv(Some(&wanted), Some(&seen));
    assert!(end(vec![entry("b", array(None)), entry("a", KvValue::Int64(I64(1)))]).is_ok());
    let found = end(vec![entry("b", array(Some("bytes"))), entry("a", KvValue::Int64(I64(1)))]);
    assert_eq!(found.expect_err("another element type").what, "key b");
    assert_eq!(end(vec![entry("a", KvValue::Uint64(U64(1)))]).expect_err("another type").what, "key a");
    assert_eq!(end(wanted[..1].to_vec()).expect_err("one is missing").what, "key-value entries");
    assert_eq!(comparison.kv(Some(&wanted), None).expect_err("nothing").actual, r#""nothing""#);
}

#[test]
fn an_integer_without_its_type_is_compared_by_value() {
    let hello = hello(&["kv"]);
    let entry = |value| vec![KvEntry { key: "a".into(), value }];
    let mut comparison = Comparison::new(&hello);
    let mut is_same = |wanted, seen: &str| {
        comparison.kv(Some(&entry(wanted)), Some(&entry(KvValue::Integer(seen.to_owned())))).is_ok()
    };
    assert!(is_same(KvValue::Int64(I64(-1)), "-1") && is_same(KvValue::Uint64(U64(u64::MAX)), "18446744073709551615"));
    assert!(!is_same(KvValue::Int64(I64(-1)), "18446744073709551615") && !is_same(KvValue::Bool(true), "1"));
}

#[test]
fn names_are_a_set_without_repetition() {
    let hello = hello(&[]);
    let mut comparison = Comparison::new(&hello);
    let wanted = [Text::from("a"), Text::from("b")];
    assert!(comparison.names(&wanted, Some(&vec!["b".into(), "a".into()])).is_ok());
    assert!(comparison.names(&wanted, Some(&vec!["a".into(), "a".into(), "b".into()])).is_err());
    assert!(comparison.names(&wanted, None).is_err());
}

#[test]
fn a_header_is_compared_where_it_is_observed() {
    let wanted = ContainerObservation { flags: Some(4), ..ContainerObservation::default() };
    let seen = ContainerObservation { flags: Some(5), ..ContainerObservation::default() };
    let observer = hello(&["container"]);
    let found = Comparison::new(&observer).container(Some(&wanted), Some(&seen)).expect_err("other flags");
    assert_eq!(found.what, "file_flags");
    assert!(Comparison::new(&observer).container(Some(&wanted), None).is_err());
    let blind = hello(&[]);
    let mut comparison = Comparison::new(&blind);
    assert!(comparison.container(Some(&wanted), Some(&seen)).is_ok());
    assert_eq!(comparison.unobserved_count, 1);
}

#[test]
fn parts_are_compared_field_by_field_where_their_group_is_declared() {
    let name = Text::from("a");
    let one = |value: &str| FieldValue::One(value.to_owned());
    let part = |scale: FieldValue| {
        let fields = Fields::from([("scheme".to_owned(), one("per_tensor")), ("scale".to_owned(), scale)]);
        TensorObservation { quantization: Some(fields), ..TensorObservation::default() }
    };
    let wanted = part(one("3f00000a"));
    let observer = hello(&["sections"]);
    let mut comparison = Comparison::new(&observer);
    assert!(comparison.tensor(&name, &wanted, Some(&part(one("3F00000A")))).is_ok());
    assert_eq!(comparison.compared_count, 2);
    let found = comparison.tensor(&name, &wanted, Some(&part(one("3f800000")))).expect_err("another scale");
    assert_eq!(found.what, "a: quantization.scale");
    let found = comparison.tensor(&name, &wanted, None).expect_err("no section");
    assert_eq!((found.what.as_str(), found.actual.as_str()), ("a: quantization", r#""nothing""#));
    let blind = hello(&["layout_fields"]);
    let mut comparison = Comparison::new(&blind);
    assert!(comparison.tensor(&name, &wanted, Some(&part(one("3f800000")))).is_ok());
    assert_eq!((comparison.compared_count, comparison.unobserved_count), (0, 2));
}

#[test]
fn a_part_within_a_part_and_a_list_are_compared_too() {
    let name = Text::from("a");
    let seen_with = |list: &[&str], inner: &str| {
        let list = FieldValue::Many(list.iter().map(|item| (*item).to_owned()).collect());
        let nested = FieldValue::Part(Fields::from([("outer_layout".to_owned(), FieldValue::One(inner.to_owned()))]));
        let fields = Fields::from([("tile_shape".to_owned(), list), ("nested".to_owned(), nested)]);
        TensorObservation { layout_fields: Some(fields), ..TensorObservation::default() }
    };
    let hello = hello(&["layout_fields"]);
    let mut comparison = Comparison::new(&hello);
    let wanted = seen_with(&["2", "4"], "1");
    let mut end = |seen| comparison.tensor(&name, &wanted, Some(&seen));
    assert!(end(seen_with(&["2", "4"], "1")).is_ok());
    assert_eq!(end(seen_with(&["2"], "1")).expect_err("short").what, "a: layout_fields.tile_shape");
    assert_eq!(end(seen_with(&["2", "4"], "2")).expect_err("inner").what, "a: layout_fields.nested.outer_layout");
    let bare = TensorObservation { layout_fields: Some(Fields::new()), ..TensorObservation::default() };
    assert!(end(bare).is_ok());
    assert_eq!(comparison.unobserved_count, 6, "the group `tensors` in four comparisons, and two fields");
}

#[test]
fn what_is_unknown_must_not_be_shown() {
    let name = Text::from("a");
    let statistics = |fields: &[(&str, &str)]| {
        let fields = fields.iter().map(|(name, value)| ((*name).to_owned(), FieldValue::One((*value).to_owned())));
        TensorObservation { statistics: Some(fields.collect()), ..TensorObservation::default() }
    };
    let wanted = statistics(&[("nnz", "unknown"), ("nm_n", "1")]);
    let hello = hello(&["sections"]);
    let mut comparison = Comparison::new(&hello);
    assert!(comparison.tensor(&name, &wanted, Some(&statistics(&[("nm_n", "1")]))).is_ok());
    assert_eq!(comparison.compared_count, 2);
    let shown = statistics(&[("nm_n", "1"), ("nnz", "0")]);
    assert_eq!(comparison.tensor(&name, &wanted, Some(&shown)).expect_err("shown").what, "a: statistics.nnz");
}
