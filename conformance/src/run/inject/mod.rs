//! Sweeps: a candidate over sources and sinks that obey a schedule, for one schedule after the other.
//!
//! Owns which runs are made, and when a family of schedules is exhausted. What a run demands is for `verdict::io` to say.

mod arguments;
mod payload;
mod read;
mod write;

use hurray_adapter::Hello;

use super::{Scored, Selection};
use crate::profile::Profile;
use crate::schedule::{Listed, Schedule, Side, Sweep};
use crate::transport::Transport;
use crate::vector::{Class, Expect, Vector, VectorSet};
use crate::verdict::{Outcome, Verdict};

pub use read::Reading;
pub use write::Writing;

/// Files that are longer are not swept: nothing more can be learned from them.
const LONGEST_SWEPT: usize = 64 << 10;
/// Schedules of one family at most.
const MOST_OF_FAMILY: u64 = 4096;

/// Positions of the vectors that are read under schedules: the bases, or the selected vectors for a given schedule.
pub(super) fn swept(set: &VectorSet, selection: &Selection) -> Vec<usize> {
    let is_swept = |vector: &Vector| {
        let is_asked = vector.expect == Expect::Accept && vector.requires.is_empty();
        let is_good = is_asked && vector.bytes.len() <= LONGEST_SWEPT;
        match &selection.schedule {
            Some(schedule) => is_good && schedule.fits(Side::Source) && selection.matches(&vector.id, &vector.tags),
            None => is_good && listed(selection, vector).next().is_some(),
        }
    };
    let all = set.vectors.iter().enumerate().filter(|(_, vector)| is_swept(vector)).map(|(at, _)| at);
    selection.share(all).collect()
}

/// Positions of the models that are written under schedules.
pub(super) fn written(selection: &Selection) -> Vec<usize> {
    let is_written = |name: &String| match &selection.schedule {
        Some(schedule) => schedule.fits(Side::Sink) && selection.matches(&model_id(name), &[]),
        None => listed_for_model(selection, name).next().is_some(),
    };
    let models = selection.schedules.models.iter().enumerate();
    let all = models.filter(|(_, (name, _))| is_written(name)).map(|(at, _)| at);
    selection.share(all).collect()
}

fn model_id(name: &str) -> String {
    format!("models/{name}")
}

fn listed_for_model<'a>(selection: &'a Selection, name: &'a str) -> impl Iterator<Item = &'a Listed> {
    let all = selection.schedules.of(Side::Sink);
    all.filter(move |listed| selection.matches(&format!("schedules/{}/{name}", listed.id), &[]))
}

/// The ids that are judged for one model.
pub(super) fn model_ids(selection: &Selection, model: usize) -> Vec<String> {
    let Some((name, _)) = selection.schedules.models.get(model) else { return Vec::new() };
    match &selection.schedule {
        Some(_) => vec![model_id(name)],
        None => listed_for_model(selection, name).map(|listed| format!("schedules/{}/{name}", listed.id)).collect(),
    }
}

/// Tries every schedule on one model.
pub(super) fn judge_model(
    transport: &mut dyn Transport,
    hello: &Hello,
    model: usize,
    selection: &Selection,
) -> Vec<Scored> {
    let Some((name, file)) = selection.schedules.models.get(model) else { return Vec::new() };
    let mut writing = Writing::begin(transport, hello, name, file);
    match &selection.schedule {
        Some(schedule) => vec![scored(model_id(name), writing.one(schedule))],
        None => listed_for_model(selection, name)
            .map(|listed| scored(format!("schedules/{}/{name}", listed.id), writing.listed(listed)))
            .collect(),
    }
}

/// The listed schedules that are tried on a vector.
fn listed<'a>(selection: &'a Selection, vector: &'a Vector) -> impl Iterator<Item = &'a Listed> {
    let name = vector.id.strip_prefix("bases/");
    let all = selection.schedules.of(Side::Source).filter(move |_| name.is_some());
    all.filter(move |listed| selection.matches(&id(listed, vector), &[]))
}

