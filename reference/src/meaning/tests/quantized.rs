//! What stored numbers of quantized tensors stand for, worked out by hand.

use super::{float, floats, paged, tensor};
use crate::meaning::{NoMeaning, decode, quantized};
use crate::model::{ElementType, LayoutDescriptor, Quantization, Scheme, TensorDescriptor};

fn with_scheme(kind: ElementType, dims: &[u64], scheme: Scheme) -> TensorDescriptor {
    let quantization = Some(Quantization { version: 1, scheme });
    TensorDescriptor { quantization, ..tensor(kind, dims, LayoutDescriptor::RowMajor) }
}

#[test]
fn affine_schemes_subtract_before_they_scale() {
    let scheme = Scheme::PerTensor { scale: 0x3DCC_CCCD, zero_point: -3 };
    let descriptor = with_scheme(ElementType::Int8, &[5], scheme);
    let buffers = [vec![0x80, 0xFD, 0x00, 0x03, 0x7F]];
    let seen: Vec<_> = (0..5).map(|at| float(&descriptor, &buffers, &[at]).to_bits()).collect();
    assert_eq!(seen, [0xC148_0000, 0x0000_0000, 0x3E99_999A, 0x3F19_999A, 0x4150_0000]);
    let zeros = |numbers: &[i32]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
    let scheme = Scheme::PerChannel {
        axis: 0,
        scale_buffer_index: 1,
        zero_point_buffer_index: 2,
        is_symmetric: false,
        scale_type_tag: 3,
    };
    let descriptor = with_scheme(ElementType::Int8, &[2, 3], scheme);
    let buffers = [vec![1, 3, 0xF9, 0xFF, 0, 4], floats(&[0.5, -2.0]), zeros(&[1, -1])];
    let seen: Vec<_> = (0..6).map(|at| float(&descriptor, &buffers, &[at / 3, at % 3])).collect();
    assert_eq!(seen, [0.0, 1.0, -4.0, 0.0, -2.0, -10.0]);
    let scheme = Scheme::PerBlock {
        axis: 0,
        block_size: 4,
        scale_buffer_index: 1,
        zero_point_buffer_index: 2,
        is_symmetric: false,
        scale_type_tag: 1,
    };
    let descriptor = with_scheme(ElementType::Int8, &[6], scheme);
    // float16 0.5 and 2.0
    let buffers = [vec![1, 3, 0xFB, 0, 4, 0xFD], vec![0x00, 0x38, 0x00, 0x40], zeros(&[1, -2])];
    let seen: Vec<_> = (0..6).map(|at| float(&descriptor, &buffers, &[at])).collect();
    assert_eq!(seen, [0.0, 1.0, -3.0, -0.5, 12.0, -2.0]);
}

#[test]
fn forbidden_parameters_are_found_by_the_elements_that_use_them() {
    let scheme = Scheme::PerChannel {
        axis: 0,
        scale_buffer_index: 1,
        zero_point_buffer_index: 2,
        is_symmetric: false,
        scale_type_tag: 3,
    };
    let channels = with_scheme(ElementType::Int8, &[2], scheme);
    let levels = with_scheme(ElementType::Uint4, &[16], Scheme::Nf4 { axis: 0, block_size: 8, scale_buffer_index: 1 });
    let zeros = |number: i32| [0, number].iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
    for (descriptor, at, buffers) in [
        (&channels, 1, [vec![0, 0], floats(&[1.0, 0.0]), zeros(0)]),
        (&channels, 1, [vec![0, 0], floats(&[1.0, f32::NAN]), zeros(0)]),
        (&channels, 1, [vec![0, 0], floats(&[1.0, 1.0]), zeros(128)]),
        (&levels, 8, [vec![0; 8], floats(&[0.0, -1.0]), Vec::new()]),
        (&levels, 8, [vec![0; 8], floats(&[0.0, f32::INFINITY]), Vec::new()]),
    ] {
        assert!(decode(descriptor, &buffers, &[0]).is_ok());
        assert_eq!(decode(descriptor, &buffers, &[at]), Err(NoMeaning::Reserved), "{descriptor:?}");
    }
}

