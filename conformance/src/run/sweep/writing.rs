//! One description, written under one schedule after the other, whichever way the faults reach the writer.
//!
//! Owns the baseline without faults and what counts as a trial. What a trial means is decided in `judge::io`.

use std::collections::BTreeSet;
use std::sync::Arc;

use hurray_adapter::{Entries, Hello, NewFile, Op, Operation as Nothing, Step, StepResult};
use hurray_spec::Rule;

use super::arguments::refused_arguments;
use super::common::unsupported;
use super::execution::{Execution, Faults, WRITE};
use super::family::{SweepPolicy, Tried, UnderSchedules};
use super::forward::forward;
use crate::fault::Log;
use crate::fault::preload::Calls;
use crate::judge::io::baseline::PlainTrial;
use crate::judge::io::write::{Next, WriteTrial, Written, judge_argument};
use crate::judge::io::{Breach, Judged};
use crate::judge::{Fault, Outcome, Verdict, actual_text};
use crate::run::write::unreadable;
use hurray_corpus::schedule::Schedule;

/// Bytes of one offer of which every position is tried; of longer offers the ends.
const WHOLE_OFFER: u64 = 128;
/// The same for a candidate in a process of its own.
const WHOLE_OFFER_OF_PROCESS: u64 = 16;
/// Positions at each end of a longer offer.
const OF_END: u64 = 8;
/// Length of the header, which comes out before anything else.
const HEADER_LEN: u64 = 64;

/// A candidate that writes one file, and how it does so without fault.
pub struct Writing<'a> {
    faults: Faults<'a>,
    name: &'a str,
    file: &'a NewFile,
    /// Whether it is held to the contract.
    is_bound: bool,
    policy: SweepPolicy,
    steps: Vec<Step>,
    baseline: Result<Baseline, Box<Verdict>>,
}

/// The file without fault, and how it came about.
#[derive(Clone)]
struct Baseline {
    written: Written,
    /// The calls, where the shim saw them.
    calls: Option<Calls>,
}

impl<'a> Writing<'a> {
    /// Writes the file without fault. `name` is that of its description.
    pub fn begin(faults: Faults<'a>, hello: &Hello, name: &'a str, file: &'a NewFile) -> Self {
        let (policy, is_bound, is_whole) = match &faults {
            Faults::Served(_) => (SweepPolicy::served(hello), hello.io_contract, false),
            Faults::Preload(_) => (SweepPolicy::called(), false, hello.offers(Op::Write)),
        };
        let steps = if is_whole { vec![Step::Write(file.clone())] } else { item_by_item(hello, file) };
        let baseline = Err(unsupported("", ""));
        let mut writing = Writing { faults, name, file, is_bound, policy, steps, baseline };
        writing.baseline = match writing.faults {
            Faults::Served(_) => writing.served_baseline(),
            Faults::Preload(_) => writing.preload_baseline(),
        };
        writing
    }

    /// The file over a good sink, and how much of it is out after each step.
    fn served_baseline(&mut self) -> Result<Baseline, Box<Verdict>> {
        let (steps, schedule) = (self.steps.clone(), Schedule::default());
        let whole = self.faults.write(&steps, &schedule)?;
        let results = whole.end.map_err(|death| Box::new(Verdict::died(&death.cause, "an answer")))?;
        for result in &results {
            match result {
                StepResult::Ok(_) => {}
                StepResult::Unsupported {} => return Err(unsupported("a file it can write", "not declared")),
                other => {
                    return Err(Box::new(Verdict::bad(Fault::Refused, None, "a file written", actual_text(other))));
                }
            }
        }
        if whole.log.count == 0 {
            return Err(Box::new(self.policy.nothing_seen()));
        }
        let offers = whole.log.operations.iter().map(|operation| operation.offset).collect();
        let mut written = Written { bytes: whole.left.unwrap_or_default(), ends: Vec::new(), offers };
        for count in 1..=steps.len() {
            let part = self.faults.write(&steps[..count], &schedule)?.left.unwrap_or_default();
            if !written.bytes.starts_with(&part) {
                let actual = "another file for the same calls";
                return Err(Box::new(Verdict::bad(Fault::Wrong, None, "the same bytes for the same calls", actual)));
            }
            written.ends.push(part.len() as u64);
        }
        Ok(Baseline { written, calls: None })
    }

