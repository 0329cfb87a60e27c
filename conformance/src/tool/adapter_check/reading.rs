//! How an adapter answers over files: what is not there, what is good, what is bad. Owns the questions.

use std::sync::Arc;

use hurray_adapter::{Name, Op, Opening, Operation, SourceKind, Step, StepResult, Text};
use serde_json::json;
use strum::VariantArray;

use super::advice;
use super::declared::{About, about};
use super::files::{bare_descriptor, good_file, good_stream, shows_operation};
use super::interview::{Ask, Interview};
use crate::fault::FaultySource;
use crate::judge::{
    Outcome, Verdict, actual_text, judge_reader, judge_validate, reader_script, step_and_answer, validate_script,
};
use crate::run::probe::canary::{CANARY, MAGICS, Random, bad_canaries, unseen_good, with_random};
use crate::transport::{JobSource, Script};
use hurray_corpus::Vector;
use hurray_corpus::schedule::Schedule;

/// A name that no file has.
const NOBODY: &str = "a tensor that no file has";
/// A good file with names of unusual characters.
const UNUSUAL: &str = "bases/sorted-names";

pub(super) fn check(interview: &mut Interview<'_>, seed: u64) {
    if !interview.offers(Op::Open) {
        return;
    }
    let Some(canary) = interview.set.get(CANARY).cloned() else { return };
    grammar(interview, &canary);
    not_open(interview, &canary);
    no_file(interview);
    for operation in Op::VARIANTS.iter().copied().filter(|operation| about(*operation) == About::Reading) {
        if interview.offers(operation) {
            operation_over_good(interview, operation);
        }
    }
    passing(interview);
    names_not_there(interview, &canary);
    unusual_names(interview);
    bad_files(interview, &canary, seed);
}

fn open() -> Step {
    Step::Open(Opening::default())
}

/// Several steps have several results, an unknown one between known ones included; unknown fields are ignored.
fn grammar(interview: &mut Interview<'_>, canary: &Vector) {
    let ask = Ask { id: "results", asked: "three steps, the second of them unknown, have three results in order" };
    let steps = vec![json!({"open": {}}), json!({"an-operation-that-does-not-exist": {}}), json!({"open": {}})];
    if let Some(results) = interview.ask(ask, &canary.bytes, Script::Raw(steps)) {
        let kinds: Vec<String> = results.iter().map(actual_text).collect();
        match results.as_slice() {
            [first, StepResult::Unsupported {}, third] if first.kind() == third.kind() => {
                interview.sheet.passed(ask.id, ask.asked, kinds.join(", "));
            }
            _ => interview.sheet.missing(ask.id, ask.asked, kinds.join(", "), advice::NONSENSE),
        }
    }
    let ask = Ask { id: "future-field", asked: "a field it does not know changes nothing" };
    let steps = vec![json!({"open": {}}), json!({"open": {"a-field-of-the-future": true}})];
    if let Some(results) = interview.ask(ask, &canary.bytes, Script::Raw(steps)) {
        let first = results.first().map(StepResult::kind).unwrap_or_default();
        interview.note_last(ask, &results, |result| result.kind() == first, advice::FUTURE);
    }
}

/// A step on a file that is not open does nothing.
fn not_open(interview: &mut Interview<'_>, canary: &Vector) {
    let ask = Ask { id: "not-open", asked: "a step on a file that is not open is answered `refused`" };
    let nameless = [Step::List(Operation {}), Step::Kv(Operation {}), Step::All(Operation {})];
    let step = nameless.into_iter().find(|step| interview.offers(step.operation()));
    let Some(step) = step.or_else(|| named_step(interview, &Text::from("a"))) else { return };
    if let Some(results) = interview.ask(ask, &canary.bytes, vec![step].into()) {
        interview.note_last(ask, &results, |result| matches!(result, StepResult::Refused { .. }), advice::NOT_OPEN);
    }
}

