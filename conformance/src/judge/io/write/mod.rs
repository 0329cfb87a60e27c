//! A writer over a faulty sink, beside itself over a good one.
//!
//! What counts is whether bytes of the failed item were taken (R71): before the first, nothing has happened; behind it,
//! nothing can be done any more.
//!
//! Owns which clauses a writer breaks. It must not know how the fault reached it.

use hurray_adapter::{NewItem, Step, StepResult, WriterState};
use hurray_spec::Rule;

use super::{Breach, Choice, Judged, Kept, fault_of};
use crate::fault::{Log, Moved, Operation};
use crate::judge::Fault;
use hurray_corpus::schedule::{Clause, Lasting, Nature, Schedule};

/// A file written without fault.
#[derive(Clone, Debug, Default)]
pub struct Written {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Length of the sink after each step.
    pub ends: Vec<u64>,
    /// Where each offer began.
    pub offers: Vec<u64>,
}

/// One run over a faulty sink.
pub struct WriteTrial<'a> {
    /// The schedule.
    pub schedule: &'a Schedule,
    /// The steps.
    pub steps: &'a [Step],
    /// The file without the fault.
    pub without: &'a Written,
    /// The results.
    pub with: &'a [StepResult],
    /// What the sink holds in the end.
    pub bytes: &'a [u8],
    /// What the sink did.
    pub log: &'a Log,
}

/// What is to be seen next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Nothing: the contract is kept.
    Done(Option<Choice>),
    /// The same with that step repeated, which has to give the whole file.
    Retry(usize, Option<Choice>),
    /// The same with that step repeated, which must change nothing.
    Refused(usize, Option<Choice>),
    /// The same with that step repeated, which either gives the whole file or changes nothing.
    Either(usize),
}

/// A sink that took nothing before the first byte of an item (R73).
const CLOSED_IS_RETRYABLE: Choice = Choice::preferred("a sink that took nothing of an item leaves the writer usable");
const CLOSED_IS_FINAL: Choice = Choice::other("a sink that took nothing of an item ends the file");
/// A composite that failed between two of its tensors, as far as can be seen (R72).
const COMPOSITE_IS_FINAL: Choice = Choice::preferred("a composite that failed between two offers ends the file");
const COMPOSITE_RESUMES: Choice = Choice::preferred("a composite that failed between two offers goes on there");
const FINISHED_TORN: Choice = Choice::other("a file is finished behind a composite that is torn");

/// Calls on a closed sink that one step may make.
const MOST_CALLS: u64 = 3;

