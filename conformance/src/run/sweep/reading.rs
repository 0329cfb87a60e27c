//! One good file, read under one schedule after the other, whichever way the faults reach the reader.
//!
//! Owns the baseline without faults and what counts as a trial. What the contract asks beside, on the baseline alone, is
//! in `read_contract`; what a trial means is decided in `judge::io`.

use std::collections::BTreeSet;

use hurray_adapter::{Hello, Name, Step, StepResult, Text};

use super::common::{ONE_OF_EACH, unharmed, unsupported};
use super::execution::{Execution, Faults, READ};
use super::family::{SweepPolicy, Tried, UnderSchedules};
use super::read_contract;
use crate::fault::preload::Uncaught;
use crate::fault::{Log, Moved};
use crate::judge::io::baseline::PlainTrial;
use crate::judge::io::read::{Trial, absent};
use crate::judge::io::{Demand, Judged, comparable, ranges};
use crate::judge::{Verdict, judge_reader, reader_script};
use hurray_corpus::Vector;
use hurray_corpus::schedule::{Clause, Schedule};

/// Bytes asked for of a file of which every position is tried; of others the ends and the middle of each range.
const SMALL: u64 = 400;
/// Tensors that are asked for of one served file: more of the same teach nothing.
const MOST_TENSORS: usize = 6;

/// A candidate that reads one good file, and how it does so without fault.
pub struct Reading<'a> {
    faults: Faults<'a>,
    hello: &'a Hello,
    vector: &'a Vector,
    policy: SweepPolicy,
    steps: Vec<Step>,
    baseline: Result<Baseline, NoBaseline>,
}

/// A run without fault.
#[derive(Clone)]
struct Baseline {
    results: Vec<StepResult>,
    log: Log,
}

/// Why there is no run without fault to compare with.
#[derive(Clone)]
struct NoBaseline {
    /// The verdict on the run without fault.
    whole: Box<Verdict>,
    /// The verdict under any schedule.
    tried: Box<Verdict>,
}

impl<'a> Reading<'a> {
    /// Reads the file without fault.
    pub fn begin(faults: Faults<'a>, hello: &'a Hello, vector: &'a Vector) -> Self {
        let (steps, policy) = match &faults {
            Faults::Served(_) => (served_script(vector, hello), SweepPolicy::served(hello)),
            Faults::Preload(_) => (reader_script(vector, hello), SweepPolicy::called()),
        };
        let unread = unread();
        let baseline = Err(NoBaseline { whole: unread.clone(), tried: unread });
        let mut reading = Reading { faults, hello, vector, policy, steps, baseline };
        reading.baseline = match reading.faults {
            Faults::Served(_) => reading.served_baseline(),
            Faults::Preload(_) => {
                reading.preload_baseline().map_err(|why| NoBaseline { whole: why.clone(), tried: why })
            }
        };
        reading
    }

    fn execute(&mut self, steps: &[Step], schedule: &Schedule) -> Result<Execution, Box<Verdict>> {
        self.faults.read(&self.vector.bytes, steps, schedule)
    }

    fn served_baseline(&mut self) -> Result<Baseline, NoBaseline> {
        let unread = unread();
        let (steps, schedule) = (self.steps.clone(), Schedule::default());
        let read = self.execute(&steps, &schedule).and_then(|execution| {
            let results = match execution.end {
                Ok(results) => results,
                Err(death) => return Err(Box::new(Verdict::died(&death.cause, "an answer"))),
            };
            if self.hello.io_contract {
                let kept = absent(&self.vector.absent, &steps, &results);
                let kept = kept.and_then(|()| ranges::aligned(&steps, &results));
                kept.map_err(|breach| Box::new(breach.verdict(&schedule, &self.vector.id, &execution.log)))?;
            }
            let verdict = judge_reader(self.vector, self.hello, &steps, &results);
            if verdict.fault.is_some() { Err(Box::new(verdict)) } else { Ok(Baseline { results, log: execution.log }) }
        });
        let baseline = read.map_err(|whole| NoBaseline { whole, tried: unread })?;
        if baseline.log.count == 0 {
            let unseen = Box::new(self.policy.nothing_seen());
            return Err(NoBaseline { whole: unseen.clone(), tried: unseen });
        }
        Ok(baseline)
    }

