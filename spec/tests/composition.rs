//! The worked examples of `tables/examples-layouts.toml` on what is stored rather than where: sparse matrices, the order
//! of sections, the scales of pages, the boxes of composites. Each is computed again from the rules of the text.

use std::collections::BTreeMap;

use hurray_spec::tables::{BUFFER_HANDLE_LEN, DESCRIPTOR_HEADER_LEN, Layout, MEMBER_ROLE, Structure};
use serde::Deserialize;

#[derive(Deserialize)]
struct Examples {
    section_offsets: Vec<SectionOffsets>,
    coo: Vec<Coo>,
    compressed: Vec<Compressed>,
    csf: Vec<Csf>,
    slot_scales: Vec<SlotScales>,
    partition: Vec<Partition>,
    overlay: Vec<Overlay>,
}

#[derive(Deserialize)]
struct SectionOffsets {
    rank: u64,
    layout_len: u64,
    buffer_count: u64,
    shard: u64,
    statistics: u64,
    extension_type: u64,
    composite_member: u64,
    descriptor_length: u64,
}

#[derive(Deserialize)]
struct Coo {
    id: String,
    shape: Vec<usize>,
    element_bytes: usize,
    indices: Vec<Vec<usize>>,
    dense: Vec<Vec<u32>>,
    buffer_bytes: Vec<usize>,
}

#[derive(Deserialize)]
struct Compressed {
    id: String,
    layout: String,
    shape: Vec<usize>,
    element_bytes: usize,
    values: Vec<u32>,
    indices: Vec<usize>,
    pointers: Vec<usize>,
    dense: Vec<Vec<u32>>,
    buffer_bytes: Vec<usize>,
}

#[derive(Deserialize)]
struct Csf {
    id: String,
    shape: Vec<usize>,
    mode_order: Vec<usize>,
    pos: Vec<Vec<usize>>,
    crd: Vec<Vec<usize>>,
    values: Vec<u32>,
    entries: Vec<Entry>,
    buffer_count: u32,
}

#[derive(Deserialize)]
struct Entry {
    index: Vec<usize>,
    value: u32,
}

#[derive(Deserialize)]
struct SlotScales {
    shape: Vec<u64>,
    num_pages: u64,
    page_size: u64,
    per_slot: u64,
    per_block: u64,
}

#[derive(Deserialize)]
struct Partition {
    id: String,
    head: Vec<usize>,
    boxes: Vec<Region>,
    covers: bool,
    overlaps: bool,
    lookups: Vec<Lookup>,
}

#[derive(Deserialize)]
struct Overlay {
    head: Vec<usize>,
    boxes: Vec<Region>,
    roles: Vec<String>,
}

#[derive(Deserialize)]
struct Region {
    offset: Vec<usize>,
    shape: Vec<usize>,
}

impl Region {
    fn holds(&self, index: &[usize]) -> bool {
        let sides = self.offset.iter().zip(&self.shape);
        index.iter().zip(sides).all(|(at, (offset, size))| (*offset..offset + size).contains(at))
    }
}

#[derive(Deserialize)]
struct Lookup {
    index: Vec<usize>,
    member: usize,
    local: Vec<usize>,
}

fn examples() -> Examples {
    toml::from_str(include_str!("../tables/examples-layouts.toml")).unwrap()
}

/// Every index of a shape, the last dimension fastest.
fn indices(shape: &[usize]) -> Vec<Vec<usize>> {
    let longer = |short: Vec<Vec<usize>>, size: &usize| {
        short.iter().flat_map(|index| (0..*size).map(move |at| [&index[..], &[at]].concat())).collect()
    };
    shape.iter().fold(vec![Vec::new()], longer)
}

#[test]
fn statistics_come_before_the_extension_type() {
    let len = |id: &str| Structure::from_id(&format!("section.{id}")).unwrap().len;
    for example in examples().section_offsets {
        let core = DESCRIPTOR_HEADER_LEN + 8 * example.rank + 8 + example.layout_len;
        let shard = core + 1 + BUFFER_HANDLE_LEN * example.buffer_count;
        assert_eq!(shard, example.shard);
        assert_eq!(shard + 16 * example.rank, example.statistics);
        assert_eq!(example.statistics + len("statistics"), example.extension_type);
        assert_eq!(example.extension_type + len("extension_type"), example.composite_member);
        assert_eq!(example.composite_member + len("composite_member"), example.descriptor_length);
    }
}

#[test]
fn coordinates_give_the_dense_matrix() {
    for example in examples().coo {
        let number = |index: &[usize]| example.indices.iter().position(|stored| stored == index);
        let value = |row, column| number(&[row, column]).map_or(0, |at| at as u32 + 1);
        let [rows, columns] = example.shape[..] else { panic!("{}", example.id) };
        let dense: Vec<Vec<u32>> =
            (0..rows).map(|row| (0..columns).map(|column| value(row, column)).collect()).collect();
        assert_eq!(dense, example.dense, "{}", example.id);
        assert!(example.indices.windows(2).all(|pair| pair[0] < pair[1]), "{}", example.id);
        let nnz = example.indices.len();
        assert_eq!([example.element_bytes * nnz, 8 * nnz * example.shape.len()][..], example.buffer_bytes);
    }
}

