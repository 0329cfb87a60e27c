//! The writer without I/O: every item is checked as a whole before its first byte, then offered in stretches, forwards.
//!
//! Owns the order of a file and what a failure costs (ruling R71): as long as no byte of an item is out, nothing has
//! happened; after that the file can only be started again. How structures are encoded is for `wire`.

mod composite;
mod encode;
mod op;
mod state;

use crate::bytes::{round_up, to_u64};
use crate::check::composite::head_of;
use crate::model::{KvValue, TensorDescriptor};
use crate::reject::{Error, Misuse};
use crate::wire::header::{FILE_HEADER_LEN, MAX_ALIGNMENT, MIN_ALIGNMENT, flag, put_header};
use crate::wire::index::{NewEntry, put_index};
use crate::wire::kv::put_kv;
use crate::wire::trailer::put_trailer;

pub use composite::{FileCompositeNode, FileTensorNode, flatten_composite};
pub use op::{FileWriteOp, WriteStep};

use composite::{check_next, flatten};
use encode::{check_name, encode};
use op::Stretches;
use state::{Commit, Stage, State};

/// What a file is written with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileWriterOptions {
    /// Alignment of data in the file, in bytes: a power of two from 4096 to 2 MiB.
    pub data_buffer_alignment: u32,
    /// Whether the index is sorted by name, and says so.
    pub sorted_index: bool,
}

impl Default for FileWriterOptions {
    fn default() -> Self {
        FileWriterOptions { data_buffer_alignment: MIN_ALIGNMENT, sorted_index: false }
    }
}

/// A tensor to be laid out; `encoded` is its descriptor.
struct Item<'a> {
    name: &'a str,
    is_head: bool,
    encoded: Vec<u8>,
}

/// Writes one file: the header, tensors in any number, then the end.
///
/// Each call gives an operation that borrows its payloads until the item is written.
#[derive(Debug)]
pub struct FileWriterCore {
    options: FileWriterOptions,
    state: State,
}

impl Default for FileWriterCore {
    fn default() -> Self {
        Self::new()
    }
}

impl FileWriterCore {
    /// A writer with data aligned to 4096 bytes and the index in the order of writing.
    pub fn new() -> Self {
        let options = FileWriterOptions::default();
        FileWriterCore { options, state: State::default() }
    }

    /// A writer with other options.
    ///
    /// # Errors
    /// An alignment that the format does not allow.
    pub fn with_options(options: FileWriterOptions) -> Result<Self, Error> {
        let alignment = options.data_buffer_alignment;
        if !alignment.is_power_of_two() || !(MIN_ALIGNMENT..=MAX_ALIGNMENT).contains(&alignment) {
            return Err(Misuse::Alignment(alignment).into());
        }
        Ok(FileWriterCore { options, ..Self::new() })
    }

    /// Whether an item stopped in its middle, so that this file can never be completed.
    pub fn is_unusable(&self) -> bool {
        self.state.is_unusable()
    }

