//! Every source shows the same file; one that is cut while it is read gives an error, and no data that is not there. A sink
//! that is closed is an error, too.

mod common;

use std::fs::File;
use std::io::{Cursor, ErrorKind, Write};

use common::sample_file;
use hurray_blob::Blob;
use hurray_reference::drive::{self, Memory, Positional, Seeking, Source, drive_reader, drive_writer};
use hurray_reference::{Error, FileStep, FileWriterCore, Policy, Tensor};
use hurray_spec::Rule;

fn on_disk(bytes: &[u8]) -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    file
}

fn read(source: &mut impl Source) -> Result<Vec<Tensor>, drive::Error> {
    let mut core = drive::open(source, Policy::strict())?;
    let names: Vec<Vec<u8>> = core.index().iter().map(|entry| entry.name.to_vec()).collect();
    let mut tensors = Vec::new();
    for name in names {
        core.begin_tensor(&name)?;
        assert_eq!(drive_reader(&mut core, source)?, FileStep::Tensor);
        tensors.extend(core.take_tensor());
    }
    Ok(tensors)
}

#[test]
fn all_sources_show_the_same_file() {
    let bytes = sample_file();
    let file = on_disk(&bytes);
    let shown = |tensors: Vec<Tensor>| -> Vec<_> {
        tensors.into_iter().map(|tensor| (tensor.name, tensor.descriptor, tensor.buffers)).collect()
    };
    let expected = shown(read(&mut Memory(&bytes)).unwrap());
    assert_eq!((expected.len(), expected[2].2[0].len()), (3, 5000));
    assert_eq!(shown(read(&mut Seeking(Cursor::new(&bytes))).unwrap()), expected);
    assert_eq!(shown(read(&mut Positional(File::open(file.path()).unwrap())).unwrap()), expected);
    let mut blob = Blob::open(file.path()).unwrap();
    assert!(blob.is_mapped());
    assert_eq!(shown(read(&mut blob).unwrap()), expected);
    assert_eq!(shown(read(&mut Blob::owned(bytes)).unwrap()), expected);
}

#[test]
fn an_empty_file_is_no_container_whatever_it_is_read_from() {
    let file = on_disk(&[]);
    let blob = Blob::open(file.path()).unwrap();
    assert!(!blob.is_mapped());
    for error in [
        read(&mut { blob }).unwrap_err(),
        read(&mut Memory([])).unwrap_err(),
        read(&mut Positional(File::open(file.path()).unwrap())).unwrap_err(),
    ] {
        let drive::Error::Core(Error::Reject(reject)) = error else { panic!("{error:?}") };
        assert_eq!(reject.rule, Rule::ContainerSafetyMinFile);
    }
}

/// Opens the file, cuts it in the middle of the last tensor, and reads that tensor.
fn cut(mut source: impl Source, file: &File) -> drive::Error {
    let mut core = drive::open(&mut source, Policy::strict()).unwrap();
    file.set_len(13_000).unwrap();
    core.begin_tensor("bytes").unwrap();
    let error = drive_reader(&mut core, &mut source).unwrap_err();
    assert!(core.take_tensor().is_none());
    error
}

#[test]
fn a_file_that_is_cut_while_it_is_read_gives_an_error() {
    let file = on_disk(&sample_file());
    let mapped = cut(Blob::open(file.path()).unwrap(), file.as_file());
    assert!(matches!(&mapped, drive::Error::Io(error) if error.kind() == ErrorKind::UnexpectedEof), "{mapped:?}");
    let file = on_disk(&sample_file());
    let positional = cut(Positional(File::open(file.path()).unwrap()), file.as_file());
    let drive::Error::Core(Error::Reject(reject)) = positional else { panic!("{positional:?}") };
    assert_eq!(reject.rule, Rule::IoReadZeroTruncated);
}

/// A sink that takes the first bytes and is closed then.
struct Closing(usize);

impl Write for Closing {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let taken = bytes.len().min(self.0);
        self.0 -= taken;
        Ok(taken)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_sink_that_takes_nothing_is_closed() {
    for (room, torn) in [(0, false), (10, true)] {
        let mut core = FileWriterCore::new();
        let error = drive_writer(core.header().unwrap(), &mut Closing(room)).unwrap_err();
        let is_closed = matches!(error, drive::Error::Core(Error::SinkClosed { torn: found }) if found == torn);
        assert!(is_closed, "{error:?}");
        assert_eq!(core.is_unusable(), torn);
    }
}
