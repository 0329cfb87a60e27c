//! The reference as a candidate: its answers in the vocabulary of the worker protocol.
//!
//! Owns the mapping and nothing else; what is right or wrong is decided by the reference alone.

mod answer;
mod parts;
mod scanning;
mod wanted;
mod writing;

use std::fs::File;
use std::io::{self, Seek, SeekFrom};

use hurray_adapter::{
    Answer, BufferObservation, Candidate, CompositeObservation, ContainerObservation, Failure, Finding, Hello, KvEntry,
    Observed, Op, PROTOCOL, Part, Place, PlaceWord, ReadAt, Reader, Sink, SinkKind, Source, SourceKind, Text, U64,
    WriteOptions, Writer, words,
};
use hurray_reference::drive::{self, drive_reader};
use hurray_reference::meaning::{self, NoMeaning, Value};
use hurray_reference::{ElementType, FileReaderCore, FileStep, Policy, Tensor, decode_descriptor};
use hurray_spec::Rule;

use answer::{LAYOUTS, SCHEMES, failure, kv_value, tensor};
use writing::Writing;

/// What it offers: typed by hand, so that a new operation of the protocol is not declared before it is there.
const OPERATIONS: [Op; 17] = [
    Op::Open,
    Op::List,
    Op::Kv,
    Op::Describe,
    Op::Read,
    Op::All,
    Op::Validate,
    Op::Locate,
    Op::Decode,
    Op::Composite,
    Op::Write,
    Op::Create,
    Op::Header,
    Op::Put,
    Op::Finish,
    Op::Descriptor,
    Op::Scan,
];

/// What it fills of an observation; likewise.
const PARTS: [Part; 10] = [
    Part::Container,
    Part::Tensors,
    Part::Kv,
    Part::Handles,
    Part::Payload,
    Part::MemoryAlignment,
    Part::DescriptorVersion,
    Part::LayoutFields,
    Part::Sections,
    Part::Rules,
];

/// The reference implementation under one policy.
#[derive(Clone, Debug)]
pub struct Reference {
    policy: Policy,
}

impl Reference {
    /// The strict reader.
    pub fn strict() -> Self {
        Self::with_policy(Policy::strict())
    }

    /// The strict reader without these rules.
    pub fn waiving(rules: &[Rule]) -> Self {
        Self::with_policy(Policy::strict().waiving(rules.iter().copied()))
    }

    /// A reader with another policy; `validate` collects, and waives what the policy waives.
    pub fn with_policy(policy: Policy) -> Self {
        Reference { policy }
    }
}

impl Candidate for Reference {
    fn hello(&self) -> Hello {
        Hello {
            protocol: PROTOCOL,
            name: "reference".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            operations: words(&OPERATIONS),
            types: ElementType::ALL.iter().filter_map(|kind| kind.name()).map(str::to_owned).collect(),
            layouts: LAYOUTS.map(str::to_owned).to_vec(),
            quantization: SCHEMES.map(str::to_owned).to_vec(),
            source: words(&[SourceKind::Path, SourceKind::Served, SourceKind::Stream]),
            sink: words(&[SinkKind::Path, SinkKind::Served]),
            writes: Some(writing::writes()),
            io_contract: true,
            permissive: true,
            observes: words(&PARTS),
        }
    }

    fn open(&mut self, source: Source) -> Result<(Observed, Box<dyn Reader>), Failure> {
        let (mut source, size) = open_source(source)?;
        let mut core = FileReaderCore::with_policy(size, self.policy.clone());
        drive_reader(&mut core, &mut source).map_err(failure)?;
        let container = core.container().map(|container| ContainerObservation {
            version: Some(container.version),
            flags: Some(container.flags),
            data_buffer_alignment: Some(container.data_buffer_alignment),
            tensor_count: Some(U64(core.index().len() as u64)),
        });
        Ok((Observed { container, ..Observed::default() }, Box::new(Open { core, source })))
    }

    fn open_permissive(&mut self, source: Source) -> Result<(Observed, Box<dyn Reader>), Failure> {
        Reference { policy: self.policy.clone().into_permissive() }.open(source)
    }

    fn descriptor(&mut self, bytes: &[u8]) -> Answer {
        let decoded = decode_descriptor(bytes, self.policy.clone());
        let (descriptor, length) = decoded.map_err(|error| failure(error.into()))?;
        let descriptor_length = Some(U64(u64::from(length)));
        Ok(Observed { tensor: Some(tensor(&descriptor)), descriptor_length, ..Observed::default() })
    }

    fn validate(&mut self, source: Source) -> Answer {
        let (mut source, size) = open_source(source)?;
        let report = drive::validate(size, &mut source, &self.policy)?;
        if let Some(error) = report.error {
            // Half a walk proves nothing.
            return Err(failure(error.into()));
        }
        let findings = report.findings.iter().map(|finding| Finding {
            rule: Some(finding.rule.id().to_owned()),
            offset: Some(U64(finding.span.start)),
            message: Some(finding.rule.info().text.to_owned()),
        });
        Ok(Observed { findings: Some(findings.collect()), ..Observed::default() })
    }

    fn scan(&mut self, mut stream: Box<dyn io::Read>) -> Answer {
        scanning::scan(stream.as_mut(), self.policy.clone())
    }

    fn create(&mut self, sink: Sink, options: &WriteOptions) -> Result<Box<dyn Writer>, Failure> {
        Ok(Box::new(Writing::create(sink, options)?))
    }
}

struct Open {
    core: FileReaderCore,
    source: Ranges,
}