/// A file that is not there is no bad file.
fn no_file(interview: &mut Interview<'_>) {
    let is_right = |result: &StepResult| matches!(result, StepResult::Io { .. } | StepResult::Error { .. });
    let ask = Ask { id: "no-file/path", asked: "a file that is not there is answered `io` or `error`" };
    if interview.takes(SourceKind::Path) {
        let path = interview.files.missing();
        if let Some((results, _)) = interview.ask_over(ask, JobSource::Path(&path, 0), vec![open()].into()) {
            interview.note_last(ask, &results, is_right, advice::NO_FILE);
        }
    }
    let ask = Ask { id: "no-file/served", asked: "a served file that cannot be read is answered `io` or `error`" };
    if interview.takes(SourceKind::Served)
        && let Some((results, _)) = interview.ask_over(ask, JobSource::Failing(4096), vec![open()].into())
    {
        interview.note_last(ask, &results, is_right, advice::NO_FILE);
    }
}

/// A good file that goes by once.
fn passing(interview: &mut Interview<'_>) {
    if !interview.offers(Op::Scan) || !interview.takes(SourceKind::Stream) {
        return;
    }
    let ask = Ask { id: "operation/scan", asked: "`scan` over a good file that goes by once" };
    let Some(vector) = good_stream(interview.set, &interview.hello).cloned() else { return };
    let steps = reader_script(&vector, &interview.hello);
    let source = FaultySource::new(&vector.bytes, &Schedule::default()).into_stream();
    let Some((results, _)) = interview.ask_over(ask, source, (&steps).into()) else { return };
    let verdict = judge_reader(&vector, &interview.hello, &steps, &results);
    note_verdict(interview, ask, Op::Scan, &verdict, &results);
}

/// One declared operation over a good file that shows it.
fn operation_over_good(interview: &mut Interview<'_>, operation: Op) {
    let id = format!("operation/{operation}");
    let asked = format!("`{operation}` over a good file");
    let ask = Ask { id: &id, asked: &asked };
    let vector = match operation {
        Op::Descriptor => bare_descriptor(interview.set),
        _ => good_file(interview.set, &interview.hello, |vector| shows_operation(vector, operation)),
    };
    let Some(vector) = vector else {
        let why = "no good file of the suite shows this with the types, layouts and schemes that it declares";
        interview.sheet.skipped(ask.id, ask.asked, why);
        return;
    };
    // Names that are not there have a step of their own.
    let vector = Vector { absent: Vec::new(), ..vector.clone() };
    let steps: Vec<Step> = if operation == Op::Validate {
        validate_script()
    } else {
        let script = reader_script(&vector, &interview.hello).into_iter();
        script.filter(|step| [Op::Open, operation].contains(&step.operation())).collect()
    };
    let Some(results) = interview.ask(ask, &vector.bytes, (&steps).into()) else { return };
    let verdict = match (operation, results.first()) {
        (Op::Validate, Some(result)) => judge_validate(&vector, &interview.hello, &steps[0], result),
        _ => judge_reader(&vector, &interview.hello, &steps, &results),
    };
    note_verdict(interview, ask, operation, &verdict, &results);
}

fn note_verdict(interview: &mut Interview<'_>, ask: Ask<'_>, operation: Op, verdict: &Verdict, results: &[StepResult]) {
    if verdict.fault.is_some() {
        let failed = results.iter().find(|result| !matches!(result, StepResult::Ok(_))).or(results.last());
        let next = failed.map_or(advice::ANSWER_COUNT, advice::after_good);
        interview.sheet.missing(ask.id, ask.asked, step_and_answer(verdict), next);
    } else if verdict.outcome == Outcome::Unsupported && [Op::Kv, Op::Describe, Op::Read].contains(&operation) {
        let came = "ok, but nothing of it is declared in \"observes\"";
        interview.sheet.note(ask.id, ask.asked, came, "declare what it shows: what is not observed is not compared");
    } else {
        interview.sheet.passed(ask.id, ask.asked, format!("ok, {} values as they are", verdict.compared_count));
    }
}

/// A step that takes a name, if one is offered.
fn named_step(interview: &Interview<'_>, name: &Text) -> Option<Step> {
    let name = || Name { name: name.clone() };
    match () {
        () if interview.offers(Op::Read) => Some(Step::Read(name())),
        () if interview.offers(Op::Describe) => Some(Step::Describe(name())),
        () => None,
    }
}