impl WriteTrial<'_> {
    /// Judges a run in which every step comes once.
    ///
    /// # Errors
    /// The first clause that is broken.
    pub fn judge(&self) -> Result<Next, Box<Breach>> {
        if self.schedule.nature() == Nature::Benign {
            return self.same().map(|()| Next::Done(None));
        }
        let mut harms = self.schedule.harms();
        let (Some(harm), None) = (harms.next(), harms.next()) else { return Ok(Next::Done(None)) };
        let Some((_, operation)) = self.log.operations.iter().enumerate().find(|(_, operation)| is_harmed(operation))
        else {
            return Ok(Next::Done(None));
        };
        let Some(failed) = self.with.iter().position(|result| !is_ok(result)) else {
            return self.absorbed(harm, operation).map(|()| Next::Done(None));
        };
        let due = self.without.ends.iter().position(|end| *end > operation.offset).unwrap_or(failed);
        if failed != due {
            let breach = self.breach(self.swallowed(harm), due.min(failed), "io, in this step");
            return Err(Box::new(Breach { fault: Fault::Late, ..*breach }));
        }
        self.failed(harm, operation, failed)
    }

    fn failed(&self, harm: Clause, operation: &Operation, at: usize) -> Result<Next, Box<Breach>> {
        let is_reported = match harm {
            // More was taken than was offered: whatever it says, it must not go on.
            Clause::More { .. } => true,
            _ => matches!(self.with[at], StepResult::Io { .. }),
        };
        if !is_reported {
            return Err(self.breach(self.swallowed(harm), at, "io"));
        }
        if matches!(harm, Clause::Lose(_) | Clause::More { .. }) {
            // What counts as written is what was reported; a count that is lost or false is outside the contract (R73).
            return Ok(Next::Done(None));
        }
        self.calls(at)?;
        let start = at.checked_sub(1).and_then(|before| self.without.ends.get(before)).copied().unwrap_or(0);
        if operation.offset > start { self.torn(operation, at) } else { self.untouched(harm, at) }
    }

    /// No byte of the item is out.
    fn untouched(&self, harm: Clause, at: usize) -> Result<Next, Box<Breach>> {
        let state = state(&self.with[at]);
        // A closed sink may be final even so (R73).
        let may_be_final = matches!(harm, Clause::Zero(_) | Clause::Closed(_));
        if state == Some(WriterState::Unusable) {
            return match may_be_final {
                true => self.nothing_more(at).map(|()| Next::Done(Some(CLOSED_IS_FINAL))),
                false => Err(self.breach(retryable(&self.steps[at]), at, "a writer that is still usable")),
            };
        }
        match harm {
            Clause::Fail { lasting: Lasting::Once, .. } | Clause::FailByte { lasting: Lasting::Once, .. } => {
                Ok(Next::Retry(at, None))
            }
            Clause::Zero(_) if state == Some(WriterState::Usable) => Ok(Next::Retry(at, Some(CLOSED_IS_RETRYABLE))),
            // It does not say, so its repeat does.
            Clause::Zero(_) => Ok(Next::Either(at)),
            // The sink stays as it is, so nothing can come after.
            Clause::Closed(_) if state == Some(WriterState::Usable) => {
                self.nothing_more(at).map(|()| Next::Done(Some(CLOSED_IS_RETRYABLE)))
            }
            _ => self.nothing_more(at).map(|()| Next::Done(None)),
        }
    }

    /// A part of the item is out.
    fn torn(&self, operation: &Operation, at: usize) -> Result<Next, Box<Breach>> {
        let is_composite = matches!(self.steps[at], Step::Put(NewItem::Composite(_)));
        // Perhaps between two of its tensors: whether a writer goes on there is contested (R72).
        let may_resume = is_composite && self.without.offers.contains(&operation.offset);
        if may_resume && state(&self.with[at]) != Some(WriterState::Unusable) {
            self.no_other_item(at)?;
            return Ok(Next::Either(at));
        }
        if state(&self.with[at]) == Some(WriterState::Usable) {
            return Err(self.breach(Rule::IoWriteDistinctStatus, at, "a writer that is unusable"));
        }
        self.nothing_more(at)?;
        Ok(Next::Refused(at, may_resume.then_some(COMPOSITE_IS_FINAL)))
    }

    /// No other item is taken behind a composite that is torn: it would be read as a member of it.
    fn no_other_item(&self, at: usize) -> Kept {
        let is_taken = |later: &usize| matches!(self.steps[*later], Step::Put(_)) && is_ok(&self.with[*later]);
        match (at + 1..self.with.len()).find(is_taken) {
            Some(later) => {
                let expected = "refused: the composite before it is torn";
                Err(self.breach(Rule::IoWriteFailAfterFirstByteTerminal, later, expected))
            }
            None if self.is_beginning() => Ok(()),
            // What stands behind the beginning is the end of a file, if it was said to be finished.
            None if self.with.last().is_some_and(is_ok) => Ok(()),
            None => {
                Err(self.differs(Rule::IoWriteFailAfterFirstByteTerminal, "a part of the file without the failure"))
            }
        }
    }

    /// No later step succeeds, and no byte comes behind those that were out when `at` failed.
    fn nothing_more(&self, at: usize) -> Kept {
        for later in at + 1..self.with.len() {
            if is_ok(&self.with[later]) {
                return Err(self.breach(self.terminal(later), later, "refused: the file is torn"));
            }
        }
        if !self.is_beginning() {
            return Err(self.differs(Rule::IoWriteFailAfterFirstByteTerminal, "a part of the file without the failure"));
        }
        Ok(())
    }

    /// Whether the sink holds nothing but a beginning of the file.
    fn is_beginning(&self) -> bool {
        self.without.bytes.starts_with(self.bytes)
    }

    fn terminal(&self, at: usize) -> Rule {
        match self.steps[at] {
            Step::Finish(_) => Rule::IoWriteFinishRefusesWhenPoisoned,
            _ => Rule::IoWriteFailAfterFirstByteTerminal,
        }
    }

    /// Judges the run in which step `at` was repeated, and has to succeed.
    ///
    /// # Errors
    /// The first clause that is broken.
    pub fn judge_retry(&self, at: usize) -> Kept {
        let rule = match (&self.steps[at], self.with.get(at + 1)) {
            (Step::Put(_), Some(StepResult::Refused { .. })) => Rule::IoWriteRetryNameFree,
            (step, _) => retryable(step),
        };
        for (later, result) in self.with.iter().enumerate().skip(at + 1) {
            if !is_ok(result) {
                return Err(self.breach(rule, later, "ok: the repeat of what had not begun"));
            }
        }
        if self.bytes != self.without.bytes {
            return Err(self.differs(Rule::IoWriteRetryIdentical, "the same file as without the failure"));
        }
        Ok(())
    }

    /// Judges the run in which step `at` was repeated, and must change nothing.
    ///
    /// # Errors
    /// The first clause that is broken.
    pub fn judge_refused(&self, at: usize) -> Kept {
        self.nothing_more(at)
    }

    /// Judges the run in which step `at` was repeated, and either succeeds or is refused for good.
    ///
    /// # Errors
    /// The first clause that is broken: what was torn or refused is not in the file all the same.
    pub fn judge_either(&self, at: usize) -> Judged {
        let is_composite = matches!(self.steps[at], Step::Put(NewItem::Composite(_)));
        let (resumed, ended) =
            if is_composite { (COMPOSITE_RESUMES, COMPOSITE_IS_FINAL) } else { (CLOSED_IS_RETRYABLE, CLOSED_IS_FINAL) };
        if self.with.get(at + 1).is_some_and(is_ok) {
            return self.judge_retry(at).map(|()| Some(resumed));
        }
        if !is_composite {
            return self.nothing_more(at).map(|()| Some(ended));
        }
        self.no_other_item(at)?;
        Ok(Some(if self.with.last().is_some_and(is_ok) { FINISHED_TORN } else { ended }))
    }

    /// Under a benign schedule the file is the same.
    fn same(&self) -> Kept {
        if let Some(at) = self.with.iter().position(|result| !is_ok(result)) {
            return Err(self.breach(Rule::IoWriteShortWriteResumes, at, "ok"));
        }
        if self.bytes == self.without.bytes {
            return Ok(());
        }
        let after_short = self.log.operations.iter().filter(|operation| is_short(operation)).map(end_of);
        let place = self.divergence();
        let rule = match after_short.into_iter().any(|end| end == place) {
            true => Rule::IoWriteShortWriteResumes,
            false => Rule::IoWriteScheduleIdentical,
        };
        Err(self.differs(rule, "the same file as without the schedule"))
    }

    /// Every step went well in spite of the failure.
    fn absorbed(&self, harm: Clause, operation: &Operation) -> Kept {
        let may_be_absorbed = matches!(operation.moved, Moved::Failed(_));
        if may_be_absorbed && self.bytes == self.without.bytes {
            return Ok(());
        }
        let mut breach = self.differs(self.swallowed(harm), "a failure, or the whole file");
        if self.bytes == self.without.bytes {
            breach.actual = "every step went well".to_owned();
        }
        Err(breach)
    }

    fn swallowed(&self, harm: Clause) -> Rule {
        match harm {
            Clause::Zero(_) | Clause::Closed(_) => Rule::IoWriteZeroWriteClosed,
            Clause::More { .. } => Rule::IoWriteShortWriteResumes,
            _ => Rule::IoWriteFailAfterFirstByteTerminal,
        }
    }

    /// A sink that takes nothing is not asked again and again.
    fn calls(&self, at: usize) -> Kept {
        let nothing = self.log.operations.iter().filter(|operation| operation.moved == Moved::Nothing).count() as u64;
        let steps = (self.with.len() - at) as u64;
        if nothing > MOST_CALLS * steps {
            let actual = format!("{nothing} calls in {steps} steps");
            let expected = "a sink that takes nothing taken for closed";
            return Err(Breach::of_range(Rule::IoWriteZeroWriteClosed, None, expected, actual));
        }
        Ok(())
    }

    fn breach(&self, rule: Rule, at: usize, expected: &str) -> Box<Breach> {
        let mut breach = Breach::of_step(rule, &self.steps[at], &self.with[at], expected);
        if let Some(state) = state(&self.with[at]) {
            let word = if state == WriterState::Usable { "usable" } else { "unusable" };
            breach.actual = format!("{}, {word}", breach.actual);
        }
        breach
    }

    /// The first position at which the sink does not hold what it would.
    fn divergence(&self) -> u64 {
        let pairs = self.bytes.iter().zip(&self.without.bytes);
        pairs.take_while(|(with, without)| with == without).count() as u64
    }

    fn differs(&self, rule: Rule, expected: &str) -> Box<Breach> {
        let (place, len, whole) = (self.divergence(), self.bytes.len(), self.without.bytes.len());
        let actual = format!("{len} bytes in place of {whole}, the first difference at byte {place}");
        let breach = Breach::of_range(rule, None, expected, actual);
        Box::new(Breach { fault: Fault::Wrong, ..*breach })
    }
}

