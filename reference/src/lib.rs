//! A deliberately simple reader and writer of the Hurray tensor file format, straight from the specification.
//!
//! The cores do no I/O: [`FileReaderCore`] names the bytes it wants, [`FileWriterCore`] offers the bytes it has. Whoever
//! drives them moves the bytes; [`drive`] does it over `std::io`. Faults of a file are values ([`Reject`]) with the rule,
//! the place and what stood there.
//!
//! Inner modules import one way: `reject`, `judge`, `bytes`, `memory`, `model`, then `wire`, then `check`, then `reader`,
//! `writer` and `validate`, then `drive`. Reader and writer never see each other. Nothing here knows of vectors,
//! candidates or verdicts.

#![forbid(unsafe_code)]

mod bytes;
mod check;
pub mod drive;
mod judge;
mod memory;
mod model;
mod reader;
mod reject;
mod validate;
mod wire;
mod writer;

pub use judge::{Class, Finding, Judge, Policy};
pub use memory::Buffer;
pub use model::{
    BufferHandle, DYNAMIC, DeviceTag, ElementType, KvType, KvValue, LayoutDescriptor, MIN_BUFFER_ALIGNMENT,
    MemoryClass, Shape, SyncMode, TensorDescriptor,
};
pub use reader::{Composite, Container, FileReaderCore, FileStep, Tensor};
pub use reject::{Error, Found, Limit, Misuse, Reject, Span, Unsupported};
pub use validate::{Report, validate};
pub use wire::index::{Index, IndexEntry};
pub use wire::kv::{KvArray, KvSection, KvValueRef};
pub use writer::{FileWriteOp, FileWriterCore, FileWriterOptions, WriteStep};
