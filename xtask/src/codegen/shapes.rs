//! The shapes of `spec/tables/*.toml`. Owns what a table file may say; renders nothing.

use hurray_spec::tables::{ElementKind, LayoutClass, TagClass};
use serde::Deserialize;

use super::text::word;

/// All table files.
pub(super) struct Tables {
    pub(super) constants: Vec<Constant>,
    pub(super) tags: Tags,
    pub(super) structures: Structures,
    pub(super) examples: Vec<Example>,
}

/// The part of `examples.toml` that chapters show.
#[derive(Deserialize)]
pub(super) struct Examples {
    pub(super) structure: Vec<Example>,
}

/// The bytes of a structure.
#[derive(Deserialize)]
pub(super) struct Example {
    pub(super) id: String,
    pub(super) of: String,
    pub(super) bytes: String,
}

/// `constants.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Constants {
    pub(super) constant: Vec<Constant>,
}

/// A fixed number or magic.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Constant {
    pub(super) name: String,
    /// A magic; else `type` and `value`.
    pub(super) text: Option<String>,
    #[serde(default, rename = "type")]
    pub(super) rust_type: String,
    #[serde(default)]
    pub(super) value: String,
    pub(super) means: String,
    pub(super) source: String,
}

/// `tags.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Tags {
    pub(super) space: Vec<Space>,
    pub(super) element_type: Vec<ElementType>,
    pub(super) layout: Vec<Layout>,
    pub(super) device: Vec<Device>,
    pub(super) scheme: Vec<Scheme>,
}

/// A tag byte.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Space {
    pub(super) id: String,
    pub(super) source: String,
    #[serde(default)]
    pub(super) values: Vec<Value>,
    pub(super) ranges: Vec<Range>,
}

/// A named value.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Value {
    pub(super) tag: u8,
    pub(super) name: String,
    #[serde(default)]
    pub(super) means: String,
    pub(super) min_bytes: Option<u64>,
}

/// Values without a name.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Range {
    pub(super) from: u8,
    pub(super) to: u8,
    #[serde(deserialize_with = "word")]
    pub(super) class: TagClass,
    pub(super) verdict: String,
    #[serde(default)]
    pub(super) ruling: Vec<String>,
}

/// An element type.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ElementType {
    pub(super) name: String,
    pub(super) tag: u8,
    pub(super) tier: u8,
    #[serde(deserialize_with = "word")]
    pub(super) kind: ElementKind,
    pub(super) bits: u32,
    pub(super) align: u32,
    pub(super) pack: Option<Pack>,
}

/// The smallest group of elements that fills whole bytes.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Pack {
    pub(super) elements: u64,
    pub(super) bytes: u64,
}

/// A memory layout.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Layout {
    pub(super) name: String,
    pub(super) tag: u8,
    pub(super) tier: u8,
    #[serde(deserialize_with = "word")]
    pub(super) class: LayoutClass,
    pub(super) min_rank: u32,
    pub(super) max_rank: u32,
    pub(super) buffers: String,
}

/// A device and the memory classes it allows.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Device {
    pub(super) name: String,
    pub(super) tag: u8,
    pub(super) memory_classes: Vec<String>,
}

/// A quantization scheme.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Scheme {
    pub(super) name: String,
    pub(super) tag: u8,
    pub(super) tier: u8,
    pub(super) len: u32,
    pub(super) storage: Vec<String>,
    pub(super) buffers: u32,
    pub(super) block: Option<Block>,
}

/// What a scheme says of its blocks.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Block {
    pub(super) min: u32,
    pub(super) max: u32,
    pub(super) partial: bool,
}

/// `structures.toml`, `layouts.toml` and `sections.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Structures {
    pub(super) structure: Vec<Structure>,
    #[serde(default)]
    pub(super) flags: Vec<Flags>,
    #[serde(default)]
    pub(super) size: Vec<Size>,
}

/// A structure and its fields.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Structure {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) len: String,
    pub(super) source: String,
    pub(super) fields: Vec<Field>,
}

/// A field.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Field {
    pub(super) offset: Option<u64>,
    pub(super) after: Option<String>,
    pub(super) name: String,
    #[serde(rename = "type")]
    pub(super) wire: String,
    pub(super) count: Option<String>,
    pub(super) means: String,
    #[serde(default)]
    pub(super) rules: Vec<String>,
}

/// A flags word.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Flags {
    pub(super) id: String,
    pub(super) source: String,
    pub(super) bits: Vec<Bit>,
}

/// A named bit.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Bit {
    pub(super) bit: u32,
    pub(super) name: String,
    pub(super) means: String,
    #[serde(default)]
    pub(super) rules: Vec<String>,
}

/// A size formula.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Size {
    pub(super) id: String,
    pub(super) formula: String,
    pub(super) source: String,
}
