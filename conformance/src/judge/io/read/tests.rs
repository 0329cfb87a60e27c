//! One broken habit after the other, as results and operations made by hand.

use hurray_adapter::{BufferObservation, Name, Opening, Text};

use super::*;
use crate::fault::Operation;

fn read(name: &str) -> Step {
    Step::Read(Name { name: Text::from(name) })
}

fn data(bytes: &[u8]) -> StepResult {
    StepResult::Ok(Observed { buffers: Some(vec![BufferObservation::of(bytes)]), ..Observed::default() })
}

fn io() -> StepResult {
    StepResult::Io { kind: "other".to_owned(), state: None }
}

fn reject() -> StepResult {
    StepResult::Reject { rule: None, offset: None, message: String::new() }
}

fn refused() -> StepResult {
    StepResult::Refused { message: String::new(), state: None }
}

fn ok() -> StepResult {
    StepResult::Ok(Observed::default())
}

fn log(operations: &[(u64, u64, Moved)], changed: usize) -> Log {
    let operations: Vec<_> = operations.iter().map(|&(offset, len, moved)| Operation { offset, len, moved }).collect();
    Log { count: operations.len() as u64, operations, changed: Some(changed) }
}

/// Opens, reads `a` and `b`, each twice for a schedule that asks for it.
fn judged(text: &str, with: &[StepResult], log: &Log) -> Option<(Rule, Fault)> {
    let schedule: Schedule = text.parse().expect(text);
    let (mut steps, mut without) = (vec![Step::Open(Opening::default())], vec![ok()]);
    for (name, bytes) in [("a", b"aa"), ("b", b"bb")] {
        for _ in 0..=u8::from(Demand::of(&schedule).repeats()) {
            steps.push(read(name));
            without.push(data(bytes));
        }
    }
    assert_eq!(steps.len(), with.len(), "{text}");
    let trial = Trial { schedule: &schedule, steps: &steps, without: &without, with, log };
    trial.judge().err().map(|breach| (breach.rule, breach.fault))
}

const SHORT: [(u64, u64, Moved); 2] = [(0, 9, Moved::Bytes(4)), (4, 5, Moved::Bytes(5))];

#[test]
fn under_a_benign_schedule_all_is_the_same() {
    let good = [ok(), data(b"aa"), data(b"bb")];
    assert_eq!(judged("short 5", &good, &log(&SHORT, 0)), None);
    let wrong = judged("short 5", &[ok(), data(b"a\0"), data(b"bb")], &log(&SHORT, 0));
    assert_eq!(wrong, Some((Rule::IoReadShortReadResumes, Fault::Wrong)));
    let refused = judged("limit 1", &[ok(), reject(), data(b"bb")], &log(&SHORT, 0));
    assert_eq!(refused, Some((Rule::IoReadOneByteReads, Fault::Rejected)));
    let given_up = judged("interrupt every 2", &[ok(), io(), data(b"bb")], &log(&SHORT, 0));
    assert_eq!(given_up, Some((Rule::IoReadTransportErrorRetryable, Fault::Io)));
}

#[test]
fn the_next_range_is_the_rest_or_the_same_again() {
    let good = [ok(), data(b"aa"), data(b"bb")];
    for next in [(0, 9), (5, 4), (4, 4), (4, 6)] {
        let log = log(&[SHORT[0], (next.0, next.1, Moved::Bytes(next.1))], 0);
        assert_eq!(judged("short 5", &good, &log), Some((Rule::IoReadShortReadResumes, Fault::Range)), "{next:?}");
    }
    let other = log(&[(0, 9, Moved::Failed("interrupted")), (9, 9, Moved::Bytes(9))], 0);
    assert_eq!(judged("interrupt every 2", &good, &other), Some((Rule::IoReadAbandonedReoffered, Fault::Range)));
}

const FAILED: [(u64, u64, Moved); 2] = [(0, 9, Moved::Failed("other")), (100, 9, Moved::Bytes(9))];

#[test]
fn one_failure_costs_one_step() {
    let good = || [ok(), data(b"aa"), data(b"aa"), data(b"bb"), data(b"bb")];
    let with = |changes: &[(usize, StepResult)]| {
        let mut with = good();
        changes.iter().for_each(|(at, result)| with[*at] = result.clone());
        judged("fail 1 once", &with, &log(&FAILED, 0))
    };
    assert_eq!(with(&[(1, io())]), None);
    assert_eq!(with(&[]), Some((Rule::IoReadTransportErrorRetryable, Fault::Wrong)), "swallowed");
    assert_eq!(with(&[(1, data(b"\0\0"))]), Some((Rule::IoReadTransportErrorRetryable, Fault::Wrong)));
    assert_eq!(with(&[(1, reject())]), Some((Rule::IoReadTransportErrorRetryable, Fault::Rejected)));
    assert_eq!(with(&[(1, io()), (2, io())]), Some((Rule::IoReadTransportErrorRetryable, Fault::Io)));
    assert_eq!(with(&[(1, io()), (2, refused())]), Some((Rule::IoReadFailedJobUsable, Fault::Refused)));
    assert_eq!(with(&[(1, io()), (4, refused())]), Some((Rule::IoReadFailedJobUsable, Fault::Refused)));
    assert_eq!(with(&[(2, io()), (3, data(b"aa"))]), Some((Rule::IoReadJobRestartsFromIndex, Fault::Wrong)));
    let again = log(&[FAILED[0], (0, 9, Moved::Bytes(9))], 0);
    assert_eq!(judged("fail 1 once", &good(), &again), None, "asked for again at once");
    assert_eq!(judged("lose 1", &good(), &log(&FAILED, 0)), Some((Rule::IoReadRefillIdempotent, Fault::Wrong)));
}

