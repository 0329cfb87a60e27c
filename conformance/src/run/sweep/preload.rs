//! Sweeps over a program that takes a path and nothing else: its own system calls misbehave, by the preload shim.
//!
//! Owns which candidates and files are swept so, and the ids. One process serves all schedules, as long as it survives
//! them. Where calls cannot be caught, every case is unsupported, and says why.

use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use hurray_adapter::Hello;

use super::common::{class_of, unsupported};
use super::preload_read::PathReading;
use super::preload_write::PathWriting;
use super::{ONE_OF_EACH, UnderSchedules as _};
use crate::candidates::{Prepared, SourceWay, Start};
use crate::fault::preload::Session;
use crate::judge::Verdict;
use crate::judge::profile::Profile;
use crate::run::meter::Meter;
use crate::run::plan::Selection;
use crate::run::result::Scored;
use crate::support::interrupt;
use crate::transport::Transport;
use hurray_corpus::schedule::{Listed, Side};
use hurray_corpus::{Class, Expect, Vector, VectorSet};

/// Files that are longer are not swept.
const LONGEST_SWEPT: usize = 64 << 10;

/// What is swept on one candidate.
pub(in crate::run) struct Paths<'a> {
    set: &'a VectorSet,
    candidate: &'a Prepared,
    selection: &'a Selection,
    hello: &'a Hello,
}

/// Something to be read, or to be written.
enum Work<'a> {
    Read(&'a Vector),
    Write(&'a str, &'a hurray_adapter::NewFile),
}