    /// The file by a path, and the calls that made it.
    fn preload_baseline(&mut self) -> Result<Baseline, Box<Verdict>> {
        let ran = self.faults.write(&self.steps, &Schedule::default())?;
        let results = ran.end.map_err(|death| Box::new(Verdict::died(&death.cause, "an answer")))?;
        if !results.iter().all(|result| matches!(result, StepResult::Ok(_))) {
            let why = "without fault it is not written either";
            return Err(unsupported("a file that is written without fault", why));
        }
        if let Some(Err(why)) = ran.calls.as_ref().map(|calls| calls.are_caught(WRITE)) {
            return Err(unsupported("writes that can be caught", &why.to_string()));
        }
        let written = Written { bytes: ran.left.unwrap_or_default(), ends: Vec::new(), offers: Vec::new() };
        Ok(Baseline { written, calls: ran.calls })
    }

    fn judged<T>(
        &self,
        schedule: &Schedule,
        steps: &[Step],
        without: &Written,
        ran: &Execution,
        judge: impl FnOnce(&WriteTrial<'_>) -> Result<T, Box<Breach>>,
    ) -> (Option<T>, Option<Verdict>) {
        let (over, log) = (self.over(), &ran.log);
        let with = match ran.answers(schedule, &over) {
            Ok(with) => with,
            Err(died) => return (None, Some(*died)),
        };
        let bytes = ran.left.as_deref().unwrap_or_default();
        match judge(&WriteTrial { schedule, steps, without, with, bytes, log }) {
            Ok(next) => (Some(next), None),
            Err(breach) => (None, Some(breach.verdict(schedule, &over, log))),
        }
    }

    fn over(&self) -> String {
        format!("models/{}", self.name)
    }

    /// Over a good sink: the header is an item of its own, and what is refused costs nothing.
    fn contract(&mut self, without: &Written) -> Result<Verdict, Box<Verdict>> {
        let schedule = Schedule::default();
        let after_header = self.steps.iter().position(|step| matches!(step, Step::Put(_) | Step::Finish(_)));
        let header = after_header.and_then(|at| without.ends.get(at.checked_sub(1)?)).copied();
        if header != Some(HEADER_LEN) {
            let actual = format!("{} bytes out before the first item", header.unwrap_or(0));
            let breach = Breach::of_range(Rule::IoWriteHeaderFirst, None, "the 64 bytes of the header", actual);
            return Err(Box::new(breach.verdict(&schedule, &self.over(), &Log::default())));
        }
        let mut count = 0;
        for argument in refused_arguments(&self.steps, self.file) {
            let mut steps = self.steps.clone();
            steps.insert(argument.at, argument.step);
            let ran = self.faults.write(&steps, &schedule)?;
            let judge = |trial: &WriteTrial<'_>| judge_argument(argument.rule, argument.at, trial);
            let (_, bad) = self.judged(&schedule, &steps, without, &ran, judge);
            if let Some(bad) = bad {
                let expected = format!("{} ({})", bad.expected, argument.what);
                return Err(Box::new(Verdict { expected, ..bad }));
            }
            count += 1;
        }
        let actual = format!("kept, {count} wrong arguments refused");
        Ok(Verdict::good(Outcome::Passed, "the contract kept", actual))
    }
}

impl UnderSchedules for Writing<'_> {
    fn whole(&mut self) -> Verdict {
        match self.baseline.clone() {
            Err(verdict) => *verdict,
            Ok(Baseline { calls: Some(calls), .. }) => forward(&calls),
            Ok(Baseline { written, calls: None }) => self.contract(&written).unwrap_or_else(|verdict| *verdict),
        }
    }

    fn positions(&self, _schedule: &Schedule) -> Vec<u64> {
        match (&self.faults, &self.baseline) {
            (Faults::Served(_), Err(_)) => vec![0],
            (Faults::Preload(_), Err(_)) => vec![1],
            (_, Ok(Baseline { calls: Some(calls), .. })) => positions_of_calls(calls),
            (_, Ok(Baseline { written, calls: None })) => {
                let whole = if self.faults.is_process() { WHOLE_OFFER_OF_PROCESS } else { WHOLE_OFFER };
                positions_of_offers(written, whole)
            }
        }
    }

    fn tried(&mut self, schedule: &Schedule) -> Result<Tried, Box<Verdict>> {
        match (&self.faults, self.baseline.clone()) {
            (Faults::Served(_), Err(_)) => {
                let why = "without fault it is not written either";
                Err(unsupported("a file that is written without fault", why))
            }
            (Faults::Preload(_), Err(why)) => Err(why),
            (Faults::Served(_), Ok(baseline)) if self.is_bound => self.bound(schedule, &baseline.written),
            (Faults::Served(_) | Faults::Preload(_), Ok(baseline)) => self.unbound(schedule, &baseline.written),
        }
    }

    fn policy(&self) -> &SweepPolicy {
        &self.policy
    }
}

