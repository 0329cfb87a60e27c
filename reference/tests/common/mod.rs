//! Files made by the writer, and drivers over bytes in memory that obey a schedule. Asserts nothing itself.

#![allow(dead_code, reason = "each test binary uses its own part")]

pub(crate) mod models;
pub(crate) mod raw;

use hurray_reference::{
    BufferHandle, DeviceTag, ElementType, Error, FileReaderCore, FileStep, FileWriteOp, FileWriterCore,
    FileWriterOptions, KvType, KvValue, LayoutDescriptor, Shape, SyncMode, TensorDescriptor, WriteStep, meaning,
};

/// A tensor to be written.
#[derive(Clone, Debug)]
pub(crate) struct Given {
    pub(crate) name: String,
    pub(crate) descriptor: TensorDescriptor,
    pub(crate) data: Vec<u8>,
}

/// A contiguous tensor of bytes 0, 1, 2, …
pub(crate) fn ramp(name: &str, kind: ElementType, dims: &[u64], alignment: u32) -> Given {
    let count = dims.iter().product::<u64>();
    let len = kind.packed_len(u128::from(count)).unwrap() as u64;
    let handle = BufferHandle::new(len, alignment, DeviceTag::CPU, SyncMode::PRODUCER_SYNCED);
    let shape = Shape::new(dims.to_vec());
    let descriptor = TensorDescriptor::new(kind, shape, LayoutDescriptor::RowMajor, vec![handle]);
    Given { name: name.to_owned(), descriptor, data: (0..len).map(|at| at as u8).collect() }
}

/// Three tensors, one of them empty, and a key-value of every kind.
pub(crate) fn sample() -> (Vec<Given>, Vec<(String, KvValue)>) {
    let tensors = vec![
        ramp("weights", ElementType::Float32, &[3, 4], 64),
        ramp("empty", ElementType::Int8, &[3, 0, 5], 4096),
        ramp("bytes", ElementType::Uint8, &[5000], 8192),
    ];
    let array = KvValue::Array { element: KvType::Int64, items: vec![KvValue::Int64(1), KvValue::Int64(-1)] };
    let kv = vec![
        ("producer".to_owned(), KvValue::String("test".to_owned())),
        ("list".to_owned(), array),
        ("flag".to_owned(), KvValue::Bool(true)),
        ("raw".to_owned(), KvValue::Bytes(vec![0, 255])),
    ];
    (tensors, kv)
}

/// Writes an item, at most `piece` bytes at a time.
pub(crate) fn drain(mut op: FileWriteOp<'_>, piece: usize, sink: &mut Vec<u8>) -> Result<(), Error> {
    while let WriteStep::Output { len } = op.step()? {
        let taken = len.min(piece);
        sink.extend_from_slice(&op.output_src()[..taken]);
        op.report_written(taken)?;
    }
    Ok(())
}

/// The file of these tensors and entries.
pub(crate) fn write(options: FileWriterOptions, tensors: &[Given], kv: &[(String, KvValue)], piece: usize) -> Vec<u8> {
    let mut file = Vec::new();
    let mut core = FileWriterCore::with_options(options).unwrap();
    drain(core.header().unwrap(), piece, &mut file).unwrap();
    for given in tensors {
        drain(core.tensor(&given.name, &given.descriptor, &[&given.data]).unwrap(), piece, &mut file).unwrap();
    }
    drain(core.finish(kv.to_vec()).unwrap(), piece, &mut file).unwrap();
    file
}

/// The sample with default options.
pub(crate) fn sample_file() -> Vec<u8> {
    let (tensors, kv) = sample();
    write(FileWriterOptions::default(), &tensors, &kv, usize::MAX)
}

/// Runs a job to its end, at most `piece` bytes a read, and notes every range that was asked for.
pub(crate) fn drive(
    core: &mut FileReaderCore,
    file: &[u8],
    piece: usize,
    ranges: &mut Vec<(u64, usize)>,
) -> Result<FileStep, Error> {
    loop {
        match core.step()? {
            FileStep::Range { offset, len } => {
                ranges.push((offset, len));
                let filled = fill(core, file, offset, piece);
                core.report_filled(filled)?;
            }
            other => return Ok(other),
        }
    }
}

