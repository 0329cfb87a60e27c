//! Bounds keep memory safe and are never waived, so they cannot be proved by waiving: each has to be the very rule by which
//! the whole reference rejects some vector that lists it. Owns that question.

use hurray_adapter::StepResult;
use hurray_spec::{Enforced, Rule};

use super::answers::Answers;
use super::bench::{Bench, strict};

/// Asks every bound.
pub(super) fn ask(bench: &Bench<'_>) -> Answers {
    let mut answers = Answers::new("bounds");
    let is_asked = |rule: &&Rule| rule.info().enforced == Enforced::Bound;
    for rule in Rule::ALL.iter().filter(is_asked) {
        let listing = bench.met().filter(|vector| vector.rules.iter().any(|listed| listed.site() == rule.site()));
        let mut by = listing.filter(|vector| rejects_by(*rule, &strict(&[], vector).results));
        match (by.next(), rule.info().reason) {
            (Some(first), _) => {
                answers.count("seen rejecting");
                answers.lines.push(format!("{rule}: {} vectors, first {}", 1 + by.count(), first.id));
            }
            (None, "") => {
                answers.gap("never seen", format!("{rule}: a bound by which no vector that lists it is rejected"))
            }
            (None, reason) => {
                answers.count("explained");
                answers.lines.push(format!("{rule}: {reason}"));
            }
        }
    }
    answers
}

fn rejects_by(rule: Rule, results: &[StepResult]) -> bool {
    results.iter().any(|result| match result {
        StepResult::Reject { rule: Some(id), .. } => Rule::from_id(id).is_some_and(|found| found.site() == rule.site()),
        _ => false,
    })
}
