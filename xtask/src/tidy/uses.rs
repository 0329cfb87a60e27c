//! That one file uses another one. Knows neither how that is found out nor what follows from it.

/// One path that leads to another file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Use {
    /// The file that names it.
    pub(super) from: String,
    /// The top-level module that names it; none in the root and in Python.
    pub(super) from_top: Option<String>,
    /// The line, from 1.
    pub(super) line: usize,
    /// The path as written.
    pub(super) name: String,
    /// The file that owns what is named.
    pub(super) to: String,
    /// Top-level modules that the path leads through, as written and once re-exports are followed.
    pub(super) tops: Vec<String>,
    /// Every module that the path leads through and the one that it ends in, from the root: `crate::run::files`.
    pub(super) through: Vec<String>,
    /// Whether something inside the other file is named, and not only the file as a module.
    pub(super) is_item: bool,
}
