//! Sizes by table: packed types, byte_offset, overflow, strides in both directions.

use super::*;
use crate::judge::Policy;
use crate::model::{BufferHandle, DYNAMIC, DeviceTag, ElementType, Shape, SyncMode, TensorDescriptor};
use crate::reject::Span;
use crate::wire::section::SectionSpans;

fn decoded(kind: ElementType, dims: &[u64], layout: LayoutDescriptor, byte_offset: u64, byte_size: u64) -> Decoded {
    let handle = BufferHandle::new(byte_size, 64, DeviceTag::CPU, SyncMode::PRODUCER_SYNCED);
    let descriptor = TensorDescriptor::new(kind, Shape::new(dims.to_vec()), layout, vec![handle]);
    Decoded {
        descriptor: TensorDescriptor { byte_offset, ..descriptor },
        shape_span: Span::at(0, 0),
        byte_offset_span: Span::at(0, 0),
        flags_span: Span::at(0, 0),
        layout_span: Span::at(0, 0),
        buffer_count_span: Span::at(0, 0),
        handles_offset: 0,
        sections: SectionSpans::none(0),
    }
}

fn broken(decoded: &Decoded) -> Option<Rule> {
    let mut judge = Judge::new(Policy::collecting());
    check_extent(decoded, &mut judge).unwrap();
    judge.findings().first().map(|finding| finding.rule)
}

#[test]
fn dense_buffers_hold_every_element_behind_the_offset() {
    use ElementType::{Bool, Float6E2m3, Float32, Float128, Int2, Uint4};
    let cases: [(ElementType, &[u64], u64, u64); 9] = [
        (Float32, &[3, 4], 0, 48),
        (Float32, &[3, 4], 16, 64),
        (Float128, &[], 0, 16),
        (Bool, &[], 0, 1),
        (Bool, &[9], 0, 2),
        (Int2, &[5], 1, 3),
        (Uint4, &[3], 0, 2),
        (Float6E2m3, &[4], 0, 3),
        (Float6E2m3, &[2, 4], 3, 9),
    ];
    for (kind, dims, offset, size) in cases {
        for (layout, rule) in [
            (LayoutDescriptor::RowMajor, Rule::LayoutRowmajorSize),
            (LayoutDescriptor::ColumnMajor, Rule::LayoutColmajorSize),
        ] {
            let enough = decoded(kind, dims, layout.clone(), offset, size);
            assert_eq!(broken(&enough), None, "{kind:?} {dims:?} in {size}");
            assert_eq!(broken(&decoded(kind, dims, layout.clone(), offset, size + 1)), None);
            let short = decoded(kind, dims, layout, offset, size - 1);
            assert_eq!(broken(&short), Some(rule), "{kind:?} {dims:?} in {}", size - 1);
        }
    }
}

#[test]
fn six_bit_types_need_whole_groups_and_the_tight_size_is_a_fault_of_its_own() {
    let six = |size| broken(&decoded(ElementType::Float6E3m2, &[2], LayoutDescriptor::RowMajor, 0, size));
    assert_eq!((six(3), six(2), six(1)), (None, Some(Rule::TypeSizeSixBit), Some(Rule::LayoutRowmajorSize)));
}

#[test]
fn a_zero_dimension_wins_over_overflow_and_overflow_is_refused() {
    let row = |dims: &[u64], size| broken(&decoded(ElementType::Uint8, dims, LayoutDescriptor::RowMajor, 0, size));
    assert_eq!(row(&[1 << 40, 1 << 40, 0], 0), None);
    assert_eq!(row(&[1 << 40, 1 << 40, 0], 1), Some(Rule::ModelEmptySizeZero));
    assert_eq!(row(&[1 << 32, 1 << 32], 0), Some(Rule::ModelShapeElementCount));
    assert_eq!(row(&[(1 << 63) + 2, 2], 4), Some(Rule::ModelShapeElementCount));
    assert_eq!(row(&[DYNAMIC, 2], 0), None);
    let wide = decoded(ElementType::Float64, &[1 << 61], LayoutDescriptor::RowMajor, 0, 0);
    assert_eq!(broken(&wide), Some(Rule::LayoutRowmajorSize));
}

