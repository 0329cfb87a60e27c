//! A reader or writer whose transport misbehaves, beside itself without that. It claims nothing but to read and write
//! files, so what is demanded is what holds for everybody: nothing comes out differently because bytes came in pieces,
//! an error is told as one, and never data that was not there, nor a file that is not whole.
//!
//! Where the contract has a clause and plain habit another one, both are allowed to who does not claim it, and told:
//! whether an interrupted transfer is made again, and whether a writer goes on behind what is torn.

use hurray_adapter::{Observed, Step, StepResult};
use hurray_spec::Rule;

use super::read::{stripped, without_data};
use super::{Breach, Choice, Judged, fault_of, rule_of, rule_of_writer};
use crate::fault::Log;
use crate::judge::Fault;
use hurray_corpus::schedule::{Clause, Nature, Schedule};

/// One run under a schedule.
pub struct PlainTrial<'a> {
    /// The schedule.
    pub schedule: &'a Schedule,
    /// The steps.
    pub steps: &'a [Step],
    /// The results without it, comparable.
    pub without: &'a [StepResult],
    /// The results with it, comparable.
    pub with: &'a [StepResult],
    /// Its reads or writes.
    pub log: &'a Log,
}

const MADE_AGAIN: Choice = Choice::preferred("an interrupted transfer is made again");
const GIVEN_UP: Choice = Choice::other("an interrupted transfer is told as a failure, and not made again");
const ENDS_TORN: Choice = Choice::preferred("nothing is written behind a torn item");
const GOES_ON_TORN: Choice = Choice::other("it goes on behind a torn item, as if it were not there");

