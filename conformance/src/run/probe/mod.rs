//! Looks whether an adapter can be judged at all, before anything is scored.
//!
//! A nonsense operation has to be `unsupported`, a file that is not there a failure of the transport or the adapter, a
//! good canary accepted and seen rightly, a few bad ones rejected. Beside the fixed canaries stand files nobody has
//! seen before, made from a seed. An adapter that fails is broken; nothing is said about the implementation behind it.
//!
//! Owns the questions. It must not score anything.

use hurray_adapter::{
    Fields, HandleObservation, Hello, NewFile, NewItem, NewTensor, Opening, Payload, SourceKind, Step, StepResult,
    TensorObservation, U64,
};
use hurray_spec::Rule;
use serde_json::json;

use super::read::judge_on;
use super::{Files, write_on};
use crate::judge::profile::Profile;
use crate::judge::{Fault, step_and_answer};
use crate::transport::{Broken, Job, JobSource, Script, Transport};
use hurray_corpus::write_vector::{WriteExpect, WriteVector};
use hurray_corpus::{Class, Vector, VectorSet};

pub(crate) mod canary;

use canary::{CANARY, MAGICS, Random, bad_canaries, unseen_good, with_random};

/// Probes a candidate.
///
/// # Errors
/// The first probe it fails, with what it answered.
pub fn probe(set: &VectorSet, files: &Files, transport: &mut dyn Transport, seed: u64) -> Result<(), Broken> {
    let hello = transport.hello().clone();
    let mut random = Random(seed);
    let Some(canary) = set.get(CANARY) else {
        return Err(broken("find the good canary", format!("the suite has no vector {CANARY}")));
    };
    let mut probe = Probe { files, transport, hello };
    let nonsense = format!("nonsense-{:08x}", random.next());
    probe.nonsense(canary, &nonsense)?;
    probe.missing_file()?;
    probe.good("accept a good file and see what is in it", canary)?;
    for (what, bytes) in bad_canaries(canary) {
        probe.bad(what, &bytes)?;
    }
    if let Some(unseen) = unseen_good(canary, &mut random) {
        probe.good(&format!("see the bytes of a file nobody has seen before (seed {seed})"), &unseen)?;
    }
    for magic in MAGICS {
        if let Some(bytes) = with_random(canary, magic, &mut random) {
            probe.bad(&format!("reject a file with a random {magic} (seed {seed})"), &bytes)?;
        }
    }
    Ok(())
}

/// Probes a candidate that writes: one small file with bytes that nobody has seen before has to be there and hold them.
/// Whether it keeps every rule is not the probe's question.
///
/// # Errors
/// The writer refuses it, writes nothing, or writes something else.
pub fn probe_writer(files: &Files, transport: &mut dyn Transport, seed: u64) -> Result<(), Broken> {
    let hello = transport.hello().clone();
    let wrote = write_on(transport, &written_canary(&mut Random(seed)), &hello, files);
    match wrote.verdict.fault {
        None | Some(Fault::Invalid) => Ok(()),
        Some(_) => {
            let what = format!("write a small file that holds what was asked for (seed {seed})");
            Err(broken(&what, step_and_answer(&wrote.verdict)))
        }
    }
}

/// A file of one tensor that every writer can write.
fn written_canary(random: &mut Random) -> WriteVector {
    let len = U64(24);
    let handle = HandleObservation {
        byte_size: Some(len),
        alignment: Some(64),
        device_tag: Some(0),
        sync_mode: Some(0),
        memory_class: Some(0),
    };
    let descriptor = TensorObservation {
        version: Some([1, 0]),
        element_type: Some("float32".to_owned()),
        layout: Some("row_major".to_owned()),
        shape: Some(vec![U64(2), U64(3)]),
        byte_offset: Some(U64(0)),
        handles: Some(vec![handle]),
        layout_fields: Some(Fields::new()),
        ..TensorObservation::default()
    };
    let buffers = vec![Payload::Pattern { seed: random.next() as u32, len }];
    let item = NewItem::Tensor(NewTensor { name: "a".into(), descriptor, buffers });
    WriteVector {
        id: "probe".to_owned(),
        class: Class::Explicit,
        expect: WriteExpect::Accept,
        rules: vec![Rule::ComplianceTestRoundtripIdentical],
        needs: Vec::new(),
        tags: Vec::new(),
        file: NewFile { items: vec![item], ..NewFile::default() },
        refusals: Vec::new(),
        why: String::new(),
        spec_silent: None,
        source: String::new(),
    }
}

