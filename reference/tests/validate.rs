//! What only a walk through the file shows: padding, gaps, order, bits behind the last element. One edit each.

mod common;

use std::convert::Infallible;
use std::ops::Range;

use common::{disarm, drain, number, ramp, sample_file, shift, write};
use hurray_reference::{
    BufferHandle, CompositeHead, CompositionRule, DeviceTag, ElementType, FileWriterCore, FileWriterOptions, Found,
    LayoutDescriptor, Policy, Quantization, Report, Scheme, Shape, SyncMode, TensorDescriptor, drive, validate,
};
use hurray_spec::Rule;

const DEFAULT: FileWriterOptions = FileWriterOptions { data_buffer_alignment: 4096, sorted_index: false };

fn report(file: &[u8], policy: &Policy) -> Report {
    let read = |offset: u64, dst: &mut [u8]| {
        // Three bytes at a time at most, so that every stretch is met in pieces.
        let rest = file.get(offset as usize..).unwrap_or_default();
        let filled = rest.len().min(dst.len()).min(3);
        dst[..filled].copy_from_slice(&rest[..filled]);
        Ok::<_, Infallible>(filled)
    };
    validate(file.len() as u64, policy, read).unwrap_or_else(|never| match never {})
}

fn findings(file: &[u8]) -> Vec<(Rule, Range<u64>)> {
    let report = report(file, &Policy::strict());
    report.findings.into_iter().map(|finding| (finding.rule, finding.span)).collect()
}

/// The sample file: `weights` 64..125 and 4096..4144, `empty` 4144..4213 and no data, `bytes` 8192..8245 and
/// 12288..17288, key-values at 17288.
fn edited(at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut file = sample_file();
    file[at..at + bytes.len()].copy_from_slice(bytes);
    file
}

#[test]
fn a_sound_file_has_no_finding() {
    let report = report(&sample_file(), &Policy::strict());
    assert_eq!((report.findings, report.error), (vec![], None));
}

#[test]
fn every_kind_of_padding_is_looked_at() {
    let kv_end = 17288 + 4 + (2 + 8 + 1 + 4 + 4) + (2 + 4 + 1 + 5 + 16) + (2 + 4 + 1 + 1) + (2 + 3 + 1 + 4 + 2);
    let cases = [
        (125, Rule::ContainerRegionDescriptorPadZero),
        (4095, Rule::ContainerRegionDescriptorPadZero),
        (4213, Rule::ContainerRegionTrailingPadZero),
        (8191, Rule::ContainerRegionTrailingPadZero),
        (8245, Rule::ContainerRegionDescriptorPadZero),
        (kv_end, Rule::ContainerRegionSectionGap),
    ];
    for (at, rule) in cases {
        assert_eq!(findings(&edited(at, &[1])), [(rule, at as u64..at as u64 + 1)], "byte {at}");
    }
    let waiving = Policy::strict().waiving([Rule::ContainerRegionDescriptorPadZero]);
    assert_eq!(report(&edited(125, &[1]), &waiving).findings, vec![]);
}

/// The file of one tensor `a`: descriptor 64..125, data 4096..4144, index 4144..4187.
fn one() -> Vec<u8> {
    write(DEFAULT, &[ramp("a", ElementType::Float32, &[3, 4], 64)], &[], usize::MAX)
}

/// `count` zero bytes more at `at`; the trailer's offset of the index follows if they stand before it.
fn inserted(mut file: Vec<u8>, at: usize, count: usize) -> Vec<u8> {
    let trailer = file.len() - 40;
    if at <= number(&file[trailer..trailer + 8]) as usize {
        shift(&mut file, trailer, count as u64);
    }
    file.splice(at..at, vec![0; count]);
    file
}

/// A sparse matrix of two buffers, 4096..4108 and 8192..8240.
fn sparse_file() -> Vec<u8> {
    let handle = |byte_size| BufferHandle::new(byte_size, 64, DeviceTag::CPU, SyncMode::PRODUCER_SYNCED);
    let layout = LayoutDescriptor::Coo { nnz: 3, is_sorted: false };
    let shape = Shape::new(vec![4, 5]);
    let descriptor = TensorDescriptor::new(ElementType::Float32, shape, layout, vec![handle(12), handle(48)]);
    let (mut file, mut core) = (Vec::new(), FileWriterCore::new());
    drain(core.header().unwrap(), usize::MAX, &mut file).unwrap();
    let indices: Vec<u8> = [0_u64, 1, 2, 0, 3, 4].iter().flat_map(|index| index.to_le_bytes()).collect();
    drain(core.tensor("a", &descriptor, &[&[1; 12], &indices]).unwrap(), usize::MAX, &mut file).unwrap();
    drain(core.finish(vec![]).unwrap(), usize::MAX, &mut file).unwrap();
    file
}

