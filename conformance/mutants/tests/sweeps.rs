//! Sweeps on candidates of this process: who claims nothing, and who goes past the transport.

use std::sync::Arc;

use hurray_adapter::{
    Answer, Candidate, Failure, Hello, MemorySource, Observed, Reader, Sink, Source, WriteOptions, Writer,
};
use hurray_spec::Rule;

use hurray_conformance::candidates::reference::Reference;
use hurray_conformance::judge::Outcome;
use hurray_conformance::run::sweep::sweep_on;
use hurray_conformance::run::{Scored, Selection};
use hurray_conformance::transport::InProcess;
use hurray_corpus::schedule::ScheduleList;
use hurray_corpus::{Class, VectorSet};
use hurray_mutants::{TRANSFER_MUTANTS, TransferMutant};

/// A candidate without its claim of the contract.
struct Loose<C>(C);

impl<C: Candidate> Candidate for Loose<C> {
    fn hello(&self) -> Hello {
        Hello { io_contract: false, ..self.0.hello() }
    }

    fn open(&mut self, source: Source) -> Result<(Observed, Box<dyn Reader>), Failure> {
        self.0.open(source)
    }

    fn validate(&mut self, source: Source) -> Answer {
        self.0.validate(source)
    }

    fn create(&mut self, sink: Sink, options: &WriteOptions) -> Result<Box<dyn Writer>, Failure> {
        self.0.create(sink, options)
    }
}

/// Says that it is served, and reads and writes somewhere else.
struct GoesPast(Reference, Arc<[u8]>);

impl Candidate for GoesPast {
    fn hello(&self) -> Hello {
        self.0.hello()
    }

    fn open(&mut self, _source: Source) -> Result<(Observed, Box<dyn Reader>), Failure> {
        self.0.open(Source::Served(Box::new(MemorySource(Arc::clone(&self.1)))))
    }

    fn create(&mut self, _sink: Sink, options: &WriteOptions) -> Result<Box<dyn Writer>, Failure> {
        self.0.create(Sink::Served(Box::new(Vec::new())), options)
    }
}

fn set() -> VectorSet {
    let mut set = VectorSet::embedded().expect("the vectors");
    set.vectors.retain(|vector| vector.id == "bases/pair");
    set
}

/// All sweeps over one base and two models.
fn swept(set: &VectorSet, candidate: impl Candidate + 'static) -> Vec<Scored> {
    filtered(set, candidate, "schedules/*")
}

/// The one sweep of that id.
fn one(set: &VectorSet, candidate: impl Candidate + 'static, id: &str) -> Scored {
    let results = filtered(set, candidate, id);
    assert_eq!(results.len(), 1, "{id}");
    results.into_iter().next().expect("one")
}

fn filtered(set: &VectorSet, candidate: impl Candidate + 'static, filter: &str) -> Vec<Scored> {
    scheduled(set, candidate, filter, None)
}

fn scheduled(
    set: &VectorSet,
    candidate: impl Candidate + 'static,
    filter: &str,
    schedule: Option<&str>,
) -> Vec<Scored> {
    let filter = globset::Glob::new(filter).expect("a pattern").compile_matcher();
    let schedules = ScheduleList::embedded().expect("the lists");
    let schedule = schedule.map(|text| text.parse().expect("a schedule"));
    let mut selection = Selection { schedules, filter: Some(filter), schedule, ..Selection::everything(7) };
    selection.schedules.models.retain(|(name, _)| ["two-tensors", "partition-and-tensor"].contains(&name.as_str()));
    sweep_on(set, &selection, &mut InProcess::new(Box::new(candidate)))
}

fn outcomes(results: &[Scored]) -> Vec<(&str, Outcome)> {
    results.iter().map(|scored| (scored.id.as_str(), scored.verdict.outcome)).collect()
}

fn mutant(name: &str) -> &'static TransferMutant {
    TRANSFER_MUTANTS.iter().find(|mutant| mutant.name == name).expect("it is in the table")
}

