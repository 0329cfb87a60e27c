//! One broken habit after the other: a file of a header `HH`, an item `aaaa` and an end `ee`, each offered at once.

use hurray_adapter::{Entries, NewComposite, NewTensor, Observed, Operation as Nothing, WriteOptions};

use super::*;

fn steps() -> Vec<Step> {
    vec![
        Step::Create(WriteOptions::default()),
        Step::Header(Nothing {}),
        Step::Put(NewItem::Tensor(NewTensor::default())),
        Step::Finish(Entries::default()),
    ]
}

fn without() -> Written {
    Written { bytes: b"HHaaaaee".to_vec(), ends: vec![0, 2, 6, 8], offers: vec![0, 2, 6] }
}

fn ok() -> StepResult {
    StepResult::Ok(Observed::default())
}

fn io(state: WriterState) -> StepResult {
    StepResult::Io { kind: "other".to_owned(), state: Some(state) }
}

fn refused() -> StepResult {
    StepResult::Refused { message: String::new(), state: None }
}

const USABLE: WriterState = WriterState::Usable;
const UNUSABLE: WriterState = WriterState::Unusable;

/// A run of `steps` with a failure of that sort at that offset.
fn on<T>(
    text: &str,
    steps: &[Step],
    with: &[StepResult],
    bytes: &[u8],
    harmed: (u64, Moved),
    judge: impl Fn(&WriteTrial<'_>) -> Result<T, Box<Breach>>,
) -> Result<T, (Rule, Fault)> {
    let schedule: Schedule = text.parse().expect(text);
    let operation = Operation { offset: harmed.0, len: 4, moved: harmed.1 };
    let log = Log { operations: vec![operation], count: 1, changed: Some(0) };
    let without = without();
    assert_eq!(steps.len(), with.len());
    let trial = WriteTrial { schedule: &schedule, steps, without: &without, with, bytes, log: &log };
    judge(&trial).map_err(|breach| (breach.rule, breach.fault))
}

fn judged(text: &str, with: [StepResult; 4], bytes: &[u8], harmed: (u64, Moved)) -> Result<Next, (Rule, Fault)> {
    on(text, &steps(), &with, bytes, harmed, |trial| trial.judge())
}

const FAILED: Moved = Moved::Failed("other");

#[test]
fn under_a_benign_schedule_the_file_is_the_same() {
    let short = (2, Moved::Bytes(1));
    let whole = |bytes: &[u8]| judged("limit 1", [ok(), ok(), ok(), ok()], bytes, short);
    assert_eq!(whole(b"HHaaaaee"), Ok(Next::Done(None)));
    assert_eq!(whole(b"HHaee"), Err((Rule::IoWriteShortWriteResumes, Fault::Wrong)), "the rest was dropped");
    assert_eq!(whole(b"HHaaaa\0ee"), Err((Rule::IoWriteScheduleIdentical, Fault::Wrong)));
    let failed = judged("limit 1", [ok(), ok(), io(USABLE), refused()], b"HHa", short);
    assert_eq!(failed, Err((Rule::IoWriteShortWriteResumes, Fault::Io)));
}

#[test]
fn before_the_first_byte_nothing_has_happened() {
    let at = |state, then| judged("fail 2 once", [ok(), ok(), io(state), then], b"HHee", (2, FAILED));
    assert_eq!(at(USABLE, ok()), Ok(Next::Retry(2, None)));
    assert_eq!(at(UNUSABLE, refused()), Err((Rule::IoWriteFailBeforeFirstByteRetryable, Fault::Io)));
    let header = judged("fail 1 once", [ok(), io(UNUSABLE), refused(), refused()], b"", (0, FAILED));
    assert_eq!(header, Err((Rule::IoWriteHeaderRetryable, Fault::Io)));
    let finish = judged("fail 3 once", [ok(), ok(), ok(), io(UNUSABLE)], b"HHaaaa", (6, FAILED));
    assert_eq!(finish, Err((Rule::IoWriteFinishRetryable, Fault::Io)));
}

#[test]
fn a_repeat_gives_the_whole_file() {
    let mut steps = steps();
    steps.insert(2, steps[2].clone());
    let retried = |second: StepResult, last: StepResult, bytes: &[u8]| {
        let with = [ok(), ok(), io(USABLE), second, last];
        on("fail 2 once", &steps, &with, bytes, (2, FAILED), |trial| trial.judge_retry(2))
    };
    assert_eq!(retried(ok(), ok(), b"HHaaaaee"), Ok(()));
    assert_eq!(retried(refused(), ok(), b"HHee"), Err((Rule::IoWriteRetryNameFree, Fault::Refused)));
    assert_eq!(retried(io(USABLE), ok(), b"HHee"), Err((Rule::IoWriteFailBeforeFirstByteRetryable, Fault::Io)));
    assert_eq!(retried(ok(), ok(), b"HH\0aaaaee"), Err((Rule::IoWriteRetryIdentical, Fault::Wrong)));
}

#[test]
fn behind_the_first_byte_nothing_can_be_done() {
    let at = |state, then, bytes: &[u8]| judged("fail byte 3 once", [ok(), ok(), io(state), then], bytes, (3, FAILED));
    assert_eq!(at(UNUSABLE, refused(), b"HHa"), Ok(Next::Refused(2, None)));
    assert_eq!(at(USABLE, refused(), b"HHa"), Err((Rule::IoWriteDistinctStatus, Fault::Io)));
    assert_eq!(at(UNUSABLE, ok(), b"HHaee"), Err((Rule::IoWriteFinishRefusesWhenPoisoned, Fault::Wrong)));
    assert_eq!(at(UNUSABLE, refused(), b"HHaee"), Err((Rule::IoWriteFailAfterFirstByteTerminal, Fault::Wrong)));
    let mut steps = steps();
    steps.insert(2, steps[2].clone());
    let with = [ok(), ok(), io(UNUSABLE), ok(), refused()];
    let again = on("fail 2 once", &steps, &with, b"HHaaaa", (3, FAILED), |trial| trial.judge_refused(2));
    assert_eq!(again, Err((Rule::IoWriteFailAfterFirstByteTerminal, Fault::Wrong)));
}

/// A header, a composite of two offers at 2 and 4, and an end; with the composite repeated if `again`.
fn composite<T>(
    again: bool,
    with: &[StepResult],
    bytes: &[u8],
    offset: u64,
    judge: impl Fn(&WriteTrial<'_>) -> Result<T, Box<Breach>>,
) -> Result<T, (Rule, Fault)> {
    let mut steps = steps();
    steps[2] = Step::Put(NewItem::Composite(NewComposite::default()));
    if again {
        steps.insert(2, steps[2].clone());
    }
    on("fail 3 once", &steps, with, bytes, (offset, FAILED), |trial| {
        let without = Written { offers: vec![0, 2, 4, 6], ..trial.without.clone() };
        judge(&WriteTrial { without: &without, steps: trial.steps, schedule: trial.schedule, ..*trial })
    })
}

#[test]
fn between_the_offers_of_a_composite_a_writer_may_go_on_or_end() {
    let at = |offset, state, last: StepResult, bytes: &[u8]| {
        composite(false, &[ok(), ok(), io(state), last], bytes, offset, |trial| trial.judge())
    };
    assert_eq!(at(4, USABLE, refused(), b"HHaa"), Ok(Next::Either(2)));
    assert_eq!(at(4, UNUSABLE, refused(), b"HHaa"), Ok(Next::Refused(2, Some(COMPOSITE_IS_FINAL))));
    assert_eq!(at(5, USABLE, refused(), b"HHaaa"), Err((Rule::IoWriteDistinctStatus, Fault::Io)), "inside a tensor");
    let garbage = at(4, USABLE, refused(), b"HHaab");
    assert_eq!(garbage, Err((Rule::IoWriteFailAfterFirstByteTerminal, Fault::Wrong)));
}

#[test]
fn behind_a_torn_composite_stands_its_rest_or_nothing() {
    let again = |second: StepResult, last: StepResult, bytes: &[u8]| {
        composite(true, &[ok(), ok(), io(USABLE), second, last], bytes, 4, |trial| trial.judge_either(2))
    };
    assert_eq!(again(ok(), ok(), b"HHaaaaee"), Ok(Some(COMPOSITE_RESUMES)));
    assert_eq!(again(refused(), refused(), b"HHaa"), Ok(Some(COMPOSITE_IS_FINAL)));
    assert_eq!(again(refused(), ok(), b"HHaaee"), Ok(Some(FINISHED_TORN)));
    let twice = again(ok(), ok(), b"HHaaaaaaee");
    assert_eq!(twice, Err((Rule::IoWriteRetryIdentical, Fault::Wrong)), "from its beginning again");
    assert_eq!(again(ok(), refused(), b"HHaaaa").map_err(|breach| breach.1), Err(Fault::Refused));
}

/// What comes behind a head is a member of its composite.
#[test]
fn no_other_item_is_taken_behind_a_torn_composite() {
    let mut steps = steps();
    steps[2] = Step::Put(NewItem::Composite(NewComposite::default()));
    steps.insert(3, Step::Put(NewItem::Tensor(NewTensor::default())));
    let with = [ok(), ok(), io(USABLE), ok(), ok()];
    let judged = on("fail 3 once", &steps, &with, b"HHaabbee", (4, FAILED), |trial| {
        let without =
            Written { bytes: b"HHaaaabbee".to_vec(), ends: vec![0, 2, 6, 8, 10], offers: vec![0, 2, 4, 6, 8] };
        WriteTrial { without: &without, steps: trial.steps, schedule: trial.schedule, ..*trial }.judge()
    });
    assert_eq!(judged, Err((Rule::IoWriteFailAfterFirstByteTerminal, Fault::Wrong)));
}

/// A writer that does not tell its state is asked again.
#[test]
fn a_closed_sink_is_retried_or_final() {
    let mut steps = steps();
    steps.insert(2, steps[2].clone());
    let again = |second: StepResult, last: StepResult, bytes: &[u8]| {
        let with = [ok(), ok(), io(USABLE), second, last];
        on("zero 2", &steps, &with, bytes, (2, Moved::Nothing), |trial| trial.judge_either(2))
    };
    assert_eq!(again(ok(), ok(), b"HHaaaaee"), Ok(Some(CLOSED_IS_RETRYABLE)));
    assert_eq!(again(refused(), refused(), b"HH"), Ok(Some(CLOSED_IS_FINAL)));
    assert_eq!(again(refused(), ok(), b"HHee"), Err((Rule::IoWriteFinishRefusesWhenPoisoned, Fault::Wrong)));
}

#[test]
fn nobody_is_content_with_a_failure() {
    let all = || [ok(), ok(), ok(), ok()];
    assert_eq!(judged("fail 2 once", all(), b"HHaaaaee", (2, FAILED)), Ok(Next::Done(None)), "written again at once");
    let swallowed = judged("fail 2 once", all(), b"HHee", (2, FAILED));
    assert_eq!(swallowed, Err((Rule::IoWriteFailAfterFirstByteTerminal, Fault::Wrong)));
    let zero = judged("zero 2", all(), b"HHee", (2, Moved::Nothing));
    assert_eq!(zero, Err((Rule::IoWriteZeroWriteClosed, Fault::Wrong)));
    let late = judged("fail 2 once", [ok(), ok(), ok(), io(UNUSABLE)], b"HH", (2, FAILED));
    assert_eq!(late, Err((Rule::IoWriteFailAfterFirstByteTerminal, Fault::Late)));
    let other = judged("fail 2 once", [ok(), ok(), refused(), refused()], b"HH", (2, FAILED));
    assert_eq!(other, Err((Rule::IoWriteFailAfterFirstByteTerminal, Fault::Refused)));
    let more = judged("more 3 at 2", all(), b"HHaaaaee", (2, Moved::TooMany(7)));
    assert_eq!(more, Err((Rule::IoWriteShortWriteResumes, Fault::Wrong)));
}

#[test]
fn a_closed_sink_may_be_final_and_is_not_asked_for_ever() {
    let nothing = (2, Moved::Nothing);
    let closed = |state| judged("closed 2", [ok(), ok(), io(state), refused()], b"HH", nothing);
    let done = |choice| Ok(Next::Done(Some(choice)));
    assert_eq!((closed(USABLE), closed(UNUSABLE)), (done(CLOSED_IS_RETRYABLE), done(CLOSED_IS_FINAL)));
    let zero = |state| judged("zero 2", [ok(), ok(), state, refused()], b"HH", nothing);
    assert_eq!(zero(io(USABLE)), Ok(Next::Retry(2, Some(CLOSED_IS_RETRYABLE))));
    assert_eq!(zero(io(UNUSABLE)), done(CLOSED_IS_FINAL));
    assert_eq!(zero(StepResult::Io { kind: "closed".to_owned(), state: None }), Ok(Next::Either(2)));
    let schedule: Schedule = "closed 1".parse().expect("a schedule");
    let operations = vec![Operation { offset: 0, len: 4, moved: Moved::Nothing }; 20];
    let log = Log { operations, count: 20, changed: Some(0) };
    let (steps, with) = (steps(), [ok(), io(USABLE), io(USABLE), io(USABLE)]);
    let trial =
        WriteTrial { schedule: &schedule, steps: &steps, without: &without(), with: &with, bytes: b"", log: &log };
    assert_eq!(trial.judge().expect_err("too often").rule, Rule::IoWriteZeroWriteClosed);
}

#[test]
fn what_is_refused_costs_nothing() {
    let mut steps = steps();
    steps.insert(3, steps[2].clone());
    let rule = Rule::IoWriteDuplicateNameRefused;
    let argued = |result: StepResult, last: StepResult, bytes: &[u8]| {
        let with = [ok(), ok(), ok(), result, last];
        on("whole", &steps, &with, bytes, (0, Moved::Bytes(4)), |trial| judge_argument(rule, 3, trial))
    };
    assert_eq!(argued(refused(), ok(), b"HHaaaaee"), Ok(()));
    assert_eq!(argued(StepResult::Unsupported {}, ok(), b"HHaaaaee"), Ok(()));
    assert_eq!(argued(ok(), ok(), b"HHaaaaaaaaee"), Err((rule, Fault::Accepted)));
    assert_eq!(argued(io(USABLE), ok(), b"HHaaaaee"), Err((rule, Fault::Io)));
    assert_eq!(argued(refused(), refused(), b"HHaaaa"), Err((rule, Fault::Refused)));
    assert_eq!(argued(refused(), ok(), b"HHaaaa\0ee"), Err((rule, Fault::Wrong)));
}
