//! The sweeps over paths: a candidate that does everything right, one that hides failures, and those of which nothing can
//! be said.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use globset::Glob;
use hurray_conformance::candidates::{Prepared, SourceWay, Start};
use hurray_conformance::fault::preload::Shim;
use hurray_conformance::judge::known::{Known, KnownFailures};
use hurray_conformance::judge::{Fault, Outcome};
use hurray_conformance::run::{CandidateRun, Files, Scored, Selection, Silent, apply_known, run_candidate};
use hurray_conformance::tool::cli::Exit;
use hurray_conformance::transport::worker::{Launch, Limits};
use hurray_corpus::VectorSet;
use hurray_corpus::schedule::ScheduleList;
use libtest_mimic::{Failed, Trial};

use super::build_folders;

/// Cases that are run: every schedule, over a few files.
const FILTER: &str = "path/*/{pair,kv-entries,two-tensors,csr}";
/// A few of them, where runs are compared with each other.
const FEW: &str = "path/*/{one-byte,fail-once,interrupted}/{pair,kv-entries,two-tensors}";
/// Answers the zoo gives honestly: more than a probe needs, fewer than the schedules of one file.
const HONEST_ANSWERS: &str = "12";

pub(super) fn trials() -> Vec<Trial> {
    vec![
        Trial::test("sweep::who-does-it-right-passes", passes),
        Trial::test("sweep::who-hides-failures-is-caught", is_caught),
        Trial::test("sweep::who-goes-past-libc-is-unsupported", past_libc),
        Trial::test("sweep::without-a-shim-nothing-is-run", without_shim),
        Trial::test("sweep::a-program-that-does-not-start-with-it-is-unsupported", not_started),
        Trial::test("sweep::lanes-and-shards-find-the-same", lanes_and_shards),
        Trial::test("sweep::another-shard-misses-no-known-failure", known_of_another_shard),
    ]
}

/// The cases of one candidate: the command, and the shim.
fn run(command: &[&str], shim: &Shim) -> Result<CandidateRun, Failed> {
    let run = selected(command, &selection(shim, FILTER)?)?;
    match run.results.len() {
        50.. => Ok(run),
        few => Err(format!("only {few} cases").into()),
    }
}

fn selection(shim: &Shim, filter: &str) -> Result<Selection, Failed> {
    Ok(Selection {
        filter: Some(Glob::new(filter)?.compile_matcher()),
        schedules: ScheduleList::embedded()?,
        shim: shim.clone(),
        ..Selection::everything(0x5eed)
    })
}

fn selected(command: &[&str], selection: &Selection) -> Result<CandidateRun, Failed> {
    let set = VectorSet::embedded().map_err(|errors| errors.to_string())?;
    let files = Files::new(&set)?;
    let command = command.iter().map(|word| (*word).to_owned()).collect();
    let launch = Launch { command, env: Vec::new(), cwd: None, limits: Limits::default() };
    let candidate = Prepared {
        name: "zoo".to_owned(),
        start: Start::Worker(Arc::new(launch)),
        source: Some(SourceWay::Path),
        known: KnownFailures::default(),
        known_path: None,
    };
    let run = run_candidate(&set, &files, &candidate, selection, &Silent);
    match &run.broken {
        Some(broken) => Err(format!("{}: {}", broken.probe, broken.answered).into()),
        None => Ok(run),
    }
}

/// Builds the zoo beside this test and returns the program.
fn zoo() -> Result<PathBuf, Failed> {
    let (target, profile) = build_folders().ok_or("this test lies in no build folder")?;
    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--quiet", "--package", "hurray-candidate-zoo", "--target-dir"]).arg(target);
    if profile.ends_with("release") {
        build.arg("--release");
    }
    if build.status()?.success() { Ok(profile.join("hurray-candidate-zoo")) } else { Err("no zoo".into()) }
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap_or_default()
}

/// How many cases ended in each way, by the beginning of their id.
fn outcomes(run: &CandidateRun, prefix: &str) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    for scored in run.results.iter().filter(|scored| scored.id.starts_with(prefix)) {
        *counts.entry(scored.verdict.outcome.name()).or_default() += 1;
    }
    counts
}

fn told(run: &CandidateRun) -> String {
    let bad = run.results.iter().filter(|scored| scored.verdict.outcome != Outcome::Passed);
    bad.map(|scored| format!("{}: {} {}\n", scored.id, scored.verdict.outcome.name(), scored.verdict.actual)).collect()
}

fn passes() -> Result<(), Failed> {
    let run = run(&[text(&zoo()?), "honest"], &Shim::default())?;
    // Whether an interrupted call is made again is everybody's choice: two schedules of sources, one of sinks, over two files.
    let is_right = [("path/source/", 4), ("path/sink/", 2)].iter().all(|(prefix, interrupted)| {
        let found = outcomes(&run, prefix);
        let has_passed = found.get("passed").is_some_and(|count| *count > 20);
        found.len() == 2 && has_passed && found.get("contested") == Some(interrupted)
    });
    let is_preferred = run.results.iter().all(|scored| scored.verdict.strict != Some(false));
    if is_right && is_preferred { Ok(()) } else { Err(told(&run).into()) }
}

