//! The vectors' files on disk, for candidates that take paths: each written once per run, when first asked for.
//!
//! The names are numbers, so that no candidate can tell a broken file by its name.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use tempfile::TempDir;

use hurray_corpus::VectorSet;

/// A temporary folder of files; gone when dropped.
pub struct Files {
    dir: TempDir,
    written: Vec<OnceLock<Option<PathBuf>>>,
    /// The next number that no file has.
    next: AtomicUsize,
}

impl Files {
    /// An empty folder for the vectors of `set`.
    ///
    /// # Errors
    /// There is no room for temporary files.
    pub fn new(set: &VectorSet) -> io::Result<Files> {
        let dir = tempfile::Builder::new().prefix("hurray-").tempdir()?;
        Ok(Files {
            dir,
            written: set.vectors.iter().map(|_| OnceLock::new()).collect(),
            next: set.vectors.len().into(),
        })
    }

    /// The file of the vector at that position, or `None` if it could not be written.
    pub fn path(&self, set: &VectorSet, vector: usize) -> Option<&Path> {
        let write = || self.write_numbered(vector, &set.vectors.get(vector)?.bytes).ok();
        self.written.get(vector)?.get_or_init(write).as_deref()
    }

    /// Writes a file that is not a vector's, under a number of its own: several workers are probed at a time.
    ///
    /// # Errors
    /// There is no room for it.
    pub fn write(&self, bytes: &[u8]) -> io::Result<PathBuf> {
        self.write_numbered(self.next.fetch_add(1, Ordering::Relaxed), bytes)
    }

    /// A path for a file that somebody else writes.
    pub fn fresh(&self) -> PathBuf {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        self.dir.path().join(format!("{number:06}.hrry"))
    }

    fn write_numbered(&self, number: usize, bytes: &[u8]) -> io::Result<PathBuf> {
        let path = self.dir.path().join(format!("{number:06}.hrry"));
        fs::write(&path, bytes)?;
        Ok(path)
    }

    /// A path at which there is no file.
    pub fn missing(&self) -> PathBuf {
        self.dir.path().join("there-is-no-such-file.hrry")
    }
}