struct Probe<'a> {
    files: &'a Files,
    transport: &'a mut dyn Transport,
    hello: Hello,
}

impl Probe<'_> {
    /// Whether its files have to be served.
    fn is_served(&self) -> bool {
        self.hello.reads_from(SourceKind::Served) && !self.hello.reads_from(SourceKind::Path)
    }

    /// Runs steps over bytes, handed over as the candidate takes them.
    fn ask(&mut self, what: &str, bytes: &[u8], steps: Script<'_>) -> Result<Vec<StepResult>, Broken> {
        let path = self.files.write(bytes).map_err(|error| broken("write its file", error.to_string()))?;
        let served = bytes.into();
        let source = match self.is_served() {
            true => JobSource::Served(&served),
            false => JobSource::Path(&path, bytes.len() as u64),
        };
        self.run(what, source, steps)
    }

    fn run(&mut self, what: &str, source: JobSource<'_>, steps: Script<'_>) -> Result<Vec<StepResult>, Broken> {
        let ran = self.transport.run(&Job { source, steps });
        ran.end.map_err(|death| Broken { stderr: death.stderr, ..broken(what, death.cause.to_string()) })
    }

    fn nonsense(&mut self, canary: &Vector, operation: &str) -> Result<(), Broken> {
        let what = "answer `unsupported` to an operation that does not exist";
        let results = self.ask(what, &canary.bytes, Script::Raw(vec![json!({ operation: {} })]))?;
        expect(what, &results, |result| matches!(result, StepResult::Unsupported {}))
    }

    /// A file that is not there is no bad file.
    fn missing_file(&mut self) -> Result<(), Broken> {
        let what = "answer `io` or `error` where there is no file";
        let path = self.files.missing();
        let source = match self.is_served() {
            true => JobSource::Failing(4096),
            false => JobSource::Path(&path, 0),
        };
        let results = self.run(what, source, vec![open()].into())?;
        expect(what, &results, |result| matches!(result, StepResult::Io { .. } | StepResult::Error { .. }))
    }

    fn good(&mut self, what: &str, vector: &Vector) -> Result<(), Broken> {
        let path = self.files.write(&vector.bytes).map_err(|error| broken("write its file", error.to_string()))?;
        let source = match self.is_served() {
            true => JobSource::Served(&vector.bytes),
            false => JobSource::Path(&path, vector.bytes.len() as u64),
        };
        let hello = self.hello.clone();
        let verdict = judge_on(self.transport, vector, &hello, source, Profile::Reader);
        match verdict.fault {
            None => Ok(()),
            Some(_) => Err(broken(what, step_and_answer(&verdict))),
        }
    }

    fn bad(&mut self, what: &str, bytes: &[u8]) -> Result<(), Broken> {
        let results = self.ask(what, bytes, vec![open()].into())?;
        expect(what, &results, |result| matches!(result, StepResult::Reject { .. }))
    }
}

fn open() -> Step {
    Step::Open(Opening::default())
}

fn expect(what: &str, results: &[StepResult], is_right: impl Fn(&StepResult) -> bool) -> Result<(), Broken> {
    match results {
        [result] if is_right(result) => Ok(()),
        [result] => Err(broken(what, crate::judge::actual_text(result))),
        _ => Err(broken(what, format!("{} results for one step", results.len()))),
    }
}

fn broken(probe: &str, answered: impl Into<String>) -> Broken {
    Broken { probe: probe.to_owned(), answered: answered.into(), stderr: String::new() }
}

#[cfg(test)]
mod tests;
