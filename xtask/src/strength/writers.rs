//! Whether mutants of writers are noticed: each habit has to fail a vector that lists the duty it neglects, by that duty's
//! name, and must leave some file alone. Owns that question; the habits are the harness's.

use hurray_adapter::Candidate;
use hurray_conformance::candidates::reference::Reference;
use hurray_conformance::judge::Verdict;
use hurray_conformance::run::{Files, write_on};
use hurray_conformance::transport::{InProcess, Transport};
use hurray_corpus::VectorSet;
use hurray_corpus::write_vector::{WriteExpect, WriteVector};
use hurray_mutants::writer::{WRITER_MUTANTS, WriterMutant};
use hurray_spec::{Enforced, Rule};

use super::answers::Answers;
use super::bench::text;

/// Rules on what every file has, and on how every file goes out: neglecting them spoils all of them.
const OF_EVERY_FILE: &[&str] = &["container.", "version.", "io.write.short-", "io.write.schedule-"];

/// Asks every rule that writers see to, and every mutant of a writer.
pub(super) fn ask(set: &VectorSet, files: &Files) -> Answers {
    let mut answers = Answers::new("writers");
    let mut met = Vec::new();
    for vector in &set.writes {
        let verdict = trial(Reference::strict(), vector, files);
        if verdict.fault.is_some() {
            answers.gap("not met", format!("{}: the reference does not meet it: {}", vector.id, text(&verdict)));
        } else {
            met.push(vector);
        }
    }
    let has_mutant = |rule: Rule| WRITER_MUTANTS.iter().any(|mutant| mutant.rule == rule);
    for rule in Rule::ALL.iter().filter(|rule| rule.info().enforced == Enforced::Writer && !has_mutant(**rule)) {
        answers.gap("without a mutant", format!("{rule}: no mutant of a writer neglects it"));
    }
    for mutant in WRITER_MUTANTS {
        noticed(mutant, &met, files, &mut answers);
    }
    answers
}

fn noticed(mutant: &WriterMutant, met: &[&WriteVector], files: &Files, answers: &mut Answers) {
    let WriterMutant { rule, name, .. } = mutant;
    let (listing, others): (Vec<&WriteVector>, Vec<&WriteVector>) =
        met.iter().partition(|vector| vector.rules.contains(rule));
    let trials: Vec<(&WriteVector, Verdict)> = listing
        .iter()
        .map(|vector| (*vector, trial(mutant.mutate(Reference::strict()), vector, files)))
        .filter(|(_, verdict)| verdict.fault.is_some())
        .collect();
    let by_name: Vec<&WriteVector> =
        trials.iter().filter(|(_, verdict)| verdict.breaks.contains(rule)).map(|(vector, _)| *vector).collect();
    let Some(first) = by_name.first() else {
        let what = match trials.first() {
            None => format!("{rule}: \"{name}\" is noticed by none of the {} vectors that list it", listing.len()),
            Some((vector, verdict)) => {
                let named: Vec<&str> = verdict.breaks.iter().map(|rule| rule.id()).collect();
                format!("{rule}: \"{name}\" fails {}, but as a breach of {}", vector.id, named.join(", "))
            }
        };
        answers.gap("not noticed by name", what);
        return;
    };
    // A habit that spoils every file proves nothing about its duty; one of bytes that every file has does spoil them.
    let mut accepted = others.iter().filter(|vector| vector.expect == WriteExpect::Accept);
    let is_of_every_file = OF_EVERY_FILE.iter().any(|prefix| rule.id().starts_with(prefix));
    let fails = |vector: &&&WriteVector| trial(mutant.mutate(Reference::strict()), vector, files).fault.is_some();
    if !is_of_every_file && accepted.all(|vector| fails(&vector)) {
        answers.gap("too coarse", format!("{rule}: \"{name}\" fails every accepted file, whatever it lists"));
        return;
    }
    answers.count("noticed by name");
    answers.lines.push(format!("{rule}: \"{name}\" noticed by {}, first {}", by_name.len(), first.id));
}

fn trial(candidate: impl Candidate + 'static, vector: &WriteVector, files: &Files) -> Verdict {
    let mut transport = InProcess::new(Box::new(candidate));
    let hello = transport.hello().clone();
    write_on(&mut transport, vector, &hello, files).verdict
}