#[test]
fn strided_elements_lie_inside_in_both_directions() {
    let strided = |kind, dims: &[u64], strides: &[i64], offset, size| {
        let layout = LayoutDescriptor::Strided { strides: strides.to_vec() };
        broken(&decoded(kind, dims, layout, offset, size))
    };
    let bounds = Some(Rule::LayoutStridedBounds);
    use ElementType::{Bool, Float4E2m1, Float6E2m3, Float32, Int2, Int4, Uint2, Uint8};
    // Twelve elements, from -8 to 3 (ruling R56).
    assert_eq!(strided(Float32, &[3, 4], &[-4, 1], 32, 48), None);
    assert_eq!(strided(Float32, &[3, 4], &[-4, 1], 31, 48), bounds);
    assert_eq!(strided(Float32, &[3, 4], &[-4, 1], 32, 47), bounds);
    assert_eq!(strided(Float32, &[1 << 40, 4], &[0, 1], 0, 16), None);
    assert_eq!(strided(Float32, &[0, 4], &[i64::MIN, 1], 0, 0), None);
    assert_eq!(strided(Uint8, &[2], &[-1], 0, 8), bounds);
    assert_eq!(strided(Uint8, &[2, 2], &[i64::MAX, 1], 0, u64::MAX), bounds);
    assert_eq!(strided(Uint8, &[2; 63], &[i64::MIN; 63], 0, u64::MAX), bounds);
    // Eight bools a byte: element -1 stands in the byte before.
    assert_eq!(strided(Bool, &[2], &[-1], 1, 2), None);
    assert_eq!(strided(Bool, &[2], &[-1], 0, 2), bounds);
    assert_eq!(strided(Bool, &[9], &[1], 0, 1), bounds);
    for (kind, per_byte) in [(Bool, 8), (Int2, 4), (Uint2, 4), (Int4, 2), (Float4E2m1, 2)] {
        assert_eq!(strided(kind, &[per_byte, 2], &[1, per_byte as i64], 0, 2), None, "{kind:?}");
        assert_eq!(strided(kind, &[per_byte, 2], &[1, per_byte as i64], 0, 1), bounds, "{kind:?}");
    }
    assert_eq!(strided(Float6E2m3, &[5], &[1], 0, 6), None);
    assert_eq!(strided(Float6E2m3, &[5], &[1], 0, 5), bounds);
}

#[test]
fn dense_tensors_have_one_buffer_and_all_buffers_one_device() {
    let mut two = decoded(ElementType::Uint8, &[1], LayoutDescriptor::RowMajor, 0, 1);
    two.descriptor.buffers.push(two.descriptor.buffers[0]);
    assert_eq!(broken(&two), Some(Rule::DescriptorBuffersCountDense));
    two.descriptor.buffers[1].device_tag = DeviceTag::CUDA;
    let mut judge = Judge::new(Policy::strict().waiving([Rule::DescriptorBuffersCountDense]));
    let reject = check_extent(&two, &mut judge).unwrap_err();
    assert_eq!((reject.rule, reject.span), (Rule::BufferDeviceColocationReject, 28..31));
}

