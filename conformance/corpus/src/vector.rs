//! Vectors: what is expected of a reader for one file, and why.
//!
//! Owns the meaning of the fields described in `vectors/README.md`. Knows no candidate and no verdict.

use std::ops::Range;
use std::sync::Arc;

use hurray_adapter::{
    BufferObservation, CompositeObservation, ContainerObservation, Hello, KvEntry, Op, Place, TensorObservation, Text,
    U64,
};
use hurray_spec::Rule;
use strum::IntoStaticStr;

use crate::feature::Feature;

/// One file with the behaviour it demands.
#[derive(Clone, Debug)]
pub struct Vector {
    /// `<area>/<noun>/<fault>`, or `bases/<name>`.
    pub id: String,
    /// The listing it starts from.
    pub base: String,
    /// How binding the expectation is.
    pub class: Class,
    /// Any of these is a fair reason for a rejection; on an accepted file, the rules it exercises.
    pub rules: Vec<Rule>,
    /// Rules that rightly catch the same bytes once the first is waived.
    pub then: Vec<Rule>,
    /// Why each rule of `then` is a fair second reason, in the same order.
    pub then_because: Vec<String>,
    /// What has to happen.
    pub expect: Expect,
    /// Id of the accepted near miss.
    pub near: Option<String>,
    /// What `validate` has to say.
    pub validate: ExpectValidate,
    /// Features the file uses, such as `type:float32` or `layout:strided`.
    pub needs: Vec<Feature>,
    /// How the bytes are read.
    pub mode: ReadMode,
    /// Id of the vector whose file this is, where it has no file of its own.
    pub of: Option<String>,
    /// Free words for selection.
    pub tags: Vec<String>,
    /// What is to be seen when the file, or the rest of it, is read.
    pub observe: Expected,
    /// Places and values of single elements.
    pub meaning: Vec<Meaning>,
    /// Of a file that goes by once: where each tensor stands and its name, in the order of the file.
    pub passing: Vec<Passing>,
    /// Names that must not be found.
    pub absent: Vec<Text>,
    /// One sentence for a person.
    pub why: String,
    /// What the text leaves open, for contested vectors.
    pub spec_silent: Option<String>,
    /// Why one fault takes more than one edit.
    pub edits_because: Option<String>,
    /// Where it is written, as `container/header.toml:12`, relative to `vectors/`.
    pub source: String,
    /// The file.
    pub bytes: Arc<[u8]>,
    /// Every labelled field and block with its byte range, in the order of the bytes; blocks before their fields.
    pub labels: Vec<(String, Range<u64>)>,
}

/// How the bytes of a vector are read; each vector has one way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadMode {
    /// A file, strictly, by whatever ranges the reader likes. Every reader offers it.
    Whole,
    /// One descriptor that stands in no file, and what follows it.
    Bare,
    /// A file from its first byte to its last, without seeking.
    Sequential,
    /// A file, permissively (ruling R3).
    Permissive,
}

/// One tensor of a file that goes by once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passing {
    /// Absolute file offset of its descriptor, in bytes.
    pub at: u64,
    /// Its name among the tensors that are to be seen.
    pub name: Text,
}

impl ReadMode {
    /// What a candidate has to declare to be asked, as `requires` in vector files and the manifest calls it; nothing for
    /// what every reader offers.
    pub fn requirement(self) -> Option<&'static str> {
        match self {
            ReadMode::Whole => None,
            ReadMode::Bare => Some("descriptor"),
            ReadMode::Sequential => Some("scan"),
            ReadMode::Permissive => Some("permissive"),
        }
    }

    /// Whether a candidate declares what this way takes.
    pub fn is_declared(self, hello: &Hello) -> bool {
        match self {
            ReadMode::Whole => true,
            ReadMode::Bare => hello.offers(Op::Descriptor),
            ReadMode::Sequential => hello.is_scanner(),
            ReadMode::Permissive => hello.permissive,
        }
    }

    /// Whether the bytes are a file, and not a descriptor without one.
    pub fn is_of_file(self) -> bool {
        match self {
            ReadMode::Bare => false,
            ReadMode::Whole | ReadMode::Sequential | ReadMode::Permissive => true,
        }
    }

    /// Whether the reader accepts what it cannot interpret.
    pub fn is_permissive(self) -> bool {
        match self {
            ReadMode::Permissive => true,
            ReadMode::Whole | ReadMode::Bare | ReadMode::Sequential => false,
        }
    }

    /// Whether the reader gets the bytes once, in order.
    pub fn is_sequential(self) -> bool {
        match self {
            ReadMode::Sequential => true,
            ReadMode::Whole | ReadMode::Bare | ReadMode::Permissive => false,
        }
    }
}

