//! One range under way: the memory it is read into and how far it has come.

use std::ops::Range;

use hurray_spec::Rule;

use crate::bytes::to_u64;
use crate::memory::Buffer;
use crate::reject::{Error, Found, Limit, Misuse, Reject, Span};

/// A range of the file and the memory that is finally handed out for it.
pub(super) struct Pending {
    offset: u64,
    filled: usize,
    bytes: Buffer,
}

impl Pending {
    /// For a range that is known to lie in the file.
    ///
    /// # Errors
    /// The memory cannot be had at that alignment.
    pub(super) fn new(range: &Range<u64>, alignment: u64) -> Result<Self, Limit> {
        let bytes = Buffer::zeroed(range.end.saturating_sub(range.start), alignment)?;
        Ok(Pending { offset: range.start, filled: 0, bytes })
    }

    pub(super) fn is_full(&self) -> bool {
        self.filled >= self.bytes.len()
    }

    /// Absolute offset and length of what is still missing.
    pub(super) fn range(&self) -> (u64, usize) {
        (self.offset.saturating_add(to_u64(self.filled)), self.bytes.len().saturating_sub(self.filled))
    }

    pub(super) fn unfilled(&mut self) -> &mut [u8] {
        let filled = self.filled;
        self.bytes.get_mut(filled..).unwrap_or_default()
    }

    /// Counts bytes that arrived.
    ///
    /// # Errors
    /// More than are missing, which changes nothing; or none although some are missing, which says that the file ends.
    pub(super) fn fill(&mut self, filled: usize) -> Result<(), Error> {
        let (offset, left) = self.range();
        match filled {
            _ if left == 0 => Err(Misuse::NothingOffered.into()),
            0 => {
                let found = Found::Short { wanted: to_u64(left), left: 0 };
                let span = Span { found, ..Span::at(offset, to_u64(left)) };
                Err(Reject::new(Rule::IoReadZeroTruncated, span).into())
            }
            _ if filled > left => Err(Misuse::Overfill { reported: to_u64(filled), offered: to_u64(left) }.into()),
            _ => {
                self.filled = self.filled.saturating_add(filled);
                Ok(())
            }
        }
    }

    pub(super) fn into_bytes(self) -> Buffer {
        self.bytes
    }
}
