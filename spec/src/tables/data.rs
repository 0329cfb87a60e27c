// Generated from spec/tables/*.toml by `cargo xtask codegen`; do not edit.
//! The values of the specification's tables. Owns no lookup.

use super::{Blocks, Device, ElementKind, ElementType, Field, FlagBit, Layout, LayoutClass, Scheme};
use super::{Structure, TagClass, TagName, TagRange, TagSpace, VariableField, VariableStructure};

/// First eight bytes of a file (file-format.md § File Header).
pub const FILE_MAGIC: [u8; 8] = *b"HRRYFILE";

/// First four bytes of a descriptor (metadata.md § Fixed Header).
pub const DESCRIPTOR_MAGIC: [u8; 4] = *b"HRRY";

/// Last four bytes of a file; the same bytes as the descriptor magic (ruling R15) (file-format.md § Trailer).
pub const TRAILER_MAGIC: [u8; 4] = *b"HRRY";

/// Bytes of the file header (file-format.md § File Header).
pub const HEADER_LEN: u64 = 64;

/// Bytes of the trailer (file-format.md § Trailer).
pub const TRAILER_LEN: u64 = 40;

/// Bytes of an index without entries: its count (ruling R15).
pub const INDEX_MIN_LEN: u64 = 8;

/// Bytes of the smallest file: header, empty index, trailer (ruling R15).
pub const FILE_MIN_LEN: u64 = 112;

/// Bytes of an index entry besides its name (file-format.md § Index Encoding).
pub const INDEX_ENTRY_FIXED_LEN: u64 = 34;

/// Bytes of the smallest index entry, its name being one byte (ruling R19).
pub const INDEX_ENTRY_MIN_LEN: u64 = 35;

/// Bytes of a key-value section without entries: its count (ruling R35).
pub const KV_MIN_LEN: u64 = 4;

/// Bytes of the smallest entry: key length, one byte of key, tag, a bool (ruling R19).
pub const KV_ENTRY_MIN_LEN: u64 = 5;

/// Alignment of descriptors, key-value section and index (file-format.md § Alignment and Padding Summary).
pub const SECTION_ALIGNMENT: u64 = 8;

/// Smallest data_buffer_alignment (file-format.md § File Header).
pub const DATA_ALIGNMENT_MIN: u32 = 4096;

/// Largest data_buffer_alignment (file-format.md § File Header).
pub const DATA_ALIGNMENT_MAX: u32 = 2_097_152;

/// Tensor_count_hint of a writer that does not know the count (file-format.md § File Header).
pub const COUNT_UNKNOWN: u64 = u64::MAX;

/// Bits 3-31 of file_flags, which are zero (file-format.md § File Flags).
pub const FILE_FLAGS_RESERVED: u32 = 0xFFFF_FFF8;

/// Bytes of a descriptor's fixed header; no descriptor_length is smaller (metadata.md § Fixed Header).
pub const DESCRIPTOR_HEADER_LEN: u64 = 20;

/// Bits 5-31 of a descriptor's flags, which are zero (metadata.md § Flags).
pub const DESCRIPTOR_FLAGS_RESERVED: u32 = 0xFFFF_FFE0;

/// Bytes of a buffer handle (metadata.md § Buffer Table).
pub const BUFFER_HANDLE_LEN: u64 = 16;

/// Smallest alignment of a handle whose buffer is not empty (buffer-protocol.md § Buffer Handle).
pub const BUFFER_ALIGNMENT_MIN: u32 = 64;

/// Largest rank (data-model.md § Rank).
pub const RANK_MAX: u32 = 64;

/// Size of a dimension that is not known (data-model.md § Dynamic Dimensions).
pub const DIMENSION_DYNAMIC: u64 = u64::MAX;

/// Bytes of the longest tensor name, and of the longest key (file-format.md § Index Encoding; KV Section Encoding).
pub const NAME_MAX_LEN: u64 = 65_535;

/// Major and minor version of the container this text describes (versioning.md § Version Registry).
pub const CONTAINER_VERSION: (u8, u8) = (1, 0);

/// Major and minor version of the descriptor this text describes (versioning.md § Version Registry).
pub const DESCRIPTOR_VERSION: (u8, u8) = (1, 0);

/// Zero_point_buffer_index of a symmetric scheme, which has no such buffer (quantization/per-channel-affine.md § Binary Encoding).
pub const NO_BUFFER: u32 = u32::MAX;

/// Member_count of a composite that is still open; never in a file (layouts/composite.md § Head Layout-Specific Fields).
pub const MEMBER_COUNT_OPEN: u32 = u32::MAX;

/// Heads on a path, the root counted, that every reader accepts (ruling R66) (layouts/composite.md § Binding).
pub const COMPOSITE_DEPTH_MAX: u32 = 8;

/// Tiled blocks within one another, the outermost counted, that every reader accepts (ruling R57) (layouts/tiled.md § Additional Descriptor Fields).
pub const TILED_DEPTH_MAX: u32 = 8;

/// Layer_index of a block-paged tensor that belongs to no layer (layouts/block-paged.md § Additional Descriptor Fields).
pub const LAYER_NONE: u32 = u32::MAX;

/// Bits of the float32 that each NF4 code stands for, before scaling (quantization/nf4.md § Lookup Table).
pub const NF4_LEVELS: [u32; 16] = [
    0xBF80_0000,
    0xBF32_39B1,
    0xBF06_6B30,
    0xBECA_32A0,
    0xBE91_A24D,
    0xBE3D_353F,
    0xBDBA_7871,
    0x0000_0000,
    0x3DA2_FAFF,
    0x3E24_CAE3,
    0x3E7C_04DD,
    0x3EAD_033A,
    0x3EE1_A4B8,
    0x3F10_07AB,
    0x3F39_13B3,
    0x3F80_0000,
];

