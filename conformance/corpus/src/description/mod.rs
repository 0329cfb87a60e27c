//! Descriptions of files, as people write them: TOML to the value that a candidate is asked to write.
//!
//! Owns that form, documented in `vectors/README.md`, and what may be left out of it. Field names and values are those of
//! `observe` in the vectors. Checks no rule of the format: a description may ask for what no file can have.

mod form;

use std::fmt;

use hurray_adapter::NewFile;

use form::FileForm;

/// What is wrong with a description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DescriptionError {
    /// The file, as it was named.
    pub file: String,
    /// Line, from 1, where it is known.
    pub line: Option<usize>,
    /// What is wrong, and what to do.
    pub what: String,
}

impl fmt::Display for DescriptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.file, self.what),
            None => write!(f, "{}: {}", self.file, self.what),
        }
    }
}

impl std::error::Error for DescriptionError {}

/// The file that `text` describes; `name` is that of the description, for its errors.
///
/// # Errors
/// It is not TOML, has unknown fields, or a value that no field can hold.
pub fn parse(name: &str, text: &str) -> Result<NewFile, DescriptionError> {
    let fail = |line, what| DescriptionError { file: name.to_owned(), line, what };
    let form: FileForm = toml::from_str(text).map_err(|error| {
        let line = error.span().map(|span| 1 + text.bytes().take(span.start).filter(|byte| *byte == b'\n').count());
        fail(line, error.message().to_owned())
    })?;
    form.file(name).map_err(|what| fail(None, what))
}

/// The file that a parsed table describes.
///
/// # Errors
/// Unknown fields, or a value that no field can hold.
pub(crate) fn from_table(table: toml::Table) -> Result<NewFile, String> {
    let form: FileForm = table.try_into().map_err(|error: toml::de::Error| error.message().to_owned())?;
    form.file("description")
}

#[cfg(test)]
mod tests;
