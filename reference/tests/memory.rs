//! The memory bound: on any input, at most 8 times the bytes of index and key-values, the payload asked for, and 1 MiB; to
//! hold a composite, 6 times its descriptors as well.
//!
//! One test only: the allocator that counts is shared by the whole program.

mod common;

use std::convert::Infallible;

use common::raw::{self, wrap};
use common::{Dice, drive, mutate, number, sample_file};
use hurray_reference::{
    FileReaderCore, FileStep, FileWriterOptions, KvType, KvValue, Passing, Policy, SequentialReader, TensorDescriptor,
    validate,
};
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

const MIB: u64 = 1 << 20;

/// Peak bytes beyond those held before.
fn peak(work: impl FnOnce()) -> u64 {
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    work();
    ALLOCATOR.peak_usage().saturating_sub(before) as u64
}

/// Bytes of index and key-values that lie in the file, as its last 40 bytes claim them.
fn sections_len(file: &[u8]) -> u64 {
    let Some(trailer) = file.len().checked_sub(40).and_then(|start| file.get(start..)) else { return 0 };
    let size = file.len() as u64;
    number(&trailer[8..16]).min(size) + number(&trailer[24..28]).min(size)
}

/// Opens and reads the file; the largest payload of one tensor is `payload`, the sum of all that were handed out.
fn read_all(file: &[u8], payload: &mut u64) {
    let mut core = FileReaderCore::new(file.len() as u64);
    let mut ranges = Vec::new();
    if drive(&mut core, file, usize::MAX, &mut ranges).is_err() {
        return;
    }
    for position in 0..core.index().len() {
        let Some(entry) = core.index().get(position) else { continue };
        let name = entry.name.to_vec();
        let read = core.begin_tensor(&name).and_then(|()| drive(&mut core, file, usize::MAX, &mut ranges));
        if read == Ok(FileStep::Tensor) {
            let tensor = core.take_tensor();
            let len = tensor.map_or(0, |tensor| tensor.buffers.iter().map(|buffer| buffer.len() as u64).sum());
            *payload = len.max(*payload);
        }
    }
}

/// Whether `validate` finds fault.
fn walk(file: &[u8]) -> bool {
    let read = |offset: u64, dst: &mut [u8]| {
        let rest = file.get(offset as usize..).unwrap_or_default();
        let filled = rest.len().min(dst.len());
        dst[..filled].copy_from_slice(&rest[..filled]);
        Ok::<_, Infallible>(filled)
    };
    let report = validate(file.len() as u64, &Policy::collecting(), read).unwrap_or_default();
    !report.findings.is_empty()
}

struct Nothing;

impl Passing for Nothing {
    fn tensor(&mut self, _: u64, _: TensorDescriptor) {}
    fn piece(&mut self, _: usize, _: &[u8]) {}
}

/// Lets the file go by.
fn scan(file: &[u8]) {
    let mut reader = SequentialReader::new(Policy::strict());
    if file.chunks(4096).all(|piece| reader.push(piece, &mut Nothing).is_ok()) {
        let _ = reader.finish();
    }
}

/// The head of a file whose tensor has 2^60 bytes, and as many bytes of it as fit `len`.
fn begun(len: usize) -> Vec<u8> {
    let mut descriptor = raw::descriptor(0x01, &[1 << 60], &[], 0, &[]);
    let at = descriptor.len() - 1;
    descriptor[at] = 1;
    descriptor.extend((1_u64 << 60).to_le_bytes());
    descriptor.extend([64, 0, 0, 0, 0, 0, 0, 0]);
    descriptor[6] = descriptor.len() as u8;
    descriptor.resize(len, 0x5A);
    wrap(descriptor, vec![0; 8], Vec::new())
}

