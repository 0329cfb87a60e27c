//! One conversation with an adapter that speaks the protocol: asks, and notes what becomes of it.
//!
//! Owns when to give up: after a few deaths, and at once after a silence, which costs its whole time limit.

use std::sync::Arc;

use hurray_adapter::{Hello, Op, SourceKind, StepResult};

use super::advice;
use super::sheet::Sheet;
use crate::judge::actual_text;
use crate::run::Files;
use crate::transport::{Cause, Job, JobSource, Script, Trace, Transport};
use hurray_corpus::VectorSet;

/// Deaths after which nothing more is asked.
const MOST_DEATHS: u32 = 3;

/// What is known of an adapter while it is asked.
pub(super) struct Interview<'a> {
    pub(super) set: &'a VectorSet,
    pub(super) files: &'a Files,
    pub(super) hello: Hello,
    pub(super) sheet: Sheet,
    transport: Box<dyn Transport>,
    deaths: u32,
    /// Why nothing more is asked.
    given_up: Option<&'static str>,
}

/// A step: its name and what is asked.
#[derive(Clone, Copy)]
pub(super) struct Ask<'a> {
    pub(super) id: &'a str,
    pub(super) asked: &'a str,
}

impl<'a> Interview<'a> {
    pub(super) fn new(
        set: &'a VectorSet,
        files: &'a Files,
        transport: Box<dyn Transport>,
        hello: Hello,
        sheet: Sheet,
    ) -> Interview<'a> {
        Interview { set, files, hello, sheet, transport, deaths: 0, given_up: None }
    }

    pub(super) fn into_sheet(self) -> Sheet {
        self.sheet
    }

    pub(super) fn offers(&self, operation: Op) -> bool {
        self.hello.offers(operation)
    }

    pub(super) fn takes(&self, way: SourceKind) -> bool {
        self.hello.reads_from(way)
    }

    /// Asks over a file of these bytes, handed over as most people do: by path, if it takes one.
    pub(super) fn ask(&mut self, ask: Ask<'_>, bytes: &Arc<[u8]>, steps: Script<'_>) -> Option<Vec<StepResult>> {
        if !self.takes(SourceKind::Path) {
            return self.ask_over(ask, JobSource::Served(bytes), steps).map(|(results, _)| results);
        }
        match self.files.write(bytes) {
            Ok(path) => {
                let source = JobSource::Path(&path, bytes.len() as u64);
                self.ask_over(ask, source, steps).map(|(results, _)| results)
            }
            Err(error) => {
                self.sheet.skipped(ask.id, ask.asked, format!("its file cannot be written: {error}"));
                None
            }
        }
    }

    /// Asks over a source or sink. A death is noted, and is no answer.
    pub(super) fn ask_over(
        &mut self,
        ask: Ask<'_>,
        source: JobSource<'_>,
        steps: Script<'_>,
    ) -> Option<(Vec<StepResult>, Trace)> {
        if let Some(why) = self.given_up {
            self.sheet.skipped(ask.id, ask.asked, why);
            return None;
        }
        let ran = self.transport.run(&Job { source, steps });
        match ran.end {
            Ok(results) => Some((results, ran.trace)),
            Err(death) => {
                self.deaths += 1;
                if matches!(death.cause, Cause::TimedOut(_)) {
                    self.given_up = Some("not asked: it did not answer before");
                } else if self.deaths >= MOST_DEATHS || matches!(death.cause, Cause::NotRun(_)) {
                    self.given_up = Some("not asked: it ended too often before");
                }
                let next = advice::after_death(&death.cause);
                self.sheet.missing(ask.id, ask.asked, death.cause.to_string(), next);
                self.sheet.last_words = death.stderr;
                None
            }
        }
    }

    /// Notes whether the last of `results` is as wanted.
    pub(super) fn note_last(
        &mut self,
        ask: Ask<'_>,
        results: &[StepResult],
        is_right: impl Fn(&StepResult) -> bool,
        next: &str,
    ) {
        match results.last() {
            Some(last) if is_right(last) => self.sheet.passed(ask.id, ask.asked, actual_text(last)),
            Some(last) => self.sheet.missing(ask.id, ask.asked, actual_text(last), next),
            None => self.sheet.missing(ask.id, ask.asked, "no result", advice::ANSWER_COUNT),
        }
    }
}
