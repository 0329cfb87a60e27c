//! What is said of a run: counts, sentences, places.

use std::collections::BTreeSet;
use std::time::Duration;

use super::*;
use crate::judge::Verdict;
use crate::judge::profile::undeclared;
use crate::run::About;
use crate::testing::{hello, vector};
use crate::transport::Broken;
use hurray_corpus::Expect;

pub(super) fn scored(id: &str, verdict: Verdict) -> Scored {
    Scored::new(id.to_owned(), Profile::Reader, Class::Explicit, About::Sweep, verdict)
}

pub(super) fn run_of(results: Vec<Scored>) -> CandidateRun {
    CandidateRun {
        asked_for: "x".to_owned(),
        hello: Some(hello()),
        broken: None,
        results,
        not_scored: vec![(Profile::Writer, "it is not")],
        not_judged: Vec::new(),
        mismatches: Vec::new(),
        elapsed: Duration::from_secs(2),
        swept: None,
        selected: BTreeSet::new(),
        swept_ids: BTreeSet::new(),
    }
}

fn good() -> Verdict {
    Verdict::good(Outcome::Passed, "ok", "ok")
}

/// A base of four bytes, and a vector that differs from it in the third.
pub(super) fn set() -> VectorSet {
    let base = Vector { id: "bases/x".to_owned(), bytes: vec![1, 2, 3, 4].into(), ..vector(Expect::Accept) };
    let labels = vec![("block".to_owned(), 0..4), ("block.field".to_owned(), 2..4)];
    let changed = Vector { id: "x/y/z".to_owned(), bytes: vec![1, 2, 9, 4].into(), labels, ..base.clone() };
    VectorSet { vectors: vec![base, changed], writes: Vec::new(), digest: "d".to_owned() }
}

#[test]
fn who_meets_everything_conforms() {
    let conclusion = conclude(&run_of(vec![scored("a", good())]), Profile::Reader, true);
    assert_eq!(conclusion.conforms, Some(true));
    assert_eq!(
        conclusion.sentence,
        "x 1 conforms to the reader profile of Hurray 0.1.0-draft (2a2db96), as far as this suite reaches: container, \
         key-values, versions, descriptors."
    );
}

#[test]
fn what_is_missing_is_counted_and_named_even_where_it_is_known() {
    let known = Verdict { outcome: Outcome::Known, ..Verdict::bad(Fault::Accepted, None, "", "") };
    let run = run_of(vec![
        scored("a", good()),
        scored("b", known),
        scored("floor/reader/layout:tiled", undeclared("layout:tiled")),
        scored("floor/reader/operation:kv", undeclared("operation:kv")),
    ]);
    let conclusion = conclude(&run, Profile::Reader, true);
    assert_eq!((conclusion.conforms, conclusion.failure_count), (Some(false), 1));
    assert_eq!(conclusion.undeclared, ["layout:tiled", "operation:kv"]);
    let end = "1 required failure, 2 mandatory features undeclared (tiled, kv).";
    assert!(conclusion.sentence.ends_with(end), "{}", conclusion.sentence);
}

#[test]
fn nothing_is_said_after_a_part_or_of_a_broken_adapter() {
    assert_eq!(conclude(&run_of(vec![scored("a", good())]), Profile::Reader, false).conforms, None);
    assert_eq!(conclude(&run_of(vec![scored("a", good())]), Profile::Validate, true).conforms, None);
    let broken = Broken { probe: String::new(), answered: String::new(), stderr: String::new() };
    let run = CandidateRun { broken: Some(broken), ..run_of(vec![scored("a", good())]) };
    assert_eq!(conclude(&run, Profile::Reader, true).conforms, None);
}

#[test]
fn who_conforms_but_for_what_was_not_run_does_not_conform_yet() {
    let lost = || scored("path/a", Verdict::not_run("the shim is missing"));
    let conclusion = conclude(&run_of(vec![scored("a", good()), lost(), lost()]), Profile::Reader, true);
    assert_eq!((conclusion.conforms, conclusion.not_run_count), (None, 2));
    let sentence = "Nothing is concluded on x 1 and the reader profile: 2 cases were not run (the shim is missing).";
    assert_eq!(conclusion.sentence, sentence);
    let part = conclude(&run_of(vec![lost()]), Profile::Reader, false).sentence;
    assert!(part.ends_with("part of the suite was run; 1 case was not run (the shim is missing)."), "{part}");
    let failed = scored("b", Verdict::bad(Fault::Wrong, None, "", ""));
    let conclusion = conclude(&run_of(vec![failed, lost()]), Profile::Reader, true);
    assert_eq!((conclusion.conforms, conclusion.failure_count), (Some(false), 1));
    let end = "1 required failure; 1 case was not run (the shim is missing).";
    assert!(conclusion.sentence.ends_with(end), "{}", conclusion.sentence);
}

#[test]
fn every_outcome_is_counted_once() {
    let contested = Verdict { strict: Some(true), ..Verdict::good(Outcome::Contested, "", "") };
    let results = [
        good(),
        contested,
        Verdict { strict: Some(false), ..Verdict::good(Outcome::Contested, "", "") },
        Verdict::good(Outcome::Unsupported, "", ""),
        Verdict::not_run("no shim"),
        Verdict::not_run("no shim"),
        Verdict::bad(Fault::Wrong, None, "", ""),
        Verdict { unobserved_count: 3, ..Verdict::bad(Fault::Crashed, None, "", "") },
        Verdict { outcome: Outcome::Known, ..Verdict::bad(Fault::Wrong, None, "", "") },
    ]
    .map(|verdict| scored("a", verdict));
    let t = Totals::of(results.iter());
    assert_eq!((t.passed, t.failed, t.contested, t.unsupported, t.not_run), (1, 1, 2, 1, 2));
    assert_eq!((t.died, t.known), (1, 1));
    assert_eq!((t.all(), t.preferred, t.preferable, t.unobserved), (9, 1, 2, 3));
}

#[test]
fn a_fault_stands_where_the_file_differs_from_its_base() {
    let set = set();
    assert_eq!(fault_place(&set, &set.vectors[1]), Some((2, Some("block.field"))));
    assert_eq!(fault_place(&set, &set.vectors[0]), None);
    let cut = Vector { bytes: vec![1, 2].into(), labels: Vec::new(), ..set.vectors[1].clone() };
    assert_eq!(fault_place(&set, &cut), Some((2, None)));
}