fn require_bound(file: &[u8], what: &str) {
    let sections = sections_len(file);
    let mut payload = 0;
    let read = peak(|| read_all(file, &mut payload));
    let bound = 8 * sections + payload + MIB;
    assert!(read <= bound, "{what}: reading took {read} bytes, {bound} are allowed");
    let bound = 8 * sections + MIB;
    let scanned = peak(|| scan(file));
    assert!(scanned <= bound, "{what}: reading in order took {scanned} bytes, {bound} are allowed");
    let walked = peak(|| _ = walk(file));
    assert!(walked <= bound, "{what}: validating took {walked} bytes, {bound} are allowed");
}

/// A file whose index holds as many of the shortest entries as fit `len` bytes, all of them legal but for their data.
fn dense_index(len: usize) -> Vec<u8> {
    let count = (len - 8) / 37;
    let mut index = (count as u64).to_le_bytes().to_vec();
    for at in 0..count as u64 {
        index.extend([3, 0]);
        index.extend([b'a' + (at / 676 % 26) as u8, b'a' + (at / 26 % 26) as u8, b'a' + (at % 26) as u8]);
        index.extend((64 + 8 * at).to_le_bytes());
        index.extend([8, 0, 0, 0]);
        index.extend([0; 20]);
    }
    let start = 64 + 8 * count;
    wrap(vec![0; start - 64], index, Vec::new())
}

/// A file of the shortest key-value entries, and of arrays whose items take one byte each.
fn dense_kv(len: usize) -> Vec<u8> {
    let count = (len - 4) / 8;
    let mut kv = (count as u32).to_le_bytes().to_vec();
    for at in 0..count {
        kv.extend([4, 0]);
        kv.extend((0..4).map(|place| b'a' + (at / 26_usize.pow(place) % 26) as u8));
        kv.extend([5, 1]);
    }
    wrap(Vec::new(), vec![0; 8], kv)
}

/// A file of a group and as many empty tensors, three letters a name, one after the other; and the bytes of descriptors.
fn dense_group(count: usize) -> (Vec<u8>, u64) {
    let name = |at: usize| [676, 26, 1].map(|place| b'a' + (at / place % 26) as u8).to_vec();
    let mut member = raw::descriptor(0x01, &[0], &[], 0, &[]);
    // One buffer without bytes.
    let at = member.len() - 1;
    member[at] = 1;
    member.extend([0, 0, 0, 0, 0, 0, 0, 0, 64, 0, 0, 0, 0, 0, 0, 0]);
    let len = member.len();
    member[6] = len as u8;
    let mut tensors = vec![(b"___".to_vec(), raw::head(3, count as u32, &[1], None))];
    tensors.extend((0..count).map(|at| (name(at), member.clone())));
    let descriptors = tensors.iter().map(|(_, descriptor)| descriptor.len() as u64).sum();
    (raw::file(&tensors), descriptors)
}

/// Reads the composite whose head is `___`.
fn gather(file: &[u8]) -> usize {
    let mut core = FileReaderCore::new(file.len() as u64);
    let mut ranges = Vec::new();
    drive(&mut core, file, usize::MAX, &mut ranges).unwrap();
    core.begin_composite("___").unwrap();
    drop(ranges);
    assert_eq!(drive(&mut core, file, usize::MAX, &mut Vec::with_capacity(40_000)), Ok(FileStep::Composite));
    core.take_composite().map_or(0, |composite| composite.members.len())
}