impl PlainTrial<'_> {
    /// Judges a reader.
    ///
    /// # Errors
    /// The first step that may not come out as it did.
    pub fn judge_read(&self) -> Judged {
        let harms: Vec<Clause> = self.schedule.harms().collect();
        if let ([Clause::Cut(_)], Some(StepResult::Ok(_))) = (harms.as_slice(), self.with.first()) {
            let breach = self.breach(0, "an error: the file is not whole");
            return breach.map_err(|breach| Box::new(Breach { fault: Fault::Accepted, ..*breach }));
        }
        let may_change = harms.iter().any(|clause| matches!(clause, Clause::ChangeBytes(_)));
        let is_interrupted = is_interrupted(self.schedule);
        let (wanted, is_fine): (_, fn(&StepResult) -> bool) = match self.schedule.nature() {
            Nature::Benign if is_interrupted => ("the same as without the schedule, or io", is_failure),
            Nature::Benign => ("the same as without the schedule", |_| false),
            Nature::Failing => ("io or error, or what was there", is_failure),
            // Bytes that are not those of the file may make it a bad one.
            Nature::Lying => ("an error, or what was there", |result| is_failure(result) || is_refusal(result)),
        };
        let (mut is_closed, mut has_failed, mut may_give_up) = (false, false, false);
        for (at, (without, with)) in self.without.iter().zip(self.with).enumerate() {
            has_failed |= without != with;
            // A reader that has failed, or has no file open, may refuse every later step.
            let follows = (is_closed || may_give_up) && matches!(with, StepResult::Refused { .. });
            if without == with || follows || is_fine(with) || (may_change && is_same_but_data(without, with)) {
                may_give_up |= is_failure(with);
                is_closed |= without != with && matches!(self.steps.get(at), Some(Step::Open(_)));
                continue;
            }
            return self.breach(at, wanted);
        }
        let is_choice = is_interrupted && self.schedule.nature() == Nature::Benign;
        Ok(is_choice.then_some(if has_failed { GIVEN_UP } else { MADE_AGAIN }))
    }

    /// Judges a writer: `left` is what it left of the file `whole`.
    ///
    /// # Errors
    /// It says that all went well and it did not, or fails without a reason.
    pub fn judge_written(&self, whole: &[u8], left: Option<&[u8]>) -> Judged {
        let is_benign = self.schedule.nature() == Nature::Benign;
        let is_interrupted = is_interrupted(self.schedule);
        let is_choice = is_interrupted && is_benign;
        let Some(at) = self.failed() else {
            if left == Some(whole) {
                return Ok(is_choice.then_some(MADE_AGAIN));
            }
            let actual = format!("ok, and {}", other_file(whole, left));
            let last = self.with.len().saturating_sub(1);
            return self.wrong(last, "the same file as without the schedule, or an error", actual);
        };
        // After the step that failed, the others may be refused.
        let others = self.with.iter().skip(at + 1).all(|result| !matches!(result, StepResult::Unsupported {}));
        match self.with.get(at) {
            Some(result) if is_failure(result) && others && (!is_benign || is_interrupted) => {
                Ok(is_choice.then_some(GIVEN_UP))
            }
            _ if is_benign => self.breach(at, "the same as without the schedule"),
            _ => self.breach(at, "io or error"),
        }
    }

    /// Judges what a sink held when step `at` had failed: `out` was there before it. `unreadable` tells why what it holds in
    /// the end is no file, if so.
    ///
    /// # Errors
    /// It is no beginning of the file; or the writer goes on, and says in the end that it finished a file that is none.
    pub fn judge_sink(
        &self,
        at: usize,
        whole: &[u8],
        (held, out): (&[u8], u64),
        unreadable: impl FnOnce() -> Option<String>,
    ) -> Judged {
        // A count that is lost may be made up for by writing the same again.
        let is_lost = self.schedule.harms().any(|clause| matches!(clause, Clause::Lose(_)));
        if !whole.starts_with(held) && !is_lost {
            let actual = format!("a failure, and {}", other_file(whole, Some(held)));
            return self.wrong(at, "a beginning of the file when it fails", actual);
        }
        let is_torn = held.len() as u64 > out;
        let goes_on = self.with.iter().skip(at + 1).any(|result| matches!(result, StepResult::Ok(_)));
        let has_more = at + 1 < self.with.len();
        let last = self.with.len().saturating_sub(1);
        let is_finished = goes_on && matches!(self.with.get(last), Some(StepResult::Ok(_)));
        // Of bytes that were taken, and were told not to be, nobody can know.
        if is_torn
            && is_finished
            && !is_lost
            && let Some(why) = unreadable()
        {
            let breach = self.breach(last, "a failure, or a file that can be read: an item before is torn");
            let actual = format!("ok, and no file: {why}");
            let rule = Rule::IoWriteFinishRefusesWhenPoisoned;
            return breach.map_err(|breach| Box::new(Breach { rule, fault: Fault::Invalid, actual, ..*breach }));
        }
        Ok((is_torn && has_more).then_some(if goes_on { GOES_ON_TORN } else { ENDS_TORN }))
    }

    /// The first step that failed.
    pub fn failed(&self) -> Option<usize> {
        self.with.iter().position(|result| !matches!(result, StepResult::Ok(_)))
    }

    fn wrong(&self, at: usize, expected: &str, actual: String) -> Judged {
        self.breach(at, expected).map_err(|breach| Box::new(Breach { fault: Fault::Wrong, actual, ..*breach }))
    }

    /// Under the rule of the worst clause.
    fn breach(&self, at: usize, expected: &str) -> Judged {
        let worst = self.schedule.harms().next().or_else(|| self.schedule.clauses.first().copied());
        match (worst, self.steps.get(at), self.with.get(at)) {
            (Some(clause), Some(step), Some(result)) => {
                let rule = if writes(step) { rule_of_writer(clause) } else { rule_of(clause) };
                Err(Breach::of_step(rule, step, result, expected))
            }
            _ => Ok(None),
        }
    }
}

fn other_file(whole: &[u8], left: Option<&[u8]>) -> String {
    let left = left.unwrap_or_default();
    let same = left.iter().zip(whole).take_while(|(left, whole)| left == whole).count();
    let (there, all) = (left.len(), whole.len());
    format!("another file: {there} bytes, {all} without the schedule, the first difference at byte {same}")
}

fn writes(step: &Step) -> bool {
    matches!(step, Step::Write(_) | Step::Create(_) | Step::Header(_) | Step::Put(_) | Step::Finish(_))
}