#[test]
fn blocks_are_counted_along_their_axis_first() {
    for (dims, axis, size, index, block) in [
        (&[4, 3][..], 0, 2, &[3, 1][..], 3),
        (&[2, 5], 1, 4, &[1, 4], 3),
        (&[2, 8, 3], 1, 4, &[1, 5, 2], 11),
        (&[64], 0, 64, &[63], 0),
    ] {
        assert_eq!(quantized::block(dims, axis, size, index), Ok(block), "{dims:?}");
    }
}

#[test]
fn levels_and_powers_scale_their_block() {
    let scheme = Scheme::Nf4 { axis: 0, block_size: 8, scale_buffer_index: 1 };
    let descriptor = with_scheme(ElementType::Uint4, &[8], scheme);
    let buffers = [vec![0xF0, 0x87, 0x3C, 0x91], floats(&[3.0])];
    let seen: Vec<_> = (0..8).map(|at| float(&descriptor, &buffers, &[at]).to_bits()).collect();
    let expected =
        [0xC040_0000, 0x4040_0000, 0x0000_0000, 0x3E74_787E, 0x3FA9_3B8A, 0xBF97_A5F8, 0xC005_AB45, 0x3EF7_3054];
    assert_eq!(seen, expected);
    let scheme = Scheme::Mxfp { axis: 0, block_size: 16, scale_buffer_index: 1 };
    let descriptor = with_scheme(ElementType::Float4E2m1, &[16], scheme);
    let buffers = [vec![0x10, 0x32, 0x54, 0x76, 0x98, 0xBA, 0xDC, 0xFE], vec![0x80]];
    let seen: Vec<_> = (0..16).map(|at| float(&descriptor, &buffers, &[at])).collect();
    let half = [0.0, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0];
    assert_eq!((&seen[..8], &seen[8..]), (&half[..], &half.map(|value| -value)[..]));
    // No factor 2^-6 (ruling R65).
    let descriptor = with_scheme(ElementType::Int8, &[16], scheme);
    let mut bytes = vec![0x40, 0x01, 0xFF, 0x80, 0x7F];
    bytes.resize(16, 0);
    let buffers = [bytes, vec![0x79]];
    let seen: Vec<_> = (0..5).map(|at| float(&descriptor, &buffers, &[at])).collect();
    assert_eq!(seen, [1.0, 0.015_625, -0.015_625, -2.0, 1.984_375]);
    let reserved = [buffers[0].clone(), vec![0xFF]];
    assert_eq!(decode(&descriptor, &reserved, &[0]), Err(NoMeaning::Reserved));
}

#[test]
fn pages_share_out_scales_as_they_do_elements() {
    let (descriptor, [table, pointers]) = paged();
    // A channel is a head or a component of one; a scale of a block is that of a slot, found through the same table.
    let (none, tag) = (u32::MAX, 3);
    let channel = |axis| Scheme::PerChannel {
        axis,
        scale_buffer_index: 3,
        zero_point_buffer_index: none,
        is_symmetric: true,
        scale_type_tag: tag,
    };
    let slots = Scheme::PerBlock {
        axis: 0,
        block_size: 4,
        scale_buffer_index: 3,
        zero_point_buffer_index: none,
        is_symmetric: true,
        scale_type_tag: tag,
    };
    let pool: Vec<u8> = (0..320).map(|at| at as u8).collect();
    let scales = floats(&(1..=20).map(|scale| scale as f32).collect::<Vec<f32>>());
    let buffers = [pool, table, pointers, scales];
    for (scheme, scales) in [(channel(1), [2.0, 2.0]), (channel(2), [8.0, 4.0]), (slots, [6.0, 3.0])] {
        let quantization = Some(Quantization { version: 1, scheme });
        let paged = TensorDescriptor { quantization, ..descriptor.clone() };
        let seen = [float(&paged, &buffers, &[0, 5, 1, 7]), float(&paged, &buffers, &[1, 2, 1, 3])];
        assert_eq!(seen, [95.0 * scales[0], 43.0 * scales[1]], "{scheme:?}");
    }
}
