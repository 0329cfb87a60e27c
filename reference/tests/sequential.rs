//! Reading in order against reading by ranges: the same is seen, in whatever pieces the bytes come; and whatever comes, it ends.

mod common;

use common::{Dice, Given, drive, mutate, number, ramp, sample, sample_file, shift, write};
use hurray_reference::{
    ElementType, Error, FileReaderCore, FileStep, FileWriterOptions, KvValue, Limit, Passing, Policy, Scanned,
    SequentialReader, TensorDescriptor, Unsupported, drive as io,
};
use hurray_spec::Rule;
use proptest::prelude::*;

/// What went by: offset, descriptor and buffers of each tensor.
#[derive(Debug, Default, PartialEq)]
struct Seen(Vec<(u64, TensorDescriptor, Vec<Vec<u8>>)>);

impl Passing for Seen {
    fn tensor(&mut self, descriptor_offset: u64, descriptor: TensorDescriptor) {
        let buffers = vec![Vec::new(); descriptor.buffers.len()];
        self.0.push((descriptor_offset, descriptor, buffers));
    }

    fn piece(&mut self, buffer: usize, bytes: &[u8]) {
        assert!(!bytes.is_empty());
        self.0.last_mut().expect("a tensor").2[buffer].extend_from_slice(bytes);
    }
}

/// Pushes the file in pieces of these lengths, the last one again and again.
fn scan(file: &[u8], pieces: &[usize]) -> Result<(Seen, Scanned), Error> {
    let (mut seen, mut reader) = (Seen::default(), SequentialReader::new(Policy::strict()));
    let (mut rest, mut turn) = (file, 0);
    while !rest.is_empty() {
        let len = pieces.get(turn).or(pieces.last()).map_or(rest.len(), |len| (*len).max(1)).min(rest.len());
        reader.push(&rest[..len], &mut seen)?;
        (rest, turn) = (&rest[len..], turn + 1);
    }
    Ok((seen, reader.finish()?))
}

/// Reads every tensor by ranges, in the order of the file.
fn by_ranges(file: &[u8]) -> Result<(Seen, FileReaderCore), Error> {
    let mut core = FileReaderCore::new(file.len() as u64);
    drive(&mut core, file, usize::MAX, &mut Vec::new())?;
    let mut entries: Vec<(u64, Vec<u8>)> =
        core.index().iter().map(|entry| (entry.descriptor_offset, entry.name.to_vec())).collect();
    entries.sort();
    let mut seen = Seen::default();
    for (offset, name) in entries {
        core.begin_tensor(&name)?;
        assert_eq!(drive(&mut core, file, usize::MAX, &mut Vec::new())?, FileStep::Tensor);
        let tensor = core.take_tensor().expect("a tensor");
        let buffers = tensor.buffers.iter().map(|buffer| buffer.to_vec()).collect();
        seen.0.push((offset, tensor.descriptor, buffers));
    }
    Ok((seen, core))
}

fn require_same(file: &[u8], pieces: &[usize]) {
    let (seen, scanned) = scan(file, pieces).expect("a file that can be read in order");
    let (wanted, core) = by_ranges(file).expect("a good file");
    assert!(seen == wanted, "{pieces:?}");
    assert_eq!((scanned.size, Some(scanned.container)), (file.len() as u64, core.container()));
    for entry in core.index().iter() {
        assert_eq!(scanned.name_at(entry.descriptor_offset), Some(entry.name));
    }
    assert_eq!((scanned.name_at(0), scanned.name_at(u64::MAX)), (None, None));
    assert_eq!(format!("{:?}", scanned.kv), format!("{:?}", core.kv()));
}

fn rule(file: &[u8]) -> Option<Rule> {
    match scan(file, &[]) {
        Err(Error::Reject(reject)) => Some(reject.rule),
        _ => None,
    }
}

