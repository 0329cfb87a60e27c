//! Every section by bytes typed from the field tables, all together in their order, and each fault at its place.

use super::*;

use crate::judge::Policy;
use crate::model::{ElementType, ExtensionType, LayoutDescriptor, Quantization, Scheme, Shape, Shard, Statistics};

fn hex(text: &str) -> Vec<u8> {
    text.split_whitespace().map(|digits| u8::from_str_radix(digits, 16).unwrap()).collect()
}

fn empty() -> TensorDescriptor {
    TensorDescriptor::new(ElementType::Int8, Shape::new(vec![3]), LayoutDescriptor::RowMajor, vec![])
}

fn read(flags: u32, bytes: &[u8], judge: &mut Judge) -> Result<TensorDescriptor, Reject> {
    let mut cursor = Cursor::new(bytes, 0, Rule::DescriptorHeaderLengthOverread);
    let mut descriptor = empty();
    read_sections(&mut cursor, flags, &mut descriptor, judge)?;
    assert_eq!(cursor.left(), 0);
    Ok(descriptor)
}

fn rejected(flags: u32, bytes: &[u8]) -> (Rule, std::ops::Range<u64>) {
    let reject = read(flags, bytes, &mut Judge::new(Policy::strict())).unwrap_err();
    (reject.rule, reject.span)
}

const SCHEMES: [&str; 5] = [
    "10 00 00 00 01 01 00 00 00 00 00 3F FD FF FF FF 00 00 00 00",
    "14 00 00 00 02 01 00 00 00 00 00 00 01 00 00 00 02 00 00 00 03 00 00 00",
    "18 00 00 00 03 01 01 00 01 00 00 00 20 00 00 00 01 00 00 00 FF FF FF FF 02 00 00 00",
    "10 00 00 00 04 01 00 00 00 00 00 00 40 00 00 00 01 00 00 00",
    "10 00 00 00 05 01 00 00 00 00 00 00 20 00 00 00 01 00 00 00",
];

fn schemes() -> [Scheme; 5] {
    [
        Scheme::PerTensor { scale: 0.5_f32.to_bits(), zero_point: -3 },
        Scheme::PerChannel {
            axis: 0,
            scale_buffer_index: 1,
            zero_point_buffer_index: 2,
            is_symmetric: false,
            scale_type_tag: 3,
        },
        Scheme::PerBlock {
            axis: 1,
            block_size: 32,
            scale_buffer_index: 1,
            zero_point_buffer_index: u32::MAX,
            is_symmetric: true,
            scale_type_tag: 2,
        },
        Scheme::Nf4 { axis: 0, block_size: 64, scale_buffer_index: 1 },
        Scheme::Mxfp { axis: 0, block_size: 32, scale_buffer_index: 1 },
    ]
}

#[test]
fn every_scheme_is_read_and_written() {
    for (text, scheme) in SCHEMES.into_iter().zip(schemes()) {
        let bytes = hex(text);
        let quantization = Some(Quantization { version: 1, scheme });
        let expected = TensorDescriptor { quantization, ..empty() };
        assert_eq!(read(1, &bytes, &mut Judge::new(Policy::strict())), Ok(expected.clone()));
        let mut out = Vec::new();
        put_sections(&mut out, &expected).unwrap();
        assert_eq!((out, flags_of(&expected)), (bytes.clone(), 1));
        // Surplus behind the fields is skipped, whatever it holds.
        let mut longer = bytes.clone();
        longer[0] += 2;
        longer.extend([0xAA; 2]);
        assert_eq!(read(1, &longer, &mut Judge::new(Policy::strict())), Ok(expected));
        for len in 0..bytes.len() - 4 {
            let mut shorter = bytes.clone();
            shorter[0] = len as u8;
            shorter.truncate(4 + len);
            assert_eq!(rejected(1, &shorter).0, Rule::QuantHeaderOverread, "{len}");
        }
        assert_eq!(rejected(1, &bytes[..bytes.len() - 1]).0, Rule::DescriptorHeaderLengthOverread);
    }
}