/// How binding an expectation is (ruling R1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Class {
    /// The text obliges the reader.
    Explicit,
    /// Ruled, for safety.
    Decided,
    /// Both outcomes pass.
    Contested,
}

impl Class {
    /// Its word.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// What has to happen to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expect {
    /// Every step succeeds with the expected observation.
    Accept,
    /// The step `due`, or an earlier one of the same unit, rejects.
    Reject {
        /// The latest step.
        due: Due,
    },
    /// Either passes, if an acceptance shows the expected observation.
    Either {
        /// The latest step of a rejection.
        due: Due,
        /// Whether accepting counts in the strict score, or rejecting.
        prefer_accept: bool,
    },
}

/// The step at which a rejection is due at the latest (ruling R4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Due {
    /// Opening the container.
    Open,
    /// Decoding a descriptor that stands in no file.
    Descriptor,
    /// Reading the file from its first byte to its last.
    Scan,
    /// Reading the key-value section.
    Kv,
    /// Decoding that tensor's descriptor.
    Describe(Text),
    /// Reading that tensor's buffers.
    Read(Text),
    /// Putting the composite of that head together.
    Composite(Text),
}

/// What `validate` has to say of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpectValidate {
    /// Nothing at all.
    Clean,
    /// At least these rules.
    Names(Vec<Rule>),
    /// Not judged.
    Any,
}

/// What is to be seen. `None` is not compared.
#[derive(Clone, Debug, Default)]
pub struct Expected {
    /// Bytes of a descriptor that stands in no file.
    pub descriptor_length: Option<U64>,
    /// Header fields.
    pub container: Option<ContainerObservation>,
    /// Tensors, in index order.
    pub tensors: Vec<ExpectedTensor>,
    /// Composites, in any order.
    pub composites: Vec<CompositeObservation>,
    /// Key-value entries, in file order.
    pub kv: Option<Vec<KvEntry>>,
    /// Whether a reader may also show no entries at all (ruling R7): reported, not failed.
    pub kv_may_be_hidden: bool,
}

impl Expected {
    /// Whether there are entries that may be hidden, and a reader shows none.
    pub fn is_hidden_by(&self, seen: Option<&[KvEntry]>) -> bool {
        let is_there = self.kv.as_ref().is_some_and(|entries| !entries.is_empty());
        self.kv_may_be_hidden && is_there && seen.is_some_and(<[KvEntry]>::is_empty)
    }
}

/// One tensor that is to be seen.
#[derive(Clone, Debug)]
pub struct ExpectedTensor {
    /// Its name.
    pub name: Text,
    /// Its descriptor.
    pub tensor: TensorObservation,
    /// Its buffers.
    pub buffers: Option<Vec<BufferObservation>>,
}

/// Where one element stands and what it is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meaning {
    /// Name of the tensor.
    pub tensor: Text,
    /// Index, dimension 0 first; `[sequence, token, head, component]` for a block-paged tensor.
    pub index: Vec<U64>,
    /// Its place, where it is stated.
    pub place: Option<Place>,
    /// Its value in the form of the operation `decode`, `nan` for any NaN, or `reject`, where it is stated.
    pub value: Option<String>,
}

impl Meaning {
    /// Whether `decode` has to reject it.
    pub fn is_forbidden(&self) -> bool {
        self.value.as_deref() == Some("reject")
    }
}
