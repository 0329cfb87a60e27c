//! A program whose system calls on a file misbehave, beside itself without that. It claims nothing but to read and write
//! files, so what is demanded is what holds for everybody: nothing comes out differently because bytes came in pieces,
//! an error is told as one, and never data that was not there, nor a file that is not whole.

use hurray_adapter::{Observed, Step, StepResult};

use super::read::{stripped, without_data};
use super::{Breach, Kept, fault_of, rule_of};
use crate::faulty::Log;
use crate::schedule::{Clause, Nature, Schedule};
use crate::verdict::Fault;

/// One run under a schedule.
pub struct PathTrial<'a> {
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

impl PathTrial<'_> {
    /// Judges a program that reads.
    ///
    /// # Errors
    /// The first step that may not come out as it did.
    pub fn judge_read(&self) -> Kept {
        let harms: Vec<Clause> = self.schedule.harms().collect();
        if let ([Clause::Cut(_)], Some(StepResult::Ok(_))) = (harms.as_slice(), self.with.first()) {
            let breach = self.breach(0, "an error: the file is not whole");
            return breach.map_err(|breach| Box::new(Breach { fault: Fault::Accepted, ..*breach }));
        }
        let may_change = harms.iter().any(|clause| matches!(clause, Clause::ChangeBytes(_)));
        let (wanted, is_fine): (_, fn(&StepResult) -> bool) = match self.schedule.nature() {
            Nature::Benign => ("the same as without the schedule", |_| false),
            Nature::Failing => ("io or error, or what was there", is_failure),
            // Bytes that are not those of the file may make it a bad one.
            Nature::Lying => ("an error, or what was there", |result| is_failure(result) || is_refusal(result)),
        };
        let mut is_closed = false;
        for (at, (without, with)) in self.without.iter().zip(self.with).enumerate() {
            // Where no file is open, every later step is refused.
            let follows = is_closed && matches!(with, StepResult::Refused { .. });
            if without == with || follows || is_fine(with) || (may_change && is_same_but_data(without, with)) {
                is_closed |= without != with && matches!(self.steps.get(at), Some(Step::Open(_)));
                continue;
            }
            return self.breach(at, wanted);
        }
        Ok(())
    }

    /// Judges a program that writes: `left` is what it left of the file `whole`.
    ///
    /// # Errors
    /// It says that all went well and it did not, or fails without a reason.
    pub fn judge_written(&self, whole: &[u8], left: Option<&[u8]>) -> Kept {
        let failed = self.with.iter().position(|result| !matches!(result, StepResult::Ok(_)));
        let Some(at) = failed else {
            if left == Some(whole) {
                return Ok(());
            }
            let (there, all) = (left.map_or(0, <[u8]>::len), whole.len());
            let actual = format!("ok, and another file: {there} bytes, and {all} without the schedule");
            let breach =
                self.breach(self.with.len().saturating_sub(1), "the same file as without the schedule, or an error");
            return breach.map_err(|breach| Box::new(Breach { fault: Fault::Wrong, actual, ..*breach }));
        };
        let is_benign = self.schedule.nature() == Nature::Benign;
        // After the step that failed, the others may be refused.
        let others = self.with.iter().skip(at + 1).all(|result| !matches!(result, StepResult::Unsupported {}));
        match self.with.get(at) {
            Some(result) if is_failure(result) && others && !is_benign => Ok(()),
            _ if is_benign => self.breach(at, "the same as without the schedule"),
            _ => self.breach(at, "io or error"),
        }
    }

    /// Under the rule of the worst clause.
    fn breach(&self, at: usize, expected: &str) -> Kept {
        let worst = self.schedule.harms().next().or_else(|| self.schedule.clauses.first().copied());
        match (worst, self.steps.get(at), self.with.get(at)) {
            (Some(clause), Some(step), Some(result)) => Err(Breach::of_step(rule_of(clause), step, result, expected)),
            _ => Ok(()),
        }
    }
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
        let schedule: Schedule = schedule.parse().expect("a schedule");
        let without = vec![result(json!({"ok": {}})), ok("aa")];
        let steps = [Step::Open(hurray_adapter::Opening::default()), Step::All(Nothing {})];
        let log = Log::default();
        let trial = PathTrial { schedule: &schedule, steps: &steps, without: &without, with: &with, log: &log };
        trial.judge_read().err().map(|breach| breach.fault)
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
        assert_eq!(judge("interrupt every 2", opened(io())), Some(Fault::Io));
    }

    #[test]
    fn a_failure_is_told_as_one() {
        assert_eq!(judge("fail 3 once", opened(io())), None);
        assert_eq!(judge("fail 3 once", opened(result(json!({"error": {"message": ""}})))), None);
        assert_eq!(judge("fail 3 once", opened(reject())), Some(Fault::Rejected));
        assert_eq!(judge("fail 3 once", opened(ok("bb"))), Some(Fault::Wrong));
        let refused = result(json!({"refused": {"message": ""}}));
        assert_eq!(judge("fail 1 once", vec![io(), refused.clone()]), None);
        assert_eq!(judge("fail 1 once", opened(refused)), Some(Fault::Refused));
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

    #[test]
    fn a_file_that_is_not_whole_is_no_success() {
        let schedule = |text: &str| text.parse::<Schedule>().expect("a schedule");
        let fault = |text: &str, with: StepResult, left: &[u8]| {
            let (schedule, log) = (schedule(text), Log::default());
            let steps = [Step::Finish(hurray_adapter::Entries { kv: Vec::new() })];
            let trial = PathTrial { schedule: &schedule, steps: &steps, without: &[], with: &[with], log: &log };
            trial.judge_written(b"abcd", Some(left)).err().map(|breach| breach.fault)
        };
        let done = || result(json!({"ok": {}}));
        assert_eq!(fault("fail 2 once", io(), b"ab"), None);
        assert_eq!(fault("fail 2 once", done(), b"abcd"), None);
        assert_eq!(fault("fail 2 once", done(), b"ab"), Some(Fault::Wrong));
        assert_eq!(fault("fail 2 once", reject(), b"ab"), Some(Fault::Rejected));
        assert_eq!(fault("limit 1", io(), b"ab"), Some(Fault::Io));
        assert_eq!(fault("limit 1", done(), b"abcd"), None);
    }
}
