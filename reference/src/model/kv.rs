//! Key-value entries as values to be written. What is read stays in place, see `wire::kv`.

/// The type of a value (file-format.md § KV Value Types).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KvType {
    /// UTF-8 text.
    String,
    /// Signed 64-bit integer.
    Int64,
    /// Unsigned 64-bit integer.
    Uint64,
    /// IEEE 754 binary64.
    Float64,
    /// True or false.
    Bool,
    /// Opaque bytes.
    Bytes,
    /// Values of one type, not arrays.
    Array,
}

impl KvType {
    const ALL: [KvType; 7] =
        [KvType::String, KvType::Int64, KvType::Uint64, KvType::Float64, KvType::Bool, KvType::Bytes, KvType::Array];

    /// The type of that tag.
    pub fn from_tag(tag: u8) -> Option<Self> {
        KvType::ALL.into_iter().find(|kind| kind.tag() == tag)
    }

    /// The tag in the file.
    pub fn tag(self) -> u8 {
        match self {
            KvType::String => 0x01,
            KvType::Int64 => 0x02,
            KvType::Uint64 => 0x03,
            KvType::Float64 => 0x04,
            KvType::Bool => 0x05,
            KvType::Bytes => 0x06,
            KvType::Array => 0x07,
        }
    }

    /// The name in the specification.
    pub fn name(self) -> &'static str {
        match self {
            KvType::String => "string",
            KvType::Int64 => "int64",
            KvType::Uint64 => "uint64",
            KvType::Float64 => "float64",
            KvType::Bool => "bool",
            KvType::Bytes => "bytes",
            KvType::Array => "array",
        }
    }

    /// The fewest bytes a payload of the type takes.
    pub fn min_len(self) -> usize {
        match self {
            KvType::Int64 | KvType::Uint64 | KvType::Float64 => 8,
            KvType::String | KvType::Bytes => 4,
            KvType::Bool => 1,
            KvType::Array => 5,
        }
    }
}

/// A value to be written.
#[derive(Clone, Debug, PartialEq)]
pub enum KvValue {
    /// UTF-8 text.
    String(String),
    /// Signed 64-bit integer.
    Int64(i64),
    /// Unsigned 64-bit integer.
    Uint64(u64),
    /// IEEE 754 binary64; every bit pattern is kept.
    Float64(f64),
    /// True or false.
    Bool(bool),
    /// Opaque bytes.
    Bytes(Vec<u8>),
    /// Values of one type.
    Array {
        /// Type of the items; also says what an empty array holds.
        element: KvType,
        /// The items, none of them an array.
        items: Vec<KvValue>,
    },
}

impl KvValue {
    /// Its type.
    pub fn kind(&self) -> KvType {
        match self {
            KvValue::String(_) => KvType::String,
            KvValue::Int64(_) => KvType::Int64,
            KvValue::Uint64(_) => KvType::Uint64,
            KvValue::Float64(_) => KvType::Float64,
            KvValue::Bool(_) => KvType::Bool,
            KvValue::Bytes(_) => KvType::Bytes,
            KvValue::Array { .. } => KvType::Array,
        }
    }
}
