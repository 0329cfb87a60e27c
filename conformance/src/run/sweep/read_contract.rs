//! What the I/O contract asks of a reader without any fault: which ranges each step asks for, and that no step depends on
//! the steps before it.
//!
//! Owns the runs of single steps. What a range means is decided in `judge::io::ranges`.

use hurray_adapter::{Opening, Step, StepResult};

use super::execution::Faults;
use super::payload::payloads;
use crate::judge::Verdict;
use crate::judge::io::comparable;
use crate::judge::io::ranges::{self, Asked};
use crate::judge::io::read::Trial;
use hurray_corpus::Vector;
use hurray_corpus::schedule::Schedule;

/// Runs each step alone, on a file just opened.
///
/// # Errors
/// The first step that asks for a range it must not ask for.
pub(super) fn read_sets(
    faults: &mut Faults<'_>,
    vector: &Vector,
    steps: &[Step],
    results: &[StepResult],
) -> Result<(), Box<Verdict>> {
    let (schedule, payloads) = (Schedule::default(), payloads(vector));
    let open = steps.first().cloned().unwrap_or(Step::Open(Opening::default()));
    let opening = faults.read(&vector.bytes, std::slice::from_ref(&open), &schedule)?.log.operations.len();
    for (step, result) in steps.iter().zip(results) {
        let (steps, first) = match step {
            Step::Open(_) => (vec![open.clone()], 0),
            _ => (vec![open.clone(), step.clone()], opening),
        };
        let ran = faults.read(&vector.bytes, &steps, &schedule)?;
        ran.answers(&schedule, &vector.id)?;
        let operations = ran.log.operations.get(first..).unwrap_or(&[]);
        ranges::judge(&Asked { step, result, operations, first }, &payloads).map_err(|mut breach| {
            let (calls, asked_len) = ranges::cost(&ran.log);
            let cost = ranges::cost_text(calls, asked_len, ran.peak_memory_len);
            breach.actual = format!("{} ({cost})", breach.actual);
            Box::new(breach.verdict(&schedule, &vector.id, &ran.log))
        })?;
    }
    Ok(())
}

/// Runs the steps in reverse order, behind the opening.
///
/// # Errors
/// The first step with another result.
pub(super) fn backwards(
    faults: &mut Faults<'_>,
    vector: &Vector,
    steps: &[Step],
    results: &[StepResult],
) -> Result<(), Box<Verdict>> {
    let schedule = Schedule::default();
    let (mut steps, mut without) = (steps.to_vec(), comparable(results.to_vec()));
    steps[1..].reverse();
    without[1..].reverse();
    let ran = faults.read(&vector.bytes, &steps, &schedule)?;
    let with = comparable(ran.answers(&schedule, &vector.id)?.to_vec());
    let trial = Trial { schedule: &schedule, steps: &steps, without: &without, with: &with, log: &ran.log };
    trial.judge().map_err(|breach| Box::new(breach.verdict(&schedule, &vector.id, &ran.log)))
}
