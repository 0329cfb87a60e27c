//! The report for build servers: JUnit, by the crate `quick-junit`. Owns what is a failure there: what fails the run here,
//! and nothing else. Times are left out, so that the same run is the same file.

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::{SPEC, SUITE, conclude, fault_place, title};
use crate::judge::known::Known;
use crate::judge::profile::Profile;
use crate::judge::{Outcome, step_and_answer};
use crate::run::{CandidateRun, Run, Scored};
use crate::support::text::counted;
use hurray_corpus::VectorSet;

/// The whole report. `known` gives the entry of a candidate's list for a result.
///
/// # Errors
/// The report cannot be put into XML.
pub fn junit_report<'a>(
    set: &VectorSet,
    run: &Run,
    known: impl Fn(usize, &Scored) -> Option<&'a Known>,
) -> Result<String, String> {
    let mut report = Report::new("hurray-conformance");
    for (at, candidate) in run.candidates.iter().enumerate() {
        let scored_profiles =
            Profile::ALL.iter().copied().filter(|profile| results(candidate, *profile).next().is_some());
        for profile in scored_profiles {
            let mut suite = TestSuite::new(format!("{} {profile}", title(candidate)));
            suite.add_property(("suite", SUITE));
            suite.add_property(("spec", SPEC));
            suite.add_property(("conclusion", conclude(candidate, profile, run.is_whole).sentence.as_str()));
            let cases = results(candidate, profile).map(|scored| case(set, candidate, scored, known(at, scored)));
            suite.add_test_cases(cases);
            report.add_test_suite(suite);
        }
        report.add_test_suites(about_itself(candidate));
    }
    report.to_string().map_err(|error| error.to_string())
}

fn results(run: &CandidateRun, profile: Profile) -> impl Iterator<Item = &Scored> {
    run.results.iter().filter(move |scored| scored.profile == profile)
}

fn case(set: &VectorSet, run: &CandidateRun, scored: &Scored, known: Option<&Known>) -> TestCase {
    let verdict = &scored.verdict;
    let word = verdict.fault.map_or_else(|| verdict.outcome.name(), |fault| fault.name());
    let status = match verdict.outcome {
        Outcome::Passed | Outcome::Contested => TestCaseStatus::success(),
        Outcome::Unsupported => with_message(TestCaseStatus::skipped(), &verdict.actual),
        Outcome::Known => {
            let reason = known.map_or("", |known| known.reason.as_str());
            with_message(TestCaseStatus::skipped(), &format!("known, {word}: {reason}"))
        }
        Outcome::Failed => non_success(NonSuccessKind::Failure, word, &step_and_answer(verdict), place(set, scored)),
        Outcome::NotRun => non_success(NonSuccessKind::Error, word, &verdict.actual, None),
        Outcome::Died => non_success(NonSuccessKind::Error, word, &step_and_answer(verdict), place(set, scored)),
    };
    let mut case = TestCase::new(scored.id.as_str(), status);
    let area = scored.id.split('/').next().unwrap_or_default();
    let name = run.hello.as_ref().map_or(run.asked_for.as_str(), |hello| hello.name.as_str());
    case.set_classname(format!("{name}.{}.{area}", scored.profile));
    case
}

/// What is not a result: a broken adapter, and a list of known failures that is not true. Each fails the run.
fn about_itself(run: &CandidateRun) -> Option<TestSuite> {
    let broken = run.broken.as_ref().map(|broken| {
        let message = format!("it was to {}; {}", broken.probe, broken.answered);
        let status = non_success(NonSuccessKind::Error, "adapter-broken", &message, Some(broken.stderr.clone()));
        TestCase::new("adapter", status)
    });
    let mismatches = run.mismatches.iter().map(|found| {
        let status = non_success(NonSuccessKind::Failure, "known-failures", &found.problem, None);
        TestCase::new(format!("known/{}", found.id), status)
    });
    let not_judged = run.not_judged.iter().map(|(reason, count)| {
        let status = with_message(TestCaseStatus::skipped(), reason);
        TestCase::new(format!("{} not judged", counted(*count, "vector")), status)
    });
    let cases: Vec<TestCase> = broken.into_iter().chain(mismatches).chain(not_judged).collect();
    if cases.is_empty() {
        return None;
    }
    let mut suite = TestSuite::new(format!("{} as a candidate", title(run)));
    suite.add_test_cases(cases);
    Some(suite)
}

fn with_message(mut status: TestCaseStatus, message: &str) -> TestCaseStatus {
    status.set_message(message);
    status
}

fn non_success(kind: NonSuccessKind, word: &str, message: &str, more: Option<String>) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    status.set_type(word).set_message(message);
    if let Some(more) = more.filter(|more| !more.is_empty()) {
        status.set_description(more);
    }
    status
}

/// The rules of a vector in words, where its file differs from its base, and why it is there.
fn place(set: &VectorSet, scored: &Scored) -> Option<String> {
    let vector = scored.vector(set)?;
    let rules = vector.rules.iter().map(|rule| format!("{}: {}\n", rule.id(), rule.info().text));
    let place = match fault_place(set, vector) {
        Some((offset, Some(field))) => format!("byte {offset} ({field})\n"),
        Some((offset, None)) => format!("byte {offset}\n"),
        None => String::new(),
    };
    Some(format!("{}{place}{}", rules.collect::<String>(), vector.why))
}

#[cfg(test)]
mod tests;
