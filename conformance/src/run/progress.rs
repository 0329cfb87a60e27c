//! How far a run is, for whoever watches.
//!
//! Owns the trait. It must not know a terminal.

/// Told how far a run is.
pub trait Progress: Sync {
    /// A candidate starts, with that many judgements to make.
    fn begin(&self, candidate: &str, count: usize);
    /// One judgement was made.
    fn advance(&self);
    /// The candidate is done.
    fn end(&self);
}

/// Progress that nobody looks at.
pub struct Silent;

impl Progress for Silent {
    fn begin(&self, _candidate: &str, _count: usize) {}
    fn advance(&self) {}
    fn end(&self) {}
}
