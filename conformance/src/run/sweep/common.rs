//! What every sweep shares: ids, how binding a verdict is, and the calls of a program as a log.
//!
//! Owns no sweep. Decides nothing.

use crate::fault::preload::{Calls, How};
use crate::fault::{Log, Moved, Operation};
use crate::judge::profile::Profile;
use crate::judge::{Outcome, Verdict};
use crate::run::result::Scored;
use hurray_corpus::Class;
use hurray_corpus::schedule::Listed;

pub(in crate::run) fn model_id(name: &str) -> String {
    format!("models/{name}")
}

pub(in crate::run) fn id(listed: &Listed, name: &str) -> String {
    format!("schedules/{}/{name}", listed.id)
}

pub(in crate::run) fn only_ids<'a>(listed: impl Iterator<Item = (String, &'a Listed)>) -> Vec<String> {
    listed.map(|(id, _)| id).collect()
}

/// The same verdict on all that would have been tried.
pub(in crate::run) fn not_run(ids: Vec<String>, verdict: &Verdict) -> Vec<Scored> {
    ids.into_iter().map(|id| scored(id, verdict.clone())).collect()
}

pub(in crate::run) fn scored(id: String, verdict: Verdict) -> Scored {
    let class = class_of(&verdict);
    Scored::new(id, Profile::Io, class, verdict)
}

/// A schedule demands what is explicit, but where both was allowed.
pub(in crate::run) fn class_of(verdict: &Verdict) -> Class {
    if verdict.outcome == Outcome::Contested { Class::Contested } else { Class::Explicit }
}

/// Nothing can be said.
pub(in crate::run) fn unsupported(expected: &str, why: &str) -> Verdict {
    Verdict::good(Outcome::Unsupported, expected, why)
}

/// A file that comes out as it should, without any schedule.
pub(in crate::run) fn unharmed() -> Verdict {
    Verdict::good(Outcome::Passed, "the file", "as it is, without a schedule")
}

/// The reads or writes of a program, as the judge takes them.
pub(in crate::run) fn log_of(calls: &Calls, class: &str) -> Log {
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
