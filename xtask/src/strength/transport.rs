//! Whether the mutants of the I/O contract are noticed: each has to be named by some schedule, by the clause it breaks,
//! and the reference by none. Owns that question; habits and schedules are the harness's.

use hurray_adapter::Hello;
use hurray_conformance::candidates::reference::Reference;
use hurray_conformance::judge::{Outcome, Verdict};
use hurray_conformance::run::sweep::{Faults, Reading, UnderSchedules as _, Writing};
use hurray_conformance::transport::{InProcess, Transport};
use hurray_corpus::Vector;
use hurray_corpus::schedule::{ScheduleList, Side};
use hurray_mutants::{TRANSFER_MUTANTS, TransferMutant};
use hurray_spec::{Enforced, Rule};

use super::answers::Answers;
use super::bench::{Bench, text};

/// The files that are read. Small ones that together have everything a reader can be careless with.
const READ: &[&str] = &["bases/pair", "bases/partition", "bases/three", "bases/two-buffers", "bases/with-kv"];

/// Clauses that nobody can see from outside, and why.
const UNSEEN: &[(Rule, &str)] = &[
    (Rule::IoReadAdvanceOnReport, "a lost count is seen as io.read.abandoned-reoffered and io.read.refill-idempotent"),
    (Rule::IoReadDstExact, "where bytes are put is seen by nobody but the reader"),
    (Rule::IoReadKvBorrowConsistent, "no operation hands the entries of one file to another"),
    (Rule::IoReadNonblockingStep, "what is done between two reads is not seen"),
    (Rule::IoReadOpenFailureTerminal, "the protocol knows no step on a file that was not opened"),
    (Rule::IoReadSingleCopy, "copies inside a reader are not seen but by their alignment"),
    (Rule::IoReadSizeOnce, "the size is told with the source"),
    (Rule::IoReadTruncationInJob, "an early end that ends more than its job is seen as io.read.zero-truncated"),
    (Rule::IoWriteCompositeOrder, "the order of members is judged in the file"),
    (Rule::IoWriteForwardPass, "a served sink takes bytes in order alone"),
    (Rule::IoWriteInPlacePayload, "where bytes come from is seen by nobody but the writer"),
    (Rule::IoWriteNoRetainedPayload, "what a writer keeps is not seen"),
    (Rule::IoWriteUnusableQuery, "a recommendation: who does not tell its state is judged by what it does"),
];

/// Asks every clause of the contract.
pub(super) fn ask(bench: &Bench<'_>, list: &ScheduleList) -> Answers {
    let mut answers = Answers::new("I/O contract");
    let vectors: Vec<&Vector> = bench.met().filter(|vector| READ.contains(&vector.id.as_str())).collect();
    for (side, verdict) in verdicts(&vectors, list, None) {
        if is_bad(&verdict) {
            answers.gap("not kept", format!("the reference does not keep the contract, {side}: {}", text(&verdict)));
        }
    }
    for rule in Rule::ALL.iter().filter(|rule| rule.info().enforced == Enforced::Schedule) {
        let mutants: Vec<&TransferMutant> = TRANSFER_MUTANTS.iter().filter(|mutant| mutant.rule == *rule).collect();
        match UNSEEN.iter().find(|(unseen, _)| unseen == rule) {
            Some((_, why)) if mutants.is_empty() => {
                answers.count("explained");
                answers.lines.push(format!("{rule}: {why}"));
            }
            None if mutants.is_empty() => {
                answers.gap("without a mutant", format!("{rule}: no mutant breaks it"));
            }
            _ => mutants.into_iter().for_each(|mutant| noticed(mutant, &vectors, list, &mut answers)),
        }
    }
    answers
}

fn noticed(mutant: &TransferMutant, vectors: &[&Vector], list: &ScheduleList, answers: &mut Answers) {
    let TransferMutant { rule, name, .. } = mutant;
    let mut others = Vec::new();
    for (schedule, verdict) in verdicts(vectors, list, Some(mutant)) {
        if verdict.breaks.contains(rule) {
            answers.count("noticed");
            answers.lines.push(format!("{rule}: \"{name}\" noticed under {schedule}"));
            return;
        }
        others.extend(verdict.breaks.iter().map(|other| format!("{other} under {schedule}")));
    }
    let others = others.first().map(|first| format!("; the first of other clauses is {first}")).unwrap_or_default();
    answers.gap("not noticed", format!("{rule}: \"{name}\" is named by no schedule{others}"));
}

/// What comes of each schedule, as far as somebody asks.
fn verdicts<'a>(
    vectors: &'a [&'a Vector],
    list: &'a ScheduleList,
    mutant: Option<&'a TransferMutant>,
) -> impl Iterator<Item = (String, Verdict)> + 'a {
    let reads = mutant.is_none_or(|mutant| !mutant.writes());
    let writes = mutant.is_none_or(TransferMutant::writes);
    let read = vectors.iter().filter(move |_| reads).flat_map(move |vector| {
        list.of(Side::Source).map(move |listed| {
            let (mut transport, hello) = candidate(mutant);
            let verdict = Reading::begin(Faults::Served(transport.as_mut()), &hello, vector).listed(listed);
            (format!("{} over {}", listed.id, vector.id), verdict)
        })
    });
    let written = list.models.iter().filter(move |_| writes).flat_map(move |(name, file)| {
        list.of(Side::Sink).map(move |listed| {
            let (mut transport, hello) = candidate(mutant);
            let verdict = Writing::begin(Faults::Served(transport.as_mut()), &hello, name, file).listed(listed);
            (format!("{} over models/{name}", listed.id), verdict)
        })
    });
    read.chain(written)
}

fn candidate(mutant: Option<&TransferMutant>) -> (Box<dyn Transport>, Hello) {
    let transport = match mutant {
        Some(mutant) => InProcess::new(Box::new(mutant.mutate(Reference::strict()))),
        None => InProcess::new(Box::new(Reference::strict())),
    };
    let hello = transport.hello().clone();
    (Box::new(transport), hello)
}

fn is_bad(verdict: &Verdict) -> bool {
    !matches!(verdict.outcome, Outcome::Passed | Outcome::Contested)
}
