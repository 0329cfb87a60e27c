//! Where the ranges of a file come from: memory, a stream that can seek, a file read by position, a map. Moves bytes and
//! knows nothing of what they mean.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use hurray_blob::Blob;

use crate::bytes::to_u64;

/// Absolute ranges of something that is not a stream.
pub trait ReadAt {
    /// Reads at most `dst.len()` bytes at `offset` and tells how many; 0 means there are none.
    ///
    /// # Errors
    /// The transport's own; no byte was moved, and the call may be repeated.
    fn read_at(&mut self, offset: u64, dst: &mut [u8]) -> io::Result<usize>;
}

/// Ranges of something whose size it knows.
pub trait Source: ReadAt {
    /// Bytes of the whole, as they are now.
    ///
    /// # Errors
    /// The transport's own.
    fn size(&mut self) -> io::Result<u64>;
}

/// A stream that can seek.
#[derive(Debug)]
pub struct Seeking<S>(pub S);

impl<S: Read + Seek> ReadAt for Seeking<S> {
    fn read_at(&mut self, offset: u64, dst: &mut [u8]) -> io::Result<usize> {
        self.0.seek(SeekFrom::Start(offset))?;
        self.0.read(dst)
    }
}

impl<S: Read + Seek> Source for Seeking<S> {
    fn size(&mut self) -> io::Result<u64> {
        self.0.seek(SeekFrom::End(0))
    }
}

/// Bytes in memory.
#[derive(Clone, Debug)]
pub struct Memory<B>(pub B);

impl<B: AsRef<[u8]>> ReadAt for Memory<B> {
    fn read_at(&mut self, offset: u64, dst: &mut [u8]) -> io::Result<usize> {
        let rest = usize::try_from(offset).ok().and_then(|start| self.0.as_ref().get(start..)).unwrap_or_default();
        let filled = rest.len().min(dst.len());
        dst[..filled].copy_from_slice(&rest[..filled]);
        Ok(filled)
    }
}

impl<B: AsRef<[u8]>> Source for Memory<B> {
    fn size(&mut self) -> io::Result<u64> {
        Ok(to_u64(self.0.as_ref().len()))
    }
}

/// A file that is read by position. On Unix no cursor moves, so that clones of the handle do not disturb each other.
#[derive(Debug)]
pub struct Positional(pub File);

impl ReadAt for Positional {
    #[cfg(unix)]
    fn read_at(&mut self, offset: u64, dst: &mut [u8]) -> io::Result<usize> {
        std::os::unix::fs::FileExt::read_at(&self.0, dst, offset)
    }

    #[cfg(windows)]
    fn read_at(&mut self, offset: u64, dst: &mut [u8]) -> io::Result<usize> {
        std::os::windows::fs::FileExt::seek_read(&self.0, dst, offset)
    }

    #[cfg(not(any(unix, windows)))]
    fn read_at(&mut self, offset: u64, dst: &mut [u8]) -> io::Result<usize> {
        Seeking(&self.0).read_at(offset, dst)
    }
}

impl Source for Positional {
    fn size(&mut self) -> io::Result<u64> {
        Ok(self.0.metadata()?.len())
    }
}

/// A map copies out; what a file does that changes under it stands in the crate `hurray-blob`.
impl ReadAt for Blob {
    fn read_at(&mut self, offset: u64, dst: &mut [u8]) -> io::Result<usize> {
        Blob::read_at(self, offset, dst)
    }
}

impl Source for Blob {
    fn size(&mut self) -> io::Result<u64> {
        Ok(self.len())
    }
}
