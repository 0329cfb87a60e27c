//! Runs one script against one candidate: the only place that maps steps to trait calls.

use std::io;

use serde_json::Value;

use crate::candidate::{Answer, Candidate, Failure, Reader, Writer};
use crate::observe::{Observed, U64};
use crate::protocol::{Step, StepResult};
use crate::source::Source;
use crate::writing::Sink;

/// The file that a script is about.
pub trait Endpoint {
    /// Where it is read from; called once per `open` or `validate`. `None` if it is a stream, or there to be written.
    fn source(&mut self) -> Option<Source>;
    /// Where it is written to; called once per `create` or `write`. `None` if it is there to be read.
    fn sink(&mut self) -> Option<Sink>;
    /// What is left of it, for `scan`. `None` if it is not a stream.
    fn stream(&mut self) -> Option<Box<dyn io::Read>> {
        None
    }
}

/// A file to be read, from any closure.
impl<F: FnMut() -> Source> Endpoint for F {
    fn source(&mut self) -> Option<Source> {
        Some(self())
    }

    fn sink(&mut self) -> Option<Sink> {
        None
    }
}

/// Runs every step over the file and gives one result per step.
///
/// A step that is not understood, or not offered, is `unsupported`; a step on a file that is not open is `refused`.
pub fn run_script(candidate: &mut dyn Candidate, endpoint: impl Endpoint, steps: &[Value]) -> Vec<StepResult> {
    let mut script = Script { candidate, endpoint, reader: None, writer: None };
    let understood = steps.iter().map(|step| serde_json::from_value::<Step>(step.clone()));
    understood.map(|step| step.map_or(StepResult::Unsupported {}, |step| script.step(&step))).collect()
}

/// [`run_script`] for steps that need no parsing, such as those of a harness in the same process.
pub fn run_steps(candidate: &mut dyn Candidate, endpoint: impl Endpoint, steps: &[Step]) -> Vec<StepResult> {
    let mut script = Script { candidate, endpoint, reader: None, writer: None };
    steps.iter().map(|step| script.step(step)).collect()
}

struct Script<'a, E> {
    candidate: &'a mut dyn Candidate,
    endpoint: E,
    reader: Option<Box<dyn Reader>>,
    writer: Option<Box<dyn Writer>>,
}

impl<E: Endpoint> Script<'_, E> {
    fn step(&mut self, step: &Step) -> StepResult {
        let is_of_writer = matches!(step, Step::Header(_) | Step::Put(_) | Step::Finish(_));
        let answer = if is_of_writer { self.on_writer(step) } else { self.on_file(step) };
        let result = answer.map_or_else(StepResult::from, StepResult::Ok);
        match self.writer.as_ref().and_then(|writer| writer.state()) {
            Some(state) if is_of_writer => result.with_state(state),
            _ => result,
        }
    }

    fn on_file(&mut self, step: &Step) -> Answer {
        match step {
            Step::Open(how) => {
                self.reader = None;
                let source = self.endpoint.source().ok_or_else(no_source)?;
                let opened = match how.permissive {
                    true => self.candidate.open_permissive(source),
                    false => self.candidate.open(source),
                };
                let (observed, opened) = opened?;
                self.reader = Some(opened);
                Ok(observed)
            }
            Step::Descriptor(bare) => match hex::decode(&bare.bytes) {
                Ok(bytes) => self.candidate.descriptor(&bytes),
                Err(_) => Err(Failure::Refused("the bytes of the descriptor are no hex digits".to_owned())),
            },
            Step::Validate(_) => self.candidate.validate(self.endpoint.source().ok_or_else(no_source)?),
            Step::Scan(_) => self.candidate.scan(self.endpoint.stream().ok_or_else(no_stream)?),
            Step::Create(options) => {
                self.writer = None;
                self.writer = Some(self.candidate.create(self.endpoint.sink().ok_or_else(no_sink)?, options)?);
                Ok(Observed::default())
            }
            Step::Write(file) => self.candidate.write(self.endpoint.sink().ok_or_else(no_sink)?, file),
            on_open_file => self.on_reader(on_open_file),
        }
    }

    fn on_reader(&mut self, step: &Step) -> Answer {
        let reader = self.reader.as_mut().ok_or_else(|| Failure::Refused("no file is open".to_owned()))?;
        match step {
            Step::List(_) => reader.list(),
            Step::Kv(_) => reader.kv(),
            Step::Describe(tensor) => reader.describe(&tensor.name.0),
            Step::Read(tensor) => reader.read(&tensor.name.0),
            Step::Composite(tensor) => reader.composite(&tensor.name.0),
            Step::Locate(element) => reader.locate(&element.name.0, &numbers(&element.index)),
            Step::Decode(element) => reader.decode(&element.name.0, &numbers(&element.index)),
            Step::All(_) => reader.all(),
            _ => Err(Failure::Unsupported),
        }
    }

    fn on_writer(&mut self, step: &Step) -> Answer {
        let writer = self.writer.as_mut().ok_or_else(|| Failure::Refused("no file is being written".to_owned()))?;
        match step {
            Step::Header(_) => writer.header(),
            Step::Put(item) => writer.put(item),
            Step::Finish(entries) => writer.finish(&entries.kv),
            _ => Err(Failure::Unsupported),
        }
    }
}

fn no_source() -> Failure {
    Failure::Refused("the file of this request is a stream, or there to be written".to_owned())
}

fn no_stream() -> Failure {
    Failure::Refused("the file of this request is no stream".to_owned())
}

fn no_sink() -> Failure {
    Failure::Refused("the file of this request is there to be read".to_owned())
}

fn numbers(index: &[U64]) -> Vec<u64> {
    index.iter().map(|number| number.0).collect()
}
