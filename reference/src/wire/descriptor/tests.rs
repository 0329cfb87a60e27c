//! The descriptor by table, on the specification's own worked example.

use hurray_spec::tables;

use super::*;
use crate::check::descriptor::check_descriptor;
use crate::judge::Policy;
use crate::model::{DeviceTag, LayoutDescriptor, SyncMode};

const OFFSET: u64 = 64;

/// metadata.md § Worked Example: float32 [3, 4], row-major, one buffer of 192 bytes.
const BASE: [u8; 61] = [
    0x48, 0x52, 0x52, 0x59, 1, 0, 61, 0, 0, 0, 0, 0, 0, 0, 0x03, 0x01, 2, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0xC0, 0, 0, 0, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0, 0, 0,
];

fn indexed(len: usize) -> (u32, Span) {
    (len as u32, Span::at(1000, 4))
}

fn read(bytes: &[u8], policy: Policy) -> Result<Decoded, Error> {
    let mut judge = Judge::new(policy);
    let decoded = read_descriptor(bytes, OFFSET, indexed(bytes.len()), &mut judge)?;
    check_descriptor(&decoded, &mut judge)?;
    Ok(decoded)
}

fn edited(at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut descriptor = BASE.to_vec();
    descriptor[at..at + bytes.len()].copy_from_slice(bytes);
    descriptor
}

fn example() -> TensorDescriptor {
    let handle = BufferHandle::new(192, 64, DeviceTag::CPU, SyncMode::PRODUCER_SYNCED);
    let shape = Shape::new(vec![3, 4]);
    TensorDescriptor::new(ElementType::Float32, shape, LayoutDescriptor::RowMajor, vec![handle])
}

#[test]
fn the_worked_example_is_read_and_written() {
    assert_eq!(read(&BASE, Policy::strict()).unwrap().descriptor, example());
    assert_eq!(put_descriptor(&example()).unwrap(), BASE);
}

#[test]
fn each_field_is_refused_at_its_place() {
    let cases: [(usize, &[u8], Rule, std::ops::Range<u64>); 20] = [
        (0, b"X", Rule::DescriptorHeaderMagicReject, 64..68),
        (3, b"F", Rule::DescriptorHeaderMagicReject, 64..68),
        (4, &[0], Rule::VersionDescriptorMajorLowerReject, 68..69),
        (4, &[2], Rule::DescriptorHeaderVersionMajorReject, 68..69),
        (6, &[19], Rule::DescriptorHeaderLengthMinReject, 70..74),
        (6, &[60], Rule::ContainerIndexDescriptorLengthMismatchReject, 1000..1004),
        (10, &[0x20], Rule::DescriptorFlagsReservedReject, 74..78),
        (13, &[0x80], Rule::DescriptorFlagsReservedReject, 74..78),
        (10, &[0x04], Rule::DescriptorFlagsExtensionIff, 74..78),
        (14, &[0xF0], Rule::DescriptorFlagsExtensionIff, 74..78),
        (14, &[0x00], Rule::TypeTagZeroFfReject, 78..79),
        (14, &[0xFF], Rule::TypeTagZeroFfReject, 78..79),
        (14, &[0x47], Rule::TypeTagUnknownReject, 78..79),
        (15, &[0x00], Rule::LayoutTagZeroFfReject, 79..80),
        (15, &[0x0C], Rule::LayoutTagUnknownReject, 79..80),
        (15, &[0xEF], Rule::LayoutTagUnknownReject, 79..80),
        (16, &[65], Rule::ModelRankReaderCap, 80..84),
        (36, &[193], Rule::DescriptorOffsetRange, 100..108),
        (44, &[0], Rule::DescriptorBuffersCountMin, 108..109),
        (60, &[1], Rule::BufferHandleReserved15Reject, 124..125),
    ];
    for (at, bytes, rule, span) in cases {
        match read(&edited(at, bytes), Policy::strict()) {
            Err(Error::Reject(reject)) => assert_eq!((reject.rule, reject.span), (rule, span), "{bytes:?} at {at}"),
            other => panic!("{bytes:?} at {at}: {other:?}"),
        }
    }
}

