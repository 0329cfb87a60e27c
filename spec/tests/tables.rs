//! The tables hold together: tag spaces are complete, structures have no holes, constants agree with both.

use std::collections::BTreeSet;

use hurray_spec::tables::{
    BUFFER_HANDLE_LEN, DATA_ALIGNMENT_MAX, DATA_ALIGNMENT_MIN, DESCRIPTOR_FLAGS, DESCRIPTOR_FLAGS_RESERVED,
    DESCRIPTOR_HEADER_LEN, DEVICE_TAG, DEVICES, Device, ELEMENT_TYPES, ElementType, FILE_FLAGS, FILE_FLAGS_RESERVED,
    FILE_MIN_LEN, FlagBit, HEADER_LEN, INDEX_ENTRY_FIXED_LEN, INDEX_ENTRY_MIN_LEN, INDEX_MIN_LEN, KV_ENTRY_MIN_LEN,
    KV_MIN_LEN, LAYOUT_TAG, LAYOUTS, Layout, MEMORY_CLASS, NF4_LEVELS, SCHEME_TAG, SCHEMES, STATISTICS_FLAGS,
    STRUCTURES, Scheme, Structure, TAG_SPACES, TRAILER_LEN, TYPE_TAG, TagClass, VARIABLE_STRUCTURES, VariableStructure,
    field_names,
};

#[test]
fn every_tag_value_has_a_name_or_a_class_and_not_both() {
    assert_eq!(TAG_SPACES.len(), 10);
    for space in TAG_SPACES {
        for tag in 0..=u8::MAX {
            let named = space.values.iter().filter(|value| value.tag == tag).count();
            let ranged = space.ranges.iter().filter(|range| (range.from..=range.to).contains(&tag)).count();
            assert_eq!(named + ranged, 1, "{} {tag:#04x}", space.id);
            assert_eq!(space.name(tag).is_some(), named == 1);
            assert_eq!(space.class(tag).is_some(), ranged == 1);
        }
        assert!(space.values.windows(2).all(|pair| pair[0].tag < pair[1].tag), "{}", space.id);
        // The enumerations of composites that are closed reserve 0xFF with all the rest.
        let closed = ["combine_op", "member_role"].contains(&space.id);
        let last = if closed { TagClass::Reserved } else { TagClass::Invalid };
        assert_eq!(space.class(0xFF), Some(last), "{}", space.id);
    }
}

#[test]
fn lookups_find_every_entry_and_nothing_else() {
    for entry in ELEMENT_TYPES {
        assert_eq!(ElementType::from_tag(entry.tag), Some(entry));
        assert_eq!(ElementType::from_name(entry.name), Some(entry));
        assert_eq!(TYPE_TAG.name(entry.tag), Some(entry.name));
    }
    for entry in LAYOUTS {
        assert_eq!(Layout::from_tag(entry.tag), Some(entry));
        assert_eq!(Layout::from_name(entry.name), Some(entry));
        assert_eq!(LAYOUT_TAG.name(entry.tag), Some(entry.name));
        assert!(entry.min_rank <= entry.max_rank && entry.max_rank <= 64);
    }
    for entry in DEVICES {
        assert_eq!(Device::from_tag(entry.tag), Some(entry));
        assert_eq!(Device::from_name(entry.name), Some(entry));
        assert_eq!(DEVICE_TAG.name(entry.tag), Some(entry.name));
    }
    assert_eq!(ElementType::from_tag(0x47), None);
    assert_eq!(Layout::from_tag(0x0C), None);
    assert_eq!(Device::from_tag(0x09), None);
    assert_eq!(Structure::from_id("kv.entry").map(|entry| entry.id), None);
}

