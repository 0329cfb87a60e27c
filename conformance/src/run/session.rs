//! One candidate over one selection, from its start to its last result.
//!
//! Owns the order: probe, vectors, sweeps, paths. What a result means is decided in `judge`.

use std::time::Instant;

use hurray_adapter::Hello;

use super::files::Files;
use super::lanes;
use super::plan::{Selection, tasks_of};
use super::probe;
use super::progress::Progress;
use super::result::{CandidateRun, Scored};
use super::sweep::Sweeps;
use super::task::Task;
use crate::candidates::Prepared;
use crate::judge::profile::{Profile, undeclared};
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
    let lanes = lanes::Lanes::new(set, files, candidate);
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
    let mut tasks = chosen.tasks;
    tasks.extend(sweeps.preload());
    let swept = if selection.profiles.contains(&Profile::Io) { sweeps.served() } else { Vec::new() };
    progress.begin(&candidate.name, tasks.len() + swept.len());
    let (judged, mut broken) = lanes.run(Some(transport), &tasks, &sweeps, progress);
    let mut results = chosen.floor;
    results.extend(judged);
    // Apart from the rest, so that their time can be told.
    let began_sweeps = Instant::now();
    let (judged, broken_then) = lanes.run(None, &swept, &sweeps, progress);
    let swept_for = (!swept.is_empty()).then(|| began_sweeps.elapsed());
    broken = broken.or(broken_then);
    results.extend(judged);
    progress.end();
    results.sort_by(|a, b| (a.profile, &a.id).cmp(&(b.profile, &b.id)));
    let selected = tasks.iter().chain(&swept).flat_map(|task| sweeps.ids(task)).collect();
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
        hello: Some(hello),
    }
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
        .map(|(part, _)| Scored::new(profile.floor_id(&part), profile, Class::Explicit, undeclared(&part)))
        .filter(|scored| selection.matches(&scored.id, &[]))
        .collect()
}
