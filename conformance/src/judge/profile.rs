//! The profiles an implementation may conform to, and the floor of each: what has to be declared, so that
//! "unsupported" is never a way to pass. The floor of the reader profile is ruling R5.

use hurray_adapter::{Hello, Op, Part};

use crate::judge::{Fault, Verdict};
use hurray_corpus::{Feature, ReadMode, Vector};
use hurray_spec::tables::{ELEMENT_TYPES, ElementType, LAYOUTS, Layout};
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

/// A profile.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    clap::ValueEnum,
    Display,
    EnumString,
    IntoStaticStr,
    VariantArray,
)]
#[strum(serialize_all = "snake_case")]
pub enum Profile {
    /// Opens, lists, describes and reads files, and rejects broken ones.
    Reader,
    /// Names every broken requirement of a file.
    Validate,
    /// Keeps the I/O contract; of who does not claim it, what holds for everybody.
    Io,
    /// Reads files that go by once, without seeking.
    Sequential,
    /// Writes files.
    Writer,
    /// Reads what the other candidates of a run have written.
    Interop,
}

/// What one profile demands to be declared.
struct Floor {
    operations: &'static [Op],
    types: fn(&ElementType) -> bool,
    layouts: fn(&Layout) -> bool,
    observes: &'static [Part],
}

static READER: Floor = Floor {
    operations: &[Op::Open, Op::List, Op::Kv, Op::Read],
    types: |kind| kind.tier == 1,
    layouts: |layout| layout.tier == 1,
    observes: &[Part::Tensors, Part::Payload, Part::Kv],
};
static VALIDATE: Floor = Floor { operations: &[Op::Validate], ..NOTHING };
static IO: Floor = Floor { operations: &[Op::Open, Op::Read], observes: &[Part::Payload], ..NOTHING };
static SEQUENTIAL: Floor = Floor { operations: &[Op::Scan], observes: &[Part::Tensors, Part::Payload], ..NOTHING };
/// Level 2 of the compliance document, as far as it speaks of writing: the mandatory types; of the layouts the dense one and
/// the sparse one that its empty tensors take (§ Empty Tensor Round-Trip Vectors); the others are a writer's choice.
static WRITER: Floor = Floor {
    operations: &[Op::Write],
    types: READER.types,
    layouts: |layout| matches!(layout.name, "row_major" | "csr"),
    ..NOTHING
};
const NOTHING: Floor = Floor { operations: &[], types: |_| false, layouts: |_| false, observes: &[] };

impl Profile {
    /// Every profile, in the order of reports.
    pub const ALL: &'static [Profile] = Profile::VARIANTS;

    /// The word of the command line and of reports.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// The profile of that name.
    pub fn from_name(name: &str) -> Option<Profile> {
        name.parse().ok()
    }

    /// Why a candidate is not scored in this profile, or `None` if it is. Every candidate is scored as a reader.
    pub fn not_scored(self, hello: &Hello) -> Option<&'static str> {
        match self {
            Profile::Reader => None,
            Profile::Validate if hello.offers(Op::Validate) => None,
            Profile::Validate => Some("it does not offer validate"),
            // The clauses are for who claims the contract; what short, failing and lying transfers must do to nobody, for all.
            Profile::Io if hello.is_served_source() || hello.is_served_sink() => None,
            Profile::Io if !hello.io_contract => Some(
                "it serves neither a source nor items to a sink; its system calls are tried under reader and writer",
            ),
            Profile::Io => Some(
                "it claims the I/O contract but serves neither a source nor items to a sink, so nothing can be seen of it",
            ),
            Profile::Sequential if hello.is_scanner() => None,
            Profile::Sequential if hello.offers(Op::Scan) => Some("it offers scan but takes no stream"),
            Profile::Sequential => Some("it does not offer scan, which is optional"),
            Profile::Writer if !hello.offers(Op::Write) && !hello.offers(Op::Create) => Some("it does not offer write"),
            Profile::Writer if hello.sink.is_empty() => Some("it offers write but takes no sink"),
            Profile::Writer => None,
            // Lifted once there is such a file.
            Profile::Interop => Some("no other candidate of this run has written a file"),
        }
    }

    /// Whether vectors of that kind say anything in this profile: `validate` has one mode and takes files, and no range is
    /// asked for without a file.
    pub fn asks(self, vector: &Vector) -> bool {
        match self {
            Profile::Writer | Profile::Interop => true,
            Profile::Reader => match vector.mode {
                ReadMode::Whole | ReadMode::Bare | ReadMode::Permissive => true,
                ReadMode::Sequential => false,
            },
            Profile::Validate => match vector.mode {
                ReadMode::Whole => true,
                ReadMode::Bare | ReadMode::Sequential | ReadMode::Permissive => false,
            },
            Profile::Io => match vector.mode {
                ReadMode::Whole | ReadMode::Permissive => true,
                ReadMode::Bare | ReadMode::Sequential => false,
            },
            Profile::Sequential => vector.mode.is_sequential(),
        }
    }

    /// How far this version of the suite reaches, for a candidate that says this of itself.
    pub fn reach(self, hello: Option<&Hello>) -> &'static str {
        match self {
            Profile::Io if hello.is_some_and(|hello| !hello.io_contract) => {
                "what holds for everybody under short, interrupted, failing and lying transfers, no clause of the contract"
            }
            Profile::Reader | Profile::Validate => "container, key-values, versions, descriptors",
            Profile::Io => {
                "ranges asked for; short, interrupted and failing reads and writes; early ends, changed files, wrong arguments"
            }
            Profile::Sequential => "single buffers that fill their alignment; other files where readings agree",
            Profile::Writer => "described files of every type, layout, scheme, section and composite",
            Profile::Interop => "files of the other candidates of this run",
        }
    }

    /// The mandatory parts, such as `layout:tiled`, with whether `hello` declares each.
    pub fn floor(self, hello: &Hello) -> Vec<(String, bool)> {
        let floor = match self {
            Profile::Reader => &READER,
            Profile::Validate => &VALIDATE,
            Profile::Io => &IO,
            Profile::Sequential => &SEQUENTIAL,
            Profile::Writer => &WRITER,
            Profile::Interop => &NOTHING,
        };
        let written = hello.writes.clone().unwrap_or_default();
        let is_declared = |feature: Feature| match self {
            Profile::Writer => feature.is_written_by(&written),
            Profile::Reader | Profile::Validate | Profile::Io | Profile::Sequential | Profile::Interop => {
                feature.is_read_by(hello)
            }
        };
        let types = ELEMENT_TYPES.iter().filter(|kind| (floor.types)(kind)).map(Feature::Type);
        let layouts = LAYOUTS.iter().filter(|layout| (floor.layouts)(layout)).map(Feature::Layout);
        let operations = floor.operations.iter().map(|op| (format!("operation:{op}"), hello.offers(*op)));
        operations
            .chain(types.chain(layouts).map(|feature| (feature.to_string(), is_declared(feature))))
            .chain(floor.observes.iter().map(|part| (format!("observes:{part}"), hello.observes(*part))))
            .collect()
    }

    /// The id under which a missing mandatory part is reported.
    pub fn floor_id(self, part: &str) -> String {
        format!("floor/{}/{part}", self.name())
    }
}

