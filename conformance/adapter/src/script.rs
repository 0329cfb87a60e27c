//! Runs one script against one candidate: the only place that maps steps to trait calls.

use serde_json::Value;

use crate::candidate::{Answer, Candidate, Failure, Reader};
use crate::observe::U64;
use crate::protocol::{Step, StepResult};
use crate::source::Source;

/// Runs every step over the source and gives one result per step. `source` is called once per `open` or `validate`.
///
/// A step that is not understood, or not offered, is `unsupported`; a step on a file that is not open is `refused`.
pub fn run_script(
    candidate: &mut dyn Candidate,
    mut source: impl FnMut() -> Source,
    steps: &[Value],
) -> Vec<StepResult> {
    let mut reader: Option<Box<dyn Reader>> = None;
    let mut results = Vec::with_capacity(steps.len());
    for step in steps {
        let answer = match serde_json::from_value::<Step>(step.clone()) {
            Err(_) => Err(Failure::Unsupported),
            Ok(step) => run_step(candidate, &mut source, &mut reader, &step),
        };
        results.push(answer.map_or_else(StepResult::from, StepResult::Ok));
    }
    results
}

fn run_step(
    candidate: &mut dyn Candidate,
    source: &mut impl FnMut() -> Source,
    reader: &mut Option<Box<dyn Reader>>,
    step: &Step,
) -> Answer {
    match step {
        Step::Open(_) => {
            *reader = None;
            let (observed, opened) = candidate.open(source())?;
            *reader = Some(opened);
            Ok(observed)
        }
        Step::Validate(_) => candidate.validate(source()),
        on_open_file => {
            let reader = reader.as_mut().ok_or_else(|| Failure::Refused("no file is open".to_owned()))?;
            match on_open_file {
                Step::List(_) => reader.list(),
                Step::Kv(_) => reader.kv(),
                Step::Describe(tensor) => reader.describe(&tensor.name.0),
                Step::Read(tensor) => reader.read(&tensor.name.0),
                Step::Composite(tensor) => reader.composite(&tensor.name.0),
                Step::Locate(element) => reader.locate(&element.name.0, &numbers(&element.index)),
                Step::Decode(element) => reader.decode(&element.name.0, &numbers(&element.index)),
                Step::All(_) => reader.all(),
                Step::Open(_) | Step::Validate(_) => Err(Failure::Unsupported),
            }
        }
    }
}

fn numbers(index: &[U64]) -> Vec<u64> {
    index.iter().map(|number| number.0).collect()
}
