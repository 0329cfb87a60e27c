//! How what a writer did compares with what a write vector demands: its answers, and the file that is there afterwards.
//!
//! Owns the words of that judgement. What the reference makes of the file comes in as answers like any candidate's; this
//! folder knows no implementation and writes nothing.

mod compare;
mod container;
pub mod file_view;
mod neglect;
mod rules;
mod script;

use std::sync::Arc;

use hurray_adapter::{MemorySource, Source, Step, StepResult};
use hurray_spec::Rule;

use super::{Fault, Outcome, Verdict};
use crate::judge::writer::file_view::View;
use crate::support::text::{counted, printable};
use hurray_corpus::write_vector::{WriteExpect, WriteVector, read_vector, seen_in};

pub use neglect::failed;
use neglect::{LONGEST_SHOWN, Neglect};
pub use script::{Asked, Ended, Want, item_script, judge_answers, options_script, whole_script};

/// A written file, and what the reference answered when it was asked about it.
pub struct Inspected<'a> {
    /// The file.
    pub bytes: &'a Arc<[u8]>,
    /// Its answer to `validate`.
    pub validate: &'a StepResult,
    /// What it was asked as a reader, see [`inspection`].
    pub steps: &'a [Step],
    /// Its answers, one per step.
    pub results: &'a [StepResult],
}

/// The steps by which a written file is read back.
pub fn inspection(vector: &WriteVector, hello: &hurray_adapter::Hello) -> Vec<Step> {
    let mut steps = super::reader_script(&read_vector(vector, String::new(), Arc::from([])), hello);
    steps.retain(|step| !matches!(step, Step::Describe(_) | Step::All(_)));
    steps
}

/// The verdict on a file that a writer says it has written.
pub fn judge_file(vector: &WriteVector, inspected: &Inspected<'_>) -> Verdict {
    let Ok(view) = View::of(Source::Served(Box::new(MemorySource(Arc::clone(inspected.bytes))))) else {
        return failed(vector, Fault::Wrong, "a file", "one that is too large to be looked at");
    };
    let expected = seen_in(&vector.file);
    let facts = container::facts(&view, &vector.file);
    let differences = compare::differences(&expected, inspected.steps, inspected.results);
    let (found, mut advice) = findings(inspected.validate);
    advice.extend(facts.advice);
    // What a contested description asks for is no fault of the writer that follows it.
    let is_excused = |neglect: &Neglect| {
        matches!(vector.expect, WriteExpect::Either { .. })
            && neglect.rules.iter().any(|rule| vector.rules.iter().any(|listed| listed.site() == rule.site()))
    };
    let neglects: Vec<Neglect> =
        facts.faults.into_iter().chain(found).chain(differences.found).filter(|neglect| !is_excused(neglect)).collect();
    let compared_count = differences.compared_count;
    let verdict = match neglects.first() {
        None => Verdict::good(Outcome::Passed, "the file described", "the file described"),
        Some(first) => neglected(first, &neglects),
    };
    Verdict { compared_count, advice, ..verdict }
}

/// The verdict of a file with something wrong.
fn neglected(first: &Neglect, all: &[Neglect]) -> Verdict {
    let fault = if all.iter().any(|neglect| neglect.is_invalid) { Fault::Invalid } else { Fault::Wrong };
    let mut breaks = Vec::new();
    for rule in all.iter().flat_map(|neglect| &neglect.rules) {
        if !breaks.contains(rule) {
            breaks.push(*rule);
        }
    }
    let more = match all.len() - 1 {
        0 => String::new(),
        count => format!(", and {}", counted(count, "more difference")),
    };
    Verdict {
        offset: first.offset,
        breaks,
        ..Verdict::bad(
            fault,
            Some("written file".to_owned()),
            first.expected.clone(),
            format!("{}{more}", first.actual),
        )
    }
}

/// The verdict on a vector whose answers are as wanted, and on its file, if there is to be one.
pub fn conclude(vector: &WriteVector, ended: &Ended, of_file: Option<Verdict>) -> Verdict {
    match (ended, of_file) {
        (Ended::Written, Some(verdict)) => match vector.expect {
            WriteExpect::Either { prefer_accept } if verdict.fault.is_none() => Verdict {
                outcome: Outcome::Contested,
                strict: Some(prefer_accept),
                expected: if prefer_accept { "ok preferred" } else { "refused preferred" }.to_owned(),
                actual: "ok".to_owned(),
                ..verdict
            },
            _ => verdict,
        },
        (ended, _) => script::unwritten(vector, ended),
    }
}

/// What `validate` finds: requirements that are broken, and recommendations that are not followed.
fn findings(validate: &StepResult) -> (Vec<Neglect>, Vec<Rule>) {
    let mut advice = Vec::new();
    let mut found = Vec::new();
    match validate {
        // A private type or layout: what nobody here knows is not checked.
        StepResult::Unsupported {} => {}
        StepResult::Ok(seen) => {
            for finding in seen.findings.iter().flatten() {
                let rule = finding.rule.as_deref().and_then(Rule::from_id);
                if let Some(rule) = rule.filter(|rule| rules::is_advice(*rule)) {
                    if !advice.contains(&rule) {
                        advice.push(rule);
                    }
                    continue;
                }
                let broken = rule.map_or_else(Vec::new, rules::broken_by);
                let text = finding.message.as_deref().unwrap_or("a file without fault");
                let actual = rule.map_or_else(|| "a fault".to_owned(), |rule| format!("a breach of {rule}"));
                let offset = finding.offset.map(|offset| offset.0);
                found.push(Neglect::invalid(&broken, offset, &printable(text, LONGEST_SHOWN), actual));
            }
        }
        other => found.push(Neglect::invalid(&[], None, "a file that can be checked", super::actual_text(other))),
    }
    (found, advice)
}

#[cfg(test)]
mod tests;
