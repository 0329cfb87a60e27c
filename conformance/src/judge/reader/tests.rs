//! Each way a reader script can end, on vectors made by hand.

use hurray_adapter::{CompositeObservation, Name, Opening, Operation, Place, U64};

use super::super::reader_script;
use super::*;
use crate::testing::{hello, vector};
use hurray_corpus::{ExpectValidate, Meaning, ReadMode};

fn reject(due: Due) -> Vector {
    vector(Expect::Reject { due })
}

fn either(due: Due, prefer_accept: bool) -> Vector {
    vector(Expect::Either { due, prefer_accept })
}

fn rejection() -> StepResult {
    StepResult::Reject { rule: None, offset: Some(U64(7)), message: "no".to_owned() }
}

/// What a right reader answers to a step of a file without fault.
fn right(vector: &Vector, step: &Step) -> StepResult {
    let expected = &vector.observe;
    let mut seen = Observed::default();
    match step {
        Step::List(_) => seen.names = Some(expected.tensors.iter().map(|tensor| tensor.name.clone()).collect()),
        Step::Kv(_) => seen.kv = expected.kv.clone(),
        Step::Describe(named) | Step::Read(named) => {
            let Some(tensor) = expected.tensors.iter().find(|tensor| tensor.name == named.name) else {
                return StepResult::NotFound {};
            };
            seen.tensor = Some(tensor.tensor.clone());
            seen.buffers = tensor.buffers.clone();
        }
        Step::Composite(named) => {
            seen.composite = expected.composites.iter().find(|composite| composite.name == named.name).cloned();
        }
        _ => {}
    }
    StepResult::Ok(seen)
}

/// Judges a reader that is right but for the steps that `change` answers.
fn judge_with(vector: &Vector, hello: &Hello, change: impl Fn(&str) -> Option<StepResult>) -> Verdict {
    let steps = reader_script(vector, hello);
    let answer = |step| change(&step_text(step)).unwrap_or_else(|| right(vector, step));
    let results: Vec<StepResult> = steps.iter().map(answer).collect();
    judge_reader(vector, hello, &steps, &results)
}

/// As [`judge_with`], one answer at every step whose text begins with one of the given.
fn judge(vector: &Vector, steps: &[&str], result: StepResult) -> Verdict {
    judge_with(vector, &hello(), |text| steps.iter().any(|step| text.starts_with(step)).then(|| result.clone()))
}

fn end(vector: &Vector, steps: &[&str], result: StepResult) -> (Outcome, Option<Fault>) {
    let verdict = judge(vector, steps, result);
    (verdict.outcome, verdict.fault)
}

const PASSED: (Outcome, Option<Fault>) = (Outcome::Passed, None);

fn failed(fault: Fault) -> (Outcome, Option<Fault>) {
    (Outcome::Failed, Some(fault))
}

#[test]
fn a_good_file_has_to_be_read_wholly() {
    let good = vector(Expect::Accept);
    assert_eq!(end(&good, &[], rejection()), PASSED);
    for step in ["open", "list", "kv", "describe a", "read b"] {
        assert_eq!(end(&good, &[step], rejection()), failed(Fault::Rejected), "{step}");
    }
    let said = judge(&good, &["describe a"], rejection());
    assert_eq!((said.step.as_deref(), said.offset), (Some("describe a"), Some(7)));
}

#[test]
fn every_other_answer_has_its_own_fault() {
    let good = vector(Expect::Accept);
    let text = || String::new();
    for (answer, fault) in [
        (StepResult::NotFound {}, Fault::NotFound),
        (StepResult::Refused { message: text(), state: None }, Fault::Refused),
        (StepResult::Limit { message: text(), state: None }, Fault::Limit),
        (StepResult::Io { kind: text(), state: None }, Fault::Io),
        (StepResult::Unsupported {}, Fault::Unsupported),
        (StepResult::Error { message: text(), state: None }, Fault::Error),
    ] {
        assert_eq!(end(&good, &["describe a"], answer.clone()), failed(fault));
        // None of them is a rejection either.
        assert_eq!(end(&reject(Due::Open), &["open"], answer), failed(fault));
    }
}

