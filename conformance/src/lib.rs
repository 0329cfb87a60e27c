//! The conformance suite of the Hurray tensor file format: supervised workers, verdicts, runs and reports.
//!
//! A verdict on a reader rests on the bytes and expectations of `hurray-corpus`, never on decoding the format. This crate
//! sees the reference implementation in [`candidates`] alone, and never asks it what a vector should mean. The layers,
//! lowest first: support, transport, fault, judge, candidates, run, report, tool. Each uses only those before it.

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
