//! Bytes in hand: a bounded cursor that knows its place in the file, and arithmetic on offsets and lengths.
//!
//! Knows integers and nothing of the format. Shortage always ends the unit, whatever the policy.

use hurray_spec::Rule;

use crate::reject::{Found, Reject, Span};

const _: () = assert!(u32::BITS <= usize::BITS && usize::BITS <= u64::BITS, "the next two functions lose nothing");

/// A length or a position in memory, as a file counts. Lossless.
#[expect(clippy::as_conversions, reason = "`From` does not know how wide addresses are; the assertion above does")]
pub(crate) const fn to_u64(len: usize) -> u64 {
    len as u64
}

/// A 32-bit number of a file, as a position in memory. Lossless.
#[expect(clippy::as_conversions, reason = "`From` does not know how wide addresses are; the assertion above does")]
pub(crate) const fn to_usize(number: u32) -> usize {
    number as usize
}

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
            let len = to_u64(bytes.len());
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
        Ok(Field { value, span: Span::at(start, to_u64(value.len())) })
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
        let left = to_u64(self.bytes.len().saturating_sub(at));
        let start = self.base.saturating_add(to_u64(at));
        let found = Found::Short { wanted: to_u64(wanted), left };
        Reject::new(self.bound, Span { found, ..Span::at(start, left) })
    }

    /// Absolute offset of the next byte.
    pub(crate) fn offset(&self) -> u64 {
        self.base.saturating_add(to_u64(self.at))
    }

    /// Position of the next byte within the slice.
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    /// Bytes not yet read.
    pub(crate) fn left(&self) -> usize {
        self.bytes.len().saturating_sub(self.at)
    }

    /// Everything not yet read.
    pub(crate) fn rest(&mut self) -> Field<&'a [u8]> {
        let span = Span::at(self.offset(), to_u64(self.left()));
        let value = &self.bytes[self.at..];
        self.at = self.bytes.len();
        Field { value, span }
    }
}

/// The smallest multiple of `alignment` that is at least `offset`; `None` beyond 64 bits. An alignment of 0 is taken
/// for 1, so that a waived check of it stays harmless.
pub(crate) fn round_up(offset: u64, alignment: u64) -> Option<u64> {
    offset.checked_next_multiple_of(alignment.max(1))
}

#[cfg(test)]
mod tests;
