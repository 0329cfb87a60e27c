//! The first line and the first answer of an adapter, looked at as they come. Owns what can be wrong with a line before it
//! can be trusted to be one of the protocol.

use std::time::Duration;

use hurray_adapter::{Hello, PROTOCOL, SourceKind, StepResult, WorkerMessage};
use serde_json::{Value, json};

use super::advice;
use super::sheet::Sheet;
use crate::judge::actual_text;
use crate::run::Files;
use crate::run::probe::canary::CANARY;
use crate::support::text::printable;
use crate::transport::worker::{Launch, RawWorker};
use crate::transport::{Cause, Job, JobSource, Script};
use hurray_corpus::VectorSet;

/// Id of the one request sent here; unlike any position or count, so that a guess is seen.
const ID: u64 = 4711;
/// Time in which a line that nobody asked for is waited for.
const MOMENT: Duration = Duration::from_millis(100);
/// Characters of a line that are shown.
const SHOWN: usize = 120;

/// Starts it and hears its first line: the introduction, if it is one.
pub(super) fn introduce(sheet: &mut Sheet, launch: &Launch) -> Option<Hello> {
    let asked = "it starts and says its first line";
    let worker = match RawWorker::start(launch) {
        Ok(worker) => worker,
        Err(why) => {
            sheet.missing("start", asked, why, advice::START);
            return None;
        }
    };
    let line = match worker.first_line() {
        Ok(line) => line,
        Err(cause) => {
            sheet.last_words = worker.kill();
            let (came, next) = match cause {
                Cause::Junk(_) => (cause.to_string(), advice::CLEAN),
                Cause::Exit(code) => (format!("it ended with exit code {code} before a whole line"), advice::ENDED),
                Cause::Signal(signal) => (format!("signal {signal} ended it before a whole line"), advice::ENDED),
                _ => (cause.to_string(), advice::FIRST_LINE),
            };
            sheet.missing("start", asked, came, next);
            return None;
        }
    };
    sheet.passed("start", asked, "a line");
    let hello = hello_of(sheet, &line);
    if hello.is_some()
        && let Some(more) = worker.unasked_line(MOMENT)
    {
        sheet.missing("quiet", "after its first line it waits to be asked", text(&more), advice::CLEAN);
        return None;
    }
    if hello.is_none() {
        sheet.last_words = worker.kill();
    }
    hello
}

fn hello_of(sheet: &mut Sheet, line: &[u8]) -> Option<Hello> {
    let asked = "its first line is {\"hello\": …}";
    let Ok(value) = serde_json::from_slice::<Value>(line) else {
        sheet.missing("hello", asked, format!("no JSON: {}", text(line)), advice::CLEAN);
        return None;
    };
    let Some(said) = value.get("hello") else {
        sheet.missing("hello", asked, format!("without \"hello\": {}", text(line)), advice::FIRST_LINE);
        return None;
    };
    sheet.passed("hello", asked, "it is");
    let asked = "the fields of its hello have the forms of the protocol";
    match serde_json::from_value::<Hello>(said.clone()) {
        Ok(hello) => {
            unknown_fields(sheet, asked, said);
            let [low, high] = hello.protocol;
            let asked = "it speaks version 1 of the protocol";
            if low <= PROTOCOL[1] && high >= PROTOCOL[0] {
                sheet.passed("protocol", asked, "it does");
                return Some(hello);
            }
            sheet.missing("protocol", asked, format!("versions {low} to {high}"), advice::PROTOCOL);
        }
        Err(error) => {
            let next = "\"protocol\" is two numbers, \"name\" and \"version\" are text, the rest are lists of names and \
                        true or false";
            sheet.missing("hello-fields", asked, error.to_string(), next);
        }
    }
    None
}

