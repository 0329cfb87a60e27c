//! What is swept on one candidate: which files and descriptions, under which schedules, with which ids.
//!
//! Owns that choice. It must not run anything.

use hurray_adapter::{Hello, SinkKind, SourceKind};

use super::common::ONE_OF_EACH;
use crate::candidates::{Prepared, SourceWay, Start};
use crate::judge::profile::Profile;
use crate::run::plan::Selection;
use crate::run::task::{Subject, Task};
use hurray_corpus::schedule::{Listed, Schedule, Side};
use hurray_corpus::{Expect, ReadMode, Vector, VectorSet};

/// Files that are longer are not swept: nothing more can be learned from them.
const LONGEST_SWEPT: usize = 64 << 10;

/// How faults are to reach the candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::run) enum Means {
    /// By a source or sink that the harness serves.
    Served,
    /// By the preload shim.
    Preload,
}

/// One judgement to make.
pub(super) struct Case<'a> {
    /// Its id, such as `schedules/source/one-byte/pair` or `path/source/one-byte/pair`.
    pub(super) id: String,
    /// What is tried.
    pub(super) under: Under<'a>,
}

/// What is tried on a file.
pub(super) enum Under<'a> {
    /// The schedule that a person named.
    One(&'a Schedule),
    /// A schedule of the lists, or a family of them.
    Listed(&'a Listed),
}

/// What is swept on one candidate.
pub(in crate::run) struct Sweeps<'a> {
    set: &'a VectorSet,
    pub(super) selection: &'a Selection,
    pub(super) hello: &'a Hello,
    /// The candidate, if it may be a process.
    pub(super) candidate: Option<&'a Prepared>,
}

impl<'a> Sweeps<'a> {
    /// The sweeps of a selection on the candidate with that hello.
    pub(in crate::run) fn new(
        set: &'a VectorSet,
        selection: &'a Selection,
        hello: &'a Hello,
        candidate: Option<&'a Prepared>,
    ) -> Self {
        Sweeps { set, selection, hello, candidate }
    }

    /// The sweeps over served sources and sinks.
    pub(in crate::run) fn served(&self) -> Vec<Subject<'a>> {
        let is_swept = |subject: &Subject<'a>| !self.cases(Means::Served, *subject).is_empty();
        let is_good = |vector: &&Vector| is_good(vector) && self.hello.is_served_source();
        let files = self.set.vectors.iter().filter(is_good).map(Subject::File).filter(is_swept);
        let models = self.models().filter(|_| self.hello.is_served_sink()).filter(is_swept);
        self.selection.share(files).chain(self.selection.share(models)).collect()
    }

    /// The sweeps by paths.
    pub(in crate::run) fn preload(&self) -> Vec<Subject<'a>> {
        let is_read = |vector: &&Vector| match &self.selection.schedule {
            Some(_) => is_good(vector),
            None => ONE_OF_EACH.contains(&vector.id.as_str()),
        };
        let files = self.set.vectors.iter().filter(is_read).map(Subject::File);
        let subjects = files.chain(self.models()).filter(|subject| self.takes_path(subject.side()));
        let is_swept = |subject: &Subject<'a>| !self.cases(Means::Preload, *subject).is_empty();
        self.selection.share(subjects.filter(is_swept)).collect()
    }

    fn models(&self) -> impl Iterator<Item = Subject<'a>> + use<'a> {
        self.selection.schedules.models.iter().map(|(name, file)| Subject::Model { name, file })
    }

    /// Whether that side is swept by paths: a candidate that is served is swept there, where more can be seen.
    fn takes_path(&self, side: Side) -> bool {
        let Some(candidate) = self.candidate else { return false };
        let hello = self.hello;
        let (takes_paths, is_served, profile) = match side {
            Side::Source => (hello.reads_from(SourceKind::Path), hello.reads_from(SourceKind::Served), Profile::Reader),
            Side::Sink => (hello.writes_to(SinkKind::Path), hello.writes_to(SinkKind::Served), Profile::Writer),
        };
        let by_path = takes_paths && (!is_served || candidate.source == Some(SourceWay::Path));
        let is_wanted = self.selection.schedule.is_some() || self.selection.profiles.contains(&profile);
        matches!(candidate.start, Start::Worker(_)) && by_path && is_wanted
    }

    /// What is judged of one file or description.
    pub(super) fn cases(&self, means: Means, subject: Subject<'_>) -> Vec<Case<'a>> {
        let selection = self.selection;
        let prefix = match means {
            Means::Served => "schedules",
            Means::Preload => "path",
        };
        if let Some(schedule) = &selection.schedule {
            let over = subject.id();
            let (tags, id) = match means {
                Means::Served => (subject.tags(), over.clone()),
                Means::Preload => (&[] as &[String], format!("{prefix}/{over}")),
            };
            if !schedule.fits(subject.side()) || !selection.matches(&over, tags) {
                return Vec::new();
            }
            return vec![Case { id, under: Under::One(schedule) }];
        }
        let Some(name) = subject.short_id() else { return Vec::new() };
        let is_asked = |listed: &&Listed| match means {
            Means::Served => self.hello.io_contract || listed.holds_for_everybody(),
            Means::Preload => is_told(listed, subject.side()),
        };
        let listed = selection.schedules.of(subject.side()).filter(is_asked);
        let cases =
            listed.map(|listed| Case { id: format!("{prefix}/{}/{name}", listed.id), under: Under::Listed(listed) });
        cases.filter(|case| selection.matches(&case.id, &[])).collect()
    }

    /// The ids that a task judges, each with its profile.
    pub(in crate::run) fn ids(&self, task: &Task<'_>) -> Vec<(String, Profile)> {
        match *task {
            Task::Read { vector, profile, .. } => vec![(vector.id.clone(), profile)],
            Task::Write { vector, .. } => vec![(vector.id.clone(), Profile::Writer)],
            Task::Served(subject) => self.ids_of(Means::Served, subject),
            Task::Preload(subject) => self.ids_of(Means::Preload, subject),
        }
    }

    fn ids_of(&self, means: Means, subject: Subject<'_>) -> Vec<(String, Profile)> {
        let profile = profile_of(means, subject);
        self.cases(means, subject).into_iter().map(|case| (case.id, profile)).collect()
    }
}

/// The profile in which a sweep counts.
pub(super) fn profile_of(means: Means, subject: Subject<'_>) -> Profile {
    match (means, subject) {
        (Means::Served, Subject::File(_) | Subject::Model { .. }) => Profile::Io,
        (Means::Preload, Subject::File(_)) => Profile::Reader,
        (Means::Preload, Subject::Model { .. }) => Profile::Writer,
    }
}

fn is_good(vector: &Vector) -> bool {
    vector.mode == ReadMode::Whole && vector.expect == Expect::Accept && vector.bytes.len() <= LONGEST_SWEPT
}

/// Whether a listed schedule tells something of system calls. Without any fault only the order of writes does.
fn is_told(listed: &Listed, side: Side) -> bool {
    let is_whole = listed.at(1).is_ok_and(|first| first.clauses.is_empty());
    listed.holds_for_everybody() || side == Side::Sink && is_whole
}