fn is_caught() -> Result<(), Failed> {
    let run = run(&[text(&zoo()?), "hides-failures", HONEST_ANSWERS], &Shim::default())?;
    let lied = |prefix: &str| {
        let of_it = run.results.iter().filter(|scored| scored.id.starts_with(prefix));
        of_it.filter(|scored| scored.verdict.fault == Some(Fault::Wrong) && scored.verdict.injected.is_some()).count()
    };
    let benign = run.results.iter().filter(|scored| scored.id.contains("/one-byte/"));
    let is_right = lied("path/source/fail-") == 4
        && lied("path/sink/fail-") == 4
        && benign.clone().count() == 4
        && benign.clone().all(|scored| scored.verdict.outcome == Outcome::Passed);
    if is_right { Ok(()) } else { Err(told(&run).into()) }
}

fn all_end(run: &CandidateRun, outcome: Outcome, why: &str) -> Result<(), Failed> {
    let is_it = |scored: &Scored| scored.verdict.outcome == outcome && scored.verdict.actual.contains(why);
    let is_right = run.results.iter().all(is_it);
    if is_right { Ok(()) } else { Err(told(run).into()) }
}

/// As a program that is linked statically: the loader never sees the shim.
fn past_libc() -> Result<(), Failed> {
    let run = run(&["env", "-u", "LD_PRELOAD", text(&zoo()?), "honest"], &Shim::default())?;
    all_end(&run, Outcome::Unsupported, "s was seen")
}

fn without_shim() -> Result<(), Failed> {
    let run = run(&[text(&zoo()?), "honest"], &Shim::none("it is gone"))?;
    let exit = Exit::of(std::slice::from_ref(&run));
    all_end(&run, Outcome::NotRun, "it is gone")?;
    if exit == Exit::SuiteBroken { Ok(()) } else { Err(format!("{exit:?}").into()) }
}

/// The candidate's own failure to start says nothing of the suite.
fn not_started() -> Result<(), Failed> {
    let script = format!("test -z \"$LD_PRELOAD\" && exec '{}' honest", text(&zoo()?));
    let run = run(&["sh", "-c", &script], &Shim::default())?;
    all_end(&run, Outcome::Unsupported, "with the shim, ")
}

/// What was found, by id.
fn found(runs: &[CandidateRun]) -> BTreeMap<String, (Outcome, String)> {
    let results = runs.iter().flat_map(|run| &run.results);
    results.map(|scored| (scored.id.clone(), (scored.verdict.outcome, scored.verdict.actual.clone()))).collect()
}

fn lanes_and_shards() -> Result<(), Failed> {
    let (zoo, selection) = (zoo()?, selection(&Shim::default(), FEW)?);
    let honest = |jobs, shard| selected(&[text(&zoo), "honest"], &Selection { jobs, shard, ..selection.clone() });
    let whole = found(&[honest(1, (1, 1))?]);
    if whole.len() < 8 || found(&[honest(4, (1, 1))?]) != whole {
        return Err("four lanes find something else than one".into());
    }
    let shards = found(&[honest(1, (1, 2))?, honest(2, (2, 2))?]);
    if shards == whole { Ok(()) } else { Err("two shards find something else than the whole".into()) }
}

fn known_of_another_shard() -> Result<(), Failed> {
    let set = VectorSet::embedded().map_err(|errors| errors.to_string())?;
    let (zoo, selection) = (zoo()?, selection(&Shim::default(), FEW)?);
    let shards = [(1, 2), (2, 2)].map(|shard| Selection { shard, ..selection.clone() });
    let [mut first, second] =
        [selected(&[text(&zoo), "honest"], &shards[0])?, selected(&[text(&zoo), "honest"], &shards[1])?];
    let other = second.results.first().ok_or("the second shard is empty")?;
    let known = |id: &str| KnownFailures {
        known: vec![Known {
            id: id.to_owned(),
            profile: other.profile.to_string(),
            verdict: "wrong".to_owned(),
            reason: "It is so.".to_owned(),
            near: None,
            reproducer: None,
        }],
        ..KnownFailures::default()
    };
    apply_known(&set, &known(&other.id), &shards[0], &mut first);
    if !first.mismatches.is_empty() {
        return Err(format!("{}: {:?}", other.id, first.mismatches).into());
    }
    // An id that no shard judges is still missed.
    apply_known(&set, &known("path/nobody/one-byte/pair"), &shards[0], &mut first);
    if first.mismatches.is_empty() { Err("an id that nobody judges was not missed".into()) } else { Ok(()) }
}
