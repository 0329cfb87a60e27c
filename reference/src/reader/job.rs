//! One job on an open file: a descriptor in one range, or a tensor in one more per non-empty buffer.

use std::ops::Range;

use hurray_spec::Rule;

use crate::bytes::to_u64;
use crate::check::descriptor::check_descriptor;
use crate::check::placement::{check_data, place};
use crate::check::ranges::Part;
use crate::check::sections::{check_wrap, is_between, range_in_file};
use crate::judge::Judge;
use crate::memory::{Buffer, reserved};
use crate::model::TensorDescriptor;
use crate::reject::{Error, Misuse, Reject, Unsupported};
use crate::wire::descriptor::{DESCRIPTOR_HEADER_LEN, Decoded, MAX_CONTENT_LEN, read_descriptor};
use crate::wire::index::IndexEntry;

use super::open::Opened;
use super::pending::Pending;

/// One tensor with its data.
#[derive(Clone, Debug)]
pub struct Tensor {
    /// Its name.
    pub name: Vec<u8>,
    /// Its descriptor.
    pub descriptor: TensorDescriptor,
    /// One buffer per handle, at the alignment the handle declares.
    pub buffers: Vec<Buffer>,
}

/// What a job is to hand out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Descriptor,
    Tensor,
}

/// A job and how far it has come.
pub(super) struct Job {
    position: usize,
    kind: Kind,
    stage: Stage,
}

enum Stage {
    Start,
    Descriptor,
    Buffers { tensor: Box<Tensor>, places: Vec<Range<u64>> },
}

/// What a job needs next, or its end.
pub(super) enum Progress {
    Range(Job, Pending),
    Descriptor(Box<TensorDescriptor>),
    Tensor(Box<Tensor>),
}

impl Job {
    pub(super) fn new(position: usize, kind: Kind) -> Self {
        Job { position, kind, stage: Stage::Start }
    }

    /// Takes the bytes that were asked for and says what comes next.
    ///
    /// # Errors
    /// The tensor is at fault or not decoded here, or memory cannot be had.
    pub(super) fn advance(
        self,
        bytes: Option<Buffer>,
        opened: &Opened,
        size: u64,
        judge: &mut Judge,
    ) -> Result<Progress, Error> {
        let entry = opened.index.get(self.position).ok_or(Misuse::NotOpen)?;
        match self.stage {
            Stage::Start => {
                let range = descriptor_to_read(&entry, size, judge)?;
                let job = Job { stage: Stage::Descriptor, ..self };
                Ok(Progress::Range(job, Pending::new(&range, 1)?))
            }
            Stage::Descriptor => {
                let bytes = bytes.map_or_else(|| Buffer::zeroed(0, 1), Ok)?;
                let decoded = decode(&bytes, &entry, judge)?;
                if self.kind == Kind::Descriptor {
                    return Ok(Progress::Descriptor(Box::new(decoded.descriptor)));
                }
                Job::read_data(self.position, decoded, &entry, opened, size, judge)
            }
            Stage::Buffers { mut tensor, places } => {
                tensor.buffers.extend(bytes);
                next_buffer(self.position, tensor, places)
            }
        }
    }

    /// What comes behind the descriptor, which is decoded already, of the tensor at `position` of the index.
    ///
    /// # Errors
    /// As [`advance`](Self::advance).
    pub(super) fn read_data(
        position: usize,
        decoded: Decoded,
        entry: &IndexEntry<'_>,
        opened: &Opened,
        size: u64,
        judge: &mut Judge,
    ) -> Result<Progress, Error> {
        let places = data_to_read(&decoded, entry, opened, size, judge)?;
        let buffers = reserved(to_u64(places.len()))?;
        let tensor = Box::new(Tensor { name: entry.name.to_vec(), descriptor: decoded.descriptor, buffers });
        next_buffer(position, tensor, places)
    }
}

/// The range of the descriptor, at least its fixed header, at most what a descriptor can hold.
pub(super) fn descriptor_to_read(entry: &IndexEntry<'_>, size: u64, judge: &mut Judge) -> Result<Range<u64>, Reject> {
    let (offset, span) = (entry.descriptor_offset, entry.descriptor_offset_span());
    let length = u64::from(entry.descriptor_length);
    check_wrap(offset, length, span)?;
    judge.require(is_between(offset, length, size), Rule::ContainerSafetyDescriptorBounds, span)?;
    range_in_file(offset, length, size, span)?;
    let wanted = length.clamp(DESCRIPTOR_HEADER_LEN, MAX_CONTENT_LEN);
    let end = offset.saturating_add(wanted).min(size);
    range_in_file(offset, end.saturating_sub(offset), size, span)
}

pub(super) fn decode(bytes: &[u8], entry: &IndexEntry<'_>, judge: &mut Judge) -> Result<Decoded, Error> {
    let indexed_len = (entry.descriptor_length, entry.descriptor_length_span());
    let decoded = read_descriptor(bytes, entry.descriptor_offset, indexed_len, judge)?;
    check_descriptor(&decoded, judge)?;
    Ok(decoded)
}

/// Where the buffers are, after everything about their places was judged.
fn data_to_read(
    decoded: &Decoded,
    entry: &IndexEntry<'_>,
    opened: &Opened,
    size: u64,
    judge: &mut Judge,
) -> Result<Vec<Range<u64>>, Error> {
    if judge.is_permissive() && !decoded.descriptor.has_meaning() {
        return Err(Unsupported::UnknownData.into());
    }
    let alignment = opened.header.alignment();
    let placement = place(&decoded.descriptor, entry, alignment)?;
    check_data(&placement, entry, alignment, size, judge)?;
    if !placement.region.is_empty() {
        opened.ranges.check_apart(&placement.region, Part::Data(entry.descriptor_offset), judge)?;
    }
    Ok(placement.buffers)
}

/// Asks for the next non-empty buffer at the alignment its handle declares, or ends the job.
fn next_buffer(position: usize, mut tensor: Box<Tensor>, places: Vec<Range<u64>>) -> Result<Progress, Error> {
    loop {
        let at = tensor.buffers.len();
        let (Some(place), Some(handle)) = (places.get(at), tensor.descriptor.buffers.get(at)) else {
            return Ok(Progress::Tensor(tensor));
        };
        let pending = Pending::new(place, u64::from(handle.alignment))?;
        if !pending.is_full() {
            let stage = Stage::Buffers { tensor, places };
            return Ok(Progress::Range(Job { position, kind: Kind::Tensor, stage }, pending));
        }
        tensor.buffers.push(pending.into_bytes());
    }
}
