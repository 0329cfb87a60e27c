//! One good file, read under one schedule after the other.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use hurray_adapter::{Hello, Name, Opening, Step, StepResult, Text};

use super::payload::payloads;
use super::{ONE_OF_EACH, Tried, UnderSchedules, Way};
use crate::fault::{FaultySource, Log};
use crate::judge::io::baseline::PlainTrial;
use crate::judge::io::ranges::{self, Asked};
use crate::judge::io::read::{Trial, absent};
use crate::judge::io::{Demand, Judged, Kept, comparable};
use crate::judge::{Injected, Outcome, Verdict, judge_reader, reader_script};
use crate::transport::{Death, Host, Job, JobSource, Transport};
use hurray_corpus::Vector;
use hurray_corpus::schedule::{Clause, Schedule};

/// Bytes asked for of a file of which every position is tried; of others the ends and the middle of each range.
const SMALL: u64 = 400;
/// Tensors that are asked for of one file: more of the same teach nothing.
const MOST_TENSORS: usize = 6;

/// A candidate that reads one good file, and how it does so without fault.
pub struct Reading<'a> {
    transport: &'a mut dyn Transport,
    hello: &'a Hello,
    vector: &'a Vector,
    way: Way,
    steps: Vec<Step>,
    /// Results and operations without fault, or why there are none.
    without: Result<(Vec<StepResult>, Log), Verdict>,
}

/// One run.
struct Ran {
    end: Result<Vec<StepResult>, Death>,
    log: Log,
    peak_memory_len: Option<u64>,
}

impl<'a> Reading<'a> {
    /// Reads the file without fault.
    pub fn begin(transport: &'a mut dyn Transport, hello: &'a Hello, vector: &'a Vector) -> Self {
        let steps = script(vector, hello);
        let without = Err(Verdict::good(Outcome::Unsupported, "", ""));
        let mut reading = Reading { transport, hello, vector, way: Way::served(hello), steps, without };
        let ran = reading.run(&reading.steps.clone(), &Schedule::default());
        reading.without = match ran.end {
            Err(death) => Err(Verdict::died(&death.cause, "an answer")),
            Ok(results) => {
                let verdict = judge_reader(vector, hello, &reading.steps, &results);
                let kept = match hello.io_contract {
                    true => absent(&vector.absent, &reading.steps, &results)
                        .and_then(|()| ranges::aligned(&reading.steps, &results)),
                    false => Ok(()),
                };
                match reading.bad(kept, &Schedule::default(), &ran.log) {
                    Some(bad) => Err(bad),
                    None if verdict.fault.is_some() => Err(verdict),
                    None => Ok((results, ran.log)),
                }
            }
        };
        reading
    }

    fn run(&mut self, steps: &[Step], schedule: &Schedule) -> Ran {
        let host = Rc::new(RefCell::new(FaultySource::new(&self.vector.bytes, schedule)));
        let steps = steps.iter().filter_map(|step| serde_json::to_value(step).ok()).collect();
        let source = JobSource::Hosted(Rc::clone(&host) as Rc<RefCell<dyn Host>>);
        let ran = self.transport.run(&Job { source, steps });
        let log = host.borrow().log().clone();
        Ran { end: ran.end, log, peak_memory_len: ran.peak_memory_len }
    }

    fn bad(&self, kept: Kept, schedule: &Schedule, log: &Log) -> Option<Verdict> {
        kept.err().map(|breach| breach.verdict(schedule, &self.vector.id, log))
    }

    fn died(&self, schedule: &Schedule, death: &Death, log: &Log) -> Verdict {
        let operation = log.first_changed().map(|(number, operation)| (number, operation.offset, operation.len));
        let injected = Injected { schedule: schedule.to_string(), over: self.vector.id.clone(), operation };
        Verdict { injected: Some(Box::new(injected)), ..Verdict::died(&death.cause, "an answer") }
    }