impl<'a> Paths<'a> {
    pub(in crate::run) fn new(
        set: &'a VectorSet,
        candidate: &'a Prepared,
        selection: &'a Selection,
        hello: &'a Hello,
    ) -> Paths<'a> {
        Paths { set, candidate, selection, hello }
    }

    /// Whether the candidate is swept on that side: whoever is served is swept there, where more can be seen.
    fn is_swept(&self, side: Side) -> bool {
        let (ways, profile) = match side {
            Side::Source => (&self.hello.source, Profile::Reader),
            Side::Sink => (&self.hello.sink, Profile::Writer),
        };
        let takes = |way: &str| ways.iter().any(|offered| offered == way);
        let by_path = takes("path") && (!takes("served") || self.candidate.source == Some(SourceWay::Path));
        let is_wanted = self.selection.schedule.is_some() || self.selection.profiles.contains(&profile);
        matches!(self.candidate.start, Start::Worker(_)) && by_path && is_wanted
    }

    /// What is to be done, in the order of ids.
    fn works(&self) -> Vec<Work<'a>> {
        let mut works = Vec::new();
        if self.is_swept(Side::Source) {
            let is_read = |vector: &&Vector| match &self.selection.schedule {
                Some(_) => vector.expect == Expect::Accept && vector.bytes.len() <= LONGEST_SWEPT,
                None => ONE_OF_EACH.contains(&vector.id.as_str()),
            };
            works.extend(self.set.vectors.iter().filter(is_read).map(Work::Read));
        }
        if self.is_swept(Side::Sink) {
            let models = self.selection.schedules.models.iter();
            works.extend(models.map(|(name, file)| Work::Write(name, file)));
        }
        self.selection.share(works.into_iter()).collect()
    }

    /// The listed schedules for one file, with the ids of their judgements. Without any fault only the order of writes tells
    /// something.
    fn listed(&self, work: &Work<'a>) -> Vec<(String, &'a Listed)> {
        let (side, name) = match work {
            Work::Read(vector) => (Side::Source, vector.id.strip_prefix("bases/").unwrap_or(&vector.id)),
            Work::Write(name, _) => (Side::Sink, *name),
        };
        let is_whole = |listed: &Listed| listed.at(1).is_ok_and(|first| first.clauses.is_empty());
        let is_told = |listed: &&Listed| listed.holds_for_everybody() || side == Side::Sink && is_whole(listed);
        let all = self.selection.schedules.of(side).filter(is_told);
        let named = all.map(|listed| (format!("path/{}/{name}", listed.id), listed));
        named.filter(|(id, _)| self.selection.matches(id, &[])).collect()
    }

    fn ids_of(&self, work: &Work<'a>) -> Vec<String> {
        let Some(schedule) = &self.selection.schedule else {
            return self.listed(work).into_iter().map(|(id, _)| id).collect();
        };
        let (side, over) = match work {
            Work::Read(vector) => (Side::Source, vector.id.clone()),
            Work::Write(name, _) => (Side::Sink, format!("models/{name}")),
        };
        let is_wanted = schedule.fits(side) && self.selection.matches(&over, &[]);
        if is_wanted { vec![format!("path/{over}")] } else { Vec::new() }
    }

    /// The ids that are judged, each with its profile.
    pub(in crate::run) fn ids(&self) -> Vec<(String, Profile)> {
        let ids = |work: &Work<'a>| {
            let profile = profile_of(work);
            self.ids_of(work).into_iter().map(move |id| (id, profile))
        };
        self.works().iter().flat_map(ids).collect()
    }

    /// Tries every schedule.
    pub(in crate::run) fn judge(&self) -> Vec<Scored> {
        let works: Vec<Work<'a>> = self.works().into_iter().filter(|work| !self.ids_of(work).is_empty()).collect();
        if works.is_empty() {
            return Vec::new();
        }
        let (mut session, transport) = match self.start() {
            Ok(started) => started,
            Err(why) => {
                let unsupported = |work: &Work<'a>| self.all(work, &unsupported("calls that can be caught", &why));
                return works.iter().flat_map(unsupported).collect();
            }
        };
        let meter = Meter::default();
        let mut transport = meter.over(transport);
        let mut judged = Vec::new();
        for work in &works {
            if interrupt::is_requested() {
                break;
            }
            judged.extend(self.judge_one(&mut session, (&mut transport, &meter), work));
        }
        judged
    }

    /// A worker with the shim.
    fn start(&self) -> Result<(Session, Box<dyn Transport>), String> {
        let Start::Worker(launch) = &self.candidate.start else { return Err("it is no process".to_owned()) };
        let library = self.selection.shim.library().map_err(|why| why.to_string())?;
        let session = Session::new(&library).map_err(|error| format!("there is no room for its file: {error}"))?;
        let restarts_left = Arc::new(AtomicU32::new(launch.limits.restart_count));
        let start = Start::Worker(Arc::new(session.launch(launch)));
        let transport = start.start(&restarts_left).map_err(|broken| format!("with the shim, {}", broken.answered))?;
        Ok((session, transport))
    }

    fn judge_one(
        &self,
        session: &mut Session,
        (transport, meter): (&mut dyn Transport, &Meter),
        work: &Work<'a>,
    ) -> Vec<Scored> {
        let scored = |id: String, verdict: Verdict| {
            let class = class_of(&verdict);
            Scored { spent: meter.take(), ..Scored::new(id, profile_of(work), class, verdict) }
        };
        let listed = self.listed(work);
        let schedule = self.selection.schedule.as_ref();
        let ids = self.ids_of(work);
        match work {
            Work::Read(vector) => {
                let mut reading = PathReading::begin(session, transport, self.hello, vector);
                match schedule {
                    Some(schedule) => ids.into_iter().map(|id| scored(id, reading.one(schedule))).collect(),
                    None => listed.into_iter().map(|(id, listed)| scored(id, reading.listed(listed))).collect(),
                }
            }
            Work::Write(name, file) => {
                let mut writing = PathWriting::begin(session, transport, self.hello, (name, file));
                match schedule {
                    Some(schedule) => ids.into_iter().map(|id| scored(id, writing.one(schedule))).collect(),
                    None => listed.into_iter().map(|(id, listed)| scored(id, writing.listed(listed))).collect(),
                }
            }
        }
    }

    fn all(&self, work: &Work<'a>, verdict: &Verdict) -> Vec<Scored> {
        let (profile, class) = (profile_of(work), Class::Explicit);
        let ids = self.ids_of(work).into_iter();
        ids.map(|id| Scored::new(id, profile, class, verdict.clone())).collect()
    }
}

fn profile_of(work: &Work<'_>) -> Profile {
    match work {
        Work::Read(_) => Profile::Reader,
        Work::Write(..) => Profile::Writer,
    }
}