/// The id of a judgement, such as `schedules/source/one-byte/one-f32`.
fn id(listed: &Listed, vector: &Vector) -> String {
    format!("schedules/{}/{}", listed.id, vector.id.strip_prefix("bases/").unwrap_or(&vector.id))
}

/// The ids that are judged for one vector.
pub(super) fn ids(selection: &Selection, vector: &Vector) -> Vec<String> {
    match &selection.schedule {
        Some(_) => vec![vector.id.clone()],
        None => listed(selection, vector).map(|listed| id(listed, vector)).collect(),
    }
}

/// Tries every schedule on one vector.
pub(super) fn judge(
    transport: &mut dyn Transport,
    hello: &Hello,
    vector: &Vector,
    selection: &Selection,
) -> Vec<Scored> {
    let mut reading = Reading::begin(transport, hello, vector);
    match &selection.schedule {
        Some(schedule) => vec![scored(vector.id.clone(), reading.one(schedule))],
        None => listed(selection, vector).map(|listed| scored(id(listed, vector), reading.listed(listed))).collect(),
    }
}

/// One file, read or written under one schedule after the other.
pub trait UnderSchedules {
    /// Without any fault.
    fn whole(&mut self) -> Verdict;

    /// The positions of the file at which a schedule of this kind can make a difference.
    fn positions(&self, schedule: &Schedule) -> Vec<u64>;

    /// Runs one schedule.
    ///
    /// # Errors
    /// Why nothing can be said under any schedule.
    fn tried(&mut self, schedule: &Schedule) -> Result<Tried, Box<Verdict>>;

    /// One schedule, or one family of them.
    fn listed(&mut self, listed: &Listed) -> Verdict {
        let Ok(first) = listed.at(1) else { return kept(0) };
        let numbers: Vec<u64> = match listed.sweep {
            Sweep::One => return self.one(&first),
            Sweep::Operations => (1..=MOST_OF_FAMILY).collect(),
            Sweep::Positions => self.positions(&first),
        };
        let mut count = 0;
        for number in numbers {
            let Ok(schedule) = listed.at(number) else { break };
            let tried = match self.tried(&schedule) {
                Ok(tried) => tried,
                Err(verdict) => return *verdict,
            };
            if let Some(bad) = tried.bad {
                return bad;
            }
            match (tried.is_reached, listed.sweep) {
                (false, Sweep::Operations) => break,
                (is_reached, _) => count += u64::from(is_reached),
            }
        }
        kept(count)
    }

    /// One schedule.
    fn one(&mut self, schedule: &Schedule) -> Verdict {
        if schedule.clauses.is_empty() {
            return self.whole();
        }
        match self.tried(schedule) {
            Err(verdict) => *verdict,
            Ok(Tried { bad: Some(bad), .. }) => bad,
            Ok(tried) => kept(u64::from(tried.is_reached)),
        }
    }
}

/// One schedule tried: its judgement if it is bad, and whether it made a difference.
pub struct Tried {
    bad: Option<Verdict>,
    is_reached: bool,
}

/// The same verdict on all that would have been tried.
pub(super) fn not_run(ids: Vec<String>, verdict: &Verdict) -> Vec<Scored> {
    ids.into_iter().map(|id| scored(id, verdict.clone())).collect()
}

fn scored(id: String, verdict: Verdict) -> Scored {
    Scored::new(id, Profile::Io, Class::Explicit, verdict)
}

/// A family of schedules that was kept to its end, or never reached.
fn kept(count: u64) -> Verdict {
    match count {
        0 => Verdict::good(Outcome::Unsupported, "an operation that can be changed", "none was seen"),
        1 => Verdict::good(Outcome::Passed, "the contract kept", "kept"),
        _ => Verdict::good(Outcome::Passed, "the contract kept", format!("kept under {count} schedules")),
    }
}
