//! Schemes against tensors, by table: what fits, and one thing at a time that does not.

use super::*;
use crate::judge::Policy;
use crate::model::{BlockPaged, BufferHandle, DeviceTag, Quantization, Shape, SyncMode, TensorDescriptor};
use crate::wire::descriptor::{put_descriptor, read_descriptor};
use crate::{check::descriptor::check_descriptor, reject::Span};

fn handle(byte_size: u64) -> BufferHandle {
    BufferHandle::new(byte_size, 64, DeviceTag::CPU, SyncMode::PRODUCER_SYNCED)
}

/// Every rule a dense tensor with these buffers breaks, in the order of discovery.
fn broken(kind: ElementType, dims: &[u64], scheme: Scheme, sizes: &[u64]) -> Vec<Rule> {
    with_layout(LayoutDescriptor::RowMajor, kind, dims, scheme, sizes)
}

fn with_layout(layout: LayoutDescriptor, kind: ElementType, dims: &[u64], scheme: Scheme, sizes: &[u64]) -> Vec<Rule> {
    let handles = sizes.iter().map(|size| handle(*size)).collect();
    let plain = TensorDescriptor::new(kind, Shape::new(dims.to_vec()), layout, handles);
    let bytes = put_descriptor(&TensorDescriptor { quantization: Some(Quantization { version: 1, scheme }), ..plain });
    let bytes = bytes.unwrap();
    let mut judge = Judge::new(Policy::collecting());
    let decoded = read_descriptor(&bytes, 0, (bytes.len() as u32, Span::at(0, 0)), &mut judge).unwrap();
    check_descriptor(&decoded, &mut judge).unwrap();
    judge.findings().iter().map(|finding| finding.rule).collect()
}

/// Type, shape, scheme, buffer sizes and the rule they break.
type Case<'a> = (ElementType, &'a [u64], Scheme, &'a [u64], Rule);

fn per_channel(axis: u32) -> Scheme {
    Scheme::PerChannel {
        axis,
        scale_buffer_index: 1,
        zero_point_buffer_index: 2,
        is_symmetric: false,
        scale_type_tag: 3,
    }
}

fn per_block(axis: u32, block_size: u32) -> Scheme {
    Scheme::PerBlock {
        axis,
        block_size,
        scale_buffer_index: 1,
        zero_point_buffer_index: u32::MAX,
        is_symmetric: true,
        scale_type_tag: 1,
    }
}

fn nf4(axis: u32, block_size: u32) -> Scheme {
    Scheme::Nf4 { axis, block_size, scale_buffer_index: 1 }
}

fn mxfp(axis: u32, block_size: u32) -> Scheme {
    Scheme::Mxfp { axis, block_size, scale_buffer_index: 1 }
}

#[test]
fn what_fits_passes() {
    use ElementType::{Float4E2m1, Int4, Int8, Uint4, Uint32};
    let per_tensor = Scheme::PerTensor { scale: 1.0_f32.to_bits(), zero_point: i32::MAX };
    let cases: [(ElementType, &[u64], Scheme, &[u64]); 12] = [
        (Uint32, &[3, 4], per_tensor, &[48]),
        (Int8, &[768, 1024], per_channel(0), &[786_432, 3072, 3072]),
        (Int8, &[0, 4], per_channel(0), &[0, 0, 0]),
        (Int8, &[2, 8], per_block(1, 4), &[16, 8]),
        // ceil(5 / 4) * 3 blocks, and the last rows stored in full.
        (Int8, &[5, 3], per_block(0, 4), &[24, 12]),
        (Int8, &[4, 2], per_block(0, 4), &[8, 4]),
        (Int4, &[0, 2], per_block(0, 4), &[0, 0]),
        (Uint4, &[64], nf4(0, 8), &[32, 32]),
        (Uint4, &[9], nf4(0, 8), &[8, 8]),
        (Float4E2m1, &[2, 32], mxfp(1, 16), &[32, 4]),
        (Float4E2m1, &[0, 32], mxfp(1, 16), &[0, 0]),
        (Int8, &[1 << 40, 0, 1 << 40], per_block(0, 2), &[0, 0]),
    ];
    for (kind, dims, scheme, sizes) in cases {
        assert_eq!(broken(kind, dims, scheme, sizes), [], "{kind:?} {dims:?} {scheme:?}");
    }
}

