//! The zoo before `--verify-adapter`. The table says what each kind misses first; the zoo says which kinds there are.

use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use libtest_mimic::{Failed, Trial};

use crate::common::build_zoo;
use crate::{Diagnosis, Suite};

/// Nothing is missing.
const COMPLETE: &str = "";

/// Kind, answers given honestly before its fault, the first step it misses, and a part of what came there.
const DIAGNOSES: &[(&str, &str, &str, &str)] = &[
    ("exits-at-once", "0", "start", "exit code 0 before a whole line"),
    ("aborts-at-once", "0", "start", "signal 6"),
    ("hangs-at-hello", "0", "start", "no answer within"),
    ("junk-at-hello", "0", "hello", "no JSON: Loading tensor library"),
    ("half-a-hello", "0", "start", "before a whole line"),
    ("future-protocol", "0", "protocol", "versions 1000 to 1001"),
    ("never-reads-input", "0", "answer", "no answer within"),
    ("junk-stdout", "0", "answer", "no JSON: Loading tensor library"),
    ("wrong-id", "0", "answer-id", "4712 in place of 4711"),
    ("too-few-results", "0", "answer-count", "0 results for one step"),
    ("accepts-everything", "0", "nonsense", "ok"),
    ("rejects-everything", "0", "nonsense", "reject"),
    ("does-nonsense", "0", "nonsense", "ok"),
    ("accepts-bad-files", "0", "not-open", "ok"),
    ("rejects-good-files", "0", "operation/open", "reject"),
    ("knows-fixed-bad-files", "0", "bad/first-magic", "ok"),
    ("knows-fixed-good-file", "0", "operation/read", "sha256"),
    ("exceptions-as-reject", "0", "not-open", "reject: refused"),
    ("exits-in-the-middle", "0", "answer", "exit code 0"),
    ("exits-in-the-middle", "9", "operation/read", "exit code 0"),
    ("dies-by-signal", "0", "answer", "signal 6"),
    ("dies-by-signal", "9", "operation/read", "signal 6"),
    ("panics", "0", "answer", "exit code 101"),
    ("leaves-a-child", "0", "answer", "exit code 0"),
    ("eats-memory", "0", "answer", "512 MiB of memory"),
    ("half-a-line", "0", "answer", "exit code 0"),
    ("hangs-in-the-middle", "0", "answer", "no answer within"),
    ("hangs-in-the-middle", "9", "operation/read", "no answer within"),
    ("half-a-line-and-hangs", "0", "answer", "no answer within"),
    ("junk-in-the-middle", "0", "answer", "no JSON: Loading tensor library"),
    ("junk-in-the-middle", "9", "operation/read", "Loading tensor library"),
    ("endless-line", "0", "answer", "a line without end"),
    ("knows-bad-canary", "0", "not-open", "ok"),
    ("knows-bad-canary", "13", "bad/first-magic", "ok"),
    ("knows-good-canary", "0", "operation/open", "reject"),
    ("wrong-observations", "0", "operation/kv", "int64"),
    ("wrong-shape", "0", "operation/describe", "a: shape"),
    ("wrong-payload", "0", "operation/read", "sha256"),
    ("wrong-kv", "0", "operation/kv", "int64"),
    ("loses-a-tensor", "0", "operation/list", "expected names"),
    ("sees-nothing", "0", "operation/open", "expected container"),
    ("skips-what-it-declared", "0", "not-open", "unsupported"),
    ("declares-nothing", "0", "declares", "`open` in \"operations\""),
    ("observes-nothing", "0", "declares", "anything in \"observes\""),
    ("floods-stderr", "0", COMPLETE, ""),
    ("honest", "0", COMPLETE, ""),
    ("hides-failures", "0", "no-file/path", "ok"),
    ("drops-bytes", "0", "served/short", "open: reject"),
    ("indexes-torn-files", "0", COMPLETE, ""),
];

pub(crate) fn trials(suite: &Arc<Suite>) -> Vec<Trial> {
    let zoo = match build_zoo() {
        Ok(zoo) => zoo.to_string_lossy().into_owned(),
        Err(why) => return vec![Trial::test("zoo/builds", move || Err(why.into()))],
    };
    let mut trials = Vec::new();
    for &(kind, honest, step, came) in DIAGNOSES {
        let command = [zoo.as_str(), kind, honest].map(str::to_owned);
        let patience = Duration::from_secs(if came.contains("no answer") { 2 } else { 60 });
        let suite = Arc::clone(suite);
        trials.push(Trial::test(format!("zoo/{kind}/{honest}"), move || {
            Diagnosis { step, came }.check(&suite.verify(&command, None, patience))
        }));
    }
    trials.push(Trial::test("zoo/no-kind-is-left-out", move || none_is_left_out(&zoo)));
    trials
}

fn none_is_left_out(zoo: &str) -> Result<(), Failed> {
    let listed = Command::new(zoo).arg("--list").output()?;
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    let kinds: Vec<&str> = listed.lines().filter_map(|line| line.split('\t').next()).collect();
    let forgotten: Vec<_> = kinds.iter().filter(|kind| DIAGNOSES.iter().all(|(listed, ..)| listed != *kind)).collect();
    if kinds.len() >= 40 && forgotten.is_empty() {
        Ok(())
    } else {
        Err(format!("{} kinds, without a diagnosis: {forgotten:?}", kinds.len()).into())
    }
}
