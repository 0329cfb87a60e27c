//! The JSON Schema of the protocol against what is really said: the examples of its description, every kind of message of
//! the adapter crate, and the traffic of the harness with a candidate, both ways.

use std::cell::RefCell;
use std::fs;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use hurray_adapter::{
    Bare, BufferObservation, Element, Hello, Name, NewFile, Next, Observed, Opening, Operation, Reply, ScanObservation,
    ScannedTensor, SourceSpec, Step, StepResult, TensorObservation, Text, WorkerMessage, WriterState, Writes,
};
use hurray_conformance::candidates::{Prepared, Start};
use hurray_conformance::judge::known::KnownFailures;
use hurray_conformance::run::{Files, Selection, Silent, run_candidate};
use hurray_conformance::tool::adapter_check::verify;
use hurray_conformance::transport::worker::{Launch, Limits, Worker};
use hurray_conformance::transport::{Host, HostRead, HostWrite, Job, JobSource, MemorySink, Transport};
use hurray_corpus::VectorSet;
use jsonschema::Validator;
use serde::Serialize;
use serde_json::{Value, json};

mod common;

/// The schema of lines of one side: `worker` or `suite`.
fn schema(side: &str) -> Validator {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("kit/protocol.schema.json");
    let text = fs::read_to_string(path).expect("the schema");
    let mut schema: Value = serde_json::from_str(&text).expect("JSON");
    let whole = schema.as_object_mut().expect("an object");
    whole.insert("oneOf".to_owned(), json!([{ "$ref": format!("#/$defs/{side}") }]));
    jsonschema::validator_for(&schema).expect("a schema")
}

fn check(schema: &Validator, line: &Value) {
    if let Err(error) = schema.validate(line) {
        panic!("{error}\nat {}\nof {line}", error.instance_path());
    }
}

fn value(message: &impl Serialize) -> Value {
    serde_json::to_value(message).expect("a message")
}

#[test]
fn the_examples_of_the_description_are_of_it() {
    let (worker, suite) = (schema("worker"), schema("suite"));
    let text = include_str!("../PROTOCOL.md");
    let lines = text.split("```").skip(1).step_by(2).flat_map(str::lines).filter(|line| line.starts_with('{'));
    let mut count = 0;
    // An ellipsis stands for bytes that would be no help.
    for line in lines.filter(|line| !line.contains('…')) {
        let line: Value = serde_json::from_str(line).expect("JSON");
        assert!(worker.is_valid(&line) != suite.is_valid(&line), "{line} is of one side");
        count += 1;
    }
    assert!(count >= 5, "{count} examples");
}

/// Every word of the description's tables is a word of the schema.
#[test]
fn the_words_of_the_description_are_in_it() {
    let schema = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("kit/protocol.schema.json"));
    let schema = schema.expect("the schema");
    let hello = include_str!("../PROTOCOL.md").split("## Hello").nth(1).and_then(|text| text.split("##").next());
    let rows = hello.expect("the section").lines().filter(|line| line.starts_with("| `"));
    let words = rows.flat_map(|row| row.split('`').skip(1).step_by(2));
    for word in words.filter(|word| word.chars().all(|c| c.is_ascii_lowercase() || c == '_')) {
        assert!(schema.contains(&format!("\"{word}\"")), "{word}");
    }
}

fn every_step() -> Vec<Step> {
    let named = || Name { name: "a".into() };
    let element = || Element { name: Text::new([0xff]), index: vec![3.into()] };
    let nothing = Operation {};
    vec![
        Step::Open(Opening { permissive: true }),
        Step::Descriptor(Bare { bytes: "00ff".to_owned() }),
        Step::List(nothing.clone()),
        Step::Kv(nothing.clone()),
        Step::Describe(named()),
        Step::Read(named()),
        Step::Composite(named()),
        Step::Locate(element()),
        Step::Decode(element()),
        Step::All(nothing.clone()),
        Step::Validate(nothing.clone()),
        Step::Scan(nothing.clone()),
        Step::Header(nothing),
        Step::Write(NewFile::default()),
    ]
}

#[test]
fn every_message_of_the_adapter_crate_is_of_it() {
    let (worker, suite) = (schema("worker"), schema("suite"));
    check(&suite, &json!({"id": 1, "source": {"path": "x"}, "steps": value(&every_step())}));
    let stream = value(&SourceSpec::Stream {});
    check(&suite, &json!({"id": 1, "source": stream, "steps": [{"scan": {}}]}));
    check(&worker, &value(&WorkerMessage::Next { id: 1, next: Next { len: 1 } }));
    let (message, state) = (String::new(), Some(WriterState::Usable));
    let tensor = ScannedTensor {
        descriptor_offset: 64.into(),
        name: Some("a".into()),
        tensor: TensorObservation::default(),
        buffers: Some(vec![BufferObservation::of(b"")]),
    };
    let scan = Some(ScanObservation { tensors: vec![tensor], kv: Some(Vec::new()) });
    let results = vec![
        StepResult::Ok(Observed::default()),
        StepResult::Ok(Observed { scan, ..Observed::default() }),
        StepResult::Reject { rule: Some("a.b.c".to_owned()), offset: Some(7.into()), message: message.clone() },
        StepResult::NotFound {},
        StepResult::Refused { message: message.clone(), state },
        StepResult::Limit { message: message.clone(), state: None },
        StepResult::Io { kind: "other".to_owned(), state },
        StepResult::Unsupported {},
        StepResult::Error { message, state },
    ];
    check(&worker, &json!({"id": 1, "results": value(&results)}));
    let hello: Hello = serde_json::from_value(json!({"protocol": [1, 1], "name": "x", "version": "1"})).expect("one");
    check(&worker, &json!({"hello": value(&Hello { writes: Some(Writes::default()), ..hello })}));
    for reply in [
        Reply::Bytes { id: 1, bytes: "AAAA".to_owned() },
        Reply::Taken { id: 1, taken: 0 },
        Reply::Error { id: 1, error: "interrupted".to_owned() },
        Reply::End { id: 1, end: true },
    ] {
        check(&suite, &value(&reply));
    }
}

