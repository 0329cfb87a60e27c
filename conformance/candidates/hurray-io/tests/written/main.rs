//! Files written by the published `hurray-io`, as seen by the reference: read as they were meant, and without a finding.
//!
//! What was meant is stated once, in `cases`, in values that belong to neither side. Knows no vector and no verdict.

mod beyond;
mod cases;
mod ours;
mod theirs;

use std::io::Write;
use std::path::PathBuf;

use hurray_adapter::{
    BufferObservation, Candidate, Fields, HandleObservation, KvEntry, Source, TensorObservation, Text, U64,
};
use hurray_conformance::candidates::reference::Reference;

use crate::cases::{File, Tensor};

/// A file of the library on disk, gone with the value.
struct OnDisk(PathBuf);

impl OnDisk {
    fn new(name: &str, bytes: &[u8]) -> Self {
        let path = std::env::temp_dir().join(format!("hurray-io-{}-{name}.hrry", std::process::id()));
        let mut file = std::fs::File::create(&path).expect("a temporary file");
        file.write_all(bytes).expect("a temporary file");
        OnDisk(path)
    }

    fn source(&self) -> Source {
        Source::Path(self.0.clone())
    }
}

impl Drop for OnDisk {
    fn drop(&mut self) {
        // A file that stays behind in the temporary folder harms nobody.
        let _ = std::fs::remove_file(&self.0);
    }
}

fn meant(tensor: &Tensor) -> TensorObservation {
    TensorObservation {
        version: Some([1, 0]),
        element_type: Some(tensor.element_type.to_owned()),
        layout: Some(tensor.layout.name().to_owned()),
        shape: Some(tensor.shape.iter().copied().map(U64).collect()),
        byte_offset: Some(U64(tensor.byte_offset)),
        strides: tensor.layout.strides(),
        handles: Some(vec![HandleObservation {
            byte_size: Some(U64(tensor.data.len() as u64)),
            alignment: Some(tensor.alignment),
            device_tag: Some(tensor.device_tag),
            sync_mode: Some(0),
            memory_class: Some(tensor.memory_class),
        }]),
        layout_fields: Some(Fields::new()),
        ..TensorObservation::default()
    }
}

/// Reads everything there is to read, and holds it against what was meant.
fn is_read_as_meant(name: &str, meant_file: &File) {
    let disk = OnDisk::new(name, &theirs::write(meant_file));
    let mut reference = Reference::strict();
    let (seen, mut reader) =
        reference.open(disk.source()).unwrap_or_else(|failure| panic!("{name}: open: {failure:?}"));
    let container = seen.container.expect("the reference shows the header");
    assert_eq!(container.data_buffer_alignment, Some(meant_file.alignment), "{name}");

    let mut names: Vec<&str> = meant_file.tensors.iter().map(|tensor| tensor.name).collect();
    if meant_file.sorted {
        names.sort_unstable();
    }
    let names: Vec<Text> = names.into_iter().map(Text::from).collect();
    assert_eq!(reader.list().expect("list").names, Some(names), "{name}");

    let kv = meant_file.kv.iter().map(|(key, value)| KvEntry { key: Text::from(*key), value: value.clone() }).collect();
    assert_eq!(reader.kv().expect("kv").kv, Some(kv), "{name}");

    for tensor in &meant_file.tensors {
        let what = format!("{name}: {}", tensor.name);
        let read = reader.read(tensor.name.as_bytes()).unwrap_or_else(|failure| panic!("{what}: {failure:?}"));
        assert_eq!(read.tensor, Some(meant(tensor)), "{what}");
        let buffers = read.buffers.unwrap_or_default();
        let bytes: Vec<_> =
            buffers.into_iter().map(|buffer| BufferObservation { memory_alignment: None, ..buffer }).collect();
        assert_eq!(bytes, [BufferObservation::of(&tensor.data)], "{what}");
    }
}

#[test]
fn what_the_library_writes_is_read_as_meant() {
    for (name, file) in cases::all() {
        is_read_as_meant(name, &file);
    }
}

#[test]
fn what_the_library_writes_breaks_no_rule() {
    for (name, file) in cases::all() {
        let disk = OnDisk::new(&format!("validate-{name}"), &theirs::write(&file));
        let seen = Reference::strict().validate(disk.source()).unwrap_or_else(|failure| panic!("{name}: {failure:?}"));
        assert_eq!(seen.findings, Some(Vec::new()), "{name}");
    }
}

#[test]
fn the_reference_writes_the_same_bytes() {
    for (name, file) in cases::all() {
        let (ours, theirs) = (ours::write(&file), theirs::write(&file));
        let differ = ours.iter().zip(&theirs).position(|(ours, theirs)| ours != theirs);
        assert_eq!(differ, None, "{name}: the first byte that differs");
        assert_eq!(ours.len(), theirs.len(), "{name}");
    }
}

/// A finding would otherwise prove nothing: it is found when one byte of such a file is turned.
#[test]
fn a_broken_file_of_the_library_is_found() {
    let (name, file) = cases::all().into_iter().find(|(name, _)| *name == "one-tensor").expect("the case");
    let mut bytes = theirs::write(&file);
    let last_padding = bytes.iter().rposition(|byte| *byte == 0x40).expect("the data").wrapping_sub(100);
    bytes[last_padding] = 1;
    let disk = OnDisk::new(&format!("broken-{name}"), &bytes);
    let seen = Reference::strict().validate(disk.source()).expect("it can be walked through");
    assert_ne!(seen.findings, Some(Vec::new()), "byte {last_padding}");
}