    /// Each step alone, on a file just opened.
    fn read_sets(&mut self, results: &[StepResult]) -> Result<(), Box<Verdict>> {
        let (schedule, payloads) = (Schedule::default(), payloads(self.vector));
        let open = self.steps.first().cloned().unwrap_or(Step::Open(Opening::default()));
        let opening = self.run(std::slice::from_ref(&open), &schedule).log.operations.len();
        for (at, step) in self.steps.clone().iter().enumerate() {
            let Some(result) = results.get(at) else { break };
            let (steps, first) = match step {
                Step::Open(_) => (vec![open.clone()], 0),
                _ => (vec![open.clone(), step.clone()], opening),
            };
            let ran = self.run(&steps, &schedule);
            if let Err(death) = &ran.end {
                return Err(Box::new(self.died(&schedule, death, &ran.log)));
            }
            let operations = ran.log.operations.get(first..).unwrap_or(&[]);
            let kept = ranges::judge(&Asked { step, result, operations, first }, &payloads).map_err(|mut breach| {
                let (calls, asked_len) = ranges::cost(&ran.log);
                let cost = ranges::cost_text(calls, asked_len, ran.peak_memory_len);
                breach.actual = format!("{} ({cost})", breach.actual);
                breach
            });
            if let Some(bad) = self.bad(kept, &schedule, &ran.log) {
                return Err(Box::new(bad));
            }
        }
        Ok(())
    }

    /// The steps in reverse order come to the same results.
    fn backwards(&mut self, results: &[StepResult]) -> Result<(), Box<Verdict>> {
        let schedule = Schedule::default();
        let (mut steps, mut without) = (self.steps.clone(), comparable(results.to_vec()));
        steps[1..].reverse();
        without[1..].reverse();
        let ran = self.run(&steps, &schedule);
        let bad = match ran.end {
            Err(death) => Some(self.died(&schedule, &death, &ran.log)),
            Ok(with) => {
                let with = comparable(with);
                let log = &ran.log;
                let trial = Trial { schedule: &schedule, steps: &steps, without: &without, with: &with, log };
                self.bad(trial.judge(), &schedule, log)
            }
        };
        bad.map_or(Ok(()), |bad| Err(Box::new(bad)))
    }
}

impl UnderSchedules for Reading<'_> {
    /// Without any fault: what each step asks for, and that steps do not depend on the ones before.
    fn whole(&mut self) -> Verdict {
        let (results, log) = match &self.without {
            Ok(without) => without.clone(),
            Err(verdict) => return verdict.clone(),
        };
        if log.count == 0 {
            return self.way.nothing_seen();
        }
        match self.read_sets(&results).and_then(|()| self.backwards(&results)) {
            Err(verdict) => *verdict,
            Ok(()) => {
                let (ranges, bytes) = ranges::cost(&log);
                let actual = format!("kept, by {ranges} ranges of {bytes} bytes in all");
                let verdict = judge_reader(self.vector, self.hello, &self.steps, &results);
                Verdict { expected: "the contract kept".to_owned(), actual, injected: None, ..verdict }
            }
        }
    }

    /// The positions of a file at which a schedule can make a difference: those in the ranges that are asked for.
    fn positions(&self, schedule: &Schedule) -> Vec<u64> {
        let Ok((_, log)) = &self.without else { return vec![0] };
        let is_inside = schedule.clauses.iter().any(|clause| matches!(clause, Clause::Split(_)));
        let ranges: BTreeSet<(u64, u64)> = log.operations.iter().map(|asked| (asked.offset, asked.len)).collect();
        let is_quick = !self.transport.is_process() || ONE_OF_EACH.contains(&self.vector.id.as_str());
        let is_small = is_quick && ranges.iter().map(|(_, len)| len).sum::<u64>() <= SMALL;
        let mut positions = BTreeSet::new();
        for (offset, len) in ranges.into_iter().filter(|(_, len)| *len > 1) {
            let (start, end) = (offset + u64::from(is_inside), offset + len);
            match is_small {
                true => positions.extend(start..end),
                false => positions.extend([start, offset + len / 2, end - 1]),
            }
        }
        positions.into_iter().collect()
    }

    /// Runs one schedule. What cannot be read without fault is not judged under one.
    fn tried(&mut self, schedule: &Schedule) -> Result<Tried, Box<Verdict>> {
        let (results, log) = match &self.without {
            Ok(without) => without,
            Err(_) => {
                let why = "without fault it is not read either";
                return Err(Box::new(Verdict::good(Outcome::Unsupported, "a file that is read without fault", why)));
            }
        };
        if log.count == 0 {
            return Err(Box::new(self.way.nothing_seen()));
        }
        let results = comparable(results.clone());
        Ok(if self.hello.io_contract { self.bound(schedule, &results) } else { self.unbound(schedule, &results) })
    }

    fn way(&self) -> &Way {
        &self.way
    }
}

