//! Careless ways to read a file without seeking. The walk is a small one, over a file that was read as a whole; it looks up
//! the end of the tensors in the trailer, and has one habit. Owns nothing else.

use hurray_adapter::{
    Answer, BufferObservation, Candidate, Failure, Observed, ScanObservation, ScannedTensor, TensorObservation, Text,
    U64,
};

use hurray_conformance::judge::writer::file_view::View;

const MAGIC: &[u8] = b"HRRY";
const STEP: u64 = 8;
const PAGE: u64 = 4096;

/// The habit of one walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slip {
    /// Ends a buffer where a descriptor seems to begin.
    SearchesData,
    /// Skips to the next page, whatever the alignment of the file.
    SkipsToPages,
    /// Goes on looking for tensors behind the last one, up to the end of the file.
    GoesOnToTheEnd,
    /// Takes the bytes behind the header for the first descriptor.
    BeginsBehindTheHeader,
    /// Takes no descriptor for longer than a kilobyte.
    ReadsOneKilobyte,
    /// Puts a buffer right behind the one before it.
    PacksBuffers,
    /// Takes as many tensors as the header says for all there are.
    TrustsTheHint,
    /// Takes the first place without a descriptor for the end of the tensors.
    EndsAtAGap,
}

/// Reads the file as the habit has it.
pub(super) fn walk(inner: &mut impl Candidate, view: &View, slip: Slip) -> Answer {
    let first = if slip == Slip::BeginsBehindTheHeader { 64 } else { view.number(20, 8) };
    let size = view.bytes().len() as u64;
    let (index, kv) = (view.trailer(0, 8), view.trailer(16, 8));
    let sections = if kv == 0 { index } else { index.min(kv) };
    let end = if slip == Slip::GoesOnToTheEnd { size } else { sections };
    let mut tensors = Vec::new();
    let mut at = first;
    let hint = view.number(28, 8);
    while at < end && !(slip == Slip::TrustsTheHint && tensors.len() as u64 == hint) {
        if view.slice(at, 4) == MAGIC {
            let (tensor, next) = one(inner, view, at, slip)?;
            tensors.push(tensor);
            at = next;
        } else if slip == Slip::EndsAtAGap {
            break;
        } else if slip == Slip::GoesOnToTheEnd || (!tensors.is_empty() && view.number(at, STEP) == 0) {
            at += STEP - at % STEP;
        } else {
            return Err(rejected());
        }
    }
    Ok(Observed { scan: Some(ScanObservation { tensors, kv: None }), ..Observed::default() })
}

/// The tensor whose descriptor stands at `at`, and where the next item begins.
fn one(
    inner: &mut impl Candidate,
    view: &View,
    at: u64,
    slip: Slip,
) -> Result<(ScannedTensor, u64), hurray_adapter::Failure> {
    let rest = (view.bytes().len() as u64).saturating_sub(at);
    let seen = inner.descriptor(view.slice(at, rest))?;
    let length = seen.descriptor_length.map_or(0, |length| length.0);
    let tensor = seen.tensor.unwrap_or_default();
    let length = if slip == Slip::ReadsOneKilobyte { length.min(1024) } else { length };
    let alignment = if slip == Slip::SkipsToPages { PAGE } else { view.number(16, 4) };
    let mut next = at + length;
    let mut buffers = Vec::new();
    for len in sizes(&tensor) {
        if len == 0 {
            buffers.push(BufferObservation::of(b""));
            continue;
        }
        let is_packed = slip == Slip::PacksBuffers && !buffers.is_empty();
        let start = if is_packed { next } else { next.next_multiple_of(alignment.max(1)) };
        let mut data = view.slice(start, len);
        if slip == Slip::SearchesData {
            data = until_magic(data);
        }
        next = start.checked_add(data.len() as u64).filter(|_| !data.is_empty()).ok_or_else(rejected)?;
        buffers.push(BufferObservation::of(data));
    }
    let entry = view.entries().into_iter().find(|entry| entry.descriptor_offset == at);
    let name = entry.map(|entry| Text::new(entry.name));
    let scanned = ScannedTensor { descriptor_offset: U64(at), name, tensor, buffers: Some(buffers) };
    Ok((scanned, next.next_multiple_of(STEP)))
}

fn sizes(tensor: &TensorObservation) -> Vec<u64> {
    let handles = tensor.handles.iter().flatten();
    handles.filter_map(|handle| handle.byte_size).map(|size| size.0).collect()
}

/// The bytes in front of the first eight that seem to begin a descriptor.
fn until_magic(data: &[u8]) -> &[u8] {
    let mut words = data.chunks(8).enumerate().skip(1);
    let found = words.find(|(_, word)| word.starts_with(MAGIC));
    found.map_or(data, |(word, _)| &data[..word * 8])
}

/// What a mutant answers where its defect rejects.
pub(super) fn rejected() -> Failure {
    Failure::reject("a mutant's defect")
}
