//! What a candidate is asked to write: a file, item by item, in the vocabulary of the observations.
//!
//! A description is what a reader of the written file has to observe, with payloads in place of digests. Owns the shapes
//! and how a payload is made from its description; knows nothing of the format's rules.

use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::observe::{KvEntry, TensorObservation, Text, U64};
use crate::words::WriteFeature;

/// What a file is written with.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct WriteOptions {
    /// Alignment of data in the file, in bytes; the candidate's own default if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data_buffer_alignment: Option<u32>,
    /// Whether the index is to be sorted by name; the candidate's own default if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sorted_index: Option<bool>,
}

/// A whole file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct NewFile {
    /// What it is written with.
    pub options: WriteOptions,
    /// Tensors and composites, in the order of writing.
    pub items: Vec<NewItem>,
    /// Key-value entries, in order.
    pub kv: Vec<KvEntry>,
}

/// One item: what is submitted at once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NewItem {
    /// One tensor.
    Tensor(NewTensor),
    /// A head and its members.
    Composite(NewComposite),
}

/// One tensor.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct NewTensor {
    /// Its name in the index.
    pub name: Text,
    /// Its descriptor, every field given.
    pub descriptor: TensorObservation,
    /// One payload per handle of the descriptor, in the order of the buffer table.
    pub buffers: Vec<Payload>,
}

/// One composite.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct NewComposite {
    /// The name of the head.
    pub name: Text,
    /// The descriptor of the head, every field given.
    pub descriptor: TensorObservation,
    /// Its direct members, in order, with their full names; those of an overlay with their section `member`.
    pub members: Vec<NewItem>,
}

/// The bytes of one buffer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Payload {
    /// These bytes.
    Hex(String),
    /// The same byte over and over.
    Fill {
        /// The byte.
        byte: u8,
        /// How many.
        len: U64,
    },
    /// Bytes that look random: `state = state * 1664525 + 1013904223` modulo 2^32 before each byte, which is the top
    /// byte of `state`; `state` begins as the seed.
    Pattern {
        /// The first state.
        seed: u32,
        /// How many.
        len: U64,
    },
}

impl Payload {
    /// Length in bytes; `None` for digits that are no hex.
    pub fn len(&self) -> Option<u64> {
        match self {
            Payload::Hex(digits) => (digits.len() % 2 == 0).then_some(digits.len() as u64 / 2),
            Payload::Fill { len, .. } | Payload::Pattern { len, .. } => Some(len.0),
        }
    }

    /// Whether there are no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == Some(0)
    }

    /// The bytes; `None` for digits that are no hex, and for more bytes than there is memory.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        let len = usize::try_from(self.len()?).ok()?;
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(len).ok()?;
        match self {
            Payload::Hex(digits) => bytes = hex::decode(digits).ok()?,
            Payload::Fill { byte, .. } => bytes.resize(len, *byte),
            Payload::Pattern { seed, .. } => {
                let mut state = *seed;
                bytes.extend((0..len).map(|_| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    (state >> 24) as u8
                }));
            }
        }
        Some(bytes)
    }
}

/// What a candidate can write, by the names of the specification.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Writes {
    /// Element types.
    pub types: Vec<String>,
    /// Layouts.
    pub layouts: Vec<String>,
    /// Quantization schemes.
    pub quantization: Vec<String>,
    /// Everything else, by the words of [`WriteFeature`].
    pub features: Vec<String>,
}

impl Writes {
    /// Whether it can write that.
    pub fn has(&self, feature: WriteFeature) -> bool {
        self.features.iter().any(|declared| declared == feature.name())
    }
}

/// Whether a writer can go on after a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WriterState {
    /// Nothing of the item is out: it can be submitted again.
    Usable,
    /// A part of the item is out: this file can never be completed.
    Unusable,
}

/// Where the file of one request goes.
pub enum Sink {
    /// To disk; whatever is there is replaced.
    Path(PathBuf),
    /// Stretch by stretch. A write may take fewer bytes than offered; 0 is a closed sink.
    Served(Box<dyn io::Write>),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_the_documented_sequence() {
        // 1 * 1664525 + 1013904223 = 0x3c88596c; 0x3c88596c * 1664525 + 1013904223 = 0x5e8885db modulo 2^32; and so on.
        let bytes = Payload::Pattern { seed: 1, len: U64(3) }.bytes();
        assert_eq!(bytes, Some(vec![0x3c, 0x5e, 0x81]));
    }

    #[test]
    fn what_cannot_be_made_is_none() {
        assert_eq!(Payload::Hex("0".to_owned()).bytes(), None);
        assert_eq!(Payload::Hex("zz".to_owned()).bytes(), None);
        assert_eq!(Payload::Fill { byte: 7, len: U64(u64::MAX) }.bytes(), None);
        assert_eq!(Payload::Fill { byte: 7, len: U64(3) }.bytes(), Some(vec![7; 3]));
    }
}
