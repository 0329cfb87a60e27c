//! What a candidate saw, in values that survive every language: 64-bit integers as decimal strings, floats as the hex
//! of their bits, names and keys as UTF-8 text or hex, payloads as length and digest.
//!
//! Every field is optional: what a candidate cannot see it leaves out, and declares so in [`Hello::observes`]
//! (crate::Hello::observes). Nothing here knows what would be right.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use sha2::{Digest, Sha256};
use strum::IntoStaticStr;

/// An unsigned 64-bit value; a decimal string on the wire, since JSON numbers lose bits above 2^53.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct U64(pub u64);

/// A signed 64-bit value; a decimal string on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct I64(pub i64);

/// The bits of an IEEE 754 binary64; 16 hex digits on the wire, so that NaN payloads and -0.0 survive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Float64(pub u64);

macro_rules! decimal_string {
    ($name:ident, $inner:ty) => {
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(&self.0)
            }
        }
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                text.parse::<$inner>()
                    .map($name)
                    .map_err(|_| de::Error::custom(concat!("a decimal string of ", stringify!($inner))))
            }
        }
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
        impl From<$inner> for $name {
            fn from(value: $inner) -> Self {
                $name(value)
            }
        }
    };
}
decimal_string!(U64, u64);
decimal_string!(I64, i64);

impl Serialize for Float64 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{:016x}", self.0))
    }
}

impl<'de> Deserialize<'de> for Float64 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        if text.len() != 16 {
            return Err(de::Error::custom("16 hex digits, the bits of a binary64"));
        }
        u64::from_str_radix(&text, 16)
            .map(Float64)
            .map_err(|_| de::Error::custom("16 hex digits, the bits of a binary64"))
    }
}

/// Bytes that are meant as text: a tensor name, a key. `{"utf8": "…"}`, or `{"hex": "…"}` when they are not UTF-8.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Text(pub Vec<u8>);

impl Text {
    /// The text of these bytes, valid UTF-8 or not.
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        Text(bytes.into())
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Text(text.as_bytes().to_vec())
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", String::from_utf8_lossy(&self.0).escape_debug())
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{self}\"")
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum TextForm {
    Utf8(String),
    Hex(String),
}

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match std::str::from_utf8(&self.0) {
            Ok(text) => TextForm::Utf8(text.to_owned()),
            Err(_) => TextForm::Hex(hex::encode(&self.0)),
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match TextForm::deserialize(deserializer)? {
            TextForm::Utf8(text) => Ok(Text(text.into_bytes())),
            TextForm::Hex(digits) => hex::decode(digits).map(Text).map_err(de::Error::custom),
        }
    }
}

/// All that one successful step can have seen; each step fills its own part and leaves the rest out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Observed {
    /// `open`: the fields of the 64-byte file header.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub container: Option<ContainerObservation>,
    /// `list`: the tensor names, in index order. `all`: the names that were read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub names: Option<Vec<Text>>,
    /// `kv`: the entries, in file order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kv: Option<Vec<KvEntry>>,
    /// `describe`, `read`, `descriptor`: the descriptor's fields.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tensor: Option<TensorObservation>,
    /// `descriptor`: how many of the bytes given belong to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub descriptor_length: Option<U64>,
    /// `read`: the buffers, in buffer-table order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub buffers: Option<Vec<BufferObservation>>,
    /// `composite`: how its members are put together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub composite: Option<CompositeObservation>,
    /// `locate`: where the element stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// `decode`: what the element is worth; see [`Reader::decode`](crate::Reader::decode) for its form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// `scan`: what came by on a stream.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scan: Option<ScanObservation>,
    /// `validate`: every broken requirement that was found; empty for a conforming file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub findings: Option<Vec<Finding>>,
}

/// The file header, as far as the candidate exposes it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ContainerObservation {
    /// Container version, major and minor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<[u8; 2]>,
    /// `file_flags`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flags: Option<u32>,
    /// `data_buffer_alignment`, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data_buffer_alignment: Option<u32>,
    /// Number of index entries.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tensor_count: Option<U64>,
}

/// Named values of a part of a descriptor. Names are those of the field tables in the specification; reserved fields and
/// lengths are left out.
pub type Fields = BTreeMap<String, FieldValue>;

/// One value: integers in decimal, floats as the hex digits of their bits, bytes as hex. An integer that the candidate
/// knows as a boolean alone is `true` or `false`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum FieldValue {
    /// A single value.
    One(String),
    /// An array, such as one value per dimension.
    Many(Vec<String>),
    /// A nested part, such as the layout inside a tile.
    Part(Fields),
}

/// One tensor descriptor.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TensorObservation {
    /// Descriptor version, major and minor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<[u8; 2]>,
    /// Element type, by its name in the specification (`float32`), or `0x..` for a tag without a name.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub element_type: Option<String>,
    /// Layout, by its name in the specification (`row_major`, `column_major`, `strided`, …).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layout: Option<String>,
    /// Dimensions, outermost (dimension 0) first; 2^64-1 is a dynamic dimension.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shape: Option<Vec<U64>>,
    /// Bytes from the start of buffer 0 to element [0, …, 0].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub byte_offset: Option<U64>,
    /// Strides in elements; strided layout only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strides: Option<Vec<I64>>,
    /// The buffer table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub handles: Option<Vec<HandleObservation>>,
    /// The fields of the layout, strides apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layout_fields: Option<Fields>,
    /// The quantization section; `scheme` names the scheme (`per_tensor`, `per_channel`, `per_block`, `nf4`, `mxfp`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quantization: Option<Fields>,
    /// The shard section: `parent_shape`, `shard_offset`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shard: Option<Fields>,
    /// The statistics section; only what its mask declares valid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statistics: Option<Fields>,
    /// The extension type section.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extension: Option<Fields>,
    /// The composite member section: `member_role`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub member: Option<Fields>,
}

