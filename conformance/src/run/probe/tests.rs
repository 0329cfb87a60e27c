//! The reference passes the probe; each single answer that is not right fails it.

use hurray_adapter::Observed;

use super::*;
use crate::candidates::reference::Reference;
use crate::transport::{Cause, Death, InProcess, Ran};

type Tamper = fn(&Job<'_>, Vec<StepResult>) -> Result<Vec<StepResult>, Death>;

/// The reference with some of its answers changed.
struct Tampered {
    inner: InProcess,
    tamper: Tamper,
    jobs: u32,
}

impl Transport for Tampered {
    fn hello(&self) -> &Hello {
        self.inner.hello()
    }

    fn run(&mut self, job: &Job<'_>) -> Ran {
        self.jobs += 1;
        let ran = self.inner.run(job);
        Ran { end: ran.end.and_then(|results| (self.tamper)(job, results)), trace: ran.trace, peak_memory_len: None }
    }
}

fn probe_with(tamper: Tamper) -> (Result<(), Broken>, u32) {
    let set = VectorSet::embedded().expect("the vectors");
    let files = Files::new(&set).expect("room for files");
    let mut transport = Tampered { inner: InProcess::new(Box::new(Reference::strict())), tamper, jobs: 0 };
    (probe(&set, &files, &mut transport, 1), transport.jobs)
}

fn fails(tamper: Tamper) -> String {
    probe_with(tamper).0.expect_err("a broken adapter").probe
}

fn is_nonsense(job: &Job<'_>) -> bool {
    matches!(&job.steps, Script::Raw(values) if values.iter().any(|value| value.to_string().contains("nonsense-")))
}

fn rejection() -> StepResult {
    StepResult::Reject { rule: None, offset: None, message: String::new() }
}

#[test]
fn the_reference_passes_in_few_jobs() {
    let (end, jobs) = probe_with(|_, results| Ok(results));
    assert_eq!(end, Ok(()));
    assert_eq!(jobs, 9, "the zoo counts on few");
}

#[test]
fn nonsense_must_not_be_anything_but_unsupported() {
    let probe = fails(|job, results| Ok(if is_nonsense(job) { vec![rejection()] } else { results }));
    assert!(probe.contains("does not exist"), "{probe}");
    let probe = fails(|job, results| Ok(if is_nonsense(job) { Vec::new() } else { results }));
    assert!(probe.contains("does not exist"), "{probe}");
}

#[test]
fn a_file_that_is_not_there_must_not_be_rejected() {
    let probe = fails(|_, results| {
        let is_failure = |result: &StepResult| matches!(result, StepResult::Io { .. } | StepResult::Error { .. });
        Ok(results.into_iter().map(|result| if is_failure(&result) { rejection() } else { result }).collect())
    });
    assert!(probe.contains("no file"), "{probe}");
}

#[test]
fn the_good_canary_has_to_be_seen_rightly() {
    let probe = fails(|_, results| {
        let blind = |result| match result {
            StepResult::Ok(_) => StepResult::Ok(Observed::default()),
            other => other,
        };
        Ok(results.into_iter().map(blind).collect())
    });
    assert!(probe.contains("accept a good file"), "{probe}");
}

/// Who knows the fixed canaries fails on the files nobody has seen before.
#[test]
fn knowing_the_canaries_is_not_enough() {
    let probe = fails(|job, results| {
        let is_known = match &job.source {
            JobSource::Path(path, _) => std::fs::read(path)
                .map_or(true, |bytes| bytes.len() < 4000 || bytes.starts_with(&[0; 8]) || bytes.ends_with(&[0; 4])),
            _ => true,
        };
        let accept = |result| match result {
            StepResult::Reject { .. } if !is_known => StepResult::Ok(Observed::default()),
            other => other,
        };
        Ok(results.into_iter().map(accept).collect())
    });
    assert!(probe.contains("random header.magic"), "{probe}");
}

#[test]
fn a_death_in_the_probe_is_told() {
    let died = probe_with(|_, _| Err(Death { cause: Cause::Exit(3), stderr: "last words".to_owned() })).0;
    let broken = died.expect_err("a broken adapter");
    assert!(broken.answered.contains("exit code 3"), "{broken:?}");
    assert_eq!(broken.stderr, "last words");
}
