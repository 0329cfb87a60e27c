//! Whether mutants are noticed: each over-strict or careless habit has to fail a vector that lists the rule it breaks, and
//! must leave some other vector alone. Owns that question; the habits are the harness's.

use hurray_conformance::candidates::reference::Reference;
use hurray_corpus::{Expect, Vector};
use hurray_mutants::{READER_MUTANTS, ReaderMutant};
use hurray_reference::Policy;
use hurray_spec::{Enforced, Rule};

use super::answers::Answers;
use super::bench::{Bench, is_bad, trial};

/// Asks every `accept` rule.
pub(super) fn ask(bench: &Bench<'_>) -> Answers {
    let mut answers = Answers::new("accept rules");
    let is_asked = |rule: &&Rule| rule.info().enforced == Enforced::Accept;
    for rule in Rule::ALL.iter().filter(is_asked) {
        let mutants: Vec<&ReaderMutant> = READER_MUTANTS.iter().filter(|mutant| mutant.rule == *rule).collect();
        if mutants.is_empty() {
            match rule.info().reason {
                "" => answers.gap("without a mutant", format!("{rule}: no mutant breaks it")),
                _ => answers.count("explained"),
            }
        }
        for mutant in mutants {
            noticed(mutant, bench, &mut answers);
        }
    }
    answers
}

fn noticed(mutant: &ReaderMutant, bench: &Bench<'_>, answers: &mut Answers) {
    let ReaderMutant { rule, name, .. } = mutant;
    let (listing, others): (Vec<&Vector>, Vec<&Vector>) =
        bench.met().partition(|vector| vector.rules.iter().any(|listed| listed == rule));
    let by: Vec<&&Vector> = listing.iter().filter(|vector| fails(mutant, vector)).collect();
    let Some(first) = by.first() else {
        let what = format!("{rule}: \"{name}\" is noticed by none of the {} vectors that list it", listing.len());
        answers.gap("not noticed", what);
        return;
    };
    // A habit that spoils everything proves nothing about its rule.
    let mut accepted = others.iter().filter(|vector| vector.expect == Expect::Accept);
    if accepted.all(|vector| fails(mutant, vector)) {
        answers.gap("too coarse", format!("{rule}: \"{name}\" fails every accepted vector, whatever it lists"));
        return;
    }
    answers.count("noticed");
    answers.lines.push(format!("{rule}: \"{name}\" noticed by {}, first {}", by.len(), first.id));
}

fn fails(mutant: &ReaderMutant, vector: &Vector) -> bool {
    let policy = Policy::strict().waiving(mutant.waive.iter().copied());
    is_bad(&trial(mutant.mutate(Reference::with_policy(policy)), vector).reader)
}
