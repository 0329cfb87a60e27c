//! What a file says, as values: element types, handles, descriptors, key-value entries. Knows no bytes and no rules.

mod descriptor;
mod element;
mod handle;
mod kv;

pub use descriptor::{DYNAMIC, LayoutDescriptor, Shape, TensorDescriptor};
pub use element::ElementType;
pub use handle::{BufferHandle, DeviceTag, MIN_BUFFER_ALIGNMENT, MemoryClass, SyncMode};
pub use kv::{KvType, KvValue};
