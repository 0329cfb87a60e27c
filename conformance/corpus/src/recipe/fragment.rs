//! Fragments: lines of a listing under a name, with parameters, and what a use of one stands for.
//!
//! Owns `use` and `$parameter`. Text becomes text before anything is parsed: knows no type, no label and no field.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::error::{Fault, RecipeError};
use super::expression::is_label;
use super::fragment_fault::FragmentFault;
use super::place::Place;
use crate::similar::closest;

/// The word that asks for a fragment.
const USE: &str = "use";
/// The most that the lines of fragments may take in one listing, in bytes of memory.
const MAX_PUT: usize = 16 << 20;

/// Lines of a listing that are written once and used under their name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fragment {
    /// The name that a use gives.
    pub name: String,
    /// Where its first line stands.
    pub place: Place,
    /// The lines; `$parameter` stands for what a use gives, as text.
    pub lines: String,
    /// What stands for parameters that a use leaves out.
    pub defaults: BTreeMap<String, String>,
}

/// All fragments that a listing may use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fragments {
    by_name: BTreeMap<String, Fragment>,
}

/// One line of a listing without its comment, and where it stands.
pub(super) struct Line<'a> {
    pub(super) text: Cow<'a, str>,
    pub(super) place: Place,
}

/// `label use name arguments`; without a label the lines stand by themselves, with one they are its block.
struct Use<'a> {
    label: Option<&'a str>,
    name: &'a str,
    arguments: &'a str,
}

impl Fragment {
    /// The first word of each line, as written.
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        self.lines.lines().filter_map(|line| without_comment(line).split_whitespace().next())
    }

    fn parameters(&self) -> BTreeSet<&str> {
        self.lines.lines().flat_map(|line| without_comment(line).split('$').skip(1)).map(|rest| word(rest).0).collect()
    }

    fn line(&self, number: usize) -> Place {
        Place { file: self.place.file.clone(), line: self.place.line + number }
    }

    /// A fragment is lines of fields and blocks: no other fragment, and each default for a parameter that there is.
    fn check(&self) -> Result<(), RecipeError> {
        for (number, line) in self.lines.lines().enumerate() {
            let line = without_comment(line).trim();
            let fail = |fault: FragmentFault| RecipeError::new(&self.line(number), None, fault.into());
            if let Some(inner) = Use::parse(line) {
                return Err(fail(FragmentFault::Nested(inner.name.to_owned())));
            }
            if let Some(rest) = line.split('$').skip(1).find(|rest| word(rest).0.is_empty()) {
                return Err(fail(FragmentFault::BadParameter(format!("${rest}"))));
            }
        }
        let unknown = self.defaults.keys().find_map(|name| self.unknown(name));
        let fault = unknown.map(Fault::from).or_else(|| (!is_label(&self.name)).then_some(Fault::BadLabel));
        fault.map_or(Ok(()), |fault| Err(RecipeError::new(&self.place, self.name.clone(), fault)))
    }

    /// The fault of a parameter that the fragment does not have.
    fn unknown(&self, parameter: &str) -> Option<FragmentFault> {
        let known = self.parameters();
        (!known.contains(parameter)).then(|| FragmentFault::UnknownParameter {
            fragment: self.name.clone(),
            parameter: parameter.to_owned(),
            similar: closest(parameter, known.into_iter()),
        })
    }

    /// What each parameter stands for in a use.
    fn values<'a>(&'a self, arguments: &'a str) -> Result<BTreeMap<&'a str, &'a str>, FragmentFault> {
        let mut values: BTreeMap<&str, &str> = BTreeMap::new();
        for argument in split_at_commas(arguments) {
            let bad = || FragmentFault::BadParameter(argument.trim().to_owned());
            let (name, value) = argument.split_once('=').ok_or_else(bad)?;
            let (name, value) = (name.trim(), value.trim());
            if let Some(fault) = self.unknown(name) {
                return Err(fault);
            }
            if value.is_empty() || values.insert(name, value).is_some() {
                return Err(bad());
            }
        }
        for (name, value) in &self.defaults {
            values.entry(name).or_insert(value);
        }
        match self.parameters().into_iter().find(|name| !values.contains_key(name)) {
            Some(missing) => {
                Err(FragmentFault::MissingParameter { fragment: self.name.clone(), parameter: missing.to_owned() })
            }
            None => Ok(values),
        }
    }
}

impl Fragments {
    /// Adds a fragment.
    ///
    /// # Errors
    /// [`RecipeError`] for a second fragment of its name, one that uses another, and a `$` or default without its
    /// parameter.
    pub fn add(&mut self, fragment: Fragment) -> Result<(), RecipeError> {
        fragment.check()?;
        if let Some(first) = self.by_name.get(&fragment.name) {
            let fault = FragmentFault::Duplicate { first: first.place.clone() };
            return Err(RecipeError::new(&fragment.place, fragment.name, fault.into()));
        }
        self.by_name.insert(fragment.name.clone(), fragment);
        Ok(())
    }