fn tensors() -> impl Strategy<Value = Vec<Given>> {
    prop::collection::vec((prop::collection::vec(0..40_u64, 0..3), 0..2_usize), 0..5).prop_map(|all| {
        let one = |(at, (dims, pages)): (usize, (Vec<u64>, usize))| {
            // Half of them fill their alignment; the writer pads the others to 8.
            let dims = if pages > 0 { vec![4096] } else { dims };
            ramp(&format!("t{}", 9 - at), ElementType::Uint8, &dims, 64)
        };
        all.into_iter().enumerate().map(one).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_goes_by_as_it_is_read(
        tensors in tensors(),
        has_kv in any::<bool>(),
        pieces in prop::collection::vec(1..5000_usize, 1..20),
    ) {
        let kv = if has_kv { vec![("k".to_owned(), KvValue::Uint64(7))] } else { Vec::new() };
        let file = write(FileWriterOptions::default(), &tensors, &kv, usize::MAX);
        require_same(&file, &pieces);
    }
}

#[test]
fn byte_by_byte_is_all_at_once() {
    for pieces in [&[1][..], &[40], &[39, 41, 1], &[64, 1], &[usize::MAX]] {
        require_same(&sample_file(), pieces);
    }
}

#[test]
fn a_stream_is_driven_through_interruptions_and_its_failures_are_told() {
    struct Slow<'a>(&'a [u8], usize);
    impl std::io::Read for Slow<'_> {
        fn read(&mut self, dst: &mut [u8]) -> std::io::Result<usize> {
            self.1 += 1;
            if self.1.is_multiple_of(2) {
                return Err(std::io::ErrorKind::Interrupted.into());
            }
            let len = dst.len().min(3);
            std::io::Read::read(&mut self.0, &mut dst[..len])
        }
    }
    let file = sample_file();
    let mut seen = Seen::default();
    let scanned = io::scan(&mut Slow(&file, 0), Policy::strict(), &mut seen).expect("a good file");
    assert_eq!((scanned.size, seen), (file.len() as u64, by_ranges(&file).expect("a good file").0));

    struct Broken;
    impl std::io::Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::TimedOut.into())
        }
    }
    let error = io::scan(&mut Broken, Policy::strict(), &mut Seen::default()).expect_err("no file");
    assert!(matches!(error, io::Error::Io(error) if error.kind() == std::io::ErrorKind::TimedOut));
}

#[test]
fn a_stream_that_ends_early_is_no_file() {
    let file = sample_file();
    for len in 0..file.len() {
        assert!(scan(&file[..len], &[]).is_err(), "{len} of {} bytes", file.len());
    }
    // Data that ends like a trailer is data.
    let (tensors, kv) = sample();
    let mut file = write(FileWriterOptions::default(), &tensors[..1], &kv, usize::MAX);
    let data = 4096..4096 + 48;
    let trailer = file[file.len() - 40..].to_vec();
    file[data.end - 40..data.end].copy_from_slice(&trailer);
    require_same(&file, &[7]);
    assert_eq!(rule(&file[..data.end - 1]), Some(Rule::ContainerTrailerMagicReject));
    assert_eq!(rule(&file[..data.end]), Some(Rule::ContainerSeqTrailerNotTensor));
}