#[test]
fn what_is_misspelt_is_not_of_it() {
    let (worker, suite) = (schema("worker"), schema("suite"));
    for line in [
        json!({"id": 1, "result": []}),
        json!({"id": 1, "results": [{"ok": {"shape": ["1"]}}]}),
        json!({"id": 1, "results": [{"ok": {"tensor": {"shape": [1]}}}]}),
        json!({"id": 1, "results": [{"rejected": {}}]}),
        json!({"id": "1", "results": []}),
        json!({"id": 1, "need": {"offset": 0, "len": 1}}),
        json!({"id": 1, "next": {"len": 0}}),
        json!({"id": 1, "next": {"len": 1_048_577}}),
        json!({"id": 1, "results": [{"ok": {"scan": {"tensors": [{"offset": "64"}]}}}]}),
        json!({"hello": {"protocol": [1], "name": "x", "version": "1"}}),
        json!({"hello": {"protocol": [1, 1], "name": "x", "version": "1", "observes": ["tensor"]}}),
    ] {
        assert!(!worker.is_valid(&line), "{line}");
    }
    for line in [
        json!({"id": 1, "steps": []}),
        json!({"id": 1, "source": {"path": "a"}, "sink": {"path": "b"}, "steps": []}),
        json!({"id": 1, "source": {"path": "a"}, "steps": [{"read": {}}]}),
        json!({"id": 1, "end": false}),
        json!({"id": 1, "bytes": ""}),
    ] {
        assert!(!suite.is_valid(&line), "{line}");
    }
}

/// A command that keeps what goes into a candidate of the zoo and what comes out of it.
fn listened_to(dir: &Path) -> Launch {
    let zoo = common::build_zoo().expect("the zoo");
    let script = format!("tee -a heard | {} honest | tee -a said", zoo.display());
    let command = ["sh", "-c", script.as_str()].map(str::to_owned).to_vec();
    Launch { command, env: Vec::new(), cwd: Some(dir.to_path_buf()), limits: Limits::default() }
}

fn check_lines(path: &Path, side: &str) -> usize {
    let schema = schema(side);
    let text = fs::read_to_string(path).expect("what was said");
    // One request has a field of the future on purpose, to see that it is ignored.
    let lines = text.lines().filter(|line| !line.contains("a-field-of-the-future"));
    let lines = lines.map(|line| serde_json::from_str(line).expect("JSON"));
    lines.map(|line| check(&schema, &line)).count()
}

#[test]
fn the_traffic_of_the_harness_is_of_it() {
    let dir = tempfile::tempdir().expect("a folder");
    let set = VectorSet::embedded().expect("the vectors");
    let files = Files::new(&set).expect("room for files");
    let launch = Arc::new(listened_to(dir.path()));
    let (name, known) = ("zoo".to_owned(), KnownFailures::default());
    let start = Start::Worker(Arc::clone(&launch));
    let candidate = Prepared { name, start, source: None, known, known_path: None };
    let glob = "{bases/*,kv/section/*,meaning/*,composite/*}";
    let filter = Some(globset::Glob::new(glob).expect("a glob").compile_matcher());
    let selection = Selection { filter, ..Selection::everything(1) };
    let run = run_candidate(&set, &files, &candidate, &selection, &Silent);
    assert!(run.broken.is_none() && run.results.len() > 300, "{} results, {:?}", run.results.len(), run.broken);
    assert!(verify(&set, &files, &candidate, 1).is_complete());
    served_answers(&launch);
    let (heard, said) =
        (check_lines(&dir.path().join("heard"), "suite"), check_lines(&dir.path().join("said"), "worker"));
    assert!(heard > 300 && said > 300, "{heard} and {said} lines");
}

/// Every answer of a host, and a sink.
fn served_answers(launch: &Arc<Launch>) {
    struct Odd(Vec<HostRead>);
    impl Host for Odd {
        fn size(&self) -> Option<u64> {
            Some(4096)
        }
        fn read(&mut self, _offset: u64, _len: u64) -> HostRead {
            self.0.pop().unwrap_or(HostRead::End)
        }
        fn write(&mut self, _bytes: &[u8]) -> HostWrite {
            HostWrite::Taken(0)
        }
    }
    let mut worker = Worker::start(Arc::clone(launch)).expect("a hello");
    for answer in [HostRead::End, HostRead::Error("timed_out"), HostRead::Error("other"), HostRead::Bytes(vec![1])] {
        let source = JobSource::Hosted(Rc::new(RefCell::new(Odd(vec![answer]))));
        let ran = worker.run(&Job { source, steps: vec![Step::Open(Opening::default())].into() });
        assert!(ran.end.is_ok(), "{ran:?}");
    }
    let sink = JobSource::Hosted(Rc::new(RefCell::new(MemorySink::default())));
    let write = Step::Write(NewFile::default());
    assert!(worker.run(&Job { source: sink, steps: vec![write].into() }).end.is_ok());
}
