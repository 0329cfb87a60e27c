//! The writer core: its bytes, its refusals, and what a sink that fails costs.

mod common;

use common::{Given, drain, number, ramp, sample, write};
use hurray_reference::{
    BufferHandle, DeviceTag, ElementType, Error, FileWriterCore, FileWriterOptions, KvValue, LayoutDescriptor, Misuse,
    Shape, SyncMode, TensorDescriptor, WriteStep,
};
use hurray_spec::Rule;

const DEFAULT: FileWriterOptions = FileWriterOptions { data_buffer_alignment: 4096, sorted_index: false };

/// A writer with its header out, and the file so far.
fn begun() -> (FileWriterCore, Vec<u8>) {
    let mut core = FileWriterCore::new();
    let mut file = Vec::new();
    drain(core.header().unwrap(), usize::MAX, &mut file).unwrap();
    (core, file)
}

#[test]
fn the_smallest_file_is_112_bytes() {
    let file = write(DEFAULT, &[], &[], usize::MAX);
    let mut expected = b"HRRYFILE\x01\0\0\0\x04\0\0\0\0\x10\0\0\x40\0\0\0\0\0\0\0".to_vec();
    expected.extend([0xFF; 8]);
    expected.extend([0; 28 + 8]);
    expected.extend([64, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    // CRC-32C of eight zero bytes is 0x8C28B28A (ruling R8).
    expected.extend([0x8A, 0xB2, 0x28, 0x8C, 0, 0, 0, 0]);
    expected.extend(b"HRRY");
    assert_eq!(file, expected);
}

#[test]
fn one_tensor_stands_where_it_has_to() {
    let file = write(DEFAULT, &[ramp("a", ElementType::Float32, &[3, 4], 64)], &[], usize::MAX);
    assert_eq!(file.len(), 4227);
    assert_eq!((&file[64..68], number(&file[70..74])), (&b"HRRY"[..], 61));
    assert!(file[125..4096].iter().all(|byte| *byte == 0));
    assert_eq!(file[4096..4144], (0..48).collect::<Vec<u8>>());
    let trailer = &file[4187..];
    assert_eq!((number(&trailer[..8]), number(&trailer[8..16])), (4144, 43));
    assert_eq!((number(&trailer[16..24]), number(&trailer[24..28])), (0, 0));
    assert_eq!(number(&trailer[28..32]), 0x07FF_0266);
}

#[test]
fn parts_follow_each_other_with_no_more_padding_than_needed() {
    let (tensors, kv) = sample();
    let file = write(FileWriterOptions { data_buffer_alignment: 8192, sorted_index: true }, &tensors, &kv, usize::MAX);
    let trailer = &file[file.len() - 40..];
    let (index, kv_offset) = (number(&trailer[..8]) as usize, number(&trailer[16..24]));
    assert_eq!(number(&file[12..16]), 6);
    // weights: descriptor 64..125, data 8192..8240; empty: descriptor 8240..8309, no data, but placed as if it had;
    // bytes: descriptor 16384..16437, data 24576..29576, a multiple of 8.
    let expected: [(&[u8], [u64; 4]); 3] =
        [(b"bytes", [16384, 53, 24576, 5000]), (b"empty", [8240, 69, 16384, 0]), (b"weights", [64, 61, 8192, 48])];
    let mut at = index + 8;
    for (name, [descriptor_offset, descriptor_length, data_offset, data_length]) in expected {
        assert_eq!(&file[at + 2..at + 2 + name.len()], name);
        at += 2 + name.len();
        let fields = [number(&file[at..at + 8]), number(&file[at + 8..at + 12]), number(&file[at + 12..at + 20])];
        assert_eq!(fields, [descriptor_offset, descriptor_length, data_offset]);
        assert_eq!((number(&file[at + 20..at + 28]), number(&file[at + 28..at + 32])), (data_length, 0));
        at += 32;
    }
    assert_eq!((kv_offset, index % 8, at), (29576, 0, file.len() - 40));
}

#[test]
fn every_split_of_the_writes_gives_the_same_bytes() {
    let (tensors, kv) = sample();
    let whole = write(DEFAULT, &tensors, &kv, usize::MAX);
    for piece in [1, 13, 4096] {
        assert!(write(DEFAULT, &tensors, &kv, piece) == whole, "pieces of {piece}");
    }
}

#[test]
fn payloads_are_offered_from_the_callers_memory() {
    let given = ramp("a", ElementType::Uint8, &[100], 64);
    let (mut core, _) = begun();
    let payloads: [&[u8]; 1] = [&given.data];
    let mut op = core.tensor("a", &given.descriptor, &payloads).unwrap();
    let mut addresses = Vec::new();
    while let WriteStep::Output { len } = op.step().unwrap() {
        addresses.push(op.output_src().as_ptr().addr());
        op.report_written(len).unwrap();
    }
    assert!(addresses.contains(&given.data.as_ptr().addr()));
}

#[test]
fn refused_arguments_cost_nothing() {
    let given = ramp("a", ElementType::Float32, &[3, 4], 64);
    let with = |change: fn(&mut TensorDescriptor)| {
        let mut descriptor = given.descriptor.clone();
        change(&mut descriptor);
        descriptor
    };
    let data: [&[u8]; 1] = [&given.data];
    let long = "n".repeat(65536);
    let rule = |rule| Misuse::Descriptor(rule);
    let handle = BufferHandle::new(48, 64, DeviceTag::CUDA, SyncMode::EVENT);
    let strides = |descriptor: &mut TensorDescriptor| {
        descriptor.layout = LayoutDescriptor::Strided { strides: vec![4, 2] };
    };
    let cases: [(&str, TensorDescriptor, &[&[u8]], Misuse); 14] = [
        ("", given.descriptor.clone(), &data, Misuse::NameEmpty),
        (&long, given.descriptor.clone(), &data, Misuse::NameTooLong(65536)),
        ("taken", given.descriptor.clone(), &data, Misuse::NameTaken),
        ("b", given.descriptor.clone(), &[], Misuse::BufferCount { declared: 1, given: 0 }),
        ("b", given.descriptor.clone(), &[&[]], Misuse::BufferLen { buffer: 0, declared: 48, given: 0 }),
        ("b", with(|d| d.version = [1, 1]), &data, rule(Rule::DescriptorHeaderVersionCurrent)),
        ("b", with(|d| d.shape = Shape::new(vec![3, u64::MAX])), &data, rule(Rule::ModelDynamicChannel)),
        ("b", with(|d| d.shape = Shape::new(vec![5, 4])), &data, rule(Rule::LayoutRowmajorSize)),
        ("b", with(|d| d.shape = Shape::new(vec![1; 65])), &data, Misuse::Encoding),
        ("b", with(|d| d.byte_offset = 49), &data, rule(Rule::DescriptorOffsetRange)),
        ("b", with(|d| d.element_type = ElementType::Unknown(0xF0)), &data, rule(Rule::DescriptorFlagsExtensionIff)),
        ("b", with(|d| d.buffers[0].alignment = 32), &data, rule(Rule::BufferHandleAlignmentMin)),
        ("b", with(strides), &data, rule(Rule::LayoutStridedBounds)),
        (
            "b",
            TensorDescriptor { buffers: vec![handle], ..given.descriptor.clone() },
            &data,
            rule(Rule::BufferSyncFileSynced),
        ),
    ];
    let (mut core, mut file) = begun();
    drain(core.tensor("taken", &given.descriptor, &data).unwrap(), usize::MAX, &mut file).unwrap();
    for (name, descriptor, buffers, expected) in cases {
        let refused = core.tensor(name, &descriptor, buffers).err();
        assert_eq!(refused, Some(expected.into()), "{name:.8} {descriptor:?}");
    }
    let twice = vec![("k".to_owned(), KvValue::Bool(true)), ("k".to_owned(), KvValue::Bool(true))];
    assert_eq!(core.finish(twice).err(), Some(Misuse::KeyTwice.into()));
    drain(core.tensor("b", &given.descriptor, &data).unwrap(), usize::MAX, &mut file).unwrap();
    assert!(core.tensor(&long[1..], &given.descriptor, &data).is_ok(), "the longest name");
    drain(core.finish(vec![]).unwrap(), usize::MAX, &mut file).unwrap();
    let named = |name: &str| Given { name: name.to_owned(), ..given.clone() };
    assert_eq!(file, write(DEFAULT, &[named("taken"), named("b")], &[], usize::MAX));
}

#[test]
fn alignments_outside_the_format_are_refused() {
    for data_buffer_alignment in [0, 1, 2048, 4097, 4 << 20, 1 << 31] {
        let refused = FileWriterCore::with_options(FileWriterOptions { data_buffer_alignment, ..DEFAULT }).err();
        assert_eq!(refused, Some(Misuse::Alignment(data_buffer_alignment).into()));
    }
}

#[test]
fn items_come_in_their_order() {
    let given = ramp("a", ElementType::Uint8, &[1], 64);
    let mut core = FileWriterCore::new();
    let missing = Some(Error::from(Misuse::HeaderMissing));
    assert_eq!(core.tensor("a", &given.descriptor, &[&given.data]).err(), missing);
    assert_eq!(core.finish(vec![]).err(), missing);
    let (mut core, mut file) = begun();
    assert_eq!(core.header().err(), Some(Misuse::HeaderTwice.into()));
    drain(core.finish(vec![]).unwrap(), usize::MAX, &mut file).unwrap();
    let finished = Some(Error::from(Misuse::Finished));
    assert_eq!(core.header().err(), finished);
    assert_eq!(core.tensor("a", &given.descriptor, &[&given.data]).err(), finished);
    assert_eq!(core.finish(vec![]).err(), finished);
}

#[test]
fn a_failure_before_the_first_byte_costs_nothing() {
    let given = ramp("a", ElementType::Uint8, &[9], 64);
    let data: [&[u8]; 1] = [&given.data];
    let mut core = FileWriterCore::new();
    let mut file = Vec::new();
    drop(core.header().unwrap());
    assert_eq!(core.header().unwrap().report_sink_closed(), Error::SinkClosed { torn: false });
    assert_eq!(core.header().unwrap().report_written(0), Err(Error::SinkClosed { torn: false }));
    assert!(!core.is_unusable());
    drain(core.header().unwrap(), usize::MAX, &mut file).unwrap();
    drop(core.tensor("a", &given.descriptor, &data).unwrap());
    drain(core.tensor("a", &given.descriptor, &data).unwrap(), usize::MAX, &mut file).unwrap();
    drop(core.finish(vec![]).unwrap());
    drain(core.finish(vec![]).unwrap(), usize::MAX, &mut file).unwrap();
    assert_eq!(file, write(DEFAULT, std::slice::from_ref(&given), &[], usize::MAX));
}

#[test]
fn a_failure_after_the_first_byte_ends_the_file() {
    let given = ramp("a", ElementType::Uint8, &[9], 64);
    let data: [&[u8]; 1] = [&given.data];
    type Fail = fn(hurray_reference::FileWriteOp<'_>);
    let ways: [Fail; 3] = [
        |mut op| op.report_written(1).unwrap(),
        |mut op| {
            op.report_written(1).unwrap();
            assert_eq!(op.report_sink_closed(), Error::SinkClosed { torn: true });
            assert_eq!(op.step(), Err(Misuse::Unusable.into()));
        },
        |mut op| {
            op.report_written(1).unwrap();
            assert_eq!(op.report_written(0), Err(Error::SinkClosed { torn: true }));
        },
    ];
    let unusable = Some(Error::from(Misuse::Unusable));
    for fail in ways {
        let (mut core, _) = begun();
        fail(core.tensor("a", &given.descriptor, &data).unwrap());
        assert!(core.is_unusable());
        assert_eq!(core.header().err(), unusable);
        assert_eq!(core.tensor("b", &given.descriptor, &data).err(), unusable);
        assert_eq!(core.finish(vec![]).err(), unusable);
        let mut core = FileWriterCore::new();
        fail(core.header().unwrap());
        assert!(core.is_unusable());
    }
}

#[test]
fn a_count_that_is_too_large_or_unasked_is_refused_and_changes_nothing() {
    let mut core = FileWriterCore::new();
    let mut op = core.header().unwrap();
    assert_eq!(op.report_written(65), Err(Misuse::Overfill { reported: 65, offered: 64 }.into()));
    assert_eq!(op.step(), Ok(WriteStep::Output { len: 64 }));
    op.report_written(64).unwrap();
    assert_eq!(op.step(), Ok(WriteStep::ItemWritten));
    assert_eq!(op.report_written(1), Err(Misuse::NothingOffered.into()));
    drop(op);
    assert!(!core.is_unusable());
}
