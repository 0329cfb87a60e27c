//! One run: every selected vector, on every candidate, in every profile.
//!
//! Owns selection, order and the lanes of parallel workers. What a result means is `verdict`'s affair, how it is shown
//! `report`'s.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use globset::GlobMatcher;
use hurray_adapter::Hello;

use crate::candidates::Prepared;
use crate::known::{self, KnownFailures, Mismatch};
use crate::profile::{self, Profile, undeclared};
use crate::schedule::{Schedule, ScheduleList};
use crate::shim::Shim;
use crate::transport::Broken;
use crate::vector::{Class, VectorSet};
use crate::verdict::{Outcome, Verdict};

mod files;
pub mod inject;
mod interop;
mod meter;
mod mutate;
mod passing;
mod path;
pub mod probe;
mod replay;
mod write;

pub use files::Files;
pub use interop::{Cell, matrix, run_interop};
pub use meter::Spent;
pub use mutate::{Mutation, Mutator, Tally, mutations, run_mutations};
pub use replay::judge_on;
pub use write::{Wrote, inspect, write_on};

/// What to run.
#[derive(Clone)]
pub struct Selection {
    /// Profiles to score; those a candidate does not claim are skipped.
    pub profiles: Vec<Profile>,
    /// Ids to run; all if absent. A tag of a vector counts as an id.
    pub filter: Option<GlobMatcher>,
    /// This shard and the number of shards, from 1.
    pub shard: (usize, usize),
    /// Workers per candidate.
    pub jobs: usize,
    /// Seed of the probe's unseen files.
    pub seed: u64,
    /// The schedules of the profile io.
    pub schedules: ScheduleList,
    /// Tries this schedule on the selected good vectors, in place of everything else.
    pub schedule: Option<Schedule>,
    /// What makes the calls of a program on a path follow schedules.
    pub shim: Shim,
}

impl Selection {
    /// Every vector, one worker per candidate, and no schedule.
    pub fn everything(seed: u64) -> Selection {
        Selection {
            profiles: Profile::ALL.to_vec(),
            filter: None,
            shard: (1, 1),
            jobs: 1,
            seed,
            schedules: ScheduleList::default(),
            schedule: None,
            shim: Shim::default(),
        }
    }

    /// Whether nothing is left out.
    pub fn is_whole(&self) -> bool {
        self.filter.is_none() && self.shard.1 <= 1 && self.schedule.is_none()
    }

    /// This shard's part of everything, every n-th of it.
    fn share<T>(&self, all: impl Iterator<Item = T>) -> impl Iterator<Item = T> {
        let (shard, shards) = self.shard;
        all.skip(shard.saturating_sub(1)).step_by(shards.max(1))
    }

    fn matches(&self, id: &str, tags: &[String]) -> bool {
        let matches = |filter: &GlobMatcher| filter.is_match(id) || tags.iter().any(|tag| filter.is_match(tag));
        self.filter.as_ref().is_none_or(matches)
    }
}

/// One vector, or one mandatory part, judged in one profile.
#[derive(Clone, Debug)]
pub struct Scored {
    /// Id of the vector, or `floor/<profile>/<part>`.
    pub id: String,
    /// The profile.
    pub profile: Profile,
    /// How binding the demand is.
    pub class: Class,
    /// The judgement.
    pub verdict: Verdict,
    /// Position of the vector in the set; absent for a mandatory part, and for a written file.
    pub vector: Option<usize>,
    /// Position of the vector for writers in the set.
    pub write: Option<usize>,
    /// The file that was written, where every reader has to read it as described.
    pub written: Option<Arc<[u8]>>,
    /// What its requests cost, where that is counted.
    pub spent: Option<Spent>,
}

impl Scored {
    /// A judgement on no vector.
    pub fn new(id: String, profile: Profile, class: Class, verdict: Verdict) -> Scored {
        Scored { id, profile, class, verdict, vector: None, write: None, written: None, spent: None }
    }
}