fn names_not_there(interview: &mut Interview<'_>, canary: &Vector) {
    let ask = Ask { id: "not-found", asked: "a name that is not in the file is answered `not_found`" };
    let Some(step) = named_step(interview, &Text::from(NOBODY)) else { return };
    if let Some(results) = interview.ask(ask, &canary.bytes, vec![open(), step].into()) {
        interview.note_last(ask, &results, |result| matches!(result, StepResult::NotFound {}), advice::NOT_FOUND);
    }
    let ask = Ask { id: "odd-name", asked: "a name that is no text is answered `not_found` or `refused`" };
    let Some(step) = named_step(interview, &Text::new([0xff, 0xfe])) else { return };
    if let Some(results) = interview.ask(ask, &canary.bytes, vec![open(), step].into()) {
        let is_right = |result: &StepResult| matches!(result, StepResult::NotFound {} | StepResult::Refused { .. });
        interview.note_last(ask, &results, is_right, advice::ODD_NAME);
    }
}

/// Names of unusual characters come through both ways. No more than a note: it may be the library that does not take them.
fn unusual_names(interview: &mut Interview<'_>) {
    let ask = Ask { id: "unusual-names", asked: "names of unusual characters are seen, and found again" };
    let found = good_file(interview.set, &interview.hello, |vector| vector.id == UNUSUAL);
    let Some(vector) = found.filter(|_| interview.sheet.has_passed("operation/list")).cloned() else { return };
    let steps: Vec<Step> = reader_script(&vector, &interview.hello);
    let Some(results) = interview.ask(ask, &vector.bytes, (&steps).into()) else { return };
    let verdict = judge_reader(&vector, &interview.hello, &steps, &results);
    match verdict.fault {
        None => interview.sheet.passed(ask.id, ask.asked, "they are"),
        Some(_) => interview.sheet.note(ask.id, ask.asked, step_and_answer(&verdict), advice::UNUSUAL_NAMES),
    }
}

/// Bad files are rejected, those nobody has seen before too; and a good one that nobody has seen is seen.
fn bad_files(interview: &mut Interview<'_>, canary: &Vector, seed: u64) {
    let mut random = Random(seed);
    for (id, (what, bytes)) in ["bad/first-magic", "bad/last-magic", "bad/half"].iter().zip(bad_canaries(canary)) {
        bad(interview, Ask { id, asked: what }, bytes);
    }
    let ask = Ask { id: "unseen", asked: "the bytes of a file that nobody has seen before are seen" };
    if let Some(unseen) = unseen_good(canary, &mut random).filter(|_| interview.offers(Op::Read)) {
        let steps: Vec<Step> = reader_script(&unseen, &interview.hello);
        if let Some(results) = interview.ask(ask, &unseen.bytes, (&steps).into()) {
            let verdict = judge_reader(&unseen, &interview.hello, &steps, &results);
            match verdict.fault {
                None => interview.sheet.passed(ask.id, ask.asked, "they are"),
                Some(_) => interview.sheet.missing(ask.id, ask.asked, step_and_answer(&verdict), advice::UNSEEN),
            }
        }
    }
    for (id, magic) in ["bad/random-first-magic", "bad/random-last-magic"].iter().zip(MAGICS) {
        let asked = format!("reject a file with a random {magic}");
        if let Some(bytes) = with_random(canary, magic, &mut random) {
            bad(interview, Ask { id, asked: &asked }, bytes);
        }
    }
}

fn bad(interview: &mut Interview<'_>, ask: Ask<'_>, bytes: Vec<u8>) {
    let bytes: Arc<[u8]> = bytes.into();
    if let Some(results) = interview.ask(ask, &bytes, vec![open()].into()) {
        let next = match results.last() {
            Some(StepResult::Ok(_)) => advice::ACCEPTED_BAD,
            Some(StepResult::Io { .. } | StepResult::Error { .. }) => {
                "the library's own verdict on the bytes is a `reject`: tell its exception from all others"
            }
            _ => "answer {\"reject\": {\"message\": …}}",
        };
        interview.note_last(ask, &results, |result| matches!(result, StepResult::Reject { .. }), next);
    }
}
