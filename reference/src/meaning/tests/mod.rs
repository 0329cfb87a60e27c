//! Places and values worked out by hand or taken from the tables of a type's own standard.

mod quantized;

use super::{NoMeaning, Place, Value, decode, element, locate};
use crate::model::{BlockPaged, ElementType, LayoutDescriptor, Shape, TensorDescriptor, TileLevel, TileOrder};

fn tensor(kind: ElementType, dims: &[u64], layout: LayoutDescriptor) -> TensorDescriptor {
    TensorDescriptor::new(kind, Shape::new(dims.to_vec()), layout, Vec::new())
}

/// The offsets of elements of one byte.
fn offsets(dims: &[u64], layout: &LayoutDescriptor, indices: &[&[u64]]) -> Vec<u64> {
    let descriptor = tensor(ElementType::Uint8, dims, layout.clone());
    let offset = |index: &&[u64]| match locate::<&[u8]>(&descriptor, &[], index) {
        Ok(Place::Stored { buffer: 0, byte, bit: 0 }) => byte,
        other => panic!("{index:?}: {other:?}"),
    };
    indices.iter().map(offset).collect()
}

#[test]
fn dense_layouts_find_the_offsets_of_the_worked_examples() {
    let indices: [&[u64]; 2] = [&[0, 2, 1], &[1, 2, 3]];
    assert_eq!(offsets(&[2, 3, 4], &LayoutDescriptor::RowMajor, &indices), [9, 23]);
    assert_eq!(offsets(&[2, 3, 4], &LayoutDescriptor::ColumnMajor, &indices), [10, 23]);
    let mut reversed = tensor(ElementType::Float32, &[3, 4], LayoutDescriptor::Strided { strides: vec![-4, 1] });
    reversed.byte_offset = 32;
    let byte = |descriptor: &TensorDescriptor, index: &[u64]| locate::<&[u8]>(descriptor, &[], index);
    assert_eq!(byte(&reversed, &[2, 3]), Ok(Place::Stored { buffer: 0, byte: 12, bit: 0 }));
    assert_eq!(byte(&reversed, &[3, 0]), Err(NoMeaning::Index));
    assert_eq!(byte(&reversed, &[0]), Err(NoMeaning::Index));
    reversed.byte_offset = 16;
    assert_eq!(byte(&reversed, &[2, 3]), Err(NoMeaning::Data), "before the buffer");
}

#[test]
fn elements_below_a_byte_have_a_bit() {
    let mut nibbles = tensor(ElementType::Uint4, &[5], LayoutDescriptor::Strided { strides: vec![-1] });
    nibbles.byte_offset = 2;
    let at = |index| locate::<&[u8]>(&nibbles, &[], &[index]);
    let place = |byte, bit| Ok(Place::Stored { buffer: 0, byte, bit });
    assert_eq!([at(0), at(1), at(2), at(4)], [place(2, 0), place(1, 4), place(1, 0), place(0, 0)]);
    let sixes = tensor(ElementType::Float6E2m3, &[8], LayoutDescriptor::RowMajor);
    let at = |index| locate::<&[u8]>(&sixes, &[], &[index]);
    assert_eq!([at(1), at(2), at(3), at(4)], [place(0, 6), place(1, 4), place(2, 2), place(3, 0)]);
}

#[test]
fn an_element_whose_bit_cannot_be_counted_has_no_place() {
    // 6 times this offset is 2^127 + 4: its group of four begins below 2^127, and the element itself does not.
    let offset = (1_u128 << 127).div_ceil(24) * 4 - 2;
    let columns = 1_u64 << 63;
    let index = [(offset >> 63) as u64, offset as u64 & (columns - 1)];
    let sixes = tensor(ElementType::Float6E2m3, &[u64::MAX - 1, columns], LayoutDescriptor::RowMajor);
    assert_eq!(locate::<&[u8]>(&sixes, &[], &index), Err(NoMeaning::Data));
}