#[test]
fn what_does_not_follow_is_not_read_on() {
    let order = |file: &[u8]| match scan(file, &[]) {
        Err(Error::Unsupported(Unsupported::Order { offset })) => Some(offset),
        other => panic!("{other:?}"),
    };
    let pages: Vec<Given> = ["a", "b"].map(|name| ramp(name, ElementType::Uint8, &[4096], 64)).into();
    let kv = vec![("key".to_owned(), KvValue::Uint64(7))];
    let good = write(FileWriterOptions::default(), &pages, &kv, usize::MAX);
    // Descriptors at 64 and 8192, data at 4096 and 12288, the key-values at 16384.
    let trailer = good.len() - 40;
    let mut file = good.clone();
    shift(&mut file, trailer + 16, 8);
    assert_eq!(order(&file), Some(16384), "the key-values are said to begin later");
    let mut file = good.clone();
    let index = number(&good[trailer..trailer + 8]) as usize;
    let entry = |at: usize| index + 8 + 35 * at + 3;
    file[12] &= !4;
    file[trailer + 28..trailer + 32].fill(0);
    let unsealed = file.clone();
    require_same(&unsealed, &[1000]);
    // Each is given the data of the other.
    shift(&mut file, entry(0) + 12, 8192);
    file[entry(1) + 12..entry(1) + 20].copy_from_slice(&4096_u64.to_le_bytes());
    assert_eq!(order(&file), Some(64));
    // The index names a third, in the padding behind the second descriptor, where nobody comes by.
    let mut file = unsealed.clone();
    file[index] = 3;
    let third = [&[1, 0, b'c'][..], &8256_u64.to_le_bytes(), &53_u32.to_le_bytes(), &8256_u64.to_le_bytes(), &[0; 12]];
    file.splice(trailer..trailer, third.concat());
    shift(&mut file, trailer + 35 + 8, 35);
    assert_eq!(order(&file), Some(8256));
    // The index names one of two.
    let mut file = unsealed;
    file[index] = 1;
    let removed = file.drain(entry(1) - 3..entry(1) + 32).count() as u64;
    let trailer = trailer - removed as usize;
    let len = number(&file[trailer + 8..trailer + 16]) - removed;
    file[trailer + 8..trailer + 16].copy_from_slice(&len.to_le_bytes());
    assert_eq!(order(&file), Some(8192));
    let message = scan(&file, &[]).expect_err("no way").to_string();
    assert!(message.contains("8192") && message.contains("save it to a file"), "{message}");
}

#[test]
fn no_hint_is_trusted() {
    let (tensors, kv) = sample();
    let good = write(FileWriterOptions::default(), &tensors, &kv, usize::MAX);
    for hint in [0_u64, 2, 3, 4, 1 << 63] {
        let mut file = good.clone();
        file[28..36].copy_from_slice(&hint.to_le_bytes());
        require_same(&file, &[4096]);
    }
}

#[test]
fn an_endless_stream_ends_in_an_error() {
    let zeros = vec![0_u8; 1 << 20];
    let good = sample_file();
    let fill = |reader: &mut SequentialReader, pieces: usize| {
        (0..pieces).find_map(|_| reader.push(&zeros, &mut Nothing).err())
    };
    struct Nothing;
    impl Passing for Nothing {
        fn tensor(&mut self, _: u64, _: TensorDescriptor) {}
        fn piece(&mut self, _: usize, _: &[u8]) {}
    }
    let mut reader = SequentialReader::new(Policy::strict());
    assert!(
        matches!(fill(&mut reader, 1), Some(Error::Reject(reject)) if reject.rule == Rule::ContainerHeaderMagicReject)
    );
    let mut reader = SequentialReader::new(Policy::strict());
    reader.push(&good[..64], &mut Nothing).expect("a header");
    let error = fill(&mut reader, 100).expect("an end");
    assert!(matches!(error, Error::Limit(Limit::Tail { .. })), "{error}");
    assert!(error.to_string().contains("save it to a file"), "{error}");
}

#[test]
fn no_damage_makes_it_panic_or_see_what_is_not_there() {
    let sound = sample_file();
    let mut dice = Dice(11);
    let mut agreed = 0;
    for round in 0..3000 {
        let mut file = sound.clone();
        mutate(&mut file, &mut dice);
        let piece = 1 + dice.below(5000);
        let Ok((seen, scanned)) = scan(&file, &[piece]) else { continue };
        assert_eq!(scanned.size, file.len() as u64);
        if let Ok((wanted, _)) = by_ranges(&file) {
            assert!(seen == wanted, "round {round}");
            agreed += 1;
        }
    }
    assert!(agreed > 50, "{agreed}: too few to say anything");
    assert_eq!(number(&sound[28..36]), u64::MAX, "without a hint");
}
