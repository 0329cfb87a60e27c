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
    /// 3: the suite is broken, or could not run a case.
    SuiteBroken,
    /// 4: nothing ran.
    NothingRan,
    /// 64: wrong usage.
    Usage,
    /// 130: somebody interrupted the run; nothing is said of anybody.
    Interrupted,
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
            Exit::Interrupted => 130,
        }
    }

    /// What a run comes to: the worst of its candidates. Nothing ran if no candidate was asked anything.
    pub fn of(runs: &[CandidateRun]) -> Exit {
        if runs.iter().all(|run| run.broken.is_none() && run.results.is_empty() && run.mismatches.is_empty()) {
            return Exit::NothingRan;
        }
        let worst = runs.iter().map(|run| match run {
            run if run.is_incomplete() => Exit::SuiteBroken,
            run if run.broken.is_some() => Exit::AdapterBroken,
            run if run.fails() => Exit::Fails,
            _ => Exit::Expected,
        });
        worst.max().unwrap_or(Exit::NothingRan)
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}
