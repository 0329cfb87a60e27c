//! I/O schedules as data: how a source or a sink misbehaves, in a form that a person can write and read.
//!
//! Owns the clauses, what sort of misbehaviour each is, and (in [`text`]) their text. Does nothing
//! itself. It must not know what obeys a schedule, or what a schedule demands of a candidate.

mod list;
mod text;

use strum::Display;

pub use list::{Listed, ScheduleList, Sweep};
pub use text::ScheduleError;

/// Clauses that hold at the same time; none at all is a source or sink without fault.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// The clauses, in the order written.
    pub clauses: Vec<Clause>,
}

/// One way to misbehave. Operations are the reads of a source or the writes of a sink, counted from 1; positions are
/// absolute offsets in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clause {
    /// `limit N`: at most N bytes an operation.
    Limit(u64),
    /// `short N`: N bytes less than asked for or offered, and at least one.
    Short(u64),
    /// `split N`: no operation moves bytes from both sides of position N.
    Split(u64),
    /// `random seed=S max=M`: 1 to M bytes an operation.
    Random {
        /// Where the random numbers begin.
        seed: u64,
        /// Most bytes of one operation.
        max: u64,
    },
    /// `interrupt every N`: each N-th operation is interrupted and moves nothing.
    InterruptEvery(u64),
    /// `interrupt N before each`: N interruptions before each operation that moves something.
    InterruptBeforeEach(u64),
    /// `fail K once`, `fail K sticky`: operation K, or each from K on, fails and moves nothing.
    Fail {
        /// The operation.
        operation: u64,
        /// Only that one, or all that follow too.
        lasting: Lasting,
    },
    /// `fail byte N once`, `fail byte N sticky`: bytes before position N are moved; the operation at N fails.
    FailByte {
        /// The position.
        offset: u64,
        /// Only the first operation there, or each.
        lasting: Lasting,
    },
    /// `lose K`: operation K moves its bytes, but the count is lost: a failure is reported. A source leaves other bytes
    /// than its own behind.
    Lose(u64),
    /// `eof N`: the source claims its whole size and ends at position N.
    Eof(u64),
    /// `cut N`: the file has only its first N bytes, and says so.
    Cut(u64),
    /// `more N at K`: operation K reports N bytes more than were asked for or offered.
    More {
        /// Bytes too many.
        extra: u64,
        /// The operation.
        operation: u64,
    },
    /// `change bytes after K`: behind operation K every byte of the source is another one.
    ChangeBytes(u64),
    /// `change size N after K`: behind operation K the source ends at position N.
    ChangeSize {
        /// The new end.
        size: u64,
        /// The last operation on the old file.
        operation: u64,
    },
    /// `zero K`: operation K of a sink takes nothing and says so; later ones take again.
    Zero(u64),
    /// `closed K`: from operation K on a sink takes nothing.
    Closed(u64),
}

/// Whether a failure passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display)]
#[strum(serialize_all = "snake_case")]
pub enum Lasting {
    /// It comes once.
    Once,
    /// It stays.
    Sticky,
}

/// What sort of misbehaviour it is, and so what may be demanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Nature {
    /// As any transport may behave at any time: nothing may come out differently.
    Benign,
    /// A failure that is reported: it has to be passed on, and no more than that may be lost.
    Failing,
    /// The transport says what is not so: an error, never data.
    Lying,
}

/// Which end of a transport.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display)]
#[strum(serialize_all = "snake_case")]
pub enum Side {
    /// Read from.
    Source,
    /// Written to.
    Sink,
}

impl Clause {
    /// What sort of misbehaviour it is.
    pub fn nature(self) -> Nature {
        match self {
            Clause::Limit(_)
            | Clause::Short(_)
            | Clause::Split(_)
            | Clause::Random { .. }
            | Clause::InterruptEvery(_)
            | Clause::InterruptBeforeEach(_) => Nature::Benign,
            Clause::Fail { .. } | Clause::FailByte { .. } | Clause::Lose(_) | Clause::Zero(_) | Clause::Closed(_) => {
                Nature::Failing
            }
            Clause::Eof(_)
            | Clause::Cut(_)
            | Clause::More { .. }
            | Clause::ChangeBytes(_)
            | Clause::ChangeSize { .. } => Nature::Lying,
        }
    }

    /// Whether it means something on that side.
    pub fn fits(self, side: Side) -> bool {
        match self {
            Clause::Eof(_) | Clause::Cut(_) | Clause::ChangeBytes(_) | Clause::ChangeSize { .. } => {
                side == Side::Source
            }
            Clause::Zero(_) | Clause::Closed(_) => side == Side::Sink,
            _ => true,
        }
    }
}

impl Schedule {
    /// The worst of its clauses.
    pub fn nature(&self) -> Nature {
        self.clauses.iter().map(|clause| clause.nature()).max().unwrap_or(Nature::Benign)
    }

    /// Whether every clause means something on that side.
    pub fn fits(&self, side: Side) -> bool {
        self.clauses.iter().all(|clause| clause.fits(side))
    }

    /// The clauses that are not benign.
    pub fn harms(&self) -> impl Iterator<Item = Clause> {
        self.clauses.iter().copied().filter(|clause| clause.nature() != Nature::Benign)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schedule(text: &str) -> Schedule {
        text.parse().expect(text)
    }

    #[test]
    fn a_schedule_is_as_bad_as_its_worst_clause() {
        for (text, nature) in [
            ("whole", Nature::Benign),
            ("limit 1; interrupt every 2", Nature::Benign),
            ("limit 1; fail 3 once", Nature::Failing),
            ("fail 3 once; eof 100", Nature::Lying),
        ] {
            assert_eq!(schedule(text).nature(), nature, "{text}");
        }
        assert_eq!(schedule("limit 1; fail 3 once").harms().count(), 1);
    }

    #[test]
    fn some_clauses_have_only_one_side() {
        assert!(schedule("limit 1; lose 2").fits(Side::Source) && schedule("limit 1; lose 2").fits(Side::Sink));
        assert!(!schedule("limit 1; eof 2").fits(Side::Sink));
        assert!(!schedule("limit 1; closed 2").fits(Side::Source));
    }
}
