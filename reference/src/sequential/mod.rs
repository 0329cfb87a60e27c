//! Reading a file from its first byte to its last, without going back or ahead: what comes out of a pipe.
//!
//! Owns the order of things: header, tensors, what stands behind them. Where the next item begins is arithmetic on the
//! running offset; what a buffer holds is handed on and never looked at. Padding is no buffer content and is looked at
//! (ruling R32), since writers pad to 8 or to the alignment. The last forty bytes seen are always held back, so that the
//! trailer is never taken for part of a tensor. Does no I/O.

mod region;
mod tail;

use crate::bytes::to_u64;
use crate::judge::{Judge, Policy, bound};
use crate::model::TensorDescriptor;
use crate::reader::Container;
use crate::reject::{Error, Span};
use crate::wire::header::{FILE_HEADER_LEN, FileHeader, read_header};
use crate::wire::index::Index;
use crate::wire::kv::KvSection;
use crate::wire::trailer::TRAILER_LEN;

use hurray_spec::Rule;
use region::Region;

/// What a sequential reader tells while the bytes go by. All of it is provisional until
/// [`SequentialReader::finish`] has seen the end of the file: names, and whether the file is what it looked like, stand there.
pub trait Passing {
    /// A tensor begins; its descriptor stands at that absolute offset.
    fn tensor(&mut self, descriptor_offset: u64, descriptor: TensorDescriptor);

    /// The next bytes of a buffer of that tensor, by its position in the buffer table. A buffer comes in any number of
    /// pieces, none of them empty; an empty one in none.
    fn piece(&mut self, buffer: usize, bytes: &[u8]);
}

/// What the end of the file says.
#[derive(Debug)]
pub struct Scanned {
    /// Bytes of the file.
    pub size: u64,
    /// The header's fields.
    pub container: Container,
    /// The tensors, with their names; in the same number and places as they went by.
    pub index: Index,
    /// The key-value entries.
    pub kv: KvSection,
}

impl Scanned {
    /// The name of the tensor whose descriptor stands at that offset.
    pub fn name_at(&self, descriptor_offset: u64) -> Option<&[u8]> {
        let order = self.index.in_offset_order();
        let offset = |position: &usize| self.index.get(*position).map_or(0, |entry| entry.descriptor_offset);
        let at = order.partition_point(|position| offset(position) < descriptor_offset);
        let entry = self.index.get(*order.get(at)?)?;
        (entry.descriptor_offset == descriptor_offset).then_some(entry.name)
    }
}

/// Reads one file in order. Push the bytes as they come, in pieces of any size, then finish.
///
/// Memory: what stands behind the tensors is held until the file ends, at most 64 MiB of it; of the tensors one descriptor at
/// a time and a few numbers each. Payload is never held.
#[derive(Debug)]
pub struct SequentialReader {
    judge: Judge,
    stage: Stage,
    /// The bytes that may turn out to be the trailer: the last ones that came, at most forty.
    held: Vec<u8>,
    /// Absolute offset of the first byte that is held back.
    offset: u64,
}

#[derive(Debug)]
enum Stage {
    /// The header, as far as it has come.
    Header(Vec<u8>),
    Region(Box<Region>),
}

impl SequentialReader {
    /// A reader by that policy; permissive reading is not offered.
    pub fn new(policy: Policy) -> Self {
        SequentialReader { judge: Judge::new(policy), stage: Stage::Header(Vec::new()), held: Vec::new(), offset: 0 }
    }

    /// Takes the next bytes of the file.
    ///
    /// # Errors
    /// What the bytes so far amount to; the file cannot be read on.
    pub fn push(&mut self, bytes: &[u8], passing: &mut dyn Passing) -> Result<(), Error> {
        let keep = usize::try_from(TRAILER_LEN).unwrap_or(usize::MAX);
        let over = self.held.len().saturating_add(bytes.len()).saturating_sub(keep);
        let held = std::mem::take(&mut self.held);
        let (old, still_held) = held.split_at(over.min(held.len()));
        self.advance(old, passing)?;
        let (new, to_hold) = bytes.split_at(over.saturating_sub(old.len()));
        self.advance(new, passing)?;
        self.held = [still_held, to_hold].concat();
        Ok(())
    }

    /// Takes bytes that are not the trailer.
    fn advance(&mut self, mut bytes: &[u8], passing: &mut dyn Passing) -> Result<(), Error> {
        if let Stage::Header(header) = &mut self.stage {
            let missing = usize::try_from(FILE_HEADER_LEN).unwrap_or(0).saturating_sub(header.len());
            let (more, rest) = bytes.split_at(missing.min(bytes.len()));
            header.extend_from_slice(more);
            self.offset = self.offset.saturating_add(to_u64(more.len()));
            if more.len() < missing {
                return Ok(());
            }
            let header = read_header(header, &mut self.judge)?;
            self.stage = Stage::Region(Box::new(Region::new(header)));
            bytes = rest;
        }
        let Stage::Region(region) = &mut self.stage else { return Ok(()) };
        while !bytes.is_empty() {
            let taken = region.take(self.offset, bytes, &mut self.judge, passing)?;
            // No file has more bytes than an offset can count.
            let next = self.offset.checked_add(to_u64(taken));
            bound(next.is_some(), Rule::ContainerSafetyOffsetOverflow, Span::at(self.offset, to_u64(taken)))?;
            self.offset = next.unwrap_or(u64::MAX);
            bytes = bytes.get(taken..).unwrap_or_default();
        }
        Ok(())
    }

    /// Says that the file is over, and checks what went by against what stands behind it: that the tensors end where a
    /// section begins, and that the index names each of them where it was.
    ///
    /// # Errors
    /// The file ends in the middle of something, or is not what it looked like.
    pub fn finish(self) -> Result<Scanned, Error> {
        let SequentialReader { mut judge, stage, held, offset } = self;
        let size = offset.saturating_add(to_u64(held.len()));
        crate::check::sections::check_size(size)?;
        match stage {
            Stage::Region(region) => tail::finish(*region, &held, size, &mut judge),
            // A file of that size has sent its header.
            Stage::Header(_) => Err(crate::reject::Misuse::NotOpen.into()),
        }
    }
}

fn container(header: &FileHeader) -> Container {
    Container {
        version: [header.major.value, header.minor.value],
        flags: header.flags.value,
        data_buffer_alignment: header.data_buffer_alignment.value,
    }
}
