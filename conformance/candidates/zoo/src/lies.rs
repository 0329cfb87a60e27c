//! Deeds of a speaker: well-formed answers that are not true.
//!
//! A lie sees the true results and says others. It knows nothing of the file beyond them.

use hurray_adapter::{Hello, I64, KvValue, Observed, StepResult, U64};

/// What was truly seen so far, to lie with.
#[derive(Default)]
pub(crate) struct Memory {
    seen: Observed,
}

impl Memory {
    /// Remembers the parts of true observations.
    pub(crate) fn note(&mut self, results: &[StepResult]) {
        for result in results {
            let StepResult::Ok(seen) = result else { continue };
            let seen = seen.clone();
            self.seen.container = seen.container.or(self.seen.container.take());
            self.seen.names = seen.names.or(self.seen.names.take());
            self.seen.kv = seen.kv.or(self.seen.kv.take());
            self.seen.tensor = seen.tensor.or(self.seen.tensor.take());
            self.seen.buffers = seen.buffers.or(self.seen.buffers.take());
        }
        self.seen.findings = Some(Vec::new());
    }
}

/// Declares nothing at all, but answers.
pub(crate) fn declare_nothing(hello: &mut Hello) {
    hello.operations.clear();
    hello.types.clear();
    hello.layouts.clear();
    hello.quantization.clear();
    hello.observes.clear();
    hello.io_contract = false;
}

/// Declares to observe nothing.
pub(crate) fn observe_nothing(hello: &mut Hello) {
    hello.observes.clear();
}

/// Speaks only a protocol of the future.
pub(crate) fn future_protocol(hello: &mut Hello) {
    hello.protocol = [1000, 1001];
}

/// Whatever went wrong, went well: with what was seen in an earlier file.
pub(crate) fn accept(memory: &mut Memory, results: Vec<StepResult>) -> Vec<StepResult> {
    memory.note(&results);
    let accept = |result| match result {
        StepResult::Ok(_) => result,
        _ => StepResult::Ok(memory.seen.clone()),
    };
    results.into_iter().map(accept).collect()
}

/// A bad file is a good one, and was opened after all; what is no verdict on a file stays as it is.
pub(crate) fn accept_bad_files(memory: &mut Memory, results: Vec<StepResult>) -> Vec<StepResult> {
    memory.note(&results);
    let accept = |result| match result {
        StepResult::Reject { .. } | StepResult::Refused { .. } => StepResult::Ok(memory.seen.clone()),
        other => other,
    };
    results.into_iter().map(accept).collect()
}

/// A transport that failed has not: with what was seen in an earlier file.
pub(crate) fn hide_failures(memory: &mut Memory, results: Vec<StepResult>) -> Vec<StepResult> {
    memory.note(&results);
    let hide = |result| match result {
        StepResult::Io { .. } => StepResult::Ok(memory.seen.clone()),
        other => other,
    };
    results.into_iter().map(hide).collect()
}

/// Whatever happened, the file is bad.
pub(crate) fn reject(_memory: &mut Memory, results: Vec<StepResult>) -> Vec<StepResult> {
    results.iter().map(|_| rejection("not a file of this format")).collect()
}

/// A good file is a bad one; what is no verdict on a file stays as it is.
pub(crate) fn reject_good_files(_memory: &mut Memory, results: Vec<StepResult>) -> Vec<StepResult> {
    let reject = |result| match result {
        StepResult::Ok(_) => rejection("not a file of this format"),
        other => other,
    };
    results.into_iter().map(reject).collect()
}

/// Every failure is called a bad file: a missing file, a missing name, a lost transport.
pub(crate) fn failures_are_rejections(_memory: &mut Memory, results: Vec<StepResult>) -> Vec<StepResult> {
    let call = |result| match result {
        StepResult::Ok(_) | StepResult::Reject { .. } | StepResult::Unsupported {} => result,
        other => rejection(other.kind()),
    };
    results.into_iter().map(call).collect()
}

/// An operation that does not exist is done.
pub(crate) fn do_nonsense(memory: &mut Memory, results: Vec<StepResult>) -> Vec<StepResult> {
    let done = |result| match result {
        StepResult::Unsupported {} => StepResult::Ok(memory.seen.clone()),
        other => other,
    };
    results.into_iter().map(done).collect()
}

/// What was declared is not offered after all.
pub(crate) fn skip(_memory: &mut Memory, results: Vec<StepResult>) -> Vec<StepResult> {
    results.iter().map(|_| StepResult::Unsupported {}).collect()
}

/// The answer ends one result too early.
pub(crate) fn too_few(_memory: &mut Memory, mut results: Vec<StepResult>) -> Vec<StepResult> {
    results.pop();
    results
}

/// Dimensions in the wrong order, or one element too many where the order cannot show.
pub(crate) fn wrong_shape(_memory: &mut Memory, results: Vec<StepResult>) -> Vec<StepResult> {
    see(results, |seen| {
        let Some(shape) = seen.tensor.as_mut().and_then(|tensor| tensor.shape.as_mut()) else { return };
        let before = shape.clone();
        shape.reverse();
        if *shape == before {
            shape.push(U64(1));
        }
    })
}

/// The right length, but other bytes.
pub(crate) fn wrong_payload(_memory: &mut Memory, results: Vec<StepResult>) -> Vec<StepResult> {
    see(results, |seen| {
        for buffer in seen.buffers.iter_mut().flatten() {
            buffer.sha256 = buffer.sha256.chars().rev().collect();
        }
    })
}

/// Every value of the key-value section is of another type.
pub(crate) fn wrong_kv(_memory: &mut Memory, results: Vec<StepResult>) -> Vec<StepResult> {
    see(results, |seen| {
        for entry in seen.kv.iter_mut().flatten() {
            entry.value = match entry.value {
                KvValue::Int64(I64(0)) => KvValue::Bool(false),
                _ => KvValue::Int64(I64(0)),
            };
        }
    })
}

/// All of these at once.
pub(crate) fn wrong_observations(memory: &mut Memory, results: Vec<StepResult>) -> Vec<StepResult> {
    let results = wrong_shape(memory, results);
    let results = wrong_payload(memory, results);
    wrong_kv(memory, results)
}

/// The last tensor of a file is not listed.
pub(crate) fn lose_a_tensor(_memory: &mut Memory, results: Vec<StepResult>) -> Vec<StepResult> {
    see(results, |seen| {
        if let Some(names) = &mut seen.names {
            names.pop();
        }
    })
}

/// Opens, but has seen nothing of what it declared to see.
pub(crate) fn see_nothing(_memory: &mut Memory, results: Vec<StepResult>) -> Vec<StepResult> {
    see(results, |seen| *seen = Observed::default())
}

fn see(mut results: Vec<StepResult>, change: impl Fn(&mut Observed)) -> Vec<StepResult> {
    for result in &mut results {
        if let StepResult::Ok(seen) = result {
            change(seen);
        }
    }
    results
}

fn rejection(why: &str) -> StepResult {
    StepResult::Reject { rule: None, offset: None, message: why.to_owned() }
}
