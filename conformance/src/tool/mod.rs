//! What a person starts: the command line, the check of an adapter; files that are checked, explained, written, exported.
//!
//! Owns the words of the commands. A verdict is made below, in `judge` and `run`.

pub mod adapter_check;
pub mod cli;
pub mod explain;
pub mod export;
pub mod inspect;
pub mod write;

use hurray_corpus::{LoadErrors, VectorSet};

use crate::candidates::Home;

/// The vectors: those of the repository, or those that are built in.
///
/// # Errors
/// Every mistake in the files; a broken suite judges nobody.
pub fn vectors(home: &Home) -> Result<VectorSet, LoadErrors> {
    match &home.root {
        Some(root) => VectorSet::from_dir(&root.join("vectors")),
        None => VectorSet::embedded(),
    }
}