#[test]
fn every_type_and_layout_tag_has_its_verdict() {
    for tag in 0..=255_u8 {
        let known = tables::ElementType::from_tag(tag);
        let decoded = read(&edited(14, &[tag]), Policy::strict());
        match (known, &decoded) {
            (Some(known), Ok(decoded)) => assert_eq!(decoded.descriptor.element_type.name(), Some(known.name)),
            (None, Err(Error::Reject(_))) => {}
            // Wide types need more than the example's 192 bytes hold; that is another fault.
            (Some(known), Err(Error::Reject(_))) => assert!(known.bits * 12 > 192 * 8, "{tag:#x}"),
            other => panic!("type {tag:#x}: {other:?}"),
        }
        let decoded = read(&edited(15, &[tag]), Policy::strict());
        match tag {
            0x01 | 0x02 => assert!(decoded.is_ok(), "layout {tag:#x}"),
            // The others have fields, for which the example has no bytes.
            _ => assert!(matches!(decoded, Err(Error::Reject(_))), "layout {tag:#x}"),
        }
    }
}

#[test]
fn the_tables_of_types_agree_with_the_specification() {
    assert_eq!(ElementType::ALL.len(), tables::ELEMENT_TYPES.len());
    for (ours, theirs) in ElementType::ALL.iter().zip(tables::ELEMENT_TYPES) {
        let row = (ours.tag(), ours.name(), ours.bits().map(u32::from));
        assert_eq!(row, (theirs.tag, Some(theirs.name), Some(theirs.bits)));
    }
}

#[test]
fn a_descriptor_longer_than_anything_is_a_limit_and_not_a_fault() {
    let mut bytes = edited(15, &[0xF0]);
    bytes.truncate(44);
    bytes.extend(7_u64.to_le_bytes());
    bytes.extend(100_000_u32.to_le_bytes());
    bytes.resize(120_000, 0);
    bytes[6..10].copy_from_slice(&120_000_u32.to_le_bytes());
    let read = |len: usize| {
        read_descriptor(&bytes[..len], OFFSET, indexed(120_000), &mut Judge::new(Policy::permissive())).err()
    };
    assert_eq!(read(MAX_CONTENT_LEN as usize), Some(Limit::Descriptor { len: 120_000 }.into()));
    assert!(matches!(read(MAX_CONTENT_LEN as usize - 1), Some(Error::Reject(_))));
}

#[test]
fn every_truncation_is_refused_whatever_the_policy() {
    for len in 0..BASE.len() {
        // The descriptor says its full length, the bytes end early.
        let read = read_descriptor(&BASE[..len], OFFSET, indexed(61), &mut Judge::new(Policy::collecting()));
        let Err(Error::Reject(reject)) = read else { panic!("{len} bytes are accepted") };
        assert_eq!(reject.rule, Rule::DescriptorHeaderLengthOverread, "{len} bytes");
        // The bytes go on, the descriptor says that it ends early.
        if len >= 20 {
            let short = edited(6, &[len as u8]);
            let read = read_descriptor(&short, OFFSET, indexed(len), &mut Judge::new(Policy::strict()));
            let Err(Error::Reject(reject)) = read else { panic!("length {len} is accepted") };
            assert_eq!(reject.rule, Rule::DescriptorHeaderLengthOverread, "length {len}");
        }
    }
}

#[test]
fn surplus_is_skipped_and_noted_only_at_minor_0() {
    for (minor, expected) in [(0, Some(Rule::DescriptorHeaderLengthTotal)), (1, None), (255, None)] {
        let mut bytes = edited(5, &[minor, 64]);
        bytes.extend([0xAA; 3]);
        assert!(read(&bytes, Policy::strict()).is_ok(), "minor {minor}");
        let mut judge = Judge::new(Policy::collecting());
        read_descriptor(&bytes, OFFSET, indexed(64), &mut judge).unwrap();
        assert_eq!(judge.findings().first().map(|finding| finding.rule), expected, "minor {minor}");
    }
}

