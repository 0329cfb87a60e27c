//! Replays vectors on a candidate and judges the answers. One lane is one instance of the candidate.

use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::thread;

use hurray_adapter::Hello;

use super::files::Files;
use super::meter::Meter;
use super::plan::{Task, Work};
use super::progress::Progress;
use super::read::{judge_on, source};
use super::result::Scored;
use super::sweep::{Sweeps, not_run};
use super::write::write_on;
use crate::candidates::Prepared;
use crate::judge::Verdict;
use crate::judge::profile::Profile;
use crate::support::interrupt;
use crate::transport::{Broken, Cause, Transport};
use hurray_corpus::{Class, VectorSet};

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
    tasks: &'a [Task],
    lane: usize,
    lane_count: usize,
}

impl<'a> Part<'a> {
    fn tasks(self) -> impl Iterator<Item = &'a Task> {
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

    /// Replays the tasks, lane n taking every task whose position is n modulo the number of lanes, so that the same
    /// vectors meet the same instance in every run.
    pub(super) fn replay(
        &self,
        first: Option<Box<dyn Transport>>,
        tasks: &[Task],
        sweeps: &Sweeps<'_>,
        progress: &dyn Progress,
    ) -> (Vec<Scored>, Option<Broken>) {
        if tasks.is_empty() {
            return (Vec::new(), None);
        }
        let lane_count = sweeps.selection().jobs.clamp(1, tasks.len());
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
        let mut judged = Vec::new();
        for task in part.tasks() {
            if interrupt::is_requested() {
                break;
            }
            match task.work {
                Work::Replay => {
                    let scored = self.judge(&mut transport, &hello, *task);
                    judged.push(Scored { spent: meter.take(), ..scored });
                }
                work => judged.extend(sweeps.judge(&mut transport, &meter, work, task.vector)),
            }
            progress.advance();
        }
        let broken = transport.broken().cloned();
        (judged, broken)
    }

    fn not_run(&self, part: Part<'_>, sweeps: &Sweeps<'_>, broken: Broken) -> (Vec<Scored>, Option<Broken>) {
        let cause = Cause::NotRun(broken.answered.clone());
        let scored = |task: &Task| {
            let verdict = Verdict::died(&cause, "");
            match task.work {
                Work::Replay => vec![self.scored(*task, verdict)],
                work => not_run(sweeps.ids(work, task.vector), &verdict),
            }
        };
        (part.tasks().flat_map(scored).collect(), Some(broken))
    }

    fn scored(&self, task: Task, verdict: Verdict) -> Scored {
        if task.profile == Profile::Writer {
            let vector = &self.set.writes[task.vector];
            let scored = Scored::new(vector.id.clone(), task.profile, vector.class, verdict);
            return Scored { write: Some(task.vector), ..scored };
        }
        let vector = &self.set.vectors[task.vector];
        let class = match (task.profile, vector.class) {
            // `validate` has to name every broken MUST, contested or not (R1).
            (Profile::Validate, Class::Contested) => Class::Decided,
            (_, class) => class,
        };
        Scored { vector: Some(task.vector), ..Scored::new(vector.id.clone(), task.profile, class, verdict) }
    }

    fn judge(&self, transport: &mut dyn Transport, hello: &Hello, task: Task) -> Scored {
        if task.profile == Profile::Writer {
            let wrote = write_on(transport, &self.set.writes[task.vector], hello, self.files);
            return Scored { written: wrote.bytes, ..self.scored(task, wrote.verdict) };
        }
        let vector = &self.set.vectors[task.vector];
        let path = self.files.path(self.set, task.vector);
        let verdict = match source(vector, path, hello, self.candidate.source, task.profile) {
            Ok(source) => judge_on(transport, vector, hello, source, task.profile),
            Err(cause) => Verdict::died(&cause, ""),
        };
        self.scored(task, verdict)
    }
}
