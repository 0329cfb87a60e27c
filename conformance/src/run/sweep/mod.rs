//! Sweeps: a candidate over sources and sinks that obey a schedule, for one schedule after the other.
//!
//! Owns which files and schedules are tried on whom. When a family of schedules is exhausted is for [`family`], what a run
//! demands for `verdict::io` to say.

mod arguments;
mod common;
mod family;
mod payload;
pub(super) mod preload;
mod preload_read;
mod preload_write;
mod served_read;
mod served_write;

use hurray_adapter::{Hello, NewFile};

use self::common::{id, model_id, only_ids, scored};
use super::meter::Meter;
use super::plan::{Selection, Work};
use super::result::Scored;
use crate::transport::Transport;
use hurray_corpus::schedule::{Listed, Side};
use hurray_corpus::{Expect, Vector, VectorSet};

pub(super) use common::not_run;
pub use family::{Tried, UnderSchedules, Way};
pub use served_read::Reading;
pub use served_write::Writing;

/// One file of each sort. Of these every position is tried on a candidate in a process of its own, and by its path; of others
/// there only the ends and the middles.
pub(in crate::run) const ONE_OF_EACH: [&str; 5] =
    ["bases/one-f32", "bases/pair", "bases/kv-entries", "bases/two-buffers", "bases/empty-vector"];
/// Files that are longer are not swept: nothing more can be learned from them.
const LONGEST_SWEPT: usize = 64 << 10;

/// What is swept on one candidate.
pub(super) struct Sweeps<'a> {
    set: &'a VectorSet,
    selection: &'a Selection,
    hello: &'a Hello,
}

impl<'a> Sweeps<'a> {
    pub(super) fn new(set: &'a VectorSet, selection: &'a Selection, hello: &'a Hello) -> Sweeps<'a> {
        Sweeps { set, selection, hello }
    }

    pub(super) fn selection(&self) -> &'a Selection {
        self.selection
    }

    /// The vectors that are read and the models that are written, by their positions.
    pub(super) fn works(&self) -> Vec<(Work, usize)> {
        let is_read = |(_, vector): &(usize, &Vector)| self.is_read(vector);
        let read = self.set.vectors.iter().enumerate().filter(is_read).map(|(at, _)| (Work::Read, at));
        let is_written = |(_, (name, _)): &(usize, &(String, NewFile))| self.is_written(name);
        let models = self.selection.schedules.models.iter().enumerate();
        let written = models.filter(is_written).map(|(at, _)| (Work::Write, at));
        self.selection.share(read).chain(self.selection.share(written)).collect()
    }

    /// The bases, or the selected vectors for a given schedule.
    fn is_read(&self, vector: &Vector) -> bool {
        let is_asked = vector.expect == Expect::Accept && vector.requires.is_empty();
        let is_good = is_asked && vector.bytes.len() <= LONGEST_SWEPT && self.hello.is_served_source();
        match &self.selection.schedule {
            Some(schedule) => {
                is_good && schedule.fits(Side::Source) && self.selection.matches(&vector.id, &vector.tags)
            }
            None => is_good && self.of_vector(vector).next().is_some(),
        }
    }

    fn is_written(&self, name: &str) -> bool {
        let is_served = self.hello.is_served_sink();
        match &self.selection.schedule {
            Some(schedule) => is_served && schedule.fits(Side::Sink) && self.selection.matches(&model_id(name), &[]),
            None => is_served && self.of_model(name).next().is_some(),
        }
    }

    /// The listed schedules for one side: clauses of the contract are for who claims it.
    fn listed(&self, side: Side) -> impl Iterator<Item = &'a Listed> + use<'a> {
        let is_bound = self.hello.io_contract;
        self.selection.schedules.of(side).filter(move |listed| is_bound || listed.holds_for_everybody())
    }

    /// The listed schedules that are tried on a vector, each with the id of its judgement, such as
    /// `schedules/source/one-byte/one-f32`.
    fn of_vector(&self, vector: &Vector) -> impl Iterator<Item = (String, &'a Listed)> + use<'a> {
        let name = vector.id.strip_prefix("bases/").map(str::to_owned);
        let selection = self.selection;
        let all = self.listed(Side::Source).filter_map(move |listed| Some((id(listed, name.as_deref()?), listed)));
        all.filter(move |(id, _)| selection.matches(id, &[]))
    }

    /// As for a vector.
    fn of_model(&self, name: &str) -> impl Iterator<Item = (String, &'a Listed)> + use<'a> {
        let (name, selection) = (name.to_owned(), self.selection);
        let all = self.listed(Side::Sink).map(move |listed| (id(listed, &name), listed));
        all.filter(move |(id, _)| selection.matches(id, &[]))
    }

    /// The ids that are judged for one vector or model.
    pub(super) fn ids(&self, work: Work, at: usize) -> Vec<String> {
        let (models, is_one) = (&self.selection.schedules.models, self.selection.schedule.is_some());
        match work {
            Work::Replay => Vec::new(),
            Work::Read if is_one => self.set.vectors.get(at).map(|vector| vector.id.clone()).into_iter().collect(),
            Work::Write if is_one => models.get(at).map(|(name, _)| model_id(name)).into_iter().collect(),
            Work::Read => self.set.vectors.get(at).map_or_else(Vec::new, |vector| only_ids(self.of_vector(vector))),
            Work::Write => models.get(at).map_or_else(Vec::new, |(name, _)| only_ids(self.of_model(name))),
        }
    }

    /// Tries every schedule on one vector or model.
    pub(super) fn judge(&self, transport: &mut dyn Transport, meter: &Meter, work: Work, at: usize) -> Vec<Scored> {
        match work {
            Work::Replay => Vec::new(),
            Work::Read => {
                let Some(vector) = self.set.vectors.get(at) else { return Vec::new() };
                let listed = self.of_vector(vector);
                self.tried(&mut Reading::begin(transport, self.hello, vector), meter, &vector.id, listed)
            }
            Work::Write => {
                let Some((name, file)) = self.selection.schedules.models.get(at) else { return Vec::new() };
                let listed = self.of_model(name);
                self.tried(&mut Writing::begin(transport, self.hello, name, file), meter, &model_id(name), listed)
            }
        }
    }

    fn tried(
        &self,
        file: &mut dyn UnderSchedules,
        meter: &Meter,
        over: &str,
        listed: impl Iterator<Item = (String, &'a Listed)>,
    ) -> Vec<Scored> {
        let metered = |scored| Scored { spent: meter.take(), ..scored };
        match &self.selection.schedule {
            Some(schedule) => vec![metered(scored(over.to_owned(), file.one(schedule)))],
            None => listed.map(|(id, listed)| metered(scored(id, file.listed(listed)))).collect(),
        }
    }
}

/// Every sweep of the selection over one served candidate, in the order of vectors and models.
pub fn sweep_on(set: &VectorSet, selection: &Selection, transport: &mut dyn Transport) -> Vec<Scored> {
    let hello = transport.hello().clone();
    let sweeps = Sweeps::new(set, selection, &hello);
    let works = sweeps.works().into_iter();
    works.flat_map(|(work, at)| sweeps.judge(transport, &Meter::default(), work, at)).collect()
}
