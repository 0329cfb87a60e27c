//! One good file, read by its path under one schedule after the other.

use std::collections::BTreeSet;

use hurray_adapter::{Hello, Step, StepResult};

use super::{MOST_OF_FAMILY, kept, log_of, unsupported};
use crate::faulty::Log;
use crate::schedule::{Clause, Listed, Schedule, Side, Sweep};
use crate::shim::{Calls, Plan, Session, Uncaught};
use crate::transport::{Cause, Death, Job, JobSource, Transport};
use crate::vector::Vector;
use crate::verdict::io::comparable;
use crate::verdict::io::path::PathTrial;
use crate::verdict::{Fault, Injected, Outcome, Verdict, judge_reader, reader_script};

/// What the calls are.
const READ: &str = "read";
/// The weight of an end: nothing is worse, so nothing more is tried.
const HEAVIEST: u8 = 3;

/// A program that reads one good file, and how it does so without fault.
pub(super) struct PathReading<'a> {
    session: &'a mut Session,
    transport: &'a mut dyn Transport,
    vector: &'a Vector,
    steps: Vec<Step>,
    without: Result<Whole, Box<Verdict>>,
}

/// A run without fault.
#[derive(Clone)]
struct Whole {
    /// What is always in force: a program that can do without a map has to.
    plan: Plan,
    results: Vec<StepResult>,
    calls: Calls,
}

struct Ran {
    end: Result<Vec<StepResult>, Death>,
    calls: Calls,
}

/// One schedule tried: its judgement if it is bad, and whether it made a difference.
struct Tried {
    bad: Option<Verdict>,
    is_reached: bool,
}

impl<'a> PathReading<'a> {
    /// Reads the file without fault.
    pub(super) fn begin(
        session: &'a mut Session,
        transport: &'a mut dyn Transport,
        hello: &Hello,
        vector: &'a Vector,
    ) -> Self {
        let steps = reader_script(vector, hello);
        let mut reading = PathReading { session, transport, vector, steps, without: Err(Box::new(kept(0))) };
        reading.without = reading.whole(hello, Plan::none()).and_then(|whole| match whole.calls.are_caught(READ) {
            Ok(()) => Ok(whole),
            Err(Uncaught::Mapped) => reading.unmapped(hello, &whole),
            Err(why) => Err(Box::new(unsupported("reads that can be caught", &why.to_string()))),
        });
        reading
    }

    fn whole(&mut self, hello: &Hello, plan: Plan) -> Result<Whole, Box<Verdict>> {
        let bytes = self.vector.bytes.to_vec();
        let ran = self.run(&plan, &bytes).map_err(|why| Box::new(not_run(&why)))?;
        let results = ran.end.map_err(|death| Box::new(Verdict::died(&death.cause, "an answer")))?;
        let verdict = judge_reader(self.vector, hello, &self.steps, &results);
        if verdict.fault.is_some() {
            let why = "without fault it is not read either";
            return Err(Box::new(unsupported("a file that is read without fault", why)));
        }
        Ok(Whole { plan, results: comparable(results), calls: ran.calls })
    }

    /// The same without a map, if it comes to the same.
    fn unmapped(&mut self, hello: &Hello, mapped: &Whole) -> Result<Whole, Box<Verdict>> {
        let refused = Plan::none().with("map fail 1 ENODEV sticky");
        let why = || Box::new(unsupported("reads that can be caught", &Uncaught::Mapped.to_string()));
        let whole = self.whole(hello, refused).map_err(|_| why())?;
        let is_same = whole.results == mapped.results && whole.calls.are_caught(READ).is_ok();
        if is_same { Ok(whole) } else { Err(why()) }
    }

    fn run(&mut self, plan: &Plan, bytes: &[u8]) -> Result<Ran, String> {
        let prepared = self.session.put(bytes).and_then(|()| self.session.begin(plan));
        prepared.map_err(|error| format!("its file cannot be written: {error}"))?;
        let path = self.session.target();
        let steps = self.steps.iter().filter_map(|step| serde_json::to_value(step).ok()).collect();
        let end = self.transport.run(&Job { source: JobSource::Path(&path, bytes.len() as u64), steps }).end;
        Ok(Ran { end, calls: self.session.calls()? })
    }

