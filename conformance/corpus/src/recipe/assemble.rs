//! The assembler: layout, expressions, pokes, checksums, cuts, in this order.
//!
//! Owns offsets and bytes. It never learns what the bytes mean.

use std::collections::BTreeMap;
use std::ops::Range;

use crc::{CRC_32_ISCSI, Crc};

use super::edit::Edit;
use super::error::{Fault, MAX_FILE_LEN, RecipeError};
use super::expression::{Expression, Term};
use super::listing::{Entry, Listing, Part, join};
use super::place::Place;
use super::value::{Content, Value};

const CRC32C: Crc<u32> = Crc::<u32>::new(&CRC_32_ISCSI);

/// A file and where its fields are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assembled {
    /// The file.
    pub bytes: Vec<u8>,
    /// Every field and block that is left in it, in the order of the bytes; blocks before their fields.
    pub labels: Vec<(String, Range<u64>)>,
}

impl Listing {
    /// Assembles the listing as it is.
    ///
    /// # Errors
    /// [`RecipeError`] for unknown labels, values that do not fit, and files beyond [`MAX_FILE_LEN`].
    pub fn assemble(&self) -> Result<Assembled, RecipeError> {
        self.assemble_edited(&[], &Place::file("listing"))
    }

    /// Assembles the listing after `edits`, which stand at `place`.
    ///
    /// # Errors
    /// As [`Listing::assemble`], and for edits that name nothing or leave their field.
    pub fn assemble_with(&self, edits: &[Edit], place: &Place) -> Result<Assembled, RecipeError> {
        let mut listing = self.clone();
        let mut late = Vec::new();
        for edit in edits {
            if !listing.apply(edit, place)? {
                late.push(edit.clone());
            }
        }
        listing.assemble_edited(&late, place)
    }

    fn assemble_edited(&self, late: &[Edit], place: &Place) -> Result<Assembled, RecipeError> {
        let layout = self.layout()?;
        let file = File { listing: self, layout: &layout };
        let mut bytes = file.write()?;
        for edit in late {
            if let Edit::Poke { label, at, bytes: new } = edit {
                file.poke(&mut bytes, label, *at, new, place)?;
            }
        }
        file.write_checksums(&mut bytes)?;
        let mut assembled = Assembled { bytes, labels: file.labels() };
        for edit in late {
            assembled.cut(edit, &file, place)?;
        }
        Ok(assembled)
    }

    /// The byte range of every entry, by its position; a block's range covers its fields.
    fn layout(&self) -> Result<Layout, RecipeError> {
        let mut ranges: Vec<Range<u64>> = Vec::with_capacity(self.entries.len());
        let mut by_label = BTreeMap::new();
        let mut open: Vec<usize> = Vec::new();
        let mut offset = 0_u64;
        for (at, entry) in self.entries.iter().enumerate() {
            let start = offset;
            match &entry.part {
                Part::Open => open.push(at),
                Part::Field(value) => {
                    let end = offset.saturating_add(value.len_at(offset));
                    if end > MAX_FILE_LEN {
                        return Err(RecipeError::new(&entry.place, entry.label.clone(), Fault::TooLarge));
                    }
                    offset = end;
                }
                Part::Close => {
                    if let Some(opened) = open.pop() {
                        ranges[opened].end = offset;
                    }
                }
            }
            ranges.push(start..offset);
            if !matches!(entry.part, Part::Close) {
                by_label.insert(entry.label.clone(), at);
            }
        }
        Ok(Layout { ranges, by_label })
    }
}

struct Layout {
    ranges: Vec<Range<u64>>,
    by_label: BTreeMap<String, usize>,
}

struct File<'a> {
    listing: &'a Listing,
    layout: &'a Layout,
}

