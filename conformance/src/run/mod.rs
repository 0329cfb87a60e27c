//! One run: every selected vector, on every candidate, in every profile.
//!
//! Owns selection, order and the lanes of parallel workers. What a result means is decided in `judge`, how people see it
//! in `report`.

mod files;
mod interop;
mod known;
mod lanes;
mod meter;
mod mutate;
mod plan;
pub mod probe;
mod progress;
mod read;
mod result;
mod sequential;
mod session;
pub mod sweep;
mod task;
mod write;

pub use files::Files;
pub use interop::{Cell, matrix, run_interop};
pub use known::{apply_known, updated_known};
pub use meter::Spent;
pub use mutate::{Mutation, Mutator, Tally, mutations, run_mutations};
pub use plan::Selection;
pub use progress::{Progress, Silent};
pub use read::judge_on;
pub use result::{About, CandidateRun, Run, Scored};
pub use session::run_candidate;
pub use write::{Wrote, inspect, write_on};