/// All that was found of one candidate.
pub struct CandidateRun {
    /// What it was asked for by.
    pub asked_for: String,
    /// What it said of itself, if it did.
    pub hello: Option<Hello>,
    /// Why it could not be judged, or not to the end.
    pub broken: Option<Broken>,
    /// The judgements: by profile, then in the order of the vectors.
    pub results: Vec<Scored>,
    /// Profiles that were asked for and are not scored, and why.
    pub not_scored: Vec<(Profile, &'static str)>,
    /// Judgements that its list of known failures leaves out, and why.
    pub not_judged: Vec<(String, usize)>,
    /// What about its list of known failures is not true.
    pub mismatches: Vec<Mismatch>,
    /// Time from the start to the last answer.
    pub elapsed: Duration,
    /// What of that the sweeps over served sources and sinks took, where there were any.
    pub swept: Option<Duration>,
    /// Ids that were to be judged in this run, by profile.
    pub selected: BTreeSet<(String, Profile)>,
}

impl CandidateRun {
    fn broken(asked_for: &str, broken: Broken, elapsed: Duration) -> CandidateRun {
        CandidateRun {
            asked_for: asked_for.to_owned(),
            hello: None,
            broken: Some(broken),
            results: Vec::new(),
            not_scored: Vec::new(),
            not_judged: Vec::new(),
            mismatches: Vec::new(),
            elapsed,
            swept: None,
            selected: BTreeSet::new(),
        }
    }

    /// Whether a result or a mismatch makes the run fail.
    pub fn fails(&self) -> bool {
        let fails = |scored: &Scored| matches!(scored.verdict.outcome, Outcome::Failed | Outcome::Died);
        !self.mismatches.is_empty() || self.results.iter().any(fails)
    }
}

/// Told how far a run is.
pub trait Progress: Sync {
    /// A candidate starts, with that many judgements to make.
    fn begin(&self, candidate: &str, count: usize);
    /// One judgement was made.
    fn advance(&self);
    /// The candidate is done.
    fn end(&self);
}

/// Progress that nobody looks at.
pub struct Silent;

impl Progress for Silent {
    fn begin(&self, _candidate: &str, _count: usize) {}
    fn advance(&self) {}
    fn end(&self) {}
}

/// One judgement to make.
#[derive(Clone, Copy)]
pub(crate) struct Task {
    /// Position in the set, for the profile `writer` among the vectors for writers.
    pub(crate) vector: usize,
    pub(crate) profile: Profile,
    pub(crate) work: Work,
}

/// What is to be judged of a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    /// The vector itself.
    Replay,
    /// Reading it under schedules.
    Read,
    /// Not of a vector: writing the model at that position under schedules.
    Write,
}

impl Task {
    fn id(self, set: &VectorSet) -> &str {
        match self.profile {
            Profile::Writer => &set.writes[self.vector].id,
            _ => &set.vectors[self.vector].id,
        }
    }

    /// Ids of all judgements that it makes.
    fn ids(self, set: &VectorSet, sweeps: &inject::Sweeps<'_>) -> Vec<String> {
        match self.work {
            Work::Replay => vec![self.id(set).to_owned()],
            work => sweeps.ids(work, self.vector),
        }
    }

    /// Whether the profile asks this vector at all.
    fn is_asked(self, set: &VectorSet) -> bool {
        self.profile == Profile::Writer || self.profile.asks(&set.vectors[self.vector])
    }
}

/// Runs one candidate over the selection.
pub fn run_candidate(
    set: &VectorSet,
    files: &Files,
    candidate: &Prepared,
    selection: &Selection,
    progress: &dyn Progress,
) -> CandidateRun {
    let began = Instant::now();
    let lanes = replay::Lanes::new(set, files, candidate);
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
    let sweeps = inject::Sweeps::new(set, selection, &hello);
    let chosen = Chosen::of(set, candidate, selection, &hello);
    let swept: Vec<Task> = match selection.profiles.contains(&Profile::Io) {
        true => sweeps.works().into_iter().map(|(work, at)| Task { vector: at, profile: Profile::Io, work }).collect(),
        false => Vec::new(),
    };
    progress.begin(&candidate.name, chosen.tasks.len() + swept.len());
    let (judged, mut broken) = lanes.replay(Some(transport), &chosen.tasks, &sweeps, progress);
    let mut results = chosen.floor;
    results.extend(judged);
    // Apart from the rest, so that their time can be told.
    let began_sweeps = Instant::now();
    let (judged, broken_then) = lanes.replay(None, &swept, &sweeps, progress);
    let swept_for = (!swept.is_empty()).then(|| began_sweeps.elapsed());
    broken = broken.or(broken_then);
    results.extend(judged);
    progress.end();
    let paths = path::Paths::new(set, candidate, selection, &hello);
    results.extend(paths.judge());
    results.sort_by(|a, b| (a.profile, &a.id).cmp(&(b.profile, &b.id)));
    let named = |task: &Task| task.ids(set, &sweeps).into_iter().map(|id| (id, task.profile)).collect::<Vec<_>>();
    let selected = chosen.tasks.iter().chain(&swept).flat_map(named).chain(paths.ids()).collect();
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
struct Chosen {
    tasks: Vec<Task>,
    /// Judgements on mandatory parts.
    floor: Vec<Scored>,
    not_scored: Vec<(Profile, &'static str)>,
    not_judged: Vec<(String, usize)>,
}

impl Chosen {
    fn of(set: &VectorSet, candidate: &Prepared, selection: &Selection, hello: &Hello) -> Chosen {
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
            for task in replays(set, hello, selection, profile) {
                match group(task.id(set)).and_then(|at| chosen.not_judged.get_mut(at)) {
                    Some((_, count)) => *count += 1,
                    None => chosen.tasks.push(task),
                }
            }
        }
        chosen
    }
}

/// The selected vectors that the profile asks of a candidate.
fn replays<'a>(
    set: &'a VectorSet,
    hello: &Hello,
    selection: &'a Selection,
    profile: Profile,
) -> impl Iterator<Item = Task> + use<'a> {
    let is_read = profile != Profile::Io || profile::is_served_source(hello);
    let tasks = selected(set, selection, profile).map(move |vector| Task { vector, profile, work: Work::Replay });
    tasks.filter(move |task| is_read && task.is_asked(set))
}

