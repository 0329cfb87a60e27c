//! One file, written to its path under one schedule after the other.

use hurray_adapter::{Entries, Hello, NewFile, Operation as Nothing, Step, StepResult};
use hurray_spec::Rule;

use super::common::{log_of, unharmed, unsupported};
use crate::fault::preload::{Calls, Plan, Session};
use crate::judge::io::baseline::PlainTrial;
use crate::judge::{Fault, Injected, Outcome, Verdict};
use crate::run::sweep::{Tried, UnderSchedules, Way};
use crate::transport::{Cause, Death, Job, JobSource, Transport};
use hurray_corpus::schedule::{Schedule, Side};

/// What the calls are.
const WRITE: &str = "write";

/// A program that writes one file, and how it does so without fault.
pub(super) struct PathWriting<'a> {
    session: &'a mut Session,
    transport: &'a mut dyn Transport,
    name: &'a str,
    way: Way,
    steps: Vec<Step>,
    /// The file, and the calls that made it.
    without: Result<(Vec<u8>, Calls), Box<Verdict>>,
}

struct Ran {
    end: Result<Vec<StepResult>, Death>,
    calls: Calls,
    left: Option<Vec<u8>>,
}

impl<'a> PathWriting<'a> {
    /// Writes the file without fault.
    pub(super) fn begin(
        session: &'a mut Session,
        transport: &'a mut dyn Transport,
        hello: &Hello,
        (name, file): (&'a str, &'a NewFile),
    ) -> Self {
        let steps = steps(hello, file);
        let without = Err(Box::new(unharmed()));
        let mut writing = PathWriting { session, transport, name, way: Way::called(), steps, without };
        writing.without = writing.unharmed();
        writing
    }

    fn unharmed(&mut self) -> Result<(Vec<u8>, Calls), Box<Verdict>> {
        let ran = self.run(&Plan::none()).map_err(|why| Box::new(Verdict::died(&Cause::NotRun(why), "")))?;
        let results = ran.end.map_err(|death| Box::new(Verdict::died(&death.cause, "an answer")))?;
        if !results.iter().all(|result| matches!(result, StepResult::Ok(_))) {
            let why = "without fault it is not written either";
            return Err(Box::new(unsupported("a file that is written without fault", why)));
        }
        if let Err(why) = ran.calls.are_caught(WRITE) {
            return Err(Box::new(unsupported("writes that can be caught", &why.to_string())));
        }
        Ok((ran.left.unwrap_or_default(), ran.calls))
    }

    fn run(&mut self, plan: &Plan) -> Result<Ran, String> {
        let prepared = self.session.remove().and_then(|()| self.session.begin(plan));
        prepared.map_err(|error| format!("its folder cannot be written: {error}"))?;
        let path = self.session.target();
        let steps = self.steps.iter().filter_map(|step| serde_json::to_value(step).ok()).collect();
        let end = self.transport.run(&Job { source: JobSource::SinkPath(&path), steps }).end;
        Ok(Ran { end, calls: self.session.calls()?, left: self.session.bytes() })
    }
}

impl UnderSchedules for PathWriting<'_> {
    fn whole(&mut self) -> Verdict {
        self.without.as_ref().map_or_else(|verdict| (**verdict).clone(), |(_, calls)| forward(calls))
    }

    /// The positions that are tried: the beginning of each write and its middle.
    fn positions(&self, _schedule: &Schedule) -> Vec<u64> {
        let Ok((_, calls)) = &self.without else { return vec![1] };
        let places = calls.of(WRITE).filter_map(|call| Some((call.offset?, u64::try_from(call.returned).ok()?)));
        let mut positions: Vec<u64> = places.flat_map(|(start, len)| [start, start + len / 2]).collect();
        positions.dedup();
        positions
    }

    fn tried(&mut self, schedule: &Schedule) -> Result<Tried, Box<Verdict>> {
        let (whole, _) = self.without.clone()?;
        let Some(plan) = Plan::none().with_schedule(schedule, Side::Sink) else {
            return Err(Box::new(unsupported(
                "a schedule that system calls can follow",
                "this one is for served files",
            )));
        };
        let ran = self.run(&plan).map_err(|why| Box::new(Verdict::died(&Cause::NotRun(why), "")))?;
        let log = log_of(&ran.calls, WRITE);
        let is_reached = log.is_reached();
        let over = format!("models/{}", self.name);
        Ok(match ran.end {
            Err(death) => {
                let operation =
                    log.first_changed().map(|(number, operation)| (number, operation.offset, operation.len));
                let injected = Some(Box::new(Injected { schedule: schedule.to_string(), over, operation }));
                let died = Verdict { injected, ..Verdict::died(&death.cause, "an answer") };
                Tried { bad: Some(died), is_reached, choice: None }
            }
            Ok(with) => {
                let trial = PlainTrial { schedule, steps: &self.steps, without: &[], with: &with, log: &log };
                match trial.judge_written(&whole, ran.left.as_deref()) {
                    Ok(choice) => Tried { bad: None, is_reached, choice: choice.filter(|_| is_reached) },
                    Err(breach) => Tried { bad: Some(breach.verdict(schedule, &over, &log)), is_reached, choice: None },
                }
            }
        })
    }

    fn way(&self) -> &Way {
        &self.way
    }
}

/// Requires that no write goes back behind one before it.
fn forward(calls: &Calls) -> Verdict {
    let (mut end, mut count) = (0, 0);
    for call in calls.of(WRITE) {
        let (Some(offset), Ok(len @ 1..)) = (call.offset, u64::try_from(call.returned)) else { continue };
        count += 1;
        if offset < end {
            let expected = format!("write {count} at byte {end} or behind it");
            let verdict = Verdict::bad(Fault::Wrong, None, expected, format!("{len} bytes at byte {offset}"));
            return Verdict { offset: Some(offset), breaks: vec![Rule::ContainerWriterForwardOnly], ..verdict };
        }
        end = offset.saturating_add(len);
    }
    Verdict::good(Outcome::Passed, "bytes in the order of the file", format!("{count} writes, none of them back"))
}

/// The whole file at once, or item by item for who has only that.
fn steps(hello: &Hello, file: &NewFile) -> Vec<Step> {
    let offers = |word: &str| hello.operations.iter().any(|operation| operation == word);
    if offers("write") {
        return vec![Step::Write(file.clone())];
    }
    let mut steps = vec![Step::Create(file.options.clone())];
    if offers("header") {
        steps.push(Step::Header(Nothing {}));
    }
    steps.extend(file.items.iter().cloned().map(Step::Put));
    steps.push(Step::Finish(Entries { kv: file.kv.clone() }));
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_write_behind_another_is_forward_and_one_before_it_is_not() {
        let judged = |log: &str| forward(&Calls::parse(log).expect("a log"));
        // A hole is zeros; what failed or took nothing was not written.
        let sound = "open 1 open - 0 3 0 real\nwrite 1 write 0 64 64 0 real\nwrite 2 pwrite 96 8 8 0 real\n\
                     write 3 write 0 8 -1 5 real\nwrite 4 write 104 9 0 0 real\nwrite 5 write 104 9 9 0 real\n";
        assert_eq!((judged(sound).outcome, judged(sound).fault), (Outcome::Passed, None));
        let back = judged(&format!("{sound}write 6 pwrite 12 4 4 0 real\n"));
        assert_eq!((back.fault, back.offset), (Some(Fault::Wrong), Some(12)));
        assert_eq!(back.breaks, [Rule::ContainerWriterForwardOnly]);
    }
}
