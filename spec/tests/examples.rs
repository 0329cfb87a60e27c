//! The worked examples of `tables/examples.toml`, each computed again from the tables and from the formulas of the text.

use std::collections::BTreeMap;

use hurray_spec::tables::{
    BUFFER_HANDLE_LEN, DESCRIPTOR_HEADER_LEN, ElementType, KV_ENTRY_MIN_LEN, KV_MIN_LEN, KV_VALUE_TAG, Layout,
    Structure,
};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Examples {
    structure: Vec<StructureBytes>,
    descriptor_len: Vec<DescriptorLen>,
    crc32c: Vec<Crc>,
    buffer_positions: Vec<Positions>,
    kv_section: Vec<KvSection>,
    contiguous: Vec<Contiguous>,
    pack: Vec<Pack>,
    element_count: Vec<Count>,
    strided_extent: Vec<Extent>,
}

#[derive(Deserialize)]
struct StructureBytes {
    id: String,
    of: String,
    bytes: String,
    fields: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct DescriptorLen {
    id: String,
    rank: u32,
    layout: String,
    layout_len: u64,
    len: u64,
}

#[derive(Deserialize)]
struct Crc {
    id: String,
    bytes: String,
    crc: u32,
}

#[derive(Deserialize)]
struct Positions {
    alignment: u64,
    data_offset: u64,
    byte_sizes: Vec<u64>,
    positions: Vec<u64>,
    need: u64,
    written: u64,
    accept_to: u64,
}

#[derive(Deserialize)]
struct KvSection {
    id: String,
    bytes: String,
    keys: Vec<String>,
    tags: Vec<String>,
}

#[derive(Deserialize)]
struct Contiguous {
    types: Vec<String>,
    count: u64,
    len: u64,
    text_says: Option<u64>,
}

#[derive(Deserialize)]
struct Pack {
    #[serde(rename = "type")]
    name: String,
    codes: Vec<u64>,
    bytes: String,
}

#[derive(Deserialize)]
struct Count {
    shape: Vec<u64>,
    count: u64,
}

#[derive(Deserialize)]
struct Extent {
    id: String,
    shape: Vec<i64>,
    strides: Vec<i64>,
    lo: i64,
    hi: i64,
    text_says: Option<i64>,
}

fn examples() -> Examples {
    toml::from_str(include_str!("../tables/examples.toml")).unwrap()
}

fn bytes(hex: &str) -> Vec<u8> {
    hex.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect()
}

fn little_endian(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte))
}

#[test]
fn fields_stand_where_the_tables_say() {
    for example in examples().structure {
        let structure = Structure::from_id(&example.of).unwrap();
        let bytes = bytes(&example.bytes);
        assert_eq!(bytes.len() as u64, structure.len, "{}", example.id);
        for (name, value) in &example.fields {
            let field = structure.field(name).unwrap_or_else(|| panic!("{}: no field {name}", example.id));
            let at = field.offset as usize..(field.offset + field.len) as usize;
            assert_eq!(little_endian(&bytes[at]).to_string(), *value, "{}: {name}", example.id);
        }
        for field in structure.fields.iter().filter(|field| field.name.starts_with("_reserved")) {
            let at = field.offset as usize..(field.offset + field.len) as usize;
            assert!(bytes[at].iter().all(|byte| *byte == 0), "{}: {}", example.id, field.name);
        }
    }
}

#[test]
fn descriptors_are_as_long_as_their_parts() {
    for example in examples().descriptor_len {
        let buffers = Layout::from_name(&example.layout).unwrap().buffer_count(example.rank);
        let fixed = DESCRIPTOR_HEADER_LEN + 8 * u64::from(example.rank) + 8;
        let len = fixed + example.layout_len + 1 + BUFFER_HANDLE_LEN * u64::from(buffers);
        assert_eq!(len, example.len, "{}", example.id);
    }
    assert_eq!(Layout::from_name("csf").unwrap().buffer_count(3), 7);
}

#[test]
fn checksums_are_castagnoli() {
    for example in examples().crc32c {
        let mut crc = u32::MAX;
        for byte in bytes(&example.bytes) {
            crc ^= u32::from(byte);
            for _ in 0..8 {
                crc = crc >> 1 ^ if crc & 1 == 1 { 0x82F6_3B78 } else { 0 };
            }
        }
        assert_eq!(crc ^ u32::MAX, example.crc, "{}", example.id);
    }
}