#[test]
fn sparse_buffers_hold_what_is_stored() {
    let sparse = |nnz, values, indices, byte_offset| {
        let layout = LayoutDescriptor::Coo { nnz, is_sorted: false };
        let mut sparse = decoded(ElementType::Float32, &[4, 5], layout, byte_offset, values);
        sparse.descriptor.buffers.push(BufferHandle::new(indices, 64, DeviceTag::CPU, SyncMode::PRODUCER_SYNCED));
        broken(&sparse)
    };
    assert_eq!((sparse(3, 12, 48, 0), sparse(0, 0, 0, 0), sparse(3, 16, 64, 0)), (None, None, None));
    assert_eq!(sparse(3, 11, 48, 0), Some(Rule::LayoutCooValuesSize));
    assert_eq!(sparse(3, 12, 47, 0), Some(Rule::LayoutCooIndicesSize));
    assert_eq!(sparse(3, 12, 48, 1), Some(Rule::LayoutCommonByteOffsetSparse));
    // 2^62 * 4 and 2^60 * 16 are 0 modulo 2^64.
    assert_eq!(sparse(1 << 62, 0, u64::MAX, 0), Some(Rule::LayoutCooValuesSize));
    assert_eq!(sparse(1 << 60, u64::MAX, 0, 0), Some(Rule::LayoutCooIndicesSize));
    let alone = decoded(ElementType::Float32, &[4, 5], LayoutDescriptor::Coo { nnz: 0, is_sorted: false }, 0, 0);
    assert_eq!(broken(&alone), Some(Rule::LayoutCooBufferCount));
}

/// The first rule a tensor of one-byte elements with buffers of these sizes breaks.
fn with_sizes(layout: LayoutDescriptor, dims: &[u64], sizes: &[u64]) -> Option<Rule> {
    let mut decoded = decoded(ElementType::Int8, dims, layout, 0, 0);
    let handle = |size: &u64| BufferHandle::new(*size, 64, DeviceTag::CPU, SyncMode::PRODUCER_SYNCED);
    decoded.descriptor.buffers = sizes.iter().map(handle).collect();
    broken(&decoded)
}

/// With one byte less in a buffer the tensor does not fit.
fn assert_needs(layout: &LayoutDescriptor, dims: &[u64], sizes: &[u64], rules: &[Rule]) {
    assert_eq!(with_sizes(layout.clone(), dims, sizes), None, "{layout:?}");
    for (at, rule) in rules.iter().enumerate() {
        let mut sizes = sizes.to_vec();
        sizes[at] -= 1;
        assert_eq!(with_sizes(layout.clone(), dims, &sizes), Some(*rule), "{layout:?} buffer {at}");
    }
    let count = with_sizes(layout.clone(), dims, &sizes[1..]);
    assert!(count.is_some_and(|rule| rule.id().contains("count")), "{count:?}");
}

#[test]
fn tiles_and_curves_need_their_padding_too() {
    use crate::model::{TileLevel, TileOrder};
    let tiled = |tile_shape: &[u64]| LayoutDescriptor::Tiled {
        levels: vec![TileLevel { tile_shape: tile_shape.to_vec(), outer: TileOrder::RowMajor }],
        inner: TileOrder::RowMajor,
    };
    // Three times two tiles of eight elements.
    assert_needs(&tiled(&[2, 4]), &[6, 8], &[48], &[Rule::LayoutTiledSize]);
    assert_needs(&tiled(&[4, 4]), &[5, 7], &[64], &[Rule::LayoutTiledSize]);
    assert_needs(&tiled(&[10, 10]), &[1, 1], &[100], &[Rule::LayoutTiledSize]);
    let wide = tiled(&[1 << 33, 1 << 33]);
    assert_eq!(with_sizes(wide, &[1, 1], &[u64::MAX]), Some(Rule::LayoutTiledSize));
    assert_eq!(with_sizes(tiled(&[u64::MAX; 4]), &[1; 4], &[u64::MAX]), Some(Rule::LayoutTiledSize));
    let morton = |bits: &[u32]| LayoutDescriptor::Morton { morton_bits: bits.to_vec() };
    assert_needs(&morton(&[1, 3]), &[2, 7], &[16], &[Rule::LayoutMortonSize]);
    assert_eq!(with_sizes(morton(&[1, 3]), &[3, 7], &[16]), Some(Rule::LayoutMortonShapeFits));
    assert_eq!(with_sizes(morton(&[64]), &[DYNAMIC], &[16]), Some(Rule::LayoutMortonShapeFits));
    assert_eq!(with_sizes(morton(&[32, 32]), &[1, 1], &[u64::MAX]), Some(Rule::LayoutMortonSize));
    assert_eq!(with_sizes(morton(&[u32::MAX; 2]), &[1, 1], &[u64::MAX]), Some(Rule::LayoutMortonSize));
    assert_eq!(with_sizes(morton(&[63, 1]), &[1, 0], &[0]), None);
    let hilbert = LayoutDescriptor::Hilbert { hilbert_order: 2, hilbert_rank: 2 };
    assert_needs(&hilbert, &[4, 4], &[16], &[Rule::LayoutHilbertSize]);
    assert_eq!(with_sizes(hilbert.clone(), &[4, 4], &[17]), Some(Rule::LayoutHilbertSize));
    assert_eq!(with_sizes(hilbert.clone(), &[4, 3], &[16]), Some(Rule::LayoutHilbertShape));
    assert_eq!(with_sizes(hilbert, &[4, DYNAMIC], &[16]), Some(Rule::LayoutHilbertShape));
    let huge = LayoutDescriptor::Hilbert { hilbert_order: 63, hilbert_rank: 2 };
    assert_eq!(with_sizes(huge, &[1 << 63, 1 << 63], &[16]), Some(Rule::ModelShapeElementCount));
}

