//! Buffer positions by table (ruling R27): sizes, alignment, what `data_length` may be.

use super::*;
use crate::judge::Policy;
use crate::model::{BufferHandle, DeviceTag, ElementType, LayoutDescriptor, Shape, SyncMode};

fn descriptor(sizes: &[u64]) -> TensorDescriptor {
    let handle = |size: &u64| BufferHandle::new(*size, 64, DeviceTag::CPU, SyncMode::PRODUCER_SYNCED);
    let buffers = sizes.iter().map(handle).collect();
    TensorDescriptor::new(ElementType::Uint8, Shape::new(vec![]), LayoutDescriptor::RowMajor, buffers)
}

fn entry(data_offset: u64, data_length: u64) -> IndexEntry<'static> {
    IndexEntry {
        name: b"a",
        descriptor_offset: 64,
        descriptor_length: 61,
        data_offset,
        data_length,
        entry_offset: 9000,
    }
}

fn broken(sizes: &[u64], data_offset: u64, data_length: u64, size: u64) -> Result<Option<Rule>, Rule> {
    let entry = entry(data_offset, data_length);
    let placement = place(&descriptor(sizes), &entry, 4096).map_err(|reject| reject.rule)?;
    let mut judge = Judge::new(Policy::collecting());
    check_data(&placement, &entry, 4096, size, &mut judge).map_err(|reject| reject.rule)?;
    Ok(judge.findings().first().map(|finding| finding.rule))
}

/// Sizes of the buffers, where they stand, and where the last byte ends.
type Places = (&'static [u64], &'static [(u64, u64)], u64);

#[test]
fn each_buffer_starts_at_the_next_boundary() {
    let cases: [Places; 6] = [
        (&[], &[], 4096),
        (&[48], &[(4096, 4144)], 4144),
        (&[4096, 1], &[(4096, 8192), (8192, 8193)], 8193),
        (&[4097, 1], &[(4096, 8193), (12288, 12289)], 12289),
        (&[100, 0], &[(4096, 4196), (4196, 4196)], 4196),
        (&[100, 0, 5], &[(4096, 4196), (4196, 4196), (8192, 8197)], 8197),
    ];
    for (sizes, places, end) in cases {
        let placement = place(&descriptor(sizes), &entry(4096, 0), 4096).unwrap();
        let expected: Vec<_> = places.iter().map(|(start, end)| *start..*end).collect();
        assert_eq!((placement.buffers, placement.region), (expected, 4096..end), "{sizes:?}");
    }
}

#[test]
fn a_boundary_beyond_64_bits_is_refused() {
    let rule = |sizes: &[u64]| place(&descriptor(sizes), &entry(4096, 0), 4096).map_err(|reject| reject.rule).err();
    assert_eq!(rule(&[u64::MAX - 4097, 1]), Some(Rule::ContainerSafetyOffsetOverflow));
    assert_eq!(rule(&[u64::MAX - 8192, 1]), None);
    assert_eq!(rule(&[u64::MAX - 4096]), None);
    assert_eq!(rule(&[u64::MAX - 4095]), Some(Rule::ContainerSafetyOffsetOverflow));
}

#[test]
fn data_length_lies_between_the_last_byte_and_the_next_boundary() {
    let size = 1 << 20;
    let short = Some(Rule::ContainerSafetyBufferTableVsDataLength);
    let long = Some(Rule::ContainerIndexDataLength);
    for (length, expected) in [(47, short), (48, None), (49, None), (4096, None), (4097, long), (0, short)] {
        assert_eq!(broken(&[48], 4096, length, size), Ok(expected), "{length}");
    }
    assert_eq!(broken(&[100, 0], 4096, 4096, size), Ok(None));
    assert_eq!(broken(&[0], 7, 0, size), Ok(None));
    assert_eq!(broken(&[0], 7, 1, size), Ok(long));
}

#[test]
fn buffers_lie_aligned_between_header_and_trailer() {
    let bounds = Some(Rule::ContainerSafetyDataBounds);
    assert_eq!(broken(&[48], 4104, 48, 1 << 20), Ok(Some(Rule::ContainerRegionDataAligned)));
    assert_eq!(broken(&[48], 0, 48, 1 << 20), Ok(bounds));
    assert_eq!(broken(&[48], 4096, 48, 4096 + 48 + 40), Ok(None));
    assert_eq!(broken(&[48], 4096, 48, 4096 + 48 + 39), Ok(bounds));
    // The last byte is there, what the length counts behind it is not.
    assert_eq!(broken(&[48], 4096, 56, 4096 + 56 + 40), Ok(None));
    assert_eq!(broken(&[48], 4096, 56, 4096 + 56 + 39), Ok(bounds));
    // Past the end of the file there is nothing to waive.
    assert_eq!(broken(&[48], 4096, 48, 4096 + 47), Err(Rule::ContainerSafetyOffsetOverflow));
    assert_eq!(broken(&[48], u64::MAX - 4095, 48, 1 << 20), Err(Rule::ContainerSafetyOffsetOverflow));
    assert_eq!(broken(&[4096], u64::MAX - 4095, 48, 1 << 20), Err(Rule::ContainerSafetyOffsetOverflow));
    assert_eq!(broken(&[u64::MAX - 8192, 1], 4096, 48, 1 << 20), Err(Rule::ContainerSafetyOffsetOverflow));
}
