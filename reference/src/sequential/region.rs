//! The tensors as they go by: descriptor, padding, buffers, padding, and again.
//!
//! Owns the walk and what is remembered of it. What stands behind the tensors is collected here and understood in `tail`.

use std::ops::Range;

use hurray_spec::Rule;

use crate::bytes::{round_up, to_u64};
use crate::check::descriptor::check_descriptor;
use crate::judge::{Judge, bound};
use crate::memory::reserved;
use crate::reject::{Error, Limit, Span};
use crate::wire::descriptor::{DESCRIPTOR_HEADER_LEN, DESCRIPTOR_MAGIC, Decoded, MAX_CONTENT_LEN, read_descriptor};
use crate::wire::header::FileHeader;

use super::scanned::Passing;

/// Items begin at multiples of this.
const STEP: u64 = 8;
/// Bytes behind the tensors that are held: key-values and index of any model, and not of any pipe.
const MAX_TAIL: u64 = 64 << 20;

/// One tensor that went by.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub(super) descriptor_offset: u64,
    pub(super) descriptor_length: u32,
    /// From the first byte of the first buffer to the last of the last; empty if there are none.
    pub(super) data: Range<u64>,
}

/// The tensor region, and what stands behind it.
#[derive(Debug)]
pub(super) struct Region {
    pub(super) header: FileHeader,
    pub(super) seen: Vec<Seen>,
    pub(super) part: Part,
}

/// What the next byte is part of.
#[derive(Debug)]
pub(super) enum Part {
    /// Bytes of no meaning up to that offset, where the next item may begin.
    Until(u64),
    /// A place where an item may begin.
    Boundary(Boundary),
    Descriptor(Descriptor),
    /// The buffers of the tensor seen last, those that are not empty, from this one on.
    Data(Vec<(usize, Range<u64>)>, usize),
    /// Behind the tensors.
    Tail(Tail),
}

/// Eight bytes at a time behind the last tensor: padding, or the next item.
#[derive(Debug)]
pub(super) struct Boundary {
    /// Where an item may begin at the earliest.
    from: u64,
    word: Vec<u8>,
}

#[derive(Debug)]
pub(super) struct Descriptor {
    offset: u64,
    bytes: Vec<u8>,
}

/// What stands behind the tensors.
#[derive(Debug, Default)]
pub(super) struct Tail {
    /// Absolute offset of its first byte.
    pub(super) from: u64,
    /// Bytes of padding that it may begin with.
    pub(super) padding_len: usize,
    pub(super) bytes: Vec<u8>,
}

impl Region {
    pub(super) fn new(header: FileHeader) -> Self {
        Region { part: Part::Until(header.first_descriptor_offset.value), header, seen: Vec::new() }
    }

    /// Takes some of `bytes`, whose first stands at `offset`; says how many, at least one.
    pub(super) fn take(
        &mut self,
        offset: u64,
        bytes: &[u8],
        judge: &mut Judge,
        passing: &mut dyn Passing,
    ) -> Result<usize, Error> {
        // A part that is through takes nothing; each is followed by one that does.
        loop {
            let taken = match &mut self.part {
                Part::Until(end) if offset < *end => up_to(end.saturating_sub(offset), bytes),
                Part::Until(_) => {
                    self.part = Part::Boundary(Boundary { from: offset, word: Vec::new() });
                    continue;
                }
                Part::Boundary(_) => self.boundary(offset, bytes)?,
                Part::Descriptor(_) => match self.descriptor(offset, bytes, judge, passing)? {
                    0 => continue,
                    taken => taken,
                },
                Part::Data(buffers, at) => match buffers.get(*at) {
                    Some((_, range)) if offset < range.start => up_to(range.start.saturating_sub(offset), bytes),
                    Some((buffer, range)) if offset < range.end => {
                        let taken = up_to(range.end.saturating_sub(offset), bytes);
                        passing.piece(*buffer, &bytes[..taken]);
                        taken
                    }
                    Some(_) => {
                        *at = at.saturating_add(1);
                        continue;
                    }
                    None => {
                        self.part = Part::Until(next_item(offset)?);
                        continue;
                    }
                },
                Part::Tail(tail) => tail.extend(bytes)?,
            };
            return Ok(taken);
        }
    }

    /// Up to eight bytes of a word; a whole one is the begin of a descriptor, padding, or behind the tensors.
    fn boundary(&mut self, offset: u64, bytes: &[u8]) -> Result<usize, Error> {
        let alignment = self.header.alignment();
        let Part::Boundary(Boundary { from, word }) = &mut self.part else { return Ok(0) };
        let taken = up_to(STEP.saturating_sub(to_u64(word.len())), bytes);
        word.extend_from_slice(&bytes[..taken]);
        if to_u64(word.len()) < STEP {
            return Ok(taken);
        }
        let end = offset.saturating_add(to_u64(taken));
        let start = end.saturating_sub(STEP);
        // In front of the first descriptor all padding is passed already.
        let limit = if self.seen.is_empty() { *from } else { round_up(*from, alignment).unwrap_or(u64::MAX) };
        if word.starts_with(&DESCRIPTOR_MAGIC) {
            // No key-value section and no index begins like this: both count first.
            self.part = Part::Descriptor(Descriptor { offset: start, bytes: std::mem::take(word) });
        } else if end <= limit && word.iter().all(|byte| *byte == 0) {
            word.clear();
        } else {
            let tail = Tail::begin(*from, start.saturating_sub(*from), word)?;
            self.part = Part::Tail(tail);
        }
        Ok(taken)
    }