/// Every value of `type_tag` (element-types.md § Type Identifier Encoding; § Type Properties Summary).
pub static TYPE_TAG: TagSpace = TagSpace {
    id: "type_tag",
    values: &[
        TagName { tag: 0x01, name: "float16" },
        TagName { tag: 0x02, name: "bfloat16" },
        TagName { tag: 0x03, name: "float32" },
        TagName { tag: 0x04, name: "float64" },
        TagName { tag: 0x10, name: "int8" },
        TagName { tag: 0x11, name: "uint8" },
        TagName { tag: 0x12, name: "int16" },
        TagName { tag: 0x13, name: "uint16" },
        TagName { tag: 0x14, name: "int32" },
        TagName { tag: 0x15, name: "uint32" },
        TagName { tag: 0x16, name: "int64" },
        TagName { tag: 0x17, name: "uint64" },
        TagName { tag: 0x20, name: "bool" },
        TagName { tag: 0x40, name: "float8_e4m3" },
        TagName { tag: 0x41, name: "float8_e5m2" },
        TagName { tag: 0x42, name: "float8_e8m0" },
        TagName { tag: 0x43, name: "float4_e2m1" },
        TagName { tag: 0x44, name: "float6_e2m3" },
        TagName { tag: 0x45, name: "float6_e3m2" },
        TagName { tag: 0x46, name: "float128" },
        TagName { tag: 0x48, name: "int4" },
        TagName { tag: 0x49, name: "uint4" },
        TagName { tag: 0x4a, name: "int2" },
        TagName { tag: 0x4b, name: "uint2" },
        TagName { tag: 0x50, name: "complex64" },
        TagName { tag: 0x51, name: "complex128" },
    ],
    ranges: &[
        TagRange { from: 0x00, to: 0x00, class: TagClass::Invalid },
        TagRange { from: 0x05, to: 0x0f, class: TagClass::Unassigned },
        TagRange { from: 0x18, to: 0x1f, class: TagClass::Unassigned },
        TagRange { from: 0x21, to: 0x3f, class: TagClass::Unassigned },
        TagRange { from: 0x47, to: 0x47, class: TagClass::Unassigned },
        TagRange { from: 0x4c, to: 0x4f, class: TagClass::Unassigned },
        TagRange { from: 0x52, to: 0x7f, class: TagClass::Unassigned },
        TagRange { from: 0x80, to: 0xef, class: TagClass::Reserved },
        TagRange { from: 0xf0, to: 0xfe, class: TagClass::Private },
        TagRange { from: 0xff, to: 0xff, class: TagClass::Invalid },
    ],
};

/// Every value of `layout_tag` (memory-layout.md § Layout Taxonomy).
pub static LAYOUT_TAG: TagSpace = TagSpace {
    id: "layout_tag",
    values: &[
        TagName { tag: 0x01, name: "row_major" },
        TagName { tag: 0x02, name: "column_major" },
        TagName { tag: 0x03, name: "strided" },
        TagName { tag: 0x04, name: "tiled" },
        TagName { tag: 0x05, name: "morton" },
        TagName { tag: 0x06, name: "coo" },
        TagName { tag: 0x07, name: "csr" },
        TagName { tag: 0x08, name: "csc" },
        TagName { tag: 0x09, name: "csf" },
        TagName { tag: 0x0a, name: "block_paged" },
        TagName { tag: 0x0b, name: "composite_head" },
        TagName { tag: 0x40, name: "hilbert" },
    ],
    ranges: &[
        TagRange { from: 0x00, to: 0x00, class: TagClass::Invalid },
        TagRange { from: 0x0c, to: 0x3f, class: TagClass::Unassigned },
        TagRange { from: 0x41, to: 0x7f, class: TagClass::Unassigned },
        TagRange { from: 0x80, to: 0xef, class: TagClass::Reserved },
        TagRange { from: 0xf0, to: 0xfe, class: TagClass::Private },
        TagRange { from: 0xff, to: 0xff, class: TagClass::Invalid },
    ],
};

/// Every value of `device_tag` (buffer-protocol.md § Device Tags).
pub static DEVICE_TAG: TagSpace = TagSpace {
    id: "device_tag",
    values: &[
        TagName { tag: 0x00, name: "CPU" },
        TagName { tag: 0x01, name: "CUDA" },
        TagName { tag: 0x02, name: "ROCm" },
        TagName { tag: 0x03, name: "Metal" },
        TagName { tag: 0x04, name: "Vulkan" },
        TagName { tag: 0x05, name: "WebGPU" },
        TagName { tag: 0x06, name: "Hexagon" },
        TagName { tag: 0x07, name: "Level Zero" },
        TagName { tag: 0x08, name: "OpenCL" },
    ],
    ranges: &[
        TagRange { from: 0x09, to: 0xef, class: TagClass::Reserved },
        TagRange { from: 0xf0, to: 0xfe, class: TagClass::Private },
        TagRange { from: 0xff, to: 0xff, class: TagClass::Invalid },
    ],
};

