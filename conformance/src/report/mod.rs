//! What a run found, counted and put into sentences. The modules below print it.
//!
//! Owns the counts and the sentences. It must not decide a verdict.

use hurray_spec::Rule;

use crate::judge::profile::Profile;
use crate::judge::{Fault, Outcome};
use crate::run::{CandidateRun, Scored};
use crate::support::text::{counted, printable};
use hurray_corpus::{Class, Vector, VectorSet};

mod html;
mod json;
mod junit;
mod terminal;

pub use html::html_report;
pub use json::json_report;
pub use junit::junit_report;
pub use terminal::terminal_report;

/// The text of the format that the suite judges by.
pub const SPEC: &str = "0.1.0-draft (2a2db96)";
/// The version of the suite.
pub const SUITE: &str = env!("CARGO_PKG_VERSION");

/// Counts of one profile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// As demanded.
    pub passed: usize,
    /// Otherwise.
    pub failed: usize,
    /// Contested, and within what is allowed.
    pub contested: usize,
    /// Uses what is not declared.
    pub unsupported: usize,
    /// The suite could not run it.
    pub not_run: usize,
    /// Crashed, hung, took too much memory or spoke junk.
    pub died: usize,
    /// Failed or died as listed.
    pub known: usize,
    /// Contested with the preferred behaviour.
    pub preferred: usize,
    /// Contested with either.
    pub preferable: usize,
    /// Expected values that were compared.
    pub compared: u64,
    /// Expected values that are not observed.
    pub unobserved: u64,
}

impl Totals {
    /// Counts results.
    pub fn of<'a>(results: impl Iterator<Item = &'a Scored>) -> Totals {
        let mut totals = Totals::default();
        for scored in results {
            let verdict = &scored.verdict;
            let count = match verdict.outcome {
                Outcome::Passed => &mut totals.passed,
                Outcome::Failed => &mut totals.failed,
                Outcome::Contested => &mut totals.contested,
                Outcome::Unsupported => &mut totals.unsupported,
                Outcome::Died => &mut totals.died,
                Outcome::Known => &mut totals.known,
                Outcome::NotRun => &mut totals.not_run,
            };
            *count += 1;
            totals.preferable += usize::from(verdict.strict.is_some());
            totals.preferred += usize::from(verdict.strict == Some(true));
            totals.compared += u64::from(verdict.compared_count);
            totals.unobserved += u64::from(verdict.unobserved_count);
        }
        totals
    }

    /// How many judgements there are.
    pub fn all(&self) -> usize {
        self.passed + self.failed + self.contested + self.unsupported + self.not_run + self.died + self.known
    }
}

/// What is said of one profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conclusion {
    /// Whether it conforms; `None` where a part was left out or nothing was scored.
    pub conforms: Option<bool>,
    /// Required vectors that are not met.
    pub failure_count: usize,
    /// Cases that the suite could not run.
    pub not_run_count: usize,
    /// Mandatory parts that are not declared, such as `layout:tiled`.
    pub undeclared: Vec<String>,
    /// The closing sentence.
    pub sentence: String,
}

/// Name and version of a candidate, as far as it said.
pub fn title(run: &CandidateRun) -> String {
    match &run.hello {
        Some(hello) => format!("{} {}", printable(&hello.name, 60), printable(&hello.version, 40)),
        None => run.asked_for.clone(),
    }
}

