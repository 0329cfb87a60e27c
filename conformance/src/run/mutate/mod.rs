//! Mutations: seeded damage to good files, on which a candidate may say what it likes and must not crash, hang or take too
//! much memory. Owns what is asked and what counts. What the reference says of the same file, and whether it saw the same,
//! stands beside it as information; it decides nothing.

mod agree;
mod make;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::time::Instant;

use hurray_adapter::{Hello, StepResult};

pub use make::{Mutation, Mutator};

use super::{About, CandidateRun, Files, Progress, Scored, probe, read};
use crate::candidates::Prepared;
use crate::candidates::reference::Reference;
use crate::judge::profile::Profile;
use crate::judge::{Outcome, Verdict, reader_script};
use crate::support::interrupt;
use crate::transport::{InProcess, Job, JobSource, Transport};
use hurray_corpus::{Class, Expect, ExpectValidate, ReadMode, Vector, VectorSet};

/// Files larger than this are not mutated: the time goes into more mutations instead.
const MAX_BASE_LEN: usize = 32 * 1024;

/// The word for a candidate that saw something else than the reference in a step that both did.
const OTHERWISE: &str = "otherwise";

/// What was said in one line, and all results.
type Answer = (String, Vec<StepResult>);

/// How often candidate and reference said what: the pair of their answers, such as `ok` and `reject`.
pub type Tally = BTreeMap<(String, String), usize>;

/// `count` mutations of the bases of `set`, as a set of their own. The same seed gives the same set.
pub fn mutations(set: &VectorSet, count: usize, seed: u64) -> VectorSet {
    let is_base = |vector: &&Vector| {
        vector.id.starts_with("bases/")
            && vector.expect == Expect::Accept
            && vector.mode == ReadMode::Whole
            && vector.bytes.len() <= MAX_BASE_LEN
    };
    let bases: Vec<&Vector> = set.vectors.iter().filter(is_base).collect();
    let mut mutator = Mutator::new(seed);
    let numbered = (0..if bases.is_empty() { 0 } else { count }).map(|number| {
        let base = bases[number % bases.len()];
        mutated(base, format!("mutate/{seed}/{number:09}"), mutator.mutate(base))
    });
    VectorSet { vectors: numbered.collect(), writes: Vec::new(), digest: set.digest.clone() }
}

fn mutated(base: &Vector, id: String, mutation: Mutation) -> Vector {
    Vector {
        id,
        class: Class::Decided,
        rules: Vec::new(),
        near: None,
        validate: ExpectValidate::Any,
        why: format!("{}: {}", mutation.base, mutation.what),
        bytes: mutation.bytes,
        labels: Vec::new(),
        ..base.clone()
    }
}

/// Runs one candidate over `mutations`, after the probe with the files of `set`.
pub fn run_mutations(
    (set, files): (&VectorSet, &Files),
    (mutations, mutated_files): (&VectorSet, &Files),
    candidate: &Prepared,
    seed: u64,
    progress: &dyn Progress,
) -> (CandidateRun, Tally) {
    let began = Instant::now();
    let mut tally = Tally::new();
    let restarts_left = Arc::new(AtomicU32::new(candidate.start.restart_count()));
    let mut transport = match candidate.start.start(&restarts_left) {
        Ok(transport) => transport,
        Err(broken) => return (CandidateRun::broken(&candidate.name, broken, began.elapsed()), tally),
    };
    let hello = transport.hello().clone();
    if let Err(broken) = probe::probe(set, files, transport.as_mut(), seed) {
        let run = CandidateRun::broken(&candidate.name, broken, began.elapsed());
        return (CandidateRun { hello: Some(hello), ..run }, tally);
    }
    let mut reference = InProcess::new(Box::new(Reference::strict()));
    let mut results = Vec::new();
    progress.begin(&candidate.name, mutations.vectors.len());
    for (at, vector) in mutations.vectors.iter().enumerate() {
        if interrupt::is_requested() {
            break;
        }
        let path = mutated_files.path(mutations, at);
        let beside = answer_to(&mut reference, vector, JobSource::Served(&vector.bytes));
        let (beside, beside_saw) = beside.unwrap_or_else(|died| (died.actual, Vec::new()));
        let verdict = match read::source(vector, path, &hello, candidate.source, Profile::Reader) {
            Ok(source) => answer_to(transport.as_mut(), vector, source)
                .map(|(answer, saw)| with_difference(answer, agree::difference(&saw, &beside_saw))),
            Err(cause) => Err(Box::new(Verdict::died(&cause, ""))),
        };
        let verdict = judged(verdict, &beside, &mut tally);
        let about = About::Vector(at);
        results.push(Scored::new(vector.id.clone(), Profile::Reader, Class::Decided, about, verdict));
        progress.advance();
    }
    progress.end();
    let run = CandidateRun {
        asked_for: candidate.name.clone(),
        hello: Some(hello),
        broken: transport.broken().cloned(),
        results,
        not_scored: Vec::new(),
        not_judged: Vec::new(),
        mismatches: Vec::new(),
        elapsed: began.elapsed(),
        swept: None,
        selected: BTreeSet::new(),
        swept_ids: BTreeSet::new(),
    };
    (run, tally)
}

/// Any answer will do; none is a failure.
fn judged(answer: Result<String, Box<Verdict>>, beside: &str, tally: &mut Tally) -> Verdict {
    let first = |text: &str| text.split(' ').next().unwrap_or_default().to_owned();
    let expected = format!("an answer; the reference: {beside}");
    match answer {
        Ok(answer) => {
            *tally.entry((first(&answer), first(beside))).or_default() += 1;
            Verdict::good(Outcome::Passed, expected, answer)
        }
        Err(not_run) if not_run.outcome == Outcome::NotRun => Verdict { expected, ..*not_run },
        Err(died) => {
            *tally.entry(("died".to_owned(), first(beside))).or_default() += 1;
            Verdict { expected, ..*died }
        }
    }
}

fn with_difference(answer: String, difference: Option<(usize, String)>) -> String {
    match difference {
        Some((step, path)) => format!("{OTHERWISE} in step {step}: {path}; {answer}"),
        None => answer,
    }
}

/// What a candidate said in one line, such as `ok`, or `reject at read`, and all that it saw.
fn answer_to(transport: &mut dyn Transport, vector: &Vector, source: JobSource<'_>) -> Result<Answer, Box<Verdict>> {
    let hello: Hello = transport.hello().clone();
    let steps = reader_script(vector, &hello);
    let ran = transport.run(&Job { source, steps: (&steps).into() });
    let results = ran.end.map_err(|death| Box::new(Verdict::died(&death.cause, "an answer")))?;
    let is_ok = |result: &StepResult| matches!(result, StepResult::Ok(_));
    let bad = steps.iter().zip(&results).find(|(_, result)| !is_ok(result));
    let said =
        bad.map_or_else(|| "ok".to_owned(), |(step, result)| format!("{} at {}", result.kind(), step.operation()));
    Ok((said, results))
}

#[cfg(test)]
mod tests;
