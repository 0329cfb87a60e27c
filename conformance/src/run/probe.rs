//! Looks whether an adapter can be judged at all, before anything is scored.
//!
//! A nonsense operation has to be `unsupported`, a file that is not there a failure of the transport or the adapter, a
//! good canary accepted and seen rightly, a few bad ones rejected. Beside the fixed canaries stand files nobody has
//! seen before, made from a seed. An adapter that fails is broken; nothing is said about the implementation behind it.

use hurray_adapter::{BufferObservation, Hello, Opening, Step, StepResult};
use serde_json::{Value, json};

use super::Files;
use super::replay::judge_on;
use crate::profile::Profile;
use crate::transport::{Broken, Job, JobSource, Transport};
use crate::vector::{Vector, VectorSet};
use crate::verdict::step_and_answer;

/// The good canary.
const CANARY: &str = "bases/one-f32";
/// The field of it that holds the tensor's bytes.
const PAYLOAD: &str = "a.data";
/// The field every file starts with, and the one it ends with.
const MAGICS: [&str; 2] = ["header.magic", "trailer.magic"];

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

struct Probe<'a> {
    files: &'a Files,
    transport: &'a mut dyn Transport,
    hello: Hello,
}

impl Probe<'_> {
    fn takes(&self, way: &str) -> bool {
        self.hello.source.iter().any(|source| source == way)
    }

    /// Runs steps over bytes, handed over as the candidate takes them.
    fn ask(&mut self, what: &str, bytes: &[u8], steps: Vec<Value>) -> Result<Vec<StepResult>, Broken> {
        let path = self.files.write(bytes).map_err(|error| broken("write its file", error.to_string()))?;
        let served = bytes.into();
        let source = match self.takes("served") && !self.takes("path") {
            true => JobSource::Served(&served),
            false => JobSource::Path(&path, bytes.len() as u64),
        };
        self.run(what, source, steps)
    }

    fn run(&mut self, what: &str, source: JobSource<'_>, steps: Vec<Value>) -> Result<Vec<StepResult>, Broken> {
        let ran = self.transport.run(&Job { source, steps });
        ran.end.map_err(|death| Broken { stderr: death.stderr, ..broken(what, death.cause.to_string()) })
    }

    fn nonsense(&mut self, canary: &Vector, operation: &str) -> Result<(), Broken> {
        let what = "answer `unsupported` to an operation that does not exist";
        let results = self.ask(what, &canary.bytes, vec![json!({ operation: {} })])?;
        expect(what, &results, |result| matches!(result, StepResult::Unsupported {}))
    }

    /// A file that is not there is no bad file.
    fn missing_file(&mut self) -> Result<(), Broken> {
        let what = "answer `io` or `error` where there is no file";
        let path = self.files.missing();
        let source = match self.takes("served") && !self.takes("path") {
            true => JobSource::Failing(4096),
            false => JobSource::Path(&path, 0),
        };
        let results = self.run(what, source, vec![open()])?;
        expect(what, &results, |result| matches!(result, StepResult::Io { .. } | StepResult::Error { .. }))
    }

    fn good(&mut self, what: &str, vector: &Vector) -> Result<(), Broken> {
        let path = self.files.write(&vector.bytes).map_err(|error| broken("write its file", error.to_string()))?;
        let source = match self.takes("served") && !self.takes("path") {
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
        let results = self.ask(what, bytes, vec![open()])?;
        expect(what, &results, |result| matches!(result, StepResult::Reject { .. }))
    }
}

fn open() -> Value {
    serde_json::to_value(Step::Open(Opening::default())).unwrap_or_default()
}

fn expect(what: &str, results: &[StepResult], is_right: impl Fn(&StepResult) -> bool) -> Result<(), Broken> {
    match results {
        [result] if is_right(result) => Ok(()),
        [result] => Err(broken(what, crate::verdict::actual_text(result))),
        _ => Err(broken(what, format!("{} results for one step", results.len()))),
    }
}

fn broken(probe: &str, answered: impl Into<String>) -> Broken {
    Broken { probe: probe.to_owned(), answered: answered.into(), stderr: String::new() }
}

fn bad_canaries(canary: &Vector) -> Vec<(&'static str, Vec<u8>)> {
    let without_magic = |label| with(canary, label, |byte| *byte = 0);
    let half = canary.bytes[..canary.bytes.len() / 2].to_vec();
    [
        ("reject a file without its first magic", without_magic(MAGICS[0])),
        ("reject a file without its last magic", without_magic(MAGICS[1])),
        ("reject half a file", Some(half)),
    ]
    .into_iter()
    .filter_map(|(what, bytes)| Some((what, bytes?)))
    .collect()
}

/// The canary with other bytes in a field.
fn with(canary: &Vector, label: &str, change: impl FnMut(&mut u8)) -> Option<Vec<u8>> {
    let (_, range) = canary.labels.iter().find(|(name, _)| name == label)?;
    let range = usize::try_from(range.start).ok()?..usize::try_from(range.end).ok()?;
    let mut bytes = canary.bytes.to_vec();
    bytes.get_mut(range)?.iter_mut().for_each(change);
    Some(bytes)
}

fn with_random(canary: &Vector, label: &str, random: &mut Random) -> Option<Vec<u8>> {
    // Setting the top bit makes it another word, whatever the random bits are.
    with(canary, label, |byte| *byte = random.next() as u8 | 0x80)
}

/// The good canary with random bytes in its tensor, and the expectation that follows.
fn unseen_good(canary: &Vector, random: &mut Random) -> Option<Vector> {
    let bytes = with(canary, PAYLOAD, |byte| *byte = random.next() as u8)?;
    let (_, range) = canary.labels.iter().find(|(name, _)| name == PAYLOAD)?;
    let payload = bytes.get(usize::try_from(range.start).ok()?..usize::try_from(range.end).ok()?)?;
    let mut unseen = canary.clone();
    let [tensor] = unseen.observe.tensors.as_mut_slice() else { return None };
    tensor.buffers = Some(vec![BufferObservation::of(payload)]);
    // What single elements are worth was typed for the bytes of the canary.
    unseen.meaning.clear();
    unseen.bytes = bytes.into();
    Some(unseen)
}

/// SplitMix64: small, seeded, good enough to be unforeseen.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

#[cfg(test)]
mod tests;
