//! Tests of the verdict on a file, with candidates that say what they are told to: no byte of the format is needed.

use std::collections::VecDeque;
use std::sync::Arc;

use hurray_adapter::{Hello, MemorySource, Observed, U64};

use super::*;
use crate::candidates::reference::Reference;
use hurray_corpus::{Expect, ExpectValidate, ReadMode, VectorSet};

/// Answers each step from a list; `list` names one tensor.
#[derive(Default)]
struct Told {
    open: Option<Failure>,
    describe: Option<Failure>,
    findings: Vec<Finding>,
}

struct ToldReader(VecDeque<Answer>);

impl Candidate for Told {
    fn hello(&self) -> Hello {
        serde_json::from_str(r#"{"protocol":[1,1],"name":"told","version":"0"}"#).expect("a hello")
    }

    fn open(&mut self, _: Source) -> Result<(Observed, Box<dyn Reader>), Failure> {
        let described = self.describe.take().map_or(Ok(Observed::default()), Err);
        match self.open.take() {
            Some(failure) => Err(failure),
            None => Ok((Observed::default(), Box::new(ToldReader(VecDeque::from([described]))))),
        }
    }

    fn validate(&mut self, _: Source) -> Answer {
        Ok(Observed { findings: Some(self.findings.clone()), ..Observed::default() })
    }
}

impl Reader for ToldReader {
    fn list(&mut self) -> Answer {
        Ok(Observed { names: Some(vec![Text::from("a")]), ..Observed::default() })
    }

    fn kv(&mut self) -> Answer {
        Ok(Observed::default())
    }

    fn describe(&mut self, _: &[u8]) -> Answer {
        self.0.pop_front().unwrap_or(Err(Failure::NotFound))
    }

