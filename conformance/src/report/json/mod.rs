//! The report for programs. Owns its shape, a contract that may grow; the order is stable, times are left out. Peaks of
//! memory are the one thing that differs from run to run.

use hurray_spec::Rule;
use serde_json::{Map, Value, json};

use super::terminal::replay;
use super::{Conclusion, SPEC, SUITE, Totals, class_name, conclude, fault_place, subject};
use crate::judge::Injected;
use crate::judge::known::Known;
use crate::judge::profile::Profile;
use crate::run::{CandidateRun, Cell, Run, Scored, Spent, matrix};
use crate::support::text::printable;
use hurray_corpus::VectorSet;

/// The whole report. `known` gives the entry of a candidate's list for a result.
pub fn json_report<'a>(set: &VectorSet, run: &Run, known: impl Fn(usize, &Scored) -> Option<&'a Known>) -> Value {
    let candidates: Vec<Value> = run
        .candidates
        .iter()
        .enumerate()
        .map(|(at, candidate)| candidate_value(set, candidate, run.is_whole, |scored| known(at, scored)))
        .collect();
    json!({
        "suite": { "version": SUITE, "spec": SPEC, "digest": set.digest },
        "candidates": candidates,
        "interop": matrix(&run.candidates).iter().map(cell_value).collect::<Vec<_>>(),
    })
}

/// One cell of the matrix of writers and readers.
fn cell_value(cell: &Cell) -> Value {
    json!({
        "writer": cell.writer,
        "reader": cell.reader,
        "passed": cell.passed,
        "failed": cell.failed,
        "unsupported": cell.unsupported,
    })
}

fn candidate_value<'a>(
    set: &VectorSet,
    run: &CandidateRun,
    is_whole: bool,
    known: impl Fn(&Scored) -> Option<&'a Known>,
) -> Value {
    let mut profiles = Map::new();
    for &profile in Profile::ALL {
        let results = || run.results.iter().filter(move |scored| scored.profile == profile);
        if results().next().is_some() {
            let conclusion = conclude(run, profile, is_whole);
            profiles.insert(profile.name().to_owned(), profile_value(&conclusion, &Totals::of(results())));
        } else if let Some((_, why)) = run.not_scored.iter().find(|(other, _)| *other == profile) {
            profiles.insert(profile.name().to_owned(), json!({ "scored": false, "because": why }));
        }
    }
    let broken = run.broken.as_ref().map(|broken| {
        json!({ "probe": broken.probe, "answered": broken.answered, "stderr": printable(&broken.stderr, 2000) })
    });
    let not_judged = run.not_judged.iter().map(|(reason, count)| json!({ "reason": reason, "count": count }));
    let mismatches = run.mismatches.iter().map(|found| json!({ "id": found.id, "problem": found.problem }));
    json!({
        "name": run.hello.as_ref().map_or_else(|| run.asked_for.clone(), |hello| printable(&hello.name, 200)),
        "version": run.hello.as_ref().map(|hello| printable(&hello.version, 200)),
        "broken": broken,
        "profiles": profiles,
        "results": run.results.iter().map(|scored| result_value(set, &run.asked_for, scored, known(scored))).collect::<Vec<_>>(),
        "totals": totals_value(&Totals::of(run.results.iter())),
        "not_judged": not_judged.collect::<Vec<_>>(),
        "known_mismatches": mismatches.collect::<Vec<_>>(),
    })
}

fn profile_value(conclusion: &Conclusion, totals: &Totals) -> Value {
    json!({
        "scored": true,
        "conforms": conclusion.conforms,
        "required_failures": conclusion.failure_count,
        "not_run": conclusion.not_run_count,
        "undeclared": conclusion.undeclared,
        "sentence": conclusion.sentence,
        "totals": totals_value(totals),
    })
}

fn totals_value(totals: &Totals) -> Value {
    json!({
        "passed": totals.passed,
        "failed": totals.failed,
        "contested": totals.contested,
        "unsupported": totals.unsupported,
        "not_run": totals.not_run,
        "died": totals.died,
        "known": totals.known,
        "strict": { "preferred": totals.preferred, "contested": totals.preferable },
        "compared": totals.compared,
        "unobserved": totals.unobserved,
    })
}

/// What a transport did, and the command that does it again.
fn injected_value(injected: &Injected, candidate: &str) -> Value {
    let operation = injected
        .operation
        .map(|(number, offset, len)| json!({ "number": number, "offset": offset.to_string(), "len": len.to_string() }));
    json!({
        "schedule": injected.schedule,
        "over": injected.over,
        "operation": operation,
        "replay": replay(injected, candidate),
    })
}

/// The most that one request of a judgement took. What is not counted or measured is null.
fn spent_value(spent: Spent) -> Value {
    json!({
        "requests": spent.request_count,
        "calls": spent.call_count,
        "asked_len": spent.asked_len.map(|len| len.to_string()),
        "peak_memory_len": spent.peak_memory_len.map(|len| len.to_string()),
    })
}

/// One result. `offset` is where the file differs from its base; what the candidate said stands under `reported`.
fn result_value(set: &VectorSet, candidate: &str, scored: &Scored, known: Option<&Known>) -> Value {
    let verdict = &scored.verdict;
    let vector = scored.vector(set);
    let place = vector.and_then(|vector| fault_place(set, vector));
    let ids = |rules: &[Rule]| rules.iter().map(|rule| rule.id()).collect::<Vec<_>>();
    let subject = subject(set, scored);
    let rules = subject.map(|subject| ids(subject.rules));
    json!({
        "id": scored.id,
        "profile": scored.profile.name(),
        "class": class_name(scored.class),
        "outcome": verdict.outcome.name(),
        "verdict": verdict.fault.map(|fault| fault.name()),
        "step": verdict.step,
        "expected": verdict.expected,
        "actual": verdict.actual,
        "rules": rules.unwrap_or_default(),
        "offset": place.map(|(offset, _)| offset.to_string()),
        "field": place.and_then(|(_, field)| field),
        "reported": {
            "rule": verdict.rule.as_deref().map(|rule| printable(rule, 100)),
            "offset": verdict.offset.map(|offset| offset.to_string()),
        },
        "breaks": ids(&verdict.breaks),
        "injected": verdict.injected.as_deref().map(|injected| injected_value(injected, candidate)),
        "advice": ids(&verdict.advice),
        "spent": scored.spent.map(spent_value),
        "strict": verdict.strict,
        "unobserved": verdict.unobserved_count,
        "known": known.map(|known| known.reason.as_str()),
        "why": subject.map(|subject| subject.why),
    })
}

#[cfg(test)]
mod tests;