/// Every value of `sync_mode` (buffer-protocol.md § sync_mode Values).
pub static SYNC_MODE: TagSpace = TagSpace {
    id: "sync_mode",
    values: &[
        TagName { tag: 0x00, name: "SYNC_PRODUCER_SYNCED" },
        TagName { tag: 0x01, name: "SYNC_EVENT" },
        TagName { tag: 0x02, name: "SYNC_CONSUMER_STREAM" },
    ],
    ranges: &[
        TagRange { from: 0x03, to: 0xfe, class: TagClass::Reserved },
        TagRange { from: 0xff, to: 0xff, class: TagClass::Invalid },
    ],
};

/// Every value of `memory_class` (buffer-protocol.md § Memory Class Values).
pub static MEMORY_CLASS: TagSpace = TagSpace {
    id: "memory_class",
    values: &[
        TagName { tag: 0x00, name: "STANDARD" },
        TagName { tag: 0x01, name: "HOST_PINNED" },
        TagName { tag: 0x02, name: "UNIFIED" },
        TagName { tag: 0x03, name: "PEER" },
    ],
    ranges: &[
        TagRange { from: 0x04, to: 0xef, class: TagClass::Reserved },
        TagRange { from: 0xf0, to: 0xfe, class: TagClass::Private },
        TagRange { from: 0xff, to: 0xff, class: TagClass::Invalid },
    ],
};

/// Every value of `kv_value_tag` (file-format.md § KV Value Types).
pub static KV_VALUE_TAG: TagSpace = TagSpace {
    id: "kv_value_tag",
    values: &[
        TagName { tag: 0x01, name: "string" },
        TagName { tag: 0x02, name: "int64" },
        TagName { tag: 0x03, name: "uint64" },
        TagName { tag: 0x04, name: "float64" },
        TagName { tag: 0x05, name: "bool" },
        TagName { tag: 0x06, name: "bytes" },
        TagName { tag: 0x07, name: "array" },
    ],
    ranges: &[
        TagRange { from: 0x00, to: 0x00, class: TagClass::Unassigned },
        TagRange { from: 0x08, to: 0xef, class: TagClass::Reserved },
        TagRange { from: 0xf0, to: 0xfe, class: TagClass::Private },
        TagRange { from: 0xff, to: 0xff, class: TagClass::Invalid },
    ],
};

/// Every value of `scheme_tag` (quantization.md § Scheme Tag Space; § Assigned Scheme Tags).
pub static SCHEME_TAG: TagSpace = TagSpace {
    id: "scheme_tag",
    values: &[
        TagName { tag: 0x01, name: "per_tensor" },
        TagName { tag: 0x02, name: "per_channel" },
        TagName { tag: 0x03, name: "per_block" },
        TagName { tag: 0x04, name: "nf4" },
        TagName { tag: 0x05, name: "mxfp" },
    ],
    ranges: &[
        TagRange { from: 0x00, to: 0x00, class: TagClass::Invalid },
        TagRange { from: 0x06, to: 0x5f, class: TagClass::Unassigned },
        TagRange { from: 0x60, to: 0xef, class: TagClass::Reserved },
        TagRange { from: 0xf0, to: 0xfe, class: TagClass::Private },
        TagRange { from: 0xff, to: 0xff, class: TagClass::Invalid },
    ],
};

/// Every value of `composition_rule` (layouts/composite.md § Head Layout-Specific Fields).
pub static COMPOSITION_RULE: TagSpace = TagSpace {
    id: "composition_rule",
    values: &[
        TagName { tag: 0x01, name: "partition" },
        TagName { tag: 0x02, name: "overlay" },
        TagName { tag: 0x03, name: "group" },
    ],
    ranges: &[
        TagRange { from: 0x00, to: 0x00, class: TagClass::Reserved },
        TagRange { from: 0x04, to: 0xef, class: TagClass::Reserved },
        TagRange { from: 0xf0, to: 0xfe, class: TagClass::Private },
        TagRange { from: 0xff, to: 0xff, class: TagClass::Invalid },
    ],
};

/// Every value of `combine_op` (layouts/composite.md § Head Layout-Specific Fields).
pub static COMBINE_OP: TagSpace = TagSpace {
    id: "combine_op",
    values: &[
        TagName { tag: 0x00, name: "none" },
        TagName { tag: 0x01, name: "replace" },
        TagName { tag: 0x02, name: "add" },
    ],
    ranges: &[TagRange { from: 0x03, to: 0xff, class: TagClass::Reserved }],
};

/// Every value of `member_role` (metadata.md § Composite Member Section).
pub static MEMBER_ROLE: TagSpace = TagSpace {
    id: "member_role",
    values: &[TagName { tag: 0x00, name: "correction" }, TagName { tag: 0x01, name: "base" }],
    ranges: &[TagRange { from: 0x02, to: 0xff, class: TagClass::Reserved }],
};

/// Every tag byte.
pub static TAG_SPACES: &[&TagSpace] = &[
    &TYPE_TAG,
    &LAYOUT_TAG,
    &DEVICE_TAG,
    &SYNC_MODE,
    &MEMORY_CLASS,
    &KV_VALUE_TAG,
    &SCHEME_TAG,
    &COMPOSITION_RULE,
    &COMBINE_OP,
    &MEMBER_ROLE,
];

/// Fewest bytes of a `string` payload.
pub const KV_STRING_MIN_LEN: u64 = 4;

/// Fewest bytes of a `int64` payload.
pub const KV_INT64_MIN_LEN: u64 = 8;

/// Fewest bytes of a `uint64` payload.
pub const KV_UINT64_MIN_LEN: u64 = 8;