#[test]
fn wrong_observations_are_wrong() {
    let good = vector(Expect::Accept);
    assert_eq!(end(&good, &["kv"], StepResult::Ok(Observed::default())), failed(Fault::Wrong));
    assert_eq!(end(&good, &["list"], StepResult::Ok(Observed::default())), failed(Fault::Wrong));
    assert_eq!(end(&good, &["read a"], StepResult::Ok(Observed::default())), failed(Fault::Wrong));
    let said = judge(&good, &["read c"], right(&good, &Step::Read(Name { name: "a".into() })));
    assert_eq!((said.fault, said.expected.as_str()), (Some(Fault::Wrong), "not_found"));
    assert_eq!(end(&either(Due::Open, true), &["kv"], StepResult::Ok(Observed::default())), failed(Fault::Wrong));
}

#[test]
fn a_broken_container_has_to_be_rejected_at_open() {
    let bad = reject(Due::Open);
    assert_eq!(end(&bad, &["open", "list", "kv", "describe", "read"], rejection()), PASSED);
    assert_eq!(end(&bad, &[], rejection()), failed(Fault::Accepted));
    assert_eq!(end(&bad, &["read"], rejection()), failed(Fault::Late));
}

#[test]
fn a_rejection_may_come_early_but_not_late() {
    let bad = reject(Due::Describe("a".into()));
    assert_eq!(end(&bad, &["open"], rejection()), PASSED);
    assert_eq!(end(&bad, &["describe a", "read a"], rejection()), PASSED);
    assert_eq!(end(&bad, &["read a"], rejection()), failed(Fault::Late));
    assert_eq!(end(&bad, &["kv"], rejection()), failed(Fault::Rejected));
    let bad = reject(Due::Read("a".into()));
    assert_eq!(end(&bad, &["describe a", "read a"], rejection()), PASSED);
    assert_eq!(end(&bad, &["read a"], rejection()), PASSED);
    assert_eq!(end(&bad, &["describe a"], rejection()), failed(Fault::Accepted));
    let bad = reject(Due::Kv);
    assert_eq!(end(&bad, &["kv"], rejection()), PASSED);
    assert_eq!(end(&bad, &["open"], rejection()), PASSED);
    assert_eq!(end(&bad, &["read a"], rejection()), failed(Fault::Accepted));
}

#[test]
fn the_tensor_at_fault_is_not_compared_and_the_others_are() {
    let bad = reject(Due::Read("a".into()));
    let blank = |steps: &'static [&'static str]| {
        judge_with(&bad, &hello(), move |text| match text {
            "read a" => Some(rejection()),
            text if steps.contains(&text) => Some(StepResult::Ok(Observed::default())),
            _ => None,
        })
    };
    assert_eq!(blank(&["describe a"]).outcome, Outcome::Passed);
    assert_eq!(blank(&["describe b"]).fault, Some(Fault::Wrong));
}

#[test]
fn others_may_be_lost_only_without_the_io_contract() {
    let bad = reject(Due::Describe("a".into()));
    let lost = ["describe a", "read a", "describe b", "read b"];
    assert_eq!(end(&bad, &lost, rejection()), failed(Fault::Rejected));
    let loose = Hello { io_contract: false, ..hello() };
    let said = judge_with(&bad, &loose, |text| lost.contains(&text).then(rejection));
    assert_eq!((said.outcome, said.strict), (Outcome::Contested, Some(false)));
    // Lost before anything failed is plainly rejected.
    let said = judge_with(&reject(Due::Describe("b".into())), &loose, |text| lost.contains(&text).then(rejection));
    assert_eq!(said.fault, Some(Fault::Rejected));
}

#[test]
fn contested_files_pass_either_way_and_the_preference_is_kept() {
    for prefer_accept in [true, false] {
        let contested = either(Due::Open, prefer_accept);
        let accepted = judge(&contested, &[], rejection());
        let rejected = judge(&contested, &["open"], rejection());
        assert_eq!((accepted.outcome, accepted.strict), (Outcome::Contested, Some(prefer_accept)));
        assert_eq!((rejected.outcome, rejected.strict), (Outcome::Contested, Some(!prefer_accept)));
        assert_eq!(end(&contested, &["describe a"], StepResult::NotFound {}), failed(Fault::NotFound));
    }
    assert_eq!(end(&either(Due::Describe("a".into()), true), &["describe b"], rejection()), failed(Fault::Rejected));
}

#[test]
fn a_reason_counts_where_rules_are_named() {
    let names = |rule: Option<&str>| {
        let mut hello = hello();
        hello.observes.push("rules".to_owned());
        let result = StepResult::Reject { rule: rule.map(str::to_owned), offset: None, message: String::new() };
        judge_with(&reject(Due::Open), &hello, |text| (text == "open").then(|| result.clone())).fault
    };
    assert_eq!(names(Some("container.header.magic-reject")), None);
    assert_eq!(names(Some("container.header.magic")), None, "its twin");
    assert_eq!(names(Some("container.trailer.magic-reject")), Some(Fault::WrongRule));
    assert_eq!(names(Some("no.such.rule")), Some(Fault::WrongRule));
    assert_eq!(names(None), Some(Fault::WrongRule));
}

