//! Whether permissive reading relaxes what it has to and nothing else: each relaxed rule is made to bind, and an accepted
//! permissive vector that lists it has to notice; each rule that a permissive reader still enforces is waived, and a rejected
//! permissive vector has to notice. Owns these two questions.

use hurray_corpus::{Expect, Vector};
use hurray_reference::RELAXED;
use hurray_spec::{Enforced, Rule};

use super::answers::Answers;
use super::bench::{Bench, insisting, is_bad, strict};

/// Asks every relaxed rule, and every permissive vector that is rejected.
pub(super) fn ask(bench: &Bench<'_>) -> Answers {
    let mut answers = Answers::new("permissive reading");
    let vectors: Vec<&Vector> = bench.met().filter(|vector| vector.mode.is_permissive()).collect();
    for rule in RELAXED {
        too_little(rule, &vectors, &mut answers);
    }
    for vector in &vectors {
        match (&vector.expect, vector.rules.first()) {
            // A bound is no matter of policy.
            (Expect::Reject { .. }, Some(rule)) if rule.site().info().enforced == Enforced::Bound => {
                answers.count("still rejected, by a bound");
            }
            (Expect::Reject { .. }, Some(rule)) if !is_bad(&strict(&[*rule], vector).reader) => {
                answers.gap("relaxed too much unnoticed", format!("{}: {rule} waived, and nothing fails", vector.id));
            }
            (Expect::Reject { .. }, _) => answers.count("still rejected"),
            _ => answers.count("accepted"),
        }
    }
    answers
}

fn too_little(rule: Rule, vectors: &[&Vector], answers: &mut Answers) {
    let lists = |vector: &&&Vector| vector.rules.iter().any(|listed| listed.site() == rule.site());
    let mut accepted = vectors.iter().filter(lists).filter(|vector| vector.expect == Expect::Accept);
    match accepted.find(|vector| is_bad(&insisting(rule, vector).reader)) {
        Some(first) => {
            answers.count("relaxed");
            answers.lines.push(format!("{rule}: relaxed, first {}", first.id));
        }
        None => answers.gap("relaxed too little unnoticed", format!("{rule}: no permissive vector misses it")),
    }
}
