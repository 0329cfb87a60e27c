//! The corpus of the Hurray conformance suite: recipes, vectors for readers and writers, descriptions and I/O schedules.
//!
//! Owns every check of the suite on its own files. It must not know a candidate, a verdict or an implementation.

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub mod description;
mod error;
pub mod export;
mod feature;
mod form;
mod load;
pub mod manifest;
pub mod recipe;
pub mod schedule;
mod set;
pub mod similar;
pub mod vector;
pub mod write_vector;

pub use error::{LoadError, LoadErrors, LoadFault};
pub use feature::{Feature, NoFeature};
pub use load::{Loaded, Sources, load};
pub use set::{VectorSet, read_sources};
pub use vector::{Class, Due, Expect, ExpectValidate, Expected, ExpectedTensor, Meaning, Passing, ReadMode, Vector};
