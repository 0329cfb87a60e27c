//! Whether saboteurs are noticed: each over-strict or careless habit has to fail a vector that lists the rule it breaks, and
//! must leave some other vector alone. Owns that question; the habits are the harness's.

use hurray_conformance::candidates::reference::Reference;
use hurray_corpus::{Expect, Vector};
use hurray_mutants::{SABOTEURS, Saboteur};
use hurray_reference::Policy;
use hurray_spec::{Enforced, Rule};

use super::answers::Answers;
use super::bench::{Bench, is_bad, trial};

/// Asks every `accept` rule.
pub(super) fn ask(bench: &Bench<'_>) -> Answers {
    let mut answers = Answers::new("accept rules");
    let is_asked = |rule: &&Rule| rule.info().enforced == Enforced::Accept;
    for rule in Rule::ALL.iter().filter(is_asked) {
        let saboteurs: Vec<&Saboteur> = SABOTEURS.iter().filter(|saboteur| saboteur.rule == *rule).collect();
        if saboteurs.is_empty() {
            match rule.info().reason {
                "" => answers.gap("without a saboteur", format!("{rule}: no saboteur breaks it")),
                _ => answers.count("explained"),
            }
        }
        for saboteur in saboteurs {
            noticed(saboteur, bench, &mut answers);
        }
    }
    answers
}

fn noticed(saboteur: &Saboteur, bench: &Bench<'_>, answers: &mut Answers) {
    let Saboteur { rule, name, .. } = saboteur;
    let (listing, others): (Vec<&Vector>, Vec<&Vector>) =
        bench.met().partition(|vector| vector.rules.iter().any(|listed| listed == rule));
    let by: Vec<&&Vector> = listing.iter().filter(|vector| fails(saboteur, vector)).collect();
    let Some(first) = by.first() else {
        let what = format!("{rule}: \"{name}\" is noticed by none of the {} vectors that list it", listing.len());
        answers.gap("not noticed", what);
        return;
    };
    // A habit that spoils everything proves nothing about its rule.
    let mut accepted = others.iter().filter(|vector| vector.expect == Expect::Accept);
    if accepted.all(|vector| fails(saboteur, vector)) {
        answers.gap("too coarse", format!("{rule}: \"{name}\" fails every accepted vector, whatever it lists"));
        return;
    }
    answers.count("noticed");
    answers.lines.push(format!("{rule}: \"{name}\" noticed by {}, first {}", by.len(), first.id));
}

fn fails(saboteur: &Saboteur, vector: &Vector) -> bool {
    let policy = Policy::strict().waiving(saboteur.waive.iter().copied());
    is_bad(&trial(saboteur.sabotage(Reference::with_policy(policy)), vector).reader)
}
