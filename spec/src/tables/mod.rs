//! The tables of the specification as constants: tags and their names, fixed numbers, field layouts. Owns the lookups;
//! knows nothing of rules being broken or of any file.
//!
//! The values live in `spec/tables/*.toml`; `tables/data.rs` is generated from them.

mod data;

use strum::{Display, EnumString, VariantNames};

pub use data::*;

/// What a range of tag values without a name of its own is kept for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Display, EnumString, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum TagClass {
    /// Never used, whatever the version.
    Invalid,
    /// Free for a later version within a public part of the space.
    Unassigned,
    /// Kept for later versions.
    Reserved,
    /// For private use by agreement.
    Private,
}

/// Values `from..=to` of a tag that have no name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TagRange {
    /// First value.
    pub from: u8,
    /// Last value, included.
    pub to: u8,
    /// What they are kept for.
    pub class: TagClass,
}

/// A named value of a tag byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TagName {
    /// The value.
    pub tag: u8,
    /// Its name in the specification.
    pub name: &'static str,
}

/// A tag byte: its named values and the ranges of the others, which together cover 0x00 to 0xFF once.
#[derive(Clone, Copy, Debug)]
pub struct TagSpace {
    /// The field's name in the specification.
    pub id: &'static str,
    /// Named values, ascending.
    pub values: &'static [TagName],
    /// All other values, ascending.
    pub ranges: &'static [TagRange],
}

impl TagSpace {
    /// Name of a value, if it has one.
    pub fn name(&self, tag: u8) -> Option<&'static str> {
        self.values.iter().find(|value| value.tag == tag).map(|value| value.name)
    }

    /// What a value without a name is kept for; `None` for a named one.
    pub fn class(&self, tag: u8) -> Option<TagClass> {
        self.ranges.iter().find(|range| (range.from..=range.to).contains(&tag)).map(|range| range.class)
    }
}

/// What the bits of an element mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Display, EnumString, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum ElementKind {
    /// Sign, exponent and mantissa.
    Float,
    /// A power of two, no sign.
    Exponent,
    /// Two's complement.
    Signed,
    /// Unsigned integer.
    Unsigned,
    /// One bit.
    Boolean,
    /// Two floats, real part first.
    Complex,
}

/// An element type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElementType {
    /// Its name in the specification.
    pub name: &'static str,
    /// Value of `type_tag`.
    pub tag: u8,
    /// 1 for types every reader supports, 2 for optional ones.
    pub tier: u8,
    /// What the bits mean.
    pub kind: ElementKind,
    /// Width of one element, in bits.
    pub bits: u32,
    /// Natural alignment in bytes; 1 for packed types.
    pub align: u32,
    /// Elements of the smallest group that fills whole bytes.
    pub pack_elements: u64,
    /// Bytes of that group.
    pub pack_bytes: u64,
}

impl ElementType {
    /// The type of that tag.
    pub fn from_tag(tag: u8) -> Option<&'static ElementType> {
        ELEMENT_TYPES.iter().find(|entry| entry.tag == tag)
    }

    /// The type of that name.
    pub fn from_name(name: &str) -> Option<&'static ElementType> {
        ELEMENT_TYPES.iter().find(|entry| entry.name == name)
    }

    /// Bytes of `count` contiguous elements; `None` above 2^64 - 1.
    pub fn contiguous_len(&self, count: u64) -> Option<u64> {
        count.div_ceil(self.pack_elements).checked_mul(self.pack_bytes)
    }
}

/// How a layout finds elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Display, EnumString, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum LayoutClass {
    /// Every element is stored.
    Dense,
    /// Only listed elements are stored.
    Sparse,
    /// Elements are found through a table of pages.
    Indirect,
    /// Other tensors hold the elements.
    Virtual,
}

/// A memory layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Its name in the specification.
    pub name: &'static str,
    /// Value of `layout_tag`.
    pub tag: u8,
    /// 1 for layouts every reader supports, 2 for optional ones.
    pub tier: u8,
    /// How it finds elements.
    pub class: LayoutClass,
    /// Smallest rank.
    pub min_rank: u32,
    /// Largest rank.
    pub max_rank: u32,
}

impl Layout {
    /// The layout of that tag.
    pub fn from_tag(tag: u8) -> Option<&'static Layout> {
        LAYOUTS.iter().find(|entry| entry.tag == tag)
    }

    /// The layout of that name.
    pub fn from_name(name: &str) -> Option<&'static Layout> {
        LAYOUTS.iter().find(|entry| entry.name == name)
    }

    /// Buffers the layout itself needs at that rank, before any parameter buffers of a quantization scheme.
    pub fn buffer_count(&self, rank: u32) -> u32 {
        baseline_buffer_count(self.tag, rank)
    }
}

