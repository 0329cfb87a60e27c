//! Numbers in buffers, and why there is no answer. Owns the bounds of a buffer; knows no layout.

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoMeaning {
    /// The index is not one of the tensor.
    Index,
    /// The layout, the element type or the scheme is of no known meaning, or has none for a single element.
    Unknown,
    /// The buffers lead nowhere: they are too short, or point beyond their end.
    Data,
    /// The bytes must not occur: float8_e8m0 0x00 and 0xFF (ruling R54), or a scale or zero-point that its scheme forbids.
    Reserved,
}

/// Numbers in buffers.
pub(super) struct Words<'a, B> {
    pub(super) buffers: &'a [B],
}
