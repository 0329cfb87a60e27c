//! Where in the vector files something is written.
//!
//! Owns the form in which a person reads it, such as `bases/pair.toml:12`. Knows no mistake.

use std::fmt;
use std::sync::Arc;

/// A line of a file under `vectors/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Path relative to `vectors/`, and the vector when an edit is meant. Of a line of a fragment, the place of its use
    /// stands in front.
    pub file: Arc<str>,
    /// Line, from 1; 0 when it is not known.
    pub line: usize,
}

impl Place {
    /// A place without a line.
    pub fn file(file: impl Into<Arc<str>>) -> Self {
        Place { file: file.into(), line: 0 }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => f.write_str(&self.file),
            line => write!(f, "{}:{line}", self.file),
        }
    }
}