/// Scheme, place, bytes put there, the rule they break and where.
type Case<'a> = (usize, usize, &'a [u8], Rule, std::ops::Range<u64>);

#[test]
fn each_field_of_a_scheme_is_refused_at_its_place() {
    let cases: [Case; 27] = [
        (0, 4, &[0x00], Rule::QuantTagZeroFfReject, 4..5),
        (0, 4, &[0xFF], Rule::QuantTagZeroFfReject, 4..5),
        (0, 4, &[0x06], Rule::QuantHeaderUnknownReject, 4..5),
        (0, 4, &[0xF0], Rule::QuantHeaderUnknownReject, 4..5),
        (0, 5, &[2], Rule::QuantHeaderVersionReject, 5..6),
        (0, 5, &[0], Rule::QuantHeaderVersionOne, 5..6),
        (0, 6, &[1], Rule::QuantPertensorFlagsZero, 6..8),
        (0, 8, &[0, 0, 0, 0], Rule::QuantPertensorScale, 8..12),
        (0, 8, &[0, 0, 0, 0x80], Rule::QuantPertensorScale, 8..12),
        (0, 8, &[0, 0, 0x80, 0x7F], Rule::QuantPertensorScale, 8..12),
        (0, 8, &[1, 0, 0x80, 0x7F], Rule::QuantPertensorScale, 8..12),
        (0, 19, &[1], Rule::QuantPertensorReservedReject, 16..20),
        (1, 6, &[2], Rule::QuantHeaderFlagsReservedReject, 6..8),
        (1, 6, &[1], Rule::QuantPerchannelSymmetricIndex, 16..20),
        (1, 20, &[1], Rule::QuantPerchannelScaleType, 20..21),
        (1, 23, &[1], Rule::QuantPerchannelReservedReject, 21..24),
        (2, 7, &[0x80], Rule::QuantHeaderFlagsReservedReject, 6..8),
        (2, 12, &[1], Rule::QuantPerblockBlockSize, 12..16),
        (2, 12, &[33], Rule::QuantPerblockBlockSize, 12..16),
        (2, 24, &[4], Rule::QuantPerblockScaleType, 24..25),
        (2, 27, &[1], Rule::QuantPerblockReserved, 25..28),
        (3, 6, &[1], Rule::QuantNf4FlagsZero, 6..8),
        (3, 12, &[4], Rule::QuantNf4BlockSize, 12..16),
        (4, 7, &[1], Rule::QuantMxfpFlagsZero, 6..8),
        (4, 12, &[8], Rule::QuantMxfpBlockSize, 12..16),
        (4, 12, &[0, 0x10], Rule::QuantMxfpBlockSize, 12..16),
        (4, 12, &[0x30], Rule::QuantMxfpBlockSize, 12..16),
    ];
    for (scheme, at, edit, rule, span) in cases {
        let mut bytes = hex(SCHEMES[scheme]);
        bytes[at..at + edit.len()].copy_from_slice(edit);
        assert_eq!(rejected(1, &bytes), (rule, span), "scheme {scheme}, {edit:?} at {at}");
    }
    // An index beside the symmetric flag is noted in per-block, and no more.
    let mut bytes = hex(SCHEMES[2]);
    bytes[20] = 0xFE;
    let mut judge = Judge::new(Policy::collecting());
    assert!(read(1, &bytes, &mut judge).is_ok() && read(1, &bytes, &mut Judge::new(Policy::strict())).is_ok());
    assert_eq!(judge.findings()[0].rule, Rule::QuantPerblockSymmetricIndex);
}

#[test]
fn unknown_schemes_are_skipped_by_permissive_readers() {
    let bytes = hex("06 00 00 00 F0 09 FF FF AA BB");
    let read = read(1, &bytes, &mut Judge::new(Policy::permissive())).unwrap();
    let quantization = Quantization { version: 9, scheme: Scheme::Unknown(0xF0) };
    assert_eq!((read.quantization, read.has_meaning()), (Some(quantization), false));
    assert_eq!(put_sections(&mut Vec::new(), &read), Err(Misuse::Encoding));
}