#[test]
fn tiles_and_tiles_in_tiles() {
    let level = |tile: &[u64], outer| TileLevel { tile_shape: tile.to_vec(), outer };
    let tiled = |level, inner| LayoutDescriptor::Tiled { levels: vec![level], inner };
    let rows = tiled(level(&[2, 4], TileOrder::RowMajor), TileOrder::RowMajor);
    assert_eq!(offsets(&[6, 8], &rows, &[&[3, 5]]), [29]);
    let columns = tiled(level(&[2, 4], TileOrder::ColumnMajor), TileOrder::ColumnMajor);
    assert_eq!(offsets(&[5, 7], &columns, &[&[3, 5], &[4, 6]]), [35, 44]);
    let strided = tiled(level(&[2, 2], TileOrder::Strided(vec![1, 2])), TileOrder::RowMajor);
    assert_eq!(offsets(&[4, 4], &strided, &[&[2, 1], &[2, 3]]), [5, 13]);
    let levels = vec![level(&[4, 4], TileOrder::RowMajor), level(&[2, 2], TileOrder::RowMajor)];
    let nested = LayoutDescriptor::Tiled { levels, inner: TileOrder::RowMajor };
    assert_eq!(offsets(&[8, 8], &nested, &[&[5, 6], &[3, 3]]), [54, 15]);
}

#[test]
fn curves_pass_the_published_points_in_order() {
    let morton = |bits: &[u32]| LayoutDescriptor::Morton { morton_bits: bits.to_vec() };
    assert_eq!(offsets(&[4, 4], &morton(&[2, 2]), &[&[2, 3]]), [14]);
    assert_eq!(offsets(&[4, 4, 4], &morton(&[2, 2, 2]), &[&[1, 2, 3], &[3, 0, 1]]), [53, 13]);
    assert_eq!(offsets(&[2, 8], &morton(&[1, 3]), &[&[1, 0], &[0, 1], &[1, 5], &[1, 7]]), [1, 2, 11, 15]);
    let hilbert = |order, rank| LayoutDescriptor::Hilbert { hilbert_order: order, hilbert_rank: rank };
    let curve: [&[u64]; 16] = [
        &[0, 0],
        &[1, 0],
        &[1, 1],
        &[0, 1],
        &[0, 2],
        &[0, 3],
        &[1, 3],
        &[1, 2],
        &[2, 2],
        &[2, 3],
        &[3, 3],
        &[3, 2],
        &[3, 1],
        &[2, 1],
        &[2, 0],
        &[3, 0],
    ];
    assert_eq!(offsets(&[4, 4], &hilbert(2, 2), &curve), Vec::from_iter(0..16));
    let curve: [&[u64]; 8] =
        [&[0, 0, 0], &[0, 0, 1], &[0, 1, 1], &[0, 1, 0], &[1, 1, 0], &[1, 1, 1], &[1, 0, 1], &[1, 0, 0]];
    assert_eq!(offsets(&[2, 2, 2], &hilbert(1, 3), &curve), Vec::from_iter(0..8));
    let third: [&[u64]; 5] = [&[0, 1], &[2, 7], &[5, 5], &[4, 0], &[7, 0]];
    assert_eq!(offsets(&[8, 8], &hilbert(3, 2), &third), [1, 25, 34, 58, 63]);
    let third: [&[u64]; 4] = [&[0, 1, 0], &[1, 2, 0], &[3, 1, 2], &[3, 0, 0]];
    assert_eq!(offsets(&[4, 4, 4], &hilbert(2, 3), &third), [1, 31, 48, 63]);
}

