//! Edits: what makes a vector out of a base.
//!
//! Owns the effect of each edit of `vectors/README.md` on a listing. Edits of fields act in the order given; pokes and
//! cuts of the assembled bytes wait for the assembler.

use super::error::{Fault, RecipeError};
use super::listing::{Entry, Listing, Part, parse_lines};
use super::place::Place;

/// One change of a base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Replaces a field; `to` is `type value` or the value alone.
    Set {
        /// The field.
        label: String,
        /// Its new value.
        to: String,
    },
    /// Removes a field or block.
    Cut {
        /// The field or block.
        label: String,
    },
    /// Adds fields in front of a field or block, in its block.
    InsertBefore {
        /// The field or block.
        label: String,
        /// The new fields.
        lines: String,
    },
    /// Adds fields behind a field or block, in its block.
    InsertAfter {
        /// The field or block.
        label: String,
        /// The new fields.
        lines: String,
    },
    /// Adds fields at the end of the file.
    Append {
        /// The new fields.
        lines: String,
    },
    /// Overwrites assembled bytes before checksums are computed.
    Poke {
        /// The field or block.
        label: String,
        /// Bytes from its start.
        at: u64,
        /// The new bytes.
        bytes: Vec<u8>,
    },
    /// Cuts the file `keep` bytes behind the start of a label.
    TruncateAt {
        /// The field or block.
        label: String,
        /// Bytes kept of it.
        keep: u64,
    },
    /// Keeps the first bytes of the file.
    TruncateTo {
        /// Bytes kept.
        len: u64,
    },
    /// Drops the first bytes of the file.
    DropFirst {
        /// Bytes dropped.
        len: u64,
    },
}

impl Listing {
    /// Applies one edit of fields; `false` if it acts on assembled bytes and is left to the assembler.
    pub(crate) fn apply(&mut self, edit: &Edit, place: &Place) -> Result<bool, RecipeError> {
        match edit {
            Edit::Set { label, to } => self.set(label, to, place)?,
            Edit::Cut { label } => {
                let (first, last) = self.span(label, place)?;
                self.entries.drain(first..=last);
            }
            Edit::InsertBefore { label, lines } => {
                let (first, _) = self.span(label, place)?;
                self.insert(first, lines, place)?;
            }
            Edit::InsertAfter { label, lines } => {
                let (_, last) = self.span(label, place)?;
                self.insert(last + 1, lines, place)?;
            }
            Edit::Append { lines } => self.insert(self.entries.len(), lines, place)?,
            Edit::Poke { .. } | Edit::TruncateAt { .. } | Edit::TruncateTo { .. } | Edit::DropFirst { .. } => {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn set(&mut self, label: &str, to: &str, place: &Place) -> Result<(), RecipeError> {
        let (first, _) = self.span(label, place)?;
        let fail = |fault| RecipeError::new(place, label.to_owned(), fault);
        let entry = &mut self.entries[first];
        match &mut entry.part {
            Part::Field(value) => *value = value.reparse(to).map_err(fail)?,
            Part::Open | Part::Close => return Err(fail(Fault::NotAField)),
        }
        entry.place = place.clone();
        Ok(())
    }

    fn insert(&mut self, at: usize, lines: &str, place: &Place) -> Result<(), RecipeError> {
        let scope = self.block_at(at).to_owned();
        let entries = parse_lines(lines, place, &scope, &self.fragments)?;
        self.entries.splice(at..at, entries);
        self.check_labels()
    }

    /// First and last entry of a field or block.
    fn span(&self, label: &str, place: &Place) -> Result<(usize, usize), RecipeError> {
        let named = |entry: &Entry| entry.label == label;
        let ends = self.entries.iter().position(named).zip(self.entries.iter().rposition(named));
        ends.ok_or_else(|| RecipeError::new(place, None, self.unknown(label)))
    }

    /// The innermost block that is open in front of entry `at`.
    fn block_at(&self, at: usize) -> &str {
        let mut open = Vec::new();
        for entry in &self.entries[..at] {
            match entry.part {
                Part::Open => open.push(entry.label.as_str()),
                Part::Close => drop(open.pop()),
                Part::Field(_) => {}
            }
        }
        open.last().copied().unwrap_or("")
    }
}

#[cfg(test)]
#[path = "edit_tests.rs"]
mod tests;
