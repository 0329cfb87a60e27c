//! One good file, read by its path under one schedule after the other.

use std::collections::BTreeSet;

use hurray_adapter::{Hello, Step, StepResult};

use super::common::{log_of, unharmed, unsupported};
use crate::fault::Log;
use crate::fault::preload::{Calls, Plan, Session, Uncaught};
use crate::judge::io::baseline::PlainTrial;
use crate::judge::io::comparable;
use crate::judge::{Injected, Verdict, judge_reader, reader_script};
use crate::run::sweep::{Tried, UnderSchedules, Way};
use crate::transport::{Cause, Death, Job, JobSource, Transport};
use hurray_corpus::Vector;
use hurray_corpus::schedule::{Clause, Schedule, Side};

/// What the calls are.
const READ: &str = "read";

/// A program that reads one good file, and how it does so without fault.
pub(super) struct PathReading<'a> {
    session: &'a mut Session,
    transport: &'a mut dyn Transport,
    vector: &'a Vector,
    way: Way,
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

impl<'a> PathReading<'a> {
    /// Reads the file without fault.
    pub(super) fn begin(
        session: &'a mut Session,
        transport: &'a mut dyn Transport,
        hello: &Hello,
        vector: &'a Vector,
    ) -> Self {
        let steps = reader_script(vector, hello);
        let without = Err(Box::new(unharmed()));
        let mut reading = PathReading { session, transport, vector, way: Way::called(), steps, without };
        reading.without = reading.unharmed(hello, Plan::none()).and_then(|whole| match whole.calls.are_caught(READ) {
            Ok(()) => Ok(whole),
            Err(Uncaught::Mapped) => reading.unmapped(hello, &whole),
            Err(why) => Err(Box::new(unsupported("reads that can be caught", &why.to_string()))),
        });
        reading
    }

    fn unharmed(&mut self, hello: &Hello, plan: Plan) -> Result<Whole, Box<Verdict>> {
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
        let whole = self.unharmed(hello, refused).map_err(|_| why())?;
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

    fn died(&self, schedule: &Schedule, death: &Death, log: &Log) -> Verdict {
        let operation = log.first_changed().map(|(number, operation)| (number, operation.offset, operation.len));
        let injected = Injected { schedule: schedule.to_string(), over: self.vector.id.clone(), operation };
        Verdict { injected: Some(Box::new(injected)), ..Verdict::died(&death.cause, "an answer") }
    }
}

impl UnderSchedules for PathReading<'_> {
    fn whole(&mut self) -> Verdict {
        self.without.as_ref().map_or_else(|verdict| (**verdict).clone(), |_| unharmed())
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
        let is_reached = is_cut || log.is_reached();
        let with = match ran.end {
            Err(death) => {
                return Ok(Tried { bad: Some(self.died(schedule, &death, &log)), is_reached, choice: None });
            }
            Ok(with) => comparable(with),
        };
        let trial = PlainTrial { schedule, steps: &self.steps, without: &whole.results, with: &with, log: &log };
        let judged = if is_cut || cut.is_none() { trial.judge_read() } else { Ok(None) };
        Ok(match judged {
            Ok(choice) => Tried { bad: None, is_reached, choice: choice.filter(|_| is_reached) },
            Err(breach) => {
                Tried { bad: Some(breach.verdict(schedule, &self.vector.id, &log)), is_reached, choice: None }
            }
        })
    }

    fn way(&self) -> &Way {
        &self.way
    }
}

fn not_run(why: &str) -> Verdict {
    Verdict::died(&Cause::NotRun(why.to_owned()), "")
}