#[test]
fn schemes_agree_with_their_structures() {
    assert_eq!(SCHEMES.len(), 5);
    for scheme in SCHEMES {
        assert_eq!(Scheme::from_tag(scheme.tag), Some(scheme));
        assert_eq!(Scheme::from_name(scheme.name), Some(scheme));
        assert_eq!(SCHEME_TAG.name(scheme.tag), Some(scheme.name));
        assert!(scheme.storage.windows(2).all(|pair| pair[0] < pair[1]), "{}", scheme.name);
        assert!(scheme.storage.iter().all(|tag| ElementType::from_tag(*tag).is_some()), "{}", scheme.name);
        let structure = Structure::from_id(&format!("quant.{}", scheme.name)).unwrap();
        assert_eq!(structure.len, u64::from(scheme.len), "{}", scheme.name);
        let indices = structure.fields.iter().filter(|field| field.name.ends_with("_buffer_index")).count();
        assert_eq!(indices as u32, scheme.buffers, "{}", scheme.name);
        assert_eq!(structure.field("block_size").is_some(), scheme.blocks.is_some(), "{}", scheme.name);
        let bound = |blocks: &hurray_spec::tables::Blocks| blocks.min.is_power_of_two() && blocks.max != 1;
        assert!(scheme.blocks.as_ref().is_none_or(bound), "{}", scheme.name);
        let header = Structure::from_id("quant.header").unwrap();
        assert!(header.fields.iter().all(|field| structure.field(field.name) == Some(field)), "{}", scheme.name);
    }
    assert!(Scheme::from_name("nf4").unwrap().stands_on(0x49) && !Scheme::from_name("nf4").unwrap().stands_on(0x48));
    assert_eq!(Scheme::from_tag(0x06), None);
}

#[test]
fn nf4_levels_ascend_from_minus_one_through_zero_to_one() {
    let levels: Vec<f32> = NF4_LEVELS.iter().map(|bits| f32::from_bits(*bits)).collect();
    assert!(levels.windows(2).all(|pair| pair[0] < pair[1]));
    assert_eq!((levels[0], levels[7].to_bits(), levels[15]), (-1.0, 0, 1.0));
    let chapter = include_str!("../80-quantization.md");
    for (code, bits) in NF4_LEVELS.iter().enumerate() {
        assert!(chapter.contains(&format!("| {code} | `{bits:08x}` |")), "the chapter lacks level {code}");
    }
}

#[test]
fn thirteen_types_and_eleven_layouts_are_mandatory() {
    assert_eq!(ELEMENT_TYPES.iter().filter(|entry| entry.tier == 1).count(), 13);
    assert_eq!(ELEMENT_TYPES.len(), 26);
    assert_eq!(LAYOUTS.iter().filter(|entry| entry.tier == 1).count(), 11);
    assert!(ELEMENT_TYPES.iter().all(|entry| (entry.tier == 1) == (entry.tag < 0x40)));
}

#[test]
fn packing_groups_fill_whole_bytes_and_are_the_smallest_to_do_so() {
    for entry in ELEMENT_TYPES {
        assert_eq!(entry.pack_elements * u64::from(entry.bits), entry.pack_bytes * 8, "{}", entry.name);
        let smaller = (1..entry.pack_elements).find(|count| count * u64::from(entry.bits) % 8 == 0);
        assert_eq!(smaller, None, "{}", entry.name);
    }
    assert_eq!(ElementType::from_name("float64").and_then(|entry| entry.contiguous_len(u64::MAX)), None);
    assert_eq!(ElementType::from_name("bool").and_then(|entry| entry.contiguous_len(u64::MAX)), Some(1 << 61));
}