    /// The run by system calls: all of them have to be caught, so a program that maps the file is asked again without maps.
    fn preload_baseline(&mut self) -> Result<Baseline, Box<Verdict>> {
        let (mapped, uncaught) = self.called()?;
        let why = match uncaught {
            None => return Ok(mapped),
            Some(why) => unsupported("reads that can be caught", &why.to_string()),
        };
        if uncaught != Some(Uncaught::Mapped) {
            return Err(why);
        }
        if let Faults::Preload(preload) = &mut self.faults {
            preload.refuses_maps = true;
        }
        match self.called() {
            Ok((whole, None)) if comparable(whole.results.clone()) == comparable(mapped.results) => Ok(whole),
            _ => Err(why),
        }
    }

    /// The run without fault, and why its calls cannot be caught, if so.
    fn called(&mut self) -> Result<(Baseline, Option<Uncaught>), Box<Verdict>> {
        let steps = self.steps.clone();
        let execution = self.execute(&steps, &Schedule::default())?;
        let results = execution.end.map_err(|death| Box::new(Verdict::died(&death.cause, "an answer")))?;
        if judge_reader(self.vector, self.hello, &steps, &results).fault.is_some() {
            return Err(unread());
        }
        let uncaught = execution.calls.and_then(|calls| calls.are_caught(READ).err());
        Ok((Baseline { results, log: execution.log }, uncaught))
    }

    /// What the contract asks of the run without fault, step by step.
    fn contract(&mut self, baseline: &Baseline) -> Verdict {
        let Baseline { results, log } = baseline;
        let steps = self.steps.clone();
        let kept = read_contract::read_sets(&mut self.faults, self.vector, &steps, results)
            .and_then(|()| read_contract::backwards(&mut self.faults, self.vector, &steps, results));
        match kept {
            Err(verdict) => *verdict,
            Ok(()) => {
                let (ranges, bytes) = ranges::cost(log);
                let actual = format!("kept, by {ranges} ranges of {bytes} bytes in all");
                let verdict = judge_reader(self.vector, self.hello, &self.steps, results);
                Verdict { expected: "the contract kept".to_owned(), actual, injected: None, ..verdict }
            }
        }
    }
}

impl UnderSchedules for Reading<'_> {
    fn whole(&mut self) -> Verdict {
        match (&self.faults, self.baseline.clone()) {
            (_, Err(none)) => *none.whole,
            (Faults::Served(_), Ok(baseline)) => self.contract(&baseline),
            (Faults::Preload(_), Ok(_)) => unharmed(),
        }
    }

    fn positions(&self, schedule: &Schedule) -> Vec<u64> {
        let is_inside = schedule.clauses.iter().any(|clause| matches!(clause, Clause::Split(_)));
        let mut positions = BTreeSet::new();
        match (&self.faults, &self.baseline) {
            (Faults::Served(_), Err(_)) => return vec![0],
            (Faults::Preload(_), Err(_)) => return vec![1],
            // Those in the ranges that are asked for.
            (Faults::Served(_), Ok(Baseline { log, .. })) => {
                let ranges: BTreeSet<_> = log.operations.iter().map(|asked| (asked.offset, asked.len)).collect();
                let is_quick = !self.faults.is_process() || ONE_OF_EACH.contains(&self.vector.id.as_str());
                let is_small = is_quick && ranges.iter().map(|(_, len)| len).sum::<u64>() <= SMALL;
                for (offset, len) in ranges.into_iter().filter(|(_, len)| *len > 1) {
                    let (start, end) = (offset + u64::from(is_inside), offset + len);
                    match is_small {
                        true => positions.extend(start..end),
                        false => positions.extend([start, offset + len / 2, end - 1]),
                    }
                }
            }
            // Those around the beginning and the end of each read, and its middle.
            (Faults::Preload(_), Ok(Baseline { log, .. })) => {
                for read in &log.operations {
                    let (start, Moved::Bytes(len @ 1..)) = (read.offset, read.moved) else { continue };
                    let inner = [start + 1, start + len / 2, start + len - 1];
                    positions.extend(inner.into_iter().filter(|at| (start + 1..start + len).contains(at)));
                    if !is_inside {
                        positions.insert(start);
                    }
                }
            }
        }
        positions.into_iter().collect()
    }

    fn tried(&mut self, schedule: &Schedule) -> Result<Tried, Box<Verdict>> {
        let baseline = self.baseline.clone().map_err(|none| none.tried)?;
        let results = comparable(baseline.results);
        match self.faults {
            Faults::Served(_) if self.hello.io_contract => self.bound(schedule, &results),
            Faults::Served(_) | Faults::Preload(_) => self.unbound(schedule, &results),
        }
    }

    fn policy(&self) -> &SweepPolicy {
        &self.policy
    }
}

