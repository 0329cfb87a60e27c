//! The contract of the JSON report, by one example in full.

use super::super::tests::{run_of, scored, set};
use super::*;
use crate::judge::{Fault, Outcome, Verdict};
use crate::run::About;

#[test]
fn the_shape_is_the_contract() {
    let verdict = Verdict {
        outcome: Outcome::Known,
        offset: Some(u64::MAX),
        ..Verdict::bad(Fault::Accepted, Some("open".to_owned()), "reject", "ok")
    };
    let spent = Some(Spent { request_count: 2, call_count: Some(9), asked_len: Some(u64::MAX), peak_memory_len: None });
    let run = Run {
        candidates: vec![run_of(vec![Scored { about: About::Vector(1), spent, ..scored("x/y/z", verdict) }])],
        is_whole: true,
        seed: 7,
    };
    let known = Known { reason: "so it is".to_owned(), ..Known::default() };
    let report = json_report(&set(), &run, |_, _| Some(&known));
    assert_eq!(report["suite"], json!({ "version": SUITE, "spec": SPEC, "digest": "d" }));
    let candidate = &report["candidates"][0];
    assert_eq!((&candidate["name"], &candidate["version"]), (&json!("x"), &json!("1")));
    assert_eq!(candidate["profiles"]["reader"]["conforms"], json!(false));
    assert_eq!(candidate["profiles"]["writer"], json!({ "scored": false, "because": "it is not" }));
    assert_eq!(candidate["totals"]["known"], json!(1));
    assert_eq!(report["interop"], json!([]));
    assert_eq!(
        candidate["results"],
        json!([{
            "id": "x/y/z",
            "profile": "reader",
            "class": "explicit",
            "outcome": "known",
            "verdict": "accepted",
            "step": "open",
            "expected": "reject",
            "actual": "ok",
            "rules": ["container.header.magic-reject"],
            "offset": "2",
            "field": "block.field",
            "reported": { "rule": null, "offset": "18446744073709551615" },
            "breaks": [],
            "injected": null,
            "advice": [],
            "spent": { "requests": 2, "calls": 9, "asked_len": "18446744073709551615", "peak_memory_len": null },
            "strict": null,
            "unobserved": 0,
            "known": "so it is",
            "why": "",
        }])
    );
}

#[test]
fn a_failure_under_a_schedule_can_be_seen_again() {
    let injected =
        Injected { schedule: "fail 3 once".to_owned(), over: "bases/x".to_owned(), operation: Some((3, 64, 40)) };
    let verdict = Verdict {
        breaks: vec![hurray_spec::Rule::IoReadOverfill],
        injected: Some(Box::new(injected)),
        ..Verdict::bad(Fault::Io, None, "", "")
    };
    let run = Run { candidates: vec![run_of(vec![scored("schedules/a/b", verdict)])], is_whole: true, seed: 7 };
    let result = &json_report(&set(), &run, |_, _| None)["candidates"][0]["results"][0];
    assert_eq!(result["breaks"], json!(["io.read.overfill"]));
    assert_eq!(
        result["injected"],
        json!({
            "schedule": "fail 3 once",
            "over": "bases/x",
            "operation": { "number": 3, "offset": "64", "len": "40" },
            "replay": "hurray-conformance --candidate x --schedule 'fail 3 once' --filter bases/x",
        })
    );
}

#[test]
fn a_written_file_tells_what_it_breaks_and_who_reads_it() {
    let mut set = set();
    set.writes = vec![crate::testing::write_vector()];
    let verdict = Verdict {
        breaks: vec![hurray_spec::Rule::ContainerWriterRecords],
        ..Verdict::bad(Fault::Invalid, None, "a file", "another")
    };
    let written =
        Scored { about: About::Write { at: 0, file: None }, profile: Profile::Writer, ..scored("write/x/y", verdict) };
    let read = Scored {
        about: About::Write { at: 0, file: None },
        profile: Profile::Interop,
        ..scored("interop/x/x/y", Verdict::good(Outcome::Passed, "", ""))
    };
    let run = Run { candidates: vec![run_of(vec![written, read])], is_whole: true, seed: 7 };
    let report = json_report(&set, &run, |_, _| None);
    let result = &report["candidates"][0]["results"][0];
    assert_eq!(
        (&result["breaks"], &result["rules"]),
        (&json!(["container.writer.records"]), &json!(["container.writer.records"]))
    );
    assert_eq!(result["why"], json!("So it is."));
    let cell = json!({ "writer": "x", "reader": "x", "passed": 1, "failed": 0, "unsupported": 0 });
    assert_eq!(report["interop"], json!([cell]));
}
