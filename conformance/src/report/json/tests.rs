//! The contract of the JSON report, by one example in full.

use super::super::tests::{run_of, scored, set};
use super::*;
use crate::verdict::{Fault, Outcome, Verdict};

#[test]
fn the_shape_is_the_contract() {
    let verdict = Verdict {
        outcome: Outcome::Known,
        offset: Some(u64::MAX),
        ..Verdict::bad(Fault::Accepted, Some("open".to_owned()), "reject", "ok")
    };
    let run = Run {
        candidates: vec![run_of(vec![Scored { vector: Some(1), ..scored("x/y/z", verdict) }])],
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
            "breaks": null,
            "injected": null,
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
        breaks: Some(hurray_spec::Rule::IoReadOverfill),
        injected: Some(Box::new(injected)),
        ..Verdict::bad(Fault::Io, None, "", "")
    };
    let run = Run { candidates: vec![run_of(vec![scored("schedules/a/b", verdict)])], is_whole: true, seed: 7 };
    let result = &json_report(&set(), &run, |_, _| None)["candidates"][0]["results"][0];
    assert_eq!(result["breaks"], json!("io.read.overfill"));
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