#[test]
fn compressed_rows_and_columns_give_the_dense_matrix() {
    for example in examples().compressed {
        let [rows, columns] = example.shape[..] else { panic!("{}", example.id) };
        let is_row = example.layout == "csr";
        let (major_count, minor_count) = if is_row { (rows, columns) } else { (columns, rows) };
        assert_eq!(example.pointers.len(), major_count + 1, "{}", example.id);
        assert_eq!((example.pointers[0], example.pointers[major_count]), (0, example.values.len()), "{}", example.id);
        let mut dense = vec![vec![0; columns]; rows];
        for major in 0..major_count {
            let slice = example.pointers[major]..example.pointers[major + 1];
            assert!(example.indices[slice.clone()].windows(2).all(|pair| pair[0] < pair[1]), "{}", example.id);
            for at in slice {
                let minor = example.indices[at];
                assert!(minor < minor_count, "{}", example.id);
                let (row, column) = if is_row { (major, minor) } else { (minor, major) };
                dense[row][column] = example.values[at];
            }
        }
        assert_eq!(dense, example.dense, "{}", example.id);
        let nnz = example.values.len();
        assert_eq!([example.element_bytes * nnz, 8 * nnz, 8 * (major_count + 1)][..], example.buffer_bytes);
        assert_eq!(Layout::from_name(&example.layout).unwrap().buffer_count(2), 3);
    }
}

#[test]
fn a_tree_leads_to_every_stored_element_and_to_no_other() {
    for example in examples().csf {
        let find = |index: &[usize]| {
            let mut node = 0;
            for (level, mode) in example.mode_order.iter().enumerate() {
                let slice = example.pos[level][node]..example.pos[level][node + 1];
                node = slice.clone().find(|at| example.crd[level][*at] == index[*mode])?;
            }
            Some(example.values[node])
        };
        let stored: BTreeMap<&[usize], u32> =
            example.entries.iter().map(|entry| (&entry.index[..], entry.value)).collect();
        for index in indices(&example.shape) {
            assert_eq!(find(&index), stored.get(&index[..]).copied(), "{}: {index:?}", example.id);
        }
        let arrays = 1 + example.pos.len() + example.crd.len();
        let rank = example.shape.len() as u32;
        assert_eq!((arrays as u32, Layout::from_name("csf").unwrap().buffer_count(rank)), (7, example.buffer_count));
        for level in 0..example.pos.len() {
            let parents = if level == 0 { 1 } else { example.crd[level - 1].len() };
            assert_eq!(example.pos[level].len(), parents + 1, "{}", example.id);
            assert_eq!(example.pos[level].last(), Some(&example.crd[level].len()), "{}", example.id);
        }
    }
}

#[test]
fn scales_of_slots_are_not_scales_of_blocks() {
    for example in examples().slot_scales {
        let blocks = example.shape[0].div_ceil(example.page_size) * example.shape[1] * example.shape[2];
        assert_eq!((example.num_pages * example.page_size, blocks), (example.per_slot, example.per_block));
        assert_ne!(example.per_slot, example.per_block, "the text is right after all");
    }
}

#[test]
fn boxes_cover_a_head_when_each_index_stands_in_one() {
    for example in examples().partition {
        let holders = |index: &[usize]| example.boxes.iter().filter(|region| region.holds(index)).count();
        let counts: Vec<usize> = indices(&example.head).iter().map(|index| holders(index)).collect();
        assert_eq!(counts.iter().all(|count| *count == 1), example.covers, "{}", example.id);
        assert_eq!(counts.iter().any(|count| *count > 1), example.overlaps, "{}", example.id);
        for Lookup { index, member, local } in &example.lookups {
            assert_eq!(example.boxes.iter().position(|region| region.holds(index)), Some(*member), "{}", example.id);
            let there: Vec<usize> =
                index.iter().zip(&example.boxes[*member].offset).map(|(at, offset)| at - offset).collect();
            assert_eq!(there, *local, "{}", example.id);
        }
    }
}

#[test]
fn the_base_of_an_overlay_spans_its_head() {
    for example in examples().overlay {
        let base = &example.boxes[0];
        assert!(base.offset.iter().all(|offset| *offset == 0) && base.shape == example.head);
        assert_eq!(example.boxes.len(), example.roles.len());
        assert_eq!(MEMBER_ROLE.name(1), Some(example.roles[0].as_str()));
        assert!(example.roles[1..].iter().all(|role| MEMBER_ROLE.name(0) == Some(role)));
    }
}
