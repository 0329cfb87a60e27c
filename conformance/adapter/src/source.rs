//! Where a candidate's bytes come from: a path, or absolute ranges of something that is not a file.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// Absolute ranges of one file.
pub trait ReadAt {
    /// File size in bytes.
    fn size(&self) -> u64;

    /// Reads at most `dst.len()` bytes at `offset` and tells how many; 0 means there are none.
    ///
    /// # Errors
    /// The transport's own failure; no byte was moved and the call may be repeated.
    fn read_at(&mut self, offset: u64, dst: &mut [u8]) -> io::Result<usize>;
}

/// The file of one request.
pub enum Source {
    /// On disk.
    Path(PathBuf),
    /// Range by range.
    Served(Box<dyn ReadAt>),
}

/// A file in memory.
pub struct MemorySource(pub Arc<[u8]>);

impl ReadAt for MemorySource {
    fn size(&self) -> u64 {
        self.0.len() as u64
    }

    fn read_at(&mut self, offset: u64, dst: &mut [u8]) -> io::Result<usize> {
        let rest = usize::try_from(offset).ok().and_then(|start| self.0.get(start..)).unwrap_or(&[]);
        let n = rest.len().min(dst.len());
        dst[..n].copy_from_slice(&rest[..n]);
        Ok(n)
    }
}