#[test]
fn pointers_keep_their_size_whatever_is_stored() {
    use crate::model::BlockPaged;
    let csr = LayoutDescriptor::Csr { nnz: 6 };
    assert_needs(&csr, &[4, 5], &[6, 48, 40], &[Rule::LayoutCsrSizes; 3]);
    assert_eq!(with_sizes(LayoutDescriptor::Csr { nnz: 0 }, &[4, 5], &[0, 0, 40]), None);
    assert_eq!(with_sizes(LayoutDescriptor::Csr { nnz: 0 }, &[0, 5], &[0, 0, 7]), Some(Rule::LayoutCsrSizes));
    assert_eq!(
        with_sizes(LayoutDescriptor::Csr { nnz: 1 << 61 }, &[4, 5], &[u64::MAX, 0, 40]),
        Some(Rule::LayoutCsrSizes)
    );
    assert_needs(&LayoutDescriptor::Csc { nnz: 6 }, &[4, 5], &[6, 48, 48], &[Rule::LayoutCscSizes; 3]);
    let csf = LayoutDescriptor::Csf { nnz: 5, mode_order: vec![0, 1, 2] };
    assert_needs(&csf, &[2, 3, 4], &[5, 16, 16, 24, 32, 40, 40], &[Rule::LayoutCsfSizes; 7][..2]);
    let short = |at: usize| {
        let mut sizes = [5, 16, 16, 24, 32, 40, 40];
        sizes[at] -= 8;
        with_sizes(csf.clone(), &[2, 3, 4], &sizes)
    };
    assert_eq!([3, 5, 6].map(short), [Some(Rule::LayoutCsfSizes); 3]);
    let paged = BlockPaged {
        page_size: 4,
        num_pages: 5,
        paged_axis: 0,
        num_seqs: 2,
        kv_role: 0,
        layer_index: 0,
        block_table_index_type: 1,
    };
    let rules = [Rule::LayoutPagedPoolSize];
    assert_needs(&LayoutDescriptor::BlockPaged(paged), &[9, 2, 8], &[320, 24, 24], &rules);
    let narrow = BlockPaged { block_table_index_type: 0, ..paged };
    assert_eq!(with_sizes(LayoutDescriptor::BlockPaged(narrow), &[9, 2, 8], &[320, 12, 12]), None);
    let pointers = with_sizes(LayoutDescriptor::BlockPaged(paged), &[9, 2, 8], &[320, 24, 23]);
    assert_eq!(pointers, Some(Rule::LayoutPagedSeqPtrSize));
    let many = BlockPaged { num_pages: u64::MAX, page_size: u32::MAX, ..paged };
    let pool = with_sizes(LayoutDescriptor::BlockPaged(many), &[9, 1 << 32, 1], &[u64::MAX, 24, 24]);
    assert_eq!(pool, Some(Rule::LayoutPagedPoolSize));
}
