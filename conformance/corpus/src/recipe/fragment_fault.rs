//! What can be wrong with a fragment or a use of one.
//!
//! Owns the wording for people. Decides nothing.

use std::fmt;

use super::place::Place;

/// The kinds of mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FragmentFault {
    /// No fragment of that name.
    Unknown {
        /// The name as written.
        name: String,
        /// A fragment that may be meant.
        similar: Option<String>,
    },
    /// Two fragments of one name.
    Duplicate {
        /// Where the first one stands.
        first: Place,
    },
    /// A fragment that uses another, or itself.
    Nested(String),
    /// The fragment has no such parameter.
    UnknownParameter {
        /// The fragment.
        fragment: String,
        /// The name as written.
        parameter: String,
        /// A parameter that may be meant.
        similar: Option<String>,
    },
    /// A parameter without a value.
    MissingParameter {
        /// The fragment.
        fragment: String,
        /// The parameter.
        parameter: String,
    },
    /// Not a parameter, or one that is given twice.
    BadParameter(String),
    /// Lines without end.
    TooLong,
}

impl fmt::Display for FragmentFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FragmentFault::Unknown { name, similar: Some(similar) } => {
                write!(f, "no fragment is called `{name}`; is `{similar}` meant?")
            }
            FragmentFault::Unknown { name, similar: None } => {
                write!(f, "no fragment is called `{name}`; they stand in vectors/fragments/")
            }
            FragmentFault::Duplicate { first } => {
                write!(f, "the fragment exists already, at {first}; rename one of them")
            }
            FragmentFault::Nested(name) => {
                write!(f, "a fragment does not use another, here `{name}`; write its lines out")
            }
            FragmentFault::UnknownParameter { fragment, parameter, similar: Some(similar) } => {
                write!(f, "fragment `{fragment}` has no parameter `{parameter}`; is `{similar}` meant?")
            }
            FragmentFault::UnknownParameter { fragment, parameter, similar: None } => {
                write!(f, "fragment `{fragment}` has no parameter `{parameter}`; see its lines in vectors/fragments/")
            }
            FragmentFault::MissingParameter { fragment, parameter } => {
                write!(f, "fragment `{fragment}` wants `{parameter}`; add `{parameter} = …`")
            }
            FragmentFault::BadParameter(text) => write!(
                f,
                "`{text}` is not a parameter; write $name in a fragment, and each once as `name = value`, with commas \
                 between, where it is used"
            ),
            FragmentFault::TooLong => f.write_str("the lines of fragments are too long; use fewer or shorter ones"),
        }
    }
}
