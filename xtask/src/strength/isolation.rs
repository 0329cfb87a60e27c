//! One fault a file: with its first rule waived, a rejected file is accepted, or caught only by what it lists under `then`.
//! Owns that comparison, and says which entries of `then` are idle.

use hurray_adapter::StepResult;
use hurray_corpus::{Expect, Vector};
use hurray_spec::{Enforced, Rule};

use super::answers::Answers;
use super::bench::{Bench, is_dead, strict};

/// Asks every reject vector.
pub(super) fn ask(bench: &Bench<'_>) -> Answers {
    let mut answers = Answers::new("vectors isolated");
    for vector in bench.met().filter(|vector| matches!(vector.expect, Expect::Reject { .. })) {
        let Some(first) = vector.rules.first() else { continue };
        if first.site().info().enforced != Enforced::Require {
            answers.count("by a bound, which cannot be waived");
            continue;
        }
        let trial = strict(&[*first], vector);
        if is_dead(&trial.reader) {
            answers.gap("panicked", format!("{}: the reference panics with {first} waived", vector.id));
            continue;
        }
        judge(vector, *first, &trial.results, &mut answers);
    }
    answers
}

fn judge(vector: &Vector, first: Rule, results: &[StepResult], answers: &mut Answers) {
    let is_listed = |rule: Rule| vector.then.iter().any(|then| then.site() == rule.site());
    let mut caught = Vec::new();
    for result in results {
        match result {
            StepResult::Reject { rule, .. } => caught.extend(rule.as_deref().and_then(Rule::from_id)),
            // A value that has no meaning once its rule is waived is passed, and cannot be shown.
            StepResult::Ok(_) | StepResult::Unsupported {} => {}
            StepResult::NotFound {} | StepResult::Refused { .. } => {}
            other => {
                answers.gap("ended otherwise", format!("{}: {first} waived, it ends in {}", vector.id, other.kind()));
                return;
            }
        }
    }
    caught.sort();
    caught.dedup();
    if caught.is_empty() {
        answers.count("accepted once waived");
        return;
    }
    let unlisted: Vec<&str> = caught.iter().filter(|rule| !is_listed(**rule)).map(|rule| rule.id()).collect();
    if unlisted.is_empty() {
        answers.count("caught by their `then`");
        answers.lines.push(format!("{}: then {}", vector.id, caught[0]));
    } else {
        let what = format!("{}: {first} waived, still rejected by {}", vector.id, unlisted.join(", "));
        answers.gap("not isolated", what);
    }
}
