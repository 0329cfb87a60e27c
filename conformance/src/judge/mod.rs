//! How what a candidate did compares with what a vector demands.
//!
//! Owns the words of a verdict. Decides by data alone: no exit code, message or line of standard error matters. Knows
//! nothing of processes or of any implementation; only `writer` looks at the bytes of a file.

use hurray_spec::Rule;
use strum::{Display, IntoStaticStr, VariantArray};

use crate::transport::Cause;

mod compare;
pub mod io;
pub mod known;
pub mod profile;
mod reader;
mod script;
mod validate;
pub mod writer;

pub use compare::{Compared, Comparison, Difference};
pub(crate) use reader::actual_text;
pub use reader::judge_reader;
pub use script::{opening, reader_script, validate_script};
pub use validate::judge_validate;

/// How one vector ended for one candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Outcome {
    /// As demanded.
    Passed,
    /// Otherwise.
    Failed,
    /// Contested, and within what is allowed.
    Contested,
    /// It uses what the candidate does not declare, and was not misread.
    Unsupported,
    /// The candidate crashed, hung, took too much memory or spoke junk.
    Died,
    /// Failed or died as listed among the known failures.
    Known,
    /// The suite could not run it; nothing is said of the candidate.
    NotRun,
}

impl Outcome {
    /// The word of the JSON report.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// What was wrong. The words are those of the known failures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Display, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum Fault {
    /// A broken file was accepted.
    Accepted,
    /// A broken file was rejected, but later than due.
    Late,
    /// A good file, or a good part of one, was rejected.
    Rejected,
    /// Something else was observed than is there.
    Wrong,
    /// It was rejected for a reason that is not its fault.
    WrongRule,
    /// A name that is there was not found.
    NotFound,
    /// A step was refused.
    Refused,
    /// A limit of the implementation was met where none is allowed.
    Limit,
    /// A transport failure was reported where none was.
    Io,
    /// A declared operation or feature was answered `unsupported`.
    Unsupported,
    /// The adapter failed on its own account.
    Error,
    /// The process ended.
    Crashed,
    /// Memory beyond the cap.
    OutOfMemory,
    /// No answer in time.
    TimedOut,
    /// What was answered is not of the protocol.
    Junk,
    /// It was not asked any more, since it does not live.
    NotRun,
    /// A mandatory part is not declared.
    Undeclared,
    /// A served source was asked for a range it must not be asked for.
    Range,
    /// A file was written that breaks a rule.
    Invalid,
}

impl Fault {
    /// Its word.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Whether a word of a list of known failures means this fault. `died` stands for a crash and for too much memory,
    /// which an abort cannot tell apart.
    pub fn is_called(self, word: &str) -> bool {
        self.name() == word || (word == "died" && matches!(self, Fault::Crashed | Fault::OutOfMemory))
    }

    /// Every word a known failure may use.
    pub fn words() -> impl Iterator<Item = &'static str> {
        Fault::VARIANTS.iter().map(|fault| fault.name()).chain(["died"])
    }

    /// The word written for a new known failure.
    pub fn known_word(self) -> &'static str {
        if self.is_called("died") { "died" } else { self.name() }
    }

    /// How a result with this fault ended, known or not.
    pub fn outcome(self) -> Outcome {
        match self {
            Fault::Crashed | Fault::OutOfMemory | Fault::TimedOut | Fault::Junk => Outcome::Died,
            _ => Outcome::Failed,
        }
    }
}

impl From<&Cause> for Fault {
    fn from(cause: &Cause) -> Self {
        match cause {
            Cause::Signal(_) | Cause::Exit(_) | Cause::Panicked(_) => Fault::Crashed,
            Cause::TimedOut(_) => Fault::TimedOut,
            Cause::OutOfMemory(_) => Fault::OutOfMemory,
            Cause::Junk(_) => Fault::Junk,
            Cause::NotRun(_) | Cause::Suite(_) => Fault::NotRun,
        }
    }
}

