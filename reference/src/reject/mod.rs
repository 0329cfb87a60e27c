//! Every way an operation can end without success: the file, the caller, our limits, our reach.
//!
//! Values only: no text is stored, so that verdicts stay comparable. Knows rules by id and nothing of the format.

use std::ops::Range;

use hurray_spec::Rule;

mod text;

/// What stood where a requirement is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// Nothing that fits one number: a name, a run of padding, a relation between fields.
    Unseen,
    /// The value of an integer field.
    Unsigned(u64),
    /// Fewer bytes than were needed, both counts in bytes.
    Short {
        /// Bytes needed.
        wanted: u64,
        /// Bytes there.
        left: u64,
    },
}

/// Where something stands in the file, and what stands there. Offsets are absolute, in bytes; `end` is exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u64,
    /// Offset after the last byte.
    pub end: u64,
    /// What was found.
    pub found: Found,
}

impl Span {
    /// `len` bytes at `offset`, of no single value.
    pub fn at(offset: u64, len: u64) -> Self {
        Span { start: offset, end: offset.saturating_add(len), found: Found::Unseen }
    }

    /// `len` bytes at `offset` that hold the integer `value`.
    pub fn value(offset: u64, len: u64, value: u64) -> Self {
        Span { found: Found::Unsigned(value), ..Span::at(offset, len) }
    }
}

/// The file breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reject {
    /// The broken rule.
    pub rule: Rule,
    /// The offending bytes, absolute offsets.
    pub span: Range<u64>,
    /// What was found there.
    pub found: Found,
}

impl Reject {
    /// A rejection by `rule` at `span`.
    pub fn new(rule: Rule, span: Span) -> Self {
        Reject { rule, span: span.start..span.end, found: span.found }
    }
}

/// The caller asked for something that cannot be done; nothing was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misuse {
    /// A job was begun before the file was open.
    NotOpen,
    /// A count was reported although no range, or no output, was offered.
    NothingOffered,
    /// More bytes were reported than were offered.
    Overfill {
        /// Bytes reported.
        reported: u64,
        /// Bytes offered.
        offered: u64,
    },
    /// The tensor is not the head of a composite.
    NoComposite,
    /// The header was written already.
    HeaderTwice,
    /// The header has to be written first.
    HeaderMissing,
    /// The file is finished.
    Finished,
    /// Part of an item reached the sink and the rest did not: this file cannot be completed.
    Unusable,
    /// `data_buffer_alignment` is not a power of two from 4096 to 2 MiB.
    Alignment(u32),
    /// A tensor name is empty.
    NameEmpty,
    /// A tensor name is longer than 65535 bytes.
    NameTooLong(u64),
    /// A tensor of that name was written already.
    NameTaken,
    /// Not one payload per buffer handle.
    BufferCount {
        /// Handles in the descriptor.
        declared: u64,
        /// Payloads given.
        given: u64,
    },
    /// A payload is not as long as its handle says.
    BufferLen {
        /// Which buffer.
        buffer: u64,
        /// `byte_size` of its handle.
        declared: u64,
        /// Bytes given.
        given: u64,
    },
    /// The descriptor breaks this rule.
    Descriptor(Rule),
    /// The composite would break this rule with that tensor in that place.
    Composite(Rule),
    /// A head does not declare as many members as are given.
    MemberCount {
        /// `member_count` of the head.
        declared: u64,
        /// Members given.
        given: u64,
    },
    /// A composite lacks members; they come next, and nothing else.
    CompositeOpen {
        /// Direct members that the innermost head still lacks.
        missing: u64,
    },
    /// The descriptor cannot be encoded: too many dimensions, strides or buffers, or not as many strides as dimensions.
    Encoding,
    /// A key is empty.
    KeyEmpty,
    /// A key is longer than 65535 bytes.
    KeyTooLong(u64),
    /// Two entries have the same key.
    KeyTwice,
    /// An array holds an array, or values of different types.
    Array,
    /// A value or the whole key-value section is longer than its length field can say.
    KvTooLong,
    /// An offset of the file does not fit 64 bits.
    FileTooLong,
}

/// The bytes are legal; we cannot serve them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Memory for that many bytes could not be had.
    Memory {
        /// Bytes asked for.
        len: u64,
    },
    /// A declared memory alignment is larger than we provide.
    Alignment {
        /// The declared alignment, in bytes.
        declared: u64,
    },
    /// The content of a descriptor is longer than this reader follows.
    Descriptor {
        /// `descriptor_length`, in bytes.
        len: u64,
    },
    /// The boxes of a partition are cut up in more ways than this reader follows.
    Cover {
        /// Members of the partition.
        members: u64,
    },
    /// More stands behind the tensors than is held of a file that cannot be gone back in.
    Tail {
        /// Bytes that are held.
        len: u64,
    },
    /// The machine cannot address that many bytes at once.
    Address {
        /// Bytes asked for.
        len: u64,
    },
}

/// A part of the format this reader does not decode; the tensor is refused, never misread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsupported {
    /// The data of an element type, layout or scheme without a known meaning.
    UnknownData,
    /// A file that was read in order and whose parts do not stand one behind the other.
    Order {
        /// Absolute offset, in bytes, up to which they do.
        offset: u64,
    },
}

/// Everything a core can answer instead of success.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The file is at fault.
    Reject(Reject),
    /// Not decoded by this reader.
    Unsupported(Unsupported),
    /// The file is fine and holds no tensor of that name.
    NotFound,
    /// The caller is at fault.
    Misuse(Misuse),
    /// One of our limits.
    Limit(Limit),
    /// The sink takes no more bytes.
    SinkClosed {
        /// Whether part of the item is out, so that the file cannot be completed.
        torn: bool,
    },
}

macro_rules! umbrella {
    ($($part:ident),*) => {$(
        impl From<$part> for Error {
            fn from(part: $part) -> Self {
                Error::$part(part)
            }
        }
    )*};
}
umbrella!(Reject, Unsupported, Misuse, Limit);

impl std::error::Error for Reject {}
impl std::error::Error for Error {}
