//! The matrix of two references, one of which only reads.

use hurray_adapter::{Candidate, Hello, Observed, Reader, Source};

use super::*;
use crate::candidates::Start;
use crate::candidates::reference::Reference;
use crate::judge::Fault;
use crate::judge::known::KnownFailures;
use crate::run::{Silent, run_candidate};

fn prepared(name: &str, make: fn() -> Box<dyn Candidate>) -> Prepared {
    Prepared {
        name: name.to_owned(),
        start: Start::InProcess(make),
        source: None,
        known: KnownFailures::default(),
        known_path: None,
    }
}

/// Reads as the reference does, and writes nothing.
struct Reads(Reference);

impl Candidate for Reads {
    fn hello(&self) -> Hello {
        let mut hello = self.0.hello();
        hello.operations.retain(|operation| operation != "write" && operation != "create");
        hello
    }

    fn open(&mut self, source: Source) -> Result<(Observed, Box<dyn Reader>), hurray_adapter::Failure> {
        self.0.open(source)
    }
}

/// One writes what `glob` selects, two reads it.
fn written_and_read(glob: &str) -> Vec<CandidateRun> {
    let set = VectorSet::embedded().expect("the vectors");
    let files = Files::new(&set).expect("room for files");
    let candidates =
        [prepared("one", || Box::new(Reference::strict())), prepared("two", || Box::new(Reads(Reference::strict())))];
    let filter = globset::Glob::new(glob).expect("a glob").compile_matcher();
    let selection = Selection {
        profiles: vec![Profile::Writer, Profile::Interop],
        filter: Some(filter),
        ..Selection::everything(1)
    };
    let mut runs: Vec<CandidateRun> =
        candidates.iter().map(|candidate| run_candidate(&set, &files, candidate, &selection, &Silent)).collect();
    run_interop(&set, &files, &candidates, &mut runs, &selection, &Silent);
    runs
}

#[test]
fn every_file_is_read_by_the_others_and_counted() {
    let mut runs = written_and_read("write/types/*");
    let cells = matrix(&runs);
    let [cell] = cells.as_slice() else { panic!("{cells:?}") };
    let written =
        runs[0].results.iter().filter(|scored| matches!(scored.about, About::Write { file: Some(_), .. })).count();
    assert!(written > 20);
    assert_eq!((cell.writer.as_str(), cell.reader.as_str()), ("one", "two"));
    assert_eq!((cell.passed, cell.failed, cell.unsupported), (written, 0, 0));
    assert!(runs[1].results.iter().any(|scored| scored.id == "interop/one/types/float64"));
    let outcomes = |run: &CandidateRun| -> Vec<Outcome> {
        let of_interop = run.results.iter().filter(|scored| scored.profile == Profile::Interop);
        of_interop.map(|scored| scored.verdict.outcome).collect()
    };
    assert_eq!(outcomes(&runs[1]), vec![Outcome::Passed; written], "no description here is contested");
    assert!(runs[0].not_scored.iter().any(|(profile, _)| *profile == Profile::Interop), "nobody wrote for it");
    // A failure of a reader is one of its run.
    let scored = runs[1].results.iter_mut().find(|scored| scored.profile == Profile::Interop).expect("a result");
    scored.verdict = Verdict::bad(Fault::Wrong, None, "", "");
    assert!(runs[1].fails());
    assert_eq!(matrix(&runs)[0].failed, 1);
}

#[test]
fn only_what_a_writer_may_refuse_is_contested_for_readers() {
    let runs = written_and_read("write/kv/{empty-array,arrays}");
    let read = runs[1].results.iter().filter(|scored| scored.profile == Profile::Interop);
    let ends: Vec<_> = read.map(|scored| (scored.id.as_str(), scored.verdict.outcome, scored.verdict.strict)).collect();
    let wanted =
        [("interop/one/kv/arrays", Outcome::Passed, None), ("interop/one/kv/empty-array", Outcome::Contested, None)];
    assert_eq!(ends, wanted);
    // A reader may reject such a file, and do nothing worse.
    let rejected = of_contested(Verdict::bad(Fault::Rejected, None, "", ""));
    assert_eq!((rejected.outcome, rejected.fault, rejected.strict), (Outcome::Contested, None, None));
    let wrong = of_contested(Verdict::bad(Fault::Wrong, None, "", ""));
    assert_eq!((wrong.outcome, wrong.fault), (Outcome::Failed, Some(Fault::Wrong)));
}
