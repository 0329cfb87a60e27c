//! A deliberately simple reader and writer of the Hurray tensor file format, straight from the specification.
//!
//! The cores do no I/O: [`FileReaderCore`] names the bytes it wants, [`FileWriterCore`] offers the bytes it has. Whoever
//! drives them moves the bytes; [`drive`] does it over `std::io`. Faults of a file are values ([`Reject`]) with the rule,
//! the place and what stood there.
//!
//! ```
//! use hurray_reference::drive::{Seeking, drive_reader, drive_writer};
//! use hurray_reference::{
//!     BufferHandle, DeviceTag, ElementType, FileReaderCore, FileStep, FileWriterCore, LayoutDescriptor, Shape, SyncMode,
//!     TensorDescriptor,
//! };
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let handle = BufferHandle::new(3, 64, DeviceTag::CPU, SyncMode::PRODUCER_SYNCED);
//! let shape = Shape::new(vec![3]);
//! let descriptor = TensorDescriptor::new(ElementType::Uint8, shape, LayoutDescriptor::RowMajor, vec![handle]);
//! let mut file = Vec::new();
//! let mut writer = FileWriterCore::new();
//! drive_writer(writer.header()?, &mut file)?;
//! drive_writer(writer.tensor("a", &descriptor, &[&[1, 2, 3]])?, &mut file)?;
//! drive_writer(writer.finish(vec![])?, &mut file)?;
//!
//! let mut reader = FileReaderCore::new(file.len() as u64);
//! let mut source = Seeking(std::io::Cursor::new(file));
//! assert_eq!(drive_reader(&mut reader, &mut source)?, FileStep::Ready);
//! reader.begin_tensor("a")?;
//! assert_eq!(drive_reader(&mut reader, &mut source)?, FileStep::Tensor);
//! let tensor = reader.take_tensor().ok_or("nothing is ready")?;
//! assert_eq!(tensor.buffers[0].as_ref(), [1, 2, 3]);
//! # Ok(())
//! # }
//! ```
//!
//! Inner modules import one way: `reject`, `judge`, `bytes`, `memory`, `model`, then `wire`, then `check`, then `reader`,
//! `sequential`, `writer` and `validate`, then `drive`. Reader and writer never see each other. Nothing here knows of vectors,
//! candidates or verdicts.

#![forbid(unsafe_code)]
// Numbers come from files: every sum and every conversion says what it does where the value does not fit. Tests count in
// numbers they chose themselves.
#![cfg_attr(
    not(test),
    warn(
        clippy::arithmetic_side_effects,
        clippy::as_conversions,
        clippy::cast_lossless,
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss
    )
)]

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod bytes;
mod check;
pub mod drive;
mod judge;
pub mod meaning;
mod memory;
mod model;
mod reader;
mod reject;
mod sequential;
mod validate;
mod wire;
mod writer;

pub use judge::{Class, Finding, Policy, RELAXED};
pub use memory::Buffer;
pub use model::{
    BlockPaged, BufferHandle, CompositeHead, CompositionRule, DYNAMIC, DeviceTag, ElementType, ExtensionType, KvType,
    KvValue, LayoutDescriptor, MIN_BUFFER_ALIGNMENT, MemberRole, MemoryClass, Quantization, Scheme, Shape, Shard,
    Statistics, SyncMode, TensorDescriptor, TileLevel, TileOrder,
};
pub use reader::{Composite, Container, FileItem, FileReaderCore, FileStep, Tensor, decode_descriptor};
pub use reject::{Error, Found, Limit, Misuse, Reject, Span, Unsupported};
pub use sequential::{Passing, Scanned, SequentialReader};
pub use validate::{Report, validate};
pub use wire::index::{Index, IndexEntry};
pub use wire::kv::{KvArray, KvSection, KvValueRef};
pub use writer::{
    FileCompositeNode, FileTensorNode, FileWriteOp, FileWriterCore, FileWriterOptions, WriteStep, flatten_composite,
};
