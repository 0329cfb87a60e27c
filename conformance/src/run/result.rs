//! What a run found: one judgement on a vector, and all of them on a candidate.
//!
//! Owns these values. It must not know how they came about, nor how a report shows them.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use hurray_adapter::Hello;

use super::meter::Spent;
use crate::judge::known::Mismatch;
use crate::judge::profile::Profile;
use crate::judge::{Outcome, Verdict};
use crate::transport::Broken;
use hurray_corpus::write_vector::WriteVector;
use hurray_corpus::{Class, Vector, VectorSet};

/// One vector, or one mandatory part, judged in one profile.
#[derive(Clone, Debug)]
pub struct Scored {
    /// Id of the vector, or one that begins with `floor/`, `schedules/`, `path/` or `interop/`.
    pub id: String,
    /// The profile.
    pub profile: Profile,
    /// How binding the demand is.
    pub class: Class,
    /// The judgement.
    pub verdict: Verdict,
    /// What it is about.
    pub about: About,
    /// What its requests cost, where that is counted.
    pub spent: Option<Spent>,
}

/// What a judgement is about. Positions are those in the vector set.
#[derive(Clone, Debug)]
pub enum About {
    /// A vector for readers.
    Vector(usize),
    /// A vector for writers.
    Write {
        /// Its position among the vectors for writers.
        at: usize,
        /// The file that was written, where every reader has to read it as described.
        file: Option<Arc<[u8]>>,
    },
    /// A mandatory part of a profile.
    Part,
    /// A file or description under schedules.
    Sweep,
    /// A case that a failed lane lost.
    Lost,
}

impl Scored {
    /// The vector for readers that it is about.
    pub fn vector<'a>(&self, set: &'a VectorSet) -> Option<&'a Vector> {
        match self.about {
            About::Vector(at) => set.vectors.get(at),
            About::Write { .. } | About::Part | About::Sweep | About::Lost => None,
        }
    }

    /// The vector for writers that it is about.
    pub fn write<'a>(&self, set: &'a VectorSet) -> Option<&'a WriteVector> {
        match self.about {
            About::Write { at, .. } => set.writes.get(at),
            About::Vector(_) | About::Part | About::Sweep | About::Lost => None,
        }
    }

    /// A judgement whose cost is not known.
    pub fn new(id: String, profile: Profile, class: Class, about: About, verdict: Verdict) -> Scored {
        Scored { id, profile, class, verdict, about, spent: None }
    }
}

/// All that was found of one candidate.
pub struct CandidateRun {
    /// What it was asked for by.
    pub asked_for: String,
    /// What it said of itself, if it did.
    pub hello: Option<Hello>,
    /// Why it could not be judged, or not to the end.
    pub broken: Option<Broken>,
    /// The judgements: by profile, then by id.
    pub results: Vec<Scored>,
    /// Profiles that were asked for and are not scored, and why.
    pub not_scored: Vec<(Profile, &'static str)>,
    /// Judgements that its list of known failures leaves out, and why.
    pub not_judged: Vec<(String, usize)>,
    /// What about its list of known failures is not true.
    pub mismatches: Vec<Mismatch>,
    /// Time from the start to the last answer.
    pub elapsed: Duration,
    /// What of that the sweeps over served sources and sinks took, where there were any.
    pub swept: Option<Duration>,
    /// Ids that were to be judged in this run, by profile.
    pub selected: BTreeSet<(String, Profile)>,
    /// Ids of all sweeps on this candidate, those of other shards and filters among them.
    pub swept_ids: BTreeSet<String>,
}

impl CandidateRun {
    pub(super) fn broken(asked_for: &str, broken: Broken, elapsed: Duration) -> CandidateRun {
        CandidateRun {
            asked_for: asked_for.to_owned(),
            hello: None,
            broken: Some(broken),
            results: Vec::new(),
            not_scored: Vec::new(),
            not_judged: Vec::new(),
            mismatches: Vec::new(),
            elapsed,
            swept: None,
            selected: BTreeSet::new(),
            swept_ids: BTreeSet::new(),
        }
    }

    /// Whether a result or a mismatch makes the run fail.
    pub fn fails(&self) -> bool {
        let fails = |scored: &Scored| matches!(scored.verdict.outcome, Outcome::Failed | Outcome::Died);
        !self.mismatches.is_empty() || self.results.iter().any(fails)
    }

    /// Whether the suite left something out that it was to run.
    pub fn is_incomplete(&self) -> bool {
        self.results.iter().any(|scored| scored.verdict.outcome == Outcome::NotRun)
    }
}

/// Everything that was found.
pub struct Run {
    /// Per candidate, in the order asked for.
    pub candidates: Vec<CandidateRun>,
    /// Whether nothing was left out.
    pub is_whole: bool,
    /// Seed of the probe's unseen files.
    pub seed: u64,
}
