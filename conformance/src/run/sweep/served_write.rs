//! One file, written under one schedule after the other.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use hurray_adapter::{Entries, Hello, NewFile, Operation as Nothing, Step, StepResult};
use hurray_spec::Rule;

use super::arguments::refused_arguments;
use super::{Tried, UnderSchedules, Way};
use crate::fault::{FaultySink, Log};
use crate::judge::io::baseline::PlainTrial;
use crate::judge::io::write::{Next, WriteTrial, Written, judge_argument};
use crate::judge::io::{Breach, Judged};
use crate::judge::{Fault, Injected, Outcome, Verdict, actual_text};
use crate::run::write::unreadable;
use crate::transport::{Death, Host, Job, JobSource, Transport};
use hurray_corpus::schedule::Schedule;

/// Bytes of one offer of which every position is tried; of longer offers the ends.
const WHOLE_OFFER: u64 = 128;
/// The same for a candidate in a process of its own.
const WHOLE_OFFER_OF_PROCESS: u64 = 16;
/// Positions at each end of a longer offer.
const OF_END: u64 = 8;
/// Length of the header, which comes out before anything else.
const HEADER_LEN: u64 = 64;

/// A candidate that writes one file, and how it does so over a good sink.
pub struct Writing<'a> {
    transport: &'a mut dyn Transport,
    name: &'a str,
    file: &'a NewFile,
    /// Whether it is held to the contract.
    is_bound: bool,
    way: Way,
    steps: Vec<Step>,
    without: Result<Written, Box<Verdict>>,
}

struct Ran {
    end: Result<Vec<StepResult>, Death>,
    bytes: Vec<u8>,
    log: Log,
}

impl<'a> Writing<'a> {
    /// Writes the file over a good sink. `name` is that of its description.
    pub fn begin(transport: &'a mut dyn Transport, hello: &Hello, name: &'a str, file: &'a NewFile) -> Self {
        let mut steps = vec![Step::Create(file.options.clone())];
        if hello.operations.iter().any(|operation| operation == "header") {
            steps.push(Step::Header(Nothing {}));
        }
        steps.extend(file.items.iter().cloned().map(Step::Put));
        steps.push(Step::Finish(Entries { kv: file.kv.clone() }));
        let without = Err(Box::new(Verdict::good(Outcome::Unsupported, "", "")));
        let mut writing =
            Writing { transport, name, file, is_bound: hello.io_contract, way: Way::served(hello), steps, without };
        writing.without = writing.written();
        writing
    }

    fn run(&mut self, steps: &[Step], schedule: &Schedule) -> Ran {
        let host = Rc::new(RefCell::new(FaultySink::new(schedule)));
        let steps = steps.iter().filter_map(|step| serde_json::to_value(step).ok()).collect();
        let source = JobSource::Hosted(Rc::clone(&host) as Rc<RefCell<dyn Host>>);
        let end = self.transport.run(&Job { source, steps }).end;
        let host = host.borrow();
        Ran { end, bytes: host.bytes.clone(), log: host.log().clone() }
    }

    /// The file over a good sink, and how much of it is out after each step.
    fn written(&mut self) -> Result<Written, Box<Verdict>> {
        let (steps, schedule) = (self.steps.clone(), Schedule::default());
        let whole = self.run(&steps, &schedule);
        let results = whole.end.map_err(|death| Box::new(Verdict::died(&death.cause, "an answer")))?;
        for result in &results {
            match result {
                StepResult::Ok(_) => {}
                StepResult::Unsupported {} => {
                    return Err(Box::new(Verdict::good(Outcome::Unsupported, "a file it can write", "not declared")));
                }
                other => {
                    return Err(Box::new(Verdict::bad(Fault::Refused, None, "a file written", actual_text(other))));
                }
            }
        }
        if whole.log.count == 0 {
            return Err(Box::new(self.way.nothing_seen()));
        }
        let offers = whole.log.operations.iter().map(|operation| operation.offset).collect();
        let mut written = Written { bytes: whole.bytes, ends: Vec::new(), offers };
        for count in 1..=steps.len() {
            let part = self.run(&steps[..count], &schedule);
            if !written.bytes.starts_with(&part.bytes) {
                let actual = "another file for the same calls";
                return Err(Box::new(Verdict::bad(Fault::Wrong, None, "the same bytes for the same calls", actual)));
            }
            written.ends.push(part.bytes.len() as u64);
        }
        Ok(written)
    }

