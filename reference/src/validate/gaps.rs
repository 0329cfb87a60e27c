//! Order of the parts, and what stands between them: only as many bytes as alignment asks for, all of them zero.

use std::ops::Range;

use hurray_spec::Rule;

use crate::bytes::round_up;
use crate::check::ranges::{Part, Ranges, span_of};
use crate::reject::Span;
use crate::wire::header::FILE_HEADER_LEN;
use crate::wire::trailer::TRAILER_LEN;

use super::{Extent, Stop, Walk};

impl<E, F: FnMut(u64, &mut [u8]) -> Result<usize, E>> Walk<F> {
    /// Tensors, then key-values, then the index; data right behind its descriptor.
    pub(super) fn check_order(&mut self, extents: &[Extent]) -> Result<(), Stop<E>> {
        let Some(opened) = self.core.opened() else { return Ok(()) };
        let alignment = opened.header.alignment();
        let index = opened.index_range.clone();
        let kv = opened.kv_range.clone();
        let sections = kv.as_ref().map_or(index.start, |kv| kv.start.min(index.start));
        let judge = self.core.judge();
        if let Some(kv) = kv {
            judge.require(kv.start <= index.start, Rule::ContainerRegionSectionOrder, span_of(&kv))?;
        }
        for extent in extents {
            let (start, end) = extent.descriptor;
            let last = if extent.data.0 < extent.data.1 { start.max(extent.data.0) } else { start };
            let span = Span::at(last, 1);
            judge.require(last <= sections || start == end, Rule::ContainerRegionSectionOrder, span)?;
            let has_data = extent.data.0 < extent.data.1;
            let is_aligned = extent.data.0.is_multiple_of(alignment.max(1));
            if has_data && is_aligned {
                let is_next = round_up(end, alignment) == Some(extent.data.0);
                let span = Span::at(extent.data.0, 1);
                judge.require(is_next, Rule::ContainerRegionDataNextBoundary, span)?;
            }
        }
        Ok(())
    }

    /// Judges every stretch that belongs to no part, from the header to the trailer.
    pub(super) fn check_gaps(&mut self, ranges: &Ranges, extents: &[Extent]) -> Result<(), Stop<E>> {
        let mut end = FILE_HEADER_LEN;
        let mut before = None;
        for (range, part) in ranges.iter() {
            if range.start >= end {
                self.check_gap(end..range.start, before, part, extents.is_empty())?;
            }
            if range.end > end || before.is_none() {
                (end, before) = (range.end.max(end), Some(part));
            }
        }
        // The sections come last: what stands between them and the trailer is no alignment.
        let trailer = self.size.saturating_sub(TRAILER_LEN);
        let is_closed = before != Some(Part::Section) || end >= trailer;
        let span = Span::at(end, trailer.saturating_sub(end));
        Ok(self.core.judge().require(is_closed, Rule::ContainerRegionSectionGap, span)?)
    }

    fn check_gap(&mut self, gap: Range<u64>, before: Option<Part>, after: Part, is_empty: bool) -> Result<(), Stop<E>> {
        match (before, after) {
            (None, _) => self.check_lead(gap, after, is_empty),
            (Some(Part::Descriptor(owner)), Part::Data(of)) if owner == of => {
                self.require_zero(gap, Rule::ContainerRegionDescriptorPadZero)
            }
            (Some(Part::Section), Part::Section) => {
                self.require_extent(&gap, &[8], Rule::ContainerRegionSectionGap)?;
                self.require_zero(gap, Rule::ContainerRegionSectionGap)
            }
            // The order is at fault, or where the gap begins is not known; what it should be, nobody says.
            (Some(Part::Section | Part::Undecoded(_)), _) | (Some(_), Part::Data(_)) => Ok(()),
            (Some(Part::Head(_)), Part::Descriptor(_) | Part::Head(_) | Part::Undecoded(_)) => {
                self.check_head_tail(gap)
            }
            (Some(_), Part::Descriptor(_) | Part::Head(_) | Part::Undecoded(_)) => {
                self.check_tail(gap, Rule::ContainerRegionDescriptorSuccessor)
            }
            (Some(_), Part::Section) => self.check_tail(gap, Rule::ContainerRegionSectionGap),
        }
    }

