//! Files that go by once: the profile `sequential`. Whatever pieces a stream comes in, the same is seen of it; a stream that
//! fails is told as such. Owns the schedules that are tried.

use hurray_adapter::{Hello, Step, StepResult};

use crate::fault::FaultySource;
use crate::judge::{Fault, Injected, Verdict, actual_text, judge_reader, reader_script};
use crate::transport::{Job, Transport};
use hurray_corpus::schedule::Schedule;
use hurray_corpus::{Expect, Vector};

/// Bytes of a file that is handed over one by one: each of them is a conversation with the worker.
const LONGEST_BY_BYTE: usize = 10_000;
/// Pieces of other sizes, and interruptions in which nothing has failed.
const BENIGN: [&str; 4] =
    ["limit 4095", "random seed=7 max=300", "interrupt every 2", "interrupt 2 before each; limit 1000"];
/// A stream that breaks at once, and one that breaks later.
const FAILING: [&str; 2] = ["fail 1 sticky", "fail 2 sticky"];

/// Reads a vector's file without seeking, and a good one in all pieces, too.
pub(super) fn judge(transport: &mut dyn Transport, vector: &Vector, hello: &Hello) -> Verdict {
    let steps = reader_script(vector, hello);
    let whole = judge_under(transport, vector, hello, &steps, &Schedule::default());
    if whole.fault.is_some() || vector.expect != Expect::Accept {
        return whole;
    }
    let schedules = |texts: &[&str]| texts.iter().filter_map(|text| text.parse().ok()).collect::<Vec<Schedule>>();
    let by_byte: &[&str] = if vector.bytes.len() <= LONGEST_BY_BYTE { &["limit 1"] } else { &["limit 31"] };
    for schedule in schedules(&[by_byte, &BENIGN].concat()) {
        let verdict = judge_under(transport, vector, hello, &steps, &schedule);
        if verdict.fault.is_some() {
            return injected(verdict, &schedule, vector);
        }
    }
    for schedule in schedules(&FAILING) {
        if let Some(verdict) = judge_failing(transport, vector, &steps, &schedule) {
            return injected(verdict, &schedule, vector);
        }
    }
    whole
}

fn injected(verdict: Verdict, schedule: &Schedule, vector: &Vector) -> Verdict {
    let injected = Injected { schedule: schedule.to_string(), over: vector.id.clone(), operation: None };
    Verdict { injected: Some(Box::new(injected)), ..verdict }
}

fn job<'a>(vector: &Vector, steps: &'a [Step], schedule: &Schedule) -> Job<'a> {
    Job { source: FaultySource::new(&vector.bytes, schedule).into_stream(), steps: steps.into() }
}

fn judge_under(
    transport: &mut dyn Transport,
    vector: &Vector,
    hello: &Hello,
    steps: &[Step],
    schedule: &Schedule,
) -> Verdict {
    match transport.run(&job(vector, steps, schedule)).end {
        Err(death) => Verdict::died(&death.cause, "an answer"),
        Ok(results) => judge_reader(vector, hello, steps, &results),
    }
}

/// What is wrong with the answer to a stream that breaks.
fn judge_failing(
    transport: &mut dyn Transport,
    vector: &Vector,
    steps: &[Step],
    schedule: &Schedule,
) -> Option<Verdict> {
    match transport.run(&job(vector, steps, schedule)).end {
        Err(death) => Some(Verdict::died(&death.cause, "io")),
        Ok(results) => match results.first() {
            None | Some(StepResult::Io { .. }) => None,
            Some(other) => {
                let fault = match other {
                    StepResult::Ok(_) => Fault::Accepted,
                    StepResult::Reject { .. } => Fault::Rejected,
                    _ => Fault::Wrong,
                };
                Some(Verdict::bad(fault, Some("scan".to_owned()), "io", actual_text(other)))
            }
        },
    }
}

#[cfg(test)]
mod tests;