#[test]
fn who_claims_nothing_is_asked_for_what_holds_for_everybody() {
    let set = set();
    let (bound, loose) = (swept(&set, Reference::strict()), swept(&set, Loose(Reference::strict())));
    assert!(loose.iter().all(|scored| matches!(scored.verdict.outcome, Outcome::Passed | Outcome::Contested)));
    let only_bound: Vec<&str> = bound
        .iter()
        .map(|scored| scored.id.as_str())
        .filter(|id| !loose.iter().any(|scored| scored.id == *id))
        .collect();
    assert_eq!(
        only_bound,
        [
            "schedules/source/as-asked/pair",
            "schedules/source/too-many/pair",
            "schedules/sink/as-offered/partition-and-tensor",
            "schedules/sink/too-many/partition-and-tensor",
            "schedules/sink/as-offered/two-tensors",
            "schedules/sink/too-many/two-tensors",
        ]
    );
    let ids: Vec<String> = loose.iter().map(|scored| scored.id.clone()).collect();
    assert_eq!(bound.len(), ids.len() + only_bound.len());
}

/// What is broken under a benign, a failing and a lying schedule, by who claims nothing.
#[test]
fn who_claims_nothing_loses_and_makes_up_nothing_either() {
    let set = set();
    for (name, id, rule) in [
        ("drops a byte after a short read", "schedules/source/one-byte/pair", Rule::IoReadOneByteReads),
        ("swallows an error", "schedules/source/fail-once/pair", Rule::IoReadTransportErrorRetryable),
        ("takes the end for the whole range", "schedules/source/emptied/pair", Rule::IoReadZeroTruncated),
        ("opens whatever there is", "schedules/source/unfinished/pair", Rule::IoWriteNotAFileBeforeFinish),
        ("drops the rest of a short write", "schedules/sink/one-byte/two-tensors", Rule::IoWriteShortWriteResumes),
        ("pads after an interruption", "schedules/sink/interrupted/two-tensors", Rule::IoWriteScheduleIdentical),
        ("takes 0 for done", "schedules/sink/zero/two-tensors", Rule::IoWriteZeroWriteClosed),
        ("finishes a torn file", "schedules/sink/full/two-tensors", Rule::IoWriteFinishRefusesWhenPoisoned),
    ] {
        let verdict = one(&set, Loose(mutant(name).mutate(Reference::strict())), id).verdict;
        assert_eq!(
            (verdict.outcome, verdict.breaks.as_slice()),
            (Outcome::Failed, [rule].as_slice()),
            "{name}: {verdict:?}"
        );
    }
}

/// Which clauses are broken by what nobody but who claims the contract owes.
#[test]
fn habits_that_only_the_contract_forbids_are_nobody_elses_fault() {
    let set = set();
    for (name, ids) in [
        ("reads everything at open", "schedules/source/{one-byte,split,fail-once}/pair"),
        ("asks for no bytes", "schedules/source/{one-byte,fail-once,lose-count}/pair"),
        ("gives up after a failed job", "schedules/source/{fail-once,fail-sticky}/pair"),
        ("fails the repeat of a failed job", "schedules/source/{fail-once,fail-sticky}/pair"),
    ] {
        let results = filtered(&set, Loose(mutant(name).mutate(Reference::strict())), ids);
        let bad: Vec<_> = results.iter().filter(|scored| scored.verdict.fault.is_some()).collect();
        assert!(bad.is_empty() && results.len() > 1, "{name}: {:?}", bad.first().map(|bad| (&bad.id, &bad.verdict)));
    }
    let gives_up = Loose(mutant("gives up when interrupted").mutate(Reference::strict()));
    let scored = one(&set, gives_up, "schedules/source/interrupted/pair");
    let shown = (scored.class, scored.verdict.outcome, scored.verdict.strict);
    assert_eq!(shown, (Class::Contested, Outcome::Contested, Some(false)), "{scored:?}");
}

