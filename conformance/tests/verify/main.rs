//! `--verify-adapter` under test: every candidate of the zoo, and every template of the kit broken on purpose, gets the
//! diagnosis that it deserves; and the files for a CI of one's own. What needs a program that is not installed is ignored.

#[path = "../common/mod.rs"]
mod common;
mod own_ci;
mod templates;
mod zoo;

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use hurray_conformance::candidates::{Prepared, Start};
use hurray_conformance::judge::known::KnownFailures;
use hurray_conformance::run::{CandidateRun, Files, Selection, Silent, run_candidate};
use hurray_conformance::tool::adapter_check::{Status, Verification, verify};
use hurray_conformance::transport::worker::{Launch, Limits};
use hurray_corpus::VectorSet;
use libtest_mimic::{Arguments, Failed};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let suite = Arc::new(Suite::new());
    let mut trials = zoo::trials(&suite);
    trials.extend(templates::trials(&suite));
    trials.extend(own_ci::trials());
    libtest_mimic::run(&arguments, trials).exit_code()
}

struct Suite {
    set: VectorSet,
    files: Files,
}

impl Suite {
    fn new() -> Suite {
        let set = VectorSet::embedded().expect("the vectors");
        let files = Files::new(&set).expect("room for files");
        Suite { set, files }
    }

    fn candidate(command: &[String], dir: Option<&Path>, patience: Duration) -> Prepared {
        let limits = Limits { request: patience, hello: patience, memory_len: 512 << 20, ..Limits::default() };
        let launch = Launch { command: command.to_vec(), env: Vec::new(), cwd: dir.map(Path::to_path_buf), limits };
        let start = Start::Worker(Arc::new(launch));
        let name = "tried".to_owned();
        Prepared { name, start, source: None, known: KnownFailures::default(), known_path: None }
    }

    fn verify(&self, command: &[String], dir: Option<&Path>, patience: Duration) -> Verification {
        verify(&self.set, &self.files, &Suite::candidate(command, dir, patience), 0x5eed)
    }

    /// The run itself, over a few vectors.
    fn run(&self, command: &[String], dir: &Path, filter: &str) -> CandidateRun {
        let filter = globset::Glob::new(filter).expect("a glob").compile_matcher();
        let selection = Selection { filter: Some(filter), ..Selection::everything(0x5eed) };
        let candidate = Suite::candidate(command, Some(dir), Duration::from_secs(60));
        run_candidate(&self.set, &self.files, &candidate, &selection, &Silent)
    }
}

/// One diagnosis: the first step that is missed, and a part of what came there. Nothing is missed where no step is named.
#[derive(Clone, Copy)]
struct Diagnosis {
    step: &'static str,
    came: &'static str,
}

impl Diagnosis {
    /// Whether it is what was found.
    fn check(self, found: &Verification) -> Result<(), Failed> {
        let missing: Vec<_> = found.checks.iter().filter(|check| check.status == Status::Missing).collect();
        if let Some(check) = missing.iter().find(|check| check.next.as_ref().is_none_or(String::is_empty)) {
            return Err(format!("nothing to do next after {check:?}").into());
        }
        if found.is_complete() != missing.is_empty() {
            return Err("it is complete and misses something".into());
        }
        match missing.first() {
            None if self.step.is_empty() => Ok(()),
            Some(first) if first.id == self.step && first.came.contains(self.came) => Ok(()),
            first => {
                let Diagnosis { step, came } = self;
                Err(format!("has to miss `{step}` ({came}) first, missed {first:#?} of {:#?}", found.checks).into())
            }
        }
    }
}
