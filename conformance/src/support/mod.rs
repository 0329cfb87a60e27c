//! What every layer needs: text for people, and the end of an interrupted run.
//!
//! Owns no verdict and knows no candidate.

pub mod interrupt;
pub mod text;