/// Marks what is known of a candidate's results, and tells what about its list is not true.
pub fn apply_known(set: &VectorSet, known: &KnownFailures, selection: &Selection, run: &mut CandidateRun) {
    let is_selected = is_selected(set, selection, run);
    let results = run.results.iter_mut().map(|scored| (scored.id.as_str(), scored.profile, &mut scored.verdict));
    run.mismatches = known.apply(results, is_selected, |id| set.has(id));
}

/// The list of known failures as this run would have it; see [`updated`](crate::known::updated).
pub fn updated_known(
    set: &VectorSet,
    known: &KnownFailures,
    text: &str,
    selection: &Selection,
    run: &CandidateRun,
) -> String {
    let results = run.results.iter().map(|scored| (scored.id.as_str(), scored.profile, &scored.verdict));
    known::updated(known, known::heading(text), results, is_selected(set, selection, run))
}

/// Tells whether an id was to be judged in this run. An id that no vector has is missed by the first shard.
fn is_selected<'a>(
    set: &'a VectorSet,
    selection: &'a Selection,
    run: &CandidateRun,
) -> impl Fn(&str, Profile) -> bool + use<'a> {
    let selected = run.selected.clone();
    let skipped: Vec<Profile> = run.not_scored.iter().map(|(profile, _)| *profile).collect();
    let is_broken = run.broken.is_some() && run.results.is_empty();
    move |id, profile| {
        if selected.contains(&(id.to_owned(), profile)) {
            return true;
        }
        if set.has(id) || id.starts_with("interop/") {
            return false;
        }
        let is_scored = selection.profiles.contains(&profile) && !skipped.contains(&profile) && !is_broken;
        is_scored && selection.shard.0 == 1 && selection.matches(id, &[])
    }
}

/// Positions of the selected vectors of a profile.
fn selected<'a>(set: &'a VectorSet, selection: &'a Selection, profile: Profile) -> impl Iterator<Item = usize> + 'a {
    let for_writers =
        set.writes.iter().map(|vector| (&vector.id, &vector.tags)).filter(move |_| profile == Profile::Writer);
    let for_readers =
        set.vectors.iter().map(|vector| (&vector.id, &vector.tags)).filter(move |_| profile != Profile::Writer);
    let matching = move |(_, (id, tags)): &(usize, (&String, &Vec<String>))| selection.matches(id, tags);
    // Sharing out what is not asked would leave one shard with less to do than another.
    let is_asked = move |(at, _): &(usize, (&String, &Vec<String>))| profile.asks(&set.vectors[*at]);
    let for_readers = for_readers.enumerate().filter(is_asked);
    let all = for_writers.enumerate().chain(for_readers).filter(matching).map(|(at, _)| at);
    selection.share(all)
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

/// Everything that was found.
pub struct Run {
    /// Per candidate, in the order asked for.
    pub candidates: Vec<CandidateRun>,
    /// Whether nothing was left out.
    pub is_whole: bool,
    /// Seed of the probe's unseen files.
    pub seed: u64,
}
