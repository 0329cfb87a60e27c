//! Every candidate of the zoo ends as it deserves, and none of them stops the run: the harness under test.
//!
//! The zoo says which ending each of its kinds deserves; this test knows how such an ending looks.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::time::Duration;

use globset::Glob;
use hurray_conformance::candidates::reference::Reference;
use hurray_conformance::candidates::{Prepared, Start};
use hurray_conformance::judge::known::KnownFailures;
use hurray_conformance::judge::profile::Profile;
use hurray_conformance::judge::{Fault, Outcome};
use hurray_conformance::run::{About, CandidateRun, Files, Selection, Silent, run_candidate};
use hurray_conformance::transport::worker::{Launch, Limits};
use hurray_corpus::VectorSet;
use libtest_mimic::{Arguments, Failed, Trial};

/// Vectors the zoo is run over: good and bad files, tensors and key-values, and few enough to wait for.
const FILTER: &str = "{bases,container/trailer,floor/reader,kv/section}/*";
/// Honest answers before a fault "in the middle": more than the probe needs.
const HONEST_ANSWERS: &str = "12";

mod common;

use common::build_zoo;

struct Suite {
    set: VectorSet,
    files: Files,
    selection: Selection,
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    match trials() {
        Ok(trials) => libtest_mimic::run(&arguments, trials).exit_code(),
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn trials() -> Result<Vec<Trial>, String> {
    let set = VectorSet::embedded().map_err(|errors| errors.to_string())?;
    let files = Files::new(&set).map_err(|error| error.to_string())?;
    let filter = Glob::new(FILTER).map_err(|error| error.to_string())?.compile_matcher();
    let selection =
        Selection { profiles: vec![Profile::Reader], filter: Some(filter), ..Selection::everything(0x5eed) };
    let suite = Arc::new(Suite { set, files, selection });
    let zoo = build_zoo()?;
    let listed = Command::new(&zoo).arg("--list").output().map_err(|error| format!("{}: {error}", zoo.display()))?;
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    let mut trials = Vec::new();
    for line in listed.lines() {
        let mut fields = line.split('\t').map(str::to_owned);
        let (Some(kind), Some(ending)) = (fields.next(), fields.next()) else {
            return Err(format!("the zoo lists {line:?}, not a kind and its ending"));
        };
        let (suite, zoo) = (Arc::clone(&suite), zoo.clone());
        trials.push(Trial::test(kind.clone(), move || ends(&suite, &zoo, &kind, &ending)));
    }
    if trials.is_empty() {
        return Err("the zoo lists no kind".to_owned());
    }
    let (here, there) = (Arc::clone(&suite), zoo.clone());
    trials.push(Trial::test("restarts-are-capped", move || restarts_are_capped(&here, &there)));
    let (here, there) = (Arc::clone(&suite), zoo.clone());
    trials.push(Trial::test("failed-starts-break-the-adapter", move || failed_starts_break_it(&here, &there)));
    trials.push(Trial::test("lanes-agree", move || lanes_agree(&suite, &zoo)));
    Ok(trials)
}

fn run(suite: &Suite, zoo: &Path, kind: &str, limits: Limits, jobs: usize) -> CandidateRun {
    let words = [&zoo.to_string_lossy(), kind, HONEST_ANSWERS].map(str::to_owned);
    run_started(suite, worker(words.into(), limits), jobs)
}

fn worker(command: Vec<String>, limits: Limits) -> Start {
    Start::Worker(Arc::new(Launch { command, env: Vec::new(), cwd: None, limits }))
}

fn run_started(suite: &Suite, start: Start, jobs: usize) -> CandidateRun {
    let name = "zoo".to_owned();
    let candidate = Prepared { name, start, source: None, known: KnownFailures::default(), known_path: None };
    let selection = Selection { jobs, ..suite.selection.clone() };
    run_candidate(&suite.set, &suite.files, &candidate, &selection, &Silent)
}

/// Bounds wide enough for a busy machine, and narrow for those who only end by them.
fn limits(kind: &str) -> Limits {
    let waits = kind.contains("hang") || kind.contains("never");
    let time = Duration::from_millis(if waits { 2000 } else { 30_000 });
    Limits { request: time, hello: time, memory_len: 256 << 20, ..Limits::default() }
}

fn ends(suite: &Suite, zoo: &Path, kind: &str, ending: &str) -> Result<(), Failed> {
    let run = run(suite, zoo, kind, limits(kind), 1);
    let told = || format!("broken: {:?}, faults: {:?}", run.broken, faults(&run));
    let is_right = match ending.split_once(' ') {
        Some(("adapter-broken", "hello")) => run.broken.is_some() && run.hello.is_none() && run.results.is_empty(),
        Some(("adapter-broken", "probe")) => run.broken.is_some() && run.hello.is_some() && run.results.is_empty(),
        Some(("failed", "floor")) => {
            let good_passed = |id: &str| {
                run.results.iter().any(|scored| scored.id == id && scored.verdict.outcome == Outcome::Passed)
            };
            run.broken.is_none() && faults(&run).contains("undeclared") && !good_passed("bases/one-f32")
        }
        Some(("failed", word)) => run.broken.is_none() && is_complete(suite, &run) && has_fault(&run, word),
        None if ending == "normal" => {
            run.broken.is_none() && is_complete(suite, &run) && is_as_the_reference(suite, &run)
        }
        _ => return Err(format!("{ending:?} is no ending this test knows").into()),
    };
    if is_right { Ok(()) } else { Err(format!("deserves `{ending}`, got {}", told()).into()) }
}

fn faults(run: &CandidateRun) -> BTreeSet<&'static str> {
    run.results.iter().filter_map(|scored| scored.verdict.fault).map(Fault::name).collect()
}

fn has_fault(run: &CandidateRun, word: &str) -> bool {
    run.results.iter().filter_map(|scored| scored.verdict.fault).any(|fault| fault.is_called(word))
}

/// Every selected vector has exactly one result: nobody stops the run.
fn is_complete(suite: &Suite, run: &CandidateRun) -> bool {
    let filter = suite.selection.filter.as_ref();
    let is_selected = |id: &str| filter.is_none_or(|filter| filter.is_match(id));
    let wanted: Vec<&str> =
        suite.set.vectors.iter().map(|vector| vector.id.as_str()).filter(|id| is_selected(id)).collect();
    let got: Vec<&str> = run
        .results
        .iter()
        .filter(|scored| matches!(scored.about, About::Vector(_)))
        .map(|scored| scored.id.as_str())
        .collect();
    wanted.len() > 20 && wanted == got
}

fn is_as_the_reference(suite: &Suite, run: &CandidateRun) -> bool {
    let reference = run_started(suite, Start::InProcess(|| Box::new(Reference::strict())), 1);
    let outcomes = |run: &CandidateRun| -> Vec<(String, Outcome)> {
        run.results.iter().map(|scored| (scored.id.clone(), scored.verdict.outcome)).collect()
    };
    outcomes(&reference) == outcomes(run)
}

/// What is not asked any more is `not-run` and has not passed; the table is full all the same.
fn restarts_are_capped(suite: &Suite, zoo: &Path) -> Result<(), Failed> {
    let run = run(suite, zoo, "dies-by-signal", Limits { restart_count: 1, ..limits("") }, 1);
    let crashed = run.results.iter().filter(|scored| scored.verdict.fault == Some(Fault::Crashed)).count();
    let last = run
        .results
        .iter()
        .rfind(|scored| matches!(scored.about, About::Vector(_)))
        .and_then(|scored| scored.verdict.fault);
    if crashed == 2 && last == Some(Fault::NotRun) && is_complete(suite, &run) {
        Ok(())
    } else {
        Err(format!("{crashed} crashes, the last is {last:?}").into())
    }
}

/// A worker that dies once and then never introduces itself again: the adapter is broken, and the table full all the same.
fn failed_starts_break_it(suite: &Suite, zoo: &Path) -> Result<(), Failed> {
    let dir = tempfile::tempdir()?;
    let flag = dir.path().join("started");
    let script = format!(
        "if [ -e {0} ]; then exit 7; fi; touch {0}; exec {1} dies-by-signal {HONEST_ANSWERS}",
        flag.display(),
        zoo.display()
    );
    let run = run_started(suite, worker(vec!["sh".to_owned(), "-c".to_owned(), script], limits("")), 1);
    let counted = |wanted| run.results.iter().filter(|scored| scored.verdict.fault == Some(wanted)).count();
    let (crashed, not_run) = (counted(Fault::Crashed), counted(Fault::NotRun));
    let is_broken = run.broken.as_ref().is_some_and(|broken| broken.answered.contains("exit code 7"));
    if crashed == 1 && not_run > 20 && is_broken && is_complete(suite, &run) {
        Ok(())
    } else {
        Err(format!("{crashed} crashed, {not_run} not run, broken: {:?}", run.broken).into())
    }
}

/// Several workers of an honest candidate find what one finds.
fn lanes_agree(suite: &Suite, zoo: &Path) -> Result<(), Failed> {
    let run = run(suite, zoo, "honest", limits(""), 3);
    if is_complete(suite, &run) && is_as_the_reference(suite, &run) {
        Ok(())
    } else {
        Err(format!("three lanes found {:?}", faults(&run)).into())
    }
}