#[test]
fn devices_allow_what_the_matrix_of_the_text_says() {
    let pairs = |name| {
        let class = MEMORY_CLASS.values.iter().find(|value| value.name == name).unwrap().tag;
        DEVICES.iter().filter(move |device| device.allows(class)).map(|device| device.tag)
    };
    assert!(pairs("STANDARD").eq(0x00..=0x08));
    assert!(pairs("HOST_PINNED").eq([0x00, 0x01, 0x02, 0x03, 0x04, 0x06, 0x07, 0x08]));
    assert!(pairs("UNIFIED").eq([0x00, 0x01, 0x02, 0x03, 0x04, 0x06, 0x07, 0x08]));
    assert!(pairs("PEER").eq([0x01, 0x02, 0x04, 0x07]));
    assert!(DEVICES.iter().all(|device| !device.allows(0x04) && !device.allows(0xF0)));
}

#[test]
fn structures_have_neither_hole_nor_overlap() {
    for structure in STRUCTURES {
        let mut end = 0;
        for field in structure.fields {
            assert_eq!(field.offset, end, "{}.{}", structure.id, field.name);
            end += field.len;
            assert_eq!(structure.field(field.name), Some(field));
        }
        assert_eq!(end, structure.len, "{}", structure.id);
        for offset in 0..structure.len {
            assert!(structure.field_at(offset).is_some());
        }
        assert_eq!(structure.field_at(structure.len), None);
    }
}

#[test]
fn structures_of_variable_length_name_each_field_once() {
    for structure in VARIABLE_STRUCTURES {
        assert!(Structure::from_id(structure.id).is_none(), "{}", structure.id);
        assert!(structure.fields.iter().any(|field| field.len.is_none()), "{}", structure.id);
        let names: Vec<_> = structure.fields.iter().map(|field| field.name).collect();
        let distinct: BTreeSet<_> = names.iter().collect();
        assert_eq!(distinct.len(), names.len(), "{}", structure.id);
        assert_eq!(field_names(structure.id), Some(names));
    }
    let fixed =
        |id| VariableStructure::from_id(id).map(|entry| entry.fields.iter().filter_map(|field| field.len).sum());
    assert_eq!(fixed("index.section"), Some(INDEX_MIN_LEN));
    assert_eq!(fixed("index.entry"), Some(INDEX_ENTRY_FIXED_LEN));
    assert_eq!(fixed("kv.section"), Some(KV_MIN_LEN));
    assert_eq!(field_names("trailer").map(|names| names.len()), Some(7));
    assert_eq!(field_names("tail"), None);
}

#[test]
fn constants_agree_with_the_structures() {
    let len = |id| Structure::from_id(id).map(|structure| structure.len);
    assert_eq!(len("header"), Some(HEADER_LEN));
    assert_eq!(len("trailer"), Some(TRAILER_LEN));
    assert_eq!(len("descriptor.header"), Some(DESCRIPTOR_HEADER_LEN));
    assert_eq!(len("buffer_handle"), Some(BUFFER_HANDLE_LEN));
    assert_eq!(FILE_MIN_LEN, HEADER_LEN + INDEX_MIN_LEN + TRAILER_LEN);
    assert_eq!(INDEX_ENTRY_FIXED_LEN, 2 + 8 + 4 + 8 + 8 + 4);
    assert_eq!(INDEX_ENTRY_MIN_LEN, INDEX_ENTRY_FIXED_LEN + 1);
    assert_eq!(KV_ENTRY_MIN_LEN, 2 + 1 + 1 + 1);
    assert!(DATA_ALIGNMENT_MIN.is_power_of_two() && DATA_ALIGNMENT_MAX.is_power_of_two());
    assert_eq!(DATA_ALIGNMENT_MAX / DATA_ALIGNMENT_MIN, 1 << 9);
}

#[test]
fn reserved_flags_are_all_bits_without_a_name() {
    let named = |bits: &[FlagBit]| bits.iter().fold(0u32, |mask, bit| mask | 1 << bit.bit);
    assert_eq!(FILE_FLAGS_RESERVED, !named(FILE_FLAGS));
    assert_eq!(DESCRIPTOR_FLAGS_RESERVED, !named(DESCRIPTOR_FLAGS));
    assert_eq!(named(STATISTICS_FLAGS), 0x3F);
}