/// Fewest bytes of a `float64` payload.
pub const KV_FLOAT64_MIN_LEN: u64 = 8;

/// Fewest bytes of a `bool` payload.
pub const KV_BOOL_MIN_LEN: u64 = 1;

/// Fewest bytes of a `bytes` payload.
pub const KV_BYTES_MIN_LEN: u64 = 4;

/// Fewest bytes of a `array` payload.
pub const KV_ARRAY_MIN_LEN: u64 = 5;

/// Every element type, by tag.
pub static ELEMENT_TYPES: &[ElementType] = &[
    ElementType {
        name: "float16",
        tag: 0x01,
        tier: 1,
        kind: ElementKind::Float,
        bits: 16,
        align: 2,
        pack_elements: 1,
        pack_bytes: 2,
    },
    ElementType {
        name: "bfloat16",
        tag: 0x02,
        tier: 1,
        kind: ElementKind::Float,
        bits: 16,
        align: 2,
        pack_elements: 1,
        pack_bytes: 2,
    },
    ElementType {
        name: "float32",
        tag: 0x03,
        tier: 1,
        kind: ElementKind::Float,
        bits: 32,
        align: 4,
        pack_elements: 1,
        pack_bytes: 4,
    },
    ElementType {
        name: "float64",
        tag: 0x04,
        tier: 1,
        kind: ElementKind::Float,
        bits: 64,
        align: 8,
        pack_elements: 1,
        pack_bytes: 8,
    },
    ElementType {
        name: "int8",
        tag: 0x10,
        tier: 1,
        kind: ElementKind::Signed,
        bits: 8,
        align: 1,
        pack_elements: 1,
        pack_bytes: 1,
    },
    ElementType {
        name: "uint8",
        tag: 0x11,
        tier: 1,
        kind: ElementKind::Unsigned,
        bits: 8,
        align: 1,
        pack_elements: 1,
        pack_bytes: 1,
    },
    ElementType {
        name: "int16",
        tag: 0x12,
        tier: 1,
        kind: ElementKind::Signed,
        bits: 16,
        align: 2,
        pack_elements: 1,
        pack_bytes: 2,
    },
    ElementType {
        name: "uint16",
        tag: 0x13,
        tier: 1,
        kind: ElementKind::Unsigned,
        bits: 16,
        align: 2,
        pack_elements: 1,
        pack_bytes: 2,
    },
    ElementType {
        name: "int32",
        tag: 0x14,
        tier: 1,
        kind: ElementKind::Signed,
        bits: 32,
        align: 4,
        pack_elements: 1,
        pack_bytes: 4,
    },
    ElementType {
        name: "uint32",
        tag: 0x15,
        tier: 1,
        kind: ElementKind::Unsigned,
        bits: 32,
        align: 4,
        pack_elements: 1,
        pack_bytes: 4,
    },
    ElementType {
        name: "int64",
        tag: 0x16,
        tier: 1,
        kind: ElementKind::Signed,
        bits: 64,
        align: 8,
        pack_elements: 1,
        pack_bytes: 8,
    },
    ElementType {
        name: "uint64",
        tag: 0x17,
        tier: 1,
        kind: ElementKind::Unsigned,
        bits: 64,
        align: 8,
        pack_elements: 1,
        pack_bytes: 8,
    },
    ElementType {
        name: "bool",
        tag: 0x20,
        tier: 1,
        kind: ElementKind::Boolean,
        bits: 1,
        align: 1,
        pack_elements: 8,
        pack_bytes: 1,
    },
    ElementType {
        name: "float8_e4m3",
        tag: 0x40,
        tier: 2,
        kind: ElementKind::Float,
        bits: 8,
        align: 1,
        pack_elements: 1,
        pack_bytes: 1,
    },
    ElementType {
        name: "float8_e5m2",
        tag: 0x41,
        tier: 2,
        kind: ElementKind::Float,
        bits: 8,
        align: 1,
        pack_elements: 1,
        pack_bytes: 1,
    },
    ElementType {
        name: "float8_e8m0",
        tag: 0x42,
        tier: 2,
        kind: ElementKind::Exponent,
        bits: 8,
        align: 1,
        pack_elements: 1,
        pack_bytes: 1,
    },
    ElementType {
        name: "float4_e2m1",
        tag: 0x43,
        tier: 2,
        kind: ElementKind::Float,
        bits: 4,
        align: 1,
        pack_elements: 2,
        pack_bytes: 1,
    },
    ElementType {
        name: "float6_e2m3",
        tag: 0x44,
        tier: 2,
        kind: ElementKind::Float,
        bits: 6,
        align: 1,
        pack_elements: 4,
        pack_bytes: 3,
    },
    ElementType {
        name: "float6_e3m2",
        tag: 0x45,
        tier: 2,
        kind: ElementKind::Float,
        bits: 6,
        align: 1,
        pack_elements: 4,
        pack_bytes: 3,
    },
    ElementType {
        name: "float128",
        tag: 0x46,
        tier: 2,
        kind: ElementKind::Float,
        bits: 128,
        align: 16,
        pack_elements: 1,
        pack_bytes: 16,
    },
    ElementType {
        name: "int4",
        tag: 0x48,
        tier: 2,
        kind: ElementKind::Signed,
        bits: 4,
        align: 1,
        pack_elements: 2,
        pack_bytes: 1,
    },
    ElementType {
        name: "uint4",
        tag: 0x49,
        tier: 2,
        kind: ElementKind::Unsigned,
        bits: 4,
        align: 1,
        pack_elements: 2,
        pack_bytes: 1,
    },
    ElementType {
        name: "int2",
        tag: 0x4a,
        tier: 2,
        kind: ElementKind::Signed,
        bits: 2,
        align: 1,
        pack_elements: 4,
        pack_bytes: 1,
    },
    ElementType {
        name: "uint2",
        tag: 0x4b,
        tier: 2,
        kind: ElementKind::Unsigned,
        bits: 2,
        align: 1,
        pack_elements: 4,
        pack_bytes: 1,
    },
    ElementType {
        name: "complex64",
        tag: 0x50,
        tier: 2,
        kind: ElementKind::Complex,
        bits: 64,
        align: 4,
        pack_elements: 1,
        pack_bytes: 8,
    },
    ElementType {
        name: "complex128",
        tag: 0x51,
        tier: 2,
        kind: ElementKind::Complex,
        bits: 128,
        align: 8,
        pack_elements: 1,
        pack_bytes: 16,
    },
];