impl Reading<'_> {
    /// Runs one schedule on who is held to the contract: what failed is asked for again.
    fn bound(&mut self, schedule: &Schedule, results: &[StepResult]) -> Tried {
        let demand = Demand::of(schedule);
        let (mut steps, mut without) = (self.steps.clone(), results.to_vec());
        if demand == Demand::NotOpened {
            steps.truncate(1);
        } else if demand.repeats() {
            (steps, without) = repeated(&self.steps, results, false);
        }
        let mut ran = self.run(&steps, schedule);
        let has_opened = |ran: &Ran| matches!(&ran.end, Ok(with) if matches!(with.first(), Some(StepResult::Ok(_))));
        if demand.repeats() && ran.end.is_ok() && !has_opened(&ran) {
            // It is the opening that has to be repeated.
            (steps, without) = repeated(&self.steps, results, true);
            ran = self.run(&steps, schedule);
        }
        let is_reached = ran.log.is_reached() || demand == Demand::NotOpened;
        self.judged(schedule, &ran, is_reached, |with| {
            let trial = Trial { schedule, steps: &steps, without: &without, with, log: &ran.log };
            trial.judge().map(|()| None)
        })
    }

    /// Runs one schedule on anybody else.
    fn unbound(&mut self, schedule: &Schedule, results: &[StepResult]) -> Tried {
        let (steps, size) = (self.steps.clone(), self.vector.bytes.len() as u64);
        let cut = schedule.clauses.iter().find_map(|clause| match clause {
            Clause::Cut(len) => Some(*len < size),
            _ => None,
        });
        let ran = self.run(&steps, schedule);
        let is_reached = cut.unwrap_or_else(|| ran.log.is_reached());
        self.judged(schedule, &ran, is_reached, |with| {
            if cut == Some(false) {
                return Ok(None);
            }
            PlainTrial { schedule, steps: &steps, without: results, with, log: &ran.log }.judge_read()
        })
    }

    fn judged(
        &self,
        schedule: &Schedule,
        ran: &Ran,
        is_reached: bool,
        judge: impl FnOnce(&[StepResult]) -> Judged,
    ) -> Tried {
        match &ran.end {
            Err(death) => Tried { bad: Some(self.died(schedule, death, &ran.log)), is_reached, choice: None },
            Ok(with) => match judge(&comparable(with.clone())) {
                Ok(choice) => Tried { bad: None, is_reached, choice: choice.filter(|_| is_reached) },
                Err(breach) => {
                    let bad = Some(breach.verdict(schedule, &self.vector.id, &ran.log));
                    Tried { bad, is_reached, choice: None }
                }
            },
        }
    }
}

/// What is asked of a file under schedules: everything that reads, once.
fn script(vector: &Vector, hello: &Hello) -> Vec<Step> {
    let tensors = &vector.observe.tensors;
    let is_asked = |name: &Text| !tensors.iter().skip(MOST_TENSORS).any(|tensor| tensor.name == *name);
    let mut steps = reader_script(vector, hello);
    steps.retain(|step| match step {
        Step::Describe(Name { name }) | Step::Read(Name { name }) => is_asked(name),
        // What an element is worth follows from bytes that are read already.
        Step::Locate(_) | Step::Decode(_) => false,
        Step::All(_) => tensors.len() <= MOST_TENSORS,
        _ => true,
    });
    steps
}

/// Each step twice, as far as it concerns the open file, or the opening alone.
fn repeated(steps: &[Step], results: &[StepResult], opening: bool) -> (Vec<Step>, Vec<StepResult>) {
    let pairs = steps.iter().cloned().zip(results.iter().cloned());
    let twice = pairs.flat_map(|pair| {
        let count = if matches!(pair.0, Step::Open(_)) == opening { 2 } else { 1 };
        std::iter::repeat_n(pair, count)
    });
    twice.unzip()
}
