//! How what a candidate did over a faulty transport compares with what it did without the fault.
//!
//! Owns which clause of the I/O contract is broken by what. Compares a candidate with itself alone, so a fault of the format
//! is not counted again here. Moves no bytes and runs nothing.

pub mod baseline;
pub mod ranges;
pub mod read;
pub mod write;

use hurray_adapter::{Observed, Step, StepResult};
use hurray_spec::Rule;

use super::reader::{actual_text, step_text};
use super::{Fault, Injected, Verdict};
use crate::fault::{Log, Moved, Operation};
use hurray_corpus::schedule::{Clause, Lasting, Nature, Schedule};

/// A clause of the contract that was broken.
#[derive(Clone, Debug, PartialEq)]
pub struct Breach {
    /// The clause.
    pub rule: Rule,
    /// How.
    pub fault: Fault,
    /// The step in which it was seen.
    pub step: Option<String>,
    /// What was demanded.
    pub expected: String,
    /// What was done.
    pub actual: String,
    /// The operation that counts, by its number from 1.
    pub operation: Option<usize>,
}

/// Whether the contract was kept.
pub type Kept = Result<(), Box<Breach>>;

/// Whether it was kept, and what was shown where both is allowed.
pub type Judged = Result<Option<Choice>, Box<Breach>>;

/// What a candidate shows where more than one behaviour is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Whether it is what the rulings prefer.
    pub is_preferred: bool,
    /// The behaviour, in a few words.
    pub shown: &'static str,
}

impl Choice {
    /// What is preferred.
    pub const fn preferred(shown: &'static str) -> Choice {
        Choice { is_preferred: true, shown }
    }

    /// What is allowed beside it.
    pub const fn other(shown: &'static str) -> Choice {
        Choice { is_preferred: false, shown }
    }
}

impl Breach {
    /// A breach that shows in the result of a step.
    pub fn of_step(rule: Rule, step: &Step, result: &StepResult, expected: impl Into<String>) -> Box<Breach> {
        let (step, actual) = (Some(step_text(step)), actual_text(result));
        Box::new(Breach { rule, fault: fault_of(result), step, expected: expected.into(), actual, operation: None })
    }

    /// A breach that shows in the operations.
    pub fn of_range(rule: Rule, operation: Option<usize>, expected: impl Into<String>, actual: String) -> Box<Breach> {
        Box::new(Breach { rule, fault: Fault::Range, step: None, expected: expected.into(), actual, operation })
    }

    /// The judgement, with what the transport did.
    pub fn verdict(self, schedule: &Schedule, over: &str, log: &Log) -> Verdict {
        let number = self.operation.or_else(|| log.first_changed().map(|(number, _)| number));
        let operation = number.and_then(|number| {
            let operation = log.operations.get(number.checked_sub(1)?)?;
            Some((number, operation.offset, operation.len))
        });
        let injected = Injected { schedule: schedule.to_string(), over: over.to_owned(), operation };
        Verdict {
            breaks: vec![self.rule],
            injected: Some(Box::new(injected)),
            ..Verdict::bad(self.fault, self.step, self.expected, self.actual)
        }
    }
}

/// The word for a result that should have been another one.
fn fault_of(result: &StepResult) -> Fault {
    match result {
        StepResult::Ok(_) => Fault::Wrong,
        StepResult::Reject { .. } => Fault::Rejected,
        StepResult::NotFound {} => Fault::NotFound,
        StepResult::Refused { .. } => Fault::Refused,
        StepResult::Limit { .. } => Fault::Limit,
        StepResult::Io { .. } => Fault::Io,
        StepResult::Unsupported {} => Fault::Unsupported,
        StepResult::Error { .. } => Fault::Error,
    }
}

/// Results without what may differ from run to run: how well memory happened to be aligned, and the words for people.
pub fn comparable(mut results: Vec<StepResult>) -> Vec<StepResult> {
    for result in &mut results {
        match result {
            StepResult::Ok(Observed { buffers: Some(buffers), .. }) => {
                buffers.iter_mut().for_each(|buffer| buffer.memory_alignment = None);
            }
            StepResult::Reject { message, .. }
            | StepResult::Refused { message, .. }
            | StepResult::Limit { message, .. }
            | StepResult::Error { message, .. } => message.clear(),
            _ => {}
        }
    }
    results
}