/// Every layout, by tag.
pub static LAYOUTS: &[Layout] = &[
    Layout { name: "row_major", tag: 0x01, tier: 1, class: LayoutClass::Dense, min_rank: 0, max_rank: 64 },
    Layout { name: "column_major", tag: 0x02, tier: 1, class: LayoutClass::Dense, min_rank: 1, max_rank: 64 },
    Layout { name: "strided", tag: 0x03, tier: 1, class: LayoutClass::Dense, min_rank: 1, max_rank: 64 },
    Layout { name: "tiled", tag: 0x04, tier: 1, class: LayoutClass::Dense, min_rank: 1, max_rank: 64 },
    Layout { name: "morton", tag: 0x05, tier: 1, class: LayoutClass::Dense, min_rank: 1, max_rank: 64 },
    Layout { name: "coo", tag: 0x06, tier: 1, class: LayoutClass::Sparse, min_rank: 1, max_rank: 64 },
    Layout { name: "csr", tag: 0x07, tier: 1, class: LayoutClass::Sparse, min_rank: 2, max_rank: 2 },
    Layout { name: "csc", tag: 0x08, tier: 1, class: LayoutClass::Sparse, min_rank: 2, max_rank: 2 },
    Layout { name: "csf", tag: 0x09, tier: 1, class: LayoutClass::Sparse, min_rank: 3, max_rank: 64 },
    Layout { name: "block_paged", tag: 0x0a, tier: 1, class: LayoutClass::Indirect, min_rank: 3, max_rank: 3 },
    Layout { name: "composite_head", tag: 0x0b, tier: 1, class: LayoutClass::Virtual, min_rank: 0, max_rank: 64 },
    Layout { name: "hilbert", tag: 0x40, tier: 2, class: LayoutClass::Dense, min_rank: 2, max_rank: 64 },
];

pub(super) fn baseline_buffer_count(layout_tag: u8, rank: u32) -> u32 {
    match layout_tag {
        0x01 => 1,
        0x02 => 1,
        0x03 => 1,
        0x04 => 1,
        0x05 => 1,
        0x06 => 2,
        0x07 => 3,
        0x08 => 3,
        0x09 => rank.saturating_mul(2).saturating_add(1),
        0x0a => 3,
        0x0b => 0,
        0x40 => 1,
        _ => 1,
    }
}

/// Every device, by tag.
pub static DEVICES: &[Device] = &[
    Device { name: "CPU", tag: 0x00, memory_classes: &[0, 1, 2] },
    Device { name: "CUDA", tag: 0x01, memory_classes: &[0, 1, 2, 3] },
    Device { name: "ROCm", tag: 0x02, memory_classes: &[0, 1, 2, 3] },
    Device { name: "Metal", tag: 0x03, memory_classes: &[0, 1, 2] },
    Device { name: "Vulkan", tag: 0x04, memory_classes: &[0, 1, 2, 3] },
    Device { name: "WebGPU", tag: 0x05, memory_classes: &[0] },
    Device { name: "Hexagon", tag: 0x06, memory_classes: &[0, 1, 2] },
    Device { name: "Level Zero", tag: 0x07, memory_classes: &[0, 1, 2, 3] },
    Device { name: "OpenCL", tag: 0x08, memory_classes: &[0, 1, 2] },
];

/// Every quantization scheme, by tag.
pub static SCHEMES: &[Scheme] = &[
    Scheme {
        name: "per_tensor",
        tag: 0x01,
        tier: 1,
        len: 16,
        storage: &[16, 17, 18, 19, 20, 21, 72, 73, 74, 75],
        buffers: 0,
        blocks: None,
    },
    Scheme {
        name: "per_channel",
        tag: 0x02,
        tier: 1,
        len: 20,
        storage: &[16, 17, 18, 19, 20, 21, 72, 73, 74, 75],
        buffers: 2,
        blocks: None,
    },
    Scheme {
        name: "per_block",
        tag: 0x03,
        tier: 1,
        len: 24,
        storage: &[16, 17, 72, 73, 74, 75],
        buffers: 2,
        blocks: Some(Blocks { min: 2, max: 0, partial: true }),
    },
    Scheme {
        name: "nf4",
        tag: 0x04,
        tier: 2,
        len: 16,
        storage: &[73],
        buffers: 1,
        blocks: Some(Blocks { min: 8, max: 0, partial: true }),
    },
    Scheme {
        name: "mxfp",
        tag: 0x05,
        tier: 2,
        len: 16,
        storage: &[16, 64, 65, 67, 68, 69, 72],
        buffers: 1,
        blocks: Some(Blocks { min: 16, max: 2048, partial: false }),
    },
];