/// One composite: the head and its direct members.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CompositeObservation {
    /// Name of the head.
    pub name: Text,
    /// Composition rule, by its name in the specification: `partition`, `overlay`, `group`.
    pub rule: String,
    /// Names of the direct members, by descriptor offset; a nested composite by the name of its head. Left out by a
    /// candidate whose members have no names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub members: Option<Vec<Text>>,
}

impl CompositeObservation {
    /// The names of the members, as far as they are there.
    pub fn member_names(&self) -> &[Text] {
        self.members.as_deref().unwrap_or_default()
    }
}

/// Where an element stands: `{"buffer": 0, "byte": "16", "bit": 4}`, or `"unstored"` for an element of a sparse tensor
/// that is zero because no buffer holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", untagged)]
pub enum Place {
    /// In a buffer.
    Stored {
        /// Position in the buffer table.
        buffer: u32,
        /// Byte within the buffer that holds the element's least significant bit.
        byte: U64,
        /// Position of that bit, 0 for types of whole bytes.
        bit: u8,
    },
    /// In none.
    Word(PlaceWord),
}

/// The places that are no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlaceWord {
    /// Zero, and not stored.
    Unstored,
}

/// One buffer handle of the buffer table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct HandleObservation {
    /// Bytes of the buffer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub byte_size: Option<U64>,
    /// Declared memory alignment, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alignment: Option<u32>,
    /// Device tag (0 = CPU).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device_tag: Option<u8>,
    /// Synchronisation mode.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sync_mode: Option<u8>,
    /// Memory class.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_class: Option<u8>,
}

/// The bytes of one buffer, by length and digest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BufferObservation {
    /// Length in bytes.
    pub len: U64,
    /// SHA-256 of the bytes, 64 hex digits.
    pub sha256: String,
    /// Alignment of the memory handed out: the largest power of two (at most 2^31) that divides its address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_alignment: Option<U64>,
}

impl BufferObservation {
    /// Digests `bytes`; the alignment is left out.
    pub fn of(bytes: &[u8]) -> Self {
        BufferObservation {
            len: U64(bytes.len() as u64),
            sha256: hex::encode(Sha256::digest(bytes)),
            memory_alignment: None,
        }
    }

    /// Digests `bytes` and notes the alignment of the memory they live in.
    pub fn in_memory(bytes: &[u8]) -> Self {
        let address = bytes.as_ptr() as usize as u64;
        let alignment = 1_u64 << address.trailing_zeros().min(31);
        BufferObservation { memory_alignment: Some(U64(alignment)), ..Self::of(bytes) }
    }
}

/// One key-value entry.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KvEntry {
    /// The key.
    pub key: Text,
    /// The typed value.
    pub value: KvValue,
}

/// A typed value: `{"string": {"utf8": "…"}}`, `{"int64": "-1"}`, `{"integer": "7"}`,
/// `{"float64": "3ff0000000000000"}`, `{"array": {"type": "bool", "items": [{"bool": true}]}}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum KvValue {
    /// Tag 0x01.
    String(Text),
    /// Tag 0x02.
    Int64(I64),
    /// Tag 0x03.
    Uint64(U64),
    /// Tag 0x02 or 0x03, in decimal digits: for a language that has one kind of integer and does not tell which it was.
    Integer(String),
    /// Tag 0x04, by its bits.
    Float64(Float64),
    /// Tag 0x05.
    Bool(bool),
    /// Tag 0x06, as hex.
    Bytes(String),
    /// Tag 0x07.
    Array {
        /// Name of the element type: `string`, `int64`, `uint64`, `float64`, `bool`, `bytes`. Left out by a candidate
        /// that cannot tell the element type of an empty array.
        #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
        element: Option<String>,
        /// The elements, in order.
        items: Vec<KvValue>,
    },
}

impl KvValue {
    /// The name of its type, as `type` of an array says it.
    pub fn type_name(&self) -> &'static str {
        self.into()
    }
}

/// One file, read from its first byte to its last.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ScanObservation {
    /// The tensors, in the order in which they stand in the file.
    pub tensors: Vec<ScannedTensor>,
    /// The key-value entries, in file order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kv: Option<Vec<KvEntry>>,
}

/// One tensor that came by.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScannedTensor {
    /// Absolute file offset of its descriptor, in bytes.
    pub descriptor_offset: U64,
    /// Its name. The index that holds it comes after the tensors: left out by who does not look it up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<Text>,
    /// Its descriptor.
    #[serde(default)]
    pub tensor: TensorObservation,
    /// Its buffers, in buffer-table order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub buffers: Option<Vec<BufferObservation>>,
}

/// One requirement that `validate` found broken.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// Rule id, for a candidate that names rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// Absolute file offset of the fault, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<U64>,
    /// For people; decides nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}
