//! What can be wrong with the suite itself: the vector files do not parse, do not assemble, or contradict themselves.
//!
//! Owns the wording for people. A set with any of these is broken and judges nobody.

use std::fmt;

use crate::recipe::{Place, RecipeError};

/// One mistake in the vector files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadError {
    /// File, relative to `vectors/`, and line.
    pub place: Place,
    /// Id of the vector, as far as it is known.
    pub id: Option<String>,
    /// What is wrong.
    pub fault: LoadFault,
}

/// The kinds of mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadFault {
    /// A file or folder that cannot be read.
    Io(String),
    /// Not a place for a vector file.
    Misplaced,
    /// Not TOML, a missing field, or an unknown one.
    Toml(String),
    /// The listing or an edit.
    Recipe(Box<RecipeError>),
    /// No base of that name.
    UnknownBase {
        /// The name as written.
        base: String,
        /// A base that may be meant.
        similar: Option<String>,
    },
    /// No rule of that id.
    UnknownRule {
        /// The id as written.
        rule: String,
        /// A rule that may be meant.
        similar: Option<String>,
    },
    /// Not a feature of the format.
    UnknownFeature(String),
    /// A tensor of a type or layout that `needs` leaves out.
    UndeclaredFeature(String),
    /// Two vectors of one id.
    DuplicateId {
        /// Where the first one stands.
        first: String,
    },
    /// Two vectors of the same bytes.
    SameBytes {
        /// Id of the other one.
        other: String,
    },
    /// An edit with no action, two of them, or words that do not go together.
    BadEdit(String),
    /// The near miss does not exist.
    UnknownNear(String),
    /// The near miss is not an accepted vector.
    NearNotAccepted(String),
    /// A field holds what it may not.
    BadField {
        /// The field.
        field: &'static str,
        /// What is wrong and what to write.
        what: String,
    },
    /// A field is missing here.
    Missing {
        /// The field.
        field: &'static str,
        /// Why it is wanted.
        because: &'static str,
    },
    /// A field has no meaning here.
    Needless {
        /// The field.
        field: &'static str,
        /// Why not.
        because: &'static str,
    },
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.place)?;
        if let Some(id) = &self.id {
            write!(f, "{id}: ")?;
        }
        self.fault.fmt(f)
    }
}

impl fmt::Display for LoadFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hint = |similar: &Option<String>, list| match similar {
            Some(word) => format!("is `{word}` meant?"),
            None => format!("they stand in {list}"),
        };
        match self {
            LoadFault::Io(what) => write!(f, "cannot be read ({what}); check the path and who may read it"),
            LoadFault::Misplaced => {
                f.write_str("vector files stand at bases/<name>.toml or <area>/<noun>.toml; move it")
            }
            LoadFault::Toml(what) => f.write_str(what.trim_end()),
            LoadFault::Recipe(error) => error.fmt(f),
            LoadFault::UnknownBase { base, similar } => {
                write!(f, "no base is called `{base}`; {}", hint(similar, "vectors/bases/"))
            }
            LoadFault::UnknownRule { rule, similar } => {
                write!(f, "the specification has no rule `{rule}`; {}", hint(similar, "spec/rules/"))
            }
            LoadFault::UnknownFeature(feature) => {
                write!(f, "`{feature}` is not a feature; write type:<name>, layout:<name> or quantization:<name>")
            }
            LoadFault::UndeclaredFeature(feature) => write!(f, "observes a tensor with `{feature}`; add it to `needs`"),
            LoadFault::DuplicateId { first } => write!(f, "the id exists already, at {first}; rename one of them"),
            LoadFault::SameBytes { other } => {
                write!(f, "has the same bytes as {other}; one file has one verdict, so drop or change one of them")
            }
            LoadFault::BadEdit(what) => write!(f, "{what}; see the table of edits in vectors/README.md"),
            LoadFault::UnknownNear(near) => {
                write!(f, "near: no vector `{near}`; write `base`, an id of this file, or a whole <area>/<noun>/<id>")
            }
            LoadFault::NearNotAccepted(near) => write!(f, "near: {near} is not an accepted vector; name one that is"),
            LoadFault::BadField { field, what } => write!(f, "{field}: {what}"),
            LoadFault::Missing { field, because } => write!(f, "`{field}` is missing: {because}"),
            LoadFault::Needless { field, because } => write!(f, "`{field}` has no meaning here: {because}"),
        }
    }
}

impl std::error::Error for LoadError {}

/// Every mistake that was found, in the order of the files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadErrors(pub Vec<LoadError>);

impl fmt::Display for LoadErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the suite is broken, {} mistake(s) in the vector files:", self.0.len())?;
        self.0.iter().try_for_each(|error| write!(f, "\n  {error}"))
    }
}

impl std::error::Error for LoadErrors {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mistake_says_what_to_do() {
        let word = || "w".to_owned();
        let faults = [
            LoadFault::Io(word()),
            LoadFault::Misplaced,
            LoadFault::UnknownBase { base: word(), similar: None },
            LoadFault::UnknownRule { rule: word(), similar: Some(word()) },
            LoadFault::UnknownRule { rule: word(), similar: None },
            LoadFault::UnknownFeature(word()),
            LoadFault::UndeclaredFeature(word()),
            LoadFault::DuplicateId { first: word() },
            LoadFault::SameBytes { other: word() },
            LoadFault::BadEdit(word()),
            LoadFault::UnknownNear(word()),
            LoadFault::NearNotAccepted(word()),
        ];
        for fault in faults {
            let text = fault.to_string();
            assert!(
                text.split_once("; ").is_some_and(|(what, remedy)| !what.is_empty() && !remedy.is_empty()),
                "{text}"
            );
        }
    }

    #[test]
    fn a_mistake_says_where() {
        let place = Place { file: "kv/key.toml".into(), line: 3 };
        let id = Some("kv/key/x".to_owned());
        let error = LoadError { place, id, fault: LoadFault::UnknownFeature("t".to_owned()) };
        assert!(error.to_string().starts_with("kv/key.toml:3: kv/key/x: `t` is not a feature; "), "{error}");
    }
}