impl Writing<'_> {
    /// Runs one schedule on a candidate that claims the contract: what failed is submitted again.
    fn bound(&mut self, schedule: &Schedule, without: &Written) -> Result<Tried, Box<Verdict>> {
        let steps = self.steps.clone();
        let ran = self.faults.write(&steps, schedule)?;
        let (next, bad) = self.judged(schedule, &steps, without, &ran, |trial| trial.judge());
        let mut tried = Tried { bad, is_reached: ran.log.is_reached(), choice: None };
        type Judge = fn(&WriteTrial<'_>, usize) -> Judged;
        let (at, choice, judge): (usize, _, Judge) = match next {
            Some(Next::Retry(at, choice)) => (at, choice, |trial, at| trial.judge_retry(at).map(|()| None)),
            Some(Next::Refused(at, choice)) => (at, choice, |trial, at| trial.judge_refused(at).map(|()| None)),
            Some(Next::Either(at)) => (at, None, |trial, at| trial.judge_either(at)),
            Some(Next::Done(choice)) => return Ok(Tried { choice, ..tried }),
            None => return Ok(tried),
        };
        let mut repeated = steps;
        repeated.insert(at, repeated[at].clone());
        let ran = self.faults.write(&repeated, schedule)?;
        let (shown, bad) = self.judged(schedule, &repeated, without, &ran, |trial| judge(trial, at));
        tried.choice = shown.flatten().or(choice);
        Ok(Tried { bad, ..tried })
    }

    /// Runs one schedule on any other candidate. A second run that ends at the step that failed shows what a served sink
    /// held then; what a program leaves on disk after a failure is its own affair.
    fn unbound(&mut self, schedule: &Schedule, without: &Written) -> Result<Tried, Box<Verdict>> {
        let steps = self.steps.clone();
        let ran = self.faults.write(&steps, schedule)?;
        let written = |trial: &WriteTrial<'_>| {
            let plain = plain(trial);
            plain.judge_written(&trial.without.bytes, ran.left.as_deref()).map(|choice| (plain.failed(), choice))
        };
        let (judged, bad) = self.judged(schedule, &steps, without, &ran, written);
        let is_reached = ran.log.is_reached();
        let tried = Tried { bad, is_reached, choice: None };
        let Some((failed, choice)) = judged else { return Ok(tried) };
        let choice = choice.filter(|_| is_reached);
        let (Faults::Served(_), Some(at)) = (&self.faults, failed) else { return Ok(Tried { choice, ..tried }) };
        let held = self.faults.write(&steps[..=at], schedule)?.left.unwrap_or_default();
        let out = at.checked_sub(1).and_then(|before| without.ends.get(before)).copied().unwrap_or(0);
        let judge = |trial: &WriteTrial<'_>| {
            let unreadable = || unreadable(&Arc::from(trial.bytes));
            plain(trial).judge_sink(at, &trial.without.bytes, (&held, out), unreadable)
        };
        let (torn, bad) = self.judged(schedule, &steps, without, &ran, judge);
        Ok(Tried { bad, choice: choice.or(torn.flatten()), ..tried })
    }
}

/// The same run, as of a candidate that claims nothing.
fn plain<'a>(trial: &WriteTrial<'a>) -> PlainTrial<'a> {
    let WriteTrial { schedule, steps, with, log, .. } = *trial;
    PlainTrial { schedule, steps, without: &[], with, log }
}

/// The calls that write a file item by item.
fn item_by_item(hello: &Hello, file: &NewFile) -> Vec<Step> {
    let mut steps = vec![Step::Create(file.options.clone())];
    if hello.offers(Op::Header) {
        steps.push(Step::Header(Nothing {}));
    }
    steps.extend(file.items.iter().cloned().map(Step::Put));
    steps.push(Step::Finish(Entries { kv: file.kv.clone() }));
    steps
}

/// Every position of a short offer; the ends and the middle of a longer one.
fn positions_of_offers(written: &Written, whole: u64) -> Vec<u64> {
    let ends = written.offers.iter().skip(1).copied().chain([written.bytes.len() as u64]);
    let mut positions = BTreeSet::new();
    for (start, end) in written.offers.iter().copied().zip(ends) {
        if end - start <= whole {
            positions.extend(start..end);
        } else {
            positions.extend((start..start + OF_END).chain([start + (end - start) / 2]).chain(end - OF_END..end));
        }
    }
    positions.into_iter().collect()
}

/// The beginning of each write and its middle.
fn positions_of_calls(calls: &Calls) -> Vec<u64> {
    let places = calls.of(WRITE).filter_map(|call| Some((call.offset?, u64::try_from(call.returned).ok()?)));
    let mut positions: Vec<u64> = places.flat_map(|(start, len)| [start, start + len / 2]).collect();
    positions.dedup();
    positions
}
