//! Sizes by table: packed types, byte_offset, overflow, strides in both directions.

use super::*;
use crate::judge::Policy;
use crate::model::{BufferHandle, DYNAMIC, DeviceTag, Shape, SyncMode};

fn decoded(kind: ElementType, dims: &[u64], layout: LayoutDescriptor, byte_offset: u64, byte_size: u64) -> Decoded {
    let handle = BufferHandle::new(byte_size, 64, DeviceTag::CPU, SyncMode::PRODUCER_SYNCED);
    let descriptor = TensorDescriptor::new(kind, Shape::new(dims.to_vec()), layout, vec![handle]);
    Decoded {
        descriptor: TensorDescriptor { byte_offset, ..descriptor },
        shape_span: Span::at(0, 0),
        byte_offset_span: Span::at(0, 0),
        buffer_count_span: Span::at(0, 0),
        handles_offset: 0,
    }
}

fn broken(decoded: &Decoded) -> Option<Rule> {
    let mut judge = Judge::new(Policy::collecting());
    check_buffers(decoded, &mut judge).unwrap();
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
    use ElementType::{Bool, Float6E2m3, Float32, Uint8};
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
    let reject = check_buffers(&two, &mut judge).unwrap_err();
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
