//! What every sweep shares: the verdicts that say why nothing was tried, and the calls of a program as a log.
//!
//! Owns no sweep. Decides nothing.

use crate::fault::preload::{Calls, How};
use crate::fault::{Log, Moved, Operation};
use crate::judge::{Injected, Outcome, Verdict};
use crate::transport::Death;
use hurray_corpus::Class;
use hurray_corpus::schedule::Schedule;

/// A candidate died under a schedule: the verdict says how to see it again.
pub(super) fn died(schedule: &Schedule, over: &str, death: &Death, log: &Log) -> Verdict {
    let operation = log.first_changed().map(|(number, operation)| (number, operation.offset, operation.len));
    let injected = Injected { schedule: schedule.to_string(), over: over.to_owned(), operation };
    Verdict { injected: Some(Box::new(injected)), ..Verdict::died(&death.cause, "an answer") }
}

/// The harness could not run a script.
pub(super) fn suite_failed(why: &str) -> Box<Verdict> {
    Box::new(Verdict::not_run(why))
}

/// One file of each sort. Of these every position is tried on a candidate in a process of its own, and by its path; of others
/// there only the ends and the middles.
pub(super) const ONE_OF_EACH: [&str; 5] =
    ["bases/one-f32", "bases/pair", "bases/kv-entries", "bases/two-buffers", "bases/empty-vector"];

/// A schedule demands what is explicit, but where both was allowed.
pub(super) fn class_of(verdict: &Verdict) -> Class {
    if verdict.outcome == Outcome::Contested { Class::Contested } else { Class::Explicit }
}

/// Nothing can be said.
pub(super) fn unsupported(expected: &str, why: &str) -> Box<Verdict> {
    Box::new(Verdict::good(Outcome::Unsupported, expected, why))
}

/// A file that comes out as it should, without any schedule.
pub(super) fn unharmed() -> Verdict {
    Verdict::good(Outcome::Passed, "the file", "as it is, without a schedule")
}

/// The reads or writes of a program, as the judge takes them.
pub(super) fn log_of(calls: &Calls, class: &str) -> Log {
    let mut log = Log::default();
    for call in calls.of(class) {
        let moved = match (call.how, u64::try_from(call.returned)) {
            (How::Lost, _) => Moved::Lost,
            (_, Ok(0)) => Moved::Nothing,
            (_, Ok(moved)) => Moved::Bytes(moved),
            (_, Err(_)) => Moved::Failed("other"),
        };
        if call.how != How::Real && log.changed.is_none() {
            log.changed = Some(log.operations.len());
        }
        log.operations.push(Operation { offset: call.offset.unwrap_or(0), len: call.len, moved });
        log.count += 1;
    }
    log
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_become_operations_and_the_first_that_was_changed_is_known() {
        let calls = "open 1 open - 0 3 0 real\nread 1 read 0 64 64 0 real\nread 2 read 64 9 -1 5 fail\n\
                     read 3 read 64 9 4 0 less\nread 4 read 68 5 0 0 real\nread 5 pread 9 1 -1 5 lost\n";
        let log = log_of(&Calls::parse(calls).expect("a log"), "read");
        let moved: Vec<Moved> = log.operations.iter().map(|operation| operation.moved).collect();
        let wanted = [Moved::Bytes(64), Moved::Failed("other"), Moved::Bytes(4), Moved::Nothing, Moved::Lost];
        assert_eq!(moved, wanted);
        assert_eq!(log.first_changed().map(|(number, operation)| (number, operation.offset)), Some((2, 64)));
        assert_eq!(log_of(&Calls::default(), "read"), Log::default());
    }
}
