//! The header by table: every field at its boundary, every truncation, and the bytes that are written.

use super::*;
use crate::judge::Policy;

/// Version 1.0, CRC promised, alignment 4096, first descriptor at 64, number of tensors not known.
const BASE: [u8; 64] = [
    0x48, 0x52, 0x52, 0x59, 0x46, 0x49, 0x4C, 0x45, 1, 0, 0, 0, 4, 0, 0, 0, 0x00, 0x10, 0, 0, 64, 0, 0, 0, 0, 0, 0, 0,
    0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0,
];

fn read(at: usize, bytes: &[u8], policy: Policy) -> Result<FileHeader, Reject> {
    let mut header = BASE;
    header[at..at + bytes.len()].copy_from_slice(bytes);
    read_header(&header, &mut Judge::new(policy))
}

#[test]
fn the_fields_stand_where_the_table_says() {
    let header = read(0, &[], Policy::strict()).unwrap();
    assert_eq!((header.major.value, header.minor.value, header.flags.value), (1, 0, 4));
    assert_eq!((header.alignment(), header.first_descriptor_offset.value), (4096, 64));
    assert_eq!(header.tensor_count_hint.value, u64::MAX);
    assert_eq!((header.flags.span.start, header.flags.span.end), (12, 16));
    assert_eq!(header.tensor_count_hint.span.start, 28);
}

#[test]
fn each_field_is_refused_behind_its_boundary_at_its_place() {
    let alignment = |value: u32| value.to_le_bytes();
    let cases: [(usize, &[u8], Rule, std::ops::Range<u64>); 16] = [
        (0, b"h", Rule::ContainerHeaderMagicReject, 0..8),
        (7, b"X", Rule::ContainerHeaderMagicReject, 0..8),
        (8, &[0], Rule::VersionContainerMajorLowerReject, 8..9),
        (8, &[2], Rule::ContainerHeaderVersionMajorReject, 8..9),
        (8, &[255], Rule::ContainerHeaderVersionMajorReject, 8..9),
        (10, &[1], Rule::ContainerHeaderReserved1011, 10..12),
        (12, &[8], Rule::ContainerFlagsReservedReject, 12..16),
        (15, &[0x80], Rule::ContainerFlagsReservedReject, 12..16),
        (16, &alignment(0), Rule::ContainerHeaderAlignmentPowerOfTwo, 16..20),
        (16, &alignment(4097), Rule::ContainerHeaderAlignmentPowerOfTwo, 16..20),
        (16, &alignment(2048), Rule::ContainerHeaderAlignmentMin, 16..20),
        (16, &alignment(4 << 20), Rule::ContainerHeaderAlignmentMax, 16..20),
        (20, &[63], Rule::ContainerHeaderFirstDescriptorMin, 20..28),
        (36, &[1], Rule::ContainerHeaderReserved3663, 36..37),
        (50, &[1, 0, 1], Rule::ContainerHeaderReserved3663, 50..53),
        (63, &[1], Rule::ContainerHeaderReserved3663, 63..64),
    ];
    for (at, bytes, rule, span) in cases {
        let reject = read(at, bytes, Policy::strict()).unwrap_err();
        assert_eq!((reject.rule, reject.span), (rule, span), "{bytes:?} at {at}");
        // 0 is also below the smallest alignment.
        let waived = [rule, Rule::ContainerHeaderAlignmentMin];
        assert!(read(at, bytes, Policy::strict().waiving(waived)).is_ok(), "{rule} waived");
    }
}

#[test]
fn each_field_is_accepted_up_to_its_boundary() {
    let alignments = (12..=21).map(|shift| (16, (1_u32 << shift).to_le_bytes().to_vec()));
    let others = [(9, vec![255]), (12, vec![7]), (20, vec![0xFF; 8]), (28, vec![0; 8])];
    for (at, bytes) in alignments.chain(others) {
        assert!(read(at, &bytes, Policy::strict()).is_ok(), "{bytes:?} at {at}");
    }
}

#[test]
fn every_truncation_ends_the_header() {
    for len in 0..BASE.len() {
        let reject = read_header(&BASE[..len], &mut Judge::new(Policy::collecting())).unwrap_err();
        assert_eq!(reject.rule, Rule::ContainerHeaderSize, "{len} bytes");
    }
}

#[test]
fn what_is_written_is_what_the_table_says() {
    assert_eq!(put_header(flag::CRC, 4096), BASE);
    let mut sorted = BASE;
    sorted[12] = 6;
    sorted[16..20].copy_from_slice(&65536_u32.to_le_bytes());
    assert_eq!(put_header(flag::CRC | flag::SORTED, 65536), sorted);
}