/// Fields that mean nothing are ignored, and may be misspelt.
fn unknown_fields(sheet: &mut Sheet, asked: &str, said: &Value) {
    let known = [
        "protocol",
        "name",
        "version",
        "operations",
        "types",
        "layouts",
        "quantization",
        "source",
        "sink",
        "writes",
        "io_contract",
        "permissive",
        "observes",
    ];
    let fields = said.as_object().into_iter().flatten().map(|(name, _)| name.as_str());
    let unknown: Vec<String> = fields.filter(|name| !known.contains(name)).map(|name| printable(name, 60)).collect();
    if unknown.is_empty() {
        sheet.passed("hello-fields", asked, "they have");
    } else {
        let came = format!("fields that are not of the protocol: {}", unknown.join(", "));
        sheet.note("hello-fields", asked, came, "they are ignored; is one of them misspelt?");
    }
}

/// Asks for what does not exist; whether the answer is one, so that more can be asked.
pub(super) fn answer(sheet: &mut Sheet, set: &VectorSet, files: &Files, launch: &Launch, hello: &Hello) -> bool {
    let asked = "it answers a request with one line";
    let Some(canary) = set.get(CANARY) else { return true };
    let (Ok(worker), Ok(path)) = (RawWorker::start(launch), files.write(&canary.bytes)) else { return true };
    if worker.first_line().is_err() {
        sheet.missing("start", "it starts a second time", "no first line", advice::SECOND_START);
        return false;
    }
    let takes_paths = hello.reads_from(SourceKind::Path);
    let source = match takes_paths {
        true => JobSource::Path(&path, canary.bytes.len() as u64),
        false => JobSource::Served(&canary.bytes),
    };
    let nonsense = json!({ "an-operation-that-does-not-exist": {} });
    match worker.ask(ID, &Job { source, steps: Script::Raw(vec![nonsense]) }) {
        Err(cause) => {
            sheet.last_words = worker.kill();
            sheet.missing("answer", asked, cause.to_string(), advice::after_death(&cause));
            false
        }
        Ok(line) => is_answer(sheet, &line) && is_alone(sheet, &worker),
    }
}

fn is_alone(sheet: &mut Sheet, worker: &RawWorker) -> bool {
    let Some(more) = worker.unasked_line(MOMENT) else { return true };
    sheet.missing("quiet", "after its answer it waits to be asked", text(&more), advice::CLEAN);
    false
}

fn is_answer(sheet: &mut Sheet, line: &[u8]) -> bool {
    let asked = "it answers a request with one line";
    let Ok(value) = serde_json::from_slice::<Value>(line) else {
        sheet.missing("answer", asked, format!("no JSON: {}", text(line)), advice::CLEAN);
        return false;
    };
    let Some(results) = value.get("results").and_then(Value::as_array) else {
        sheet.missing("answer", asked, format!("without \"results\": {}", text(line)), advice::ANSWER_SHAPE);
        return false;
    };
    sheet.passed("answer", asked, "it does");
    let asked = "its answer has the id of the request";
    match value.get("id") {
        Some(id) if *id == json!(ID) => sheet.passed("answer-id", asked, "it has"),
        other => {
            let came = other.map_or_else(|| "no id".to_owned(), |other| format!("{other} in place of {ID}"));
            sheet.missing("answer-id", asked, came, advice::ANSWER_ID);
            return false;
        }
    }
    let asked = "its answer has one result for each step";
    if results.len() != 1 {
        let came = format!("{} results for one step", results.len());
        sheet.missing("answer-count", asked, came, advice::ANSWER_COUNT);
        return false;
    }
    sheet.passed("answer-count", asked, "it has");
    is_unsupported(sheet, line)
}

fn is_unsupported(sheet: &mut Sheet, line: &[u8]) -> bool {
    let asked = "an operation that does not exist is answered `unsupported`";
    match serde_json::from_slice(line) {
        Ok(WorkerMessage::Answer { results, .. }) => match results.as_slice() {
            [StepResult::Unsupported {}] => sheet.passed("nonsense", asked, "it is"),
            other => {
                let came = other.first().map(actual_text).unwrap_or_default();
                sheet.missing("nonsense", asked, came, advice::NONSENSE);
            }
        },
        _ => {
            sheet.missing("answer-result", "its result is one of the protocol", text(line), advice::ANSWER_SHAPE);
            return false;
        }
    }
    true
}

fn text(line: &[u8]) -> String {
    printable(&String::from_utf8_lossy(&line[..line.len().min(4 * SHOWN)]), SHOWN)
}
