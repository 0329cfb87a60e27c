//! The vectors' files on disk, for candidates that take paths: each written once per run, when first asked for.
//!
//! The names are numbers, so that no candidate can tell a broken file by its name.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use tempfile::TempDir;

use crate::vector::VectorSet;

/// A temporary folder of files; gone when dropped.
pub struct Files {
    dir: TempDir,
    written: Vec<OnceLock<Option<PathBuf>>>,
}

impl Files {
    /// An empty folder for the vectors of `set`.
    ///
    /// # Errors
    /// There is no room for temporary files.
    pub fn new(set: &VectorSet) -> io::Result<Files> {
        let dir = tempfile::Builder::new().prefix("hurray-").tempdir()?;
        Ok(Files { dir, written: set.vectors.iter().map(|_| OnceLock::new()).collect() })
    }

    /// The file of the vector at that position, or `None` if it could not be written.
    pub fn path(&self, set: &VectorSet, vector: usize) -> Option<&Path> {
        let write = || self.write(&format!("{vector:06}.hrry"), &set.vectors.get(vector)?.bytes).ok();
        self.written.get(vector)?.get_or_init(write).as_deref()
    }

    /// Writes a file that is not a vector's.
    ///
    /// # Errors
    /// There is no room for it.
    pub fn write(&self, name: &str, bytes: &[u8]) -> io::Result<PathBuf> {
        let path = self.dir.path().join(name);
        fs::write(&path, bytes)?;
        Ok(path)
    }

    /// A path at which there is no file.
    pub fn missing(&self) -> PathBuf {
        self.dir.path().join("there-is-no-such-file.hrry")
    }
}
