//! Every requirement a whole file breaks, contested or not: the collecting reader, and what only a walk through the file
//! shows: order, gaps, padding, bits that have to be zero.
//!
//! Does no I/O: bytes come from a function. The same bytes are never asked for without a bound.

mod bits;
mod composites;
mod gaps;
mod integers;
mod scales;
mod scan;
mod stop;
mod stored;

use std::collections::BTreeMap;

use hurray_spec::Rule;

use crate::bytes::to_u64;
use crate::check::composite::head_of;
use crate::check::placement::{check_data, place};
use crate::check::ranges::{Part, Ranges, descriptor_range};
use crate::judge::{Finding, Policy};
use crate::memory::reserved;
use crate::model::TensorDescriptor;
use crate::reader::{FileReaderCore, FileStep};
use crate::reject::Error;

use scan::Scanner;
use stop::Stop;

/// What a walk through a file found.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Every broken rule, at most sixteen findings each.
    pub findings: Vec<Finding>,
    /// How often each rule was found broken, beyond the findings that are kept.
    pub counts: BTreeMap<Rule, usize>,
    /// What ended the walk early and is neither the file's fault nor the transport's.
    pub error: Option<Error>,
}

/// Where one tensor stands; an empty data range is one that is never read.
#[derive(Clone, Copy, Debug)]
struct Extent {
    descriptor: (u64, u64),
    data: (u64, u64),
    /// The descriptor was decoded; without that nothing is known of the data.
    is_decoded: bool,
    /// It is the head of a composite.
    is_head: bool,
}

impl<E, T: Into<Error>> From<T> for Stop<E> {
    fn from(error: T) -> Self {
        Stop::Core(error.into())
    }
}

/// Walks through a file of `size` bytes, of which `read` gives at most as many as asked for, 0 at its end. Rules the
/// policy waives are not reported.
///
/// # Errors
/// The failure of `read`, unchanged.
pub fn validate<E>(
    size: u64,
    policy: &Policy,
    read: impl FnMut(u64, &mut [u8]) -> Result<usize, E>,
) -> Result<Report, E> {
    let mut walk = Walk {
        core: FileReaderCore::with_policy(size, policy.clone().into_collecting()),
        source: Scanner::new(read),
        size,
        unscanned: size,
        report: Report::default(),
    };
    match walk.run() {
        Ok(()) => {}
        Err(Stop::Source(error)) => return Err(error),
        Err(Stop::Core(Error::Reject(_))) => {}
        Err(Stop::Core(error)) => walk.report.error = Some(error),
    }
    walk.report.findings = walk.core.findings().to_vec();
    walk.report.counts = walk.core.judge().counts().clone();
    Ok(walk.report)
}

struct Walk<F> {
    core: FileReaderCore,
    source: Scanner<F>,
    size: u64,
    /// Bytes of data that may still be looked at. Tensors that share no byte never take more than the file has; what goes
    /// beyond it overlaps, is at fault for that, and must not cost time without end.
    unscanned: u64,
    report: Report,
}

impl<E, F: FnMut(u64, &mut [u8]) -> Result<usize, E>> Walk<F> {
    fn run(&mut self) -> Result<(), Stop<E>> {
        self.drive()?;
        let mut extents = reserved(to_u64(self.core.index().len()))?;
        for position in 0..self.core.index().len() {
            extents.push(self.survey(position)?);
        }
        let is_head = |(_, extent): &(usize, &Extent)| extent.is_head;
        let heads: Vec<usize> = extents.iter().enumerate().filter(is_head).map(|(position, _)| position).collect();
        self.check_composites(&heads)?;
        self.check_ranges(&extents)
    }

    /// Serves ranges until the core has something else to say.
    fn drive(&mut self) -> Result<FileStep, Stop<E>> {
        loop {
            match self.core.step()? {
                FileStep::Range { offset, .. } => {
                    let filled = self.source.read(offset, self.core.input_dst()).map_err(Stop::Source)?;
                    self.core.report_filled(filled)?;
                }
                other => return Ok(other),
            }
        }
    }

    /// Decodes one descriptor and judges where its data is said to be.
    fn survey(&mut self, position: usize) -> Result<Extent, Stop<E>> {
        self.core.begin_descriptor_at(position);
        let decoded = match self.drive() {
            Ok(_) => self.core.take_descriptor(),
            // Noted; the other tensors are still to be checked.
            Err(Stop::Core(Error::Reject(_))) => None,
            Err(stop) => return Err(stop),
        };
        match decoded {
            Some(descriptor) => {
                let is_head = head_of(&descriptor).is_some();
                Ok(Extent { is_head, ..self.survey_data(position, &descriptor)? })
            }
            None => Ok(self.entry_extent(position, None)),
        }
    }

    fn survey_data(&mut self, position: usize, descriptor: &TensorDescriptor) -> Result<Extent, Stop<E>> {
        let alignment = self.core.opened().map_or(0, |opened| opened.header.alignment());
        let Some((index, judge)) = self.core.index_and_judge() else { return Ok(self.entry_extent(position, None)) };
        let Some(entry) = index.get(position) else { return Ok(self.entry_extent(position, None)) };
        let placed = place(descriptor, &entry, alignment).and_then(|placement| {
            check_data(&placement, &entry, alignment, self.size, judge)?;
            Ok(placement)
        });
        match placed {
            Ok(placement) => {
                let data = (placement.region.start, placement.region.end);
                if let Some(buffer) = placement.buffers.first() {
                    self.check_bits(descriptor, buffer)?;
                }
                self.check_stored(descriptor, &placement.buffers)?;
                self.check_between(&placement.buffers)?;
                self.check_scales(descriptor, &placement.buffers)?;
                Ok(self.entry_extent(position, Some(data)))
            }
            Err(reject) => {
                judge.note_end(&reject);
                Ok(self.entry_extent(position, None))
            }
        }
    }

    fn entry_extent(&self, position: usize, data: Option<(u64, u64)>) -> Extent {
        let range = self.core.index().get(position).and_then(|entry| descriptor_range(&entry, self.size));
        let descriptor = range.map_or((0, 0), |range| (range.start, range.end));
        Extent { descriptor, data: data.unwrap_or((0, 0)), is_decoded: data.is_some(), is_head: false }
    }

    fn check_ranges(&mut self, extents: &[Extent]) -> Result<(), Stop<E>> {
        let mut ranges = Ranges::for_tensors(extents.len())?;
        if let Some(opened) = self.core.opened() {
            ranges.push(opened.index_range.clone(), Part::Section);
            ranges.push(opened.kv_range.clone().unwrap_or_default(), Part::Section);
        }
        for extent in extents {
            let part = match extent {
                Extent { is_decoded: false, .. } => Part::Undecoded,
                Extent { is_head: true, .. } => Part::Head,
                Extent { .. } => Part::Descriptor,
            };
            ranges.push(extent.descriptor.0..extent.descriptor.1, part(extent.descriptor.0));
            ranges.push(extent.data.0..extent.data.1, Part::Data(extent.descriptor.0));
        }
        ranges.sort();
        ranges.check_disjoint(self.core.judge())?;
        self.check_order(extents)?;
        self.check_gaps(&ranges, extents)
    }
}