    /// Bytes of a descriptor, up to its end or as many as are decoded.
    fn descriptor(
        &mut self,
        offset: u64,
        bytes: &[u8],
        judge: &mut Judge,
        passing: &mut dyn Passing,
    ) -> Result<usize, Error> {
        let Part::Descriptor(part) = &mut self.part else { return Ok(0) };
        let wanted = part.wanted();
        let missing = wanted.saturating_sub(to_u64(part.bytes.len()));
        if missing > 0 {
            let taken = up_to(missing, bytes);
            part.bytes.extend_from_slice(&bytes[..taken]);
            return Ok(taken);
        }
        let (start, length) = (part.offset, part.length());
        let length_span = Span::value(start.saturating_add(6), 4, u64::from(length));
        let decoded = read_descriptor(&part.bytes, start, (length, length_span), judge)?;
        check_descriptor(&decoded, judge)?;
        let descriptor_end = start.checked_add(u64::from(length).max(wanted));
        bound(descriptor_end.is_some(), Rule::ContainerSafetyOffsetOverflow, length_span)?;
        let end = descriptor_end.unwrap_or(offset);
        let buffers = places(&decoded, end, self.header.alignment())?;
        let data = match (buffers.first(), buffers.last()) {
            (Some((_, first)), Some((_, last))) => first.start..last.end,
            _ => end..end,
        };
        self.seen.push(Seen { descriptor_offset: start, descriptor_length: length, data });
        passing.tensor(start, decoded.descriptor);
        self.part = if buffers.is_empty() { Part::Until(next_item(end)?) } else { Part::Data(buffers, 0) };
        Ok(0)
    }
}

impl Descriptor {
    /// `descriptor_length`, once its bytes are there.
    fn length(&self) -> u32 {
        let field = self.bytes.get(6..10).and_then(|field| field.try_into().ok());
        field.map_or(0, u32::from_le_bytes)
    }

    /// How many bytes are decoded: the fixed header at least. What a descriptor has beyond any content goes by.
    fn wanted(&self) -> u64 {
        match self.bytes.len() {
            0..10 => 10,
            _ => u64::from(self.length()).clamp(DESCRIPTOR_HEADER_LEN, MAX_CONTENT_LEN),
        }
    }
}

impl Tail {
    fn begin(from: u64, padding_len: u64, word: &[u8]) -> Result<Tail, Error> {
        // Padding is shorter than the largest alignment, 2 MiB, unless that is waived.
        if padding_len > MAX_TAIL {
            return Err(Limit::Tail { len: MAX_TAIL }.into());
        }
        let mut bytes: Vec<u8> = reserved(padding_len.saturating_add(STEP))?;
        let padding_len = usize::try_from(padding_len).unwrap_or(0);
        bytes.resize(padding_len, 0);
        bytes.extend_from_slice(word);
        Ok(Tail { from, padding_len, bytes })
    }

    fn extend(&mut self, bytes: &[u8]) -> Result<usize, Error> {
        let len = to_u64(self.bytes.len().saturating_add(bytes.len()));
        if len > MAX_TAIL {
            return Err(Limit::Tail { len: MAX_TAIL }.into());
        }
        self.bytes.try_reserve(bytes.len()).map_err(|_| Limit::Memory { len })?;
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }
}

impl Part {
    /// What stands behind the tensors, when the file is over; `None` in the middle of one.
    pub(super) fn into_tail(self, end: u64) -> Result<Option<Tail>, Error> {
        Ok(match self {
            Part::Tail(tail) => Some(tail),
            Part::Boundary(Boundary { from, word }) => {
                let start = end.saturating_sub(to_u64(word.len()));
                Some(Tail::begin(from, start.saturating_sub(from), &word)?)
            }
            Part::Until(from) if from == end => Some(Tail::begin(from, 0, &[])?),
            Part::Until(_) | Part::Descriptor(_) | Part::Data(..) => None,
        })
    }
}

/// Where the buffers stand that are not empty, each at a multiple of the file's alignment.
fn places(decoded: &Decoded, descriptor_end: u64, alignment: u64) -> Result<Vec<(usize, Range<u64>)>, Error> {
    let mut buffers = Vec::new();
    let mut next = descriptor_end;
    for (at, handle) in decoded.descriptor.buffers.iter().enumerate().filter(|(_, handle)| handle.byte_size > 0) {
        let start = round_up(next, alignment);
        let end = start.and_then(|start| start.checked_add(handle.byte_size));
        bound(end.is_some(), Rule::ContainerSafetyOffsetOverflow, decoded.byte_size_span(at))?;
        let (Some(start), Some(end)) = (start, end) else { break };
        buffers.push((at, start..end));
        next = end;
    }
    Ok(buffers)
}

fn next_item(offset: u64) -> Result<u64, Error> {
    let next = round_up(offset, STEP);
    bound(next.is_some(), Rule::ContainerSafetyOffsetOverflow, Span::at(offset, 0))?;
    Ok(next.unwrap_or(offset))
}

fn up_to(wanted: u64, bytes: &[u8]) -> usize {
    usize::try_from(wanted).unwrap_or(usize::MAX).min(bytes.len())
}