/// The clause that a candidate breaks which comes to another result under this one.
pub fn rule_of(clause: Clause) -> Rule {
    match clause {
        Clause::Limit(1) => Rule::IoReadOneByteReads,
        Clause::Limit(_) | Clause::Short(_) | Clause::Split(_) | Clause::Random { .. } => Rule::IoReadShortReadResumes,
        Clause::InterruptEvery(_) | Clause::InterruptBeforeEach(_) => Rule::IoReadTransportErrorRetryable,
        Clause::Fail { .. } | Clause::FailByte { .. } => Rule::IoReadTransportErrorRetryable,
        Clause::Lose(_) => Rule::IoReadRefillIdempotent,
        Clause::Eof(_) | Clause::ChangeSize { .. } | Clause::Zero(_) | Clause::Closed(_) => Rule::IoReadZeroTruncated,
        Clause::Cut(_) => Rule::IoWriteNotAFileBeforeFinish,
        Clause::More { .. } => Rule::IoReadOverfill,
        Clause::ChangeBytes(_) => Rule::ContainerFlagsCrcMismatchReject,
    }
}

/// The clause that a writer breaks which comes to another file under this one.
pub fn rule_of_writer(clause: Clause) -> Rule {
    match clause {
        Clause::InterruptEvery(_) | Clause::InterruptBeforeEach(_) => Rule::IoWriteScheduleIdentical,
        Clause::Zero(_) | Clause::Closed(_) => Rule::IoWriteZeroWriteClosed,
        _ if clause.nature() == Nature::Benign => Rule::IoWriteShortWriteResumes,
        Clause::More { .. } => Rule::IoWriteShortWriteResumes,
        _ => Rule::IoWriteFailAfterFirstByteTerminal,
    }
}

/// What may be demanded of a reader under a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Demand {
    /// The same as without it.
    Same,
    /// One step fails as the transport did, and all others are the same; a repeat is.
    OneFailure,
    /// One step fails, whatever it says, and all others are the same.
    OneError,
    /// From some step on all fail that need the transport.
    Failures,
    /// What lies beyond the end fails, what lies before it is the same.
    Truncated,
    /// The file cannot be opened.
    NotOpened,
    /// An error, or what was there.
    NoLie,
}

impl Demand {
    /// What this schedule demands. Of several harms at a time no more can be said than that nothing false may come out.
    pub fn of(schedule: &Schedule) -> Demand {
        let mut harms = schedule.harms();
        match (harms.next(), harms.next()) {
            (None, _) => Demand::Same,
            (Some(Clause::Cut(_)), None) => Demand::NotOpened,
            (Some(Clause::Eof(_)), None) => Demand::Truncated,
            (Some(Clause::More { .. }), None) => Demand::OneError,
            (Some(Clause::Fail { lasting, .. } | Clause::FailByte { lasting, .. }), None) => match lasting {
                Lasting::Once => Demand::OneFailure,
                Lasting::Sticky => Demand::Failures,
            },
            (Some(Clause::Lose(_)), None) => Demand::OneFailure,
            _ => Demand::NoLie,
        }
    }

    /// Whether each step is to be repeated.
    pub fn repeats(self) -> bool {
        matches!(self, Demand::OneFailure | Demand::OneError)
    }
}

/// Whether it says that nothing was moved.
fn has_moved_nothing(operation: &Operation) -> bool {
    matches!(operation.moved, Moved::Failed(_) | Moved::Lost | Moved::Nothing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_harm_at_a_time_can_be_judged_closely() {
        for (text, demand) in [
            ("limit 1; interrupt every 2", Demand::Same),
            ("limit 1; fail 3 once", Demand::OneFailure),
            ("fail byte 3 sticky", Demand::Failures),
            ("more 3 at 1", Demand::OneError),
            ("fail 3 once; fail 4 once", Demand::NoLie),
            ("change bytes after 2", Demand::NoLie),
        ] {
            assert_eq!(Demand::of(&text.parse().expect(text)), demand, "{text}");
        }
    }

    #[test]
    fn a_breach_tells_the_operation_and_how_to_see_it_again() {
        let schedule: Schedule = "limit 1".parse().expect("a schedule");
        let operation = Operation { offset: 64, len: 40, moved: Moved::Bytes(1) };
        let log = Log { operations: vec![operation], count: 1, changed: Some(0) };
        let breach = Breach::of_range(Rule::IoReadShortReadResumes, None, "a", "b".to_owned());
        let injected = breach.verdict(&schedule, "bases/x", &log).injected.expect("what was injected");
        assert_eq!((injected.schedule.as_str(), injected.operation), ("limit 1", Some((1, 64, 40))));
    }
}
