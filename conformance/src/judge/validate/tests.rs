//! Each way `validate` can end.

use hurray_adapter::{Observed, Operation};
use serde_json::json;

use super::*;
use hurray_corpus::{Expect, ReadMode};

const MAGIC: &str = "container.header.magic";

fn judge(expect: ExpectValidate, observes: &[&str], result: &StepResult) -> (Outcome, Option<Fault>) {
    let hello: Hello = serde_json::from_value(json!({
        "protocol": [1, 1], "name": "x", "version": "1", "observes": observes,
    }))
    .expect("a hello");
    let vector = Vector {
        rules: vec![Rule::ContainerTrailerMagicReject],
        validate: expect,
        needs: Vec::new(),
        mode: ReadMode::Whole,
        of: None,
        ..crate::testing::vector(Expect::Accept)
    };
    let verdict = judge_validate(&vector, &hello, &Step::Validate(Operation {}), result);
    (verdict.outcome, verdict.fault)
}

fn findings(rules: &[&str]) -> StepResult {
    let finding = |rule: &&str| Finding { rule: Some((*rule).to_owned()), offset: None, message: None };
    StepResult::Ok(Observed { findings: Some(rules.iter().map(finding).collect()), ..Observed::default() })
}

fn rejection(rule: &str) -> StepResult {
    StepResult::Reject { rule: Some(rule.to_owned()), offset: None, message: String::new() }
}

fn magic() -> ExpectValidate {
    ExpectValidate::Names(vec![Rule::ContainerHeaderMagic])
}

#[test]
fn a_clean_file_has_no_finding() {
    assert_eq!(judge(ExpectValidate::Clean, &[], &findings(&[])).1, None);
    assert_eq!(judge(ExpectValidate::Clean, &[], &findings(&[MAGIC])).1, Some(Fault::Rejected));
    assert_eq!(judge(ExpectValidate::Clean, &[], &rejection(MAGIC)).1, Some(Fault::Rejected));
    assert_eq!(judge(ExpectValidate::Clean, &[], &StepResult::Ok(Observed::default())).1, Some(Fault::Wrong));
}

#[test]
fn a_broken_rule_has_to_be_named_by_who_names_rules() {
    assert_eq!(judge(magic(), &["rules"], &findings(&["kv.key.unique", MAGIC])).0, Outcome::Passed);
    assert_eq!(judge(magic(), &["rules"], &findings(&["container.header.magic-reject"])).1, None, "its twin");
    assert_eq!(judge(magic(), &["rules"], &findings(&["kv.key.unique"])).1, Some(Fault::WrongRule));
    assert_eq!(judge(magic(), &[], &findings(&["kv.key.unique"])).1, None, "who names none is not asked");
    assert_eq!(judge(magic(), &[], &findings(&[])).1, Some(Fault::Accepted));
}

#[test]
fn a_file_too_broken_may_be_rejected_for_a_fair_reason() {
    assert_eq!(judge(magic(), &["rules"], &rejection(MAGIC)).1, None);
    assert_eq!(judge(magic(), &["rules"], &rejection("container.trailer.magic-reject")).1, None);
    assert_eq!(judge(magic(), &["rules"], &rejection("kv.key.unique")).1, Some(Fault::WrongRule));
}

#[test]
fn what_is_not_judged_passes_with_any_finding_but_not_with_any_answer() {
    assert_eq!(judge(ExpectValidate::Any, &[], &findings(&[MAGIC])).1, None);
    assert_eq!(judge(ExpectValidate::Any, &[], &rejection(MAGIC)).1, None);
    assert_eq!(judge(ExpectValidate::Any, &[], &StepResult::Unsupported {}).1, Some(Fault::Unsupported));
    assert_eq!(
        judge(ExpectValidate::Any, &[], &StepResult::Error { message: String::new(), state: None }).1,
        Some(Fault::Error)
    );
}
