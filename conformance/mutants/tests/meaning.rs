//! Places and values of single elements are looked at: who gives others is noticed by a vector of the rule at stake.

use hurray_adapter::Candidate as _;
use hurray_conformance::candidates::reference::Reference;
use hurray_conformance::judge::profile::Profile;
use hurray_conformance::run::judge_on;
use hurray_conformance::transport::{InProcess, JobSource};
use hurray_corpus::VectorSet;
use hurray_mutants::READER_MUTANTS;

#[test]
fn every_habit_with_elements_is_noticed_by_a_vector_of_its_rule() {
    let set = VectorSet::embedded().expect("a sound suite");
    let hello = Reference::strict().hello();
    let with_elements: Vec<_> = set.vectors.iter().filter(|vector| !vector.meaning.is_empty()).collect();
    let is_stated = |rule| with_elements.iter().any(|vector| vector.rules.contains(rule));
    let areas = ["layout", "type", "quant"];
    let habits = READER_MUTANTS.iter().filter(|habit| areas.contains(&habit.rule.area()) && is_stated(&habit.rule));
    let mut count = 0;
    for mutant in habits {
        let noticed = set.vectors.iter().filter(|vector| vector.rules.contains(&mutant.rule)).any(|vector| {
            let mut transport = InProcess::new(Box::new(mutant.mutate(Reference::waiving(mutant.waive))));
            let source = JobSource::Served(&vector.bytes);
            judge_on(&mut transport, vector, &hello, source, Profile::Reader).fault.is_some()
        });
        assert!(noticed, "{}: {}", mutant.rule, mutant.name);
        count += 1;
    }
    assert!(count >= 29, "{count} habits with elements");
}