    /// One schedule, or one family of them.
    pub(super) fn listed(&mut self, listed: &Listed) -> Verdict {
        let Ok(first) = listed.at(1) else { return kept(0) };
        let numbers: Vec<u64> = match listed.sweep {
            Sweep::One => vec![1],
            Sweep::Operations => (1..=MOST_OF_FAMILY).collect(),
            Sweep::Positions => self.positions(&first),
        };
        let (mut count, mut worst) = (0, None);
        for number in numbers {
            let Ok(schedule) = listed.at(number) else { break };
            let tried = match self.tried(&schedule) {
                Ok(tried) => tried,
                Err(verdict) => return *verdict,
            };
            if !tried.is_reached && listed.sweep == Sweep::Operations {
                break;
            }
            count += u64::from(tried.is_reached);
            // A wrong word for an error must not hide that wrong data comes out under another number.
            worst = [worst, tried.bad]
                .into_iter()
                .flatten()
                .reduce(|old, new| if weight(&new) > weight(&old) { new } else { old });
            if worst.as_ref().is_some_and(|worst| weight(worst) == HEAVIEST) {
                break;
            }
        }
        worst.unwrap_or_else(|| kept(count))
    }

    /// One schedule.
    pub(super) fn one(&mut self, schedule: &Schedule) -> Verdict {
        match self.tried(schedule) {
            Err(verdict) => *verdict,
            Ok(Tried { bad: Some(bad), .. }) => bad,
            Ok(tried) => kept(u64::from(tried.is_reached)),
        }
    }

    fn tried(&mut self, schedule: &Schedule) -> Result<Tried, Box<Verdict>> {
        let whole = self.without.clone()?;
        let Some(plan) = whole.plan.clone().with_schedule(schedule, Side::Source) else {
            return Err(Box::new(unsupported(
                "a schedule that system calls can follow",
                "this one is for served files",
            )));
        };
        let cut = schedule.clauses.iter().find_map(|clause| match clause {
            Clause::Cut(len) => usize::try_from(*len).ok(),
            _ => None,
        });
        let mut bytes = self.vector.bytes.to_vec();
        bytes.truncate(cut.unwrap_or(bytes.len()));
        let is_cut = bytes.len() < self.vector.bytes.len();
        let ran = self.run(&plan, &bytes).map_err(|why| Box::new(not_run(&why)))?;
        let log = log_of(&ran.calls, READ);
        let bad = match ran.end {
            Err(death) => Some(self.died(schedule, &death, &log)),
            Ok(with) => {
                let (with, without) = (comparable(with), &whole.results);
                let trial = PathTrial { schedule, steps: &self.steps, without, with: &with, log: &log };
                let breach = if is_cut || cut.is_none() { trial.judge_read().err() } else { None };
                breach.map(|breach| breach.verdict(schedule, &self.vector.id, &log))
            }
        };
        Ok(Tried { bad, is_reached: is_cut || log.is_reached() })
    }

    fn died(&self, schedule: &Schedule, death: &Death, log: &Log) -> Verdict {
        let operation = log.first_changed().map(|(number, operation)| (number, operation.offset, operation.len));
        let injected = Injected { schedule: schedule.to_string(), over: self.vector.id.clone(), operation };
        Verdict { injected: Some(Box::new(injected)), ..Verdict::died(&death.cause, "an answer") }
    }

    /// The positions that are tried: around the beginning and the end of each read, and its middle.
    fn positions(&self, schedule: &Schedule) -> Vec<u64> {
        let Ok(whole) = &self.without else { return vec![1] };
        let is_inside = schedule.clauses.iter().any(|clause| matches!(clause, Clause::Split(_)));
        let mut positions = BTreeSet::new();
        for call in whole.calls.of(READ).filter(|call| call.returned > 0) {
            let (start, len) = (call.offset.unwrap_or(0), u64::try_from(call.returned).unwrap_or(0));
            let inner = [start + 1, start + len / 2, start + len - 1];
            positions.extend(inner.into_iter().filter(|at| (start + 1..start + len).contains(at)));
            if !is_inside {
                positions.insert(start);
            }
        }
        positions.into_iter().collect()
    }
}

/// How bad a fault is: an end, then what comes out and is not there, then all others.
fn weight(verdict: &Verdict) -> u8 {
    match verdict.fault {
        None => 0,
        Some(fault) if fault.outcome() == Outcome::Died => HEAVIEST,
        Some(Fault::Wrong | Fault::Accepted | Fault::NotFound) => 2,
        Some(_) => 1,
    }
}

fn not_run(why: &str) -> Verdict {
    Verdict::died(&Cause::NotRun(why.to_owned()), "")
}
