//! What a reader is doing while bytes are asked for.
//!
//! Owns the phases. Knows no defect.

/// What a reader is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    Open,
    Describe,
    Read,
    Composite,
    Other,
}
