//! The worked examples of `tables/examples-layouts.toml` that map an index to a place, each computed again from the
//! formulas of the text. Knows no file and no other implementation.

use hurray_spec::tables::{LAYOUTS, Layout, Structure};
use serde::Deserialize;

#[derive(Deserialize)]
struct Examples {
    fields: Vec<Fields>,
    dense: Vec<Dense>,
    packed_place: Vec<PackedPlaces>,
    tiled: Vec<Tiled>,
    morton: Vec<Morton>,
    morton_literal: Vec<MortonLiteral>,
    hilbert: Vec<Hilbert>,
    block_paged: Vec<BlockPaged>,
    free_slots: Vec<FreeSlots>,
}

#[derive(Deserialize)]
struct Fields {
    id: String,
    of: String,
    parts: Vec<Part>,
    bytes: String,
}

#[derive(Deserialize)]
struct Part {
    #[serde(rename = "type")]
    wire: String,
    values: Vec<i64>,
}

#[derive(Deserialize)]
struct Offset {
    index: Vec<i64>,
    offset: i64,
}

#[derive(Deserialize)]
struct Dense {
    id: String,
    layout: String,
    shape: Vec<i64>,
    strides: Vec<i64>,
    offsets: Vec<Offset>,
}

#[derive(Deserialize)]
struct PackedPlaces {
    bits: i64,
    shape: Vec<i64>,
    strides: Vec<i64>,
    byte_offset: i64,
    places: Vec<Place>,
    min_byte_size: i64,
}

#[derive(Deserialize)]
struct Place {
    index: Vec<i64>,
    byte: i64,
    bit: i64,
}

#[derive(Deserialize)]
struct Tiled {
    id: String,
    shape: Vec<i64>,
    blocks: Vec<Block>,
    grid: Vec<i64>,
    elements: i64,
    offsets: Vec<Offset>,
}

#[derive(Deserialize)]
struct Block {
    tile_shape: Vec<i64>,
    outer: u8,
    inner: u8,
    #[serde(default)]
    outer_strides: Vec<i64>,
}

#[derive(Deserialize)]
struct Morton {
    id: String,
    bits: Vec<u32>,
    elements: i64,
    offsets: Vec<Offset>,
}

#[derive(Deserialize)]
struct MortonLiteral {
    bits: Vec<u32>,
    max_code: i64,
    elements: i64,
}

#[derive(Deserialize)]
struct Hilbert {
    id: String,
    rank: usize,
    order: u32,
    coordinates: Vec<Vec<u64>>,
}

#[derive(Deserialize)]
struct BlockPaged {
    page_size: i64,
    num_pages: i64,
    num_heads: i64,
    head_dim: i64,
    block_table: Vec<i64>,
    seq_ptr: Vec<i64>,
    pool_elements: i64,
    offsets: Vec<Offset>,
}

#[derive(Deserialize)]
struct FreeSlots {
    page_size: i64,
    tokens: i64,
    slots: Vec<i64>,
    text_says: Vec<i64>,
}

fn examples() -> Examples {
    toml::from_str(include_str!("../tables/examples-layouts.toml")).unwrap()
}

fn dot(index: &[i64], strides: &[i64]) -> i64 {
    index.iter().zip(strides).map(|(at, stride)| at * stride).sum()
}

/// Strides of a contiguous order: 1 is row-major, 2 column-major.
fn strides(order: u8, shape: &[i64]) -> Vec<i64> {
    let later = |k: usize| if order == 1 { &shape[k + 1..] } else { &shape[..k] };
    (0..shape.len()).map(|k| later(k).iter().product()).collect()
}

#[test]
fn fields_encode_to_their_bytes() {
    let mut seen = Vec::new();
    for example in examples().fields {
        let mut bytes = Vec::new();
        for part in &example.parts {
            let width = match part.wire.as_str() {
                "u8" => 1,
                "u32" => 4,
                "u64" | "i64" => 8,
                other => panic!("{}: no type {other}", example.id),
            };
            part.values.iter().for_each(|value| bytes.extend_from_slice(&value.to_le_bytes()[..width]));
        }
        let hex: Vec<String> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
        assert_eq!(hex.join(" "), example.bytes, "{}", example.id);
        seen.push(example.of);
    }
    // A layout has fields of fixed length, or an example here, or none at all.
    let without = ["row_major", "column_major"];
    for layout in LAYOUTS.iter().filter(|layout| !without.contains(&layout.name)) {
        let id = format!("layout.{}", layout.name);
        assert_eq!(Structure::from_id(&id).is_none(), seen.contains(&id), "{id}");
    }
}

