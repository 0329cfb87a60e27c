//! Connects an implementation of the Hurray file format to the conformance suite.
//!
//! Implement [`Candidate`], [`Reader`] and, if it writes, [`Writer`] over your library, call [`serve`] from `main`, and point the suite at the
//! program: `hurray-conformance --command target/release/my-adapter`. The suite speaks first only after your
//! [`Hello`]; it sends one script of steps per file and compares what you *observed*. Expectations are never sent.
//!
//! This crate owns the worker protocol (version 1) and the vocabulary of observations. It knows nothing of the
//! format's rules, of vectors or of verdicts.

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod candidate;
mod hello;
mod observe;
mod protocol;
mod script;
mod serve;
mod source;
mod words;
mod writing;

pub use candidate::{Answer, Candidate, Failure, Reader, Writer};
pub use hello::Hello;
pub use observe::{
    BufferObservation, CompositeObservation, ContainerObservation, FieldValue, Fields, Finding, Float64,
    HandleObservation, I64, KvEntry, KvValue, Observed, Place, PlaceWord, ScanObservation, ScannedTensor,
    TensorObservation, Text, U64,
};
pub use protocol::{
    Bare, Element, Entries, Name, Need, Next, Offer, Opening, Operation, PROTOCOL, Reply, Request, SinkSpec,
    SourceSpec, Step, StepResult, WorkerMessage,
};
pub use script::{Endpoint, run_script, run_steps};
pub use serve::{ServeError, serve, serve_on};
pub use source::{MemorySource, ReadAt, Source};
pub use words::{Op, Part, SinkKind, SourceKind, WriteFeature, words};
pub use writing::{NewComposite, NewFile, NewItem, NewTensor, Payload, Sink, WriteOptions, WriterState, Writes};
