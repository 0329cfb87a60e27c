//! What descriptions become, and what their errors say. Knows no rule of the format.

use hurray_adapter::{FieldValue, KvValue, NewComposite, NewItem, NewTensor, Payload, U64};

use super::parse;

fn tensor(item: &NewItem) -> &NewTensor {
    let NewItem::Tensor(tensor) = item else { panic!("a tensor: {item:?}") };
    tensor
}

#[test]
fn what_is_left_out_has_its_default() {
    let file = parse("a.toml", "[[tensor]]\nname = 'a'\ntype = 'float32'\nshape = [2, 3]\ndata = [{ pattern = 7 }]\n");
    let file = file.expect("a description");
    let tensor = tensor(&file.items[0]);
    assert_eq!(tensor.buffers, [Payload::Pattern { seed: 7, len: U64(24) }]);
    assert_eq!(tensor.descriptor.layout.as_deref(), Some("row_major"));
    let handles = tensor.descriptor.handles.as_deref().expect("handles");
    assert_eq!((handles.len(), handles[0].byte_size, handles[0].alignment), (1, Some(U64(24)), Some(64)));
    assert_eq!((tensor.descriptor.version, tensor.descriptor.member.clone()), (Some([1, 0]), None));
}

#[test]
fn floats_and_names_of_tags_become_what_is_observed() {
    let text = "[[tensor]]\nname = 'a'\ntype = 'int8'\ndata = ['i8 -1']\n\
                quantization = { scheme = 'per_tensor', scale = 0.5, zero_point = 3 }\nstatistics = { value_mean = 1.5 }\n";
    let file = parse("a.toml", text).expect("a description");
    let tensor = tensor(&file.items[0]);
    let part = tensor.descriptor.quantization.as_ref().expect("a section");
    assert_eq!(part["scale"], FieldValue::One("3f000000".to_owned()));
    assert_eq!(part["scheme_version"], FieldValue::One("1".to_owned()));
    let part = tensor.descriptor.statistics.as_ref().expect("a section");
    assert_eq!(part["value_mean"], FieldValue::One("3ff8000000000000".to_owned()));
    assert_eq!(tensor.buffers, [Payload::Hex("ff".to_owned())]);
}

#[test]
fn members_make_a_composite() {
    let text = "[[tensor]]\nname = 'w'\ntype = 'int8'\nshape = [2]\nlayout_fields = { composition_rule = 'group' }\n\
                [[tensor.members]]\nname = 'w.a'\ntype = 'int8'\nshape = [2]\ndata = ['i8[] 1 2']\n\
                [[kv]]\nkey = 'k'\nvalue = { int64 = -1 }\n";
    let file = parse("a.toml", text).expect("a description");
    let NewItem::Composite(NewComposite { descriptor, members, .. }) = &file.items[0] else { panic!("a composite") };
    let fields = descriptor.layout_fields.as_ref().expect("fields");
    assert_eq!(fields["composition_rule"], FieldValue::One("3".to_owned()));
    assert_eq!(fields["member_count"], FieldValue::One("1".to_owned()));
    assert_eq!(tensor(&members[0]).name, "w.a".into());
    assert!(matches!(file.kv[0].value, KvValue::Int64(value) if value.0 == -1));
}

#[test]
fn errors_say_where_and_what() {
    let error = |text: &str| parse("a.toml", text).expect_err("a fault").to_string();
    assert!(
        error("\n[[tensor]]\nnam = 'a'\n").starts_with("a.toml:3: unknown field `nam`"),
        "{}",
        error("\n[[tensor]]\nnam = 'a'\n")
    );
    let text = "[[tensor]]\nname = 'a'\ntype = 'float32'\nlayout = 'coo'\ndata = [{ pattern = 1 }]\n";
    assert!(error(text).contains("give `len`"), "{}", error(text));
    let text = "[[tensor]]\nname = 'a'\ntype = 'float32'\ndata = ['f33 1']\n";
    assert!(error(text).contains("tensor \"a\""), "{}", error(text));
}