fn is_interrupted(schedule: &Schedule) -> bool {
    let interrupts = |clause: &Clause| matches!(clause, Clause::InterruptEvery(_) | Clause::InterruptBeforeEach(_));
    schedule.clauses.iter().any(interrupts)
}

/// The transport failed, in whatever words.
fn is_failure(result: &StepResult) -> bool {
    matches!(result, StepResult::Io { .. } | StepResult::Error { .. })
}

/// The file is at fault, or too much for it.
fn is_refusal(result: &StepResult) -> bool {
    matches!(fault_of(result), Fault::Rejected | Fault::Limit | Fault::Refused)
}

/// No checksum covers the bytes of tensors.
fn is_same_but_data(without: &StepResult, with: &StepResult) -> bool {
    let seen: Option<Observed> = match with {
        StepResult::Ok(seen) => Some(stripped(seen)),
        _ => None,
    };
    seen.is_some() && without_data(without) == seen
}

#[cfg(test)]
mod tests {
    use hurray_adapter::Operation as Nothing;
    use serde_json::json;

    use super::*;

    fn result(value: serde_json::Value) -> StepResult {
        serde_json::from_value(value).expect("a result")
    }

    fn ok(sha256: &str) -> StepResult {
        result(json!({"ok": {"buffers": [{"len": "4", "sha256": sha256}]}}))
    }

    fn judge(schedule: &str, with: Vec<StepResult>) -> Option<Fault> {
        judged(schedule, with).err()
    }

    fn judged(schedule: &str, with: Vec<StepResult>) -> Result<Option<Choice>, Fault> {
        let schedule: Schedule = schedule.parse().expect("a schedule");
        let without = vec![result(json!({"ok": {}})), ok("aa")];
        let steps = [Step::Open(hurray_adapter::Opening::default()), Step::All(Nothing {})];
        let log = Log::default();
        let trial = PlainTrial { schedule: &schedule, steps: &steps, without: &without, with: &with, log: &log };
        trial.judge_read().map_err(|breach| breach.fault)
    }

    fn opened(second: StepResult) -> Vec<StepResult> {
        vec![result(json!({"ok": {}})), second]
    }

    fn io() -> StepResult {
        result(json!({"io": {"kind": "other"}}))
    }

    fn reject() -> StepResult {
        result(json!({"reject": {"message": ""}}))
    }

    #[test]
    fn bytes_in_pieces_change_nothing() {
        assert_eq!(judge("limit 1", opened(ok("aa"))), None);
        assert_eq!(judge("limit 1", opened(ok("bb"))), Some(Fault::Wrong));
        assert_eq!(judge("limit 1", opened(io())), Some(Fault::Io));
    }

    #[test]
    fn an_interruption_may_be_told_and_never_changes_data() {
        let shown = |with| judged("interrupt every 2", with).map(|choice| choice.map(|choice| choice.is_preferred));
        assert_eq!(shown(opened(ok("aa"))), Ok(Some(true)));
        assert_eq!(shown(opened(io())), Ok(Some(false)));
        assert_eq!(shown(opened(ok("bb"))), Err(Fault::Wrong));
        assert_eq!(shown(opened(reject())), Err(Fault::Rejected));
    }

    #[test]
    fn a_failure_is_told_as_one() {
        assert_eq!(judge("fail 3 once", opened(io())), None);
        assert_eq!(judge("fail 3 once", opened(result(json!({"error": {"message": ""}})))), None);
        assert_eq!(judge("fail 3 once", opened(reject())), Some(Fault::Rejected));
        assert_eq!(judge("fail 3 once", opened(ok("bb"))), Some(Fault::Wrong));
        let refused = result(json!({"refused": {"message": ""}}));
        assert_eq!(judge("fail 1 once", vec![io(), refused.clone()]), None);
        assert_eq!(judge("fail 1 once", opened(refused.clone())), Some(Fault::Refused));
        assert_eq!(judge("fail 1 once", vec![refused.clone(), refused]), Some(Fault::Refused));
    }