#[test]
fn dense_offsets_follow_from_strides() {
    for example in examples().dense {
        match example.layout.as_str() {
            "row_major" => assert_eq!(strides(1, &example.shape), example.strides, "{}", example.id),
            "column_major" => assert_eq!(strides(2, &example.shape), example.strides, "{}", example.id),
            other => assert_eq!(other, "strided", "{}", example.id),
        }
        assert!(Layout::from_name(&example.layout).is_some());
        for Offset { index, offset } in &example.offsets {
            assert!(index.iter().zip(&example.shape).all(|(at, size)| at < size), "{}", example.id);
            assert_eq!(dot(index, &example.strides), *offset, "{}: {index:?}", example.id);
        }
    }
}

#[test]
fn small_elements_stand_at_a_byte_and_a_bit() {
    for example in examples().packed_place {
        let per_byte = 8 / example.bits;
        for Place { index, byte, bit } in &example.places {
            let offset = dot(index, &example.strides);
            assert_eq!(example.byte_offset + offset.div_euclid(per_byte), *byte, "{index:?}");
            assert_eq!(offset.rem_euclid(per_byte) * example.bits, *bit, "{index:?}");
        }
        let highest: i64 =
            example.shape.iter().zip(&example.strides).map(|(size, stride)| (stride * (size - 1)).max(0)).sum();
        assert_eq!(example.byte_offset + highest.div_euclid(per_byte) + 1, example.min_byte_size);
    }
}

/// Offset of an index in the first block of `blocks`, which fills `extent`.
fn tiled_offset(blocks: &[Block], extent: &[i64], index: &[i64]) -> i64 {
    let (block, nested) = blocks.split_first().unwrap();
    let tile = &block.tile_shape;
    let grid: Vec<i64> = extent.iter().zip(tile).map(|(size, side)| (size + side - 1) / side).collect();
    let of: Vec<i64> = index.iter().zip(tile).map(|(at, side)| at / side).collect();
    let within: Vec<i64> = index.iter().zip(tile).map(|(at, side)| at % side).collect();
    let number = match block.outer {
        3 => dot(&of, &block.outer_strides),
        order => dot(&of, &strides(order, &grid)),
    };
    let place = match block.inner {
        4 => tiled_offset(nested, tile, &within),
        order => dot(&within, &strides(order, tile)),
    };
    number * tile.iter().product::<i64>() + place
}

#[test]
fn tiles_stand_one_after_the_other() {
    for example in examples().tiled {
        let tile = &example.blocks[0].tile_shape;
        let grid: Vec<i64> = example.shape.iter().zip(tile).map(|(size, side)| (size + side - 1) / side).collect();
        assert_eq!(grid, example.grid, "{}", example.id);
        assert_eq!(grid.iter().chain(tile).product::<i64>(), example.elements, "{}", example.id);
        for Offset { index, offset } in &example.offsets {
            assert_eq!(tiled_offset(&example.blocks, &example.shape, index), *offset, "{}: {index:?}", example.id);
        }
    }
}

/// Interleaves the bits of an index, using up a place only for a bit that exists.
fn morton(bits: &[u32], index: &[i64]) -> i64 {
    let mut places = 0..;
    let most = bits.iter().copied().max().unwrap_or(0);
    let each = (0..most).flat_map(|bit| (0..bits.len()).map(move |k| (bit, k)));
    each.filter(|(bit, k)| bit < &bits[*k])
        .zip(places.by_ref())
        .map(|((bit, k), place)| (index[k] >> bit & 1) << place)
        .sum()
}

