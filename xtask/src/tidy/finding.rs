//! What `tidy` has to say about one place.

use std::fmt;

/// One broken house rule.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Finding {
    /// Path below the repository, with `/`.
    pub(super) path: String,
    /// Line, from 1; 0 for the file as a whole.
    pub(super) line: usize,
    /// What is wrong and what to do.
    pub(super) what: String,
}

impl Finding {
    pub(super) fn new(path: &str, line: usize, what: impl Into<String>) -> Self {
        Finding { path: path.to_owned(), line, what: what.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path, self.line, self.what)
    }
}
