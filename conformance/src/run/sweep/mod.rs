//! Sweeps: a candidate that reads or writes one good file under one schedule after the other.
//!
//! Owns the loop over files and schedules. Which are tried on whom is in `cases`, how faults reach a candidate in
//! `execution`, when a family of schedules is exhausted in `family`, and what an answer is worth in `judge::io`.

mod arguments;
mod cases;
mod common;
mod execution;
mod family;
mod forward;
mod payload;
mod preload;
mod read_contract;
mod reading;
mod writing;

use super::meter::Meter;
use super::plan::Selection;
use super::result::{About, Scored};
use super::task::Subject;
use crate::judge::Verdict;
use crate::transport::Transport;
use hurray_corpus::VectorSet;

use cases::{Case, Under, profile_of};
use common::{class_of, unsupported};
use preload::NotStarted;

pub(super) use cases::{Means, Sweeps};
pub use execution::{Faults, Preload};
pub use family::{SweepPolicy, Tried, UnderSchedules};
pub(super) use preload::PreloadWorker;
pub use reading::Reading;
pub use writing::Writing;

impl Sweeps<'_> {
    /// Tries every schedule on one file or description that is served.
    pub(super) fn judge_served<'f>(
        &'f self,
        transport: &'f mut dyn Transport,
        meter: &Meter,
        subject: Subject<'f>,
    ) -> Vec<Scored> {
        self.judge(Means::Served, Faults::Served(transport), meter, subject)
    }

    /// Tries every schedule on one path. Where there is no shim, no case runs, and each says why.
    pub(super) fn judge_preload<'f>(&'f self, worker: &'f mut PreloadWorker, subject: Subject<'f>) -> Vec<Scored> {
        let meter = worker.meter().clone();
        match worker.started(self.candidate, &self.selection.shim) {
            Ok(preload) => self.judge(Means::Preload, Faults::Preload(preload), &meter, subject),
            Err(NotStarted::Suite(why)) => self.all(Means::Preload, subject, &Verdict::not_run(why)),
            Err(NotStarted::Candidate(why)) => {
                self.all(Means::Preload, subject, &unsupported("calls that can be caught", &why))
            }
        }
    }

    fn judge<'f>(&'f self, means: Means, faults: Faults<'f>, meter: &Meter, subject: Subject<'f>) -> Vec<Scored> {
        let mut file: Box<dyn UnderSchedules + 'f> = match subject {
            Subject::File(vector) => Box::new(Reading::begin(faults, self.hello, vector)),
            Subject::Model { name, file } => Box::new(Writing::begin(faults, self.hello, name, file)),
        };
        let judged = |Case { id, under }| {
            let verdict = match under {
                Under::One(schedule) => file.one(schedule),
                Under::Listed(listed) => file.listed(listed),
            };
            Scored { spent: meter.take(), ..scored(id, means, subject, verdict) }
        };
        self.cases(means, subject).into_iter().map(judged).collect()
    }

    /// The same verdict on all that would have been tried.
    pub(super) fn all(&self, means: Means, subject: Subject<'_>, verdict: &Verdict) -> Vec<Scored> {
        let cases = self.cases(means, subject).into_iter();
        cases.map(|case| scored(case.id, means, subject, verdict.clone())).collect()
    }
}

fn scored(id: String, means: Means, subject: Subject<'_>, verdict: Verdict) -> Scored {
    Scored::new(id, profile_of(means, subject), class_of(&verdict), About::Sweep, verdict)
}

/// Every sweep of the selection over one served candidate, in the order of vectors and models.
pub fn sweep_on(set: &VectorSet, selection: &Selection, transport: &mut dyn Transport) -> Vec<Scored> {
    let hello = transport.hello().clone();
    let sweeps = Sweeps::new(set, selection, &hello, None);
    let subjects = sweeps.served().into_iter();
    subjects.flat_map(|subject| sweeps.judge_served(transport, &Meter::default(), subject)).collect()
}