/// Copies what the file holds at `offset`, at most `piece` bytes, and tells how many.
pub(crate) fn fill(core: &mut FileReaderCore, file: &[u8], offset: u64, piece: usize) -> usize {
    let dst = core.input_dst();
    let rest = usize::try_from(offset).ok().and_then(|start| file.get(start..)).unwrap_or_default();
    let filled = dst.len().min(rest.len()).min(piece);
    dst[..filled].copy_from_slice(&rest[..filled]);
    filled
}

/// Opens, describes and reads everything, and forgets it. The first error of each unit is returned.
pub(crate) fn exercise(file: &[u8]) -> Vec<Error> {
    let mut core = FileReaderCore::new(file.len() as u64);
    let mut ranges = Vec::new();
    let mut errors = Vec::new();
    match drive(&mut core, file, usize::MAX, &mut ranges) {
        Ok(_) => {}
        Err(error) => return vec![error],
    }
    let names: Vec<Vec<u8>> = core.index().iter().map(|entry| entry.name.to_vec()).collect();
    for (_, value) in core.kv().iter() {
        let _ = value.to_value();
    }
    for name in names {
        let described = core.begin_descriptor(&name).and_then(|()| drive(&mut core, file, usize::MAX, &mut ranges));
        let _ = core.take_descriptor();
        let read = core.begin_tensor(&name).and_then(|()| drive(&mut core, file, usize::MAX, &mut ranges));
        core.take_tensor().iter().for_each(|tensor| touch(&tensor.descriptor, &tensor.buffers));
        errors.extend([described.err(), read.err()].into_iter().flatten());
    }
    assert!(ranges.iter().all(|(offset, len)| *len > 0 && offset + *len as u64 <= file.len() as u64));
    errors
}

/// Asks what the first and the last element are, and one that is not there; whatever the buffers hold, there is an answer.
pub(crate) fn touch<B: AsRef<[u8]>>(descriptor: &TensorDescriptor, buffers: &[B]) {
    let dims = descriptor.shape.dims();
    let mut indices = vec![vec![0; dims.len()], dims.iter().map(|dim| dim.wrapping_sub(1)).collect(), dims.to_vec()];
    // A token of a paged tensor is in a sequence.
    indices.extend(indices.clone().into_iter().map(|index| [vec![0], index].concat()));
    for index in &indices {
        let place = meaning::locate(descriptor, buffers, index);
        let value = meaning::decode(descriptor, buffers, index);
        assert!(place.is_ok() || value.is_err(), "a value from nowhere: {index:?} of {descriptor:?}");
    }
}

/// Numbers that look random and are the same every time (SplitMix64).
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.roll() % bound.max(1) as u64) as usize
    }
}

/// Breaks a file in one to four places: bits, extreme integers, cuts, moved stretches. Half of the time the index
/// checksum is switched off, so that what lies behind it is reached.
pub(crate) fn mutate(file: &mut Vec<u8>, dice: &mut Dice) {
    if dice.below(2) == 0 {
        disarm(file);
    }
    for _ in 0..=dice.below(3) {
        let at = dice.below(file.len());
        let near_end = file.len().saturating_sub(1 + dice.below(200));
        let at = if dice.below(2) == 0 { near_end } else { at };
        match dice.below(5) {
            0 => file[at] ^= 1 << dice.below(8),
            1 => {
                let extreme = [0, 1, u64::MAX, 1 << 60, 1 << 46, 1 << 31, file.len() as u64, u64::MAX - 4095];
                let bytes = extreme[dice.below(extreme.len())].to_le_bytes();
                let len = [1, 2, 4, 8][dice.below(4)].min(file.len() - at);
                file[at..at + len].copy_from_slice(&bytes[..len]);
            }
            2 => file[at] = dice.roll() as u8,
            3 => file.truncate(at.max(1)),
            _ => {
                let from = dice.below(file.len());
                let len = dice.below(64).min(file.len() - from).min(file.len() - at);
                file.copy_within(from..from + len, at);
            }
        }
    }
}

/// Clears the checksum flag and the checksum.
pub(crate) fn disarm(file: &mut [u8]) {
    let len = file.len();
    if len >= 112 {
        file[12] &= !4;
        file[len - 12..len - 8].fill(0);
    }
}

/// The little-endian integer of these bytes.
pub(crate) fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// Adds to the `u64` at `at`.
pub(crate) fn shift(file: &mut [u8], at: usize, by: u64) {
    let shifted = number(&file[at..at + 8]) + by;
    file[at..at + 8].copy_from_slice(&shifted.to_le_bytes());
}