#[test]
fn what_the_rulings_leave_open_is_told_of_who_claims_the_contract_too() {
    let results = swept(&set(), Reference::strict());
    let contested: Vec<&str> =
        results.iter().filter(|scored| scored.class == Class::Contested).map(|scored| scored.id.as_str()).collect();
    for id in [
        "schedules/sink/zero/two-tensors",
        "schedules/sink/closed/two-tensors",
        "schedules/sink/fail-once/partition-and-tensor",
    ] {
        assert!(contested.contains(&id), "{id} is not among {contested:?}");
    }
    assert!(contested.iter().all(|id| id.starts_with("schedules/sink/")), "{contested:?}");
}

/// A sweep in which the run without a fault shows no operation says nothing, and never passes.
#[test]
fn of_who_goes_past_the_transport_nothing_is_said() {
    let set = set();
    let bytes = Arc::clone(&set.vectors[0].bytes);
    let bound = swept(&set, GoesPast(Reference::strict(), Arc::clone(&bytes)));
    let loose = swept(&set, Loose(GoesPast(Reference::strict(), bytes)));
    let cut = |is_bound| {
        let past = GoesPast(Reference::strict(), Arc::clone(&set.vectors[0].bytes));
        match is_bound {
            true => scheduled(&set, past, "bases/pair", Some("cut 9")),
            false => scheduled(&set, Loose(past), "bases/pair", Some("cut 9")),
        }
    };
    let cuts = [cut(true), cut(false)].concat();
    assert!(cuts.len() == 2 && cuts.iter().all(|cut| cut.verdict.outcome == Outcome::Unsupported), "{cuts:?}");
    for results in [bound, loose] {
        let said: Vec<_> =
            outcomes(&results).into_iter().filter(|(_, outcome)| *outcome != Outcome::Unsupported).collect();
        assert!(said.is_empty() && results.len() > 30, "{} results, {said:?}", results.len());
    }
}

/// The careless habits that a suite of the contract is there for, each with a sweep that names it.
#[test]
fn every_careless_habit_is_caught_by_name() {
    let set = set();
    for (name, id, rule) in [
        ("drops a byte after a short read", "source/seven-bytes/pair", Rule::IoReadShortReadResumes),
        ("retries from the wrong offset", "source/interrupted/pair", Rule::IoReadAbandonedReoffered),
        ("swallows an error", "source/fail-once/pair", Rule::IoReadTransportErrorRetryable),
        ("asks for no bytes", "source/as-asked/pair", Rule::IoReadTensorRanges),
        ("reads everything at open", "source/as-asked/pair", Rule::IoReadOpenNoTensorBytes),
        ("copies buffers", "source/as-asked/pair", Rule::IoReadBufferAlignment),
        ("keeps the name of a failed item", "sink/fail-once/two-tensors", Rule::IoWriteRetryNameFree),
        ("writes an index over a torn region", "sink/full/two-tensors", Rule::IoWriteFinishRefusesWhenPoisoned),
        ("takes 0 for done", "sink/zero/two-tensors", Rule::IoWriteZeroWriteClosed),
        (
            "goes on behind a torn composite",
            "sink/fail-once/partition-and-tensor",
            Rule::IoWriteFailAfterFirstByteTerminal,
        ),
    ] {
        let verdict = one(&set, mutant(name).mutate(Reference::strict()), &format!("schedules/{id}")).verdict;
        assert_eq!(
            (verdict.outcome, verdict.breaks.as_slice()),
            (Outcome::Failed, [rule].as_slice()),
            "{name}: {verdict:?}"
        );
        assert!(verdict.injected.is_some(), "{name}: nothing tells how to see it again");
    }
    let greedy = mutant("reads everything at open").mutate(Reference::strict());
    let told = one(&set, greedy, "schedules/source/as-asked/pair").verdict.actual;
    assert!(told.starts_with("read ") && told.contains("of payload to open the file ("), "{told}");
    assert!(told.contains(" calls for ") && told.ends_with("in all, memory not measured)"), "{told}");
}