#[test]
fn what_does_not_fit_breaks_its_own_rule_and_no_other() {
    use ElementType::{Bool, Float8E8m0, Float32, Int2, Int8, Int16, Uint4, Uint8};
    let per_tensor = |zero_point| Scheme::PerTensor { scale: 1.0_f32.to_bits(), zero_point };
    let at = |scale, zero_point| Scheme::PerChannel {
        axis: 0,
        scale_buffer_index: scale,
        zero_point_buffer_index: zero_point,
        is_symmetric: false,
        scale_type_tag: 3,
    };
    let cases: [Case; 31] = [
        (Float32, &[2], per_tensor(0), &[8], Rule::QuantPertensorStorage),
        (Bool, &[8], per_tensor(0), &[1], Rule::QuantPertensorStorage),
        (Int8, &[2], per_tensor(128), &[2], Rule::QuantPertensorZeroPointRange),
        (Uint8, &[2], per_tensor(-1), &[2], Rule::QuantPertensorZeroPointRange),
        (Int2, &[4], per_tensor(2), &[1], Rule::QuantPertensorZeroPointRange),
        (Int8, &[2], per_tensor(0), &[2, 8], Rule::QuantPertensorNoBuffers),
        (Float32, &[2], per_channel(0), &[8, 8, 8], Rule::QuantPerchannelStorage),
        (Int8, &[2], per_channel(1), &[2, 0, 0], Rule::QuantPerchannelAxis),
        (Int8, &[2], per_channel(0), &[2, 7, 8], Rule::QuantPerchannelScaleSize),
        (Int8, &[2], per_channel(0), &[2, 9, 8], Rule::QuantPerchannelScaleSize),
        (Int8, &[2], per_channel(0), &[2, 8, 4], Rule::QuantPerchannelZeroPointSize),
        (Int8, &[2], at(1, 3), &[2, 8, 8], Rule::QuantPlaceIndexRange),
        (Int8, &[2], at(u32::MAX, 2), &[2, 8, 8], Rule::QuantPlaceIndexRange),
        (Int8, &[2], at(0, 2), &[2, 8, 8], Rule::QuantPlaceDistinct),
        (Int8, &[2], at(2, 2), &[2, 8, 8], Rule::QuantPerchannelZeroPointSize),
        (Int8, &[2], per_channel(0), &[2, 8, 8, 8], Rule::DescriptorBuffersCountDenseQuantized),
        (Int16, &[4], per_block(0, 4), &[8, 2], Rule::QuantPerblockStorage),
        (Int8, &[4], per_block(1, 2), &[4, 0], Rule::QuantPerblockAxis),
        (Int8, &[4], per_block(0, 8), &[8, 2], Rule::QuantPerblockBlockLeAxis),
        (Int8, &[4], per_block(0, 4), &[4, 1], Rule::QuantPerblockScaleSize),
        (Int8, &[5, 3], per_block(0, 4), &[15, 12], Rule::QuantPartialStorageAllocated),
        (Int8, &[DYNAMIC], per_block(0, 4), &[4, 2], Rule::ModelDynamicQuantAxisReject),
        (Int8, &[64], nf4(0, 64), &[64, 4], Rule::QuantNf4Storage),
        (Uint4, &[8], nf4(1, 8), &[4, 0], Rule::QuantNf4Axis),
        (Uint4, &[8], nf4(0, 16), &[8, 4], Rule::QuantNf4BlockLeAxis),
        (Uint4, &[8], nf4(0, 8), &[4, 8], Rule::QuantNf4ScaleSize),
        (Float8E8m0, &[16], mxfp(0, 16), &[16, 1], Rule::QuantMxfpStorage),
        (Int8, &[16], mxfp(1, 16), &[16, 0], Rule::QuantMxfpAxis),
        (Int8, &[17], mxfp(0, 16), &[32, 2], Rule::QuantMxfpBlockMultiple),
        (Int8, &[0], mxfp(0, 16), &[0, 0], Rule::QuantMxfpBlockMultiple),
        (Int8, &[16], mxfp(0, 16), &[16, 2], Rule::QuantMxfpScaleSize),
    ];
    for (kind, dims, scheme, sizes, rule) in cases {
        assert_eq!(broken(kind, dims, scheme, sizes), [rule], "{kind:?} {dims:?} {scheme:?} {sizes:?}");
    }
    let overflow = broken(Int8, &[1 << 63, 1], per_block(0, 2), &[u64::MAX, u64::MAX]);
    assert_eq!(overflow, [Rule::QuantPerblockScaleSize]);
}

