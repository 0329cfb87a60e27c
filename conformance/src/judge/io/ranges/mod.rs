//! Which ranges a reader asks for: the read-set of each step, and what the contract allows of it.
//!
//! Owns the clauses that are seen without any fault. Where the payloads stand it is told; it knows no field of the format.

use std::ops::Range;

use hurray_adapter::{Observed, Step, StepResult};
use hurray_spec::Rule;

use super::{Breach, Kept};
use crate::fault::{Log, Operation};
use crate::judge::reader::step_text;

/// Ranges that opening a file may take: header, trailer, index, key-values.
const MOST_OPEN: usize = 4;

/// What one step asked for.
pub struct Asked<'a> {
    /// The step.
    pub step: &'a Step,
    /// What it came to.
    pub result: &'a StepResult,
    /// Its own operations.
    pub operations: &'a [Operation],
    /// Position of the first of them in the log, from 0.
    pub first: usize,
}

/// Where the buffers of a file stand.
pub struct Payloads {
    /// Tensor and range of each buffer that has bytes.
    pub places: Vec<(Vec<u8>, Range<u64>)>,
    /// Size of the file, in bytes.
    pub size: u64,
    /// Tensors in the file.
    pub tensor_count: usize,
    /// Longest range that is answered at once, in bytes.
    pub longest_reply: u64,
}

/// Judges one step by its ranges.
///
/// # Errors
/// The first clause that is broken.
pub fn judge(asked: &Asked<'_>, payloads: &Payloads) -> Kept {
    for (at, operation) in asked.operations.iter().enumerate() {
        let outside = operation.offset.checked_add(operation.len).is_none_or(|end| end > payloads.size);
        let what = match operation.len {
            0 => Some((Rule::IoReadTensorRanges, "no range without bytes (R74)")),
            _ if outside => Some((Rule::IoReadRangeAbsolute, "ranges within the file")),
            _ => None,
        };
        if let Some((rule, expected)) = what {
            let actual = format!("{} bytes at {}", operation.len, operation.offset);
            return Err(named(asked, Breach::of_range(rule, Some(asked.first + at + 1), expected, actual)));
        }
    }
    match asked.step {
        Step::Open(_) => {
            no_payload(asked, payloads, Rule::IoReadOpenNoTensorBytes, "to open the file")?;
            at_most(asked, payloads, MOST_OPEN, Rule::IoReadOpenFourRanges)?;
            in_order(asked, payloads)
        }
        Step::List(_) | Step::Kv(_) => {
            let purpose = if matches!(asked.step, Step::List(_)) { "to list names" } else { "to list key-values" };
            no_payload(asked, payloads, Rule::IoReadOpenNoTensorBytes, purpose)
        }
        Step::Describe(_) => {
            no_payload(asked, payloads, Rule::IoReadDescriptorOneRange, "to read a descriptor")?;
            at_most(asked, payloads, 1, Rule::IoReadDescriptorOneRange)
        }
        // One job: descriptors of head and members, and the buffers of members.
        Step::Composite(_) => {
            let most = payloads.tensor_count + payloads.places.len();
            at_most(asked, payloads, most, Rule::IoReadCompositeJob)
        }
        Step::Read(name) => tensor(asked, payloads, &name.name.0),
        _ => Ok(()),
    }
}

/// The header is asked for first, the trailer second.
fn in_order(asked: &Asked<'_>, payloads: &Payloads) -> Kept {
    let [first, second, ..] = asked.operations else { return Ok(()) };
    if first.offset == 0 && second.offset.saturating_add(second.len) == payloads.size {
        return Ok(());
    }
    let actual = format!("ranges at {} and {}", first.offset, second.offset);
    let rule = Rule::ContainerReaderOpenOrder;
    Err(named(asked, Breach::of_range(rule, Some(asked.first + 1), "the header, then the trailer", actual)))
}

