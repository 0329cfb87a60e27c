//! Steps and results in words, for people; they decide nothing.

use hurray_adapter::{Step, StepResult, Text};

use crate::support::text::printable;

/// Longest message of a candidate that is shown, in characters.
const LONGEST_MESSAGE: usize = 200;

/// A step as people write it: `describe a`.
pub(crate) fn step_text(step: &Step) -> String {
    let operation = step.operation();
    match (step, name_of(step)) {
        (Step::Locate(element) | Step::Decode(element), _) => {
            let index: Vec<u64> = element.index.iter().map(|at| at.0).collect();
            format!("{operation} {}{index:?}", printable(&element.name.to_string(), 60))
        }
        (_, Some(name)) => format!("{operation} {}", printable(&name.to_string(), 60)),
        (_, None) => operation.to_string(),
    }
}

/// A result as people read it; the message decides nothing.
pub(crate) fn actual_text(result: &StepResult) -> String {
    let message = match result {
        StepResult::Reject { message, .. }
        | StepResult::Refused { message, .. }
        | StepResult::Limit { message, .. }
        | StepResult::Error { message, .. } => message,
        StepResult::Io { kind, .. } => kind,
        StepResult::Ok(_) | StepResult::NotFound {} | StepResult::Unsupported {} => "",
    };
    match message {
        "" => result.kind().to_owned(),
        message => format!("{}: {}", result.kind(), printable(message, LONGEST_MESSAGE)),
    }
}

pub(super) fn name_of(step: &Step) -> Option<&Text> {
    match step {
        Step::Describe(named) | Step::Read(named) | Step::Composite(named) => Some(&named.name),
        Step::Locate(element) | Step::Decode(element) => Some(&element.name),
        _ => None,
    }
}
