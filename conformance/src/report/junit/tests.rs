//! The numbers of the JUnit report are those of the JSON report; what is written can be read.

use quick_xml::{Reader as XmlReader, events::Event};

use super::super::tests::{run_of, scored, set};
use super::*;
use crate::judge::known::Mismatch;
use crate::judge::{Fault, Verdict};
use crate::report::json_report;
use crate::run::About;
use crate::transport::Broken;

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
        Verdict::not_run("no shim"),
        Verdict { outcome: Outcome::Known, ..bad(Fault::Wrong) },
    ];
    let results = verdicts.map(|verdict| Scored { about: About::Vector(1), ..scored("x/y/z", verdict) });
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
    assert_eq!(suite.errors, total("died") + total("not_run"));
    assert_eq!(suite.skipped, total("unsupported") + total("known"));
    assert_eq!(suite.tests, 8);
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
    let TestCaseStatus::Skipped { message, .. } = &report.test_suites[0].test_cases[7].status else { panic!("known") };
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

/// Element, the elements it is in, and the attributes that build servers know of it. `skipped` of the whole is younger than
/// the rest; who does not know it passes it over.
const FORM: &[(&str, &[&str], &[&str])] = &[
    ("testsuites", &[], &["name", "tests", "failures", "errors", "skipped", "time"]),
    ("testsuite", &["testsuites"], &["name", "tests", "failures", "errors", "skipped", "time"]),
    ("properties", &["testsuite"], &[]),
    ("property", &["properties"], &["name", "value"]),
    ("testcase", &["testsuite"], &["name", "classname", "time"]),
    ("failure", &["testcase"], &["type", "message"]),
    ("error", &["testcase"], &["type", "message"]),
    ("skipped", &["testcase"], &["type", "message"]),
];

/// What is in an XML document and not in the form, and how many elements were seen.
fn strange(text: &str) -> (Vec<String>, usize) {
    let (mut reader, mut path, mut found, mut count) = (XmlReader::from_str(text), Vec::<String>::new(), Vec::new(), 0);
    loop {
        let event = reader.read_event().expect("XML");
        let (start, is_empty) = match &event {
            Event::Start(start) => (start, false),
            Event::Empty(start) => (start, true),
            Event::End(_) => {
                path.pop();
                continue;
            }
            Event::Eof => return (found, count),
            _ => continue,
        };
        let name = String::from_utf8_lossy(start.name().as_ref()).into_owned();
        count += 1;
        let within = path.last().map(String::as_str);
        match FORM.iter().find(|(known, ..)| *known == name) {
            Some((_, parents, attributes)) => {
                if !within.map_or(parents.is_empty(), |within| parents.contains(&within)) {
                    found.push(format!("{name} in {within:?}"));
                }
                let given = start.attributes().map(|given| given.expect("an attribute"));
                let names = given.map(|given| String::from_utf8_lossy(given.key.as_ref()).into_owned());
                found.extend(names.filter(|given| !attributes.contains(&given.as_str())));
            }
            None => found.push(name.clone()),
        }
        if !is_empty {
            path.push(name);
        }
    }
}

#[test]
fn only_what_build_servers_know_is_in_it() {
    let known = Known { reason: "so it is".to_owned(), ..Known::default() };
    let text = junit_report(&set(), &all_outcomes(), |_, _| Some(&known)).expect("XML");
    assert_eq!(strange(&text), (Vec::new(), 20), "{text}");
    let odd = text.replace("<testcase ", "<testcase file=\"x\" ").replace("properties>", "settings>");
    assert!(strange(&odd).0.len() > 7, "{odd}");
}
