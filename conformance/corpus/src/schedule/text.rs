//! The text of a schedule: clauses of a few words each, joined by `; `; `whole` is none at all.
//!
//! Owns both directions, so that what a report prints can be given back to `--schedule`.

use std::fmt;
use std::str::FromStr;

use super::{Clause, Lasting, Schedule};

/// Every clause, as it is explained to who wrote something else.
const CLAUSES: &str = "whole, limit N, short N, split N, random seed=S max=M, interrupt every N, interrupt N before each, \
                       fail K once|sticky, fail byte N once|sticky, lose K, eof N, cut N, more N at K, \
                       change bytes after K, change size N after K, zero K, closed K";

/// A text that is no schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScheduleError {
    clause: String,
    why: &'static str,
}

impl fmt::Display for ScheduleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` {}; clauses are joined by `;`: {CLAUSES}", self.clause, self.why)
    }
}

impl std::error::Error for ScheduleError {}

impl FromStr for Schedule {
    type Err = ScheduleError;

    fn from_str(text: &str) -> Result<Self, ScheduleError> {
        if text.trim() == "whole" {
            return Ok(Schedule::default());
        }
        let clauses = text.split(';').map(|part| clause(part.trim()));
        Ok(Schedule { clauses: clauses.collect::<Result<_, _>>()? })
    }
}

fn clause(text: &str) -> Result<Clause, ScheduleError> {
    let fail = |why| ScheduleError { clause: text.to_owned(), why };
    let words: Vec<&str> = text.split_whitespace().collect();
    let number = |word: &str| word.parse::<u64>().map_err(|_| fail("has a word in place of a number"));
    // Operations and steps are counted from 1.
    let from = |least: u64, word: &str| {
        number(word).and_then(|n| if n < least { Err(fail("has too small a number")) } else { Ok(n) })
    };
    let lasting = |word: &str| match word {
        "once" => Ok(Lasting::Once),
        "sticky" => Ok(Lasting::Sticky),
        _ => Err(fail("has to end in `once` or `sticky`")),
    };
    let key = |word: &str, key: &str| {
        let value = word.strip_prefix(key).and_then(|rest| rest.strip_prefix('='));
        value.ok_or_else(|| fail("has to have the form `random seed=S max=M`")).and_then(number)
    };
    Ok(match words[..] {
        ["limit", n] => Clause::Limit(from(1, n)?),
        ["short", n] => Clause::Short(from(1, n)?),
        ["split", n] => Clause::Split(number(n)?),
        ["random", seed, max] => match (key(seed, "seed")?, key(max, "max")?) {
            (_, 0) => return Err(fail("has too small a number")),
            (seed, max) => Clause::Random { seed, max },
        },
        // Whoever goes on after each interruption would never come to an end with 1.
        ["interrupt", "every", n] => Clause::InterruptEvery(from(2, n)?),
        ["interrupt", n, "before", "each"] => Clause::InterruptBeforeEach(from(1, n)?),
        ["fail", "byte", n, last] => Clause::FailByte { offset: number(n)?, lasting: lasting(last)? },
        ["fail", k, last] => Clause::Fail { operation: from(1, k)?, lasting: lasting(last)? },
        ["lose", k] => Clause::Lose(from(1, k)?),
        ["eof", n] => Clause::Eof(number(n)?),
        ["cut", n] => Clause::Cut(number(n)?),
        ["more", n, "at", k] => Clause::More { extra: from(1, n)?, operation: from(1, k)? },
        ["change", "bytes", "after", k] => Clause::ChangeBytes(number(k)?),
        ["change", "size", n, "after", k] => Clause::ChangeSize { size: number(n)?, operation: number(k)? },
        ["zero", k] => Clause::Zero(from(1, k)?),
        ["closed", k] => Clause::Closed(from(1, k)?),
        _ => return Err(fail("is no clause")),
    })
}

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Clause::Limit(n) => write!(f, "limit {n}"),
            Clause::Short(n) => write!(f, "short {n}"),
            Clause::Split(n) => write!(f, "split {n}"),
            Clause::Random { seed, max } => write!(f, "random seed={seed} max={max}"),
            Clause::InterruptEvery(n) => write!(f, "interrupt every {n}"),
            Clause::InterruptBeforeEach(n) => write!(f, "interrupt {n} before each"),
            Clause::Fail { operation, lasting } => write!(f, "fail {operation} {lasting}"),
            Clause::FailByte { offset, lasting } => write!(f, "fail byte {offset} {lasting}"),
            Clause::Lose(k) => write!(f, "lose {k}"),
            Clause::Eof(n) => write!(f, "eof {n}"),
            Clause::Cut(n) => write!(f, "cut {n}"),
            Clause::More { extra, operation } => write!(f, "more {extra} at {operation}"),
            Clause::ChangeBytes(k) => write!(f, "change bytes after {k}"),
            Clause::ChangeSize { size, operation } => write!(f, "change size {size} after {operation}"),
            Clause::Zero(k) => write!(f, "zero {k}"),
            Clause::Closed(k) => write!(f, "closed {k}"),
        }
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.clauses.is_empty() {
            return f.write_str("whole");
        }
        for (at, clause) in self.clauses.iter().enumerate() {
            write!(f, "{}{clause}", if at == 0 { "" } else { "; " })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_a_person_writes_is_understood() {
        let parsed: Schedule = " interrupt every 2;limit  7 ; random seed=7 max=64".parse().expect("a schedule");
        let wanted = [Clause::InterruptEvery(2), Clause::Limit(7), Clause::Random { seed: 7, max: 64 }];
        assert_eq!(parsed.clauses, wanted);
        assert_eq!(parsed.to_string(), "interrupt every 2; limit 7; random seed=7 max=64");
        assert_eq!("whole".parse::<Schedule>().expect("none").to_string(), "whole");
    }

    #[test]
    fn what_is_no_schedule_is_said_to_be_none() {
        for text in [
            "",
            "limit",
            "limit 0",
            "limit x",
            "fail 0 once",
            "fail 3",
            "fail 3 twice",
            "interrupt every 1",
            "random seed=1",
            "random max=1 seed=1",
            "random seed=1 max=0",
            "whole; limit 1",
            "more 1",
            "limit 1;",
            "limit 99999999999999999999",
        ] {
            let error = text.parse::<Schedule>().expect_err(text);
            assert!(error.to_string().contains("fail byte N"), "{error}");
        }
    }

    fn clauses() -> impl Strategy<Value = Clause> {
        let n = || 1_u64..=u64::MAX;
        let lasting = || prop_oneof![Just(Lasting::Once), Just(Lasting::Sticky)];
        prop_oneof![
            n().prop_map(Clause::Limit),
            n().prop_map(Clause::Short),
            n().prop_map(Clause::Split),
            (n(), n()).prop_map(|(seed, max)| Clause::Random { seed, max }),
            (2_u64..=u64::MAX).prop_map(Clause::InterruptEvery),
            n().prop_map(Clause::InterruptBeforeEach),
            (n(), lasting()).prop_map(|(operation, lasting)| Clause::Fail { operation, lasting }),
            (n(), lasting()).prop_map(|(offset, lasting)| Clause::FailByte { offset, lasting }),
            n().prop_map(Clause::Lose),
            n().prop_map(Clause::Eof),
            n().prop_map(Clause::Cut),
            (n(), n()).prop_map(|(extra, operation)| Clause::More { extra, operation }),
            n().prop_map(Clause::ChangeBytes),
            (n(), n()).prop_map(|(size, operation)| Clause::ChangeSize { size, operation }),
            n().prop_map(Clause::Zero),
            n().prop_map(Clause::Closed),
        ]
    }

    proptest! {
        #[test]
        fn what_is_printed_is_read_back(clauses in proptest::collection::vec(clauses(), 0..5)) {
            let schedule = Schedule { clauses };
            prop_assert_eq!(schedule.to_string().parse::<Schedule>(), Ok(schedule));
        }
    }
}
