//! The steps taken with one adapter, as they are noted down.

use hurray_adapter::Hello;
use strum::IntoStaticStr;

use crate::candidates::Prepared;
use crate::support::text::printable;

/// Longest answer that is shown, in characters.
const LONGEST_ANSWER: usize = 300;

/// What was found of one adapter.
#[derive(Debug)]
pub struct Verification {
    /// What it was asked for by.
    pub asked_for: String,
    /// What it said of itself, if it could be understood.
    pub hello: Option<Hello>,
    /// The steps, in the order taken.
    pub checks: Vec<Check>,
    /// The last of its standard error where it ended badly, for people.
    pub last_words: String,
}

impl Verification {
    /// Whether nothing is missing.
    pub fn is_complete(&self) -> bool {
        self.checks.iter().all(|check| check.status != Status::Missing)
    }
}

/// How a step went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Status {
    /// As it has to.
    #[strum(serialize = "ok")]
    Passed,
    /// Not as it has to: the adapter is broken or unfinished.
    Missing,
    /// Well enough, with something to think about.
    Note,
    /// Not taken.
    Skipped,
}

impl Status {
    /// Its word.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// Its name, such as `operation/read`; stable.
    pub id: String,
    /// How it went.
    pub status: Status,
    /// What was asked.
    pub asked: String,
    /// What came.
    pub came: String,
    /// What to do next, where something is to be done.
    pub next: Option<String>,
}

/// The steps taken so far.
#[derive(Debug, Default)]
pub(super) struct Sheet {
    pub(super) checks: Vec<Check>,
    pub(super) last_words: String,
}

impl Sheet {
    pub(super) fn passed(&mut self, id: &str, asked: &str, came: impl AsRef<str>) {
        self.add(id, Status::Passed, asked, came.as_ref(), None);
    }

    pub(super) fn missing(&mut self, id: &str, asked: &str, came: impl AsRef<str>, next: &str) {
        self.add(id, Status::Missing, asked, came.as_ref(), Some(next));
    }

    pub(super) fn note(&mut self, id: &str, asked: &str, came: impl AsRef<str>, next: &str) {
        self.add(id, Status::Note, asked, came.as_ref(), Some(next));
    }

    pub(super) fn skipped(&mut self, id: &str, asked: &str, why: impl AsRef<str>) {
        self.add(id, Status::Skipped, asked, why.as_ref(), None);
    }

    pub(super) fn has_passed(&self, id: &str) -> bool {
        self.checks.iter().any(|check| check.id == id && check.status == Status::Passed)
    }

    fn add(&mut self, id: &str, status: Status, asked: &str, came: &str, next: Option<&str>) {
        let came = printable(came, LONGEST_ANSWER);
        self.checks.push(Check {
            id: id.to_owned(),
            status,
            asked: asked.to_owned(),
            came,
            next: next.map(str::to_owned),
        });
    }

    pub(super) fn close(self, candidate: &Prepared, hello: Option<Hello>) -> Verification {
        Verification { asked_for: candidate.name.clone(), hello, checks: self.checks, last_words: self.last_words }
    }
}
