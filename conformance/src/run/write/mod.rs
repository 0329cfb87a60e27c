//! Asks a writer for one described file, in every way it offers, and judges its answers and the file.
//!
//! Owns the ways: at once and item by item, to disk and stretch by stretch, and once over a sink that takes little at a
//! time. The reference is asked here about
//! the file, as any candidate is; what its answers mean is decided in `judge::writer`.

mod sink;

use std::cell::RefCell;
use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use hurray_adapter::{Hello, Op, Opening, Operation, SinkKind, Step, StepResult};

use super::Files;
use super::read::judge_on;
use crate::candidates::reference::Reference;
use crate::judge::profile::Profile;
use crate::judge::writer::{self, Asked, Ended, Inspected};
use crate::judge::{Fault, Outcome, Verdict, actual_text};
use crate::transport::{Death, Host, InProcess, Job, JobSource, MemorySink, Script, Transport};
use hurray_corpus::write_vector::{WriteExpect, WriteVector, read_vector};
use hurray_spec::{Kind, Rule};

use sink::ShortSink;

/// Longest written file that is looked at, in bytes.
const LONGEST_FILE: u64 = 256 << 20;

/// What became of one description.
pub struct Wrote {
    /// The judgement.
    pub verdict: Verdict,
    /// The file, if one was written that every reader has to read as described.
    pub bytes: Option<Arc<[u8]>>,
}

/// Asks for the file of `vector` and judges what comes.
pub fn write_on(transport: &mut dyn Transport, vector: &WriteVector, hello: &Hello, files: &Files) -> Wrote {
    let mut writing = Writing { transport, vector, hello, files, bytes: None, so_far: None, tolerable: None };
    let verdict = match writing.ways() {
        Ok(verdict) | Err(verdict) => *verdict,
    };
    let is_good = matches!(verdict.outcome, Outcome::Passed | Outcome::Contested);
    Wrote { verdict, bytes: if is_good { writing.bytes } else { writing.tolerable } }
}

/// How a file leaves the writer.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    Path,
    Served,
    /// Served, and only little is taken at a time.
    Short,
}

/// The answers, and the file if there is one.
type Answered = (Vec<StepResult>, Option<Arc<[u8]>>);
type Judged<T> = Result<T, Box<Verdict>>;

struct Writing<'a> {
    transport: &'a mut dyn Transport,
    vector: &'a WriteVector,
    hello: &'a Hello,
    files: &'a Files,
    /// The file of the first way that gave one.
    bytes: Option<Arc<[u8]>>,
    /// The verdict on it.
    so_far: Option<Verdict>,
    /// A file that breaks nothing but duties of writers.
    tolerable: Option<Arc<[u8]>>,
}

