//! A file on disk, range by range. Owns nothing but the handle.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use hurray_adapter::ReadAt;

/// An open file of known size.
#[derive(Debug)]
pub struct FileAt {
    file: File,
    size: u64,
}

impl FileAt {
    /// Opens the file at `path`.
    ///
    /// # Errors
    /// It does not exist, is not a regular file, or may not be read.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return Err(io::Error::other("not a regular file"));
        }
        Ok(FileAt { size: metadata.len(), file })
    }
}

impl ReadAt for FileAt {
    fn size(&self) -> u64 {
        self.size
    }

    fn read_at(&mut self, offset: u64, dst: &mut [u8]) -> io::Result<usize> {
        self.file.seek(SeekFrom::Start(offset))?;
        self.file.read(dst)
    }
}

/// A source whose every read fails: a file that vanished between two looks at it.
pub(super) struct Gone;

impl ReadAt for Gone {
    fn size(&self) -> u64 {
        0
    }

    fn read_at(&mut self, _: u64, _: &mut [u8]) -> io::Result<usize> {
        Err(io::ErrorKind::NotFound.into())
    }
}