fn words(numbers: &[u64]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn floats(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn float(descriptor: &TensorDescriptor, buffers: &[Vec<u8>], index: &[u64]) -> f32 {
    match decode(descriptor, buffers, index) {
        Ok(Value::Float32(bits)) => f32::from_bits(bits),
        other => panic!("{index:?}: {other:?}"),
    }
}

#[test]
fn matrices_by_rows_and_by_columns_are_the_same() {
    let dense = [[1.0, 0.0, 0.0, 2.0, 0.0], [0.0, 0.0, 3.0, 0.0, 0.0], [0.0, 4.0, 0.0, 0.0, 5.0], [0.0; 5]];
    let csr = tensor(ElementType::Float32, &[4, 5], LayoutDescriptor::Csr { nnz: 5 });
    let by_rows = [floats(&[1.0, 2.0, 3.0, 4.0, 5.0]), words(&[0, 3, 2, 1, 4]), words(&[0, 2, 3, 5, 5])];
    let csc = tensor(ElementType::Float32, &[4, 5], LayoutDescriptor::Csc { nnz: 5 });
    let by_columns = [floats(&[1.0, 4.0, 3.0, 2.0, 5.0]), words(&[0, 2, 1, 0, 2]), words(&[0, 1, 2, 3, 4, 5])];
    let coo = tensor(ElementType::Float32, &[4, 5], LayoutDescriptor::Coo { nnz: 5, is_sorted: false });
    let by_entry = [floats(&[5.0, 4.0, 3.0, 2.0, 1.0]), words(&[2, 4, 2, 1, 1, 2, 0, 3, 0, 0])];
    for (row, values) in (0..).zip(&dense) {
        for (column, value) in (0..).zip(values) {
            assert_eq!(float(&csr, &by_rows, &[row, column]), *value, "csr {row} {column}");
            assert_eq!(float(&csc, &by_columns, &[row, column]), *value, "csc {row} {column}");
            assert_eq!(float(&coo, &by_entry, &[row, column]), *value, "coo {row} {column}");
        }
    }
    assert_eq!(locate(&csr, &by_rows, &[0, 1]), Ok(Place::Unstored));
    assert_eq!(locate(&csr, &by_rows, &[2, 4]), Ok(Place::Stored { buffer: 0, byte: 16, bit: 0 }));
    let wild = [floats(&[1.0]), words(&[0]), words(&[0, u64::MAX, 0, 0, 0])];
    assert_eq!(locate(&csr, &wild, &[0, 3]), Err(NoMeaning::Data));
}

#[test]
fn trees_of_coordinates_honour_their_mode_order() {
    let csf = |mode_order: &[u32]| {
        let layout = LayoutDescriptor::Csf { nnz: 4, mode_order: mode_order.to_vec() };
        tensor(ElementType::Float32, &[2, 3, 4], layout)
    };
    let plain = [&[0, 2][..], &[0, 1], &[0, 2, 3], &[0, 2, 1], &[0, 1, 2, 4], &[1, 3, 0, 2]];
    let permuted = [&[0, 4][..], &[0, 1, 2, 3], &[0, 1, 2, 3, 4], &[1, 0, 1, 0], &[0, 1, 2, 3, 4], &[1, 0, 1, 2]];
    for (mode_order, values, tree) in
        [([0, 1, 2], [1.0, 2.0, 3.0, 4.0], plain), ([2, 0, 1], [3.0, 1.0, 4.0, 2.0], permuted)]
    {
        let buffers: Vec<Vec<u8>> =
            [floats(&values)].into_iter().chain(tree.iter().map(|level| words(level))).collect();
        let descriptor = csf(&mode_order);
        for (index, value) in [([0, 0, 1], 1.0), ([0, 2, 3], 2.0), ([1, 1, 0], 3.0), ([1, 1, 2], 4.0), ([1, 2, 2], 0.0)]
        {
            assert_eq!(float(&descriptor, &buffers, &index), value, "{mode_order:?} {index:?}");
        }
    }
}

/// Two sequences of up to two pages, with the block table and the sequence pointers.
fn paged() -> (TensorDescriptor, [Vec<u8>; 2]) {
    let pages = BlockPaged {
        page_size: 4,
        num_pages: 5,
        paged_axis: 0,
        num_seqs: 2,
        kv_role: 0,
        layer_index: 3,
        block_table_index_type: 0,
    };
    let narrow = |numbers: &[u32]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
    let descriptor = tensor(ElementType::Uint8, &[9, 2, 8], LayoutDescriptor::BlockPaged(pages));
    (descriptor, [narrow(&[0, 1, 0]), narrow(&[0, 2, 3])])
}

#[test]
fn tokens_are_found_through_the_block_table() {
    let (descriptor, [table, pointers]) = paged();
    let buffers = [Vec::new(), table, pointers];
    let at = |index: &[u64]| locate(&descriptor, &buffers, index);
    let place = |byte| Ok(Place::Stored { buffer: 0, byte, bit: 0 });
    assert_eq!([at(&[0, 0, 0, 0]), at(&[0, 5, 1, 7]), at(&[1, 2, 1, 3])], [place(0), place(95), place(43)]);
    assert_eq!([at(&[1, 4, 0, 0]), at(&[2, 0, 0, 0]), at(&[0, 0, 2, 0])], [Err(NoMeaning::Index); 3]);
}

fn values(kind: ElementType, codes: impl IntoIterator<Item = u128>) -> Vec<f32> {
    let value = |code| match element::value(kind, code) {
        Ok(Value::Float32(bits)) => f32::from_bits(bits),
        other => panic!("{code:#x}: {other:?}"),
    };
    codes.into_iter().map(value).collect()
}

#[test]
fn small_floats_are_those_of_their_standards() {
    // OCP MX 1.0, tables of the element formats.
    let fours = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0];
    assert_eq!(values(ElementType::Float4E2m1, 0..8), fours);
    assert_eq!(values(ElementType::Float4E2m1, 8..16), fours.map(|value| -value));
    assert_eq!(values(ElementType::Float6E2m3, [0x01, 0x07, 0x08, 0x1F, 0x3F]), [0.125, 0.875, 1.0, 7.5, -7.5]);
    assert_eq!(values(ElementType::Float6E3m2, [0x01, 0x03, 0x04, 0x1F, 0x3F]), [0.0625, 0.1875, 0.25, 28.0, -28.0]);
    // OCP OFP8.
    let codes = [0x7E, 0x38, 0x01, 0xB8, 0x08, 0x07];
    let expected = [448.0, 1.0, 0.001_953_125, -1.0, 0.015_625, 0.013_671_875];
    assert_eq!(values(ElementType::Float8E4m3, codes), expected);
    assert_eq!(values(ElementType::Float8E5m2, [0x7B, 0x3C, 0x01, 0xC0]), [57344.0, 1.0, 1.0 / 65536.0, -2.0]);
    assert!(values(ElementType::Float8E4m3, [0x7F, 0xFF]).iter().all(|value| value.is_nan()));
    assert!(values(ElementType::Float8E5m2, [0x7D, 0x7F, 0xFE]).iter().all(|value| value.is_nan()));
    assert_eq!(values(ElementType::Float8E5m2, [0x7C, 0xFC]), [f32::INFINITY, f32::NEG_INFINITY]);
    assert_eq!(values(ElementType::Float8E8m0, [0x7F, 0x80, 0x7E, 0xFE]), [1.0, 2.0, 0.5, 2_f32.powi(127)]);
    for reserved in [0x00, 0xFF] {
        assert_eq!(element::value(ElementType::Float8E8m0, reserved), Err(NoMeaning::Reserved));
    }
    // IEEE 754 binary16: one, largest, smallest normal, smallest and largest subnormal, infinity.
    let codes = [0x3C00, 0x7BFF, 0x0400, 0x0001, 0x03FF, 0xFC00];
    let expected = [1.0, 65504.0, 1.0 / 16384.0, 1.0 / 16_777_216.0, 1023.0 / 16_777_216.0, f32::NEG_INFINITY];
    assert_eq!(values(ElementType::Float16, codes), expected);
    assert_eq!(values(ElementType::Bfloat16, [0x3F80, 0xC000, 0x0001]), [1.0, -2.0, f32::from_bits(0x0001_0000)]);
}

#[test]
fn integers_and_wide_elements_keep_their_bits() {
    let sign = |kind, codes: &[u128]| codes.iter().map(|code| element::value(kind, *code)).collect::<Vec<_>>();
    let whole = |values: &[i128]| values.iter().map(|value| Ok(Value::Integer(*value))).collect::<Vec<_>>();
    assert_eq!(sign(ElementType::Int2, &[0, 1, 2, 3]), whole(&[0, 1, -2, -1]));
    assert_eq!(sign(ElementType::Int4, &[7, 8, 15]), whole(&[7, -8, -1]));
    assert_eq!(sign(ElementType::Int64, &[1 << 63]), whole(&[i128::from(i64::MIN)]));
    assert_eq!(sign(ElementType::Uint64, &[1 << 63]), whole(&[1 << 63]));
    let complex = tensor(ElementType::Complex64, &[1], LayoutDescriptor::RowMajor);
    assert_eq!(decode(&complex, &[floats(&[1.0, -2.0])], &[0]), Ok(Value::Complex64([0x3F80_0000, 0xC000_0000])));
    let wide = tensor(ElementType::Float128, &[1], LayoutDescriptor::RowMajor);
    let one = 0x3FFF_u128 << 112;
    assert_eq!(decode(&wide, &[one.to_le_bytes()], &[0]), Ok(Value::Float128(one)));
    assert_eq!(decode(&wide, &[[0; 15]], &[0]), Err(NoMeaning::Data));
    // 0b10_1101: elements 1, 0, 1, 1, 0 of the specification's example.
    let bools = tensor(ElementType::Bool, &[5], LayoutDescriptor::RowMajor);
    let seen: Vec<_> = (0..5).map(|at| decode(&bools, &[[0x0D]], &[at])).collect();
    assert_eq!(seen, whole(&[1, 0, 1, 1, 0]));
    let sixes = tensor(ElementType::Float6E3m2, &[5], LayoutDescriptor::RowMajor);
    let bytes = [vec![0x81, 0x40, 0x20, 0x1F, 0x00, 0x00]];
    let seen: Vec<_> = (0..5).map(|at| float(&sixes, &bytes, &[at])).collect();
    assert_eq!(seen, [0.0625, 0.125, 0.25, 0.5, 28.0]);
}
