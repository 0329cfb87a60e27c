//! How far a run is, for a person who watches.
//!
//! Owns the trait. It must not know a terminal.

/// Told how far a run is.
pub trait Progress: Sync {
    /// A candidate starts, with that many tasks.
    fn begin(&self, candidate: &str, count: usize);
    /// One task is done.
    fn advance(&self);
    /// The candidate is done.
    fn end(&self);
}

/// Shows no progress.
pub struct Silent;

impl Progress for Silent {
    fn begin(&self, _candidate: &str, _count: usize) {}
    fn advance(&self) {}
    fn end(&self) {}
}
