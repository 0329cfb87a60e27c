//! The numbers of the JUnit report are those of the JSON report; what is written can be read.

use super::super::tests::{run_of, scored, set};
use super::*;
use crate::known::Mismatch;
use crate::report::json_report;
use crate::transport::Broken;
use crate::verdict::{Fault, Verdict};

fn read(run: &Run) -> Report {
    let known = Known { reason: "so it is".to_owned(), ..Known::default() };
    let text = junit_report(&set(), run, |_, _| Some(&known)).expect("XML");
    Report::deserialize_from_str(&text).expect("what was written is read")
}

fn all_outcomes() -> Run {
    let bad = |fault| Verdict::bad(fault, Some("open".to_owned()), "reject", "ok <&> \u{0}");
    let verdicts = [
        Verdict::good(Outcome::Passed, "", ""),
        Verdict::good(Outcome::Contested, "", ""),
        Verdict::good(Outcome::Unsupported, "", "not declared"),
        bad(Fault::Accepted),
        bad(Fault::Crashed),
        bad(Fault::TimedOut),
        Verdict { outcome: Outcome::Known, ..bad(Fault::Wrong) },
    ];
    let results = verdicts.map(|verdict| Scored { vector: Some(1), ..scored("x/y/z", verdict) });
    Run { candidates: vec![run_of(results.into())], is_whole: true, seed: 7 }
}

#[test]
fn the_numbers_are_those_of_the_json_report() {
    let run = all_outcomes();
    let totals = &json_report(&set(), &run, |_, _| None)["candidates"][0]["profiles"]["reader"]["totals"];
    let report = read(&run);
    let total = |word: &str| totals[word].as_u64().map(|count| count as usize).expect(word);
    let [suite] = report.test_suites.as_slice() else { panic!("one candidate, one profile") };
    assert_eq!(suite.failures, total("failed"));
    assert_eq!(suite.errors, total("died"));
    assert_eq!(suite.skipped, total("unsupported") + total("known"));
    assert_eq!(suite.tests, 7);
}

#[test]
fn a_failure_tells_rule_place_and_answer() {
    let report = read(&all_outcomes());
    let failed = &report.test_suites[0].test_cases[3];
    assert_eq!(failed.classname.as_ref().map(|name| name.as_str()), Some("x.reader.x"));
    let TestCaseStatus::NonSuccess { kind, message, ty, description, .. } = &failed.status else { panic!("a failure") };
    assert_eq!((*kind, ty.as_ref().map(|ty| ty.as_str())), (NonSuccessKind::Failure, Some("accepted")));
    assert!(
        message.as_ref().is_some_and(|text| text.as_str().starts_with("open: ok <&> , expected reject")),
        "{message:?}"
    );
    let told = description.as_ref().map(|text| text.as_str().to_owned()).unwrap_or_default();
    assert!(told.contains("container.header.magic-reject: ") && told.contains("byte 2 (block.field)"), "{told}");
    let TestCaseStatus::Skipped { message, .. } = &report.test_suites[0].test_cases[6].status else { panic!("known") };
    assert_eq!(message.as_ref().map(|text| text.as_str()), Some("known, wrong: so it is"));
}

#[test]
fn a_broken_adapter_and_an_untrue_list_fail() {
    let broken = Broken { probe: "hop".to_owned(), answered: "no".to_owned(), stderr: "last words".to_owned() };
    let mismatches = vec![Mismatch { id: "a/b/c".to_owned(), problem: "take it out".to_owned() }];
    let not_judged = vec![("later".to_owned(), 3)];
    let run = CandidateRun { broken: Some(broken), mismatches, not_judged, ..run_of(Vec::new()) };
    let report = read(&Run { candidates: vec![run], is_whole: true, seed: 7 });
    let [suite] = report.test_suites.as_slice() else { panic!("one suite") };
    assert_eq!((suite.errors, suite.failures, suite.skipped), (1, 1, 1));
    assert_eq!(suite.test_cases[2].name.as_str(), "3 vectors not judged");
}

#[test]
fn the_same_run_is_the_same_file() {
    let once = || junit_report(&set(), &all_outcomes(), |_, _| None).expect("XML");
    assert_eq!(once(), once());
}
