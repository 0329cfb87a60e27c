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
use crate::schedule::{Listed, Side};
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
    let (shard, shards) = selection.shard;
    let is_swept = |vector: &Vector| {
        let is_asked = vector.expect == Expect::Accept && vector.requires.is_empty();
        let is_good = is_asked && vector.bytes.len() <= LONGEST_SWEPT;
        match &selection.schedule {
            Some(schedule) => is_good && schedule.fits(Side::Source) && selection.matches(&vector.id, &vector.tags),
            None => is_good && listed(selection, vector).next().is_some(),
        }
    };
    let all = set.vectors.iter().enumerate().filter(|(_, vector)| is_swept(vector)).map(|(at, _)| at);
    all.enumerate().filter(|(at, _)| at % shards.max(1) == shard.saturating_sub(1)).map(|(_, vector)| vector).collect()
}

/// Positions of the models that are written under schedules.
pub(super) fn written(selection: &Selection) -> Vec<usize> {
    let (shard, shards) = selection.shard;
    let is_written = |name: &String| match &selection.schedule {
        Some(schedule) => schedule.fits(Side::Sink) && selection.matches(&model_id(name), &[]),
        None => listed_for_model(selection, name).next().is_some(),
    };
    let models = selection.schedules.models.iter().enumerate();
    let all = models.filter(|(_, (name, _))| is_written(name)).map(|(at, _)| at);
    all.enumerate().filter(|(at, _)| at % shards.max(1) == shard.saturating_sub(1)).map(|(_, model)| model).collect()
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

/// The same verdict on all that would have been tried.
pub(super) fn not_run(ids: Vec<String>, verdict: &Verdict) -> Vec<Scored> {
    ids.into_iter().map(|id| scored(id, verdict.clone())).collect()
}

fn scored(id: String, verdict: Verdict) -> Scored {
    Scored { id, profile: Profile::Io, class: Class::Explicit, verdict, vector: None, write: None, written: None }
}

/// A family of schedules that was kept to its end, or never reached.
fn kept(count: u64) -> Verdict {
    match count {
        0 => Verdict::good(Outcome::Unsupported, "an operation that can be changed", "none was seen"),
        1 => Verdict::good(Outcome::Passed, "the contract kept", "kept"),
        _ => Verdict::good(Outcome::Passed, "the contract kept", format!("kept under {count} schedules")),
    }
}
