//! A file as mutants and the judge of written files look at it: its bytes, and the few places where something is asked.
//! Owns no rule: what does not parse is simply not there.

use std::fs;
use std::sync::Arc;

use hurray_adapter::{Failure, MemorySource, Source};

/// Largest file that is looked at; recipes assemble no larger ones.
const MAX_FILE: u64 = 64 << 20;
const TRAILER_LEN: usize = 40;

/// A whole file.
#[derive(Clone, Debug)]
pub struct View {
    bytes: Arc<[u8]>,
}

/// One index entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Bytes of the name.
    pub name: Vec<u8>,
    /// Absolute offset of the descriptor.
    pub descriptor_offset: u64,
    /// Bytes of the descriptor.
    pub descriptor_len: u32,
    /// Absolute offset of the first buffer.
    pub data_offset: u64,
    /// Bytes of the data region.
    pub data_len: u64,
}

impl View {
    /// The same bytes as a source of their own.
    pub fn source(&self) -> Source {
        Source::Served(Box::new(MemorySource(Arc::clone(&self.bytes))))
    }

    /// Reads all of `source`.
    ///
    /// # Errors
    /// The source cannot be read, or is larger than any recipe's file.
    pub fn of(source: Source) -> Result<Self, Failure> {
        let bytes = match source {
            Source::Path(path) => fs::read(path)?,
            Source::Served(mut source) => {
                let size = source.size();
                if size > MAX_FILE {
                    return Err(Failure::Limit("larger than any recipe's file".to_owned()));
                }
                let mut bytes = vec![0; size as usize];
                let mut filled = 0;
                while filled < bytes.len() {
                    match source.read_at(filled as u64, &mut bytes[filled..])? {
                        0 => break,
                        n => filled += n,
                    }
                }
                bytes.truncate(filled);
                bytes
            }
        };
        Ok(View { bytes: bytes.into() })
    }

    /// All bytes.
    pub fn bytes(&self) -> Arc<[u8]> {
        Arc::clone(&self.bytes)
    }

    /// Bytes `offset..offset + len`; empty if the file has no such bytes.
    pub fn slice(&self, offset: u64, len: u64) -> &[u8] {
        let range = usize::try_from(offset).ok().zip(offset.checked_add(len).and_then(|end| usize::try_from(end).ok()));
        range.and_then(|(start, end)| self.bytes.get(start..end)).unwrap_or(&[])
    }

    /// The little-endian number of `len` bytes (at most 8) at `offset`; 0 if the file has no such bytes.
    pub fn number(&self, offset: u64, len: u64) -> u64 {
        self.slice(offset, len).iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
    }

    /// `container_version_minor`.
    pub fn container_minor(&self) -> u8 {
        self.number(9, 1) as u8
    }

    /// `file_flags`.
    pub fn flags(&self) -> u64 {
        self.number(12, 4)
    }

    /// The trailer's number of `len` bytes at `offset` within the trailer.
    pub fn trailer(&self, offset: u64, len: u64) -> u64 {
        let start = self.bytes.len().saturating_sub(TRAILER_LEN) as u64;
        self.number(start + offset, len)
    }

    /// `index_entry_count`.
    pub fn tensor_count(&self) -> u64 {
        self.number(self.trailer(0, 8), 8)
    }

    /// Bytes of the index section.
    pub fn index(&self) -> &[u8] {
        self.slice(self.trailer(0, 8), self.trailer(8, 8))
    }

    /// The index entries, as far as they parse.
    pub fn entries(&self) -> Vec<Entry> {
        let mut entries = Vec::new();
        let mut at = self.trailer(0, 8).saturating_add(8);
        for _ in 0..self.tensor_count() {
            let name_len = self.number(at, 2);
            let fixed = at.saturating_add(2 + name_len);
            if self.slice(at, 2 + name_len + 32).is_empty() {
                break;
            }
            entries.push(Entry {
                name: self.slice(at + 2, name_len).to_vec(),
                descriptor_offset: self.number(fixed, 8),
                descriptor_len: self.number(fixed + 8, 4) as u32,
                data_offset: self.number(fixed + 12, 8),
                data_len: self.number(fixed + 20, 8),
            });
            at = fixed + 32;
        }
        entries
    }

    /// The entry of that name.
    pub fn entry(&self, name: &[u8]) -> Option<Entry> {
        self.entries().into_iter().find(|entry| entry.name == name)
    }
}
