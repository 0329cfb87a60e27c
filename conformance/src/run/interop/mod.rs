//! Files written by one candidate and read by every other one. Owns who reads what; a file that its own writer got wrong is
//! handed to nobody, unless what is wrong binds writers alone.

use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use super::{About, CandidateRun, Files, Progress, Scored, Selection, read};
use crate::candidates::Prepared;
use crate::judge::profile::Profile;
use crate::judge::{Fault, Outcome, Verdict};
use crate::support::interrupt;
use crate::transport::Cause;
use hurray_corpus::write_vector::{WriteExpect, read_vector};
use hurray_corpus::{Vector, VectorSet};

/// One file of one writer.
struct Written {
    vector: Vector,
    /// Position among the vectors for writers.
    write: usize,
    /// Whether the text leaves open if such a file may be written.
    is_contested: bool,
}

/// One cell of the matrix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Who wrote.
    pub writer: String,
    /// Who read.
    pub reader: String,
    /// Files that were read as they were described, or need not be.
    pub passed: usize,
    /// Files that were not, known or not.
    pub failed: usize,
    /// Files that use what the reader does not declare.
    pub unsupported: usize,
}

/// Lets every candidate read what the others have written; the judgements go to the reader.
pub fn run_interop(
    set: &VectorSet,
    files: &Files,
    candidates: &[Prepared],
    runs: &mut [CandidateRun],
    selection: &Selection,
    progress: &dyn Progress,
) {
    if !selection.profiles.contains(&Profile::Interop) {
        return;
    }
    let written: Vec<Vec<Written>> = runs.iter().map(|run| written_by(set, run)).collect();
    for (reader, run) in runs.iter_mut().enumerate() {
        let others: Vec<&Written> =
            written.iter().enumerate().filter(|(writer, _)| *writer != reader).flat_map(|(_, files)| files).collect();
        let Some(candidate) = candidates.get(reader).filter(|_| run.broken.is_none()) else { continue };
        let group = candidate.known.not_judged();
        let (left_out, others): (Vec<&Written>, Vec<&Written>) =
            others.into_iter().partition(|written| group(&written.vector.id).is_some());
        count_left_out(run, candidate, &left_out);
        if others.is_empty() {
            continue;
        }
        progress.begin(&format!("{} reads", candidate.name), others.len());
        let results = read_by(files, candidate, &others, progress);
        progress.end();
        run.not_scored.retain(|(profile, _)| *profile != Profile::Interop);
        run.selected.extend(others.iter().map(|written| (written.vector.id.clone(), Profile::Interop)));
        run.results.extend(results);
        run.results.sort_by(|a, b| (a.profile, &a.id).cmp(&(b.profile, &b.id)));
    }
}

/// What a list of known failures leaves out is counted, as for any vector.
fn count_left_out(run: &mut CandidateRun, candidate: &Prepared, left_out: &[&Written]) {
    let group = candidate.known.not_judged();
    for written in left_out {
        let reason = group(&written.vector.id).and_then(|at| candidate.known.not_judged.get(at));
        let Some(reason) = reason.map(|group| group.reason.clone()) else { continue };
        match run.not_judged.iter_mut().find(|(other, _)| *other == reason) {
            Some((_, count)) => *count += 1,
            None => run.not_judged.push((reason, 1)),
        }
    }
}

fn written_by(set: &VectorSet, run: &CandidateRun) -> Vec<Written> {
    let files = run.results.iter().filter_map(|scored| match &scored.about {
        About::Write { at, file: Some(file) } => Some((scored, file, *at)),
        About::Write { file: None, .. } | About::Vector(_) | About::Part | About::Sweep | About::Lost => None,
    });
    let each = files.filter_map(|(scored, bytes, write)| {
        let id = format!("interop/{}/{}", run.asked_for, scored.id.trim_start_matches("write/"));
        let described = set.writes.get(write)?;
        let is_contested = matches!(described.expect, WriteExpect::Either { .. });
        Some(Written { vector: read_vector(described, id, Arc::clone(bytes)), write, is_contested })
    });
    each.collect()
}

fn read_by(files: &Files, candidate: &Prepared, written: &[&Written], progress: &dyn Progress) -> Vec<Scored> {
    let restarts_left = Arc::new(AtomicU32::new(candidate.start.restart_count()));
    let mut results = Vec::new();
    let mut transport = match candidate.start.start(&restarts_left) {
        Ok(transport) => transport,
        Err(broken) => {
            let verdict = Verdict::died(&Cause::NotRun(broken.answered), "");
            return written.iter().map(|written| read_of(written, verdict.clone())).collect();
        }
    };
    let hello = transport.hello().clone();
    for written in written {
        let Written { vector, is_contested, .. } = written;
        if interrupt::is_requested() {
            break;
        }
        let path = files.write(&vector.bytes).ok();
        let source = read::source(vector, path.as_deref(), &hello, candidate.source, Profile::Reader);
        let verdict = match source {
            Ok(source) => read::judge_on(transport.as_mut(), vector, &hello, source, Profile::Reader),
            Err(cause) => Verdict::died(&cause, ""),
        };
        if let Some(path) = path {
            // Room for the next one; the folder goes with the run.
            let _ = std::fs::remove_file(path);
        }
        let verdict = if *is_contested { of_contested(verdict) } else { verdict };
        results.push(read_of(written, verdict));
        progress.advance();
    }
    results
}

/// The judgement on one file, for its reader.
fn read_of(Written { vector, write, .. }: &Written, verdict: Verdict) -> Scored {
    let about = About::Write { at: *write, file: None };
    Scored::new(vector.id.clone(), Profile::Interop, vector.class, about, verdict)
}

/// What one writer may write and another one refuse, a reader may read or reject. Which of the two a writer should choose
/// says nothing of the reader, so that no behaviour counts as preferred.
fn of_contested(verdict: Verdict) -> Verdict {
    match (verdict.outcome, verdict.fault) {
        (Outcome::Passed, None) | (Outcome::Failed, Some(Fault::Rejected)) => {
            Verdict { outcome: Outcome::Contested, fault: None, strict: None, ..verdict }
        }
        _ => verdict,
    }
}

/// Who read how much of what whom wrote, by writer, then reader, in the order of the run.
pub fn matrix(runs: &[CandidateRun]) -> Vec<Cell> {
    let mut cells = Vec::new();
    for writer in runs {
        let prefix = format!("interop/{}/", writer.asked_for);
        for reader in runs {
            let of_writer = |scored: &&Scored| scored.profile == Profile::Interop && scored.id.starts_with(&prefix);
            let results: Vec<&Scored> = reader.results.iter().filter(of_writer).collect();
            if results.is_empty() {
                continue;
            }
            let count = |is: fn(Outcome) -> bool| results.iter().filter(|scored| is(scored.verdict.outcome)).count();
            let (writer, reader) = (writer.asked_for.clone(), reader.asked_for.clone());
            let passed = count(|outcome| matches!(outcome, Outcome::Passed | Outcome::Contested));
            let unsupported = count(|outcome| outcome == Outcome::Unsupported);
            let not_run = count(|outcome| outcome == Outcome::NotRun);
            let failed = results.len() - passed - unsupported - not_run;
            cells.push(Cell { writer, reader, passed, failed, unsupported });
        }
    }
    cells
}

#[cfg(test)]
mod tests;