    #[test]
    fn a_lie_is_never_data() {
        assert_eq!(judge("eof 9", opened(reject())), None);
        assert_eq!(judge("eof 9", opened(ok("bb"))), Some(Fault::Wrong));
        assert_eq!(judge("change bytes after 2", opened(ok("bb"))), None);
        assert_eq!(judge("change bytes after 2", opened(result(json!({"not_found": {}})))), Some(Fault::NotFound));
        assert_eq!(judge("cut 9", opened(ok("aa"))), Some(Fault::Accepted));
        assert_eq!(judge("cut 9", vec![reject(), reject()]), None);
    }

    /// A run of one step after the other, by their results.
    fn written(
        text: &str,
        with: &[StepResult],
        judge: impl Fn(&PlainTrial<'_>) -> Judged,
    ) -> Result<Option<bool>, Fault> {
        let (schedule, log) = (text.parse::<Schedule>().expect("a schedule"), Log::default());
        let steps = vec![Step::Finish(hurray_adapter::Entries { kv: Vec::new() }); with.len()];
        let trial = PlainTrial { schedule: &schedule, steps: &steps, without: &[], with, log: &log };
        judge(&trial).map(|choice| choice.map(|choice| choice.is_preferred)).map_err(|breach| breach.fault)
    }

    #[test]
    fn a_file_that_is_not_whole_is_no_success() {
        let left = |text: &str, with: StepResult, left: &[u8]| {
            written(text, &[with], |trial| trial.judge_written(b"abcd", Some(left)))
        };
        let done = || result(json!({"ok": {}}));
        assert_eq!(left("fail 2 once", io(), b"ab"), Ok(None));
        assert_eq!(left("fail 2 once", done(), b"abcd"), Ok(None));
        assert_eq!(left("fail 2 once", done(), b"ab"), Err(Fault::Wrong));
        assert_eq!(left("fail 2 once", reject(), b"ab"), Err(Fault::Rejected));
        assert_eq!(left("limit 1", io(), b"ab"), Err(Fault::Io));
        assert_eq!(left("limit 1", done(), b"abcd"), Ok(None));
        assert_eq!(left("interrupt every 2", io(), b"ab"), Ok(Some(false)));
        assert_eq!(left("interrupt every 2", done(), b"abcd"), Ok(Some(true)));
        assert_eq!(left("interrupt every 2", done(), b"ab"), Err(Fault::Wrong));
    }

    #[test]
    fn a_sink_holds_a_beginning_of_the_file_when_a_write_fails() {
        let done = || result(json!({"ok": {}}));
        let held = |text: &str, then: StepResult, held: &[u8]| {
            written(text, &[done(), io(), then], |trial| trial.judge_sink(1, b"abcd", (held, 2), || None))
        };
        let finished = |text: &str, then: StepResult| {
            let why = || Some("reject".to_owned());
            written(text, &[done(), io(), then], |trial| trial.judge_sink(1, b"abcd", (b"abc", 2), why))
        };
        assert_eq!(finished("fail 2 once", done()), Err(Fault::Invalid), "finished, and no file");
        assert_eq!(finished("fail 2 once", io()), Ok(Some(true)));
        assert_eq!(finished("lose 2", done()), Ok(Some(false)));
        assert_eq!(held("fail 2 once", io(), b"ab"), Ok(None), "nothing of the item is out");
        assert_eq!(held("fail 2 once", io(), b"abc"), Ok(Some(true)));
        assert_eq!(held("fail 2 once", done(), b"abc"), Ok(Some(false)), "it goes on behind a torn item");
        assert_eq!(held("fail 2 once", io(), b"abx"), Err(Fault::Wrong));
        assert_eq!(held("lose 2", io(), b"abx"), Ok(Some(true)));
        let of_writer = written("zero 2", &[reject()], |trial| {
            trial.judge_written(b"abcd", None).inspect_err(|breach| {
                assert_eq!(breach.rule, hurray_spec::Rule::IoWriteZeroWriteClosed);
            })
        });
        assert_eq!(of_writer, Err(Fault::Rejected));
    }
}
