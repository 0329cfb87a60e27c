//! Whether a served file is read as the protocol says: by ranges, in pieces, with failures that pass. Owns the hosts that
//! do so.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use hurray_adapter::{Op, SourceKind, Step, StepResult};

use super::advice;
use super::interview::{Ask, Interview};
use crate::judge::{actual_text, judge_reader, reader_script, step_and_answer};
use crate::run::probe::canary::CANARY;
use crate::transport::{Host, HostRead, HostWrite, JobSource, Trace};
use hurray_corpus::Vector;

/// Bytes of one answer of a host that is slow.
const FEW: u64 = 7;

pub(super) fn check(interview: &mut Interview<'_>) {
    if !interview.takes(SourceKind::Served) || !interview.offers(Op::Open) {
        return;
    }
    let Some(canary) = interview.set.get(CANARY).cloned() else { return };
    let ask = Ask { id: "served/good", asked: "a good file that is served is seen like one with a path" };
    if let Some(trace) = seen(interview, ask, &canary, JobSource::Served(&canary.bytes), advice::SERVED_UNUSED) {
        ranges(interview, &trace);
    }
    let host = Slow { bytes: Arc::clone(&canary.bytes), interrupted_at: None, asked: 0 };
    let ask = Ask { id: "served/short", asked: "a range that is answered in pieces is put together" };
    seen(interview, ask, &canary, JobSource::Hosted(Rc::new(RefCell::new(host))), advice::SHORT);
    interrupted(interview, &canary);
}

/// Runs the whole script over a source; the ranges come back if everything was seen rightly.
fn seen(
    interview: &mut Interview<'_>,
    ask: Ask<'_>,
    canary: &Vector,
    source: JobSource<'_>,
    next: &str,
) -> Option<Trace> {
    let steps: Vec<Step> = reader_script(canary, &interview.hello);
    let (results, trace) = interview.ask_over(ask, source, (&steps).into())?;
    let verdict = judge_reader(canary, &interview.hello, &steps, &results);
    if verdict.fault.is_some() {
        interview.sheet.missing(ask.id, ask.asked, step_and_answer(&verdict), next);
        return None;
    }
    if trace.range_count == 0 {
        interview.sheet.missing(ask.id, ask.asked, "an answer without having asked for a single range", next);
        return None;
    }
    interview.sheet.passed(ask.id, ask.asked, format!("{} ranges", trace.range_count));
    Some(trace)
}

/// Ranges lie in the file and are not empty. A fault for who claims the I/O contract, advice for others.
fn ranges(interview: &mut Interview<'_>, trace: &Trace) {
    let asked = "the ranges it asks for lie in the file, and none is empty";
    let came = format!("{} of {} outside, {} empty", trace.outside_count, trace.range_count, trace.empty_count);
    match (trace.outside_count + trace.empty_count, interview.hello.io_contract) {
        (0, _) => interview.sheet.passed("served/ranges", asked, came),
        (_, true) => interview.sheet.missing("served/ranges", asked, came, advice::RANGES),
        (_, false) => interview.sheet.note("served/ranges", asked, came, advice::RANGES),
    }
}

/// A transport that fails once is asked again, or its failure is told; it is never a bad file.
fn interrupted(interview: &mut Interview<'_>, canary: &Vector) {
    let ask = Ask { id: "served/interrupted", asked: "a range that fails once is no bad file" };
    let steps: Vec<Step> = reader_script(canary, &interview.hello);
    let host = Slow { bytes: Arc::clone(&canary.bytes), interrupted_at: Some(2), asked: 0 };
    let source = JobSource::Hosted(Rc::new(RefCell::new(host)));
    let Some((results, _)) = interview.ask_over(ask, source, (&steps).into()) else { return };
    let told = results.iter().find(|result| matches!(result, StepResult::Io { .. } | StepResult::Error { .. }));
    let verdict = judge_reader(canary, &interview.hello, &steps, &results);
    match told {
        _ if verdict.fault.is_none() => interview.sheet.passed(ask.id, ask.asked, "it asked again"),
        Some(told) => interview.sheet.passed(ask.id, ask.asked, actual_text(told)),
        None => interview.sheet.missing(ask.id, ask.asked, step_and_answer(&verdict), advice::INTERRUPTED),
    }
}

/// Serves a few bytes at a time, and may fail once.
struct Slow {
    bytes: Arc<[u8]>,
    /// The range, counted from 1, that is answered `interrupted`.
    interrupted_at: Option<u64>,
    asked: u64,
}

impl Host for Slow {
    fn size(&self) -> Option<u64> {
        Some(self.bytes.len() as u64)
    }

    fn read(&mut self, offset: u64, len: u64) -> HostRead {
        self.asked += 1;
        if self.interrupted_at == Some(self.asked) {
            return HostRead::Error("interrupted");
        }
        let most = if self.interrupted_at.is_some() { len } else { len.min(FEW) };
        let start = usize::try_from(offset).unwrap_or(usize::MAX).min(self.bytes.len());
        let end = start.saturating_add(usize::try_from(most).unwrap_or(usize::MAX)).min(self.bytes.len());
        if start == end { HostRead::End } else { HostRead::Bytes(self.bytes[start..end].to_vec()) }
    }

    fn write(&mut self, _bytes: &[u8]) -> HostWrite {
        HostWrite::Error("other")
    }
}
