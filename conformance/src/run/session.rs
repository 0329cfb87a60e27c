//! One candidate over one selection, from its start to its last result.
//!
//! Owns the order: probe, vectors, sweeps by path, served sweeps. What a result means is decided in `judge`.

use std::collections::BTreeSet;
use std::time::Instant;

use hurray_adapter::Hello;

use super::files::Files;
use super::lanes;
use super::plan::{Selection, tasks_of};
use super::probe;
use super::progress::Progress;
use super::result::{About, CandidateRun, Scored};
use super::sweep::Sweeps;
use super::task::Task;
use crate::candidates::Prepared;
use crate::judge::Verdict;
use crate::judge::profile::{Profile, undeclared};
use crate::support::interrupt;
use hurray_corpus::{Class, VectorSet};

/// Runs one candidate over the selection.
pub fn run_candidate(
    set: &VectorSet,
    files: &Files,
    candidate: &Prepared,
    selection: &Selection,
    progress: &dyn Progress,
) -> CandidateRun {
    let began = Instant::now();
    let lanes = lanes::Lanes::new(set, files, candidate, selection.jobs);
    let mut transport = match lanes.start() {
        Ok(transport) => transport,
        Err(broken) => return CandidateRun::broken(&candidate.name, broken, began.elapsed()),
    };
    let hello = transport.hello().clone();
    let is_writer = selection.profiles.contains(&Profile::Writer) && Profile::Writer.not_scored(&hello).is_none();
    let mut probed = probe::probe(set, files, transport.as_mut(), selection.seed);
    if probed.is_ok() && is_writer {
        probed = probe::probe_writer(files, transport.as_mut(), selection.seed);
    }
    if let Err(broken) = probed {
        let run = CandidateRun::broken(&candidate.name, broken, began.elapsed());
        return CandidateRun { hello: Some(hello), ..run };
    }
    let sweeps = Sweeps::new(set, selection, &hello, Some(candidate));
    let chosen = Chosen::of(set, candidate, selection, &hello);
    let paths: Vec<Task<'_>> = sweeps.preload().into_iter().map(Task::Preload).collect();
    let swept = if selection.profiles.contains(&Profile::Io) { sweeps.served() } else { Vec::new() };
    let swept: Vec<Task<'_>> = swept.into_iter().map(Task::Served).collect();
    progress.begin(&candidate.name, chosen.tasks.len() + paths.len() + swept.len());
    let (judged, mut broken) = lanes.run(Some(transport), &chosen.tasks, &sweeps, progress);
    let mut results = chosen.floor;
    results.extend(judged);
    // Apart from the vectors: no lane has two workers at a time. The served sweeps last, since a report tells their time.
    let (judged, broken_by_path) = lanes.run(None, &paths, &sweeps, progress);
    results.extend(judged);
    let began_sweeps = Instant::now();
    let (judged, broken_by_sweep) = lanes.run(None, &swept, &sweeps, progress);
    let swept_for = (!swept.is_empty()).then(|| began_sweeps.elapsed());
    broken = broken.or(broken_by_path).or(broken_by_sweep);
    results.extend(judged);
    progress.end();
    let tasks = chosen.tasks.iter().chain(&paths).chain(&swept);
    let selected = tasks.flat_map(|task| sweeps.ids(task)).collect();
    results.extend(missing(&selected, &results));
    results.sort_by(|a, b| (a.profile, &a.id).cmp(&(b.profile, &b.id)));
    CandidateRun {
        asked_for: candidate.name.clone(),
        broken,
        results,
        not_scored: chosen.not_scored,
        not_judged: chosen.not_judged.into_iter().filter(|(_, count)| *count > 0).collect(),
        mismatches: Vec::new(),
        elapsed: began.elapsed(),
        swept: swept_for,
        selected,
        swept_ids: swept_ids(set, candidate, selection, &hello),
        hello: Some(hello),
    }
}

