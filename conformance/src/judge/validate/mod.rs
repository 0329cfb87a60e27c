//! Judges the `validate` operation: it has to name every requirement that a file breaks, contested or not (R1).
//!
//! Owns that comparison. It must not know how a file was read.

use hurray_adapter::{Finding, Hello, Part, Step, StepResult};
use hurray_spec::Rule;

use super::reader::{actual_text, bad, is_fair};
use super::{Fault, Outcome, Verdict};
use crate::support::text::printable;
use hurray_corpus::{ExpectValidate, Vector};

/// The verdict on one `validate` step.
pub fn judge_validate(vector: &Vector, hello: &Hello, step: &Step, result: &StepResult) -> Verdict {
    let names_rules = hello.observes(Part::Rules);
    match (&vector.validate, result) {
        (_, StepResult::Unsupported {}) if !vector.needs.iter().all(|need| need.is_read_by(hello)) => {
            Verdict::good(Outcome::Unsupported, "not misjudged", "a feature that is not declared")
        }
        (ExpectValidate::Any, StepResult::Ok(_) | StepResult::Reject { .. }) => {
            Verdict::good(Outcome::Passed, "any finding", actual_text(result))
        }
        (ExpectValidate::Clean, StepResult::Ok(seen)) => match seen.findings.as_deref() {
            Some([]) => Verdict { compared_count: 1, ..Verdict::good(Outcome::Passed, "no finding", "no finding") },
            Some(findings) => wrong(Fault::Rejected, "no finding", findings),
            None => Verdict::bad(Fault::Wrong, Some("validate".to_owned()), "a list of findings", "none"),
        },
        (ExpectValidate::Names(rules), StepResult::Ok(seen)) => match seen.findings.as_deref() {
            None => Verdict::bad(Fault::Wrong, Some("validate".to_owned()), "a list of findings", "none"),
            Some([]) => wrong(Fault::Accepted, &named(rules), &[]),
            Some(findings) if names_rules && !rules.iter().all(|rule| is_named(*rule, findings)) => {
                wrong(Fault::WrongRule, &named(rules), findings)
            }
            Some(_) => Verdict { compared_count: 1, ..Verdict::good(Outcome::Passed, named(rules), "named") },
        },
        (ExpectValidate::Names(rules), StepResult::Reject { rule, .. }) => {
            let fair: Vec<Rule> = rules.iter().chain(&vector.rules).copied().collect();
            if names_rules && !is_fair(rule.as_deref(), &fair) {
                return bad(Fault::WrongRule, step, &named(rules), result);
            }
            Verdict { compared_count: 1, ..Verdict::good(Outcome::Passed, named(rules), "reject") }
        }
        (ExpectValidate::Clean, StepResult::Reject { .. }) => bad(Fault::Rejected, step, "no finding", result),
        (_, StepResult::NotFound {}) => bad(Fault::NotFound, step, "findings", result),
        (_, StepResult::Refused { .. }) => bad(Fault::Refused, step, "findings", result),
        (_, StepResult::Limit { .. }) => bad(Fault::Limit, step, "findings", result),
        (_, StepResult::Io { .. }) => bad(Fault::Io, step, "findings", result),
        (_, StepResult::Unsupported {}) => bad(Fault::Unsupported, step, "findings", result),
        (_, StepResult::Error { .. }) => bad(Fault::Error, step, "findings", result),
    }
}

fn is_named(rule: Rule, findings: &[Finding]) -> bool {
    findings.iter().any(|finding| is_fair(finding.rule.as_deref(), &[rule]))
}

fn named(rules: &[Rule]) -> String {
    let ids: Vec<&str> = rules.iter().map(|rule| rule.id()).collect();
    format!("findings of {}", ids.join(", "))
}

/// A wrong list of findings; the first few are shown.
fn wrong(fault: Fault, expected: &str, findings: &[Finding]) -> Verdict {
    let shown = |finding: &Finding| {
        let said = finding.rule.as_deref().or(finding.message.as_deref()).unwrap_or("a finding without a rule");
        printable(said, 60)
    };
    let mut seen: Vec<String> = findings.iter().take(5).map(shown).collect();
    if findings.len() > seen.len() {
        seen.push(format!("and {} more", findings.len() - seen.len()));
    }
    let actual = if seen.is_empty() { "no finding".to_owned() } else { format!("findings: {}", seen.join(", ")) };
    let first = findings.first();
    Verdict {
        rule: first.and_then(|finding| finding.rule.clone()).map(|rule| printable(&rule, 80)),
        offset: first.and_then(|finding| finding.offset).map(|offset| offset.0),
        ..Verdict::bad(fault, Some("validate".to_owned()), expected, actual)
    }
}

#[cfg(test)]
mod tests;