/// The verdict on a mandatory part that is not declared.
pub fn undeclared(part: &str) -> Verdict {
    Verdict::bad(Fault::Undeclared, None, format!("{part} declared"), "not declared")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn hello(more: serde_json::Value) -> Hello {
        let mut hello = json!({"protocol": [1, 1], "name": "x", "version": "1"});
        hello.as_object_mut().expect("an object").extend(more.as_object().cloned().unwrap_or_default());
        serde_json::from_value(hello).expect("a hello")
    }

    #[test]
    fn the_reader_floor_is_that_of_r5() {
        let floor = Profile::Reader.floor(&hello(json!({})));
        let count = |word: &str| floor.iter().filter(|(part, _)| part.starts_with(word)).count();
        assert_eq!((count("type:"), count("layout:"), floor.len()), (13, 11, 31));
        assert!(floor.iter().all(|(_, declared)| !declared));
    }

    #[test]
    fn what_is_declared_is_not_missing() {
        let floor = Profile::Reader.floor(&hello(json!({"layouts": ["tiled", "hilbert"]})));
        let declared: Vec<_> = floor.iter().filter(|(_, declared)| *declared).map(|(part, _)| part.as_str()).collect();
        assert_eq!(declared, ["layout:tiled"]);
    }

    #[test]
    fn a_writer_is_asked_for_what_it_writes_not_for_what_it_reads() {
        let reads = hello(json!({"types": ["bool"], "operations": ["write"], "writes": {"types": ["int8"]}}));
        let floor = Profile::Writer.floor(&reads);
        let declared: Vec<_> = floor.iter().filter(|(_, declared)| *declared).map(|(part, _)| part.as_str()).collect();
        assert_eq!(declared, ["operation:write", "type:int8"]);
        assert_eq!(floor.len(), 1 + 13 + 2);
    }

    #[test]
    fn optional_profiles_are_scored_for_who_claims_them() {
        let plain = hello(json!({}));
        assert_eq!(Profile::Reader.not_scored(&plain), None);
        assert!(Profile::Validate.not_scored(&plain).is_some());
        assert!(Profile::Io.not_scored(&plain).is_some());
        assert!(Profile::Writer.not_scored(&plain).is_some());
        assert!(Profile::Sequential.not_scored(&plain).is_some());
        let scans = |source: &str| hello(json!({"operations": ["scan"], "source": [source]}));
        assert!(Profile::Sequential.not_scored(&scans("served")).is_some());
        assert_eq!(Profile::Sequential.not_scored(&scans("stream")), None);
        let writes = |sinks: &[&str]| hello(json!({"operations": ["write"], "sink": sinks}));
        assert!(Profile::Writer.not_scored(&writes(&[])).is_some());
        assert_eq!(Profile::Writer.not_scored(&writes(&["path"])), None);
        let claims = hello(json!({"operations": ["validate"], "io_contract": true, "source": ["served"]}));
        assert_eq!(Profile::Validate.not_scored(&claims), None);
        assert_eq!(Profile::Io.not_scored(&claims), None);
        assert!(Profile::Io.not_scored(&hello(json!({"io_contract": true, "source": ["path"]}))).is_some());
    }
}
