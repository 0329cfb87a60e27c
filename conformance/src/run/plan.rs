//! What to run: the selection of a person, and the tasks that follow from it.
//!
//! Owns selection and order. It must not know a verdict or how a task is done.

use globset::GlobMatcher;

use super::task::Task;
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

/// The selected vectors that a profile asks, as tasks.
pub(super) fn tasks_of<'a>(set: &'a VectorSet, selection: &Selection, profile: Profile) -> Vec<Task<'a>> {
    // Sharing out what is not asked would leave one shard with less to do than another.
    let reads = set.vectors.iter().enumerate().filter(|(_, vector)| profile.asks(vector));
    let reads = reads.filter(|(_, vector)| selection.matches(&vector.id, &vector.tags));
    let writes = set.writes.iter().enumerate().filter(|(_, vector)| selection.matches(&vector.id, &vector.tags));
    match profile {
        Profile::Writer => selection.share(writes.map(|(at, vector)| Task::Write { vector, at })).collect(),
        Profile::Reader | Profile::Validate | Profile::Io | Profile::Sequential => {
            selection.share(reads.map(|(at, vector)| Task::Read { vector, at, profile })).collect()
        }
        // Its files do not exist before the other candidates have written them.
        Profile::Interop => Vec::new(),
    }
}
