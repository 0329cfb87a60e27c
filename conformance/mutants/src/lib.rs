//! Mutants: readers, writers and transfers with one defect each. A vector or a schedule has to notice every one.
//!
//! Owns the defects and the rule that each of them breaks. The suite itself must not depend on this crate.

pub mod reader;
pub mod transfer;
pub mod writer;

pub use reader::{READER_MUTANTS, ReaderMutant};
pub use transfer::{TRANSFER_MUTANTS, TransferMutant};