/// A quantization scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scheme {
    /// Its name in the specification.
    pub name: &'static str,
    /// Value of `scheme_tag`.
    pub tag: u8,
    /// 1 for schemes that every reader with quantization supports, 2 for optional ones.
    pub tier: u8,
    /// Bytes of header and fields; `quantization_length` may be larger.
    pub len: u32,
    /// Values of `type_tag` that it may stand on, ascending.
    pub storage: &'static [u8],
    /// Parameter buffers it needs; a symmetric one of two needs one less.
    pub buffers: u32,
    /// What it says of blocks, if it has any.
    pub blocks: Option<Blocks>,
}

/// Sizes of a scheme's blocks, always powers of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocks {
    /// Least elements of a block.
    pub min: u32,
    /// Most; 0 is no bound but the axis itself.
    pub max: u32,
    /// Whether the last block of an axis may be partial.
    pub partial: bool,
}

impl Scheme {
    /// The scheme of that tag.
    pub fn from_tag(tag: u8) -> Option<&'static Scheme> {
        SCHEMES.iter().find(|entry| entry.tag == tag)
    }

    /// The scheme of that name.
    pub fn from_name(name: &str) -> Option<&'static Scheme> {
        SCHEMES.iter().find(|entry| entry.name == name)
    }

    /// Whether elements of that type may be quantized so.
    pub fn stands_on(&self, type_tag: u8) -> bool {
        self.storage.contains(&type_tag)
    }
}

/// A device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Device {
    /// Its name in the specification.
    pub name: &'static str,
    /// Value of `device_tag`.
    pub tag: u8,
    /// Values of `memory_class` that make a valid pair with it.
    pub memory_classes: &'static [u8],
}

impl Device {
    /// The device of that tag.
    pub fn from_tag(tag: u8) -> Option<&'static Device> {
        DEVICES.iter().find(|entry| entry.tag == tag)
    }

    /// The device of that name.
    pub fn from_name(name: &str) -> Option<&'static Device> {
        DEVICES.iter().find(|entry| entry.name == name)
    }

    /// Whether the memory class makes a valid pair with the device.
    pub fn allows(&self, memory_class: u8) -> bool {
        self.memory_classes.contains(&memory_class)
    }
}

/// A field of a structure whose place does not depend on earlier bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name in the specification.
    pub name: &'static str,
    /// Bytes from the start of the structure.
    pub offset: u64,
    /// Bytes of the field.
    pub len: u64,
}

/// A structure of fixed length.
#[derive(Clone, Copy, Debug)]
pub struct Structure {
    /// Its id, as in `trailer`.
    pub id: &'static str,
    /// Bytes of the whole.
    pub len: u64,
    /// Its fields in order; together they cover every byte once.
    pub fields: &'static [Field],
}

impl Structure {
    /// The fixed structure of that id.
    pub fn from_id(id: &str) -> Option<&'static Structure> {
        STRUCTURES.iter().find(|entry| entry.id == id)
    }

    /// The field that holds the byte at `offset` of the structure.
    pub fn field_at(&self, offset: u64) -> Option<&'static Field> {
        self.fields.iter().find(|field| (field.offset..field.offset + field.len).contains(&offset))
    }

    /// The field of that name.
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }
}

/// A field of a structure whose length depends on what it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VariableField {
    /// Its name in the specification.
    pub name: &'static str,
    /// Bytes of the field; `None` where other fields say how many.
    pub len: Option<u64>,
}

/// A structure whose length depends on what it holds. Its fields follow one another without a hole.
#[derive(Clone, Copy, Debug)]
pub struct VariableStructure {
    /// Its id, as in `index.entry`.
    pub id: &'static str,
    /// Its fields in order.
    pub fields: &'static [VariableField],
}

impl VariableStructure {
    /// The structure of that id, if its length varies.
    pub fn from_id(id: &str) -> Option<&'static VariableStructure> {
        VARIABLE_STRUCTURES.iter().find(|entry| entry.id == id)
    }
}

/// Names of the fields of a structure, in order, whether its length varies or not.
pub fn field_names(structure: &str) -> Option<Vec<&'static str>> {
    let fixed = Structure::from_id(structure).map(|entry| entry.fields.iter().map(|field| field.name).collect());
    let varies = || VariableStructure::from_id(structure);
    fixed.or_else(|| varies().map(|entry| entry.fields.iter().map(|field| field.name).collect()))
}

/// A named bit of a flags word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlagBit {
    /// Its name in the specification.
    pub name: &'static str,
    /// Number of the bit, 0 the lowest.
    pub bit: u32,
}