impl Open {
    fn drive(&mut self) -> Result<FileStep, Failure> {
        drive_reader(&mut self.core, &mut self.source).map_err(failure)
    }

    fn tensor(&mut self, name: &[u8]) -> Result<Tensor, Failure> {
        self.core.begin_tensor(name).map_err(|error| failure(error.into()))?;
        self.drive()?;
        self.core.take_tensor().ok_or_else(nothing_taken)
    }
}

impl Reader for Open {
    fn list(&mut self) -> Answer {
        let names = self.core.index().iter().map(|entry| Text::new(entry.name)).collect();
        Ok(Observed { names: Some(names), ..Observed::default() })
    }

    fn kv(&mut self) -> Answer {
        let entries = self.core.kv().iter();
        let entries = entries.map(|(key, value)| Some(KvEntry { key: Text::new(key), value: kv_value(value)? }));
        // A value without a meaning gets here only with its rule waived; it has no observation.
        let kv = entries.collect::<Option<Vec<_>>>().ok_or(Failure::Unsupported)?;
        Ok(Observed { kv: Some(kv), ..Observed::default() })
    }

    fn describe(&mut self, name: &[u8]) -> Answer {
        self.core.begin_descriptor(name).map_err(|error| failure(error.into()))?;
        self.drive()?;
        let descriptor = self.core.take_descriptor().ok_or_else(nothing_taken)?;
        Ok(Observed { tensor: Some(tensor(&descriptor)), ..Observed::default() })
    }

    fn read(&mut self, name: &[u8]) -> Answer {
        let read = self.tensor(name)?;
        let buffers = read.buffers.iter().map(|buffer| BufferObservation::in_memory(buffer)).collect();
        Ok(Observed { tensor: Some(tensor(&read.descriptor)), buffers: Some(buffers), ..Observed::default() })
    }

    fn composite(&mut self, name: &[u8]) -> Answer {
        self.core.begin_composite(name).map_err(|error| failure(error.into()))?;
        self.drive()?;
        let composite = self.core.take_composite().ok_or_else(nothing_taken)?;
        if !composite.is_complete {
            // Its members can be read one by one; a composite it is not, whatever the policy.
            return Err(Failure::Unsupported);
        }
        let seen = CompositeObservation {
            name: Text::new(composite.name),
            rule: parts::composition_rule(&composite.descriptor.layout),
            members: Some(composite.members.iter().map(|member| Text::new(member.name())).collect()),
        };
        Ok(Observed { composite: Some(seen), ..Observed::default() })
    }

    fn locate(&mut self, name: &[u8], index: &[u64]) -> Answer {
        let read = self.tensor(name)?;
        let place = match meaning::locate(&read.descriptor, &read.buffers, index).map_err(no_meaning)? {
            meaning::Place::Unstored => Place::Word(PlaceWord::Unstored),
            meaning::Place::Stored { buffer, byte, bit } => {
                // A buffer table has at most 255 entries.
                Place::Stored { buffer: buffer as u32, byte: U64(byte), bit }
            }
        };
        Ok(Observed { place: Some(place), ..Observed::default() })
    }

    fn decode(&mut self, name: &[u8], index: &[u64]) -> Answer {
        let read = self.tensor(name)?;
        let value = meaning::decode(&read.descriptor, &read.buffers, index).map_err(no_meaning)?;
        Ok(Observed { value: Some(value_text(value)), ..Observed::default() })
    }

    fn all(&mut self) -> Answer {
        let names: Vec<Text> = self.core.index().iter().map(|entry| Text::new(entry.name)).collect();
        for name in &names {
            self.read(&name.0)?;
        }
        Ok(Observed { names: Some(names), ..Observed::default() })
    }
}

fn no_meaning(why: NoMeaning) -> Failure {
    match why {
        NoMeaning::Index => Failure::Refused("the tensor has no such element".to_owned()),
        NoMeaning::Unknown => Failure::Unsupported,
        NoMeaning::Data => Failure::reject("the buffers lead nowhere for this element"),
        NoMeaning::Reserved => Failure::reject("the element or a parameter of it must not occur"),
    }
}

/// A value in the form of the operation `decode`.
fn value_text(value: Value) -> String {
    match value {
        Value::Integer(value) => value.to_string(),
        Value::Float32(bits) => format!("{bits:08x}"),
        Value::Float64(bits) => format!("{bits:016x}"),
        Value::Float128(bits) => format!("{bits:032x}"),
        Value::Complex64([real, imaginary]) => format!("{real:08x} {imaginary:08x}"),
        Value::Complex128([real, imaginary]) => format!("{real:016x} {imaginary:016x}"),
    }
}

fn nothing_taken() -> Failure {
    Failure::Error("the core said that something is ready and handed out nothing".to_owned())
}

enum Ranges {
    File(drive::Seeking<File>),
    Served(Box<dyn ReadAt>),
}

impl drive::ReadAt for Ranges {
    fn read_at(&mut self, offset: u64, dst: &mut [u8]) -> io::Result<usize> {
        match self {
            Ranges::File(file) => file.read_at(offset, dst),
            Ranges::Served(served) => served.read_at(offset, dst),
        }
    }
}

fn open_source(source: Source) -> Result<(Ranges, u64), Failure> {
    match source {
        Source::Path(path) => {
            let mut file = File::open(path)?;
            let size = file.seek(SeekFrom::End(0))?;
            Ok((Ranges::File(drive::Seeking(file)), size))
        }
        Source::Served(served) => {
            let size = served.size();
            Ok((Ranges::Served(served), size))
        }
    }
}