/// The ids of all sweeps on this candidate, whatever this run selects of them.
fn swept_ids(set: &VectorSet, candidate: &Prepared, selection: &Selection, hello: &Hello) -> BTreeSet<String> {
    let all = Selection { filter: None, shard: (1, 1), schedule: None, ..selection.clone() };
    let sweeps = Sweeps::new(set, &all, hello, Some(candidate));
    let served = sweeps.served().into_iter().map(Task::Served);
    let tasks = served.chain(sweeps.preload().into_iter().map(Task::Preload));
    tasks.flat_map(|task| sweeps.ids(&task)).map(|(id, _)| id).collect()
}

/// A judgement for everything that was selected and has none: a lane failed. An interrupted run is incomplete anyway.
fn missing(selected: &BTreeSet<(String, Profile)>, results: &[Scored]) -> Vec<Scored> {
    if interrupt::is_requested() {
        return Vec::new();
    }
    let judged: BTreeSet<(&str, Profile)> = results.iter().map(|scored| (scored.id.as_str(), scored.profile)).collect();
    let missing = selected.iter().filter(|(id, profile)| !judged.contains(&(id.as_str(), *profile)));
    let verdict = Verdict::not_run("the suite failed in the middle of it");
    missing
        .map(|(id, profile)| Scored::new(id.clone(), *profile, Class::Explicit, About::Lost, verdict.clone()))
        .collect()
}

/// What is asked of a candidate apart from sweeps, and what is not.
struct Chosen<'a> {
    tasks: Vec<Task<'a>>,
    /// Judgements on mandatory parts.
    floor: Vec<Scored>,
    not_scored: Vec<(Profile, &'static str)>,
    not_judged: Vec<(String, usize)>,
}

impl<'a> Chosen<'a> {
    fn of(set: &'a VectorSet, candidate: &Prepared, selection: &Selection, hello: &Hello) -> Self {
        let group = candidate.known.not_judged();
        let not_judged = candidate.known.not_judged.iter().map(|group| (group.reason.clone(), 0)).collect();
        let mut chosen = Chosen { tasks: Vec::new(), floor: Vec::new(), not_scored: Vec::new(), not_judged };
        for &profile in &selection.profiles {
            if let Some(why) = profile.not_scored(hello) {
                chosen.not_scored.push((profile, why));
                continue;
            }
            // Vectors and mandatory parts of the profile io are those of the contract.
            if selection.schedule.is_some() || (profile == Profile::Io && !hello.io_contract) {
                continue;
            }
            chosen.floor.extend(floor(profile, hello, selection));
            if profile == Profile::Io && !hello.is_served_source() {
                continue;
            }
            for task in tasks_of(set, selection, profile) {
                match task.vector_id().and_then(&group).and_then(|at| chosen.not_judged.get_mut(at)) {
                    Some((_, count)) => *count += 1,
                    None => chosen.tasks.push(task),
                }
            }
        }
        chosen
    }
}

/// The mandatory parts that are not declared. Only the first shard tells them.
fn floor(profile: Profile, hello: &Hello, selection: &Selection) -> Vec<Scored> {
    if selection.shard.0 != 1 {
        return Vec::new();
    }
    let missing = profile.floor(hello).into_iter().filter(|(_, declared)| !declared);
    missing
        .map(|(part, _)| Scored::new(profile.floor_id(&part), profile, Class::Explicit, About::Part, undeclared(&part)))
        .filter(|scored| selection.matches(&scored.id, &[]))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::Outcome;

    #[test]
    fn what_was_selected_and_has_no_result_is_not_run() {
        let selected = ["a", "b"].map(|id| (id.to_owned(), Profile::Reader)).into();
        let judged = Scored::new("a".to_owned(), Profile::Reader, Class::Explicit, About::Lost, Verdict::not_run("x"));
        let other = Scored::new("b".to_owned(), Profile::Writer, Class::Explicit, About::Lost, Verdict::not_run("x"));
        let missing = missing(&selected, &[judged, other]);
        let found: Vec<_> = missing.iter().map(|scored| (scored.id.as_str(), scored.verdict.outcome)).collect();
        assert_eq!(found, [("b", Outcome::NotRun)]);
    }
}