#[test]
fn a_zero_point_is_a_number_of_the_stored_type() {
    use ElementType::{Int2, Int4, Int8, Int16, Int32, Uint2, Uint4, Uint8, Uint16, Uint32};
    let types: [(ElementType, i32, i32, &[u64]); 10] = [
        (Int2, -2, 1, &[1]),
        (Uint2, 0, 3, &[1]),
        (Int4, -8, 7, &[2]),
        (Uint4, 0, 15, &[2]),
        (Int8, -128, 127, &[4]),
        (Uint8, 0, 255, &[4]),
        (Int16, -32_768, 32_767, &[8]),
        (Uint16, 0, 65_535, &[8]),
        (Int32, i32::MIN, i32::MAX, &[16]),
        (Uint32, 0, i32::MAX, &[16]),
    ];
    for (kind, least, most, sizes) in types {
        let found = |zero_point| {
            let scheme = Scheme::PerTensor { scale: 1.0_f32.to_bits(), zero_point };
            broken(kind, &[4], scheme, sizes)
        };
        let outside = [Rule::QuantPertensorZeroPointRange];
        assert_eq!((found(least), found(most)), (vec![], vec![]), "{kind:?}");
        // Beyond 32 bits there is nothing to write.
        assert!(least.checked_sub(1).is_none_or(|below| found(below) == outside), "{kind:?}");
        assert!(most.checked_add(1).is_none_or(|above| found(above) == outside), "{kind:?}");
    }
}

#[test]
fn parameters_stand_behind_the_buffers_of_the_layout() {
    let coo = LayoutDescriptor::Coo { nnz: 3, is_sorted: true };
    let scheme = |index| Scheme::PerChannel {
        axis: 0,
        scale_buffer_index: index,
        zero_point_buffer_index: u32::MAX,
        is_symmetric: true,
        scale_type_tag: 3,
    };
    let read = |index, sizes: &[u64]| with_layout(coo.clone(), ElementType::Int8, &[4, 5], scheme(index), sizes);
    assert_eq!(read(2, &[3, 48, 16]), []);
    assert_eq!(read(1, &[3, 48, 16]), [Rule::QuantPlaceNotLayoutBuffer]);
    assert_eq!(read(2, &[3, 48, 16, 16]), [Rule::LayoutCooBufferCount]);
}

#[test]
fn pages_set_the_blocks() {
    let paged = BlockPaged {
        page_size: 4,
        num_pages: 5,
        paged_axis: 0,
        num_seqs: 2,
        kv_role: 0,
        layer_index: u32::MAX,
        block_table_index_type: 0,
    };
    let block = |axis, block_size| Scheme::PerBlock {
        axis,
        block_size,
        scale_buffer_index: 3,
        zero_point_buffer_index: u32::MAX,
        is_symmetric: true,
        scale_type_tag: 3,
    };
    let channel = |axis| Scheme::PerChannel {
        axis,
        scale_buffer_index: 3,
        zero_point_buffer_index: u32::MAX,
        is_symmetric: true,
        scale_type_tag: 3,
    };
    let read = |scheme, scales: u64| {
        let layout = LayoutDescriptor::BlockPaged(paged);
        with_layout(layout, ElementType::Int8, &[9, 2, 8], scheme, &[320, 12, 12, scales])
    };
    assert_eq!((read(block(0, 4), 80), read(channel(1), 8)), (vec![], vec![]));
    assert_eq!(read(block(0, 4), 20), [Rule::LayoutPagedQuantScaleEntries]);
    assert_eq!(read(block(0, 2), 80), [Rule::LayoutPagedQuantBlockAxis]);
    assert_eq!(read(block(2, 4), 80), [Rule::LayoutPagedQuantBlockAxis]);
    assert_eq!(read(channel(0), 36), [Rule::LayoutPagedQuantChannelAxis]);
}
