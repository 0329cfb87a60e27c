//! Asks a reader for one file and judges its answers.
//!
//! Owns how the file is handed over and what the profile io asks beside. What an answer means is decided in `judge`.

use std::path::Path;

use hurray_adapter::{Hello, Step};

use super::sequential;
use crate::candidates::SourceWay;
use crate::judge::io::ranges::cost_text;
use crate::judge::profile::Profile;
use crate::judge::{Fault, Outcome, Verdict, judge_reader, judge_validate, opening, reader_script, validate_script};
use crate::transport::worker::LONGEST_REPLY;
use crate::transport::{Cause, Job, JobSource, Trace, Transport};
use hurray_corpus::{ReadMode, Vector};

/// Ranges that opening a file may take.
const MOST_OPEN_RANGES: u64 = 4;

/// How the file is handed over: as a path where both are offered, since that is what most people use.
pub(super) fn source<'a>(
    vector: &'a Vector,
    path: Option<&'a Path>,
    hello: &Hello,
    wanted: Option<SourceWay>,
    profile: Profile,
) -> Result<JobSource<'a>, Cause> {
    let takes = |way: SourceWay| hello.reads_from(way.kind());
    let way = match wanted {
        _ if profile == Profile::Io => SourceWay::Served,
        Some(way) if takes(way) => way,
        _ if takes(SourceWay::Path) || !takes(SourceWay::Served) => SourceWay::Path,
        _ => SourceWay::Served,
    };
    match (way, path) {
        (SourceWay::Served, _) => Ok(JobSource::Served(&vector.bytes)),
        (SourceWay::Path, Some(path)) => Ok(JobSource::Path(path, vector.bytes.len() as u64)),
        (SourceWay::Path, None) => Err(Cause::Suite("its file could not be written; is there room for it?".to_owned())),
    }
}

/// Runs one vector in one profile over `source` and judges it.
pub fn judge_on(
    transport: &mut dyn Transport,
    vector: &Vector,
    hello: &Hello,
    source: JobSource<'_>,
    profile: Profile,
) -> Verdict {
    if let Some(missing) = vector.mode.requirement().filter(|_| !vector.mode.is_declared(hello)) {
        return Verdict::good(Outcome::Unsupported, missing, "it is not offered");
    }
    match vector.mode {
        ReadMode::Sequential => return sequential::judge(transport, vector, hello),
        ReadMode::Whole | ReadMode::Bare | ReadMode::Permissive => {}
    }
    if profile == Profile::Io {
        return judge_io(transport, vector, hello);
    }
    let steps: Vec<Step> = match profile {
        Profile::Validate => validate_script(),
        Profile::Reader | Profile::Io | Profile::Sequential | Profile::Writer | Profile::Interop => {
            reader_script(vector, hello)
        }
    };
    let ran = transport.run(&Job { source, steps: (&steps).into() });
    match &ran.end {
        Err(death) => Verdict::died(&death.cause, "an answer"),
        Ok(results) => match (profile, steps.first(), results.first()) {
            (Profile::Validate, Some(step), Some(result)) => judge_validate(vector, hello, step, result),
            _ => judge_reader(vector, hello, &steps, results),
        },
    }
}

/// Under the I/O contract a reader over ranges says what a reader says; no range lies outside the file or is empty (R74),
/// and at most four are needed to open it.
fn judge_io(transport: &mut dyn Transport, vector: &Vector, hello: &Hello) -> Verdict {
    let steps = reader_script(vector, hello);
    let mut run =
        |steps: &[Step]| transport.run(&Job { source: JobSource::Served(&vector.bytes), steps: steps.into() });
    let whole = run(&steps);
    let verdict = match &whole.end {
        Err(death) => return Verdict::died(&death.cause, "an answer"),
        Ok(results) => judge_reader(vector, hello, &steps, results),
    };
    if verdict.fault.is_some() {
        return verdict;
    }
    let opening = run(&[opening(vector)]);
    let cost = cost_text(opening.trace.range_count, opening.trace.asked_len, opening.peak_memory_len);
    match (opening.end, fault_of_ranges(&whole.trace, &opening.trace)) {
        (Err(death), _) => Verdict::died(&death.cause, "an answer"),
        (Ok(_), Some((step, expected, actual))) if step.is_some() => {
            Verdict::bad(Fault::Range, step, expected, format!("{actual} ({cost})"))
        }
        (Ok(_), Some((step, expected, actual))) => Verdict::bad(Fault::Range, step, expected, actual),
        (Ok(_), None) => verdict,
    }
}

/// What is wrong with the ranges asked for: the step, what was demanded, what was done.
fn fault_of_ranges(whole: &Trace, opening: &Trace) -> Option<(Option<String>, &'static str, String)> {
    if whole.outside_count + whole.empty_count > 0 {
        let (outside, empty) = (whole.outside_count, whole.empty_count);
        let actual = format!("{outside} of {} ranges outside, {empty} empty", whole.range_count);
        return Some((None, "ranges within the file, none empty", actual));
    }
    // Longer ranges are answered in pieces, and every piece is asked for.
    let is_whole = opening.ranges.iter().all(|(_, len)| *len <= LONGEST_REPLY as u64);
    (opening.range_count > MOST_OPEN_RANGES && is_whole).then(|| {
        let actual = format!("{} ranges", opening.range_count);
        (Some("open".to_owned()), "at most 4 ranges: header, trailer, index, key-values", actual)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trace(ranges: &[(u64, u64)]) -> Trace {
        let mut trace = Trace::default();
        ranges.iter().for_each(|(offset, len)| trace.note(*offset, *len, 100));
        trace
    }

    #[test]
    fn ranges_lie_in_the_file_and_are_not_empty() {
        let none = trace(&[]);
        assert!(fault_of_ranges(&trace(&[(0, 64), (60, 40)]), &none).is_none());
        assert!(fault_of_ranges(&trace(&[(0, 64), (60, 41)]), &none).is_some());
        assert!(fault_of_ranges(&trace(&[(100, 0)]), &none).is_some());
    }

    #[test]
    fn four_ranges_open_a_file() {
        let none = trace(&[]);
        assert!(fault_of_ranges(&none, &trace(&[(0, 1); 4])).is_none());
        assert!(fault_of_ranges(&none, &trace(&[(0, 1); 5])).is_some());
        assert!(fault_of_ranges(&none, &trace(&[(0, 2 << 20); 5])).is_none(), "pieces of a long range");
    }
}