    /// The lines of `text`, whose first stands at `place`, with the lines of fragments in place of their uses.
    pub(super) fn expand<'a>(&self, text: &'a str, place: &Place) -> Result<Vec<Line<'a>>, RecipeError> {
        let (mut lines, mut room) = (Vec::new(), MAX_PUT);
        for (number, line) in text.lines().enumerate() {
            let line_number = if place.line == 0 { 0 } else { place.line + number };
            let place = Place { file: place.file.clone(), line: line_number };
            let line = without_comment(line).trim();
            match Use::parse(line) {
                None => lines.push(Line { text: Cow::Borrowed(line), place }),
                Some(usage) => self.put(&usage, &place, &mut room, &mut lines)?,
            }
        }
        Ok(lines)
    }

    /// Adds the lines of a use, as long as there is room for them.
    fn put(
        &self,
        usage: &Use<'_>,
        place: &Place,
        room: &mut usize,
        lines: &mut Vec<Line<'_>>,
    ) -> Result<(), RecipeError> {
        let fail = |fault: FragmentFault| RecipeError::new(place, usage.label.map(str::to_owned), fault.into());
        let fragment = self.by_name.get(usage.name).ok_or_else(|| {
            let similar = closest(usage.name, self.by_name.keys().map(String::as_str));
            fail(FragmentFault::Unknown { name: usage.name.to_owned(), similar })
        })?;
        let values = fragment.values(usage.arguments).map_err(fail)?;
        if let Some(label) = usage.label {
            lines.push(Line { text: Cow::Owned(format!("{label} {{")), place: place.clone() });
        }
        let within = Place {
            file: format!("{place}: fragment {}, {}", fragment.name, fragment.place.file).into(),
            line: fragment.place.line,
        };
        for (number, line) in fragment.lines.lines().enumerate() {
            let text = substitute(without_comment(line).trim(), &values, room);
            let text = Cow::Owned(text.ok_or_else(|| fail(FragmentFault::TooLong))?);
            lines.push(Line { text, place: Place { file: within.file.clone(), line: within.line + number } });
        }
        if usage.label.is_some() {
            lines.push(Line { text: Cow::Borrowed("}"), place: place.clone() });
        }
        Ok(())
    }
}

impl<'a> Use<'a> {
    /// The use that a line is, if it is one.
    fn parse(line: &'a str) -> Option<Use<'a>> {
        let split =
            |text: &'a str| text.split_once(char::is_whitespace).map_or((text, ""), |(word, rest)| (word, rest.trim()));
        let (first, behind) = split(line);
        let (label, behind) = match split(behind) {
            _ if first == USE => (None, behind),
            (USE, behind) => (Some(first), behind),
            _ => return None,
        };
        let (name, arguments) = split(behind);
        Some(Use { label, name, arguments })
    }
}

/// The parameter at the start of `text`, and what is behind it.
fn word(text: &str) -> (&str, &str) {
    let end = text.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').unwrap_or(text.len());
    text.split_at(end)
}

/// The line with each `$parameter` replaced, once: what is put in is not looked at again. `None` where `room` is too small.
fn substitute(line: &str, values: &BTreeMap<&str, &str>, room: &mut usize) -> Option<String> {
    let mut take = |bytes: usize| room.checked_sub(bytes).map(|left| *room = left);
    take(size_of::<Line<'_>>())?;
    let mut out = String::new();
    for (at, part) in line.split('$').enumerate() {
        let (name, rest) = if at == 0 { ("", part) } else { word(part) };
        for piece in [values.get(name).copied().unwrap_or_default(), rest] {
            take(piece.len())?;
            out.push_str(piece);
        }
    }
    Some(out)
}

/// Arguments, separated by commas outside quoted text; none in a blank text.
fn split_at_commas(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, letter) in bare_letters(text) {
        if letter == ',' {
            parts.push(&text[start..at]);
            start = at + 1;
        }
    }
    if !text.trim().is_empty() {
        parts.push(&text[start..]);
    }
    parts
}

/// The line up to the first `#` outside a quoted text.
pub(super) fn without_comment(line: &str) -> &str {
    bare_letters(line).find(|(_, letter)| *letter == '#').map_or(line, |(at, _)| &line[..at])
}

/// The letters outside quoted text, and where they stand.
fn bare_letters(line: &str) -> impl Iterator<Item = (usize, char)> {
    let (mut in_text, mut escaped) = (false, false);
    line.char_indices().filter(move |(_, letter)| {
        let is_bare = !in_text;
        if *letter == '"' && !escaped {
            in_text = !in_text;
        }
        escaped = in_text && *letter == '\\' && !escaped;
        is_bare
    })
}

#[cfg(test)]
#[path = "fragment_tests.rs"]
mod tests;