const STATISTICS: &str = "3F 00 00 00 00 00 00 00 05 00 00 00 00 00 00 00 00 00 00 00 00 00 E0 3F \
    00 00 00 00 00 00 00 C0 00 00 00 00 00 00 F0 3F 00 00 00 00 00 00 00 40 00 00 00 00 00 00 00 00 \
    00 00 00 00 00 00 F0 3F 02 04 00 01 00 00 00 00";

fn statistics() -> Statistics {
    Statistics {
        nnz: Some(5),
        sparsity_ratio: Some(0.5_f64.to_bits()),
        value_range: Some([(-2.0_f64).to_bits(), 1.0_f64.to_bits(), 2.0_f64.to_bits()]),
        value_stats: Some([0, 1.0_f64.to_bits()]),
        nm_sparsity: Some([2, 4]),
        nan_inf: Some([0, 1]),
    }
}

#[test]
fn statistics_are_read_by_their_mask_and_wrong_ones_are_only_noted() {
    let bytes = hex(STATISTICS);
    let expected = TensorDescriptor { statistics: Some(statistics()), ..empty() };
    let mut judge = Judge::new(Policy::collecting());
    assert_eq!(read(8, &bytes, &mut judge), Ok(expected.clone()));
    assert_eq!(judge.findings(), []);
    let mut out = Vec::new();
    put_sections(&mut out, &expected).unwrap();
    assert_eq!(out, bytes);
    let mut unmasked = bytes.clone();
    unmasked[0] = 0;
    assert_eq!(read(8, &unmasked, &mut judge).unwrap().statistics, Some(Statistics::default()));
    let noted: [(usize, u8, Rule, std::ops::Range<u64>); 6] = [
        (23, 0xBF, Rule::DescriptorStatsSparsityRange, 16..24),
        (22, 0xFF, Rule::DescriptorStatsSparsityRange, 16..24),
        (46, 0x10, Rule::DescriptorStatsAbsmax, 24..48),
        (63, 0xBF, Rule::DescriptorStatsStddevNonnegative, 56..64),
        (64, 5, Rule::DescriptorStatsNmOrder, 64..66),
        (66, 2, Rule::DescriptorStatsNanInfBytes, 66..68),
    ];
    for (at, byte, rule, span) in noted {
        let mut bytes = bytes.clone();
        bytes[at] = byte;
        let mut judge = Judge::new(Policy::collecting());
        assert!(read(8, &bytes, &mut judge).is_ok() && read(8, &bytes, &mut Judge::new(Policy::strict())).is_ok());
        assert_eq!((judge.findings()[0].rule, judge.findings()[0].span.clone()), (rule, span), "{at}");
        bytes[0] = 0;
        let mut judge = Judge::new(Policy::collecting());
        assert!(read(8, &bytes, &mut judge).is_ok() && judge.findings().is_empty(), "unmasked {at}");
    }
    for (at, rule, span) in [
        (0, Rule::DescriptorStatsMaskReservedReject, 0..4),
        (4, Rule::DescriptorStatsReservedZero, 4..8),
        (71, Rule::DescriptorStatsReservedZero, 68..72),
    ] {
        let mut bytes = bytes.clone();
        bytes[at] |= 0x40;
        assert_eq!(rejected(8, &bytes), (rule, span));
    }
}

const EXTENSION: &str = "10 00 00 00 01 01 00 01 05 0A 00 00 0F 00 00 00 01 01 00 00";

