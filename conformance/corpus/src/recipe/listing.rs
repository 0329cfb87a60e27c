//! Listings: text to a flat run of fields and block brackets, every label in full.
//!
//! Owns the line grammar and the uniqueness of labels. Knows nothing of offsets.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::error::{Fault, RecipeError};
use super::expression::is_label;
use super::fragment::{Fragments, Line};
use super::place::Place;
use super::value::Value;
use crate::similar::closest;

/// A complete file, as fields in the order of its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    pub(crate) entries: Vec<Entry>,
    /// What its lines, and those of edits, may use.
    pub(crate) fragments: Arc<Fragments>,
}

/// One field, or one end of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The full label, blocks included.
    pub(crate) label: String,
    pub(crate) place: Place,
    pub(crate) part: Part,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Open,
    Field(Value),
    Close,
}

impl Listing {
    /// A file of no bytes.
    pub fn empty() -> Self {
        Listing { entries: Vec::new(), fragments: Arc::default() }
    }

    /// Parses a listing without fragments whose first line stands at `place`.
    ///
    /// # Errors
    /// As [`Listing::parse_with`].
    pub fn parse(text: &str, place: &Place) -> Result<Listing, RecipeError> {
        Listing::parse_with(text, place, &Arc::default())
    }

    /// Parses a listing whose first line stands at `place`, and which may use `fragments`.
    ///
    /// # Errors
    /// [`RecipeError`] for the first line that is not of the language, and for labels used twice.
    pub fn parse_with(text: &str, place: &Place, fragments: &Arc<Fragments>) -> Result<Listing, RecipeError> {
        let listing = Listing { entries: parse_lines(text, place, "", fragments)?, fragments: Arc::clone(fragments) };
        listing.check_labels()?;
        Ok(listing)
    }

    /// Every label, blocks before their fields.
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        let named = self.entries.iter().filter(|entry| !matches!(entry.part, Part::Close));
        named.map(|entry| entry.label.as_str())
    }

    /// Adds a field without a name.
    pub(crate) fn push_value(&mut self, text: &str, place: &Place) -> Result<(), RecipeError> {
        let value = Value::parse(text).map_err(|fault| RecipeError::new(place, None, fault))?;
        self.entries.push(Entry { label: String::new(), place: place.clone(), part: Part::Field(value) });
        Ok(())
    }

    pub(crate) fn check_labels(&self) -> Result<(), RecipeError> {
        let mut seen: BTreeMap<&str, &Place> = BTreeMap::new();
        for entry in self.entries.iter().filter(|entry| !matches!(entry.part, Part::Close)) {
            if let Some(first) = seen.insert(&entry.label, &entry.place) {
                let fault = Fault::DuplicateLabel { first: first.clone() };
                return Err(RecipeError::new(&entry.place, entry.label.clone(), fault));
            }
        }
        Ok(())
    }

    /// The fault of a label that does not exist, with a guess at what is meant.
    pub(crate) fn unknown(&self, name: &str) -> Fault {
        let similar = closest(name, self.labels());
        Fault::UnknownLabel { label: name.to_owned(), similar }
    }
}

/// `name` inside the block `scope`.
pub(crate) fn join(scope: &str, name: &str) -> String {
    if scope.is_empty() { name.to_owned() } else { format!("{scope}.{name}") }
}

/// Parses lines whose labels stand in the block `scope`.
pub(crate) fn parse_lines(
    text: &str,
    place: &Place,
    scope: &str,
    fragments: &Fragments,
) -> Result<Vec<Entry>, RecipeError> {
    let mut entries = Vec::new();
    let mut open: Vec<(String, Place)> = Vec::new();
    for Line { text: line, place } in fragments.expand(text, place)? {
        let fail = |label: Option<String>, fault| RecipeError::new(&place, label, fault);
        let line = line.as_ref();
        if line.is_empty() {
            continue;
        }
        if line == "}" {
            let (label, _) = open.pop().ok_or_else(|| fail(None, Fault::StrayClose))?;
            entries.push(Entry { label, place, part: Part::Close });
            continue;
        }
        let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        if !is_label(name) {
            let fault = if name.contains(['{', '}']) { Fault::BraceNotAlone } else { Fault::BadLabel };
            return Err(fail(Some(name.to_owned()), fault));
        }
        let label = join(open.last().map_or(scope, |(block, _)| block), name);
        let rest = rest.trim();
        if let Some(inner) = rest.strip_prefix('{') {
            if !inner.is_empty() {
                return Err(fail(Some(label), Fault::BraceNotAlone));
            }
            open.push((label.clone(), place.clone()));
            entries.push(Entry { label, place, part: Part::Open });
            continue;
        }
        let value = Value::parse(rest).map_err(|fault| fail(Some(label.clone()), fault))?;
        entries.push(Entry { label, place, part: Part::Field(value) });
    }
    match open.pop() {
        Some((label, place)) => Err(RecipeError::new(&place, label, Fault::UnclosedBlock)),
        None => Ok(entries),
    }
}

#[cfg(test)]
#[path = "listing_tests.rs"]
mod tests;
