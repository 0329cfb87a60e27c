//! What only a look at index buffers and scales shows: one edit of a sound tensor, and the rule with its place.

mod common;

use std::convert::Infallible;
use std::ops::Range;

use common::drain;
use hurray_reference::{
    BlockPaged, BufferHandle, DeviceTag, ElementType, FileWriterCore, LayoutDescriptor, Policy, Quantization, Scheme,
    Shape, SyncMode, TensorDescriptor, validate,
};
use hurray_spec::Rule;

/// A file of one uint8 tensor: buffer 0 at 4096, buffer 1 at 8192, and so on.
fn file(dims: &[u64], layout: LayoutDescriptor, scheme: Option<(ElementType, Scheme)>, buffers: &[Vec<u8>]) -> Vec<u8> {
    let handle =
        |buffer: &Vec<u8>| BufferHandle::new(buffer.len() as u64, 64, DeviceTag::CPU, SyncMode::PRODUCER_SYNCED);
    let kind = scheme.map_or(ElementType::Uint8, |(kind, _)| kind);
    let handles = buffers.iter().map(handle).collect();
    let plain = TensorDescriptor::new(kind, Shape::new(dims.to_vec()), layout, handles);
    let quantization = scheme.map(|(_, scheme)| Quantization { version: 1, scheme });
    let descriptor = TensorDescriptor { quantization, ..plain };
    let payloads: Vec<&[u8]> = buffers.iter().map(Vec::as_slice).collect();
    let (mut file, mut core) = (Vec::new(), FileWriterCore::new());
    drain(core.header().unwrap(), usize::MAX, &mut file).unwrap();
    drain(core.tensor("a", &descriptor, &payloads).unwrap(), usize::MAX, &mut file).unwrap();
    drain(core.finish(vec![]).unwrap(), usize::MAX, &mut file).unwrap();
    file
}

fn findings(file: &[u8]) -> Vec<(Rule, Range<u64>)> {
    let read = |offset: u64, dst: &mut [u8]| {
        let rest = file.get(offset as usize..).unwrap_or_default();
        let filled = rest.len().min(dst.len()).min(5);
        dst[..filled].copy_from_slice(&rest[..filled]);
        Ok::<_, Infallible>(filled)
    };
    let report = validate(file.len() as u64, &Policy::strict(), read).unwrap();
    assert_eq!(report.error, None);
    report.findings.into_iter().map(|finding| (finding.rule, finding.span)).collect()
}

