//! Replays vectors on a candidate and judges the answers. One lane is one instance of the candidate.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::thread;

use hurray_adapter::{Hello, Step};

use super::inject::{self, Sweeps};
use super::meter::Meter;
use super::{Files, Progress, Scored, Task, Work, passing, write_on};
use crate::candidates::{Prepared, SourceWay};
use crate::profile::Profile;
use crate::stop;
use crate::transport::{Broken, Cause, Job, JobSource, Trace, Transport};
use crate::vector::{Class, Vector, VectorSet};
use crate::verdict::io::ranges::cost_text;
use crate::verdict::{Fault, Outcome, Verdict, judge_reader, judge_validate, opening, reader_script, validate_script};
use crate::worker::LONGEST_REPLY;

/// Ranges that opening a file may take.
const MOST_OPEN_RANGES: u64 = 4;

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
            if stop::is_requested() {
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
                work => inject::not_run(sweeps.ids(work, task.vector), &verdict),
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

/// How the file is handed over: as a path where both are offered, since that is what most people use.
pub(super) fn source<'a>(
    vector: &'a Vector,
    path: Option<&'a Path>,
    hello: &Hello,
    wanted: Option<SourceWay>,
    profile: Profile,
) -> Result<JobSource<'a>, Cause> {
    let takes = |way: SourceWay| hello.source.iter().any(|source| source == way.name());
    let way = match wanted {
        _ if profile == Profile::Io => SourceWay::Served,
        Some(way) if takes(way) => way,
        _ if takes(SourceWay::Path) || !takes(SourceWay::Served) => SourceWay::Path,
        _ => SourceWay::Served,
    };
    match (way, path) {
        (SourceWay::Served, _) => Ok(JobSource::Served(&vector.bytes)),
        (SourceWay::Path, Some(path)) => Ok(JobSource::Path(path, vector.bytes.len() as u64)),
        (SourceWay::Path, None) => {
            Err(Cause::NotRun("its file could not be written; is there room for it?".to_owned()))
        }
    }
}

/// Runs one vector in one profile over `source` and judges it.
pub fn judge_on(
    transport: &mut dyn Transport,
    vector: &Vector,
    hello: &Hello,
    source: JobSource<'_>,
    profile: Profile,
) -> Verdict {
    if let Some(missing) = vector.requires.iter().find(|required| !required.is_declared(hello)) {
        return Verdict::good(Outcome::Unsupported, missing.name(), "it is not offered");
    }
    if vector.is_scanned() {
        return passing::judge(transport, vector, hello);
    }
    if profile == Profile::Io {
        return judge_io(transport, vector, hello);
    }
    let steps: Vec<Step> = match profile {
        Profile::Validate => validate_script(),
        _ => reader_script(vector, hello),
    };
    let asked = steps.iter().filter_map(|step| serde_json::to_value(step).ok()).collect();
    let ran = transport.run(&Job { source, steps: asked });
    match &ran.end {
        Err(death) => Verdict::died(&death.cause, "an answer"),
        Ok(results) => match (profile, steps.first(), results.first()) {
            (Profile::Validate, Some(step), Some(result)) => judge_validate(vector, hello, step, result),
            _ => judge_reader(vector, hello, &steps, results),
        },
    }
}

/// Under the I/O contract a reader over ranges says what a reader says; no range lies outside the file or is empty (R74),
/// and at most four are needed to open it.
fn judge_io(transport: &mut dyn Transport, vector: &Vector, hello: &Hello) -> Verdict {
    let steps = reader_script(vector, hello);
    let mut run = |steps: &[Step]| {
        let steps = steps.iter().filter_map(|step| serde_json::to_value(step).ok()).collect();
        transport.run(&Job { source: JobSource::Served(&vector.bytes), steps })
    };
    let whole = run(&steps);
    let verdict = match &whole.end {
        Err(death) => return Verdict::died(&death.cause, "an answer"),
        Ok(results) => judge_reader(vector, hello, &steps, results),
    };
    if verdict.fault.is_some() {
        return verdict;
    }
    let opening = run(&[opening(vector)]);
    let cost = cost_text(opening.trace.range_count, opening.trace.asked_len, opening.peak_memory_len);
    match (opening.end, fault_of_ranges(&whole.trace, &opening.trace)) {
        (Err(death), _) => Verdict::died(&death.cause, "an answer"),
        (Ok(_), Some((step, expected, actual))) if step.is_some() => {
            Verdict::bad(Fault::Range, step, expected, format!("{actual} ({cost})"))
        }
        (Ok(_), Some((step, expected, actual))) => Verdict::bad(Fault::Range, step, expected, actual),
        (Ok(_), None) => verdict,
    }
}

/// What is wrong with the ranges asked for: the step, what was demanded, what was done.
fn fault_of_ranges(whole: &Trace, opening: &Trace) -> Option<(Option<String>, &'static str, String)> {
    if whole.outside_count + whole.empty_count > 0 {
        let (outside, empty) = (whole.outside_count, whole.empty_count);
        let actual = format!("{outside} of {} ranges outside, {empty} empty", whole.range_count);
        return Some((None, "ranges within the file, none empty", actual));
    }
    // Longer ranges are answered in pieces, and every piece is asked for.
    let is_whole = opening.ranges.iter().all(|(_, len)| *len <= LONGEST_REPLY as u64);
    (opening.range_count > MOST_OPEN_RANGES && is_whole).then(|| {
        let actual = format!("{} ranges", opening.range_count);
        (Some("open".to_owned()), "at most 4 ranges: header, trailer, index, key-values", actual)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trace(ranges: &[(u64, u64)]) -> Trace {
        let mut trace = Trace::default();
        ranges.iter().for_each(|(offset, len)| trace.note(*offset, *len, 100));
        trace
    }

    #[test]
    fn ranges_lie_in_the_file_and_are_not_empty() {
        let none = trace(&[]);
        assert!(fault_of_ranges(&trace(&[(0, 64), (60, 40)]), &none).is_none());
        assert!(fault_of_ranges(&trace(&[(0, 64), (60, 41)]), &none).is_some());
        assert!(fault_of_ranges(&trace(&[(100, 0)]), &none).is_some());
    }

    #[test]
    fn four_ranges_open_a_file() {
        let none = trace(&[]);
        assert!(fault_of_ranges(&none, &trace(&[(0, 1); 4])).is_none());
        assert!(fault_of_ranges(&none, &trace(&[(0, 1); 5])).is_some());
        assert!(fault_of_ranges(&none, &trace(&[(0, 2 << 20); 5])).is_none(), "pieces of a long range");
    }
}