#[test]
fn too_long_a_count_is_an_error_and_harms_nothing() {
    let log = log(&[(0, 9, Moved::TooMany(12))], 0);
    let with = |first, second| judged("more 3 at 1", &[ok(), first, second, data(b"bb"), data(b"bb")], &log);
    assert_eq!(with(refused(), data(b"aa")), None);
    assert_eq!(with(data(b"aa"), data(b"aa")), Some((Rule::IoReadOverfill, Fault::Wrong)));
    assert_eq!(with(refused(), data(b"\0a")), Some((Rule::IoReadOverfill, Fault::Wrong)));
}

#[test]
fn what_fails_for_good_fails_everything_that_needs_it() {
    let log = log(&FAILED, 0);
    assert_eq!(judged("fail 1 sticky", &[ok(), data(b"aa"), io()], &log), None);
    assert_eq!(judged("fail 1 sticky", &[io(), refused(), refused()], &log), None);
    let sticky = |with: [StepResult; 3]| judged("fail 1 sticky", &with, &log);
    assert_eq!(sticky([ok(), io(), refused()]), Some((Rule::IoReadTransportErrorRetryable, Fault::Refused)));
    assert_eq!(sticky([ok(), io(), data(b"\0\0")]), Some((Rule::IoReadTransportErrorRetryable, Fault::Wrong)));
}

#[test]
fn an_early_end_is_an_error_and_asked_for_a_few_times() {
    let end = (90, 9, Moved::Nothing);
    let with = |with: [StepResult; 3], ends: usize| judged("eof 90", &with, &log(&vec![end; ends], 0));
    assert_eq!(with([ok(), data(b"aa"), reject()], 1), None);
    assert_eq!(with([reject(), refused(), refused()], 1), None);
    assert_eq!(with([ok(), data(b"aa"), data(b"\0\0")], 1), Some((Rule::IoReadZeroTruncated, Fault::Wrong)));
    assert_eq!(with([ok(), data(b"aa"), data(b"bb")], 1), Some((Rule::IoReadZeroTruncated, Fault::Wrong)));
    assert_eq!(with([ok(), reject(), refused()], 1), Some((Rule::IoReadZeroTruncated, Fault::Refused)));
    assert_eq!(with([ok(), data(b"aa"), reject()], 6), Some((Rule::IoReadZeroTruncated, Fault::Range)));
}

#[test]
fn a_part_of_a_file_is_none() {
    let schedule: Schedule = "cut 5".parse().expect("a schedule");
    let judge = |with: StepResult| {
        let (steps, without) = ([Step::Open(Opening::default())], [ok()]);
        Trial { schedule: &schedule, steps: &steps, without: &without, with: &[with], log: &Log::default() }.judge()
    };
    assert!(judge(reject()).is_ok() && judge(io()).is_ok());
    let breach = judge(ok()).expect_err("it was opened");
    assert_eq!((breach.rule, breach.fault), (Rule::IoWriteNotAFileBeforeFinish, Fault::Accepted));
}

fn made(operations: &[(u64, u64, Moved)]) -> Log {
    log(operations, 1)
}

#[test]
fn another_file_is_found_out_but_for_the_bytes_of_tensors() {
    let log = log(&FAILED, 0);
    let with = |with: [StepResult; 3]| judged("change bytes after 1", &with, &log);
    assert_eq!(with([ok(), data(b"xx"), reject()]), None);
    assert_eq!(with([ok(), data(b"xxx"), reject()]), Some((Rule::DescriptorHeaderMagicReject, Fault::Wrong)));
    let names = StepResult::Ok(Observed { names: Some(vec!["x".into()]), ..Observed::default() });
    assert_eq!(with([names, reject(), reject()]), Some((Rule::ContainerFlagsCrcMismatchReject, Fault::Wrong)));
    let on =
        |from: &[(u64, u64, Moved)]| judged("change bytes after 1", &[reject(), refused(), refused()], &made(from));
    let (header, trailer, index) = ((0, 64, Moved::Bytes(64)), (100, 40, Moved::Bytes(40)), (90, 9, Moved::Bytes(9)));
    assert_eq!(on(&[header, trailer]), None);
    assert_eq!(on(&[header, trailer, index]), Some((Rule::ContainerTrailerMagicFirst, Fault::Range)));
    let emptied = judged("change size 0 after 1", &[ok(), data(b"xx"), reject()], &log);
    assert_eq!(emptied, Some((Rule::IoReadZeroTruncated, Fault::Wrong)));
}
