//! Bytes in hand: a bounded cursor that knows its place in the file, and arithmetic on offsets.
//!
//! Knows integers and nothing of the format. Shortage always ends the unit, whatever the policy.

use hurray_spec::Rule;

use crate::reject::{Found, Reject, Span};

/// A field's value with the bytes it stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Field<T> {
    pub(crate) value: T,
    pub(crate) span: Span,
}

/// Reads little-endian fields from a slice, never past its end.
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    base: u64,
    at: usize,
    bound: Rule,
}

macro_rules! unsigned {
    ($($name:ident),*) => {$(
        #[doc = concat!("The next little-endian ", stringify!($name), ".")]
        pub(crate) fn $name(&mut self) -> Result<Field<$name>, Reject> {
            let start = self.offset();
            let bytes = self.array()?;
            let value = $name::from_le_bytes(bytes);
            let len = bytes.len() as u64;
            Ok(Field { value, span: Span::value(start, len, u64::from(value)) })
        }
    )*};
}

impl<'a> Cursor<'a> {
    /// Over `bytes`, whose first stands at the absolute offset `base`; shortage is a breach of `bound`.
    pub(crate) fn new(bytes: &'a [u8], base: u64, bound: Rule) -> Self {
        Cursor { bytes, base, at: 0, bound }
    }

    unsigned!(u8, u16, u32, u64);

    /// The next `len` bytes, with their span.
    pub(crate) fn take(&mut self, len: usize) -> Result<Field<&'a [u8]>, Reject> {
        let start = self.offset();
        let value = self.slice(len)?;
        Ok(Field { value, span: Span::at(start, value.len() as u64) })
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Reject> {
        let start = self.at;
        let slice = self.slice(N)?;
        slice.try_into().map_err(|_| self.shortage(start, N))
    }

    fn slice(&mut self, len: usize) -> Result<&'a [u8], Reject> {
        let end = self.at.checked_add(len).filter(|end| *end <= self.bytes.len());
        let Some(end) = end else { return Err(self.shortage(self.at, len)) };
        let slice = &self.bytes[self.at..end];
        self.at = end;
        Ok(slice)
    }

    fn shortage(&self, at: usize, wanted: usize) -> Reject {
        let left = (self.bytes.len() - at) as u64;
        let start = self.base.saturating_add(at as u64);
        let found = Found::Short { wanted: wanted as u64, left };
        Reject::new(self.bound, Span { found, ..Span::at(start, left) })
    }

    /// Absolute offset of the next byte.
    pub(crate) fn offset(&self) -> u64 {
        self.base.saturating_add(self.at as u64)
    }

    /// Position of the next byte within the slice.
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    /// Bytes not yet read.
    pub(crate) fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// Everything not yet read.
    pub(crate) fn rest(&mut self) -> Field<&'a [u8]> {
        let span = Span::at(self.offset(), self.left() as u64);
        let value = &self.bytes[self.at..];
        self.at = self.bytes.len();
        Field { value, span }
    }
}

/// The smallest multiple of `alignment` that is at least `offset`; `None` beyond 64 bits. An alignment of 0 is taken
/// for 1, so that a waived check of it stays harmless.
pub(crate) fn round_up(offset: u64, alignment: u64) -> Option<u64> {
    let alignment = alignment.max(1);
    match offset % alignment {
        0 => Some(offset),
        over => offset.checked_add(alignment - over),
    }
}

#[cfg(test)]
mod tests;
