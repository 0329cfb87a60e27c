//! How a script reaches a candidate: one trait over a supervised process and over this process.
//!
//! Owns what a job is and how it can end. Knows no vector and no expectation.

use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use hurray_adapter::{Hello, Step, StepResult};
use serde::Serialize;
use serde_json::Value;

mod host;
mod in_process;
pub mod worker;

pub use host::{Host, HostRead, HostWrite, MemorySink};
pub use in_process::InProcess;

/// Ranges of one trace that are kept; the rest is only counted.
const KEPT_RANGES: usize = 4096;

/// One script over one source or sink.
pub struct Job<'a> {
    /// Where the bytes are, or go.
    pub source: JobSource<'a>,
    /// What to do, in order.
    pub steps: Script<'a>,
}

/// What a job asks for, one result each. It becomes JSON where it leaves this process, and nowhere else.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Script<'a> {
    /// Steps of the protocol.
    Steps(Cow<'a, [Step]>),
    /// Values that need not be steps of the protocol. A probe sends them on purpose.
    Raw(Vec<Value>),
}

impl Script<'_> {
    /// How many results are due.
    pub fn result_count(&self) -> usize {
        match self {
            Script::Steps(steps) => steps.len(),
            Script::Raw(values) => values.len(),
        }
    }
}

impl<'a> From<&'a [Step]> for Script<'a> {
    fn from(steps: &'a [Step]) -> Self {
        Script::Steps(Cow::Borrowed(steps))
    }
}

impl<'a> From<&'a Vec<Step>> for Script<'a> {
    fn from(steps: &'a Vec<Step>) -> Self {
        Script::Steps(Cow::Borrowed(steps))
    }
}

impl From<Vec<Step>> for Script<'_> {
    fn from(steps: Vec<Step>) -> Self {
        Script::Steps(Cow::Owned(steps))
    }
}

/// Where the bytes of a job are, or go.
pub enum JobSource<'a> {
    /// A file on disk of that many bytes.
    Path(&'a Path, u64),
    /// Ranges, asked for one by one.
    Served(&'a Arc<[u8]>),
    /// Every range asked for ends in a transport error; the source claims that many bytes.
    Failing(u64),
    /// Whatever the host answers, range by range and offer by offer.
    Hosted(Rc<RefCell<dyn Host>>),
    /// Whatever the host answers, from the first byte to the last, without going back.
    Stream(Rc<RefCell<dyn Host>>),
    /// A file on disk, to be written.
    SinkPath(&'a Path),
}

impl JobSource<'_> {
    /// Size of the file, in bytes.
    pub fn size(&self) -> u64 {
        match self {
            JobSource::Path(_, size) | JobSource::Failing(size) => *size,
            JobSource::Served(bytes) => bytes.len() as u64,
            JobSource::Hosted(host) | JobSource::Stream(host) => host.borrow().size().unwrap_or(0),
            JobSource::SinkPath(_) => 0,
        }
    }
}

/// How a job went.
#[derive(Debug)]
pub struct Ran {
    /// One result per step, or the candidate's end.
    pub end: Result<Vec<StepResult>, Death>,
    /// What was asked of a served source or a stream, or offered to a sink.
    pub trace: Trace,
    /// Resident memory at its peak beyond what there was before, in bytes; `None` where it is not measured.
    pub peak_memory_len: Option<u64>,
}

/// The ranges asked of a served source, or of a stream one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// Offset and length of each range, in the order asked; the first few thousand.
    pub ranges: Vec<(u64, u64)>,
    /// How many ranges were asked for.
    pub range_count: u64,
    /// Bytes handed over.
    pub served_len: u64,
    /// Ranges that do not lie in the file.
    pub outside_count: u64,
    /// Ranges of no bytes.
    pub empty_count: u64,
    /// Bytes asked for or offered.
    pub asked_len: u64,
    /// How many offers were made to a sink.
    pub offer_count: u64,
}

