//! Exit codes, a contract. The worst wins.

use std::process::ExitCode;

use crate::run::CandidateRun;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// 0: as expected.
    Expected,
    /// 1: a candidate fails.
    Fails,
    /// 2: an adapter is broken.
    AdapterBroken,
    /// 3: the suite is broken.
    SuiteBroken,
    /// 4: nothing ran.
    NothingRan,
    /// 64: wrong usage.
    Usage,
}

impl Exit {
    /// The number.
    pub fn code(self) -> u8 {
        match self {
            Exit::Expected => 0,
            Exit::Fails => 1,
            Exit::AdapterBroken => 2,
            Exit::SuiteBroken => 3,
            Exit::NothingRan => 4,
            Exit::Usage => 64,
        }
    }

    /// What one candidate's run comes to.
    pub fn of(run: &CandidateRun) -> Exit {
        if run.broken.is_some() {
            Exit::AdapterBroken
        } else if run.selected.is_empty() && run.results.is_empty() {
            Exit::NothingRan
        } else if run.fails() {
            Exit::Fails
        } else {
            Exit::Expected
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}