/// Every structure of fixed length.
pub static STRUCTURES: &[Structure] = &[
    Structure {
        id: "header",
        len: 64,
        fields: &[
            Field { name: "magic", offset: 0, len: 8 },
            Field { name: "container_version_major", offset: 8, len: 1 },
            Field { name: "container_version_minor", offset: 9, len: 1 },
            Field { name: "_reserved", offset: 10, len: 2 },
            Field { name: "file_flags", offset: 12, len: 4 },
            Field { name: "data_buffer_alignment", offset: 16, len: 4 },
            Field { name: "first_descriptor_offset", offset: 20, len: 8 },
            Field { name: "tensor_count_hint", offset: 28, len: 8 },
            Field { name: "_reserved_header", offset: 36, len: 28 },
        ],
    },
    Structure {
        id: "trailer",
        len: 40,
        fields: &[
            Field { name: "index_offset", offset: 0, len: 8 },
            Field { name: "index_length", offset: 8, len: 8 },
            Field { name: "kv_offset", offset: 16, len: 8 },
            Field { name: "kv_length", offset: 24, len: 4 },
            Field { name: "index_crc32c", offset: 28, len: 4 },
            Field { name: "_reserved", offset: 32, len: 4 },
            Field { name: "trailer_magic", offset: 36, len: 4 },
        ],
    },
    Structure {
        id: "descriptor.header",
        len: 20,
        fields: &[
            Field { name: "magic", offset: 0, len: 4 },
            Field { name: "version_major", offset: 4, len: 1 },
            Field { name: "version_minor", offset: 5, len: 1 },
            Field { name: "descriptor_length", offset: 6, len: 4 },
            Field { name: "flags", offset: 10, len: 4 },
            Field { name: "type_tag", offset: 14, len: 1 },
            Field { name: "layout_tag", offset: 15, len: 1 },
            Field { name: "rank", offset: 16, len: 4 },
        ],
    },
    Structure {
        id: "buffer_handle",
        len: 16,
        fields: &[
            Field { name: "byte_size", offset: 0, len: 8 },
            Field { name: "alignment", offset: 8, len: 4 },
            Field { name: "device_tag", offset: 12, len: 1 },
            Field { name: "sync_mode", offset: 13, len: 1 },
            Field { name: "memory_class", offset: 14, len: 1 },
            Field { name: "_reserved", offset: 15, len: 1 },
        ],
    },
    Structure {
        id: "layout.coo",
        len: 16,
        fields: &[
            Field { name: "nnz", offset: 0, len: 8 },
            Field { name: "is_sorted", offset: 8, len: 1 },
            Field { name: "_reserved", offset: 9, len: 7 },
        ],
    },
    Structure {
        id: "layout.csr",
        len: 16,
        fields: &[Field { name: "nnz", offset: 0, len: 8 }, Field { name: "_reserved", offset: 8, len: 8 }],
    },
    Structure {
        id: "layout.csc",
        len: 16,
        fields: &[Field { name: "nnz", offset: 0, len: 8 }, Field { name: "_reserved", offset: 8, len: 8 }],
    },
    Structure {
        id: "layout.block_paged",
        len: 32,
        fields: &[
            Field { name: "page_size", offset: 0, len: 4 },
            Field { name: "num_pages", offset: 4, len: 8 },
            Field { name: "paged_axis", offset: 12, len: 4 },
            Field { name: "num_seqs", offset: 16, len: 4 },
            Field { name: "kv_role", offset: 20, len: 1 },
            Field { name: "layer_index", offset: 21, len: 4 },
            Field { name: "block_table_index_type", offset: 25, len: 1 },
            Field { name: "_reserved", offset: 26, len: 6 },
        ],
    },
    Structure {
        id: "layout.composite_head",
        len: 8,
        fields: &[
            Field { name: "composition_rule", offset: 0, len: 1 },
            Field { name: "combine_op", offset: 1, len: 1 },
            Field { name: "_reserved", offset: 2, len: 2 },
            Field { name: "member_count", offset: 4, len: 4 },
        ],
    },
    Structure {
        id: "layout.hilbert",
        len: 8,
        fields: &[
            Field { name: "hilbert_order", offset: 0, len: 4 },
            Field { name: "hilbert_rank", offset: 4, len: 4 },
        ],
    },
    Structure {
        id: "section.statistics",
        len: 72,
        fields: &[
            Field { name: "computed_mask", offset: 0, len: 4 },
            Field { name: "_reserved", offset: 4, len: 4 },
            Field { name: "nnz", offset: 8, len: 8 },
            Field { name: "sparsity_ratio", offset: 16, len: 8 },
            Field { name: "value_min", offset: 24, len: 8 },
            Field { name: "value_max", offset: 32, len: 8 },
            Field { name: "value_abs_max", offset: 40, len: 8 },
            Field { name: "value_mean", offset: 48, len: 8 },
            Field { name: "value_stddev", offset: 56, len: 8 },
            Field { name: "nm_n", offset: 64, len: 1 },
            Field { name: "nm_m", offset: 65, len: 1 },
            Field { name: "has_nan", offset: 66, len: 1 },
            Field { name: "has_inf", offset: 67, len: 1 },
            Field { name: "_reserved2", offset: 68, len: 4 },
        ],
    },
    Structure {
        id: "section.extension_type",
        len: 20,
        fields: &[
            Field { name: "bit_width", offset: 0, len: 4 },
            Field { name: "packing_factor", offset: 4, len: 1 },
            Field { name: "is_float", offset: 5, len: 1 },
            Field { name: "is_signed", offset: 6, len: 1 },
            Field { name: "sign_bits", offset: 7, len: 1 },
            Field { name: "exponent_bits", offset: 8, len: 1 },
            Field { name: "mantissa_bits", offset: 9, len: 1 },
            Field { name: "_reserved", offset: 10, len: 2 },
            Field { name: "exponent_bias", offset: 12, len: 4 },
            Field { name: "has_nan", offset: 16, len: 1 },
            Field { name: "has_inf", offset: 17, len: 1 },
            Field { name: "_reserved2", offset: 18, len: 2 },
        ],
    },
    Structure {
        id: "section.composite_member",
        len: 16,
        fields: &[Field { name: "member_role", offset: 0, len: 1 }, Field { name: "_reserved", offset: 1, len: 15 }],
    },
    Structure {
        id: "quant.header",
        len: 4,
        fields: &[
            Field { name: "scheme_tag", offset: 0, len: 1 },
            Field { name: "scheme_version", offset: 1, len: 1 },
            Field { name: "flags", offset: 2, len: 2 },
        ],
    },
    Structure {
        id: "quant.per_tensor",
        len: 16,
        fields: &[
            Field { name: "scheme_tag", offset: 0, len: 1 },
            Field { name: "scheme_version", offset: 1, len: 1 },
            Field { name: "flags", offset: 2, len: 2 },
            Field { name: "scale", offset: 4, len: 4 },
            Field { name: "zero_point", offset: 8, len: 4 },
            Field { name: "_reserved", offset: 12, len: 4 },
        ],
    },
    Structure {
        id: "quant.per_channel",
        len: 20,
        fields: &[
            Field { name: "scheme_tag", offset: 0, len: 1 },
            Field { name: "scheme_version", offset: 1, len: 1 },
            Field { name: "flags", offset: 2, len: 2 },
            Field { name: "axis", offset: 4, len: 4 },
            Field { name: "scale_buffer_index", offset: 8, len: 4 },
            Field { name: "zero_point_buffer_index", offset: 12, len: 4 },
            Field { name: "scale_type_tag", offset: 16, len: 1 },
            Field { name: "_reserved", offset: 17, len: 3 },
        ],
    },
    Structure {
        id: "quant.per_block",
        len: 24,
        fields: &[
            Field { name: "scheme_tag", offset: 0, len: 1 },
            Field { name: "scheme_version", offset: 1, len: 1 },
            Field { name: "flags", offset: 2, len: 2 },
            Field { name: "axis", offset: 4, len: 4 },
            Field { name: "block_size", offset: 8, len: 4 },
            Field { name: "scale_buffer_index", offset: 12, len: 4 },
            Field { name: "zero_point_buffer_index", offset: 16, len: 4 },
            Field { name: "scale_type_tag", offset: 20, len: 1 },
            Field { name: "_reserved", offset: 21, len: 3 },
        ],
    },
    Structure {
        id: "quant.nf4",
        len: 16,
        fields: &[
            Field { name: "scheme_tag", offset: 0, len: 1 },
            Field { name: "scheme_version", offset: 1, len: 1 },
            Field { name: "flags", offset: 2, len: 2 },
            Field { name: "axis", offset: 4, len: 4 },
            Field { name: "block_size", offset: 8, len: 4 },
            Field { name: "scale_buffer_index", offset: 12, len: 4 },
        ],
    },
    Structure {
        id: "quant.mxfp",
        len: 16,
        fields: &[
            Field { name: "scheme_tag", offset: 0, len: 1 },
            Field { name: "scheme_version", offset: 1, len: 1 },
            Field { name: "flags", offset: 2, len: 2 },
            Field { name: "axis", offset: 4, len: 4 },
            Field { name: "block_size", offset: 8, len: 4 },
            Field { name: "scale_buffer_index", offset: 12, len: 4 },
        ],
    },
];

