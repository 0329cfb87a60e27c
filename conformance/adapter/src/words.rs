//! The words that stand in the lists of a hello, as types. Owns their spelling and their order in the protocol's description.
//! It must not know who declares them: a hello may hold words that are none of these.

use strum::{Display, EnumString, IntoStaticStr, VariantArray};

/// An operation: what a step asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Display, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum Op {
    /// Open the container.
    Open,
    /// List the tensor names.
    List,
    /// Read the key-value section.
    Kv,
    /// Decode one descriptor.
    Describe,
    /// Decode one descriptor and read its buffers.
    Read,
    /// Read one composite.
    Composite,
    /// Say where an element stands.
    Locate,
    /// Say what an element is worth.
    Decode,
    /// Read every tensor.
    All,
    /// Decode a descriptor that stands in no file.
    Descriptor,
    /// Report every requirement that is broken.
    Validate,
    /// Read a stream from its first byte to its last.
    Scan,
    /// Write a whole file.
    Write,
    /// Make a writer of a sink.
    Create,
    /// Write the header.
    Header,
    /// Write one item.
    Put,
    /// Write the end of the file.
    Finish,
}

/// How a file is handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Display, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum SourceKind {
    /// As a path.
    Path,
    /// Range by range.
    Served,
    /// From the first byte to the last, once.
    Stream,
}

/// How a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Display, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum SinkKind {
    /// To a path.
    Path,
    /// Stretch by stretch.
    Served,
}

/// A part of an observation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Display, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum Part {
    /// The header.
    Container,
    /// Types, shapes and layouts.
    Tensors,
    /// The key-value entries.
    Kv,
    /// The buffer table.
    Handles,
    /// Lengths and digests of buffers.
    Payload,
    /// How the memory of buffers is aligned.
    MemoryAlignment,
    /// The version of a descriptor.
    DescriptorVersion,
    /// The fields of a layout.
    LayoutFields,
    /// The optional sections of a descriptor.
    Sections,
    /// The ids of broken rules.
    Rules,
}

/// What a writer can write beyond plain tensors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Display, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum WriteFeature {
    /// The option `data_buffer_alignment`.
    Alignment,
    /// The option `sorted_index`.
    SortedIndex,
    /// Key-value entries.
    Kv,
    /// int64 and uint64 told apart.
    KvIntegers,
    /// An array's type apart from that of its items.
    KvArrayType,
    /// Where the elements begin in a buffer.
    ByteOffset,
    /// A memory alignment other than 64, or any of a buffer without bytes.
    HandleAlignment,
    /// Handles apart from the buffers.
    HandleSize,
    /// Other than CPU memory that the producer synchronised.
    Device,
    /// Who synchronises it.
    Sync,
    /// A descriptor version other than 1.0.
    Version,
    /// Heads and their members.
    Composite,
    /// Names of members other than the head's, a dot and the position.
    MemberNames,
    /// The section `shard`.
    Shard,
    /// The section `statistics`.
    Statistics,
    /// The section `extension`.
    Extension,
    /// The section `member` of a tensor that is no member.
    Member,
}

macro_rules! named {
    ($($words:ident)*) => {$(
        impl $words {
            /// Its word.
            pub fn name(self) -> &'static str {
                self.into()
            }
        }
    )*};
}

named! { Op SourceKind SinkKind Part WriteFeature }

/// Words as they stand in a hello.
pub fn words<W: Copy + Into<&'static str>>(words: &[W]) -> Vec<String> {
    words.iter().map(|word| (*word).into().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The protocol's description names every word; the spelling there is the one that binds.
    #[test]
    fn the_description_has_every_word() {
        let text = include_str!("../../PROTOCOL.md");
        let all = [
            words(Op::VARIANTS),
            words(SourceKind::VARIANTS),
            words(SinkKind::VARIANTS),
            words(Part::VARIANTS),
            words(WriteFeature::VARIANTS),
        ];
        for word in all.concat() {
            assert!(text.contains(&format!("`{word}`")), "{word}");
        }
    }
}