/// Files of less than 400 bytes that claim to hold far more: one number each is as large as it can be.
fn claims() -> Vec<(&'static str, Vec<u8>)> {
    let one = |descriptor: Vec<u8>| raw::file(&[(b"a".to_vec(), descriptor)]);
    let with = |at: usize, number: &[u8]| {
        let mut file = one(raw::descriptor(0x01, &[4], &[], 0, &[]));
        file[at..at + number.len()].copy_from_slice(number);
        file
    };
    let entries = |entries: &[u8]| raw::wrap(Vec::new(), vec![0; 8], entries.to_vec());
    let most = [0xFF; 8];
    // One descriptor at 64, of 45 bytes and padded to 48: the index begins at 112.
    vec![
        ("tensors", with(112, &most)),
        ("bytes of a name", with(120, &most[..2])),
        ("bytes of a descriptor", with(131, &most[..4])),
        ("bytes of data", with(143, &most)),
        ("dimensions", with(80, &most[..4])),
        ("elements", with(84, &[0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0])),
        ("buffers", with(100, &most[..1])),
        ("members", one(raw::head(3, u32::MAX - 1, &[1], None))),
        ("entries", entries(&[0xFF, 0xFF, 0xFF, 0xFF, 1, 0, b'k', 5, 1])),
        ("bytes of a key", entries(&[1, 0, 0, 0, 0xFF, 0xFF, b'k', 5, 1])),
        ("bytes of a string", entries(&[1, 0, 0, 0, 1, 0, b'k', 1, 0xFF, 0xFF, 0xFF, 0xFF, b'v'])),
        ("items of an array", entries(&[1, 0, 0, 0, 1, 0, b'k', 7, 5, 0xFF, 0xFF, 0xFF, 0xFF, 1])),
        ("items of an array of strings", entries(&[1, 0, 0, 0, 1, 0, b'k', 7, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0])),
        ("non-zeros", one(raw::descriptor(0x06, &[4, 4], &[&most[..], &[0; 8]].concat(), 0, &[]))),
        ("pages", one(raw::descriptor(0x0A, &[4, 1, 1], &[0xFF; 32], 0, &[]))),
        ("bytes of a scheme", one(raw::descriptor(0x01, &[4], &[], 1, &most[..4]))),
    ]
}

/// What a file claims costs nothing before the bytes that bear it out.
fn require_no_trust() {
    for (what, file) in claims() {
        assert!(file.len() < 400, "{what}: {} bytes", file.len());
        let mut payload = 0;
        let read = peak(|| read_all(&file, &mut payload));
        // A walk has a piece of the file in hand.
        let mut is_found = false;
        let walked = peak(|| is_found = walk(&file));
        assert!(read < 8 * 1024, "a number of {what} that cannot be: reading took {read} bytes");
        assert!(walked < 24 * 1024, "a number of {what} that cannot be: validating took {walked} bytes");
        assert!(payload == 0 && is_found, "{what}: nobody minds");
    }
}

#[test]
fn no_file_costs_more_memory_than_its_index_key_values_and_payload_allow() {
    let sound = sample_file();
    let mut payload = 0;
    let taken = peak(|| read_all(&sound, &mut payload));
    assert!(payload == 5000 && taken >= payload, "the allocator does not count: {taken} bytes for {payload}");
    require_no_trust();
    let mut dice = Dice(7);
    for round in 0..10_000 {
        let mut file = sound.clone();
        mutate(&mut file, &mut dice);
        require_bound(&file, &format!("mutation {round}"));
    }
    // 26^3 names of three letters.
    let index = dense_index(17_576 * 37);
    let mut core = FileReaderCore::new(index.len() as u64);
    assert_eq!(drive(&mut core, &index, usize::MAX, &mut Vec::new()), Ok(FileStep::Ready));
    require_bound(&index, "many short index entries");
    require_bound(&dense_kv(2 << 20), "many short key-value entries");
    let items = (0..1 << 20).map(|at| KvValue::Bool(at % 2 == 0)).collect();
    let array = ("k".to_owned(), KvValue::Array { element: KvType::Bool, items });
    require_bound(&common::write(FileWriterOptions::default(), &[], &[array], usize::MAX), "a long array");
    let begun = begun(32 << 20);
    let taken = peak(|| scan(&begun));
    assert!(taken <= MIB, "a payload that goes by took {taken} bytes");
    let (group, descriptors) = dense_group(17_575);
    let taken = peak(|| assert_eq!(gather(&group), 17_575));
    let bound = 8 * sections_len(&group) + 6 * descriptors + MIB;
    assert!(taken <= bound, "gathering took {taken} bytes, {bound} are allowed");
    require_bound(&group, "a group of many");
}