#[test]
fn morton_codes_fill_their_buffer_once() {
    for example in examples().morton {
        assert_eq!(1 << example.bits.iter().sum::<u32>(), example.elements, "{}", example.id);
        for Offset { index, offset } in &example.offsets {
            assert_eq!(morton(&example.bits, index), *offset, "{}: {index:?}", example.id);
        }
        let largest: Vec<i64> = example.bits.iter().map(|bits| (1 << bits) - 1).collect();
        assert_eq!(morton(&example.bits, &largest), example.elements - 1, "{}", example.id);
    }
}

#[test]
fn the_formula_of_the_text_overruns_a_morton_buffer() {
    let mut overruns = 0;
    for example in examples().morton_literal {
        let rank = example.bits.len() as u32;
        let each = example.bits.iter().enumerate().flat_map(|(k, bits)| (0..*bits).map(move |bit| (bit, k as u32)));
        let largest: i64 = each.map(|(bit, k)| 1 << (bit * rank + k)).sum();
        assert_eq!(largest, example.max_code, "{:?}", example.bits);
        assert_eq!(1 << example.bits.iter().sum::<u32>(), example.elements, "{:?}", example.bits);
        overruns += usize::from(largest >= example.elements);
    }
    assert_eq!(overruns, 3);
}

/// Place of the coordinates on the curve.
fn hilbert(order: u32, mut x: Vec<u64>) -> u64 {
    let rank = x.len();
    for bit in (1..order).rev() {
        let mask = (1 << bit) - 1;
        for k in 0..rank {
            if x[k] >> bit & 1 == 1 {
                x[0] ^= mask;
            } else {
                let swap = (x[0] ^ x[k]) & mask;
                x[0] ^= swap;
                x[k] ^= swap;
            }
        }
    }
    for k in 1..rank {
        x[k] ^= x[k - 1];
    }
    let flips = (1..order).filter(|bit| x[rank - 1] >> bit & 1 == 1).fold(0, |flips, bit| flips ^ ((1 << bit) - 1));
    let bit = |b: u32, k: usize| ((x[k] ^ flips) >> b & 1) << (b as usize * rank + rank - 1 - k);
    (0..order).flat_map(|b| (0..rank).map(move |k| (b, k))).map(|(b, k)| bit(b, k)).sum()
}

#[test]
fn the_hilbert_curve_visits_every_cell_by_single_steps() {
    for example in examples().hilbert {
        assert_eq!(example.coordinates.len() as u64, 1 << (example.rank as u32 * example.order), "{}", example.id);
        for (place, coordinates) in example.coordinates.iter().enumerate() {
            assert_eq!(coordinates.len(), example.rank, "{}", example.id);
            assert_eq!(hilbert(example.order, coordinates.clone()), place as u64, "{}: {coordinates:?}", example.id);
        }
        for pair in example.coordinates.windows(2) {
            let steps: u64 = pair[0].iter().zip(&pair[1]).map(|(from, to)| from.abs_diff(*to)).sum();
            assert_eq!(steps, 1, "{}: {pair:?}", example.id);
        }
    }
}

#[test]
fn tokens_are_found_through_their_pages() {
    for example in examples().block_paged {
        let BlockPaged { page_size, num_pages, num_heads, head_dim, block_table, seq_ptr, .. } = &example;
        assert_eq!(num_pages * page_size * num_heads * head_dim, example.pool_elements);
        assert_eq!((seq_ptr[0], seq_ptr.last().copied()), (0, Some(block_table.len() as i64)));
        assert!(seq_ptr.windows(2).all(|pair| pair[0] <= pair[1]) && block_table.iter().all(|page| page < num_pages));
        for Offset { index, offset } in &example.offsets {
            let [sequence, token, head, component] = index[..] else { panic!("{index:?}") };
            let page = block_table[(seq_ptr[sequence as usize] + token / page_size) as usize];
            let slot = page * page_size + token % page_size;
            assert_eq!((slot * num_heads + head) * head_dim + component, *offset, "{index:?}");
        }
    }
    for example in examples().free_slots {
        let used = (example.tokens - 1) % example.page_size + 1;
        assert_eq!((used..example.page_size).collect::<Vec<_>>(), example.slots);
        assert_ne!(example.slots, example.text_says, "the text is right after all");
    }
}
