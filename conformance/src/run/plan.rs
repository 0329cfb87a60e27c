//! What to run: the selection of a person, and the tasks that follow from it.
//!
//! Owns selection and order. It must not know a verdict or how a task is done.

use globset::GlobMatcher;

use super::sweep::Sweeps;
use crate::fault::preload::Shim;
use crate::judge::profile::Profile;
use hurray_corpus::VectorSet;
use hurray_corpus::schedule::{Schedule, ScheduleList};

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
    pub(super) fn share<T>(&self, all: impl Iterator<Item = T>) -> impl Iterator<Item = T> {
        let (shard, shards) = self.shard;
        all.skip(shard.saturating_sub(1)).step_by(shards.max(1))
    }

    pub(super) fn matches(&self, id: &str, tags: &[String]) -> bool {
        let matches = |filter: &GlobMatcher| filter.is_match(id) || tags.iter().any(|tag| filter.is_match(tag));
        self.filter.as_ref().is_none_or(matches)
    }
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
    pub(super) fn id(self, set: &VectorSet) -> &str {
        match self.profile {
            Profile::Writer => &set.writes[self.vector].id,
            _ => &set.vectors[self.vector].id,
        }
    }

    /// Ids of all judgements that it makes.
    pub(super) fn ids(self, set: &VectorSet, sweeps: &Sweeps<'_>) -> Vec<String> {
        match self.work {
            Work::Replay => vec![self.id(set).to_owned()],
            work => sweeps.ids(work, self.vector),
        }
    }

    /// Whether the profile asks this vector at all.
    pub(super) fn is_asked(self, set: &VectorSet) -> bool {
        self.profile == Profile::Writer || self.profile.asks(&set.vectors[self.vector])
    }
}

/// Positions of the selected vectors of a profile.
pub(super) fn selected<'a>(
    set: &'a VectorSet,
    selection: &'a Selection,
    profile: Profile,
) -> impl Iterator<Item = usize> + 'a {
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
