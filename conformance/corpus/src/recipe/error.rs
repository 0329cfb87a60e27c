//! What can be wrong with a recipe: where, what, and what to do next.
//!
//! Owns the wording for people. Decides nothing.

use std::fmt;

use super::fragment_fault::FragmentFault;
use super::place::Place;

/// The longest file the assembler makes, in bytes.
pub const MAX_FILE_LEN: u64 = 64 << 20;

/// A recipe that cannot be assembled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecipeError {
    /// Where.
    pub place: Place,
    /// The field or block in question, where there is one.
    pub label: Option<String>,
    /// What is wrong.
    pub fault: Fault,
}

impl RecipeError {
    pub(crate) fn new(place: &Place, label: impl Into<Option<String>>, fault: Fault) -> Self {
        RecipeError { place: place.clone(), label: label.into(), fault }
    }
}

impl fmt::Display for RecipeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.place)?;
        if let Some(label) = &self.label {
            write!(f, "`{label}`: ")?;
        }
        self.fault.fmt(f)
    }
}

impl std::error::Error for RecipeError {}

/// The kinds of mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Not a label.
    BadLabel,
    /// A label without a type behind it.
    MissingType,
    /// Not a type of the language.
    UnknownType(String),
    /// A type without its value.
    MissingValue,
    /// Text behind the end of the value.
    ExtraText(String),
    /// Not an integer, or one beyond 64 bits.
    BadNumber(String),
    /// Not a term of an expression.
    BadTerm(String),
    /// Not a float.
    BadFloat(String),
    /// A quoted text that does not end, or a wrong escape.
    BadText(String),
    /// Not pairs of hex digits.
    BadHex(String),
    /// Two fields or blocks of one name.
    DuplicateLabel {
        /// Where the first one stands.
        first: Place,
    },
    /// A `}` without its `{`.
    StrayClose,
    /// A block without its `}`.
    UnclosedBlock,
    /// Fields behind a `{`, or a `}` behind something, on one line.
    BraceNotAlone,
    /// Nothing has that name.
    UnknownLabel {
        /// The name as written.
        label: String,
        /// A label that may be meant.
        similar: Option<String>,
    },
    /// A fragment, or a use of one.
    Fragment(Box<FragmentFault>),
    /// The value does not fit its type.
    DoesNotFit {
        /// The value.
        value: i128,
        /// The type.
        keyword: String,
    },
    /// A sum beyond what the assembler computes.
    SumTooLarge,
    /// The assembled file would be too long.
    TooLarge,
    /// A checksum over bytes that hold a checksum still to be computed.
    CrcOverCrc(String),
    /// A block where a field is wanted.
    NotAField,
    /// A poke outside its field.
    PokeOutside {
        /// Length of the field in bytes.
        len: u64,
    },
    /// A poke that the checksum would overwrite.
    PokeOnCrc,
    /// A cut of the assembled bytes outside the file.
    CutOutside {
        /// Length of the file in bytes.
        len: u64,
    },
}