    fn read(&mut self, _: &[u8]) -> Answer {
        Ok(Observed::default())
    }
}

const MAGIC: &str = "container.trailer.magic";

fn rejection(offset: u64) -> Failure {
    Failure::Reject { rule: Some(MAGIC.to_owned()), offset: Some(offset), message: "in words".to_owned() }
}

fn judged(mut told: Told) -> FileReport {
    judge("x.hrry", &mut told, || Source::Served(Box::new(MemorySource(Arc::from([0; 8])))))
}

fn settled(report: &FileReport) -> (FileVerdict, Option<&str>, Option<&str>, Option<u64>) {
    (report.verdict, report.by, report.rule.as_deref(), report.offset)
}

#[test]
fn a_file_is_accepted_after_every_step() {
    let report = judged(Told::default());
    assert_eq!(settled(&report), (FileVerdict::Accept, None, None, None));
    let steps: Vec<_> = report.steps.iter().map(|step| step.step).collect();
    assert_eq!(steps, ["open", "list", "kv", "describe", "read", "validate"]);
}

#[test]
fn the_first_rejection_settles_it() {
    let report = judged(Told { open: Some(rejection(7)), ..Told::default() });
    assert_eq!(settled(&report), (FileVerdict::Reject, Some("open"), Some(MAGIC), Some(7)));
    let report = judged(Told { describe: Some(rejection(9)), ..Told::default() });
    assert_eq!(settled(&report), (FileVerdict::Reject, Some("describe"), Some(MAGIC), Some(9)));
    assert!(!report.steps.iter().any(|step| step.step == "read"));
}

#[test]
fn validate_rejects_for_a_must_and_not_for_advice() {
    let finding = |rule: &str| Finding { rule: Some(rule.to_owned()), offset: Some(U64(3)), message: None };
    let advice = Rule::ALL.iter().find(|rule| rule.info().level != Level::Must).expect("some advice");
    let report = judged(Told { findings: vec![finding(advice.id()), finding(MAGIC)], ..Told::default() });
    assert_eq!(settled(&report), (FileVerdict::Reject, Some("validate"), Some(MAGIC), Some(3)));
    let report = judged(Told { findings: vec![finding(advice.id())], ..Told::default() });
    assert_eq!(report.verdict, FileVerdict::Accept);
    assert_eq!(report.validate.len(), 1);
}

#[test]
fn what_cannot_be_judged_is_neither_accepted_nor_rejected() {
    let report = judged(Told { describe: Some(Failure::Unsupported), ..Told::default() });
    assert_eq!(settled(&report), (FileVerdict::Undecided, Some("describe"), None, None));
    let report = judged(Told { open: Some(Failure::Limit("too large".to_owned())), ..Told::default() });
    assert_eq!(settled(&report), (FileVerdict::Undecided, Some("open"), None, None));
}

#[test]
fn the_json_has_the_fields_of_the_contract() {
    let json = serde_json::to_value(judged(Told { open: Some(rejection(7)), ..Told::default() })).expect("json");
    let keys: Vec<_> = json.as_object().expect("an object").keys().map(String::as_str).collect();
    assert_eq!(keys, ["file", "verdict", "by", "rule", "offset", "steps", "validate"]);
    assert_eq!((&json["verdict"], &json["by"], &json["offset"]), (&"reject".into(), &"open".into(), &7.into()));
}

#[test]
fn the_text_names_the_bytes_around_the_fault() {
    let mut file = b"HRRYFILE".to_vec();
    file.resize(112, 0);
    file[108..].copy_from_slice(b"HRRX");
    let report = judged(Told { open: Some(rejection(111)), ..Told::default() });
    let text = render(&report, &mut MemorySource(file.into()));
    let marked = text.lines().find(|line| line.trim_start().starts_with('>')).expect("a marked line");
    assert!(marked.contains("48 52 52 58") && marked.contains("trailer.trailer_magic"), "{text}");
    assert!(text.contains(Rule::from_id(MAGIC).expect("a rule").info().text), "{text}");
    let beyond = judged(Told { open: Some(rejection(u64::MAX)), ..Told::default() });
    assert!(render(&beyond, &mut MemorySource(Arc::from([]))).contains("offset 18446744073709551615"));
}

/// The verdict on a file agrees with what the vector of that file demands.
#[test]
fn the_verdicts_agree_with_the_vectors() {
    let set = VectorSet::embedded().expect("the vectors");
    let mut count = [0, 0, 0];
    for vector in set.vectors.iter().filter(|vector| vector.mode == ReadMode::Whole) {
        let source = || Source::Served(Box::new(MemorySource(Arc::clone(&vector.bytes))));
        let report = judge(&vector.id, &mut Reference::strict(), source);
        let is_fair = |rule: &String| Rule::from_id(rule).is_some_and(|rule| is_listed(rule, &vector.rules));
        match (&vector.expect, report.verdict) {
            (Expect::Reject { .. }, FileVerdict::Reject) => {
                assert!(report.rule.as_ref().is_some_and(is_fair), "{}: {:?}", vector.id, report.rule);
                assert!(report.offset.is_some(), "{}: no offset", vector.id);
                count[0] += 1;
            }
            (Expect::Accept, FileVerdict::Accept) => count[1] += 1,
            (Expect::Accept, FileVerdict::Reject) => {
                let is_flagged = !matches!(vector.validate, ExpectValidate::Clean);
                assert!(is_flagged && report.by == Some("validate"), "{}: {:?}", vector.id, report.rule);
            }
            (Expect::Either { .. }, _) => {}
            (_, FileVerdict::Undecided) => {
                assert!(!vector.needs.is_empty(), "{} is undecided", vector.id);
                count[2] += 1;
            }
            (Expect::Reject { .. }, FileVerdict::Accept) => panic!("{} is accepted", vector.id),
        }
        let mut bytes = MemorySource(Arc::clone(&vector.bytes));
        assert!(!render(&report, &mut bytes).is_empty());
    }
    assert!(count.iter().all(|count| *count > 0), "every outcome is met: {count:?}");
}

fn is_listed(rule: Rule, rules: &[Rule]) -> bool {
    rules.iter().any(|listed| listed.site() == rule.site())
}

#[test]
fn the_command_says_accept_only_if_all_are() {
    let folder = tempfile::tempdir().expect("a folder");
    let set = VectorSet::embedded().expect("the vectors");
    let good = folder.path().join("good.hrry");
    let bad = folder.path().join("bad.hrry");
    let base = set.get("bases/one-f32").expect("a base");
    std::fs::write(&good, &base.bytes).expect("written");
    std::fs::write(&bad, &base.bytes[..100]).expect("written");
    let check = |files: &[&std::path::PathBuf], json| {
        let mut out = Vec::new();
        let args = CheckArgs { files: files.iter().map(|file| (*file).clone()).collect(), json };
        let accepted = run(&args, &mut out).expect("written");
        (accepted, String::from_utf8(out).expect("text"))
    };
    assert!(check(&[&good], false).0);
    let (accepted, json) = check(&[&good, &bad, &folder.path().join("missing")], true);
    assert!(!accepted);
    let reports: serde_json::Value = serde_json::from_str(&json).expect("an array");
    let verdicts: Vec<_> = (0..3).map(|at| reports[at]["verdict"].as_str().expect("a verdict")).collect();
    assert_eq!(verdicts, ["accept", "reject", "undecided"]);
    let (accepted, text) = check(&[&bad], false);
    assert!(!accepted && text.contains("reject at open"), "{text}");
}