/// What a transport did when a candidate failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Injected {
    /// The schedule, in its text form.
    pub schedule: String,
    /// What it was tried on: the id of a vector, or of a file to be written.
    pub over: String,
    /// The operation that counts, if one does: its number from 1, its absolute offset and its length in bytes.
    pub operation: Option<(usize, u64, u64)>,
}

/// One judgement.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// How it ended.
    pub outcome: Outcome,
    /// What was wrong, if anything was.
    pub fault: Option<Fault>,
    /// The step that decided, such as `describe a`.
    pub step: Option<String>,
    /// What was demanded.
    pub expected: String,
    /// What was answered.
    pub actual: String,
    /// Rule id the candidate gave.
    pub rule: Option<String>,
    /// Absolute file offset the candidate gave.
    pub offset: Option<u64>,
    /// The rules that are broken, where the judgement knows better than by the rules of its vector: of a writer its duties
    /// first, under an I/O schedule the one clause.
    pub breaks: Vec<Rule>,
    /// What the transport did, for a judgement under an I/O schedule.
    pub injected: Option<Box<Injected>>,
    /// For contested vectors: whether the preferred behaviour was shown.
    pub strict: Option<bool>,
    /// Values that were compared.
    pub compared_count: u32,
    /// Expected values that the candidate does not observe.
    pub unobserved_count: u32,
    /// Recommendations that a written file does not follow.
    pub advice: Vec<Rule>,
}

impl Verdict {
    /// A verdict without fault.
    pub fn good(outcome: Outcome, expected: impl Into<String>, actual: impl Into<String>) -> Self {
        Verdict {
            outcome,
            fault: None,
            step: None,
            expected: expected.into(),
            actual: actual.into(),
            rule: None,
            offset: None,
            breaks: Vec::new(),
            injected: None,
            strict: None,
            compared_count: 0,
            unobserved_count: 0,
            advice: Vec::new(),
        }
    }

    /// A verdict with one.
    pub fn bad(fault: Fault, step: Option<String>, expected: impl Into<String>, actual: impl Into<String>) -> Self {
        Verdict { fault: Some(fault), step, ..Verdict::good(fault.outcome(), expected, actual) }
    }

    /// The candidate's end in place of an answer; nothing is said of it where the suite failed.
    pub fn died(cause: &Cause, expected: impl Into<String>) -> Self {
        match cause {
            Cause::Suite(why) => Verdict::not_run(why),
            cause => Verdict::bad(Fault::from(cause), None, expected, cause.to_string()),
        }
    }

    /// What the suite could not run, and why.
    pub fn not_run(why: impl Into<String>) -> Self {
        Verdict::good(Outcome::NotRun, "", why)
    }
}

/// What was wrong, in one line: the step, what was demanded, what was answered.
pub fn step_and_answer(verdict: &Verdict) -> String {
    let step = verdict.step.as_deref().map(|step| format!("{step}: ")).unwrap_or_default();
    match verdict.expected.as_str() {
        "" => format!("{step}{}", verdict.actual),
        expected => format!("{step}{}, expected {expected}", verdict.actual),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_unique_and_died_stands_for_two() {
        let words: Vec<_> = Fault::words().collect();
        let mut unique = words.clone();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!(unique.len(), words.len());
        // Lists of known failures spell them so.
        for word in ["wrong-rule", "not-found", "out-of-memory", "timed-out", "not-run"] {
            assert!(words.contains(&word), "{word}");
        }
        let dead: Vec<_> = Fault::VARIANTS.iter().filter(|fault| fault.is_called("died")).collect();
        assert_eq!(dead.len(), 2);
    }

    #[test]
    fn who_does_not_live_any_more_fails_and_what_the_suite_cannot_run_says_nothing() {
        let verdict = Verdict::died(&Cause::NotRun(String::new()), "");
        assert_eq!((verdict.outcome, verdict.fault), (Outcome::Failed, Some(Fault::NotRun)));
        let verdict = Verdict::died(&Cause::Suite("no room".to_owned()), "an answer");
        assert_eq!((verdict.outcome, verdict.fault, verdict.actual.as_str()), (Outcome::NotRun, None, "no room"));
    }
}