impl From<FragmentFault> for Fault {
    fn from(fault: FragmentFault) -> Self {
        Fault::Fragment(Box::new(fault))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::BadLabel => f.write_str("not a label; use letters, digits, `_`, `-`, joined by dots"),
            Fault::MissingType => f.write_str("no type; write `label  type  value`"),
            Fault::UnknownType(word) => write!(
                f,
                "`{word}` is not a type; use u8 u16 u32 u64 i8 i16 i32 i64 (with [] for several), f32, f64, text, hex, \
                 fill, ramp, align or pad"
            ),
            Fault::MissingValue => f.write_str("no value behind the type; write one"),
            Fault::ExtraText(text) => {
                write!(f, "`{text}` stands behind the end of the value; a comment starts with `#`")
            }
            Fault::BadNumber(text) => write!(f, "`{text}` is not a plain 64-bit integer; write decimal or 0x…"),
            Fault::BadTerm(text) => write!(
                f,
                "`{text}` is not a term; write an integer, &label, len(label) or crc32c(label), with blanks around + \
                 and -"
            ),
            Fault::BadFloat(text) => write!(f, "`{text}` is not a finite decimal; give other bits as 0x…"),
            Fault::BadText(what) => {
                write!(f, "{what}; text is \"…\" with the escapes \\\\ \\\" \\n \\0 \\xNN \\u{{…}}")
            }
            Fault::BadHex(text) => write!(f, "`{text}` is not pairs of hex digits; write e.g. 48 52 ff"),
            Fault::DuplicateLabel { first } => write!(f, "the label exists already, at {first}; rename one of them"),
            Fault::StrayClose => f.write_str("a `}` that closes nothing; remove it"),
            Fault::UnclosedBlock => f.write_str("the block is never closed; add a line `}`"),
            Fault::BraceNotAlone => {
                f.write_str("`{` ends its line and `}` stands on a line of its own; put each field on its own line")
            }
            Fault::UnknownLabel { label, similar: Some(similar) } => {
                write!(f, "nothing is called `{label}`; is `{similar}` meant?")
            }
            Fault::UnknownLabel { label, similar: None } => {
                write!(f, "nothing is called `{label}`; see the labels of the listing")
            }
            Fault::Fragment(fault) => fault.fmt(f),
            Fault::DoesNotFit { value, keyword } => {
                write!(f, "{value} does not fit {keyword}; write the bits that are meant as a literal")
            }
            Fault::SumTooLarge => f.write_str("the sum is out of range; use fewer or smaller terms"),
            Fault::TooLarge => write!(f, "the file would exceed {MAX_FILE_LEN} bytes; make the field shorter"),
            Fault::CrcOverCrc(label) => {
                write!(f, "crc32c({label}) covers a field that is a checksum itself; take a smaller range")
            }
            Fault::NotAField => f.write_str("this is a block; name one of its fields, or cut it and insert another"),
            Fault::PokeOutside { len } => write!(f, "the poke leaves the {len} bytes of the label; lower `at`"),
            Fault::PokeOnCrc => f.write_str("the checksum would overwrite the poke; `set` the field to a literal"),
            Fault::CutOutside { len } => write!(f, "the cut lies outside the {len} bytes of the file; lower it"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mistake_says_what_to_do() {
        let word = || "w".to_owned();
        let unknown = |similar| FragmentFault::UnknownParameter { fragment: word(), parameter: word(), similar };
        let faults = [
            Fault::BadLabel,
            Fault::MissingType,
            Fault::UnknownType(word()),
            Fault::MissingValue,
            Fault::ExtraText(word()),
            Fault::BadNumber(word()),
            Fault::BadTerm(word()),
            Fault::BadFloat(word()),
            Fault::BadText(word()),
            Fault::BadHex(word()),
            Fault::DuplicateLabel { first: Place::file("f") },
            Fault::StrayClose,
            Fault::UnclosedBlock,
            Fault::BraceNotAlone,
            Fault::UnknownLabel { label: word(), similar: None },
            Fault::UnknownLabel { label: word(), similar: Some(word()) },
            FragmentFault::Unknown { name: word(), similar: None }.into(),
            FragmentFault::Unknown { name: word(), similar: Some(word()) }.into(),
            FragmentFault::Duplicate { first: Place::file("f") }.into(),
            FragmentFault::Nested(word()).into(),
            unknown(None).into(),
            unknown(Some(word())).into(),
            FragmentFault::MissingParameter { fragment: word(), parameter: word() }.into(),
            FragmentFault::BadParameter(word()).into(),
            FragmentFault::TooLong.into(),
            Fault::DoesNotFit { value: 1, keyword: word() },
            Fault::SumTooLarge,
            Fault::TooLarge,
            Fault::CrcOverCrc(word()),
            Fault::NotAField,
            Fault::PokeOutside { len: 1 },
            Fault::PokeOnCrc,
            Fault::CutOutside { len: 1 },
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
    fn places_have_a_line_when_it_is_known() {
        assert_eq!(Place::file("a").to_string(), "a");
        assert_eq!(Place { file: "a".into(), line: 3 }.to_string(), "a:3");
    }
}
