//! Habits of a reader around its jobs: what it does after one failed, and what it says of what it read.
//!
//! Owns these defects and nothing else.

use std::cell::Cell;
use std::rc::Rc;

use hurray_adapter::{Answer, Failure, Observed, Reader, U64};

use super::phase::Phase;

/// One habit of a reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReaderHabit {
    /// Opens whatever it is given.
    OpensAnything,
    /// Does nothing any more once a job has failed.
    GivesUp,
    /// Fails the repeat of a job that failed.
    FailsTwice,
    /// Reads something else in the second job after one that failed.
    GoesOnElsewhere,
    /// Takes a name that is not there for a fault of the file.
    RejectsUnknownNames,
    /// Copies buffers to where there was room.
    Copies,
    /// Reads tensors in the order of the file alone.
    ReadsForward,
}

/// A reader with a habit, or one that only says what it is doing.
pub(super) struct BadReader {
    inner: Box<dyn Reader>,
    habit: Option<ReaderHabit>,
    phase: Rc<Cell<Phase>>,
    /// Jobs since one failed.
    since_failure: Option<u32>,
    last: Vec<u8>,
}

impl BadReader {
    pub(super) fn new(inner: Box<dyn Reader>, habit: Option<ReaderHabit>, phase: Rc<Cell<Phase>>) -> BadReader {
        BadReader { inner, habit, phase, since_failure: None, last: Vec::new() }
    }

    fn job(&mut self, phase: Phase, name: &[u8], ask: impl FnOnce(&mut dyn Reader) -> Answer) -> Answer {
        self.phase.set(phase);
        let since = self.since_failure.as_mut().map(|since| {
            *since += 1;
            *since
        });
        match (self.habit, since) {
            (Some(ReaderHabit::GivesUp), Some(_)) => return Err(Failure::Refused("given up".to_owned())),
            (Some(ReaderHabit::FailsTwice), Some(1)) => return Err(Failure::Io("other".to_owned())),
            _ => {}
        }
        let mut answer = ask(self.inner.as_mut());
        if matches!(answer, Err(Failure::Io(_))) {
            self.since_failure = Some(0);
        }
        match (self.habit, &mut answer) {
            (Some(ReaderHabit::GoesOnElsewhere), Ok(seen)) if since == Some(2) => spoil(seen),
            (Some(ReaderHabit::RejectsUnknownNames), Err(failure)) if *failure == Failure::NotFound => {
                *failure = Failure::reject("there is no such tensor");
            }
            (Some(ReaderHabit::Copies), Ok(seen)) => {
                for buffer in seen.buffers.iter_mut().flatten() {
                    buffer.memory_alignment = Some(U64(1));
                }
            }
            (Some(ReaderHabit::ReadsForward), Ok(seen)) if phase == Phase::Read => {
                if name < self.last.as_slice() {
                    spoil(seen);
                }
                self.last = name.to_vec();
            }
            _ => {}
        }
        answer
    }
}

/// Another thing than was there.
fn spoil(seen: &mut Observed) {
    for buffer in seen.buffers.iter_mut().flatten() {
        buffer.sha256 = "0".repeat(64);
    }
    seen.tensor = None;
}

impl Reader for BadReader {
    fn list(&mut self) -> Answer {
        self.phase.set(Phase::Other);
        self.inner.list()
    }

    fn kv(&mut self) -> Answer {
        self.phase.set(Phase::Other);
        self.inner.kv()
    }

    fn describe(&mut self, name: &[u8]) -> Answer {
        self.job(Phase::Describe, name, |inner| inner.describe(name))
    }

    fn read(&mut self, name: &[u8]) -> Answer {
        self.job(Phase::Read, name, |inner| inner.read(name))
    }

    fn composite(&mut self, name: &[u8]) -> Answer {
        self.job(Phase::Composite, name, |inner| inner.composite(name))
    }

    fn locate(&mut self, name: &[u8], index: &[u64]) -> Answer {
        self.job(Phase::Other, name, |inner| inner.locate(name, index))
    }

    fn decode(&mut self, name: &[u8], index: &[u64]) -> Answer {
        self.job(Phase::Other, name, |inner| inner.decode(name, index))
    }

    fn all(&mut self) -> Answer {
        self.job(Phase::Other, b"", |inner| inner.all())
    }
}

/// What was opened although it is no file.
pub(super) struct Nothing;

impl Reader for Nothing {}
