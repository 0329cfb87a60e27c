//! Replays vectors on a candidate and judges the answers. One lane is one instance of the candidate.

use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::thread;

use hurray_adapter::Hello;

use super::files::Files;
use super::meter::Meter;
use super::progress::Progress;
use super::read::{judge_on, source};
use super::result::{About, Scored};
use super::sweep::{Means, PreloadWorker, Sweeps};
use super::task::Task;
use super::write::write_on;
use crate::candidates::Prepared;
use crate::judge::Verdict;
use crate::judge::profile::Profile;
use crate::support::interrupt;
use crate::transport::{Broken, Cause, Transport};
use hurray_corpus::write_vector::WriteVector;
use hurray_corpus::{Class, Vector, VectorSet};

/// What all lanes of one candidate share.
pub(super) struct Lanes<'a> {
    set: &'a VectorSet,
    files: &'a Files,
    candidate: &'a Prepared,
    restarts_left: Arc<AtomicU32>,
}

/// The tasks of one lane.
#[derive(Clone, Copy)]
struct Part<'a> {
    tasks: &'a [Task<'a>],
    lane: usize,
    lane_count: usize,
}

impl<'a> Part<'a> {
    fn tasks(self) -> impl Iterator<Item = &'a Task<'a>> {
        self.tasks.iter().skip(self.lane).step_by(self.lane_count)
    }
}

impl<'a> Lanes<'a> {
    pub(super) fn new(set: &'a VectorSet, files: &'a Files, candidate: &'a Prepared) -> Self {
        let restarts_left = Arc::new(AtomicU32::new(candidate.start.restart_count()));
        Lanes { set, files, candidate, restarts_left }
    }

    /// One more instance.
    ///
    /// # Errors
    /// It does not start.
    pub(super) fn start(&self) -> Result<Box<dyn Transport>, Broken> {
        self.candidate.start.start(&self.restarts_left)
    }

    /// Does the tasks, lane n taking every task whose position is n modulo the number of lanes, so that the same
    /// vectors meet the same instance in every run.
    pub(super) fn run(
        &self,
        first: Option<Box<dyn Transport>>,
        tasks: &[Task<'_>],
        sweeps: &Sweeps<'_>,
        progress: &dyn Progress,
    ) -> (Vec<Scored>, Option<Broken>) {
        if tasks.is_empty() {
            return (Vec::new(), None);
        }
        let lane_count = sweeps.selection.jobs.clamp(1, tasks.len());
        let of_lane = |lane| Part { tasks, lane, lane_count };
        thread::scope(|scope| {
            let others: Vec<_> = (1..lane_count)
                .map(|lane| scope.spawn(move || self.lane(None, of_lane(lane), sweeps, progress)))
                .collect();
            let (mut judged, mut broken) = self.lane(first, of_lane(0), sweeps, progress);
            for lane in others {
                // A lane catches what a candidate does; should it fail itself, its tasks are missing, never passed.
                if let Ok((more, why)) = lane.join() {
                    judged.extend(more);
                    broken = broken.or(why);
                }
            }
            (judged, broken)
        })
    }

    /// Goes through the tasks of one lane, on an instance of its own where none is given.
    fn lane(
        &self,
        transport: Option<Box<dyn Transport>>,
        part: Part<'_>,
        sweeps: &Sweeps<'_>,
        progress: &dyn Progress,
    ) -> (Vec<Scored>, Option<Broken>) {
        let meter = Meter::default();
        let mut transport = match transport.map_or_else(|| self.start(), Ok) {
            Ok(transport) => meter.over(transport),
            Err(broken) => return self.not_run(part, sweeps, broken),
        };
        let hello = transport.hello().clone();
        let mut preload = PreloadWorker::default();
        let mut judged = Vec::new();
        for task in part.tasks() {
            if interrupt::is_requested() {
                break;
            }
            match *task {
                Task::Read { vector, at, profile } => {
                    let verdict = self.read(&mut transport, &hello, (vector, at), profile);
                    judged.push(Scored { spent: meter.take(), ..read(vector, at, profile, verdict) });
                }
                Task::Write { vector, at } => {
                    let wrote = write_on(&mut transport, vector, &hello, self.files);
                    judged.push(Scored { spent: meter.take(), ..written(vector, at, wrote.verdict, wrote.bytes) });
                }
                Task::Served(subject) => judged.extend(sweeps.judge_served(&mut transport, &meter, subject)),
                Task::Preload(subject) => judged.extend(sweeps.judge_preload(&mut preload, subject)),
            }
            progress.advance();
        }
        let broken = transport.broken().cloned();
        (judged, broken)
    }

    fn not_run(&self, part: Part<'_>, sweeps: &Sweeps<'_>, broken: Broken) -> (Vec<Scored>, Option<Broken>) {
        let cause = Cause::NotRun(broken.answered.clone());
        let verdict = Verdict::died(&cause, "");
        let scored = |task: &Task<'_>| match *task {
            Task::Read { vector, at, profile } => vec![read(vector, at, profile, verdict.clone())],
            Task::Write { vector, at } => vec![written(vector, at, verdict.clone(), None)],
            Task::Served(subject) => sweeps.all(Means::Served, subject, &verdict),
            Task::Preload(subject) => sweeps.all(Means::Preload, subject, &verdict),
        };
        (part.tasks().flat_map(scored).collect(), Some(broken))
    }

    fn read(
        &self,
        transport: &mut dyn Transport,
        hello: &Hello,
        (vector, at): (&Vector, usize),
        profile: Profile,
    ) -> Verdict {
        match source(vector, self.files.path(self.set, at), hello, self.candidate.source, profile) {
            Ok(source) => judge_on(transport, vector, hello, source, profile),
            Err(cause) => Verdict::died(&cause, ""),
        }
    }
}

fn read(vector: &Vector, at: usize, profile: Profile, verdict: Verdict) -> Scored {
    let class = match (profile, vector.class) {
        // `validate` has to name every broken MUST, contested or not (R1).
        (Profile::Validate, Class::Contested) => Class::Decided,
        (_, class) => class,
    };
    Scored { about: About::Vector(at), ..Scored::new(vector.id.clone(), profile, class, verdict) }
}

fn written(vector: &WriteVector, at: usize, verdict: Verdict, file: Option<Arc<[u8]>>) -> Scored {
    let scored = Scored::new(vector.id.clone(), Profile::Writer, vector.class, verdict);
    Scored { about: About::Write { at, file }, ..scored }
}
