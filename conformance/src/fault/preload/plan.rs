//! Plans of the shim: what becomes of the calls of each class. Owns how a schedule becomes one.

use std::fmt;

use hurray_corpus::schedule::{Clause, Schedule, Side};

/// The error of a source that fails, and of a sink: as a disk has it.
const FAILURES: [&str; 2] = ["EIO", "ENOSPC"];

/// Rules for the shim, one a line; their words stand in `conformance/shim/README.md`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    text: String,
}

impl Plan {
    /// The plan that changes nothing.
    pub fn none() -> Plan {
        Plan::default()
    }

    /// The plan with one more rule.
    #[must_use]
    pub fn with(mut self, rule: impl fmt::Display) -> Plan {
        self.text.push_str(&format!("{rule}\n"));
        self
    }

    /// The plan with the rules of a schedule for the reads or the writes of a file. `None` for what no system call does:
    /// it never moves more than it was asked to. That a file is cut short is nobody's call, and adds no rule.
    #[must_use]
    pub fn with_schedule(self, schedule: &Schedule, side: Side) -> Option<Plan> {
        schedule.clauses.iter().try_fold(self, |plan, clause| match clause {
            Clause::Cut(_) => Some(plan),
            clause => Some(plan.with(rule(*clause, side)?)),
        })
    }
}

fn rule(clause: Clause, side: Side) -> Option<String> {
    let (class, errno) = match side {
        Side::Source => ("read", FAILURES[0]),
        Side::Sink => ("write", FAILURES[1]),
    };
    Some(match clause {
        Clause::Limit(n) => format!("{class} limit {n}"),
        Clause::Short(n) => format!("{class} short {n}"),
        Clause::Split(n) => format!("{class} split {n}"),
        Clause::Random { seed, max } => format!("{class} random {seed} {max}"),
        Clause::InterruptEvery(n) => format!("{class} interrupt {n}"),
        Clause::InterruptBeforeEach(n) => format!("{class} before {n}"),
        Clause::Fail { operation, lasting } => format!("{class} fail {operation} {errno} {lasting}"),
        Clause::FailByte { offset, lasting } => format!("{class} fail-byte {offset} {errno} {lasting}"),
        Clause::Lose(k) => format!("{class} lose {k} {errno}"),
        Clause::Eof(n) => format!("{class} eof {n} 0"),
        Clause::ChangeSize { size, operation } => format!("{class} eof {size} {operation}"),
        Clause::ChangeBytes(k) => format!("{class} change {k}"),
        Clause::Zero(k) => format!("{class} zero {k} once"),
        Clause::Closed(k) => format!("{class} zero {k} sticky"),
        Clause::More { .. } | Clause::Cut(_) => return None,
    })
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(schedule: &str, side: Side) -> Option<String> {
        let schedule = schedule.parse().expect(schedule);
        Plan::none().with_schedule(&schedule, side).map(|plan| plan.to_string())
    }

    #[test]
    fn a_schedule_becomes_the_rules_of_its_side() {
        let read = |text: &str| plan(text, Side::Source).expect(text);
        assert_eq!(read("whole"), "");
        assert_eq!(read("limit 1; fail 3 once"), "read limit 1\nread fail 3 EIO once\n");
        assert_eq!(read("change size 7 after 2; eof 9"), "read eof 7 2\nread eof 9 0\n");
        assert_eq!(read("cut 9; interrupt 3 before each"), "read before 3\n");
        let write = |text: &str| plan(text, Side::Sink).expect(text);
        assert_eq!(write("fail byte 100 sticky; closed 4"), "write fail-byte 100 ENOSPC sticky\nwrite zero 4 sticky\n");
    }

    #[test]
    fn what_no_call_does_has_no_plan() {
        assert_eq!(plan("limit 1; more 3 at 1", Side::Source), None);
    }
}
