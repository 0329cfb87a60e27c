//! What a file says, as values: element types, handles, descriptors, key-value entries. Knows no bytes and no rules.

mod descriptor;
mod element;
mod handle;
mod kv;
mod layout;
mod quantization;
mod section;

pub use descriptor::{DYNAMIC, Shape, TensorDescriptor};
pub use element::ElementType;
pub use handle::{BufferHandle, DeviceTag, MIN_BUFFER_ALIGNMENT, MemoryClass, SyncMode};
pub use kv::{KvType, KvValue};
pub(crate) use layout::csf_level;
pub use layout::{BlockPaged, CompositeHead, CompositionRule, LayoutDescriptor, TileLevel, TileOrder};
pub use quantization::{Quantization, Scheme};
pub use section::{ExtensionType, MemberRole, Shard, Statistics};