#[test]
fn extension_types_have_a_width_and_a_packing_that_agree() {
    let bytes = hex(EXTENSION);
    let extension = ExtensionType {
        bit_width: 16,
        packing_factor: 1,
        is_float: 1,
        is_signed: 0,
        sign_bits: 1,
        exponent_bits: 5,
        mantissa_bits: 10,
        exponent_bias: 15,
        has_nan: 1,
        has_inf: 1,
    };
    let expected = TensorDescriptor { extension: Some(extension), ..empty() };
    assert_eq!(read(4, &bytes, &mut Judge::new(Policy::strict())), Ok(expected.clone()));
    let mut out = Vec::new();
    put_sections(&mut out, &expected).unwrap();
    assert_eq!(out, bytes);
    let packs = |width: u8, factor: u8| {
        let mut bytes = hex(EXTENSION);
        (bytes[0], bytes[4]) = (width, factor);
        read(4, &bytes, &mut Judge::new(Policy::strict())).is_ok()
    };
    let good: Vec<(u8, u8)> =
        (0..=16).flat_map(|width| (0..=9).map(move |factor| (width, factor))).filter(|(w, f)| packs(*w, *f)).collect();
    assert_eq!(good, [(1, 8), (2, 4), (4, 2), (8, 1), (16, 1)]);
    assert_eq!(
        (extension.packed_len(3), ExtensionType { bit_width: 2, packing_factor: 4, ..extension }.packed_len(5)),
        (Some(6), Some(2))
    );
    let of_twelve_bits = ExtensionType { bit_width: 12, ..extension };
    assert_eq!(of_twelve_bits.packed_len(3), Some(6), "a begun byte is a byte");
    for (at, byte, rule, span) in [
        (0, 9, Rule::DescriptorExtWidthMultipleOf8, 0..4),
        (5, 0, Rule::DescriptorExtFloatFields, 0..20),
        (6, 1, Rule::DescriptorExtFloatFields, 0..20),
        (7, 2, Rule::DescriptorExtFloatFields, 0..20),
        (16, 2, Rule::DescriptorExtBooleans, 16..17),
        (11, 1, Rule::DescriptorExtReservedZero, 10..12),
        (19, 1, Rule::DescriptorExtReservedZero, 18..20),
    ] {
        let mut bytes = hex(EXTENSION);
        bytes[at] = byte;
        assert_eq!(rejected(4, &bytes), (rule, span), "{at}");
    }
}

#[test]
fn members_have_a_role_and_nothing_else() {
    let mut bytes = vec![1];
    bytes.resize(16, 0);
    let expected = TensorDescriptor { member_role: Some(MemberRole::BASE), ..empty() };
    assert_eq!(read(16, &bytes, &mut Judge::new(Policy::strict())), Ok(expected));
    bytes[0] = 2;
    assert_eq!(rejected(16, &bytes), (Rule::DescriptorMemberRoleReject, 0..1));
    (bytes[0], bytes[15]) = (0, 1);
    assert_eq!(rejected(16, &bytes), (Rule::DescriptorMemberReservedReject, 1..16));
}

#[test]
fn all_sections_stand_in_the_order_of_the_text_and_not_of_the_flags() {
    let shard = [7_u64.to_le_bytes(), 4_u64.to_le_bytes()].concat();
    let member = [vec![0], vec![0; 15]].concat();
    let bytes = [hex(SCHEMES[0]), shard, hex(STATISTICS), hex(EXTENSION), member].concat();
    let descriptor = read(0x1F, &bytes, &mut Judge::new(Policy::strict())).unwrap();
    assert_eq!(descriptor.shard, Some(Shard { parent_shape: vec![7], shard_offset: vec![4] }));
    assert_eq!((descriptor.statistics, descriptor.member_role), (Some(statistics()), Some(MemberRole::CORRECTION)));
    let mut out = Vec::new();
    put_sections(&mut out, &descriptor).unwrap();
    assert_eq!((out, flags_of(&descriptor)), (bytes.clone(), 0x1F));
    for len in 0..bytes.len() {
        assert_eq!(rejected(0x1F, &bytes[..len]).0, Rule::DescriptorHeaderLengthOverread, "{len}");
    }
    let uneven = TensorDescriptor { shard: Some(Shard { parent_shape: vec![7], shard_offset: vec![] }), ..empty() };
    assert_eq!(put_sections(&mut Vec::new(), &uneven), Err(Misuse::Encoding));
}