#[test]
fn padding_between_two_buffers_is_looked_at() {
    assert_eq!(findings(&sparse_file()), []);
    for at in [4108, 8191] {
        let mut file = sparse_file();
        file[at] = 1;
        let found = (Rule::ContainerRegionInterBufferPadZero, at as u64..at as u64 + 1);
        assert_eq!(findings(&file), [found], "byte {at}");
    }
}

#[test]
fn only_alignment_stands_between_the_parts() {
    let gap = |span| (Rule::ContainerRegionSectionGap, span);
    assert_eq!(findings(&inserted(one(), 4144, 8)), [gap(4144..4152)]);
    assert_eq!(findings(&inserted(one(), 4144, 4048)), [], "padded to the next boundary");
    assert_eq!(findings(&inserted(one(), 4187, 8)), [gap(4187..4195)]);
    let none = write(DEFAULT, &[], &[], usize::MAX);
    assert_eq!(findings(&inserted(none.clone(), 64, 8)), [gap(64..72)]);
    let mut announced = inserted(none, 64, 8);
    announced[20] = 72;
    assert_eq!(findings(&announced), []);
    let two = [ramp("a", ElementType::Float32, &[3, 4], 64), ramp("b", ElementType::Uint8, &[0], 64)];
    let mut two = inserted(write(DEFAULT, &two, &[], usize::MAX), 4144, 4096);
    disarm(&mut two);
    let entry = two.len() - 40 - 32;
    shift(&mut two, entry, 4096);
    assert_eq!(findings(&two), [(Rule::ContainerRegionDescriptorSuccessor, 4144..8240)]);
}

#[test]
fn data_starts_at_the_next_boundary() {
    let mut file = inserted(one(), 4096, 4096);
    disarm(&mut file);
    let entry = file.len() - 40 - 32;
    shift(&mut file, entry + 12, 4096);
    assert_eq!(findings(&file), [(Rule::ContainerRegionDataNextBoundary, 8192..8193)]);
}

#[test]
fn sections_stand_behind_the_tensors_and_key_values_before_the_index() {
    let order = |start, end| [(Rule::ContainerRegionSectionOrder, start..end)];
    // The index in front, at 64; the descriptor moves to 112.
    let sound = one();
    let mut file = sound[..64].to_vec();
    file.extend(&sound[4144..4187]);
    file.resize(112, 0);
    file.extend(&sound[64..125]);
    file.resize(4096, 0);
    file.extend(&sound[4096..4144]);
    file.extend(&sound[4187..]);
    disarm(&mut file);
    file[20] = 112;
    shift(&mut file, 64 + 8 + 3, 48);
    let trailer = file.len() - 40;
    file[trailer..trailer + 8].copy_from_slice(&64_u64.to_le_bytes());
    assert_eq!(findings(&file), order(4096, 4097));
    // The key-values behind the index: they change places.
    let sound = sample_file();
    let (index, trailer) = (17360, sound.len() - 40);
    let mut file = sound[..17288].to_vec();
    file.extend(&sound[index..trailer]);
    file.resize(file.len().next_multiple_of(8), 0);
    let kv = file.len() as u64;
    file.extend(&sound[17288..17359]);
    file.extend(&sound[trailer..]);
    let trailer = file.len() - 40;
    file[trailer..trailer + 8].copy_from_slice(&17288_u64.to_le_bytes());
    file[trailer + 16..trailer + 24].copy_from_slice(&kv.to_le_bytes());
    assert_eq!(findings(&file), order(kv, kv + 71));
}