impl Writing<'_> {
    fn takes(&self, sink: SinkKind) -> bool {
        self.hello.writes_to(sink)
    }

    /// Every way that is offered, up to the first that fails.
    fn ways(&mut self) -> Judged<Box<Verdict>> {
        let is_by_item = self.hello.is_item_writer();
        let usual = if self.takes(SinkKind::Path) || !self.takes(SinkKind::Served) { Way::Path } else { Way::Served };
        let mut last = None;
        if self.hello.offers(Op::Write) || !is_by_item {
            for file in self.vector.wholes() {
                let script = writer::whole_script(self.vector, file);
                last = Some(self.way(&script, usual, "")?);
            }
        }
        if is_by_item && last != Some(Ended::Unsupported) {
            last = self.by_item(last)?;
        }
        if last == Some(Ended::Written) && self.takes(SinkKind::Served) && self.vector.expect == WriteExpect::Accept {
            self.short(is_by_item)?;
        }
        let ended = last.unwrap_or(Ended::Unsupported);
        Ok(Box::new(self.so_far.take().unwrap_or_else(|| writer::conclude(self.vector, &ended, None))))
    }

    /// Item by item; what a refusal costs is asked of those who claim the I/O contract.
    fn by_item(&mut self, before: Option<Ended>) -> Judged<Option<Ended>> {
        let is_bound = self.vector.refusals.is_empty() || self.hello.io_contract;
        if let Some(steps) = writer::options_script(self.vector) {
            self.refuses_options(&steps)?;
        } else if is_bound || before.is_none() {
            let way = if self.takes(SinkKind::Served) { Way::Served } else { Way::Path };
            let script = writer::item_script(self.vector, self.hello);
            return self.way(&script, way, "item by item: ").map(Some);
        }
        Ok(before.or(Some(Ended::Refused)))
    }

    /// One script, its answers and its file.
    fn way(&mut self, script: &[Asked], way: Way, prefix: &str) -> Judged<Ended> {
        let (results, bytes) = self.run(script.iter().map(|asked| &asked.step), way)?;
        let named = |verdict: Box<Verdict>| {
            let step = verdict.step.as_deref().map(|step| format!("{prefix}{step}"));
            Box::new(Verdict { step, ..*verdict })
        };
        let ended = writer::judge_answers(self.vector, self.hello, script, &results).map_err(named)?;
        if ended != Ended::Written {
            return Ok(ended);
        }
        let Some(bytes) = bytes else {
            let verdict = writer::failed(self.vector, Fault::Wrong, "a written file", "none");
            return Err(named(Box::new(verdict)));
        };
        let verdict = writer::conclude(self.vector, &ended, Some(inspect(self.vector, &bytes)));
        if verdict.fault.is_some() {
            self.tolerable = is_tolerable(self.vector, &verdict, &bytes).then_some(bytes);
            return Err(named(Box::new(verdict)));
        }
        self.bytes.get_or_insert(bytes);
        self.so_far.get_or_insert(verdict);
        Ok(ended)
    }

    /// Options that no file can have are refused before the header is out.
    fn refuses_options(&mut self, steps: &[Step]) -> Judged<()> {
        let way = if self.takes(SinkKind::Served) { Way::Served } else { Way::Path };
        let (results, bytes) = self.run(steps.iter(), way)?;
        let is_refused = results.iter().any(|result| matches!(result, StepResult::Refused { .. }));
        let is_out = bytes.is_some_and(|bytes| !bytes.is_empty());
        let actual = match (is_refused, is_out) {
            (true, false) => return Ok(()),
            (true, true) => "refused after the first byte",
            (false, _) => "not refused",
        };
        let fault = if is_refused { Fault::Wrong } else { Fault::Accepted };
        let verdict = writer::failed(self.vector, fault, "refused before the first byte", actual);
        Err(Box::new(Verdict { step: Some("create".to_owned()), ..verdict }))
    }

    /// The same script gives the same bytes, however little the sink takes at a time.
    fn short(&mut self, is_by_item: bool) -> Judged<()> {
        let script = match is_by_item {
            true => writer::item_script(self.vector, self.hello),
            false => writer::whole_script(self.vector, self.vector.file.clone()),
        };
        let (_, whole) = self.run(script.iter().map(|asked| &asked.step), Way::Served)?;
        let (results, short) = self.run(script.iter().map(|asked| &asked.step), Way::Short)?;
        let verdict = |expected: &str, actual: String| {
            let breaks = vec![Rule::IoWriteScheduleIdentical, Rule::IoWriteShortWriteResumes];
            let step = Some("a sink that takes little at a time".to_owned());
            Err(Box::new(Verdict { breaks, ..Verdict::bad(Fault::Wrong, step, expected, actual) }))
        };
        if let Some(bad) = results.iter().find(|result| !matches!(result, StepResult::Ok(_))) {
            return verdict("ok", crate::judge::actual_text(bad));
        }
        let (whole, short) = (whole.unwrap_or_default(), short.unwrap_or_default());
        match whole.iter().zip(short.iter()).position(|(a, b)| a != b) {
            Some(at) => verdict("the same bytes as for a sink that takes all", format!("another byte {at}")),
            None if whole.len() != short.len() => {
                verdict(&format!("{} bytes, as for a sink that takes all", whole.len()), short.len().to_string())
            }
            None => Ok(()),
        }
    }

    /// Runs the steps, and gives the answers and the file.
    fn run<'s>(&mut self, steps: impl Iterator<Item = &'s Step>, way: Way) -> Judged<Answered> {
        let steps = Script::Steps(steps.cloned().collect());
        let died = |death: Death| Box::new(Verdict::died(&death.cause, "an answer"));
        match way {
            Way::Path => {
                let path = self.files.fresh();
                let ran = self.transport.run(&Job { source: JobSource::SinkPath(&path), steps });
                let bytes = written(&path);
                // What is left there is in nobody's way; the folder goes with the run.
                let _ = fs::remove_file(&path);
                Ok((ran.end.map_err(died)?, bytes))
            }
            Way::Served => {
                let sink = Rc::new(RefCell::new(MemorySink::default()));
                let source = JobSource::Hosted(Rc::clone(&sink) as Rc<RefCell<dyn Host>>);
                let results = self.transport.run(&Job { source, steps }).end.map_err(died)?;
                let bytes = std::mem::take(&mut sink.borrow_mut().bytes);
                Ok((results, Some(bytes.into())))
            }
            Way::Short => {
                let sink = Rc::new(RefCell::new(ShortSink::default()));
                let source = JobSource::Hosted(Rc::clone(&sink) as Rc<RefCell<dyn Host>>);
                let results = self.transport.run(&Job { source, steps }).end.map_err(died)?;
                let bytes = sink.borrow_mut().take();
                Ok((results, Some(bytes.into())))
            }
        }
    }
}

