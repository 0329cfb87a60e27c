//! Reading a file from its first byte to its last, without going back or ahead: what comes out of a pipe.
//!
//! Owns the order of things: header, tensors, what stands behind them. Where the next item begins is arithmetic on the
//! running offset; what a buffer holds is handed on and never looked at. Padding is no buffer content and is looked at
//! (ruling R32), since writers pad to 8 or to the alignment. The last forty bytes seen are always held back, so that the
//! trailer is never taken for part of a tensor. Does no I/O.

mod region;
mod scanned;
mod tail;

use crate::bytes::to_u64;
use crate::judge::{Judge, Policy, bound};
use crate::reject::{Error, Span};
use crate::wire::header::{FILE_HEADER_LEN, read_header};
use crate::wire::trailer::TRAILER_LEN;

use hurray_spec::Rule;
pub use scanned::{Passing, Scanned};

use region::Region;

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
