//! What is wrong with a written file, one thing at a time.
//!
//! Owns the values that the other files of this folder fill in. Decides nothing.

use hurray_corpus::write_vector::WriteVector;
use hurray_spec::Rule;

use crate::judge::{Fault, Verdict};

/// Longest value shown, in characters.
pub(super) const LONGEST_SHOWN: usize = 160;

/// One thing that is wrong with a written file.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Neglect {
    /// The rules that it breaks, those of writers first.
    pub(super) rules: Vec<Rule>,
    /// Absolute offset in the written file.
    pub(super) offset: Option<u64>,
    pub(super) expected: String,
    pub(super) actual: String,
    /// The file is broken, and not only another one than was described.
    pub(super) is_invalid: bool,
}

impl Neglect {
    pub(super) fn invalid(rules: &[Rule], offset: Option<u64>, expected: &str, actual: String) -> Self {
        Neglect { rules: rules.to_vec(), offset, expected: expected.to_owned(), actual, is_invalid: true }
    }
}

/// A verdict that breaks what the vector is about.
pub fn failed(vector: &WriteVector, fault: Fault, expected: &str, actual: &str) -> Verdict {
    let breaks = vector.rules.clone();
    Verdict { breaks, ..Verdict::bad(fault, None, expected, actual) }
}