/// Every structure whose length depends on what it holds.
pub static VARIABLE_STRUCTURES: &[VariableStructure] = &[
    VariableStructure {
        id: "kv.section",
        fields: &[VariableField { name: "kv_count", len: Some(4) }, VariableField { name: "kv_entries", len: None }],
    },
    VariableStructure {
        id: "kv.entry",
        fields: &[
            VariableField { name: "key_length", len: Some(2) },
            VariableField { name: "key", len: None },
            VariableField { name: "value_tag", len: Some(1) },
            VariableField { name: "value", len: None },
        ],
    },
    VariableStructure {
        id: "index.section",
        fields: &[
            VariableField { name: "index_entry_count", len: Some(8) },
            VariableField { name: "index_entries", len: None },
        ],
    },
    VariableStructure {
        id: "index.entry",
        fields: &[
            VariableField { name: "name_length", len: Some(2) },
            VariableField { name: "name", len: None },
            VariableField { name: "descriptor_offset", len: Some(8) },
            VariableField { name: "descriptor_length", len: Some(4) },
            VariableField { name: "data_offset", len: Some(8) },
            VariableField { name: "data_length", len: Some(8) },
            VariableField { name: "flags", len: Some(4) },
        ],
    },
    VariableStructure {
        id: "descriptor.core",
        fields: &[VariableField { name: "shape", len: None }, VariableField { name: "byte_offset", len: Some(8) }],
    },
    VariableStructure {
        id: "buffer_table",
        fields: &[VariableField { name: "buffer_count", len: Some(1) }, VariableField { name: "handles", len: None }],
    },
    VariableStructure { id: "layout.strided", fields: &[VariableField { name: "strides", len: None }] },
    VariableStructure {
        id: "layout.tiled",
        fields: &[
            VariableField { name: "tile_shape", len: None },
            VariableField { name: "outer_layout", len: Some(1) },
            VariableField { name: "inner_layout", len: Some(1) },
            VariableField { name: "_reserved", len: Some(2) },
            VariableField { name: "outer_strides", len: None },
            VariableField { name: "inner_strides", len: None },
            VariableField { name: "nested", len: None },
        ],
    },
    VariableStructure { id: "layout.morton", fields: &[VariableField { name: "morton_bits", len: None }] },
    VariableStructure {
        id: "layout.csf",
        fields: &[
            VariableField { name: "nnz", len: Some(8) },
            VariableField { name: "mode_order", len: None },
            VariableField { name: "_reserved", len: Some(8) },
        ],
    },
    VariableStructure {
        id: "layout.extension",
        fields: &[
            VariableField { name: "extension_layout_id", len: Some(8) },
            VariableField { name: "extension_data_length", len: Some(4) },
            VariableField { name: "extension_data", len: None },
        ],
    },
    VariableStructure {
        id: "section.quantization",
        fields: &[
            VariableField { name: "quantization_length", len: Some(4) },
            VariableField { name: "quantization_descriptor", len: None },
        ],
    },
    VariableStructure {
        id: "section.shard",
        fields: &[VariableField { name: "parent_shape", len: None }, VariableField { name: "shard_offset", len: None }],
    },
];

