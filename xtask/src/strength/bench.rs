//! Runs the reference, whole or with something waived or mutated, over one vector in this process. Owns no question.

use std::collections::BTreeSet;

use hurray_adapter::{Candidate, Step, StepResult};
use hurray_conformance::candidates::reference::Reference;
use hurray_conformance::fault::FaultySource;
use hurray_conformance::judge::profile::Profile;
use hurray_conformance::judge::{
    Fault, Outcome, Verdict, judge_reader, judge_validate, reader_script, validate_script,
};
use hurray_conformance::transport::{InProcess, Job, JobSource, Transport};
use hurray_corpus::schedule::Schedule;
use hurray_corpus::{ReadMode, Vector};
use hurray_reference::Policy;
use hurray_spec::Rule;

use super::answers::Answers;

/// The vectors, and which of them the whole reference meets.
pub(super) struct Bench<'a> {
    pub(super) vectors: &'a [Vector],
    unmet: BTreeSet<&'a str>,
}

/// How one vector went, as reader and as validator.
pub(super) struct Trial {
    pub(super) reader: Verdict,
    pub(super) results: Vec<StepResult>,
    pub(super) validate: Verdict,
}

impl Trial {
    /// Whether an expectation that is required fails.
    pub(super) fn fails(&self) -> bool {
        is_bad(&self.reader) || is_bad(&self.validate)
    }
}

impl<'a> Bench<'a> {
    pub(super) fn new(vectors: &'a [Vector]) -> Self {
        let unmet = vectors.iter().filter(|vector| strict(&[], vector).fails());
        Bench { vectors, unmet: unmet.map(|vector| vector.id.as_str()).collect() }
    }

    /// The reference itself has to meet every vector; on others nothing can be learned.
    pub(super) fn baseline(&self) -> Answers {
        let mut answers = Answers::new("baseline");
        for vector in self.vectors {
            if self.unmet.contains(vector.id.as_str()) {
                let trial = strict(&[], vector);
                let bad = if is_bad(&trial.reader) { &trial.reader } else { &trial.validate };
                let what = format!("{}: the reference does not meet it: {}", vector.id, text(bad));
                answers.gap("not met", what);
            } else {
                answers.count("met");
            }
        }
        answers
    }

    /// The vectors that the whole reference meets.
    pub(super) fn met(&self) -> impl Iterator<Item = &'a Vector> {
        self.vectors.iter().filter(|vector| !self.unmet.contains(vector.id.as_str()))
    }
}

/// The strict reference with `waived` waived.
pub(super) fn strict(waived: &[Rule], vector: &Vector) -> Trial {
    trial(Reference::with_policy(Policy::strict().waiving(waived.iter().copied())), vector)
}

/// The reference over one vector, with a change to what permissive mode relaxes.
pub(super) fn insisting(on: Rule, vector: &Vector) -> Trial {
    trial(Reference::with_policy(Policy::strict().insisting([on])), vector)
}

/// One candidate over one vector.
pub(super) fn trial(candidate: impl Candidate + 'static, vector: &Vector) -> Trial {
    let mut transport = InProcess::new(Box::new(candidate));
    let hello = transport.hello().clone();
    let steps = reader_script(vector, &hello);
    let (reader, results) = match run(&mut transport, vector, &steps) {
        Ok(results) => (judge_reader(vector, &hello, &steps, &results), results),
        Err(died) => (*died, Vec::new()),
    };
    if !Profile::Validate.asks(vector) {
        return Trial { reader, results, validate: Verdict::good(Outcome::Passed, "", "not asked") };
    }
    let steps = validate_script();
    let validate = match run(&mut transport, vector, &steps) {
        Ok(results) => judge_validate(vector, &hello, &steps[0], &results[0]),
        Err(died) => *died,
    };
    Trial { reader, results, validate }
}

fn run(transport: &mut InProcess, vector: &Vector, steps: &[Step]) -> Result<Vec<StepResult>, Box<Verdict>> {
    let source = match vector.mode {
        ReadMode::Sequential => FaultySource::new(&vector.bytes, &Schedule::default()).into_stream(),
        ReadMode::Whole | ReadMode::Bare | ReadMode::Permissive => JobSource::Served(&vector.bytes),
    };
    let ran = transport.run(&Job { source, steps: steps.into() });
    ran.end.map_err(|death| Box::new(Verdict::died(&death.cause, "an answer")))
}

/// Whether a required expectation is not met.
pub(super) fn is_bad(verdict: &Verdict) -> bool {
    matches!(verdict.outcome, Outcome::Failed | Outcome::Died)
}

/// Whether the candidate ended by itself, which nothing excuses.
pub(super) fn is_dead(verdict: &Verdict) -> bool {
    verdict.fault == Some(Fault::Crashed)
}

/// A verdict in one line.
pub(super) fn text(verdict: &Verdict) -> String {
    let step = verdict.step.as_deref().unwrap_or("the run");
    let rule = verdict.rule.as_deref().map(|rule| format!(" by {rule}")).unwrap_or_default();
    format!("{step}: expected {}, got {}{rule}", verdict.expected, verdict.actual)
}