#[test]
fn what_is_not_declared_must_not_be_misread() {
    let poor = Hello { types: Vec::new(), ..hello() };
    let tensors = ["describe a", "read a", "describe b", "read b"];
    let with = |result: StepResult| {
        judge_with(&vector(Expect::Accept), &poor, |text| tensors.contains(&text).then(|| result.clone()))
    };
    assert_eq!(with(rejection()).outcome, Outcome::Unsupported);
    assert_eq!(with(StepResult::Unsupported {}).outcome, Outcome::Unsupported);
    assert_eq!(with(StepResult::Ok(Observed::default())).fault, Some(Fault::Wrong));
    let bad = reject(Due::Describe("a".into()));
    let accepts = judge_with(&bad, &poor, |_| None);
    assert_eq!(accepts.fault, Some(Fault::Accepted));
}

#[test]
fn an_operation_that_is_not_offered_is_not_asked_and_not_passed() {
    let no_kv = Hello { operations: vec!["list".to_owned(), "describe".to_owned(), "read".to_owned()], ..hello() };
    assert!(reader_script(&vector(Expect::Accept), &no_kv).iter().all(|step| step.operation() != Op::Kv));
    assert_eq!(judge_with(&vector(Expect::Accept), &no_kv, |_| None).outcome, Outcome::Unsupported);
    assert_eq!(judge_with(&reject(Due::Kv), &no_kv, |_| None).outcome, Outcome::Unsupported);
    let read_only = Hello { operations: vec!["read".to_owned()], ..hello() };
    let bad = reject(Due::Describe("a".into()));
    assert_eq!(judge_with(&bad, &read_only, |text| (text == "read a").then(rejection)).outcome, Outcome::Passed);
}

#[test]
fn who_observes_nothing_passes_no_good_file() {
    let blind = Hello { observes: Vec::new(), ..hello() };
    let said = judge_with(&vector(Expect::Accept), &blind, |_| None);
    assert_eq!((said.outcome, said.compared_count), (Outcome::Unsupported, 0));
    assert!(said.unobserved_count > 0);
}

#[test]
fn a_limit_is_allowed_only_where_a_tag_says_so() {
    let limit = || StepResult::Limit { message: String::new(), state: None };
    let mut tagged = vector(Expect::Accept);
    assert_eq!(end(&tagged, &["read a"], limit()), failed(Fault::Limit));
    tagged.tags.push(LIMIT_OK.to_owned());
    assert_eq!(end(&tagged, &["read a"], limit()), (Outcome::Unsupported, None));
}

#[test]
fn loading_everything_has_to_reject_what_one_step_rejects() {
    let mut hello = hello();
    hello.operations.push("all".to_owned());
    let bad = reject(Due::Read("a".into()));
    let names = || StepResult::Ok(Observed { names: Some(vec!["a".into(), "b".into()]), ..Observed::default() });
    let with = |all: StepResult| {
        judge_with(&bad, &hello, |text| match text {
            "read a" => Some(rejection()),
            "all" => Some(all.clone()),
            _ => None,
        })
    };
    assert_eq!(with(rejection()).outcome, Outcome::Passed);
    assert_eq!(with(names()).fault, Some(Fault::Accepted));
    let script = reader_script(&bad, &hello);
    assert_eq!(script.last(), Some(&Step::All(Operation {})));
}

#[test]
fn hidden_entries_are_reported_only_where_they_may_be_hidden() {
    let hidden = StepResult::Ok(Observed { kv: Some(Vec::new()), ..Observed::default() });
    let mut good = vector(Expect::Accept);
    assert_eq!(end(&good, &["kv"], hidden.clone()), failed(Fault::Wrong));
    good.observe.kv_may_be_hidden = true;
    assert_eq!(end(&good, &[], rejection()), PASSED);
    let said = judge(&good, &["kv"], hidden.clone());
    assert_eq!((said.outcome, said.strict), (Outcome::Contested, Some(false)));
    assert_eq!(end(&good, &["kv"], StepResult::Ok(Observed::default())), failed(Fault::Wrong));
    // Where there are none, nothing was hidden.
    good.observe.kv = Some(Vec::new());
    assert_eq!(end(&good, &["kv"], hidden), PASSED);
}