    /// Begins the 64-byte header, the first item of every file.
    ///
    /// # Errors
    /// The header is out already, or the writer is unusable.
    pub fn header(&mut self) -> Result<FileWriteOp<'_>, Error> {
        match self.state.stage {
            Stage::Header => {}
            Stage::Tensors => return Err(Misuse::HeaderTwice.into()),
            Stage::Finished => return Err(Misuse::Finished.into()),
            Stage::Unusable => return Err(Misuse::Unusable.into()),
        }
        let sorted = if self.options.sorted_index { flag::SORTED } else { 0 };
        let mut stretches = Stretches::default();
        stretches.bytes(put_header(flag::CRC | sorted, self.options.data_buffer_alignment));
        Ok(FileWriteOp::new(&mut self.state, stretches, Commit::Header { end: FILE_HEADER_LEN }))
    }

    /// Begins one tensor with one payload per buffer handle. Behind a head come its members, and nothing else until all of
    /// them are written; [`composite`](Self::composite) writes them together.
    ///
    /// # Errors
    /// The header is missing, the file is finished or unusable, or an argument is refused: the name, the number or the
    /// length of the payloads, a descriptor that breaks a rule, by itself or as the next member of the composite under
    /// way. Nothing is written then, and the name stays free.
    pub fn tensor<'a>(
        &'a mut self,
        name: &str,
        descriptor: &TensorDescriptor,
        buffers: &'a [&'a [u8]],
    ) -> Result<FileWriteOp<'a>, Error> {
        self.require_tensors()?;
        self.require_name(name)?;
        let encoded = encode(descriptor, buffers)?;
        let step = check_next(&self.state.groups, descriptor)?;
        let mut stretches = Stretches::default();
        let item = Item { name, is_head: head_of(descriptor).is_some(), encoded };
        let (entry, end) = self.lay_out(&mut stretches, self.state.offset, item, buffers)?;
        Ok(FileWriteOp::new(
            &mut self.state,
            stretches,
            Commit::Tensors { end, entries: vec![entry], step: Some(step) },
        ))
    }

    /// Begins a whole composite as one item: the head, then every member, nested ones too. The tree is judged before the
    /// first byte, as in [`flatten_composite`], and its names are compared with those in the file.
    ///
    /// # Errors
    /// As [`tensor`](Self::tensor) and [`flatten_composite`]; or another composite is under way, to which tensors are added
    /// one by one. Nothing is written then, and all names stay free.
    pub fn composite<'a>(
        &'a mut self,
        name: &'a str,
        head: &'a TensorDescriptor,
        members: &'a [FileCompositeNode<'a>],
    ) -> Result<FileWriteOp<'a>, Error> {
        self.require_tensors()?;
        self.require_closed()?;
        let nodes = flatten(name, head, members)?;
        let (mut stretches, mut end, mut entries) = (Stretches::default(), self.state.offset, Vec::new());
        for (node, encoded) in nodes {
            self.require_name(node.name)?;
            let item = Item { name: node.name, is_head: head_of(node.descriptor).is_some(), encoded };
            let (entry, next) = self.lay_out(&mut stretches, end, item, node.buffers)?;
            entries.push(entry);
            end = next;
        }
        Ok(FileWriteOp::new(&mut self.state, stretches, Commit::Tensors { end, entries, step: None }))
    }

    /// Appends one tensor whose descriptor starts at `offset`, and says where the next one starts.
    fn lay_out<'a>(
        &self,
        stretches: &mut Stretches<'a>,
        offset: u64,
        item: Item<'_>,
        buffers: &'a [&'a [u8]],
    ) -> Result<(NewEntry, u64), Misuse> {
        let alignment = u64::from(self.options.data_buffer_alignment);
        let descriptor_length = u32::try_from(item.encoded.len()).map_err(|_| Misuse::Encoding)?;
        stretches.bytes(item.encoded);
        let descriptor_end = add(offset, u64::from(descriptor_length))?;
        // Behind a head stands its first member, and no data.
        let data_offset = pad(stretches, descriptor_end, if item.is_head { 8 } else { alignment })?;
        let mut end = data_offset;
        for (at, buffer) in buffers.iter().enumerate() {
            if at > 0 {
                end = pad(stretches, end, alignment)?;
            }
            stretches.payload(buffer);
            end = add(end, to_u64(buffer.len()))?;
        }
        let data_length = end.saturating_sub(data_offset);
        end = pad(stretches, end, 8)?;
        let name = item.name.to_owned();
        Ok((NewEntry { name, descriptor_offset: offset, descriptor_length, data_offset, data_length }, end))
    }

    /// Begins the end of the file: key-values if there are any, index, trailer.
    ///
    /// # Errors
    /// The header is missing, the file is finished or unusable, a composite lacks members, or an entry is refused. Nothing
    /// is written then.
    pub fn finish(&mut self, kv: Vec<(String, KvValue)>) -> Result<FileWriteOp<'_>, Error> {
        self.require_tensors()?;
        self.require_closed()?;
        let mut stretches = Stretches::default();
        let mut end = self.state.offset;
        let mut located = (0, 0);
        if !kv.is_empty() {
            let section = put_kv(&kv)?;
            let length = u32::try_from(section.len()).map_err(|_| Misuse::KvTooLong)?;
            located = (end, length);
            end = add(end, u64::from(length))?;
            stretches.bytes(section);
            end = pad(&mut stretches, end, 8)?;
        }
        let mut entries: Vec<&NewEntry> = self.state.entries.iter().collect();
        if self.options.sorted_index {
            entries.sort_unstable_by(|a, b| a.name.as_bytes().cmp(b.name.as_bytes()));
        }
        let index = put_index(entries.into_iter())?;
        let trailer = put_trailer(end, to_u64(index.len()), located, crc32c::crc32c(&index));
        end = add(end, to_u64(index.len()))?;
        end = add(end, to_u64(trailer.len()))?;
        stretches.bytes(index);
        stretches.bytes(trailer);
        Ok(FileWriteOp::new(&mut self.state, stretches, Commit::Finish { end }))
    }

    fn require_tensors(&self) -> Result<(), Misuse> {
        match self.state.stage {
            Stage::Header => Err(Misuse::HeaderMissing),
            Stage::Tensors => Ok(()),
            Stage::Finished => Err(Misuse::Finished),
            Stage::Unusable => Err(Misuse::Unusable),
        }
    }

    /// A torn composite never reaches the sink.
    fn require_closed(&self) -> Result<(), Misuse> {
        match self.state.groups.depth() {
            0 => Ok(()),
            _ => Err(Misuse::CompositeOpen { missing: u64::from(self.state.groups.missing()) }),
        }
    }

    fn require_name(&self, name: &str) -> Result<(), Misuse> {
        check_name(name)?;
        if self.state.names.contains(name) { Err(Misuse::NameTaken) } else { Ok(()) }
    }
}

fn add(offset: u64, len: u64) -> Result<u64, Misuse> {
    offset.checked_add(len).ok_or(Misuse::FileTooLong)
}

fn pad(stretches: &mut Stretches<'_>, offset: u64, alignment: u64) -> Result<u64, Misuse> {
    let end = round_up(offset, alignment).ok_or(Misuse::FileTooLong)?;
    stretches.zeros(end.saturating_sub(offset));
    Ok(end)
}
