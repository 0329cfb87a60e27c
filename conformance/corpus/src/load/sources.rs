//! The vector files before anything is read in them.
//!
//! Owns which folders hold vectors. It must not know what a file says.

use std::collections::BTreeMap;

/// Folders under `vectors/` that hold no vector of this form.
pub(crate) const OTHER_FOLDERS: [&str; 4] = ["files", "known", "models", "schedules"];

/// Whether the file at `path`, relative to `vectors/`, stands in one of them.
pub(crate) fn is_other(path: &str) -> bool {
    path.split_once('/').is_some_and(|(folder, _)| OTHER_FOLDERS.contains(&folder))
}

/// The vector files: path relative to `vectors/`, with `/` between its parts, and text.
pub type Sources = BTreeMap<String, String>;
