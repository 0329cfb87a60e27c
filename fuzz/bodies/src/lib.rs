//! What is tried on arbitrary bytes: the bodies of the fuzz targets, as ordinary functions that panic if a promise of the
//! reference is broken. Owns the promises that hold for every input; knows no vector and no expectation.

mod scan;

use hurray_reference::drive::{self, ReadAt};
use hurray_reference::{
    Composite, Container, Error, FileItem, FileReaderCore, FileStep, Policy, Reject, TensorDescriptor,
    decode_descriptor, meaning,
};

pub use scan::scan;

/// Tensors looked at in one file: a hostile index may point thousands of names at the same bytes.
const MAX_TENSORS: usize = 32;
/// Composites tried in one file: each may take all tensors behind it.
const MAX_COMPOSITES: usize = 8;
/// Ranges that opening may take: header, trailer, index, key-values.
const MAX_OPEN_RANGES: usize = 4;

/// Opens, lists, reads and validates `data` as a file, its composites too.
///
/// Nothing panics, and no range lies outside the file; reading in pieces shows the same as reading at once; what the strict
/// reader rejects is found by `validate` too; permissive reading never loses what strict reading sees; a descriptor says the
/// same without its file; and an element has a value only where it has a place.
///
/// # Panics
/// One of these promises is broken.
pub fn open(data: &[u8]) {
    let strict = Seen::of(data, Policy::strict(), usize::MAX);
    assert_eq!(strict, Seen::of(data, Policy::strict(), 7), "reading in pieces shows something else");
    let permissive = Seen::of(data, Policy::permissive(), usize::MAX);
    if strict.container.is_ok() {
        assert_eq!(
            (&strict.container, &strict.names),
            (&permissive.container, &permissive.names),
            "permissive differs"
        );
    }
    for (strict, permissive) in strict.tensors.iter().zip(&permissive.tensors) {
        assert!(strict.is_err() || strict == permissive, "permissive loses {strict:?}");
    }
    for (strict, permissive) in strict.composites.iter().zip(&permissive.composites) {
        assert!(strict.is_err() || strict == permissive, "permissive loses a composite: {strict:?}");
        assert!(strict.as_ref().map_or(true, |outline| outline.is_complete), "torn, and handed out");
    }
    let report = drive::validate(data.len() as u64, &mut Bytes { data, piece: usize::MAX }, &Policy::strict());
    let findings = report.expect("memory does not fail").findings;
    for reject in strict.rejections() {
        let is_found = findings.iter().any(|finding| finding.rule.site() == reject.rule.site());
        assert!(is_found, "validate does not find what the reader rejects: {reject:?}, but {findings:?}");
    }
}

/// A descriptor and the bytes of its buffers.
type Read = (TensorDescriptor, Vec<Vec<u8>>);

/// All that a reader sees of a file.
#[derive(Debug, PartialEq)]
struct Seen {
    container: Result<Container, Error>,
    names: Vec<Vec<u8>>,
    kv: Vec<String>,
    tensors: Vec<Result<Read, Error>>,
    /// What becomes of every tensor of `tensors` if it is read as a composite.
    composites: Vec<Result<Outline, Error>>,
}

/// The tree of a composite.
#[derive(Debug, PartialEq)]
struct Outline {
    is_complete: bool,
    /// Depth, name and bytes of data of head and members, in the order of the file.
    nodes: Vec<(usize, Vec<u8>, usize)>,
}

impl Outline {
    fn of(root: &Composite) -> Self {
        let mut nodes = vec![(0, root.name.clone(), 0)];
        let mut rest: Vec<(usize, &FileItem)> = root.members.iter().rev().map(|member| (1, member)).collect();
        while let Some((depth, member)) = rest.pop() {
            match member {
                FileItem::Tensor(tensor) => {
                    let len = tensor.buffers.iter().map(|buffer| buffer.len()).sum();
                    nodes.push((depth, tensor.name.clone(), len));
                }
                FileItem::Composite(inner) => {
                    nodes.push((depth, inner.name.clone(), 0));
                    rest.extend(inner.members.iter().rev().map(|member| (depth + 1, member)));
                }
            }
        }
        Outline { is_complete: root.is_complete, nodes }
    }
}

impl Seen {
    fn of(data: &[u8], policy: Policy, piece: usize) -> Self {
        let mut source = Bytes { data, piece };
        let mut core = FileReaderCore::with_policy(data.len() as u64, policy.clone());
        let (opened, ranges) = drive(&mut core, &mut source);
        assert!(piece < usize::MAX || ranges <= MAX_OPEN_RANGES, "opening takes {ranges} ranges");
        let container = opened.map(|step| {
            assert_eq!(step, FileStep::Ready);
            core.container().expect("an open file has a header")
        });
        if let Err(error) = &container {
            assert_eq!(core.step().as_ref(), Err(error), "a failed open is final");
        }
        let names: Vec<Vec<u8>> = core.index().iter().map(|entry| entry.name.to_vec()).collect();
        let kv = core.kv().iter().map(|(key, value)| format!("{key:?}: {:?}", value.to_value())).collect();
        let tensors: Vec<Result<Read, Error>> =
            names.iter().take(MAX_TENSORS).map(|name| tensor(&mut core, &mut source, name)).collect();
        for (name, read) in names.iter().zip(&tensors) {
            if let Ok((descriptor, buffers)) = read {
                assert_same_alone(&core, data, name, &policy, descriptor);
                elements(descriptor, buffers);
            }
        }
        let composites =
            names.iter().take(MAX_COMPOSITES).map(|name| composite(&mut core, &mut source, name)).collect();
        Seen { container, names, kv, tensors, composites }
    }

