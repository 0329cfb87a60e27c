//! The list of known failures against what a run found.
//!
//! Owns which ids a run was to judge. How an entry matches is decided in `judge::known`.

use super::plan::Selection;
use super::result::CandidateRun;
use crate::judge::known::{self, KnownFailures};
use crate::judge::profile::Profile;
use hurray_corpus::VectorSet;

/// Marks what is known of a candidate's results, and tells what about its list is not true.
pub fn apply_known(set: &VectorSet, known: &KnownFailures, selection: &Selection, run: &mut CandidateRun) {
    let is_selected = is_selected(set, selection, run);
    let results = run.results.iter_mut().map(|scored| (scored.id.as_str(), scored.profile, &mut scored.verdict));
    run.mismatches = known.apply(results, is_selected, |id| set.has(id));
}

/// The list of known failures as this run would have it; see [`updated`](crate::judge::known::updated).
pub fn updated_known(
    set: &VectorSet,
    known: &KnownFailures,
    text: &str,
    selection: &Selection,
    run: &CandidateRun,
) -> String {
    let results = run.results.iter().map(|scored| (scored.id.as_str(), scored.profile, &scored.verdict));
    known::updated(known, known::heading(text), results, is_selected(set, selection, run))
}

/// Tells whether an id was to be judged in this run. An id that no vector has is missed by the first shard.
fn is_selected<'a>(
    set: &'a VectorSet,
    selection: &'a Selection,
    run: &CandidateRun,
) -> impl Fn(&str, Profile) -> bool + use<'a> {
    let (selected, swept) = (run.selected.clone(), run.swept_ids.clone());
    let skipped: Vec<Profile> = run.not_scored.iter().map(|(profile, _)| *profile).collect();
    let is_broken = run.broken.is_some() && run.results.is_empty();
    move |id, profile| {
        if selected.contains(&(id.to_owned(), profile)) {
            return true;
        }
        if set.has(id) || id.starts_with("interop/") || swept.contains(id) {
            return false;
        }
        let is_scored = selection.profiles.contains(&profile) && !skipped.contains(&profile) && !is_broken;
        is_scored && selection.schedule.is_none() && selection.shard.0 == 1 && selection.matches(id, &[])
    }
}
