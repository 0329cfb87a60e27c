//! Does the tasks of one candidate, several at a time. A lane is one instance of the candidate.
//!
//! Owns which lane does which task, and the workers of a lane. What an answer is worth is decided in `judge`.

use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::thread;

use hurray_adapter::Hello;

use super::files::Files;
use super::meter::{Meter, Metered};
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
    /// The workers under the shim have a budget of their own.
    preload_restarts_left: Arc<AtomicU32>,
    jobs: usize,
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
    pub(super) fn new(set: &'a VectorSet, files: &'a Files, candidate: &'a Prepared, jobs: usize) -> Self {
        let budget = || Arc::new(AtomicU32::new(candidate.start.restart_count()));
        Lanes { set, files, candidate, restarts_left: budget(), preload_restarts_left: budget(), jobs }
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
        let lane_count = self.jobs.clamp(1, tasks.len());
        let of_lane = |lane| Part { tasks, lane, lane_count };
        thread::scope(|scope| {
            let others: Vec<_> = (1..lane_count)
                .map(|lane| scope.spawn(move || self.lane(None, of_lane(lane), sweeps, progress)))
                .collect();
            let (mut judged, mut broken) = self.lane(first, of_lane(0), sweeps, progress);
            for lane in others {
                // A lane catches what a candidate does. If the lane itself fails, `session` finds its tasks missing.
                if let Ok((more, why)) = lane.join() {
                    judged.extend(more);
                    broken = broken.or(why);
                }
            }
            (judged, broken)
        })
    }

    /// Does the tasks of one lane, on workers that start when a task needs them.
    fn lane(
        &self,
        first: Option<Box<dyn Transport>>,
        part: Part<'_>,
        sweeps: &Sweeps<'_>,
        progress: &dyn Progress,
    ) -> (Vec<Scored>, Option<Broken>) {
        let mut lane = Lane::new(self, first);
        let mut judged = Vec::new();
        for task in part.tasks() {
            if interrupt::is_requested() {
                break;
            }
            judged.extend(lane.judge(task, sweeps));
            progress.advance();
        }
        (judged, lane.broken())
    }
}

/// One instance of the candidate, and one under the shim.
struct Lane<'a> {
    lanes: &'a Lanes<'a>,
    meter: Meter,
    /// `None` until a task needs it.
    plain: Option<Result<Metered, Broken>>,
    preload: PreloadWorker,
}

impl<'a> Lane<'a> {
    fn new(lanes: &'a Lanes<'a>, first: Option<Box<dyn Transport>>) -> Self {
        let meter = Meter::default();
        let plain = first.map(|transport| Ok(meter.over(transport)));
        Lane { lanes, meter, plain, preload: PreloadWorker::new(Arc::clone(&lanes.preload_restarts_left)) }
    }

    fn judge(&mut self, task: &Task<'_>, sweeps: &Sweeps<'_>) -> Vec<Scored> {
        if let Task::Preload(subject) = *task {
            return sweeps.judge_preload(&mut self.preload, subject);
        }
        let (lanes, meter) = (self.lanes, &self.meter);
        let plain = self.plain.get_or_insert_with(|| lanes.start().map(|transport| meter.over(transport)));
        let transport = match plain {
            Ok(transport) => transport,
            Err(broken) => return not_started(task, sweeps, broken),
        };
        let hello = transport.hello().clone();
        match *task {
            Task::Read { vector, at, profile } => {
                let verdict = lanes.read(transport, &hello, (vector, at), profile);
                vec![Scored { spent: meter.take(), ..scored_read(vector, at, profile, verdict) }]
            }
            Task::Write { vector, at } => {
                let wrote = write_on(transport, vector, &hello, lanes.files);
                vec![Scored { spent: meter.take(), ..scored_write(vector, at, wrote.verdict, wrote.bytes) }]
            }
            Task::Served(subject) => sweeps.judge_served(transport, meter, subject),
            Task::Preload(subject) => sweeps.judge_preload(&mut self.preload, subject),
        }
    }

    /// Why one of the workers cannot be asked any more, if so.
    fn broken(self) -> Option<Broken> {
        let plain = match self.plain {
            Some(Ok(transport)) => transport.broken().cloned(),
            Some(Err(broken)) => Some(broken),
            None => None,
        };
        plain.or_else(|| self.preload.broken())
    }
}

/// The judgements of a task whose worker does not start.
fn not_started(task: &Task<'_>, sweeps: &Sweeps<'_>, broken: &Broken) -> Vec<Scored> {
    let verdict = Verdict::died(&Cause::NotRun(broken.answered.clone()), "");
    match *task {
        Task::Read { vector, at, profile } => vec![scored_read(vector, at, profile, verdict)],
        Task::Write { vector, at } => vec![scored_write(vector, at, verdict, None)],
        Task::Served(subject) => sweeps.all(Means::Served, subject, &verdict),
        Task::Preload(subject) => sweeps.all(Means::Preload, subject, &verdict),
    }
}

impl Lanes<'_> {
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

fn scored_read(vector: &Vector, at: usize, profile: Profile, verdict: Verdict) -> Scored {
    let class = match (profile, vector.class) {
        // `validate` has to name every broken MUST, contested or not (R1).
        (Profile::Validate, Class::Contested) => Class::Decided,
        (_, class) => class,
    };
    Scored::new(vector.id.clone(), profile, class, About::Vector(at), verdict)
}

fn scored_write(vector: &WriteVector, at: usize, verdict: Verdict, file: Option<Arc<[u8]>>) -> Scored {
    Scored::new(vector.id.clone(), Profile::Writer, vector.class, About::Write { at, file }, verdict)
}