impl File<'_> {
    fn fields(&self) -> impl Iterator<Item = (&Entry, &Value, Range<usize>)> {
        self.listing.entries.iter().zip(&self.layout.ranges).filter_map(|(entry, range)| match &entry.part {
            Part::Field(value) => Some((entry, value, as_usize(range))),
            Part::Open | Part::Close => None,
        })
    }

    /// All bytes but checksums, which stay zero.
    fn write(&self) -> Result<Vec<u8>, RecipeError> {
        let len = self.layout.ranges.last().map_or(0, |range| range.end);
        let mut bytes = vec![0; as_usize(&(0..len)).end];
        for (entry, value, range) in self.fields() {
            let target = &mut bytes[range];
            match &value.content {
                Content::Integers(..) if value.has_crc() => {}
                Content::Integers(..) => target.copy_from_slice(&self.integers(entry, value, &[])?),
                Content::Bytes(known) => target.copy_from_slice(known),
                Content::Fill { byte, .. } => target.fill(*byte),
                Content::Ramp { start, .. } => {
                    let mut next = *start;
                    for byte in target {
                        *byte = next;
                        next = next.wrapping_add(1);
                    }
                }
                Content::Align(_) => {}
            }
        }
        Ok(bytes)
    }

    fn write_checksums(&self, bytes: &mut [u8]) -> Result<(), RecipeError> {
        for (entry, value, range) in self.fields() {
            if value.has_crc() {
                let new = self.integers(entry, value, bytes)?;
                bytes[range].copy_from_slice(&new);
            }
        }
        Ok(())
    }

    fn integers(&self, entry: &Entry, value: &Value, bytes: &[u8]) -> Result<Vec<u8>, RecipeError> {
        let Content::Integers(kind, expressions) = &value.content else { return Ok(Vec::new()) };
        let fail = |fault| RecipeError::new(&entry.place, entry.label.clone(), fault);
        let mut out = Vec::new();
        for expression in expressions {
            let number = self.number(expression, entry, bytes).map_err(fail)?;
            let fault = || Fault::DoesNotFit { value: number, keyword: value.keyword.clone() };
            out.extend(kind.bytes(number).ok_or_else(fault).map_err(fail)?);
        }
        Ok(out)
    }

    fn number(&self, expression: &Expression, from: &Entry, bytes: &[u8]) -> Result<i128, Fault> {
        let resolve = |term: &Term| match term {
            Term::Number(number) => Ok(*number),
            Term::Address(name) => self.range(name, &from.label).map(|range| range.start.into()),
            Term::Length(name) => self.range(name, &from.label).map(|range| (range.end - range.start).into()),
            Term::Crc(name) => self.checksum(name, &from.label, bytes).map(i128::from),
        };
        expression.value(resolve, || Fault::SumTooLarge)
    }

    fn checksum(&self, name: &str, from: &str, bytes: &[u8]) -> Result<u32, Fault> {
        let covered = as_usize(self.range(name, from)?);
        let holds_crc = self
            .fields()
            .any(|(_, value, range)| value.has_crc() && range.start < covered.end && covered.start < range.end);
        if holds_crc {
            return Err(Fault::CrcOverCrc(name.to_owned()));
        }
        Ok(CRC32C.checksum(bytes.get(covered).unwrap_or_default()))
    }

    /// The range of the label that `name` means inside `from`: the innermost block that has it wins.
    fn range(&self, name: &str, from: &str) -> Result<&Range<u64>, Fault> {
        let mut scope = from;
        loop {
            scope = scope.rsplit_once('.').map_or("", |(outer, _)| outer);
            if let Some(at) = self.layout.by_label.get(&join(scope, name)) {
                return Ok(&self.layout.ranges[*at]);
            }
            if scope.is_empty() {
                return Err(self.listing.unknown(name));
            }
        }
    }

    fn poke(&self, bytes: &mut [u8], label: &str, at: u64, new: &[u8], place: &Place) -> Result<(), RecipeError> {
        let fail = |fault| RecipeError::new(place, label.to_owned(), fault);
        let range = self.range(label, "").map_err(fail)?;
        let len = range.end - range.start;
        let end = at.checked_add(new.len() as u64).filter(|end| *end <= len);
        let end = end.ok_or_else(|| fail(Fault::PokeOutside { len }))?;
        let target = as_usize(&(range.start + at..range.start + end));
        let hits = |(_, value, field): (&Entry, &Value, Range<usize>)| {
            value.has_crc() && field.start < target.end && target.start < field.end
        };
        if self.fields().any(hits) {
            return Err(fail(Fault::PokeOnCrc));
        }
        bytes[target].copy_from_slice(new);
        Ok(())
    }

    fn labels(&self) -> Vec<(String, Range<u64>)> {
        let entries = self.listing.entries.iter().zip(&self.layout.ranges);
        let named = entries.filter(|(entry, _)| !matches!(entry.part, Part::Close) && !entry.label.is_empty());
        named.map(|(entry, range)| (entry.label.clone(), range.clone())).collect()
    }
}

impl Assembled {
    /// Cuts the finished bytes and what labels say about them.
    fn cut(&mut self, edit: &Edit, file: &File<'_>, place: &Place) -> Result<(), RecipeError> {
        let len = self.bytes.len() as u64;
        let (label, kept) = match edit {
            Edit::TruncateAt { label, keep } => {
                let fail = |fault| RecipeError::new(place, None, fault);
                let start = file.range(label, "").map_err(fail)?.start;
                (Some(label.clone()), 0..start.saturating_add(*keep))
            }
            Edit::TruncateTo { len } => (None, 0..*len),
            Edit::DropFirst { len: first } => (None, *first..len.max(*first)),
            _ => return Ok(()),
        };
        if kept.start > len || kept.end > len {
            return Err(RecipeError::new(place, label, Fault::CutOutside { len }));
        }
        self.bytes.truncate(as_usize(&kept).end);
        self.bytes.drain(..as_usize(&kept).start);
        self.labels.retain_mut(|(_, range)| {
            let was_empty = range.is_empty();
            let within = range.start.max(kept.start)..range.end.min(kept.end);
            let left = within.start < within.end || (was_empty && within.start == within.end);
            *range = within.start.saturating_sub(kept.start)..within.end.saturating_sub(kept.start);
            left
        });
        Ok(())
    }
}

/// Offsets inside a file of at most [`MAX_FILE_LEN`] bytes always fit; others saturate and then fail a bounds check.
fn as_usize(range: &Range<u64>) -> Range<usize> {
    let narrow = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX);
    narrow(range.start)..narrow(range.end)
}

#[cfg(test)]
#[path = "assemble_tests.rs"]
mod tests;
