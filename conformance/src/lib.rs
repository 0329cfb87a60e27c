//! The conformance suite of the Hurray tensor file format: supervised workers, verdicts, runs and reports.
//!
//! This crate knows the format only through the bytes and expectations of `hurray-corpus`. It sees the reference
//! implementation in [`candidates`] alone, and never asks it what a vector should mean. Modules stand in the order in
//! which one may use another: each uses only those above it.

pub mod candidates;
pub mod fault;
pub mod judge;
pub mod report;
pub mod run;
pub mod support;
pub mod tool;
pub mod transport;

#[cfg(test)]
pub(crate) mod testing;