#[test]
fn a_wrong_hint_and_a_broken_descriptor_are_both_found() {
    let file = edited(28, &[2, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(findings(&file), [(Rule::ContainerHeaderHintValue, 28..36)]);
    let mut file = edited(64 + 14, &[0x47]);
    file[8192 + 60 - 8] = 1;
    let rules: Vec<Rule> = findings(&file).into_iter().map(|(rule, _)| rule).collect();
    assert_eq!(rules, [Rule::TypeTagUnknownReject, Rule::BufferHandleReserved15Reject]);
}

#[test]
fn behind_a_part_that_is_not_decoded_nothing_is_claimed() {
    // Layout 0x0A (block-paged), for which bytes are missing, then padding that would be a fault behind a tensor that ends
    // where this one seems to.
    let mut file = edited(64 + 15, &[0x0A]);
    file[200] = 1;
    let report = report(&file, &Policy::strict());
    let rules: Vec<Rule> = report.findings.iter().map(|finding| finding.rule).collect();
    assert_eq!(rules.last(), Some(&Rule::DescriptorHeaderLengthOverread));
    assert!(!rules.iter().any(|rule| rule.id().starts_with("container.region")), "{rules:?}");
}

#[test]
fn bits_behind_the_last_element_and_reserved_values_are_found() {
    let cases = [
        (ElementType::Bool, 9, 1, 0b10, Rule::TypeBoolPadding),
        (ElementType::Int2, 5, 1, 0b100, Rule::TypeInt2Padding),
        (ElementType::Uint4, 3, 1, 0x10, Rule::TypeInt4Padding),
        (ElementType::Float4E2m1, 3, 1, 0x80, Rule::TypeFloat4Packing),
        (ElementType::Float6E2m3, 5, 3, 0x40, Rule::TypeFloat6Padding),
        (ElementType::Float6E3m2, 6, 4, 0x10, Rule::TypeFloat6Padding),
        (ElementType::Float6E3m2, 6, 5, 0x01, Rule::TypeFloat6Padding),
        (ElementType::Float8E8m0, 3, 2, 0xFF, Rule::TypeFloat8E8m0Reserved),
        (ElementType::Float8E8m0, 3, 0, 0x00, Rule::TypeFloat8E8m0Reserved),
    ];
    for (kind, count, at, byte, rule) in cases {
        let mut given = ramp("a", kind, &[count], 64);
        given.data.fill(if kind == ElementType::Float8E8m0 { 127 } else { 0 });
        let sound = write(DEFAULT, std::slice::from_ref(&given), &[], usize::MAX);
        assert_eq!(findings(&sound), [], "{kind:?}");
        given.data[at] = byte;
        let broken = write(DEFAULT, &[given], &[], usize::MAX);
        assert_eq!(findings(&broken), [(rule, 4096 + at as u64..4097 + at as u64)], "{kind:?}");
    }
}

#[test]
fn a_source_that_fails_is_passed_on_and_one_that_ends_early_is_a_finding() {
    let file = sample_file();
    let failing = |_: u64, _: &mut [u8]| Err::<usize, _>("gone");
    assert_eq!(validate(file.len() as u64, &Policy::strict(), failing).err(), Some("gone"));
    let short = report(&file[..4000], &Policy::strict());
    assert!(!short.findings.is_empty());
    let ends = |offset: u64, dst: &mut [u8]| {
        let reachable = file.get(offset as usize..4000.max(offset as usize)).unwrap_or_default();
        let tail = file.get(17000.max(offset as usize)..).filter(|_| offset >= 17000).unwrap_or(reachable);
        let filled = tail.len().min(dst.len());
        dst[..filled].copy_from_slice(&tail[..filled]);
        Ok::<_, Infallible>(filled)
    };
    let report = validate(file.len() as u64, &Policy::strict(), ends).unwrap_or_else(|never| match never {});
    let short: Vec<_> = report.findings.iter().filter(|finding| finding.rule == Rule::IoReadZeroTruncated).collect();
    assert!(!short.is_empty());
    assert!(short.iter().all(|finding| matches!(finding.found, Found::Short { wanted: 1.., left: 0 })), "{short:?}");
}

#[test]
fn the_driver_validates_anything_that_can_seek() {
    let file = sample_file();
    let mut source = drive::Seeking(std::io::Cursor::new(&file));
    let report = drive::validate(file.len() as u64, &mut source, &Policy::strict()).unwrap();
    assert_eq!(report.findings, vec![]);
}

#[test]
fn tensors_that_share_their_data_do_not_cost_time_without_end() {
    let mut given = ramp("a", ElementType::Float8E8m0, &[100_000], 64);
    given.data.fill(127);
    let one = write(DEFAULT, &[given], &[], usize::MAX);
    // Forty descriptors of 53 bytes, eight-aligned, and one region of data that all of them claim; no checksum.
    let mut file = one[..64].to_vec();
    file[12] = 0;
    let mut index = 40_u64.to_le_bytes().to_vec();
    for at in 0..40_u64 {
        file.resize(64 + 56 * at as usize, 0);
        file.extend(&one[64..64 + 53]);
        index.extend([2, 0, b'0' + (at / 10) as u8, b'0' + (at % 10) as u8]);
        index.extend((64 + 56 * at).to_le_bytes());
        index.extend([53, 0, 0, 0]);
        index.extend(4096_u64.to_le_bytes());
        index.extend(100_000_u64.to_le_bytes());
        index.extend([0; 4]);
    }
    file.resize(4096, 0);
    file.extend(vec![127; 100_000]);
    let offset = file.len() as u64;
    file.extend(&index);
    file.extend(offset.to_le_bytes());
    file.extend((index.len() as u64).to_le_bytes());
    file.extend([0; 20]);
    file.extend(b"HRRY");
    let mut served = 0_u64;
    let read = |offset: u64, dst: &mut [u8]| {
        let rest = file.get(offset as usize..).unwrap_or_default();
        let filled = rest.len().min(dst.len());
        dst[..filled].copy_from_slice(&rest[..filled]);
        served += filled as u64;
        Ok::<_, Infallible>(filled)
    };
    let report = validate(file.len() as u64, &Policy::strict(), read).unwrap_or_else(|never| match never {});
    assert!(report.findings.iter().any(|finding| finding.rule == Rule::ContainerRegionNoOverlap));
    assert!(report.findings.iter().all(|finding| finding.rule == Rule::ContainerRegionNoOverlap));
    assert!(served <= 3 * file.len() as u64, "{served} bytes were read of {}", file.len());
}

#[test]
fn coordinates_lie_inside_and_differ() {
    for (at, index, rule) in [(8192, 4_u64, Rule::LayoutCooInBounds), (8208, 0, Rule::LayoutCooNoDuplicates)] {
        let mut file = sparse_file();
        file[at..at + 8].copy_from_slice(&index.to_le_bytes());
        if rule == Rule::LayoutCooNoDuplicates {
            file[at + 8..at + 16].copy_from_slice(&1_u64.to_le_bytes());
        }
        let rules: Vec<Rule> = findings(&file).into_iter().map(|(rule, _)| rule).collect();
        assert_eq!(rules, [rule]);
    }
}

#[test]
fn scales_are_numbers_and_zero_points_of_the_storage_type() {
    let handle = |byte_size| BufferHandle::new(byte_size, 64, DeviceTag::CPU, SyncMode::PRODUCER_SYNCED);
    let scheme = Scheme::PerChannel {
        axis: 0,
        scale_buffer_index: 1,
        zero_point_buffer_index: 2,
        is_symmetric: false,
        scale_type_tag: 3,
    };
    let plain = TensorDescriptor::new(
        ElementType::Int8,
        Shape::new(vec![2]),
        LayoutDescriptor::RowMajor,
        vec![handle(2), handle(8), handle(8)],
    );
    let descriptor = TensorDescriptor { quantization: Some(Quantization { version: 1, scheme }), ..plain };
    let found = |scale: f32, zero_point: i32| {
        let scales = [1.0_f32.to_le_bytes(), scale.to_le_bytes()].concat();
        let zero_points = [0_i32.to_le_bytes(), zero_point.to_le_bytes()].concat();
        let (mut file, mut core) = (Vec::new(), FileWriterCore::new());
        drain(core.header().unwrap(), usize::MAX, &mut file).unwrap();
        let buffers: [&[u8]; 3] = [&[1, 2], &scales, &zero_points];
        drain(core.tensor("a", &descriptor, &buffers).unwrap(), usize::MAX, &mut file).unwrap();
        drain(core.finish(vec![]).unwrap(), usize::MAX, &mut file).unwrap();
        findings(&file)
    };
    assert_eq!(found(-0.5, -128), []);
    for scale in [0.0, f32::NAN, f32::INFINITY] {
        assert_eq!(found(scale, 0), [(Rule::QuantPerchannelScaleValues, 8196..8200)], "{scale}");
    }
    assert_eq!(found(1.0, 128), [(Rule::QuantPerchannelZeroPointValues, 12292..12296)]);
}

#[test]
fn a_head_that_is_padded_like_data_is_known_and_named() {
    let head = |member_count| {
        let fields = CompositeHead { composition_rule: CompositionRule::GROUP, combine_op: 0, member_count };
        TensorDescriptor::new(ElementType::Uint8, Shape::new(vec![4]), LayoutDescriptor::Composite(fields), vec![])
    };
    let (mut file, mut core) = (Vec::new(), FileWriterCore::new());
    drain(core.header().unwrap(), usize::MAX, &mut file).unwrap();
    drain(core.tensor("w", &head(1), &[]).unwrap(), usize::MAX, &mut file).unwrap();
    drain(core.tensor("m", &head(0), &[]).unwrap(), usize::MAX, &mut file).unwrap();
    drain(core.finish(vec![]).unwrap(), usize::MAX, &mut file).unwrap();
    assert_eq!(findings(&file), []);
    // The member, a head without members, moves from 112 on.
    let moved = |gap: usize| {
        let mut file = inserted(file.clone(), 112, gap);
        disarm(&mut file);
        let entry = file.len() - 40 - 35;
        shift(&mut file, entry + 3, gap as u64);
        findings(&file)
    };
    assert_eq!(moved(4096 - 112), [(Rule::ContainerCompositeNoPadAfterHead, 109..4096)]);
    let rules: Vec<Rule> = moved(16).into_iter().map(|(rule, _)| rule).collect();
    assert_eq!(rules, [Rule::ContainerCompositeNoPadAfterHead, Rule::ContainerRegionDescriptorSuccessor]);
}
