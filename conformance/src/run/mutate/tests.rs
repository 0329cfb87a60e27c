//! Tests of the run over mutations: a candidate that dies on some bytes is caught, one that only rejects is not.

use hurray_adapter::{Candidate, Failure, Observed, Reader, Source};

use super::*;
use crate::candidates::Start;
use crate::judge::known::KnownFailures;
use crate::run::Silent;

fn set() -> VectorSet {
    VectorSet::embedded().expect("the vectors")
}

/// The reference, but it panics on a file whose header has a flag that does not exist.
struct Fragile(Reference);

impl Candidate for Fragile {
    fn hello(&self) -> Hello {
        self.0.hello()
    }

    fn open(&mut self, source: Source) -> Result<(Observed, Box<dyn Reader>), Failure> {
        let Source::Path(path) = source else { return Err(Failure::Unsupported) };
        let bytes = std::fs::read(&path)?;
        assert!(bytes.get(15).is_none_or(|flags| *flags == 0), "a flag that does not exist");
        self.0.open(Source::Path(path))
    }
}

fn run(make: fn() -> Box<dyn Candidate>) -> (CandidateRun, Tally) {
    let set = set();
    let mutated = mutations(&set, 300, 5);
    let files = (Files::new(&set).expect("room"), Files::new(&mutated).expect("room"));
    let candidate = Prepared {
        name: "mine".to_owned(),
        start: Start::InProcess(make),
        source: None,
        known: KnownFailures::default(),
        known_path: None,
    };
    run_mutations((&set, &files.0), (&mutated, &files.1), &candidate, 5, &Silent)
}

#[test]
fn the_same_seed_gives_the_same_files_in_order() {
    let set = set();
    let files = |seed| mutations(&set, 60, seed).vectors.into_iter().map(|vector| vector.bytes).collect::<Vec<_>>();
    assert_eq!(files(1), files(1));
    assert_ne!(files(1), files(2));
    let ids: Vec<String> = mutations(&set, 60, 1).vectors.into_iter().map(|vector| vector.id).collect();
    assert!(ids.is_sorted() && ids.len() == 60);
}

#[test]
fn any_answer_will_do() {
    let (run, tally) = run(|| Box::new(Reference::strict()));
    assert!(run.broken.is_none() && !run.fails());
    assert_eq!(run.results.len(), 300);
    assert!(tally.keys().all(|(candidate, beside)| candidate == beside), "the reference agrees with itself: {tally:?}");
    assert!(tally.len() >= 2, "some are accepted, some rejected: {tally:?}");
}

#[test]
fn a_death_belongs_to_its_file_and_the_run_goes_on() {
    let (run, tally) = run(|| Box::new(Fragile(Reference::strict())));
    assert!(run.broken.is_none() && run.fails());
    let died = run.results.iter().filter(|scored| scored.verdict.outcome == Outcome::Died).count();
    assert!(died > 0 && died < 100, "{died}");
    assert_eq!(run.results.len(), 300);
    assert_eq!(tally.iter().filter(|((answer, _), _)| answer == "died").map(|(_, count)| count).sum::<usize>(), died);
}
