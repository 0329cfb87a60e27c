//! One verdict on one file: the reference opens it, reads everything, then validates it; what comes from a pipe is read once
//! and in order. Owns what the verdict is and how it is shown; knows no vector. The reference is asked through the same trait as any candidate.

mod annotate;
mod command;
mod peek;
mod render;
mod source;
mod stream;

use hurray_adapter::{Answer, Candidate, Failure, Finding, Op, Reader, Source, StepResult, Text};
use hurray_spec::{Level, Rule};
use serde::Serialize;

pub use annotate::{Field, fields_in};
pub use command::{CheckArgs, run};
pub use render::{hex_line, render};
pub use source::FileAt;

/// What is said of a file as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FileVerdict {
    /// Every step succeeded and `validate` found no broken MUST.
    Accept,
    /// A step rejected the file, or `validate` found a broken MUST.
    Reject,
    /// No fault was found, but a part could not be judged: a feature that is not supported, a limit, a failing disk.
    Undecided,
}

/// The verdict on one file, and what led to it.
#[derive(Clone, Debug, Serialize)]
pub struct FileReport {
    /// The file, as it was named.
    pub file: String,
    /// The verdict.
    pub verdict: FileVerdict,
    /// The step that settled it, such as `open`, `read` or `validate`; none for an accepted file.
    pub by: Option<&'static str>,
    /// The broken rule.
    pub rule: Option<String>,
    /// Absolute offset of the fault, in bytes.
    pub offset: Option<u64>,
    /// Every step, in order.
    pub steps: Vec<StepReport>,
    /// All that `validate` found, advice included.
    pub validate: Vec<Finding>,
}

/// How one step went.
#[derive(Clone, Debug, Serialize)]
pub struct StepReport {
    /// The operation.
    pub step: &'static str,
    /// The tensor, for `describe` and `read`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<Text>,
    /// `ok`, `reject`, `unsupported`, …, as in the worker protocol.
    pub result: &'static str,
    /// The broken rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// Absolute offset of the fault, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<u64>,
    /// For people.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub message: String,
}

impl StepReport {
    fn new(step: Op, name: Option<Text>, answer: &Answer) -> Self {
        let result = match answer {
            Ok(_) => StepResult::Ok(hurray_adapter::Observed::default()),
            Err(failure) => StepResult::from(failure.clone()),
        };
        let (rule, offset, message) = match answer {
            Ok(_) | Err(Failure::NotFound | Failure::Unsupported) => (None, None, String::new()),
            Err(Failure::Reject { rule, offset, message }) => (rule.clone(), *offset, message.clone()),
            Err(Failure::Refused(text) | Failure::Limit(text) | Failure::Io(text) | Failure::Error(text)) => {
                (None, None, text.clone())
            }
        };
        StepReport { step: step.name(), name, result: result.kind(), rule, offset, message }
    }
}

/// Judges one file. `source` is called once to open it and once to validate it.
pub fn judge(file: &str, candidate: &mut dyn Candidate, mut source: impl FnMut() -> Source) -> FileReport {
    let mut steps = Vec::new();
    match candidate.open(source()) {
        Err(failure) => steps.push(StepReport::new(Op::Open, None, &Err(failure))),
        Ok((observed, mut reader)) => {
            steps.push(StepReport::new(Op::Open, None, &Ok(observed)));
            read_everything(reader.as_mut(), &mut steps);
        }
    }
    let validated = candidate.validate(source());
    let is_at_fault = steps.iter().any(|step| step.result != "ok");
    if validated.is_ok() || !is_at_fault {
        steps.push(StepReport::new(Op::Validate, None, &validated));
    }
    let findings = validated.ok().and_then(|observed| observed.findings).unwrap_or_default();
    settle(file, steps, findings)
}

fn read_everything(reader: &mut dyn Reader, steps: &mut Vec<StepReport>) {
    let listed = reader.list();
    steps.push(StepReport::new(Op::List, None, &listed));
    steps.push(StepReport::new(Op::Kv, None, &reader.kv()));
    for name in listed.ok().and_then(|observed| observed.names).unwrap_or_default() {
        let described = reader.describe(&name.0);
        let is_described = described.is_ok();
        steps.push(StepReport::new(Op::Describe, Some(name.clone()), &described));
        if is_described {
            steps.push(StepReport::new(Op::Read, Some(name.clone()), &reader.read(&name.0)));
        }
    }
}

fn settle(file: &str, steps: Vec<StepReport>, validate: Vec<Finding>) -> FileReport {
    let broken = validate.iter().find(|finding| is_must(finding));
    let (verdict, by, rule, offset) = if let Some(step) = steps.iter().find(|step| step.result == "reject") {
        (FileVerdict::Reject, Some(step.step), step.rule.clone(), step.offset)
    } else if let Some(finding) = broken {
        let offset = finding.offset.map(|offset| offset.0);
        (FileVerdict::Reject, Some(Op::Validate.name()), finding.rule.clone(), offset)
    } else if let Some(step) = steps.iter().find(|step| step.result != "ok") {
        (FileVerdict::Undecided, Some(step.step), None, None)
    } else {
        (FileVerdict::Accept, None, None, None)
    };
    FileReport { file: file.to_owned(), verdict, by, rule, offset, steps, validate }
}

/// Whether a finding breaks a MUST; one without a known rule is taken to.
pub(super) fn is_must(finding: &Finding) -> bool {
    let rule = finding.rule.as_deref().and_then(Rule::from_id);
    rule.is_none_or(|rule| rule.info().level == Level::Must)
}

#[cfg(test)]
mod tests;
