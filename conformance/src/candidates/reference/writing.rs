//! The reference as a writer: descriptions in, its own calls out.
//!
//! Owns the order of the calls for a composite; what may be written is decided by the reference alone.

use std::fs::File;
use std::io;
use std::slice;

use hurray_adapter::{
    Answer, Failure, KvEntry, NewComposite, NewItem, NewTensor, Observed, Payload, Sink, Text, WriteFeature,
    WriteOptions, Writer, WriterState, Writes, words,
};
use hurray_reference::drive::drive_writer;
use hurray_reference::{ElementType, FileCompositeNode, FileWriterCore, FileWriterOptions, TensorDescriptor};

use super::answer::{LAYOUTS, SCHEMES, failure};
use super::wanted;

/// What it writes beyond plain tensors: typed by hand, so that a new feature is not declared before it is there.
const FEATURES: [WriteFeature; 17] = [
    WriteFeature::Alignment,
    WriteFeature::SortedIndex,
    WriteFeature::Kv,
    WriteFeature::KvIntegers,
    WriteFeature::KvArrayType,
    WriteFeature::ByteOffset,
    WriteFeature::HandleAlignment,
    WriteFeature::HandleSize,
    WriteFeature::Device,
    WriteFeature::Sync,
    WriteFeature::Version,
    WriteFeature::Composite,
    WriteFeature::MemberNames,
    WriteFeature::Shard,
    WriteFeature::Statistics,
    WriteFeature::Extension,
    WriteFeature::Member,
];

/// Composites in composites that are followed here; the format ends at 8, and the writer says so.
const MAX_DEPTH: usize = 64;

/// What the reference writes.
pub(super) fn writes() -> Writes {
    Writes {
        types: ElementType::ALL.iter().filter_map(|kind| kind.name()).map(str::to_owned).collect(),
        layouts: LAYOUTS.map(str::to_owned).to_vec(),
        quantization: SCHEMES.map(str::to_owned).to_vec(),
        features: words(&FEATURES),
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

    fn composite(&mut self, node: &Node<'_>) -> Result<(), Failure> {
        let (core, sink) = (&mut self.core, &mut self.sink);
        with_members(&node.members, Vec::new(), &mut |members| {
            let op = core.composite(node.name, &node.descriptor, members).map_err(|error| failure(error.into()))?;
            drive_writer(op, sink).map_err(failure)
        })
    }
}

impl Writer for Writing {
    fn header(&mut self) -> Answer {
        let op = self.core.header().map_err(|error| failure(error.into()))?;
        drive_writer(op, &mut self.sink).map_err(failure)?;
        Ok(Observed::default())
    }

    fn put(&mut self, item: &NewItem) -> Answer {
        let mut payloads = Vec::new();
        take_payloads(item, &mut payloads, 0)?;
        let mut payloads = payloads.iter();
        let node = Node::of(item, &mut payloads)?;
        if node.is_composite {
            self.composite(&node)?;
        } else {
            let op =
                self.core.tensor(node.name, &node.descriptor, &node.buffers).map_err(|error| failure(error.into()))?;
            drive_writer(op, &mut self.sink).map_err(failure)?;
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

/// An item in the types of the reference; payloads are borrowed from whoever made them.
struct Node<'a> {
    name: &'a str,
    descriptor: TensorDescriptor,
    buffers: Vec<&'a [u8]>,
    members: Vec<Node<'a>>,
    is_composite: bool,
}

/// The payloads of every tensor of an item, in the order of the tree.
fn take_payloads(item: &NewItem, payloads: &mut Vec<Vec<Vec<u8>>>, depth: usize) -> Result<(), Failure> {
    if depth > MAX_DEPTH {
        return Err(Failure::Refused("composites nest too deeply".to_owned()));
    }
    match item {
        NewItem::Tensor(NewTensor { buffers, .. }) => {
            let buffers = buffers.iter().map(Payload::bytes).collect::<Option<Vec<_>>>();
            payloads.push(buffers.ok_or_else(|| Failure::Refused("a payload cannot be made".to_owned()))?);
        }
        NewItem::Composite(NewComposite { members, .. }) => {
            members.iter().try_for_each(|member| take_payloads(member, payloads, depth + 1))?;
        }
    }
    Ok(())
}

impl<'a> Node<'a> {
    fn of(item: &'a NewItem, payloads: &mut slice::Iter<'a, Vec<Vec<u8>>>) -> Result<Self, Failure> {
        let utf8 = |name: &'a Text| {
            std::str::from_utf8(&name.0).map_err(|_| Failure::Refused("a name is not UTF-8".to_owned()))
        };
        Ok(match item {
            NewItem::Tensor(NewTensor { name, descriptor, .. }) => Node {
                name: utf8(name)?,
                descriptor: wanted::descriptor(descriptor)?,
                buffers: payloads.next().map(|buffers| buffers.iter().map(Vec::as_slice).collect()).unwrap_or_default(),
                members: Vec::new(),
                is_composite: false,
            },
            NewItem::Composite(NewComposite { name, descriptor, members }) => Node {
                name: utf8(name)?,
                descriptor: wanted::descriptor(descriptor)?,
                buffers: Vec::new(),
                members: members.iter().map(|member| Node::of(member, payloads)).collect::<Result<_, _>>()?,
                is_composite: true,
            },
        })
    }
}

/// Hands the members to `then` in the types of the writer, whose slices of slices live no longer than this call.
fn with_members<'a, R>(
    mut members: &'a [Node<'a>],
    mut done: Vec<FileCompositeNode<'a>>,
    then: &mut dyn FnMut(&[FileCompositeNode<'_>]) -> R,
) -> R {
    while let Some((first, rest)) = members.split_first() {
        let (name, descriptor) = (first.name, &first.descriptor);
        if first.is_composite {
            return with_members(&first.members, Vec::new(), &mut |nested| {
                let mut done: Vec<FileCompositeNode<'_>> = done.clone();
                done.push(FileCompositeNode::Composite { name, head: descriptor, members: nested });
                with_members(rest, done, then)
            });
        }
        done.push(FileCompositeNode::Tensor { name, descriptor, buffers: &first.buffers });
        members = rest;
    }
    then(&done)
}
