//! Reads the integers of an index or pointer buffer one after the other, in pieces, without keeping them.

use std::ops::Range;

use hurray_spec::Rule;

use crate::bytes::to_u64;
use crate::reject::{Found, Reject, Span};

use super::Stop;
use super::scan::Scanner;

/// Bytes read at once; a multiple of every width.
const PIECE_LEN: usize = 4 * 1024;

/// The unsigned integers of a range of the file, 4 or 8 bytes each.
pub(super) struct Integers {
    rest: Range<u64>,
    width: u64,
    piece: Vec<u8>,
    used: usize,
}

impl Integers {
    /// The first `count` integers of `width` bytes in `range`; `None` if they are not all there, in a file of `size` bytes.
    pub(super) fn new(range: &Range<u64>, width: u64, count: u64, size: u64) -> Option<Self> {
        let end = count.checked_mul(width).and_then(|len| range.start.checked_add(len))?;
        let is_there = end <= range.end.min(size);
        is_there.then(|| Integers { rest: range.start..end, width, piece: Vec::new(), used: 0 })
    }

    /// Bytes that are left to be read.
    pub(super) fn len(&self) -> u64 {
        self.rest.end.saturating_sub(self.rest.start)
    }

    /// The next integer and where it stands, or `None` behind the last.
    ///
    /// # Errors
    /// The source fails, or ends too early.
    pub(super) fn next<E, F>(&mut self, source: &mut Scanner<F>) -> Result<Option<(u64, Span)>, Stop<E>>
    where
        F: FnMut(u64, &mut [u8]) -> Result<usize, E>,
    {
        if self.used >= self.piece.len() {
            self.fill(source)?;
        }
        let end = self.used.saturating_add(usize::try_from(self.width).unwrap_or(usize::MAX));
        let Some(bytes) = self.piece.get(self.used..end) else { return Ok(None) };
        let mut value = [0; 8];
        value.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
        let value = u64::from_le_bytes(value);
        let behind = to_u64(self.piece.len().saturating_sub(self.used));
        self.used = end;
        Ok(Some((value, Span::value(self.rest.start.saturating_sub(behind), self.width, value))))
    }

    fn fill<E, F>(&mut self, source: &mut Scanner<F>) -> Result<(), Stop<E>>
    where
        F: FnMut(u64, &mut [u8]) -> Result<usize, E>,
    {
        let wanted = usize::try_from(self.len()).unwrap_or(usize::MAX).min(PIECE_LEN);
        self.piece.resize(wanted, 0);
        self.used = 0;
        let mut filled = 0_usize;
        while filled < wanted {
            let more = source.read(self.rest.start, &mut self.piece[filled..]).map_err(Stop::Source)?;
            if more == 0 {
                let left = self.len();
                let span = Span { found: Found::Short { wanted: left, left: 0 }, ..Span::at(self.rest.start, left) };
                return Err(Reject::new(Rule::IoReadZeroTruncated, span).into());
            }
            filled = filled.saturating_add(more);
            self.rest.start = self.rest.start.saturating_add(to_u64(more));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
