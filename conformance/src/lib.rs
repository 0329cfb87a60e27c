//! The conformance suite of the Hurray tensor file format: vectors, a supervised worker, verdicts, reports.
//!
//! This crate knows the format only through the bytes and expectations of `vectors/`. It sees the reference
//! implementation in [`candidates`] alone, and never asks it what a vector should mean.

pub mod candidates;
pub mod check;
pub mod cli;
pub mod description;
pub mod faulty;
pub mod known;
pub mod profile;
pub mod recipe;
pub mod report;
pub mod run;
pub mod saboteur;
pub mod schedule;
pub mod shim;
pub mod stop;
#[cfg(test)]
pub(crate) mod testing;
pub mod text;
pub mod transport;
pub mod vector;
pub mod verdict;
pub mod verify;
pub mod view;
pub mod worker;
