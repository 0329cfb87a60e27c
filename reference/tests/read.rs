//! The reader core under every schedule: ranges asked for, short and lost reads, failures and what they cost.

mod common;

use common::{disarm, drive, fill, number, ramp, raw, sample, sample_file, write};
use hurray_reference::{ElementType, Error, FileReaderCore, FileStep, FileWriterOptions, Misuse, Tensor};
use hurray_spec::Rule;

fn opened(file: &[u8]) -> FileReaderCore {
    let mut core = FileReaderCore::new(file.len() as u64);
    assert_eq!(drive(&mut core, file, usize::MAX, &mut Vec::new()), Ok(FileStep::Ready));
    core
}

fn read(core: &mut FileReaderCore, file: &[u8], name: &str, piece: usize) -> Tensor {
    core.begin_tensor(name).unwrap();
    assert_eq!(drive(core, file, piece, &mut Vec::new()), Ok(FileStep::Tensor));
    core.take_tensor().unwrap()
}

fn rule<T: std::fmt::Debug>(result: Result<T, Error>) -> Rule {
    match result {
        Err(Error::Reject(reject)) => reject.rule,
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_split_of_the_reads_gives_the_same_result() {
    let file = sample_file();
    let (tensors, _) = sample();
    for piece in [1, 7, 64, usize::MAX] {
        let mut core = FileReaderCore::new(file.len() as u64);
        assert_eq!(drive(&mut core, &file, piece, &mut Vec::new()), Ok(FileStep::Ready));
        assert_eq!((core.index().len(), core.kv().len()), (3, 4));
        for given in &tensors {
            let tensor = read(&mut core, &file, &given.name, piece);
            assert_eq!((&tensor.descriptor, tensor.name.as_slice()), (&given.descriptor, given.name.as_bytes()));
            assert_eq!(tensor.buffers.len(), 1);
            assert_eq!(tensor.buffers[0].as_ref(), given.data);
        }
    }
}

#[test]
fn open_takes_four_ranges_a_descriptor_one_and_a_tensor_one_more_per_buffer() {
    let file = sample_file();
    let mut ranges = Vec::new();
    let mut core = FileReaderCore::new(file.len() as u64);
    drive(&mut core, &file, usize::MAX, &mut ranges).unwrap();
    assert_eq!(ranges.len(), 4);
    assert_eq!((ranges[0], ranges[1]), ((0, 64), (file.len() as u64 - 40, 40)));
    let entry = core.index().get(0).unwrap();
    let (descriptor, data) = ((entry.descriptor_offset, entry.descriptor_length as usize), (entry.data_offset, 48));
    for (name, begin_tensor, expected) in
        [("weights", false, vec![descriptor]), ("weights", true, vec![descriptor, data])]
    {
        ranges.clear();
        let begun = if begin_tensor { core.begin_tensor(name) } else { core.begin_descriptor(name) };
        begun.unwrap();
        drive(&mut core, &file, usize::MAX, &mut ranges).unwrap();
        assert_eq!(ranges, expected);
    }
    ranges.clear();
    core.begin_tensor("empty").unwrap();
    drive(&mut core, &file, usize::MAX, &mut ranges).unwrap();
    assert_eq!(ranges.len(), 1, "nothing is asked for an empty buffer");
}

#[test]
fn buffers_stand_at_the_alignment_their_handle_declares() {
    let file = sample_file();
    let mut core = opened(&file);
    for name in ["weights", "empty", "bytes"] {
        let tensor = read(&mut core, &file, name, usize::MAX);
        let declared = tensor.descriptor.buffers[0].alignment() as usize;
        assert_eq!(tensor.buffers[0].as_ptr().addr() % declared, 0, "{name}");
    }
}

#[test]
fn the_memory_read_into_is_the_memory_handed_out() {
    let file = sample_file();
    let mut core = opened(&file);
    core.begin_tensor("weights").unwrap();
    let FileStep::Range { offset, .. } = core.step().unwrap() else { panic!("no descriptor is asked for") };
    let filled = fill(&mut core, &file, offset, usize::MAX);
    core.report_filled(filled).unwrap();
    let FileStep::Range { offset, len } = core.step().unwrap() else { panic!("no buffer is asked for") };
    assert_eq!(core.input_dst().len(), len);
    let address = core.input_dst().as_ptr().addr();
    fill(&mut core, &file, offset, 1);
    core.report_filled(1).unwrap();
    assert_eq!(core.step(), Ok(FileStep::Range { offset: offset + 1, len: len - 1 }));
    assert_eq!(core.input_dst().as_ptr().addr(), address + 1);
    drive(&mut core, &file, usize::MAX, &mut Vec::new()).unwrap();
    assert_eq!(core.take_tensor().unwrap().buffers[0].as_ptr().addr(), address);
}

#[test]
fn a_range_without_a_count_is_offered_again_and_filling_it_twice_is_harmless() {
    let file = sample_file();
    let mut core = FileReaderCore::new(file.len() as u64);
    let first = core.step().unwrap();
    core.input_dst().fill(0xAA);
    assert_eq!(core.step(), Ok(first));
    assert_eq!(drive(&mut core, &file, 3, &mut Vec::new()), Ok(FileStep::Ready));
    core.begin_tensor("bytes").unwrap();
    core.step().unwrap();
    core.input_dst().fill(0xAA);
    assert_eq!(drive(&mut core, &file, usize::MAX, &mut Vec::new()), Ok(FileStep::Tensor));
}

#[test]
fn a_count_that_is_too_large_or_unasked_is_refused_and_changes_nothing() {
    let file = sample_file();
    let mut core = FileReaderCore::new(file.len() as u64);
    assert_eq!(core.report_filled(1), Err(Misuse::NothingOffered.into()));
    assert!(core.input_dst().is_empty());
    core.step().unwrap();
    assert_eq!(core.report_filled(65), Err(Misuse::Overfill { reported: 65, offered: 64 }.into()));
    assert_eq!(core.step(), Ok(FileStep::Range { offset: 0, len: 64 }));
    assert_eq!(drive(&mut core, &file, usize::MAX, &mut Vec::new()), Ok(FileStep::Ready));
    assert_eq!(core.report_filled(1), Err(Misuse::NothingOffered.into()));
}

#[test]
fn an_end_before_its_time_ends_the_open_for_good_and_a_job_once() {
    let file = sample_file();
    let mut core = FileReaderCore::new(file.len() as u64);
    core.step().unwrap();
    assert_eq!(rule(core.report_filled(0)), Rule::IoReadZeroTruncated);
    assert_eq!(rule(core.step()), Rule::IoReadZeroTruncated);
    assert_eq!(rule(core.begin_tensor("weights")), Rule::IoReadZeroTruncated);
    let mut core = opened(&file);
    core.begin_tensor("weights").unwrap();
    core.step().unwrap();
    assert_eq!(rule(core.report_filled(0)), Rule::IoReadZeroTruncated);
    assert_eq!(core.step(), Ok(FileStep::Ready));
    assert_eq!(read(&mut core, &file, "weights", usize::MAX).buffers[0].len(), 48);
}

#[test]
fn a_failed_open_says_the_same_every_time() {
    let mut file = sample_file();
    file[0] = b'h';
    let mut core = FileReaderCore::new(file.len() as u64);
    assert_eq!(rule(drive(&mut core, &file, usize::MAX, &mut Vec::new())), Rule::ContainerHeaderMagicReject);
    assert_eq!(rule(core.step()), Rule::ContainerHeaderMagicReject);
    assert_eq!(rule(core.begin_descriptor("weights")), Rule::ContainerHeaderMagicReject);
    assert!(core.index().is_empty());
    assert_eq!(rule(FileReaderCore::new(111).step()), Rule::ContainerSafetyMinFile);
}

#[test]
fn a_failed_job_leaves_the_rest_readable() {
    let mut file = sample_file();
    file[64 + 4] = 2;
    let mut core = opened(&file);
    core.begin_tensor("weights").unwrap();
    let failed = drive(&mut core, &file, usize::MAX, &mut Vec::new());
    assert_eq!(rule(failed), Rule::DescriptorHeaderVersionMajorReject);
    assert_eq!(core.step(), Ok(FileStep::Ready));
    assert!(core.take_tensor().is_none());
    assert_eq!(core.begin_tensor("weight"), Err(Error::NotFound));
    assert_eq!(core.begin_composite("weight"), Err(Error::NotFound));
    core.begin_composite("bytes").unwrap();
    assert_eq!(drive(&mut core, &file, usize::MAX, &mut Vec::new()), Err(Misuse::NoComposite.into()));
    assert_eq!(read(&mut core, &file, "bytes", usize::MAX).buffers[0].len(), 5000);
}

#[test]
fn a_job_can_be_given_up_for_another_and_none_begins_before_the_file_is_open() {
    let file = sample_file();
    let mut core = FileReaderCore::new(file.len() as u64);
    assert_eq!(core.begin_descriptor("weights"), Err(Misuse::NotOpen.into()));
    drive(&mut core, &file, usize::MAX, &mut Vec::new()).unwrap();
    core.begin_tensor("weights").unwrap();
    core.step().unwrap();
    core.begin_descriptor("bytes").unwrap();
    assert_eq!(drive(&mut core, &file, usize::MAX, &mut Vec::new()), Ok(FileStep::Descriptor));
    assert_eq!(core.take_descriptor().unwrap().shape.dims(), [5000]);
    assert!(core.take_descriptor().is_none());
    assert_eq!(core.step(), Ok(FileStep::Ready));
}

#[test]
fn every_prefix_and_every_extension_is_rejected() {
    let tensors = [ramp("a", ElementType::Uint8, &[5], 64)];
    let file = write(FileWriterOptions::default(), &tensors, &[], usize::MAX);
    for len in 0..file.len() {
        let mut core = FileReaderCore::new(len as u64);
        rule(drive(&mut core, &file[..len], usize::MAX, &mut Vec::new()));
    }
    let longer = [file.as_slice(), &[0x0A]].concat();
    let mut core = FileReaderCore::new(longer.len() as u64);
    assert_eq!(rule(drive(&mut core, &longer, usize::MAX, &mut Vec::new())), Rule::ContainerTrailerMagicReject);
}

#[test]
fn a_descriptor_or_data_out_of_bounds_is_never_asked_for() {
    let tensors = [ramp("a", ElementType::Uint8, &[5], 64)];
    let sound = write(FileWriterOptions::default(), &tensors, &[], usize::MAX);
    let size = sound.len() as u64;
    let entry = number(&sound[sound.len() - 40..sound.len() - 32]) as usize + 8 + 3;
    let cases = [
        (0, 0, Rule::ContainerSafetyDescriptorBounds),
        (0, (size - 80) & !7, Rule::ContainerSafetyDescriptorBounds),
        (0, size & !7, Rule::ContainerSafetyDescriptorBounds),
        (0, u64::MAX - 7, Rule::ContainerSafetyOffsetOverflow),
        (12, 0, Rule::ContainerSafetyDataBounds),
        (12, 1 << 40, Rule::ContainerSafetyDataBounds),
        (12, u64::MAX - 4095, Rule::ContainerSafetyDataBounds),
    ];
    for (field, offset, expected) in cases {
        let mut file = sound.clone();
        disarm(&mut file);
        file[entry + field..entry + field + 8].copy_from_slice(&u64::to_le_bytes(offset));
        let mut core = opened(&file);
        core.begin_tensor("a").unwrap();
        let mut ranges = Vec::new();
        assert_eq!(rule(drive(&mut core, &file, usize::MAX, &mut ranges)), expected, "{offset} at {field}");
        assert!(ranges.iter().all(|(offset, len)| offset + *len as u64 <= size), "{ranges:?}");
    }
}

#[test]
fn data_that_lies_over_a_descriptor_is_refused_and_nothing_of_it_read() {
    let tensors = [ramp("a", ElementType::Uint8, &[4500], 64), ramp("b", ElementType::Uint8, &[9000], 64)];
    let mut file = write(FileWriterOptions::default(), &tensors, &[], usize::MAX);
    disarm(&mut file);
    // Behind the count and the name of `a`: the offset of its data, which then ends behind the descriptor of `b`. Padding may
    // be counted in its length, so that the index alone does not tell.
    let data_offset = number(&file[file.len() - 40..file.len() - 32]) as usize + 8 + 3 + 12;
    assert_eq!(number(&file[data_offset..data_offset + 8]), 4096);
    file[data_offset..data_offset + 8].copy_from_slice(&8192_u64.to_le_bytes());
    let mut core = opened(&file);
    core.begin_tensor("a").unwrap();
    let mut ranges = Vec::new();
    let refused = drive(&mut core, &file, usize::MAX, &mut ranges);
    assert_eq!((rule(refused), ranges.len()), (Rule::ContainerRegionNoOverlap, 1), "{ranges:?}");
    assert_eq!(read(&mut core, &file, "b", usize::MAX).buffers[0].len(), 9000);
}

#[test]
fn bytes_behind_the_last_entry_belong_to_newer_minors() {
    let opened = |index: &[u8], kv: &[u8], minor: u8| {
        let mut file = raw::wrap(Vec::new(), index.to_vec(), kv.to_vec());
        file[9] = minor;
        drive(&mut FileReaderCore::new(file.len() as u64), &file, usize::MAX, &mut Vec::new())
    };
    assert_eq!(rule(opened(&[0; 16], &[], 0)), Rule::ContainerIndexLengthExact);
    assert_eq!(rule(opened(&[0; 8], &[0; 8], 0)), Rule::KvSectionLengthExact);
    let sound = [opened(&[0; 8], &[0; 4], 0), opened(&[0; 16], &[], 1), opened(&[0; 8], &[0; 8], 1)];
    assert_eq!(sound, [const { Ok(FileStep::Ready) }; 3]);
}

#[test]
fn an_index_that_does_not_match_its_checksum_is_refused() {
    let mut file = sample_file();
    let trailer = file.len() - 40;
    let index = number(&file[trailer..trailer + 8]) as usize;
    // A letter of a name: all else would stay in order.
    file[index + 10] ^= 1;
    let mut core = FileReaderCore::new(file.len() as u64);
    let error = drive(&mut core, &file, usize::MAX, &mut Vec::new()).unwrap_err();
    assert!(matches!(error, Error::Reject(reject) if reject.rule == Rule::ContainerFlagsCrcMismatchReject));
    disarm(&mut file);
    opened(&file);
}