#[test]
fn buffers_follow_one_another_at_the_next_boundary() {
    for example in examples().buffer_positions {
        let mut positions = Vec::new();
        let mut need = 0;
        let mut end = example.data_offset;
        for size in &example.byte_sizes {
            let at = end.next_multiple_of(example.alignment);
            end = at + size;
            positions.push(at);
            need = if *size > 0 { end - example.data_offset } else { need };
        }
        assert_eq!(positions, example.positions);
        assert_eq!(need, example.need);
        assert_eq!(end - example.data_offset, example.written);
        assert_eq!(need.next_multiple_of(example.alignment), example.accept_to);
        assert!(example.need <= example.written && example.written <= example.accept_to);
    }
}

#[test]
fn entries_fill_their_section() {
    for example in examples().kv_section {
        let bytes = bytes(&example.bytes);
        let (mut at, mut keys, mut tags) = (KV_MIN_LEN as usize, Vec::new(), Vec::new());
        while at < bytes.len() {
            let start = at;
            let key_end = at + 2 + little_endian(&bytes[at..at + 2]) as usize;
            keys.push(String::from_utf8(bytes[at + 2..key_end].to_vec()).unwrap());
            let tag = bytes[key_end];
            tags.push(KV_VALUE_TAG.name(tag).unwrap().to_owned());
            let payload = &bytes[key_end + 1..];
            at = key_end + 1 + payload_len(tag, payload);
            assert!(at - start >= KV_ENTRY_MIN_LEN as usize);
        }
        assert_eq!(at, bytes.len(), "{}", example.id);
        assert_eq!(little_endian(&bytes[..4]), keys.len() as u64);
        assert_eq!((keys, tags), (example.keys, example.tags), "{}", example.id);
    }
}

fn payload_len(tag: u8, payload: &[u8]) -> usize {
    match KV_VALUE_TAG.name(tag).unwrap() {
        "string" | "bytes" => 4 + little_endian(&payload[..4]) as usize,
        "bool" => 1,
        "array" => {
            let count = little_endian(&payload[1..5]) as usize;
            (0..count).fold(5, |len, _| len + payload_len(payload[0], &payload[len..]))
        }
        _ => 8,
    }
}

#[test]
fn elements_take_the_bytes_of_their_groups() {
    let mut seen = Vec::new();
    for example in examples().contiguous {
        for name in &example.types {
            let element = ElementType::from_name(name).unwrap();
            assert_eq!(element.contiguous_len(example.count), Some(example.len), "{name} x {}", example.count);
            let tight = (example.count * u64::from(element.bits)).div_ceil(8);
            assert_eq!(tight, example.text_says.unwrap_or(example.len), "{name} x {}", example.count);
            seen.push(element.tag);
        }
    }
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), 26, "every element type has an example");
}

#[test]
fn codes_pack_from_the_lowest_bit() {
    for example in examples().pack {
        let element = ElementType::from_name(&example.name).unwrap();
        let mut packed = vec![0u8; element.contiguous_len(example.codes.len() as u64).unwrap() as usize];
        for (number, code) in example.codes.iter().enumerate() {
            for bit in 0..element.bits as usize {
                let place = number * element.bits as usize + bit;
                packed[place / 8] |= ((code >> bit & 1) as u8) << (place % 8);
            }
        }
        assert_eq!(packed, bytes(&example.bytes), "{}", example.name);
    }
}

#[test]
fn one_empty_dimension_makes_a_tensor_empty() {
    for example in examples().element_count {
        let empty = example.shape.contains(&0);
        let product = example.shape.iter().try_fold(1u64, |product, size| product.checked_mul(*size));
        assert_eq!(if empty { Some(0) } else { product }, Some(example.count), "{:?}", example.shape);
    }
}

#[test]
fn strides_reach_from_the_lowest_to_the_highest_element() {
    for example in examples().strided_extent {
        let reach = |low: bool| {
            let spans = example.shape.iter().zip(&example.strides).map(|(size, stride)| stride * (size - 1));
            spans.filter(|span| (*span < 0) == low).sum::<i64>()
        };
        assert_eq!((reach(true), reach(false)), (example.lo, example.hi), "{}", example.id);
        assert_ne!(Some(example.hi), example.text_says, "{}: the text is right after all", example.id);
    }
}