/// The file at that path, if there is one of a length that can be looked at.
fn written(path: &Path) -> Option<Arc<[u8]>> {
    let mut bytes = Vec::new();
    let file = fs::File::open(path).ok()?;
    file.take(LONGEST_FILE + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 <= LONGEST_FILE).then(|| bytes.into())
}

/// Whether the file of that verdict is one for every reader all the same: it breaks what binds writers alone, and a strict
/// reader sees in it what was described.
fn is_tolerable(vector: &WriteVector, verdict: &Verdict, bytes: &Arc<[u8]>) -> bool {
    let binds_writers = |rule: &Rule| rule.info().kind == Kind::Writer;
    if verdict.fault != Some(Fault::Invalid) || !verdict.breaks.iter().all(binds_writers) {
        return false;
    }
    let mut reference = InProcess::new(Box::new(Reference::strict()));
    let (hello, read) = (reference.hello().clone(), read_vector(vector, String::new(), Arc::clone(bytes)));
    let read = judge_on(&mut reference, &read, &hello, JobSource::Served(bytes), Profile::Reader);
    read.outcome == Outcome::Passed
}

/// Why the bytes that somebody called a finished file are none, if so.
pub(super) fn unreadable(bytes: &Arc<[u8]>) -> Option<String> {
    let mut reference = InProcess::new(Box::new(Reference::strict()));
    let steps = [Step::Open(Opening::default()), Step::All(Operation {})];
    match reference.run(&Job { source: JobSource::Served(bytes), steps: steps.as_slice().into() }).end {
        Err(death) => Some(death.cause.to_string()),
        Ok(results) => results.iter().find(|result| !matches!(result, StepResult::Ok(_))).map(actual_text),
    }
}

/// What the reference makes of a written file.
pub fn inspect(vector: &WriteVector, bytes: &Arc<[u8]>) -> Verdict {
    let mut reference = InProcess::new(Box::new(Reference::strict()));
    let hello = reference.hello().clone();
    let mut ask = |steps: &[Step]| {
        let ran = reference.run(&Job { source: JobSource::Served(bytes), steps: steps.into() });
        ran.end.unwrap_or_else(|death| vec![StepResult::Error { message: death.cause.to_string(), state: None }])
    };
    let validate = ask(&[Step::Validate(Operation {})]);
    let steps = writer::inspection(vector, &hello);
    let results = ask(&steps);
    let Some(validate) = validate.first() else {
        return writer::failed(vector, Fault::NotRun, "findings", "none");
    };
    writer::judge_file(vector, &Inspected { bytes, validate, steps: &steps, results: &results })
}

#[cfg(test)]
mod tests;
