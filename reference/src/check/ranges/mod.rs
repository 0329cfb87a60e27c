//! No two parts of a file share a byte: the index, the key-value section, descriptors, data.
//!
//! From the index alone only so much is certain: `data_length` may count padding behind the last buffer that is not there
//! (ruling R27). Opening judges the certain part, reading a tensor the exact one.

use std::ops::Range;

use hurray_spec::Rule;

use crate::bytes::to_u64;
use crate::check::sections::is_between;
use crate::judge::Judge;
use crate::memory::reserved;
use crate::reject::{Error, Limit, Reject, Span};
use crate::wire::index::{Index, IndexEntry};

/// What a range of the file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    /// The index or the key-value section.
    Section,
    /// The descriptor at that offset.
    Descriptor(u64),
    /// The descriptor of a head at that offset.
    Head(u64),
    /// A descriptor at that offset that could not be decoded, so that where its data ends is not known.
    Undecoded(u64),
    /// Data of the tensor whose descriptor stands at that offset.
    Data(u64),
}

impl Part {
    /// Two index entries for one tensor share its bytes by right; they are at fault as aliases.
    fn is_same(self, other: Part) -> bool {
        self == other && self != Part::Section
    }
}

/// Ranges with what they hold, in the order of their starts.
#[derive(Debug, Default)]
pub(crate) struct Ranges(Vec<(u64, u64, Part)>);

impl Ranges {
    /// With room for the parts of `tensors` tensors.
    ///
    /// # Errors
    /// The memory cannot be had.
    pub(crate) fn for_tensors(tensors: usize) -> Result<Self, Limit> {
        Ok(Ranges(reserved(to_u64(tensors).saturating_mul(2).saturating_add(2))?))
    }

    pub(crate) fn push(&mut self, range: Range<u64>, part: Part) {
        if !range.is_empty() {
            self.0.push((range.start, range.end, part));
        }
    }

    pub(crate) fn sort(&mut self) {
        self.0.sort_unstable();
    }

    /// Every range, by its start.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Range<u64>, Part)> {
        self.0.iter().map(|(start, end, part)| (*start..*end, *part))
    }

    /// Requires that no two of the sorted ranges share a byte.
    ///
    /// # Errors
    /// Two do; the span is the shared bytes.
    pub(crate) fn check_disjoint(&self, judge: &mut Judge) -> Result<(), Reject> {
        let mut furthest: Option<(u64, Part)> = None;
        for (range, part) in self.iter() {
            if let Some((end, before)) = furthest {
                let shared = range.start..range.end.min(end);
                let is_apart = shared.is_empty() || before.is_same(part);
                judge.require(is_apart, Rule::ContainerRegionNoOverlap, span_of(&shared))?;
            }
            if furthest.is_none_or(|(end, _)| range.end > end) {
                furthest = Some((range.end, part));
            }
        }
        Ok(())
    }

    /// Requires that `range`, which holds `part`, shares no byte with another of the sorted, disjoint ranges.
    ///
    /// # Errors
    /// It does; the span is the shared bytes.
    pub(crate) fn check_apart(&self, range: &Range<u64>, part: Part, judge: &mut Judge) -> Result<(), Reject> {
        let first = self.0.partition_point(|(_, end, _)| *end <= range.start);
        for (start, end, other) in self.0.iter().skip(first).take_while(|(start, ..)| *start < range.end) {
            let shared = range.start.max(*start)..range.end.min(*end);
            let is_apart = shared.is_empty() || part.is_same(*other);
            judge.require(is_apart, Rule::ContainerRegionNoOverlap, span_of(&shared))?;
        }
        Ok(())
    }
}

/// The bytes of a range of the file.
pub(crate) fn span_of(range: &Range<u64>) -> Span {
    Span::at(range.start, range.end.saturating_sub(range.start))
}

/// The ranges that are certain from the index alone, sorted. Those out of bounds are left out: they are at fault
/// themselves, when they are asked for.
///
/// # Errors
/// The memory cannot be had.
pub(crate) fn certain_ranges(
    index: &Index,
    sections: [Option<Range<u64>>; 2],
    alignment: u64,
    size: u64,
) -> Result<Ranges, Error> {
    let mut ranges = Ranges::for_tensors(index.len())?;
    for section in sections.into_iter().flatten() {
        ranges.push(section, Part::Section);
    }
    for entry in index.iter() {
        if let Some(range) = descriptor_range(&entry, size) {
            ranges.push(range, Part::Descriptor(entry.descriptor_offset));
        }
        let certain = entry.data_length.min(1).max(entry.data_length.saturating_sub(alignment.saturating_sub(1)));
        if is_between(entry.data_offset, certain, size) {
            let end = entry.data_offset.saturating_add(certain);
            ranges.push(entry.data_offset..end, Part::Data(entry.descriptor_offset));
        }
    }
    ranges.sort();
    Ok(ranges)
}

/// The descriptor's range, if it lies between header and trailer.
pub(crate) fn descriptor_range(entry: &IndexEntry<'_>, size: u64) -> Option<Range<u64>> {
    let len = u64::from(entry.descriptor_length);
    let is_inside = is_between(entry.descriptor_offset, len, size);
    is_inside.then(|| entry.descriptor_offset..entry.descriptor_offset.saturating_add(len))
}

#[cfg(test)]
mod tests;
