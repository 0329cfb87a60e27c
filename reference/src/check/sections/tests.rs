//! Where the trailer may say that index and key-values are, by table, in a file of 1000 bytes.

use super::*;
use crate::judge::Policy;
use crate::wire::header::{put_header, read_header};
use crate::wire::trailer::{put_trailer, read_trailer};

const SIZE: u64 = 1000;

fn header(flags: u32) -> FileHeader {
    read_header(&put_header(flags, 4096), &mut Judge::new(Policy::strict())).unwrap()
}

fn trailer(index: (u64, u64), kv: (u64, u32), crc: u32) -> Trailer {
    let bytes = put_trailer(index.0, index.1, kv, crc);
    read_trailer(&bytes, SIZE - 40, &mut Judge::new(Policy::strict())).unwrap()
}

fn judge() -> Judge {
    Judge::new(Policy::strict())
}

#[test]
fn the_index_lies_aligned_between_header_and_trailer() {
    type Located = Result<Range<u64>, Rule>;
    let cases: [((u64, u64), Located); 12] = [
        ((64, 8), Ok(64..72)),
        ((64, 896), Ok(64..960)),
        ((952, 8), Ok(952..960)),
        ((56, 8), Err(Rule::ContainerSafetyIndexLowerBound)),
        ((0, 0), Err(Rule::ContainerSafetyIndexLowerBound)),
        ((64, 7), Err(Rule::ContainerSafetyIndexMinLength)),
        ((64, 897), Err(Rule::ContainerTrailerIndexBounds)),
        ((960, 8), Err(Rule::ContainerTrailerIndexBounds)),
        ((68, 8), Err(Rule::ContainerIndexAligned)),
        ((u64::MAX - 7, 8), Err(Rule::ContainerSafetyOffsetOverflow)),
        ((64, u64::MAX), Err(Rule::ContainerSafetyOffsetOverflow)),
        (((1 << 63) + 64, 8), Err(Rule::ContainerTrailerIndexBounds)),
    ];
    for (index, expected) in cases {
        let located = locate_index(&trailer(index, (0, 0), 0), SIZE, &mut judge()).map_err(|reject| reject.rule);
        assert_eq!(located, expected, "{index:?}");
    }
    let waiving = |rule| Judge::new(Policy::strict().waiving([rule]));
    let bounds = &mut waiving(Rule::ContainerTrailerIndexBounds);
    assert_eq!(locate_index(&trailer((960, 40), (0, 0), 0), SIZE, bounds), Ok(960..1000));
    // What is not in the file cannot be waived into it.
    let outside = locate_index(&trailer((960, 41), (0, 0), 0), SIZE, bounds);
    assert_eq!(outside.map_err(|reject| reject.rule), Err(Rule::ContainerSafetyOffsetOverflow));
}

#[test]
fn the_trailer_and_not_the_flag_says_where_key_values_are() {
    type Located = Result<Option<Range<u64>>, Rule>;
    let cases: [(u32, (u64, u32), Located); 13] = [
        (0, (0, 0), Ok(None)),
        (flag::KV, (0, 0), Err(Rule::ContainerFlagsKvImpliesNonzero)),
        (flag::KV, (64, 4), Ok(Some(64..68))),
        (0, (64, 896), Ok(Some(64..960))),
        (0, (64, 0), Err(Rule::ContainerTrailerKvFields)),
        (0, (0, 4), Err(Rule::ContainerTrailerKvFields)),
        (0, (64, 1), Err(Rule::KvSectionTruncated)),
        (0, (64, 3), Err(Rule::KvSectionTruncated)),
        (0, (56, 8), Err(Rule::ContainerSafetyKvBounds)),
        (0, (64, 897), Err(Rule::ContainerSafetyKvBounds)),
        (0, (u64::MAX - 7, 8), Err(Rule::ContainerSafetyOffsetOverflow)),
        (0, (1 << 63, 8), Err(Rule::ContainerSafetyKvBounds)),
        (0, (65, 4), Err(Rule::KvSectionAligned)),
    ];
    for (flags, kv, expected) in cases {
        let trailer = trailer((64, 8), kv, 0);
        let located = locate_kv(&header(flags), &trailer, SIZE, &mut judge()).map_err(|reject| reject.rule);
        assert_eq!(located, expected, "flags {flags}, {kv:?}");
    }
    let waiving = &mut Judge::new(Policy::strict().waiving([Rule::ContainerTrailerKvFields]));
    assert_eq!(locate_kv(&header(0), &trailer((64, 8), (64, 0), 0), SIZE, waiving), Ok(None));
    let waiving = &mut Judge::new(Policy::strict().waiving([Rule::ContainerSafetyKvBounds]));
    let outside = locate_kv(&header(0), &trailer((64, 8), (992, 9), 0), SIZE, waiving);
    assert_eq!(outside.map_err(|reject| reject.rule), Err(Rule::ContainerSafetyOffsetOverflow));
}

#[test]
fn the_flag_alone_decides_what_the_checksum_field_means() {
    // CRC-32C of eight zero bytes; 0 is a checksum like any other (ruling R8).
    let (index, crc) = ([0; 8], 0x8C28_B28A);
    let with = |flags, crc| {
        let (header, trailer) = (header(flags), trailer((64, 8), (0, 0), crc));
        let zeros = check_zeros(&header, &trailer, &mut judge());
        zeros.and_then(|()| check_crc(&index, &header, &trailer, &mut judge())).map_err(|reject| reject.rule)
    };
    assert_eq!(with(flag::CRC, crc), Ok(()));
    assert_eq!(with(flag::CRC, 0), Err(Rule::ContainerFlagsCrcMismatchReject));
    assert_eq!(with(flag::CRC, crc ^ 1), Err(Rule::ContainerFlagsCrcMismatchReject));
    assert_eq!(with(0, 0), Ok(()));
    assert_eq!(with(0, crc), Err(Rule::ContainerFlagsCrcClearNonzeroReject));
}

#[test]
fn reserved_trailer_bytes_are_zero() {
    let mut bytes = put_trailer(64, 8, (0, 0), 0);
    bytes[35] = 1;
    let trailer = read_trailer(&bytes, SIZE - 40, &mut judge()).unwrap();
    let reject = check_zeros(&header(0), &trailer, &mut judge()).unwrap_err();
    assert_eq!((reject.rule, reject.span), (Rule::ContainerTrailerReserved, 992..996));
}

#[test]
fn a_file_has_at_least_112_bytes_and_ranges_stay_inside_it() {
    assert!(check_size(112).is_ok());
    assert_eq!(check_size(111).map_err(|reject| reject.rule), Err(Rule::ContainerSafetyMinFile));
    let range = |offset, len| range_in_file(offset, len, SIZE, Span::at(0, 0)).ok();
    assert_eq!((range(0, 1000), range(0, 1001), range(1000, 0)), (Some(0..1000), None, Some(1000..1000)));
    assert_eq!((range(u64::MAX, 1), check_wrap(u64::MAX, 1, Span::at(0, 0)).is_ok()), (None, false));
    assert!(is_between(64, 896, SIZE) && !is_between(63, 1, SIZE) && !is_between(64, 897, SIZE));
    assert!(!is_between(u64::MAX, 1, SIZE));
}