    /// Between two buffers of one tensor stands nothing but zeros.
    pub(super) fn check_between(&mut self, buffers: &[Range<u64>]) -> Result<(), Stop<E>> {
        let mut filled = buffers.iter().filter(|buffer| !buffer.is_empty());
        let Some(mut before) = filled.next() else { return Ok(()) };
        for buffer in filled {
            let gap = before.end..buffer.start;
            // What shares bytes, or lies outside the file, is at fault itself.
            let unscanned = self.unscanned.checked_sub(gap.end.saturating_sub(gap.start));
            let Some(unscanned) = unscanned.filter(|_| gap.end <= self.size) else { return Ok(()) };
            self.unscanned = unscanned;
            self.require_zero(gap, Rule::ContainerRegionInterBufferPadZero)?;
            before = buffer;
        }
        Ok(())
    }

    /// Between header and first descriptor there may be as much padding as the header says.
    fn check_lead(&mut self, gap: Range<u64>, after: Part, is_empty: bool) -> Result<(), Stop<E>> {
        let first = self.core.opened().map_or(0, |opened| opened.header.first_descriptor_offset.value);
        if is_empty && after == Part::Section {
            // Without tensors the padding may reach as far as the first descriptor would have stood.
            let most = round_up(first.max(FILE_HEADER_LEN), 8).unwrap_or(u64::MAX);
            let span = span_of(&gap);
            self.core.judge().require(gap.end <= most, Rule::ContainerRegionSectionGap, span)?;
        }
        self.require_zero(gap, Rule::ContainerRegionLeadPaddingZero)
    }

    /// Behind a tensor the padding ends at the next multiple of 8, or of the data alignment (rulings R28, R30).
    fn check_tail(&mut self, gap: Range<u64>, rule: Rule) -> Result<(), Stop<E>> {
        let alignment = self.core.opened().map_or(0, |opened| opened.header.alignment());
        self.require_extent(&gap, &[8, alignment], rule)?;
        self.require_zero(gap, Rule::ContainerRegionTrailingPadZero)
    }

    /// Behind a head the first member stands at the next multiple of 8; writers that align it like data are known (ruling
    /// R29).
    fn check_head_tail(&mut self, gap: Range<u64>) -> Result<(), Stop<E>> {
        let is_next = round_up(gap.start, 8) == Some(gap.end);
        let span = span_of(&gap);
        self.core.judge().require(is_next, Rule::ContainerCompositeNoPadAfterHead, span)?;
        self.check_tail(gap, Rule::ContainerRegionDescriptorSuccessor)
    }

    fn require_extent(&mut self, gap: &Range<u64>, alignments: &[u64], rule: Rule) -> Result<(), Stop<E>> {
        let is_padding = alignments.iter().any(|alignment| round_up(gap.start, *alignment) == Some(gap.end));
        let span = span_of(gap);
        Ok(self.core.judge().require(is_padding, rule, span)?)
    }

    pub(super) fn require_zero(&mut self, gap: Range<u64>, rule: Rule) -> Result<(), Stop<E>> {
        let Some((offset, byte)) = self.scan(gap, |byte| byte != 0)? else { return Ok(()) };
        Ok(self.core.judge().require(false, rule, Span::value(offset, 1, u64::from(byte)))?)
    }

    /// The first byte of `range` that `is_wrong`; a source that ends early is noted.
    pub(super) fn scan(
        &mut self,
        range: Range<u64>,
        is_wrong: impl Fn(u8) -> bool,
    ) -> Result<Option<(u64, u8)>, Stop<E>> {
        self.source.find(range, is_wrong).inspect_err(|stop| {
            if let Stop::Core(crate::reject::Error::Reject(reject)) = stop {
                self.core.note_end(reject);
            }
        })
    }
}