fn words(numbers: &[u64]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// The findings with the word `at` of `buffer` replaced.
fn with(sound: &[u8], buffer: u64, at: u64, word: u64) -> Vec<(Rule, Range<u64>)> {
    let start = (4096 * (buffer + 1) + 8 * at) as usize;
    let mut file = sound.to_vec();
    file[start..start + 8].copy_from_slice(&word.to_le_bytes());
    findings(&file)
}

/// One word of `buffer`.
fn word(buffer: u64, at: u64) -> Range<u64> {
    let start = 4096 * (buffer + 1) + 8 * at;
    start..start + 8
}

#[test]
fn compressed_rows_and_columns_are_walked() {
    // [[., 1, 2], [., ., .], [3, ., .]] by rows; its transpose by columns.
    let buffers = [vec![1, 2, 3], words(&[1, 2, 0]), words(&[0, 2, 2, 3])];
    let rows = file(&[3, 3], LayoutDescriptor::Csr { nnz: 3 }, None, &buffers);
    let columns = file(&[3, 3], LayoutDescriptor::Csc { nnz: 3 }, None, &buffers);
    let rules = [
        [
            Rule::LayoutCsrRowPtrEnds,
            Rule::LayoutCsrRowPtrMonotone,
            Rule::LayoutCsrColsSorted,
            Rule::LayoutCsrColsInBounds,
        ],
        [
            Rule::LayoutCscColPtrEnds,
            Rule::LayoutCscColPtrMonotone,
            Rule::LayoutCscRowsSorted,
            Rule::LayoutCscRowsInBounds,
        ],
    ];
    for (sound, [ends, monotone, sorted, bounds]) in [rows, columns].into_iter().zip(rules) {
        assert_eq!(findings(&sound), []);
        assert_eq!(with(&sound, 2, 0, 1), [(ends, word(2, 0))]);
        assert_eq!(with(&sound, 2, 3, 2), [(ends, word(2, 3))]);
        assert_eq!(with(&sound, 2, 2, 1), [(monotone, word(2, 2))]);
        assert_eq!(with(&sound, 1, 1, 1), [(sorted, word(1, 1))], "equal is not ascending");
        assert_eq!(with(&sound, 1, 1, 0), [(sorted, word(1, 1))]);
        assert_eq!(with(&sound, 1, 2, 3), [(bounds, word(1, 2))]);
        assert_eq!(with(&sound, 1, 1, u64::MAX), [(bounds, word(1, 1))]);
    }
}

#[test]
fn a_tree_is_walked_level_by_level() {
    // (0,0,1), (0,2,0), (0,2,1): one root node, two below it, three leaves.
    let tree = [
        vec![1, 2, 3],
        words(&[0, 1]),
        words(&[0]),
        words(&[0, 2]),
        words(&[0, 2]),
        words(&[0, 1, 3]),
        words(&[1, 0, 1]),
    ];
    let layout = LayoutDescriptor::Csf { nnz: 3, mode_order: vec![0, 1, 2] };
    let sound = file(&[1, 3, 2], layout, None, &tree);
    assert_eq!(findings(&sound), []);
    assert_eq!(with(&sound, 5, 0, 1), [(Rule::LayoutCsfPosStart, word(5, 0))]);
    assert_eq!(with(&sound, 5, 2, 2), [(Rule::LayoutCsfPosTerminal, word(5, 2))]);
    assert_eq!(
        with(&sound, 5, 1, 4),
        [(Rule::LayoutCsfPosMonotone, word(5, 2))],
        "a pointer beyond the leaves is one above the next"
    );
    assert_eq!(with(&sound, 4, 1, 0), [(Rule::LayoutCsfCrdSorted, word(4, 1))]);
    assert_eq!(with(&sound, 4, 1, 3), [(Rule::LayoutCsfCrdInBounds, word(4, 1))]);
    assert_eq!(with(&sound, 6, 0, 2), [(Rule::LayoutCsfCrdInBounds, word(6, 0))]);
    assert_eq!(with(&sound, 2, 0, 1), [(Rule::LayoutCsfCrdInBounds, word(2, 0))]);
}

#[test]
fn coordinates_ascend_where_it_is_said() {
    let sound = |is_sorted, indices: &[u64]| {
        file(&[2, 3], LayoutDescriptor::Coo { nnz: 3, is_sorted }, None, &[vec![1, 2, 3], words(indices)])
    };
    let (ascending, other) = ([0, 1, 0, 2, 1, 0], [1, 0, 0, 2, 0, 1]);
    assert_eq!(findings(&sound(true, &ascending)), []);
    assert_eq!(findings(&sound(false, &other)), []);
    assert_eq!(with(&sound(true, &ascending), 1, 3, 0), [(Rule::LayoutCooSorted, 8208..8224)]);
    assert_eq!(with(&sound(true, &ascending), 1, 3, 3), [(Rule::LayoutCooInBounds, word(1, 3))]);
    let twice: Vec<Rule> = with(&sound(false, &other), 1, 5, 2).into_iter().map(|(rule, _)| rule).collect();
    assert_eq!(twice, [Rule::LayoutCooNoDuplicates]);
    let last: Vec<Rule> = findings(&sound(false, &[1, 0, 0, 2, 1, 0])).into_iter().map(|(rule, _)| rule).collect();
    assert_eq!(last, [Rule::LayoutCooNoDuplicates], "the greatest of them twice");
}

#[test]
fn pages_and_sequences_are_walked() {
    let layout = LayoutDescriptor::BlockPaged(BlockPaged {
        page_size: 2,
        num_pages: 3,
        paged_axis: 0,
        num_seqs: 2,
        kv_role: 0,
        layer_index: 0,
        block_table_index_type: 1,
    });
    let buffers = [vec![0; 6], words(&[2, 0, 1]), words(&[0, 2, 3])];
    let sound = file(&[5, 1, 1], layout.clone(), None, &buffers);
    assert_eq!(findings(&sound), []);
    assert_eq!(with(&sound, 1, 0, 3), [(Rule::LayoutPagedPageIds, word(1, 0))]);
    assert_eq!(with(&sound, 2, 0, 1), [(Rule::LayoutPagedSeqPtrEnds, word(2, 0))]);
    assert_eq!(with(&sound, 2, 2, 2), [(Rule::LayoutPagedSeqPtrEnds, word(2, 2))]);
    assert_eq!(with(&sound, 2, 1, 4), [(Rule::LayoutPagedSeqPtrMonotone, word(2, 2))]);
    // Two pages of two tokens for five tokens.
    let few = [vec![0; 6], words(&[2, 0]), words(&[0, 1, 2])];
    assert_eq!(findings(&file(&[5, 1, 1], layout, None, &few)), [(Rule::LayoutPagedSeqPtrSize, 8192..8208)]);
}

/// The findings of eight elements of that type with these bytes of scales, and zero-points if there are any.
fn scaled(kind: ElementType, count: u64, scheme: Scheme, scales: &[u8], zero_points: &[u8]) -> Vec<(Rule, Range<u64>)> {
    let data = vec![0; kind.packed_len(u128::from(count)).unwrap() as usize];
    let mut buffers = vec![data, scales.to_vec()];
    if scheme.zero_point_buffer().is_some() {
        buffers.push(zero_points.to_vec());
    }
    findings(&file(&[count], LayoutDescriptor::RowMajor, Some((kind, scheme)), &buffers))
}

#[test]
fn scales_of_blocks_are_numbers_in_each_of_three_types() {
    let scheme = |scale_type_tag, zero_point_buffer_index| Scheme::PerBlock {
        axis: 0,
        block_size: 4,
        scale_buffer_index: 1,
        zero_point_buffer_index,
        is_symmetric: zero_point_buffer_index != 2,
        scale_type_tag,
    };
    let rule = Rule::QuantPerblockScaleValues;
    let none = u32::MAX;
    // One, then zero of both signs, infinity, not-a-number and the least number above zero.
    let halves: [([u8; 2], bool); 6] = [
        ([0, 0x3C], true),
        ([0, 0], false),
        ([0, 0x80], false),
        ([0, 0x7C], false),
        ([1, 0xFC], false),
        ([1, 0], true),
    ];
    for (bytes, is_right) in halves {
        let found = scaled(ElementType::Int8, 8, scheme(1, none), &[[0, 0x3C], bytes].concat(), &[]);
        assert_eq!(found, if is_right { vec![] } else { vec![(rule, 8194..8196)] }, "float16 {bytes:?}");
    }
    let brains: [([u8; 2], bool); 5] =
        [([0x80, 0x3F], true), ([0, 0x80], false), ([0x80, 0x7F], false), ([0xC0, 0xFF], false), ([1, 0], true)];
    for (bytes, is_right) in brains {
        let found = scaled(ElementType::Int4, 8, scheme(2, none), &[[0x80, 0x3F], bytes].concat(), &[]);
        assert_eq!(found, if is_right { vec![] } else { vec![(rule, 8194..8196)] }, "bfloat16 {bytes:?}");
    }
    for (value, is_right) in [(-2.5_f32, true), (0.0, false), (-0.0, false), (f32::NEG_INFINITY, false)] {
        let scales = [1.0_f32.to_le_bytes(), value.to_le_bytes()].concat();
        let found = scaled(ElementType::Int8, 8, scheme(3, 2), &scales, &[0; 8]);
        assert_eq!(found, if is_right { vec![] } else { vec![(rule, 8196..8200)] }, "float32 {value}");
    }
}

#[test]
fn scales_of_nf4_are_finite_and_not_negative() {
    let scheme = Scheme::Nf4 { axis: 0, block_size: 8, scale_buffer_index: 1 };
    for (value, is_right) in [(0.0_f32, true), (-1.0, false), (f32::NAN, false), (f32::INFINITY, false), (3.5, true)] {
        let scales = [1.0_f32.to_le_bytes(), value.to_le_bytes()].concat();
        let found = scaled(ElementType::Uint4, 16, scheme, &scales, &[]);
        assert_eq!(found, if is_right { vec![] } else { vec![(Rule::QuantNf4ScaleValues, 8196..8200)] }, "{value}");
    }
}

#[test]
fn scales_of_mxfp_are_no_reserved_bytes() {
    let scheme = Scheme::Mxfp { axis: 0, block_size: 16, scale_buffer_index: 1 };
    for (byte, is_right) in [(1, true), (254, true), (0, false), (255, false)] {
        let found = scaled(ElementType::Float8E4m3, 32, scheme, &[127, byte], &[]);
        assert_eq!(found, if is_right { vec![] } else { vec![(Rule::QuantMxfpScaleReserved, 8193..8194)] }, "{byte}");
    }
}

#[test]
fn room_behind_a_partial_block_is_zero() {
    let scheme = |axis| Scheme::PerBlock {
        axis,
        block_size: 4,
        scale_buffer_index: 1,
        zero_point_buffer_index: u32::MAX,
        is_symmetric: true,
        scale_type_tag: 3,
    };
    let scales = 1.0_f32.to_le_bytes().repeat(2);
    for (layout, axis, dims, is_certain) in [
        (LayoutDescriptor::RowMajor, 0, vec![6], true),
        (LayoutDescriptor::RowMajor, 0, vec![6, 1], true),
        (LayoutDescriptor::ColumnMajor, 1, vec![1, 6], true),
        // The text does not say where the room of an inner run stands (ruling R63).
        (LayoutDescriptor::RowMajor, 1, vec![1, 6], false),
    ] {
        let buffers = [vec![1, 2, 3, 4, 5, 6, 0, 0], scales.clone()];
        let sound = file(&dims, layout, Some((ElementType::Int8, scheme(axis))), &buffers);
        assert_eq!(findings(&sound), [], "{dims:?}");
        let mut filled = sound;
        filled[4096 + 7] = 9;
        let expected = if is_certain { vec![(Rule::QuantPartialStorageAllocated, 4103..4104)] } else { vec![] };
        assert_eq!(findings(&filled), expected, "{dims:?}");
    }
}