/// A vector with a composite of `a` and `b`, and places and values of `a`.
fn whole() -> (Vector, Hello) {
    let mut good = vector(Expect::Accept);
    let members = Some(vec!["b".into()]);
    good.observe.composites = vec![CompositeObservation { name: "a".into(), rule: "group".to_owned(), members }];
    let place = Place::Stored { buffer: 0, byte: U64(0), bit: 0 };
    let meaning = |index, place, value: Option<&str>| Meaning {
        tensor: "a".into(),
        index: vec![U64(index)],
        place,
        value: value.map(str::to_owned),
    };
    good.meaning = vec![meaning(0, Some(place), Some("3f800000")), meaning(1, None, Some("nan"))];
    let mut hello = hello();
    hello.operations.extend(["composite", "locate", "decode"].map(str::to_owned));
    (good, hello)
}

fn told(vector: &Vector, hello: &Hello, wrong: &str) -> (Outcome, Option<Fault>) {
    let verdict = judge_with(vector, hello, |text| {
        let is_wrong = text == wrong;
        let mut seen = Observed::default();
        if text == "composite a" {
            let rule = if is_wrong { "overlay" } else { "group" }.to_owned();
            seen.composite = Some(CompositeObservation { name: "a".into(), rule, members: Some(vec!["b".into()]) });
        } else if text == "locate a[0]" {
            seen.place = Some(Place::Stored { buffer: 0, byte: U64(u64::from(is_wrong)), bit: 0 });
        } else if text == "decode a[0]" {
            seen.value = Some(if is_wrong { "3f800001" } else { "3F800000" }.to_owned());
        } else if text == "decode a[1]" {
            seen.value = Some(if is_wrong { "7f800000" } else { "ffc00001" }.to_owned());
        } else {
            return None;
        }
        Some(StepResult::Ok(seen))
    });
    (verdict.outcome, verdict.fault)
}

#[test]
fn composites_and_elements_are_asked_for_and_compared() {
    let (good, hello) = whole();
    assert_eq!(told(&good, &hello, ""), PASSED);
    for step in ["composite a", "locate a[0]", "decode a[0]", "decode a[1]"] {
        assert_eq!(told(&good, &hello, step), failed(Fault::Wrong), "{step}");
    }
    assert_eq!(end(&good, &[], rejection()), PASSED, "who does not offer them is not asked");
}

#[test]
fn an_element_of_forbidden_bits_has_no_value() {
    let (mut open, hello) = whole();
    let due = Due::Read("a".into());
    (open.expect, open.validate) = (Expect::Either { due, prefer_accept: true }, ExpectValidate::Any);
    open.meaning.retain(|meaning| meaning.place.is_none());
    open.meaning[0].value = Some("reject".to_owned());
    let end = |steps: &[&str]| {
        let answer = |text: &str| match text {
            _ if steps.contains(&text) => Some(rejection()),
            "decode a[1]" => {
                Some(StepResult::Ok(Observed { value: Some("00000000".to_owned()), ..Observed::default() }))
            }
            _ => None,
        };
        let verdict = judge_with(&open, &hello, answer);
        (verdict.outcome, verdict.fault, verdict.strict)
    };
    let preferred = Some(true);
    assert_eq!(end(&["decode a[1]"]), (Outcome::Contested, None, preferred), "the bytes themselves were handed out");
    assert_eq!(end(&["read a", "decode a[1]"]), (Outcome::Contested, None, Some(false)));
    assert_eq!(end(&[]), (Outcome::Failed, Some(Fault::Accepted), None));
}

#[test]
fn a_torn_composite_leaves_its_members_readable() {
    let (_, hello) = whole();
    let torn = reject(Due::Composite("a".into()));
    let end = |steps: &[&str]| {
        let refused = |text: &str| steps.iter().any(|step| text.starts_with(step)).then(rejection);
        let verdict = judge_with(&torn, &hello, refused);
        (verdict.outcome, verdict.fault)
    };
    assert_eq!(end(&["composite a"]), PASSED);
    assert_eq!(end(&["open"]), PASSED);
    assert_eq!(end(&["composite a", "all", "describe a"]), PASSED);
    assert_eq!(end(&["composite a", "read b"]), failed(Fault::Rejected));
    assert_eq!(end(&[]), failed(Fault::Accepted));
}