/// Judges what must be refused: the step says so, the writer stays usable, and the file is the same as without it.
///
/// # Errors
/// `rule` is broken.
pub fn judge_argument(rule: Rule, at: usize, trial: &WriteTrial<'_>) -> Kept {
    let (step, result) = (&trial.steps[at], &trial.with[at]);
    match result {
        // It is not offered, so it is not refused either.
        StepResult::Unsupported {} => {}
        StepResult::Refused { state, .. } if *state != Some(WriterState::Unusable) => {}
        _ => {
            let mut breach = Breach::of_step(rule, step, result, "refused, and usable");
            breach.fault = if is_ok(result) { Fault::Accepted } else { fault_of(result) };
            return Err(breach);
        }
    }
    let others = trial.with.iter().enumerate().filter(|(other, _)| *other != at);
    for (other, result) in others {
        if !is_ok(result) {
            return Err(trial.breach(rule, other, "ok: what was refused costs nothing"));
        }
    }
    match trial.bytes == trial.without.bytes {
        true => Ok(()),
        false => Err(trial.differs(rule, "the same file as without what was refused")),
    }
}

fn is_ok(result: &StepResult) -> bool {
    matches!(result, StepResult::Ok(_))
}

fn is_harmed(operation: &Operation) -> bool {
    !matches!(operation.moved, Moved::Bytes(_) | Moved::Failed("interrupted"))
}

fn is_short(operation: &Operation) -> bool {
    matches!(operation.moved, Moved::Bytes(moved) if moved < operation.len)
}

fn end_of(operation: &Operation) -> u64 {
    match operation.moved {
        Moved::Bytes(moved) => operation.offset + moved,
        _ => operation.offset,
    }
}

/// The clause by which an item that has not begun can be submitted again.
fn retryable(step: &Step) -> Rule {
    match step {
        Step::Create(_) | Step::Header(_) => Rule::IoWriteHeaderRetryable,
        Step::Finish(_) => Rule::IoWriteFinishRetryable,
        _ => Rule::IoWriteFailBeforeFirstByteRetryable,
    }
}

fn state(result: &StepResult) -> Option<WriterState> {
    match result {
        StepResult::Refused { state, .. }
        | StepResult::Limit { state, .. }
        | StepResult::Io { state, .. }
        | StepResult::Error { state, .. } => *state,
        _ => None,
    }
}

#[cfg(test)]
mod tests;