/// Named bits of `file_flags` (file-format.md § File Flags).
pub static FILE_FLAGS: &[FlagBit] = &[
    FlagBit { name: "HAS_KV_METADATA", bit: 0 },
    FlagBit { name: "SORTED_INDEX", bit: 1 },
    FlagBit { name: "HAS_INDEX_CRC32C", bit: 2 },
];

/// A key-value section exists; clear says nothing (ruling R7).
pub const FILE_HAS_KV_METADATA: u32 = 1 << 0;

/// The entries ascend by name, as unsigned bytes.
pub const FILE_SORTED_INDEX: u32 = 1 << 1;

/// Index_crc32c is the checksum of the index.
pub const FILE_HAS_INDEX_CRC32C: u32 = 1 << 2;

/// Named bits of `descriptor_flags` (metadata.md § Flags).
pub static DESCRIPTOR_FLAGS: &[FlagBit] = &[
    FlagBit { name: "HAS_QUANTIZATION", bit: 0 },
    FlagBit { name: "HAS_SHARD", bit: 1 },
    FlagBit { name: "HAS_EXTENSION_TYPE", bit: 2 },
    FlagBit { name: "HAS_STATISTICS", bit: 3 },
    FlagBit { name: "HAS_COMPOSITE_MEMBER", bit: 4 },
];

/// A quantization section follows the buffer table.
pub const DESCRIPTOR_HAS_QUANTIZATION: u32 = 1 << 0;

/// A shard section, 16 bytes for each dimension.
pub const DESCRIPTOR_HAS_SHARD: u32 = 1 << 1;

/// An extension type section of 20 bytes, exactly when type_tag is 0xF0-0xFE.
pub const DESCRIPTOR_HAS_EXTENSION_TYPE: u32 = 1 << 2;

/// A statistics section of 72 bytes, before the extension type.
pub const DESCRIPTOR_HAS_STATISTICS: u32 = 1 << 3;

/// A member section of 16 bytes.
pub const DESCRIPTOR_HAS_COMPOSITE_MEMBER: u32 = 1 << 4;

/// Named bits of `quant_flags` (quantization/per-channel-affine.md; quantization/per-block-affine.md § Flags bits).
pub static QUANT_FLAGS: &[FlagBit] = &[FlagBit { name: "SYMMETRIC", bit: 0 }];

/// Every zero-point is 0 and has no buffer.
pub const QUANT_SYMMETRIC: u32 = 1 << 0;

/// Named bits of `statistics_flags` (metadata.md § computed_mask).
pub static STATISTICS_FLAGS: &[FlagBit] = &[
    FlagBit { name: "NNZ_VALID", bit: 0 },
    FlagBit { name: "SPARSITY_VALID", bit: 1 },
    FlagBit { name: "VALUE_RANGE_VALID", bit: 2 },
    FlagBit { name: "VALUE_STATS_VALID", bit: 3 },
    FlagBit { name: "NM_SPARSITY_VALID", bit: 4 },
    FlagBit { name: "NAN_INF_VALID", bit: 5 },
];

/// Nnz is valid.
pub const STATISTICS_NNZ_VALID: u32 = 1 << 0;

/// Sparsity_ratio is valid.
pub const STATISTICS_SPARSITY_VALID: u32 = 1 << 1;

/// Value_min, value_max and value_abs_max are valid.
pub const STATISTICS_VALUE_RANGE_VALID: u32 = 1 << 2;

/// Value_mean and value_stddev are valid.
pub const STATISTICS_VALUE_STATS_VALID: u32 = 1 << 3;

/// Nm_n and nm_m are valid.
pub const STATISTICS_NM_SPARSITY_VALID: u32 = 1 << 4;

/// Has_nan and has_inf are valid.
pub const STATISTICS_NAN_INF_VALID: u32 = 1 << 5;