#[test]
fn a_composite_falls_with_its_member() {
    let (mut broken, mut hello) = whole();
    broken.meaning.clear();
    let inner =
        CompositeObservation { name: "b".into(), rule: "group".to_owned(), members: Some(vec!["b.part".into()]) };
    broken.observe.composites.push(inner);
    broken.expect = Expect::Reject { due: Due::Describe("b.part".into()) };
    let end = |hello: &Hello, steps: &[&str]| {
        let refused = |text: &str| steps.contains(&text).then(rejection);
        let verdict = judge_with(&broken, hello, refused);
        (verdict.outcome, verdict.fault)
    };
    let faulty = ["describe b.part", "read b.part", "composite b", "composite a"];
    assert_eq!(end(&hello, &faulty), PASSED);
    assert_eq!(end(&hello, &faulty[..3]), PASSED, "how deep it looks is its affair");
    assert_eq!(end(&hello, &[faulty[0], faulty[1], faulty[3]]), failed(Fault::Accepted));
    assert_eq!(end(&hello, &[&faulty[..], &["read a"]].concat()), failed(Fault::Rejected));
    hello.operations.retain(|operation| operation != "describe");
    assert_eq!(end(&hello, &[&faulty[..], &["read a"]].concat()), PASSED, "it has no way to read a head alone");
}

#[test]
fn a_composite_may_be_read_under_the_name_of_its_head() {
    let listed = |names: &[&str]| {
        let names = names.iter().map(|name| Text::from(*name)).collect();
        StepResult::Ok(Observed { names: Some(names), ..Observed::default() })
    };
    let mut hello = hello();
    hello.operations.push("all".to_owned());
    let end = |vector: &Vector, step: &str, names: &[&str]| {
        let verdict = judge_with(vector, &hello, |text| (text == step).then(|| listed(names)));
        (verdict.outcome, verdict.fault)
    };
    let mut group = vector(Expect::Accept);
    assert_eq!(end(&group, "all", &["a"]), failed(Fault::Wrong));
    let members = vec![Text::from("b")];
    group.observe.composites.push(hurray_adapter::CompositeObservation {
        name: "a".into(),
        rule: "group".to_owned(),
        members: Some(members),
    });
    let all = |names: &[&str]| end(&group, "all", names);
    assert_eq!((all(&["a"]), all(&["a", "b"])), (PASSED, PASSED));
    assert_eq!((all(&[]), all(&["b"])), (failed(Fault::Wrong), failed(Fault::Wrong)));
    assert_eq!(end(&group, "list", &["a"]), failed(Fault::Wrong));
}

#[test]
fn a_permissive_reader_may_leave_alone_what_it_cannot_interpret() {
    let mut unknown = vector(Expect::Accept);
    unknown.observe.tensors[0].tensor.element_type = Some("0x47".to_owned());
    let unsupported = |vector: &Vector, step: &str| end(vector, &[step], StepResult::Unsupported {});
    assert_eq!(unsupported(&unknown, "read a"), failed(Fault::Unsupported), "strictly it is not accepted at all");
    unknown.mode = ReadMode::Permissive;
    assert_eq!(unsupported(&unknown, "read a"), PASSED);
    assert_eq!(unsupported(&unknown, "describe a"), failed(Fault::Unsupported));
    assert_eq!(unsupported(&unknown, "read b"), failed(Fault::Unsupported), "the other tensor has a type");
    assert_eq!(end(&unknown, &["read a"], rejection()), failed(Fault::Rejected));
    assert_eq!(reader_script(&unknown, &hello())[0], Step::Open(Opening { permissive: true }));
}

#[test]
fn a_descriptor_without_a_file_is_asked_for_alone() {
    let mut bare = vector(Expect::Accept);
    bare.mode = ReadMode::Bare;
    bare.observe.descriptor_length = Some(U64(61));
    let told = |vector: &Vector, len: u64| {
        let seen = Observed {
            tensor: Some(vector.observe.tensors[0].tensor.clone()),
            descriptor_length: Some(U64(len)),
            ..Observed::default()
        };
        let verdict = judge_with(vector, &hello(), |_| Some(StepResult::Ok(seen.clone())));
        (verdict.outcome, verdict.fault)
    };
    assert_eq!((told(&bare, 61), told(&bare, 60)), (PASSED, failed(Fault::Wrong)));
    bare.expect = Expect::Reject { due: Due::Descriptor };
    assert_eq!(told(&bare, 61), failed(Fault::Accepted));
    assert_eq!(end(&bare, &["descriptor"], rejection()), PASSED);
}