impl Reading<'_> {
    /// Runs one schedule on a candidate that claims the contract: each step that failed is asked again.
    fn bound(&mut self, schedule: &Schedule, results: &[StepResult]) -> Result<Tried, Box<Verdict>> {
        let demand = Demand::of(schedule);
        let (mut steps, mut without) = (self.steps.clone(), results.to_vec());
        if demand == Demand::NotOpened {
            steps.truncate(1);
        } else if demand.repeats() {
            (steps, without) = repeated(&self.steps, results, false);
        }
        let mut ran = self.execute(&steps, schedule)?;
        let has_opened =
            |ran: &Execution| matches!(&ran.end, Ok(with) if matches!(with.first(), Some(StepResult::Ok(_))));
        if demand.repeats() && ran.end.is_ok() && !has_opened(&ran) {
            // It is the opening that has to be repeated.
            (steps, without) = repeated(&self.steps, results, true);
            ran = self.execute(&steps, schedule)?;
        }
        let is_reached = ran.log.is_reached() || demand == Demand::NotOpened;
        Ok(self.judged(schedule, &ran, is_reached, |with| {
            let trial = Trial { schedule, steps: &steps, without: &without, with, log: &ran.log };
            trial.judge().map(|()| None)
        }))
    }

    /// Runs one schedule on any other candidate.
    fn unbound(&mut self, schedule: &Schedule, results: &[StepResult]) -> Result<Tried, Box<Verdict>> {
        let (steps, size) = (self.steps.clone(), self.vector.bytes.len() as u64);
        let cut = schedule.clauses.iter().find_map(|clause| match clause {
            Clause::Cut(len) => Some(*len < size),
            _ => None,
        });
        let ran = self.execute(&steps, schedule)?;
        let is_reached = match self.faults {
            Faults::Served(_) => cut.unwrap_or_else(|| ran.log.is_reached()),
            Faults::Preload(_) => cut == Some(true) || ran.log.is_reached(),
        };
        Ok(self.judged(schedule, &ran, is_reached, |with| {
            if cut == Some(false) {
                return Ok(None);
            }
            PlainTrial { schedule, steps: &steps, without: results, with, log: &ran.log }.judge_read()
        }))
    }

    fn judged(
        &self,
        schedule: &Schedule,
        ran: &Execution,
        is_reached: bool,
        judge: impl FnOnce(&[StepResult]) -> Judged,
    ) -> Tried {
        let with = match ran.answers(schedule, &self.vector.id) {
            Ok(with) => comparable(with.to_vec()),
            Err(died) => return Tried { bad: Some(*died), is_reached, choice: None },
        };
        match judge(&with) {
            Ok(choice) => Tried { bad: None, is_reached, choice: choice.filter(|_| is_reached) },
            Err(breach) => {
                let bad = Some(breach.verdict(schedule, &self.vector.id, &ran.log));
                Tried { bad, is_reached, choice: None }
            }
        }
    }
}

/// The verdict under any schedule on a file that is not read without fault.
fn unread() -> Box<Verdict> {
    unsupported("a file that is read without fault", "without fault it is not read either")
}

/// What is asked of a served file under schedules: everything that reads, once.
fn served_script(vector: &Vector, hello: &Hello) -> Vec<Step> {
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
