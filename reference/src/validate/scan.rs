//! Reads stretches of the file in pieces, to look at bytes without keeping them.

use std::ops::Range;

use hurray_spec::Rule;

use crate::bytes::to_u64;
use crate::reject::{Found, Reject, Span};

use super::stop::Stop;

/// Bytes read at once.
const PIECE_LEN: usize = 16 * 1024;

/// A source of bytes, and the memory to look at them.
pub(super) struct Scanner<F> {
    source: F,
    piece: Vec<u8>,
}

impl<F> Scanner<F> {
    pub(super) fn new(source: F) -> Self {
        Scanner { source, piece: vec![0; PIECE_LEN] }
    }
}

impl<E, F: FnMut(u64, &mut [u8]) -> Result<usize, E>> Scanner<F> {
    /// At most `dst.len()` bytes at `offset`. A source that claims more is taken at the length it was offered.
    pub(super) fn read(&mut self, offset: u64, dst: &mut [u8]) -> Result<usize, E> {
        Ok((self.source)(offset, dst)?.min(dst.len()))
    }

    /// Absolute offset of the first byte of `range` that `is_wrong`, and the byte.
    ///
    /// # Errors
    /// The source fails, or ends before the range does.
    pub(super) fn find(
        &mut self,
        range: Range<u64>,
        is_wrong: impl Fn(u8) -> bool,
    ) -> Result<Option<(u64, u8)>, Stop<E>> {
        let mut offset = range.start;
        while offset < range.end {
            let left = range.end.saturating_sub(offset);
            let wanted = usize::try_from(left).unwrap_or(usize::MAX).min(PIECE_LEN);
            let mut piece = std::mem::take(&mut self.piece);
            let filled = self.read(offset, &mut piece[..wanted]);
            let wrong =
                filled.as_ref().ok().and_then(|filled| piece[..*filled].iter().position(|byte| is_wrong(*byte)));
            let byte = wrong.and_then(|at| piece.get(at).copied());
            self.piece = piece;
            let filled = filled.map_err(Stop::Source)?;
            if let (Some(at), Some(byte)) = (wrong, byte) {
                return Ok(Some((offset.saturating_add(to_u64(at)), byte)));
            }
            if filled == 0 {
                let found = Found::Short { wanted: left, left: 0 };
                let span = Span { found, ..Span::at(offset, left) };
                return Err(Reject::new(Rule::IoReadZeroTruncated, span).into());
            }
            offset = offset.saturating_add(to_u64(filled));
        }
        Ok(None)
    }
}