impl Trace {
    /// Notes that up to `len` bytes were asked for at `offset` of a stream. It has no outside; and who asks names the room
    /// it has, not the bytes it needs, so that nothing is added to them.
    pub(crate) fn note_next(&mut self, offset: u64, len: u64) {
        let asked_len = self.asked_len;
        self.note(offset, len, u64::MAX);
        self.asked_len = asked_len;
    }

    /// Notes that `len` bytes were offered to a sink.
    pub(crate) fn note_offer(&mut self, len: u64) {
        self.offer_count += 1;
        self.asked_len = self.asked_len.saturating_add(len);
    }

    /// Notes one range over a file of `size` bytes.
    pub(crate) fn note(&mut self, offset: u64, len: u64, size: u64) {
        self.range_count += 1;
        self.asked_len = self.asked_len.saturating_add(len);
        if self.ranges.len() < KEPT_RANGES {
            self.ranges.push((offset, len));
        }
        if len == 0 {
            self.empty_count += 1;
        }
        if offset.checked_add(len).is_none_or(|end| end > size) {
            self.outside_count += 1;
        }
    }
}

/// The end of a candidate in place of an answer. It belongs to the job in flight.
#[derive(Clone, Debug, PartialEq)]
pub struct Death {
    /// What ended it.
    pub cause: Cause,
    /// The last of its standard error, for people.
    pub stderr: String,
}

/// What ended a candidate.
#[derive(Clone, Debug, PartialEq)]
pub enum Cause {
    /// A signal.
    Signal(i32),
    /// It ended by itself, with that exit code.
    Exit(i32),
    /// It panicked inside this process.
    Panicked(String),
    /// No answer within that time.
    TimedOut(Duration),
    /// Resident memory beyond the cap of that many bytes.
    OutOfMemory(u64),
    /// What it wrote is not of the protocol.
    Junk(String),
    /// It was not asked, because it could not be started again.
    NotRun(String),
    /// It was not asked, because the suite could not do its own part.
    Suite(String),
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cause::Signal(signal) => write!(f, "killed by signal {signal}"),
            Cause::Exit(code) => write!(f, "ended with exit code {code} in place of an answer"),
            Cause::Panicked(message) => write!(f, "panicked: {message}"),
            Cause::TimedOut(limit) => write!(f, "no answer within {:.1} s", limit.as_secs_f64()),
            Cause::OutOfMemory(cap) => write!(f, "more than {} MiB of memory", cap >> 20),
            Cause::Junk(what) => write!(f, "not of the protocol: {what}"),
            Cause::NotRun(why) | Cause::Suite(why) => write!(f, "not run: {why}"),
        }
    }
}

/// An adapter that cannot be judged.
#[derive(Clone, Debug, PartialEq)]
pub struct Broken {
    /// What it was asked to do.
    pub probe: String,
    /// What it did.
    pub answered: String,
    /// The last of its standard error, for people.
    pub stderr: String,
}

/// Something that runs scripts.
pub trait Transport {
    /// What the candidate said of itself.
    fn hello(&self) -> &Hello;

    /// Runs one script. Never panics and never hangs, whatever the candidate does.
    fn run(&mut self, job: &Job<'_>) -> Ran;

    /// Whether every step is a conversation with another process, so that thousands of runs take their time.
    fn is_process(&self) -> bool {
        false
    }

    /// Set once the candidate cannot be started any more; every later job is [`Cause::NotRun`].
    fn broken(&self) -> Option<&Broken> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::Trace;

    #[test]
    fn a_trace_counts_what_lies_outside() {
        let mut trace = Trace::default();
        trace.note(0, 10, 10);
        trace.note(10, 1, 10);
        trace.note(u64::MAX, 2, 10);
        trace.note(4, 0, 10);
        assert_eq!((trace.range_count, trace.outside_count, trace.empty_count), (4, 2, 1));
    }

    #[test]
    fn a_trace_is_bounded() {
        let mut trace = Trace::default();
        for _ in 0..super::KEPT_RANGES + 5 {
            trace.note(0, 1, 1);
        }
        assert_eq!(trace.ranges.len(), super::KEPT_RANGES);
        assert_eq!(trace.range_count, super::KEPT_RANGES as u64 + 5);
    }
}
