//! The reference as a writer: descriptions in, its own calls out.
//!
//! Owns the order of the calls for a composite; what may be written is decided by the reference alone.

use std::fs::File;
use std::io;

use hurray_adapter::{
    Answer, Failure, KvEntry, NewComposite, NewItem, NewTensor, Observed, Payload, Sink, Text, WriteOptions, Writer,
    WriterState, Writes,
};
use hurray_reference::drive::drive_writer;
use hurray_reference::{ElementType, FileWriterCore, FileWriterOptions, TensorDescriptor};

use super::{LAYOUTS, failure, wanted};

/// Composites in composites that are followed here; the format ends at 8, and the writer says so.
const MAX_DEPTH: usize = 64;

/// What the reference writes.
pub(super) fn writes() -> Writes {
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    Writes {
        types: ElementType::ALL.iter().filter_map(|kind| kind.name()).map(str::to_owned).collect(),
        layouts: words(&LAYOUTS),
        quantization: words(&["per_tensor", "per_channel", "per_block", "nf4", "mxfp"]),
        features: words(&[
            "alignment",
            "sorted_index",
            "kv",
            "kv_integers",
            "byte_offset",
            "handle_alignment",
            "device",
            "composite",
            "shard",
            "statistics",
            "extension",
            "member",
        ]),
    }
}

/// One file that the reference writes.
pub(super) struct Writing {
    core: FileWriterCore,
    sink: Box<dyn io::Write>,
}

impl Writing {
    pub(super) fn create(sink: Sink, options: &WriteOptions) -> Result<Self, Failure> {
        let default = FileWriterOptions::default();
        let options = FileWriterOptions {
            data_buffer_alignment: options.data_buffer_alignment.unwrap_or(default.data_buffer_alignment),
            sorted_index: options.sorted_index.unwrap_or(default.sorted_index),
        };
        let core = FileWriterCore::with_options(options).map_err(|error| failure(error.into()))?;
        let sink: Box<dyn io::Write> = match sink {
            Sink::Path(path) => Box::new(File::create(path)?),
            Sink::Served(served) => served,
        };
        Ok(Writing { core, sink })
    }

    fn tensor(&mut self, name: &Text, descriptor: &TensorDescriptor, buffers: &[Vec<u8>]) -> Result<(), Failure> {
        let name = std::str::from_utf8(&name.0).map_err(|_| Failure::Refused("a name is not UTF-8".to_owned()))?;
        let buffers: Vec<&[u8]> = buffers.iter().map(Vec::as_slice).collect();
        let op = self.core.tensor(name, descriptor, &buffers).map_err(|error| failure(error.into()))?;
        drive_writer(op, &mut self.sink).map_err(failure)
    }
}

impl Writer for Writing {
    fn header(&mut self) -> Answer {
        let op = self.core.header().map_err(|error| failure(error.into()))?;
        drive_writer(op, &mut self.sink).map_err(failure)?;
        Ok(Observed::default())
    }

    fn put(&mut self, item: &NewItem) -> Answer {
        let mut nodes = Vec::new();
        flatten(item, &mut nodes, 0)?;
        for (name, descriptor, buffers) in &nodes {
            self.tensor(name, descriptor, buffers)?;
        }
        Ok(Observed::default())
    }

    fn finish(&mut self, kv: &[KvEntry]) -> Answer {
        let entries = kv.iter().map(wanted::entry).collect::<Result<_, _>>()?;
        let op = self.core.finish(entries).map_err(|error| failure(error.into()))?;
        drive_writer(op, &mut self.sink).map_err(failure)?;
        self.sink.flush()?;
        Ok(Observed::default())
    }

    fn state(&self) -> Option<WriterState> {
        Some(if self.core.is_unusable() { WriterState::Unusable } else { WriterState::Usable })
    }
}

type Node<'a> = (&'a Text, TensorDescriptor, Vec<Vec<u8>>);

/// The tensors of an item in the order they stand in the file.
fn flatten<'a>(item: &'a NewItem, nodes: &mut Vec<Node<'a>>, depth: usize) -> Result<(), Failure> {
    if depth > MAX_DEPTH {
        return Err(Failure::Refused("composites nest too deeply".to_owned()));
    }
    match item {
        NewItem::Tensor(NewTensor { name, descriptor, buffers }) => {
            let buffers = buffers.iter().map(Payload::bytes).collect::<Option<Vec<_>>>();
            let buffers = buffers.ok_or_else(|| Failure::Refused("a payload cannot be made".to_owned()))?;
            nodes.push((name, wanted::descriptor(descriptor)?, buffers));
        }
        NewItem::Composite(NewComposite { name, descriptor, members }) => {
            nodes.push((name, wanted::descriptor(descriptor)?, Vec::new()));
            for member in members {
                flatten(member, nodes, depth + 1)?;
            }
        }
    }
    Ok(())
}
