//! What people see.

use super::super::tests::{run_of, scored, set};
use super::*;
use crate::judge::known::Mismatch;
use crate::judge::{Fault, Verdict};
use crate::transport::Broken;

fn printed(run: CandidateRun, is_whole: bool) -> String {
    let mut out = Vec::new();
    let run = Run { candidates: vec![run], is_whole, seed: 7 };
    terminal_report(&set(), &run, &mut out).expect("memory does not fail");
    anstream::adapter::strip_str(&String::from_utf8(out).expect("text")).to_string()
}

fn bad(fault: Fault) -> Scored {
    let verdict =
        Verdict { rule: Some("r\u{1b}[2J".to_owned()), ..Verdict::bad(fault, Some("open".to_owned()), "no", "ok") };
    Scored { about: About::Vector(1), ..scored("x/y/z", verdict) }
}

#[test]
fn a_failure_shows_rule_place_demand_answer_and_reason() {
    let text = printed(run_of(vec![bad(Fault::Accepted)]), true);
    for part in [
        "x 1\n",
        "reader         0       1          0            0        0     0      0        0/0\n",
        "accepted x/y/z (reader)\n",
        "open: expected no, got ok\n",
        "container.header.magic-reject, byte 2 (block.field)\n",
        "it named r\\u{1b}[2J\n",
        "writer    not scored: it is not\n",
        "does not conform to the reader profile",
        "1 verdict in 2.0 s (0 per second), probe seed 7\n",
    ] {
        assert!(text.contains(part), "{part:?} is missing in\n{text}");
    }
}

#[test]
fn failures_alike_are_shown_once_and_deaths_first() {
    let text = printed(run_of(vec![bad(Fault::Wrong), bad(Fault::Wrong), bad(Fault::Crashed)]), true);
    assert!(text.contains("wrong x/y/z (reader, and 1 alike)"), "{text}");
    assert!(text.find("crashed x/y/z") < text.find("wrong x/y/z"), "{text}");
    assert!(!text.contains("more failure"), "{text}");
}

#[test]
fn known_failures_are_shown_with_rule_and_place() {
    let known = |fault| {
        let scored = bad(fault);
        Scored { verdict: Verdict { outcome: Outcome::Known, ..scored.verdict.clone() }, ..scored }
    };
    let text = printed(run_of(vec![known(Fault::Wrong), known(Fault::Wrong), known(Fault::Crashed)]), true);
    assert!(text.contains("3 known failures, 1 death among them:"), "{text}");
    let place = "container.header.magic-reject, byte 2 (block.field)";
    assert!(text.contains(&format!("    crashed       x/y/z: {place}\n")), "{text}");
    assert!(text.contains(&format!("    wrong         x/y/z and 1 alike: {place}\n")), "{text}");
}

#[test]
fn a_failure_under_a_schedule_shows_the_operation_and_how_to_see_it_again() {
    let injected =
        Injected { schedule: "limit 1".to_owned(), over: "bases/x".to_owned(), operation: Some((3, 64, 40)) };
    let verdict = Verdict {
        breaks: vec![hurray_spec::Rule::IoReadOneByteReads],
        injected: Some(Box::new(injected)),
        ..Verdict::bad(Fault::Wrong, None, "", "")
    };
    let text = printed(run_of(vec![scored("schedules/a/b", verdict)]), true);
    for part in [
        "io.read.one-byte-reads: Any split",
        "schedule `limit 1` over bases/x, operation 3: 40 bytes at 64\n",
        "hurray-conformance --candidate x --schedule 'limit 1' --filter bases/x\n",
    ] {
        assert!(text.contains(part), "{part:?} is missing in\n{text}");
    }
}

#[test]
fn what_sweeps_and_requests_took_is_told() {
    let spent = |call_count, peak_memory_len| {
        Some(Spent { request_count: 3, call_count, asked_len: call_count, peak_memory_len })
    };
    let of_io =
        |spent| Scored { profile: Profile::Io, spent, ..scored("schedules/a", Verdict::good(Outcome::Passed, "", "")) };
    let text = |results| {
        printed(CandidateRun { swept: Some(std::time::Duration::from_millis(1500)), ..run_of(results) }, true)
    };
    let both = text(vec![of_io(spent(Some(9), None)), of_io(spent(None, Some(3 << 20)))]);
    for line in [
        "  2 sweeps over served sources and sinks in 1.5 s\n",
        "  at most in one of 6 requests: 9 reads or writes, 9 bytes asked for or offered; 3072 KiB more memory than before\n",
    ] {
        assert!(both.contains(line), "{line:?} is missing in\n{both}");
    }
    let none = text(vec![of_io(spent(None, None))]);
    assert!(none.contains("of 3 requests: reads and writes not seen; memory not measured\n"), "{none}");
}

/// Nobody conforms to a contract that is not claimed.
#[test]
fn what_was_scored_of_io_is_told() {
    let bad = Scored { profile: Profile::Io, ..bad(Fault::Wrong) };
    let mut run = run_of(vec![bad]);
    run.hello.as_mut().expect("a hello").io_contract = false;
    let text = printed(run, true);
    let sentence = "x 1 does not claim the I/O contract. Of what holds for everybody under short, interrupted, failing and \
                    lying transfers, no clause of the contract: 1 failure under 1 sweep.\n";
    assert!(text.contains(sentence) && !text.contains("conform to the io"), "{text}");
}

#[test]
fn a_part_of_the_suite_says_nothing_of_conformity() {
    let text = printed(run_of(vec![scored("a", Verdict::good(Outcome::Passed, "", ""))]), false);
    assert!(text.contains("only a part of the suite was run") && !text.contains("conforms"), "{text}");
}

#[test]
fn a_broken_adapter_is_told_with_its_probe_and_last_words() {
    let broken = Broken { probe: "hop".to_owned(), answered: "no".to_owned(), stderr: "a\nlast words\n\n".to_owned() };
    let text = printed(CandidateRun { broken: Some(broken), ..run_of(Vec::new()) }, true);
    assert!(text.contains("adapter broken: it was to hop; no\n") && text.contains("last words"), "{text}");
}

#[test]
fn a_list_that_is_not_true_is_told() {
    let mismatches = vec![Mismatch { id: "a/b/c".to_owned(), problem: "take it out".to_owned() }];
    let text = printed(CandidateRun { mismatches, ..run_of(Vec::new()) }, true);
    assert!(text.contains("a/b/c take it out"), "{text}");
}
