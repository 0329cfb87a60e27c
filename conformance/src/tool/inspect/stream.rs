//! A file that goes by once: standard input. Owns what is said of it, and what cannot be said.

use std::io::Read;

use hurray_adapter::{Candidate, Op};

use super::{FileReport, StepReport, settle};

/// The name of a file that is read from standard input.
pub(super) const STANDARD_INPUT: &str = "-";
/// What reading once does not see.
pub(super) const NOT_SEEN: &str = "read once and in order, without seeking: composites were not put together, \
                                   padding and values in buffers not judged";
/// What to do about a file that could not be read in this way.
pub(super) const SAVE_IT: &str = "save it to a file and check that: a reader that seeks may do with it";

/// Judges one file while it goes by.
pub(super) fn judge_stream(candidate: &mut dyn Candidate, stream: Box<dyn Read>) -> FileReport {
    let scanned = candidate.scan(stream);
    let step = StepReport::new(Op::Scan, None, &scanned);
    settle(STANDARD_INPUT, vec![step], Vec::new())
}

/// Lines for people below the verdict on a file that went by.
pub(super) fn remarks(report: &FileReport) -> impl Iterator<Item = &'static str> {
    let scan = report.steps.iter().find(|step| step.step == Op::Scan.name());
    let is_open = scan.is_some_and(|step| ["unsupported", "limit"].contains(&step.result));
    scan.map(|_| NOT_SEEN).into_iter().chain(is_open.then_some(SAVE_IT))
}