#[test]
fn a_scalar_is_row_major() {
    let scalar = |layout: u8| {
        let mut bytes = edited(15, &[layout, 0]);
        bytes.drain(20..36);
        bytes[6] = 45;
        read(&bytes, Policy::strict())
    };
    assert!(scalar(0x01).unwrap().descriptor.shape.dims().is_empty());
    for layout in [0x02, 0x03, 0x04, 0x0B, 0x40] {
        let rejected =
            matches!(scalar(layout), Err(Error::Reject(reject)) if reject.rule == Rule::ModelScalarRowMajorOnly);
        assert!(rejected, "layout {layout:#x}");
    }
}

#[test]
fn a_rank_beyond_the_bytes_costs_nothing() {
    let policy = Policy::strict().waiving([Rule::ModelRankReaderCap]);
    let read = read(&edited(16, &[0xFF; 4]), policy);
    assert!(matches!(read, Err(Error::Reject(reject)) if reject.rule == Rule::DescriptorHeaderLengthOverread));
}

#[test]
fn permissive_reading_shows_what_stands_before_unknown_layout_fields() {
    let decoded = read(&edited(15, &[0x0C]), Policy::permissive()).unwrap();
    assert_eq!(decoded.descriptor.shape.dims(), [3, 4]);
    assert_eq!((decoded.descriptor.layout.tag(), decoded.descriptor.buffers.len()), (0x0C, 0));
    assert!(read(&edited(14, &[0x47]), Policy::permissive()).is_ok());
    for (at, tag) in [(14, 0x00), (14, 0xFF), (15, 0x00), (15, 0xFF)] {
        assert!(read(&edited(at, &[tag]), Policy::permissive()).is_err(), "{tag:#x} at {at}");
    }
}

#[test]
fn what_cannot_be_encoded_is_refused() {
    let strided = |strides| LayoutDescriptor::Strided { strides };
    let cases = [
        TensorDescriptor { shape: Shape::new(vec![1; 65]), ..example() },
        TensorDescriptor { layout: strided(vec![1]), ..example() },
        TensorDescriptor { layout: LayoutDescriptor::Unknown(0x0C), ..example() },
        TensorDescriptor { buffers: vec![example().buffers[0]; 256], ..example() },
    ];
    for descriptor in cases {
        assert_eq!(put_descriptor(&descriptor), Err(Misuse::Encoding));
    }
    let strided = TensorDescriptor { layout: strided(vec![-4, 1]), byte_offset: 32, ..example() };
    let bytes = put_descriptor(&strided).unwrap();
    assert_eq!(bytes[44..60], [0xFC, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(read(&bytes, Policy::strict()).unwrap().descriptor, strided);
}

#[test]
fn the_fields_of_a_sparse_matrix_are_read_written_and_judged() {
    let handle = |byte_size| BufferHandle::new(byte_size, 64, DeviceTag::CPU, SyncMode::PRODUCER_SYNCED);
    let layout = LayoutDescriptor::Coo { nnz: 3, is_sorted: true };
    let shape = Shape::new(vec![4, 5]);
    let sparse = TensorDescriptor::new(ElementType::Float32, shape, layout, vec![handle(12), handle(48)]);
    let bytes = put_descriptor(&sparse).unwrap();
    // nnz, is_sorted and seven reserved bytes stand behind header, shape and byte_offset.
    assert_eq!(bytes[44..60], [3, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!((bytes.len(), bytes[60]), (93, 2));
    assert_eq!(read(&bytes, Policy::strict()).unwrap().descriptor, sparse);
    let faults = [(52, 2, Rule::LayoutCooIsSortedValue, 52..53), (59, 1, Rule::LayoutCooReserved, 53..60)];
    for (at, byte, rule, span) in faults {
        let mut bytes = bytes.clone();
        bytes[at] = byte;
        let Err(Error::Reject(reject)) = read(&bytes, Policy::strict()) else { panic!("byte {at} passed") };
        assert_eq!((reject.rule, reject.span), (rule, OFFSET + span.start..OFFSET + span.end));
    }
}