    fn rejections(&self) -> Vec<&Reject> {
        let errors = self.container.as_ref().err().into_iter();
        let errors = errors.chain(self.tensors.iter().filter_map(|tensor| tensor.as_ref().err()));
        errors.filter_map(|error| if let Error::Reject(reject) = error { Some(reject) } else { None }).collect()
    }
}

/// Reads one tensor; a descriptor read alone has to be the same one.
fn tensor(core: &mut FileReaderCore, source: &mut Bytes<'_>, name: &[u8]) -> Result<Read, Error> {
    core.begin_descriptor(name).expect("an indexed name is found");
    let alone = drive(core, source).0.map(|step| {
        assert_eq!(step, FileStep::Descriptor);
        core.take_descriptor().expect("a descriptor is ready")
    });
    core.begin_tensor(name).expect("a failed job leaves the reader usable");
    let read = drive(core, source).0.map(|step| {
        assert_eq!(step, FileStep::Tensor);
        core.take_tensor().expect("a tensor is ready")
    });
    if let Ok(tensor) = &read {
        assert_eq!(alone.as_ref(), Ok(&tensor.descriptor), "the descriptor alone is another");
    } else if let Err(error) = &alone {
        assert_eq!(read.as_ref().err(), Some(error), "what ends the descriptor ends the tensor");
    }
    let tensor = read?;
    for (buffer, handle) in tensor.buffers.iter().zip(&tensor.descriptor.buffers) {
        assert_eq!(buffer.len() as u64, handle.byte_size);
        assert_eq!(buffer.as_ptr().align_offset(handle.alignment as usize), 0, "less aligned than declared");
    }
    Ok((tensor.descriptor, tensor.buffers.iter().map(|buffer| buffer.to_vec()).collect()))
}

/// The descriptor of that name, decoded from its bytes alone.
fn assert_same_alone(core: &FileReaderCore, data: &[u8], name: &[u8], policy: &Policy, read: &TensorDescriptor) {
    let entry = core.index().find(name).and_then(|position| core.index().get(position)).expect("an indexed name");
    let start = usize::try_from(entry.descriptor_offset).expect("it was read");
    let alone = decode_descriptor(&data[start..], policy.clone());
    assert_eq!(alone.as_ref().map(|(alone, len)| (alone, *len)), Ok((read, entry.descriptor_length)));
}

/// The first element, the last one and one that is not there; whatever the buffers hold, there is an answer.
fn elements(descriptor: &TensorDescriptor, buffers: &[Vec<u8>]) {
    let dims = descriptor.shape.dims();
    let mut indices = vec![vec![0; dims.len()], dims.iter().map(|dim| dim.wrapping_sub(1)).collect(), dims.to_vec()];
    // A token of a paged tensor is in a sequence.
    indices.extend(indices.clone().into_iter().map(|index| [vec![0], index].concat()));
    for index in &indices {
        let value = meaning::decode(descriptor, buffers, index);
        let place = meaning::locate(descriptor, buffers, index);
        assert!(place.is_ok() || value.is_err(), "a value from nowhere: {index:?} of {descriptor:?}");
    }
}

/// Reads one composite; a job that failed leaves the reader usable for the next.
fn composite(core: &mut FileReaderCore, source: &mut Bytes<'_>, name: &[u8]) -> Result<Outline, Error> {
    core.begin_composite(name).expect("an indexed name is found");
    drive(core, source).0.map(|step| {
        assert_eq!(step, FileStep::Composite);
        Outline::of(&core.take_composite().expect("a composite is ready"))
    })
}

/// Answers every range, and counts them.
fn drive(core: &mut FileReaderCore, source: &mut Bytes<'_>) -> (Result<FileStep, Error>, usize) {
    let mut ranges = 0;
    loop {
        match core.step() {
            Ok(FileStep::Range { offset, len }) => {
                ranges += 1;
                assert!(len > 0, "a range of no bytes");
                assert!(offset.checked_add(len as u64).is_some_and(|end| end <= source.data.len() as u64), "outside");
                assert_eq!(core.input_dst().len(), len);
                let filled = source.read_at(offset, core.input_dst()).expect("memory does not fail");
                core.report_filled(filled).expect("no more than offered");
            }
            other => return (other, ranges),
        }
    }
}

/// A file in memory that hands out at most `piece` bytes at once.
struct Bytes<'a> {
    data: &'a [u8],
    piece: usize,
}

impl ReadAt for Bytes<'_> {
    fn read_at(&mut self, offset: u64, dst: &mut [u8]) -> std::io::Result<usize> {
        let rest = usize::try_from(offset).ok().and_then(|start| self.data.get(start..)).unwrap_or_default();
        let filled = rest.len().min(dst.len()).min(self.piece);
        dst[..filled].copy_from_slice(&rest[..filled]);
        Ok(filled)
    }
}
