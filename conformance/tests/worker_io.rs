//! The sweeps over served files say the same of a candidate in a process of its own as of one in this process, and catch who is
//! careless there by name.

use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

use globset::Glob;
use hurray_conformance::candidates::reference::Reference;
use hurray_conformance::candidates::{Prepared, Start};
use hurray_conformance::judge::Outcome;
use hurray_conformance::judge::known::KnownFailures;
use hurray_conformance::judge::profile::Profile;
use hurray_conformance::run::{CandidateRun, Files, Selection, Silent, run_candidate};
use hurray_conformance::transport::worker::{Launch, Limits};
use hurray_corpus::VectorSet;
use hurray_corpus::schedule::ScheduleList;
use hurray_spec::Rule;

mod common;

/// One file that is read and one that is written, under a schedule of every kind.
const FILTER: &str = "schedules/{source/{as-asked,one-byte,interrupted,fail-once,fail-sticky,lose-count,too-many,emptied}/kv-one-string,\
                      sink/{as-offered,all-but-one,interrupted,fail-once,zero,closed,too-many}/two-tensors}";
/// Schedules of the filter.
const COUNT: usize = 15;

static ZOO: LazyLock<PathBuf> = LazyLock::new(|| common::build_zoo().expect("the zoo"));

fn run(start: Start, filter: &str) -> CandidateRun {
    let set = VectorSet::embedded().expect("the vectors");
    let files = Files::new(&set).expect("room for files");
    let selection = Selection {
        profiles: vec![Profile::Io],
        filter: Some(Glob::new(filter).expect("a pattern").compile_matcher()),
        schedules: ScheduleList::embedded().expect("the lists"),
        ..Selection::everything(1)
    };
    let (name, known) = ("zoo".to_owned(), KnownFailures::default());
    let candidate = Prepared { name, start, source: None, known, known_path: None };
    let run = run_candidate(&set, &files, &candidate, &selection, &Silent);
    assert!(run.broken.is_none(), "{:?}", run.broken);
    run
}

fn zoo(kind: &str) -> Start {
    let command = vec![ZOO.to_string_lossy().into_owned(), kind.to_owned()];
    Start::Worker(Arc::new(Launch { command, env: Vec::new(), cwd: None, limits: Limits::default() }))
}

/// Id, end, and what was broken of each judgement.
fn verdicts(run: &CandidateRun) -> Vec<(&str, Outcome, Option<bool>, &[Rule])> {
    let swept = run.results.iter().filter(|scored| scored.id.starts_with("schedules/"));
    swept
        .map(|scored| {
            (scored.id.as_str(), scored.verdict.outcome, scored.verdict.strict, scored.verdict.breaks.as_slice())
        })
        .collect()
}

#[test]
fn over_a_process_the_verdicts_are_those_of_this_process() {
    let (here, there) = (run(Start::InProcess(|| Box::new(Reference::strict())), FILTER), run(zoo("honest"), FILTER));
    assert_eq!(verdicts(&here), verdicts(&there));
    assert_eq!(verdicts(&there).len(), COUNT);
    assert!(verdicts(&there).iter().all(|(_, outcome, ..)| matches!(outcome, Outcome::Passed | Outcome::Contested)));
    let calls = |run: &CandidateRun| {
        run.results.iter().map(|scored| scored.spent.map(|spent| spent.call_count)).collect::<Vec<_>>()
    };
    assert_eq!(calls(&here), calls(&there), "the same reads and writes");
}

#[test]
fn who_is_careless_in_a_process_of_its_own_is_caught_by_name() {
    for (kind, id, rule) in [
        ("drops-bytes", "schedules/source/one-byte/kv-one-string", Rule::IoReadShortReadResumes),
        ("indexes-torn-files", "schedules/sink/fail-once/two-tensors", Rule::IoWriteFinishRefusesWhenPoisoned),
    ] {
        let run = run(zoo(kind), FILTER);
        let found = verdicts(&run).into_iter().find(|(found, ..)| *found == id).expect(id);
        assert_eq!((found.1, found.3), (Outcome::Failed, [rule].as_slice()), "{kind}: {:?}", run.results);
        assert!(verdicts(&run).iter().any(|(_, outcome, ..)| *outcome == Outcome::Passed), "{kind}: nothing passes");
    }
}
