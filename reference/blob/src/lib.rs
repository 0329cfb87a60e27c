//! Read-only bytes of a file that is mapped, or of memory that is owned. Knows nothing of what the bytes mean.
//!
//! # What a file that changes under the map does
//!
//! A mapped file can be cut or rewritten by anybody who may write it. So no slice of the map is ever lent: ranges are copied
//! out, and the file's length and time of modification are looked at before and after each copy.
//!
//! - A file that changed before the copy or during it gives an error, and what was copied is not handed out.
//! - A page that vanishes in the short time between the first look and the copy makes the system end the process by a
//!   signal (`SIGBUS` on Unix). Whoever cannot accept that reads by position instead of mapping.
//! - A change that leaves length and time as they were, or that falls into one tick of the file system's clock with the last
//!   write before the map was made, cannot be seen. It is as if the file had been so from the start.
//!
//! In no case is a byte handed out as data of the file that the file does not hold.

// Offsets come from callers: every sum and every conversion says what it does where the value does not fit.
#![cfg_attr(
    not(test),
    warn(
        clippy::arithmetic_side_effects,
        clippy::as_conversions,
        clippy::cast_lossless,
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss
    )
)]

use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::time::SystemTime;

use memmap2::{MmapOptions, MmapRaw};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// Bytes of a mapped file, or of owned memory.
#[derive(Debug)]
pub struct Blob(Inner);

#[derive(Debug)]
enum Inner {
    Mapped(Mapped),
    Owned(Vec<u8>),
}

#[derive(Debug)]
struct Mapped {
    /// As long as the file was when it was mapped.
    map: MmapRaw,
    /// Kept to look at the file again.
    file: File,
    stamp: Stamp,
}

/// What tells whether a file is the one that was mapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    len: u64,
    /// `None` on systems that do not tell.
    modified: Option<SystemTime>,
}

impl Stamp {
    fn of(file: &File) -> io::Result<Self> {
        let metadata = file.metadata()?;
        Ok(Stamp { len: metadata.len(), modified: metadata.modified().ok() })
    }
}

impl Blob {
    /// Maps the file at `path`. An empty file becomes owned bytes: there is nothing to map.
    ///
    /// # Errors
    /// The file cannot be opened or mapped.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        Self::map(File::open(path)?)
    }

    /// Maps an open file, from its first byte. An empty file becomes owned bytes.
    ///
    /// # Errors
    /// The file cannot be mapped.
    pub fn map(file: File) -> io::Result<Self> {
        let stamp = Stamp::of(&file)?;
        if stamp.len == 0 {
            return Ok(Self::owned(Vec::new()));
        }
        let len = usize::try_from(stamp.len).map_err(|_| io::Error::from(ErrorKind::FileTooLarge))?;
        let map = MmapOptions::new().len(len).map_raw_read_only(&file)?;
        Ok(Blob(Inner::Mapped(Mapped { map, file, stamp })))
    }

    /// Bytes in memory.
    pub fn owned(bytes: Vec<u8>) -> Self {
        Blob(Inner::Owned(bytes))
    }

    /// Whether the bytes are those of a file, not of memory.
    pub fn is_mapped(&self) -> bool {
        matches!(self.0, Inner::Mapped(_))
    }

    /// Number of bytes; of a file, when it was mapped.
    pub fn len(&self) -> u64 {
        // No address is wider than 64 bits.
        u64::try_from(self.size()).unwrap_or(u64::MAX)
    }

    fn size(&self) -> usize {
        match &self.0 {
            Inner::Mapped(mapped) => mapped.map.len(),
            Inner::Owned(bytes) => bytes.len(),
        }
    }

    /// Whether there is no byte.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Copies the bytes from `offset` on into `dst`, as many as there are, and tells how many; 0 means that there are none.
    ///
    /// # Errors
    /// The file changed since it was mapped, `dst` may be overwritten and holds nothing of use then; or the system cannot
    /// tell.
    pub fn read_at(&self, offset: u64, dst: &mut [u8]) -> io::Result<usize> {
        // No byte in memory stands at an offset beyond its addresses.
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        let count = self.size().saturating_sub(start).min(dst.len());
        let Some(dst) = dst.get_mut(..count).filter(|dst| !dst.is_empty()) else { return Ok(0) };
        match &self.0 {
            Inner::Owned(bytes) => dst.copy_from_slice(&bytes[start..][..count]),
            Inner::Mapped(mapped) => mapped.read(start, dst, || {})?,
        }
        Ok(count)
    }
}

impl Mapped {
    /// Copies a range between two looks at the file. `meanwhile` is what may happen behind the first of them; tests change
    /// the file there.
    fn read(&self, start: usize, dst: &mut [u8], meanwhile: impl FnOnce()) -> io::Result<()> {
        self.require_unchanged()?;
        meanwhile();
        self.copy(start, dst);
        self.require_unchanged()
    }

    fn require_unchanged(&self) -> io::Result<()> {
        let now = Stamp::of(&self.file)?;
        if now == self.stamp {
            return Ok(());
        }
        let kind = if now.len < self.stamp.len { ErrorKind::UnexpectedEof } else { ErrorKind::InvalidData };
        let what = "the file changed after it was mapped; open it again, or read it by position";
        Err(io::Error::new(kind, what))
    }

    /// Copies `dst.len()` bytes of the map from `start` on.
    ///
    /// # Panics
    /// The range is not inside the map.
    #[allow(unsafe_code, reason = "a map is reached through a pointer")]
    fn copy(&self, start: usize, dst: &mut [u8]) {
        assert!(start.checked_add(dst.len()).is_some_and(|end| end <= self.map.len()), "outside the map");
        // SAFETY: the source is `dst.len()` bytes inside the map: the line above says so, and the map lives as long as
        // `self`. `dst` is exclusive memory of this process, so that the two do not overlap. The bytes are read through a
        // pointer and no reference to the map exists anywhere, so that a change by another process breaks no promise about
        // references; any byte is a valid `u8`. A page that the file no longer has raises a signal, which is no undefined
        // behaviour but the end of the process.
        unsafe {
            std::ptr::copy_nonoverlapping(self.map.as_ptr().add(start), dst.as_mut_ptr(), dst.len());
        }
    }
}

#[cfg(test)]
mod tests;
