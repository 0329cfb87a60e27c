//! Whether an adapter that writes brings the bytes to the sink. Owns the one small file that is asked for; whether it is a
//! right one is for the score.

use std::cell::RefCell;
use std::fs;
use std::rc::Rc;

use hurray_adapter::{
    Entries, HandleObservation, NewFile, NewItem, NewTensor, Op, Operation, Payload, SinkKind, Step, StepResult,
    TensorObservation, Text, U64, WriteOptions,
};
use hurray_spec::tables::{FILE_MAGIC, TRAILER_MAGIC};
use strum::VariantArray;

use super::advice;
use super::declared::is_writer;
use super::interview::{Ask, Interview};
use crate::judge::actual_text;
use crate::transport::{Host, HostRead, HostWrite, JobSource, MemorySink};

/// The bytes of the tensor: unlike anything else in a file.
const PAYLOAD: [u8; 16] = *b"canary of sixty4";

pub(super) fn check(interview: &mut Interview<'_>) {
    if !is_writer(&interview.hello) {
        return;
    }
    let writes = interview.hello.writes.clone().unwrap_or_default();
    let has = |list: &[String], name: &str| list.iter().any(|declared| declared == name);
    if !has(&writes.types, "uint8") || !has(&writes.layouts, "row_major") {
        let asked = "a small file is written";
        interview.sheet.skipped("write", asked, "it does not declare to write uint8 in row_major");
        return;
    }
    for (id, steps) in scripts(interview) {
        for way in SinkKind::VARIANTS.iter().copied() {
            if interview.hello.writes_to(way) {
                written(interview, &format!("{id}/{way}"), way, &steps);
            }
        }
    }
    if interview.hello.writes_to(SinkKind::Served) {
        closed(interview);
    }
}

/// The file in one step, and item by item, as far as each is offered.
fn scripts(interview: &Interview<'_>) -> Vec<(&'static str, Vec<Step>)> {
    let mut scripts = Vec::new();
    if interview.offers(Op::Write) {
        scripts.push(("write", vec![Step::Write(file())]));
    }
    if interview.hello.is_item_writer() {
        let header = interview.offers(Op::Header).then_some(Step::Header(Operation {}));
        let mut steps = vec![Step::Create(WriteOptions::default())];
        steps.extend(header);
        steps.extend(file().items.into_iter().map(Step::Put));
        steps.push(Step::Finish(Entries::default()));
        scripts.push(("write-items", steps));
    }
    scripts
}

/// One tensor of 16 bytes.
fn file() -> NewFile {
    let handle = HandleObservation {
        byte_size: Some(U64(PAYLOAD.len() as u64)),
        alignment: Some(64),
        device_tag: Some(0),
        sync_mode: Some(0),
        memory_class: Some(0),
    };
    let descriptor = TensorObservation {
        version: Some([1, 0]),
        element_type: Some("uint8".to_owned()),
        layout: Some("row_major".to_owned()),
        shape: Some(vec![U64(PAYLOAD.len() as u64)]),
        byte_offset: Some(U64(0)),
        handles: Some(vec![handle]),
        ..TensorObservation::default()
    };
    let buffers = vec![Payload::Hex(hex::encode(PAYLOAD))];
    let tensor = NewTensor { name: Text::from("a"), descriptor, buffers };
    NewFile { items: vec![NewItem::Tensor(tensor)], ..NewFile::default() }
}

fn written(interview: &mut Interview<'_>, id: &str, way: SinkKind, steps: &[Step]) {
    let asked = format!("a small file is written to a {way} sink");
    let ask = Ask { id, asked: &asked };
    let memory = Rc::new(RefCell::new(MemorySink::default()));
    let path = interview.files.missing().with_file_name(format!("{}.hrry", id.replace('/', "-")));
    let sink = match way {
        SinkKind::Path => JobSource::SinkPath(&path),
        SinkKind::Served => JobSource::Hosted(Rc::clone(&memory) as Rc<RefCell<dyn Host>>),
    };
    let Some((results, _)) = interview.ask_over(ask, sink, steps.into()) else { return };
    if let Some(failed) = results.iter().find(|result| !matches!(result, StepResult::Ok(_))) {
        interview.sheet.missing(ask.id, ask.asked, actual_text(failed), advice::after_good(failed));
        return;
    }
    let bytes = match way {
        SinkKind::Path => fs::read(&path).unwrap_or_default(),
        SinkKind::Served => memory.borrow().bytes.clone(),
    };
    let has_payload = bytes.windows(PAYLOAD.len()).any(|window| window == PAYLOAD);
    if bytes.starts_with(&FILE_MAGIC) && bytes.ends_with(&TRAILER_MAGIC) && has_payload {
        interview.sheet.passed(ask.id, ask.asked, format!("{} bytes", bytes.len()));
    } else {
        let came = format!("ok, but the sink got {} bytes that are no whole file with the tensor", bytes.len());
        interview.sheet.missing(ask.id, ask.asked, came, advice::WRITTEN);
    }
}

/// A sink that takes nothing ends the writing.
fn closed(interview: &mut Interview<'_>) {
    let ask = Ask { id: "write/closed", asked: "a sink that is closed is answered `io`" };
    let Some((_, steps)) = scripts(interview).into_iter().next() else { return };
    let sink = JobSource::Hosted(Rc::new(RefCell::new(Closed)));
    let Some((results, _)) = interview.ask_over(ask, sink, (&steps).into()) else { return };
    let failed = results.iter().find(|result| !matches!(result, StepResult::Ok(_)));
    match failed {
        Some(StepResult::Io { .. } | StepResult::Error { .. }) => {
            interview.sheet.passed(ask.id, ask.asked, failed.map(actual_text).unwrap_or_default());
        }
        Some(other) => interview.sheet.note(ask.id, ask.asked, actual_text(other), advice::CLOSED),
        None => interview.sheet.missing(ask.id, ask.asked, "ok", advice::CLOSED),
    }
}

struct Closed;

impl Host for Closed {
    fn size(&self) -> Option<u64> {
        None
    }

    fn read(&mut self, _offset: u64, _len: u64) -> HostRead {
        HostRead::End
    }

    fn write(&mut self, _bytes: &[u8]) -> HostWrite {
        HostWrite::Taken(0)
    }
}