/// Concludes on one profile of one candidate. `is_whole` tells whether the run left nothing out.
pub fn conclude(run: &CandidateRun, profile: Profile, is_whole: bool) -> Conclusion {
    let is_bad = |scored: &&Scored| scored.profile == profile && scored.verdict.fault.is_some();
    let bad: Vec<&Scored> = run.results.iter().filter(is_bad).collect();
    let is_floor = |scored: &&&Scored| scored.verdict.fault == Some(Fault::Undeclared);
    let floor_id = profile.floor_id("");
    let part = |scored: &&Scored| scored.id.strip_prefix(&floor_id).unwrap_or(&scored.id).to_owned();
    let undeclared: Vec<String> = bad.iter().filter(is_floor).map(part).collect();
    let failure_count = bad.len() - undeclared.len();
    // What was not asked never passes.
    let not_judged = run.not_judged.iter().map(|(_, count)| count).sum();
    let not_run = NotRun::of(run, profile);
    let name = title(run);
    let is_partial = profile == Profile::Io && run.hello.as_ref().is_some_and(|hello| !hello.io_contract);
    let conforms = match &run.broken {
        Some(_) => None,
        // Nobody conforms to a contract that is not claimed.
        None if is_partial => None,
        None if !is_whole => None,
        None if !run.results.iter().any(|scored| scored.profile == profile) => None,
        None if !bad.is_empty() || not_judged > 0 => Some(false),
        // What was not run might have failed.
        None => (not_run.count == 0).then_some(true),
    };
    let target = format!("to the {profile} profile of Hurray {SPEC}");
    let sentence = match conforms {
        _ if run.broken.is_some() => format!("Nothing is said of {name}: its adapter is broken."),
        None if is_partial && is_whole => {
            let (all, reach) = (
                run.results.iter().filter(|scored| scored.profile == profile).count(),
                profile.reach(run.hello.as_ref()),
            );
            format!(
                "{name} does not claim the I/O contract. Of {reach}: {} under {}{}.",
                counted(failure_count, "failure"),
                counted(all - not_run.count, "sweep"),
                not_run.after("; ")
            )
        }
        None if not_run.count > 0 && is_whole => {
            format!("Nothing is concluded on {name} and the {profile} profile{}.", not_run.after(": "))
        }
        None => {
            let left_out = not_run.after("; ");
            format!("Nothing is said of {name} and the {profile} profile: only a part of the suite was run{left_out}.")
        }
        Some(true) => {
            format!("{name} conforms {target}, as far as this suite reaches: {}.", profile.reach(run.hello.as_ref()))
        }
        Some(false) => {
            let shortfall = shortfall(failure_count, not_judged, &undeclared);
            format!("{name} does not conform {target}: {shortfall}{}.", not_run.after("; "))
        }
    };
    Conclusion { conforms, failure_count, not_run_count: not_run.count, undeclared, sentence }
}

/// What of a profile the suite could not run.
struct NotRun<'a> {
    count: usize,
    /// The reason of the first.
    why: &'a str,
}

impl<'a> NotRun<'a> {
    fn of(run: &'a CandidateRun, profile: Profile) -> NotRun<'a> {
        let is_it = |scored: &&Scored| scored.profile == profile && scored.verdict.outcome == Outcome::NotRun;
        let mut cases = run.results.iter().filter(is_it).map(|scored| scored.verdict.actual.as_str()).peekable();
        let why = cases.peek().copied().unwrap_or_default();
        NotRun { count: cases.count(), why }
    }

    /// The words for it, behind a mark; nothing if all was run.
    fn after(&self, mark: &str) -> String {
        match self.count {
            0 => String::new(),
            1 => format!("{mark}1 case was not run ({})", printable(self.why, 200)),
            count => format!("{mark}{count} cases were not run ({})", printable(self.why, 200)),
        }
    }
}

fn shortfall(failure_count: usize, not_judged: usize, undeclared: &[String]) -> String {
    let mut parts = Vec::new();
    if failure_count > 0 {
        parts.push(counted(failure_count, "required failure"));
    }
    if not_judged > 0 {
        parts.push(format!("{} not judged", counted(not_judged, "vector")));
    }
    if !undeclared.is_empty() {
        let names: Vec<&str> =
            undeclared.iter().map(|part| part.split_once(':').map_or("", |(_, name)| name)).collect();
        let features = counted(undeclared.len(), "mandatory feature");
        parts.push(format!("{features} undeclared ({})", names.join(", ")));
    }
    parts.join(", ")
}

/// What a judgement is about.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The rules of its vector.
    pub rules: &'a [Rule],
    /// Its sentence.
    pub why: &'a str,
}

/// The vector, for readers or for writers, that was judged.
pub fn subject<'a>(set: &'a VectorSet, scored: &Scored) -> Option<Subject<'a>> {
    let read = scored.vector(set);
    let written = scored.write(set);
    let read = read.map(|vector| Subject { rules: &vector.rules, why: &vector.why });
    read.or_else(|| written.map(|vector| Subject { rules: &vector.rules, why: &vector.why }))
}

/// Where a file differs first from the base it was made from, and the name of that field.
pub fn fault_place<'a>(set: &VectorSet, vector: &'a Vector) -> Option<(u64, Option<&'a str>)> {
    let base = set.get(&format!("bases/{}", vector.base))?;
    let same = base.bytes.iter().zip(vector.bytes.iter()).take_while(|(a, b)| a == b).count();
    if same == base.bytes.len() && same == vector.bytes.len() {
        return None;
    }
    let at = same as u64;
    let inside = vector.labels.iter().filter(|(_, range)| range.contains(&at));
    let smallest = inside.min_by_key(|(_, range)| range.end - range.start);
    Some((at, smallest.map(|(label, _)| label.as_str())))
}

/// The word of a class.
pub fn class_name(class: Class) -> &'static str {
    class.name()
}

#[cfg(test)]
mod tests;