fn tensor(asked: &Asked<'_>, payloads: &Payloads, name: &[u8]) -> Kept {
    let others = payloads.places.iter().filter(|(tensor, _)| tensor != name);
    let own: Vec<&Range<u64>> =
        payloads.places.iter().filter(|(tensor, _)| tensor == name).map(|(_, range)| range).collect();
    // The same bytes may stand for buffers of two tensors.
    let others = others.map(|(_, range)| range).filter(|range| !own.iter().any(|own| overlap(own, range) > 0));
    let foreign: u64 = others.map(|range| bytes_within(asked.operations, range)).sum();
    if foreign > 0 {
        let actual = format!("read {} of other tensors' payload to read one", size_text(foreign));
        return Err(named(
            asked,
            Breach::of_range(Rule::IoReadUntouchedOthers, None, "no byte of other tensors", actual),
        ));
    }
    if let StepResult::Ok(Observed { buffers: Some(buffers), .. }) = asked.result {
        let count = buffers.iter().filter(|buffer| buffer.len.0 > 0).count();
        return at_most(asked, payloads, 1 + count, Rule::IoReadTensorRanges);
    }
    Ok(())
}

/// The memory of each buffer is aligned as its handle declares (R26).
///
/// # Errors
/// The first that is not.
pub fn aligned(steps: &[Step], results: &[StepResult]) -> Kept {
    for (step, result) in steps.iter().zip(results) {
        let StepResult::Ok(Observed { buffers: Some(buffers), tensor: Some(tensor), .. }) = result else { continue };
        for (at, (handle, buffer)) in tensor.handles.iter().flatten().zip(buffers).enumerate() {
            let (Some(wanted), Some(memory)) = (handle.alignment, buffer.memory_alignment) else { continue };
            if buffer.len.0 > 0 && memory.0 < u64::from(wanted) {
                let expected = format!("buffer {at} in memory aligned to {wanted} bytes");
                let mut breach = Breach::of_step(Rule::IoReadBufferAlignment, step, result, expected);
                breach.actual = format!("aligned to {memory}");
                return Err(breach);
            }
        }
    }
    Ok(())
}

fn no_payload(asked: &Asked<'_>, payloads: &Payloads, rule: Rule, purpose: &str) -> Kept {
    let read: u64 = payloads.places.iter().map(|(_, range)| bytes_within(asked.operations, range)).sum();
    if read == 0 {
        return Ok(());
    }
    let actual = format!("read {} of payload {purpose}", size_text(read));
    Err(named(asked, Breach::of_range(rule, None, "no byte of payload", actual)))
}

fn at_most(asked: &Asked<'_>, payloads: &Payloads, most: usize, rule: Rule) -> Kept {
    // Longer ranges are answered in pieces, and every piece is asked for.
    let is_whole = asked.operations.iter().all(|operation| operation.len <= payloads.longest_reply);
    if asked.operations.len() <= most || !is_whole {
        return Ok(());
    }
    let ranges = |count: usize| if count == 1 { "1 range".to_owned() } else { format!("{count} ranges") };
    let actual = ranges(asked.operations.len());
    let breach = Breach::of_range(rule, Some(asked.first + most + 1), format!("at most {}", ranges(most)), actual);
    Err(named(asked, breach))
}

fn named(asked: &Asked<'_>, mut breach: Box<Breach>) -> Box<Breach> {
    breach.step = Some(step_text(asked.step));
    breach
}

fn bytes_within(operations: &[Operation], range: &Range<u64>) -> u64 {
    operations.iter().map(|asked| overlap(&(asked.offset..asked.offset.saturating_add(asked.len)), range)).sum()
}

fn overlap(a: &Range<u64>, b: &Range<u64>) -> u64 {
    a.end.min(b.end).saturating_sub(a.start.max(b.start))
}

/// What a request cost, for people.
pub fn cost_text(calls: u64, asked_len: u64, peak_memory_len: Option<u64>) -> String {
    let calls = if calls == 1 { "1 call".to_owned() } else { format!("{calls} calls") };
    let memory = match peak_memory_len {
        Some(len) => format!("{} more memory", size_text(len)),
        None => "memory not measured".to_owned(),
    };
    format!("{calls} for {} in all, {memory}", size_text(asked_len))
}

/// A number of bytes, for people.
pub fn size_text(bytes: u64) -> String {
    match bytes {
        0..=9999 => format!("{bytes} bytes"),
        10_000..=9_999_999 => format!("{} KiB", bytes >> 10),
        _ => format!("{} MiB", bytes >> 20),
    }
}

/// What a run cost: ranges, and bytes asked for.
pub fn cost(log: &Log) -> (u64, u64) {
    (log.count, log.operations.iter().map(|operation| operation.len).fold(0, u64::saturating_add))
}

#[cfg(test)]
mod tests;