    fn judged<T>(
        &self,
        schedule: &Schedule,
        steps: &[Step],
        without: &Written,
        ran: &Ran,
        judge: impl FnOnce(&WriteTrial<'_>) -> Result<T, Box<Breach>>,
    ) -> (Option<T>, Option<Verdict>) {
        let (bytes, log) = (&ran.bytes, &ran.log);
        match &ran.end {
            Err(death) => {
                let operation = log.first_changed().map(|(number, found)| (number, found.offset, found.len));
                let injected = Injected { schedule: schedule.to_string(), over: self.over(), operation };
                let died = Verdict::died(&death.cause, "an answer");
                (None, Some(Verdict { injected: Some(Box::new(injected)), ..died }))
            }
            Ok(with) => match judge(&WriteTrial { schedule, steps, without, with, bytes, log }) {
                Ok(next) => (Some(next), None),
                Err(breach) => (None, Some(breach.verdict(schedule, &self.over(), log))),
            },
        }
    }

    fn over(&self) -> String {
        format!("models/{}", self.name)
    }
}

impl UnderSchedules for Writing<'_> {
    /// Over a good sink: the header is an item of its own, and what is refused costs nothing.
    fn whole(&mut self) -> Verdict {
        let without = match &self.without {
            Ok(without) => without.clone(),
            Err(verdict) => return (**verdict).clone(),
        };
        let schedule = Schedule::default();
        let after_header = self.steps.iter().position(|step| matches!(step, Step::Put(_) | Step::Finish(_)));
        let header = after_header.and_then(|at| without.ends.get(at.checked_sub(1)?)).copied();
        if header != Some(HEADER_LEN) {
            let actual = format!("{} bytes out before the first item", header.unwrap_or(0));
            let breach = Breach::of_range(Rule::IoWriteHeaderFirst, None, "the 64 bytes of the header", actual);
            return breach.verdict(&schedule, &self.over(), &Log::default());
        }
        let arguments = refused_arguments(&self.steps, self.file);
        let mut count = 0;
        for argument in arguments {
            let mut steps = self.steps.clone();
            steps.insert(argument.at, argument.step);
            let ran = self.run(&steps, &schedule);
            let judge = |trial: &WriteTrial<'_>| judge_argument(argument.rule, argument.at, trial);
            let (_, bad) = self.judged(&schedule, &steps, &without, &ran, judge);
            if let Some(bad) = bad {
                let expected = format!("{} ({})", bad.expected, argument.what);
                return Verdict { expected, ..bad };
            }
            count += 1;
        }
        let actual = format!("kept, {count} wrong arguments refused");
        Verdict::good(Outcome::Passed, "the contract kept", actual)
    }

    /// The positions of the file at which a schedule can make a difference.
    fn positions(&self, _schedule: &Schedule) -> Vec<u64> {
        let Ok(without) = &self.without else { return vec![0] };
        let whole = if self.transport.is_process() { WHOLE_OFFER_OF_PROCESS } else { WHOLE_OFFER };
        let ends = without.offers.iter().skip(1).copied().chain([without.bytes.len() as u64]);
        let mut positions = BTreeSet::new();
        for (start, end) in without.offers.iter().copied().zip(ends) {
            if end - start <= whole {
                positions.extend(start..end);
            } else {
                positions.extend((start..start + OF_END).chain([start + (end - start) / 2]).chain(end - OF_END..end));
            }
        }
        positions.into_iter().collect()
    }

    fn tried(&mut self, schedule: &Schedule) -> Result<Tried, Box<Verdict>> {
        let without = match &self.without {
            Ok(without) => without.clone(),
            Err(_) => {
                let why = "without fault it is not written either";
                return Err(Box::new(Verdict::good(Outcome::Unsupported, "a file that is written without fault", why)));
            }
        };
        Ok(if self.is_bound { self.bound(schedule, &without) } else { self.unbound(schedule, &without) })
    }

    fn way(&self) -> &Way {
        &self.way
    }
}

impl Writing<'_> {
    /// Runs one schedule on who is held to the contract: what failed is submitted again.
    fn bound(&mut self, schedule: &Schedule, without: &Written) -> Tried {
        let steps = self.steps.clone();
        let ran = self.run(&steps, schedule);
        let (next, bad) = self.judged(schedule, &steps, without, &ran, |trial| trial.judge());
        let mut tried = Tried { bad, is_reached: ran.log.is_reached(), choice: None };
        type Judge = fn(&WriteTrial<'_>, usize) -> Judged;
        let (at, choice, judge): (usize, _, Judge) = match next {
            Some(Next::Retry(at, choice)) => (at, choice, |trial, at| trial.judge_retry(at).map(|()| None)),
            Some(Next::Refused(at, choice)) => (at, choice, |trial, at| trial.judge_refused(at).map(|()| None)),
            Some(Next::Either(at)) => (at, None, |trial, at| trial.judge_either(at)),
            Some(Next::Done(choice)) => return Tried { choice, ..tried },
            None => return tried,
        };
        let mut repeated = steps;
        repeated.insert(at, repeated[at].clone());
        let ran = self.run(&repeated, schedule);
        let (shown, bad) = self.judged(schedule, &repeated, without, &ran, |trial| judge(trial, at));
        tried.choice = shown.flatten().or(choice);
        Tried { bad, ..tried }
    }

    /// Runs one schedule on anybody else. What a sink held when a step failed is seen in a run that ends there.
    fn unbound(&mut self, schedule: &Schedule, without: &Written) -> Tried {
        let steps = self.steps.clone();
        let ran = self.run(&steps, schedule);
        let written = |trial: &WriteTrial<'_>| {
            let plain = plain(trial);
            plain.judge_written(&trial.without.bytes, Some(trial.bytes)).map(|choice| (plain.failed(), choice))
        };
        let (judged, bad) = self.judged(schedule, &steps, without, &ran, written);
        let tried = Tried { bad, is_reached: ran.log.is_reached(), choice: None };
        let Some((failed, choice)) = judged else { return tried };
        let Some(at) = failed else { return Tried { choice, ..tried } };
        let held = self.run(&steps[..=at], schedule).bytes;
        let out = at.checked_sub(1).and_then(|before| without.ends.get(before)).copied().unwrap_or(0);
        let judge = |trial: &WriteTrial<'_>| {
            let unreadable = || unreadable(&Arc::from(trial.bytes));
            plain(trial).judge_sink(at, &trial.without.bytes, (&held, out), unreadable)
        };
        let (torn, bad) = self.judged(schedule, &steps, without, &ran, judge);
        Tried { bad, choice: choice.or(torn.flatten()), ..tried }
    }
}

/// The same run, as of somebody who claims nothing.
fn plain<'a>(trial: &WriteTrial<'a>) -> PlainTrial<'a> {
    let WriteTrial { schedule, steps, with, log, .. } = *trial;
    PlainTrial { schedule, steps, without: &[], with, log }
}
