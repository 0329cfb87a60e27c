//! The body `scan`: arbitrary bytes that go by once. Owns what has to hold between reading in order and reading by ranges.

use hurray_reference::drive;
use hurray_reference::{Error, FileStep, Passing, Policy, Scanned, SequentialReader, TensorDescriptor};

use crate::Bytes;

/// Tensors compared in one file.
const MAX_TENSORS: usize = 32;

/// Lets `data` go by as a file, at once and in pieces; true if it was read.
///
/// Nothing panics; pieces show the same as all at once; what is read in order is opened by ranges too, with the same
/// entries, and every tensor that both see is the same under the same name.
///
/// # Panics
/// One of these promises is broken.
pub fn scan(data: &[u8]) -> bool {
    let whole = read(data, data.len());
    for piece in [1, 7, 4096] {
        let (seen, end) = read(data, piece);
        assert_eq!(shown(&end), shown(&whole.1), "pieces of {piece} bytes end otherwise");
        assert!(end.is_err() || seen == whole.0, "pieces of {piece} bytes show something else");
    }
    let (seen, Ok(scanned)) = whole else { return false };
    assert_eq!(scanned.size, data.len() as u64);
    compare(data, &seen, &scanned);
    true
}

/// What went by: offset, descriptor and buffers of each tensor.
#[derive(Debug, Default, PartialEq)]
struct Seen(Vec<(u64, TensorDescriptor, Vec<Vec<u8>>)>);

impl Passing for Seen {
    fn tensor(&mut self, descriptor_offset: u64, descriptor: TensorDescriptor) {
        let buffers = vec![Vec::new(); descriptor.buffers.len()];
        self.0.push((descriptor_offset, descriptor, buffers));
    }

    fn piece(&mut self, buffer: usize, bytes: &[u8]) {
        assert!(!bytes.is_empty(), "an empty piece");
        let (_, _, buffers) = self.0.last_mut().expect("a piece belongs to a tensor");
        buffers.get_mut(buffer).expect("a piece belongs to a buffer").extend_from_slice(bytes);
    }
}

fn read(data: &[u8], piece: usize) -> (Seen, Result<Scanned, Error>) {
    let (mut seen, mut reader) = (Seen::default(), SequentialReader::new(Policy::strict()));
    for bytes in data.chunks(piece.max(1)) {
        if let Err(error) = reader.push(bytes, &mut seen) {
            return (seen, Err(error));
        }
    }
    let end = reader.finish();
    (seen, end)
}

/// An end in a form that compares.
fn shown(end: &Result<Scanned, Error>) -> String {
    match end {
        Ok(scanned) => format!("{:?} {} {:?}", scanned.container, scanned.size, scanned.kv),
        Err(error) => format!("{error:?}"),
    }
}

/// What went by, against what a reader by ranges sees.
fn compare(data: &[u8], seen: &Seen, scanned: &Scanned) {
    let mut source = Bytes { data, piece: usize::MAX };
    let mut core = hurray_reference::FileReaderCore::new(data.len() as u64);
    drive::drive_reader(&mut core, &mut source).expect("what is read in order is opened by ranges");
    assert_eq!(core.container(), Some(scanned.container));
    assert_eq!(format!("{:?}", core.kv()), format!("{:?}", scanned.kv), "other key-values");
    assert_eq!(core.index().len(), seen.0.len(), "another number of tensors");
    for (offset, descriptor, buffers) in seen.0.iter().take(MAX_TENSORS) {
        for (buffer, handle) in buffers.iter().zip(&descriptor.buffers) {
            assert_eq!(buffer.len() as u64, handle.byte_size, "a buffer of another length");
        }
        let name = scanned.name_at(*offset).expect("a tensor has a name");
        core.begin_tensor(name).expect("an indexed name is found");
        if let Ok(step) = drive::drive_reader(&mut core, &mut source) {
            assert_eq!(step, FileStep::Tensor);
            let tensor = core.take_tensor().expect("a tensor is ready");
            assert_eq!(&tensor.descriptor, descriptor, "another descriptor");
            assert!(
                tensor.buffers.iter().map(|buffer| &buffer[..]).eq(buffers.iter().map(Vec::as_slice)),
                "other data"
            );
        }
    }
}
