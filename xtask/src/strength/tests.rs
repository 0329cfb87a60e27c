//! Tests that the questions can be answered with no: a suite without the vector that kills, a vector that is not isolated, a
//! rule nobody notices. They take vectors out of the real set, or change what those expect.

use std::sync::OnceLock;

use hurray_conformance::judge::Fault;
use hurray_corpus::{Expect, ExpectValidate, Vector};
use hurray_spec::{Enforced, Rule};

use super::answers::Answers;
use super::*;

const VICTIM: Rule = Rule::ContainerTrailerMagicReject;

fn vectors() -> &'static [Vector] {
    static SET: OnceLock<VectorSet> = OnceLock::new();
    &SET.get_or_init(|| VectorSet::embedded().expect("the vectors")).vectors
}

fn without(is_left_out: impl Fn(&Vector) -> bool) -> Vec<Vector> {
    vectors().iter().filter(|vector| !is_left_out(vector)).cloned().collect()
}

fn lists(vector: &Vector, rule: Rule) -> bool {
    vector.rules.iter().any(|listed| listed.site() == rule.site())
}

fn gaps(ask: fn(&Bench<'_>) -> Answers, vectors: &[Vector]) -> Vec<String> {
    ask(&Bench::new(vectors)).gaps
}

/// Whether `after` has a gap on `word` that `before` has not.
fn is_new(word: &str, before: &[String], after: &[String]) -> bool {
    after.iter().any(|gap| gap.contains(word) && !before.contains(gap))
}

#[test]
fn a_rule_without_its_vectors_is_not_killed() {
    let before = gaps(kills::ask, vectors());
    let after = gaps(kills::ask, &without(|vector| lists(vector, VICTIM)));
    assert!(is_new(VICTIM.id(), &before, &after), "{after:?}");
}

#[test]
fn a_changed_rule_id_alone_is_no_kill() {
    // Of the vectors of this rule only those are left that something else rejects once it is waived, and `validate`
    // is not asked.
    let only_renamed = |vector: &Vector| bench::strict(&[VICTIM], vector).reader.fault == Some(Fault::WrongRule);
    let mut left = without(|vector| lists(vector, VICTIM) && !only_renamed(vector));
    for vector in &mut left {
        vector.validate = ExpectValidate::Any;
    }
    assert!(left.iter().any(|vector| lists(vector, VICTIM)), "there are such vectors");
    let gaps = gaps(kills::ask, &left);
    assert!(gaps.iter().any(|gap| gap.contains(VICTIM.id()) && gap.contains("only the rule id changes")), "{gaps:?}");
}

#[test]
fn a_vector_caught_by_an_unlisted_rule_is_not_isolated() {
    let before = gaps(isolation::ask, vectors());
    let stripped: Vec<Vector> = vectors().iter().map(|vector| Vector { then: Vec::new(), ..vector.clone() }).collect();
    let after = gaps(isolation::ask, &stripped);
    assert!(is_new("still rejected by", &before, &after));
}

#[test]
fn a_bound_without_its_vectors_is_never_seen() {
    let is_bound = |rule: &&Rule| rule.info().enforced == Enforced::Bound;
    let bound = *Rule::ALL.iter().find(is_bound).expect("a bound");
    let before = gaps(bounds::ask, vectors());
    let after = gaps(bounds::ask, &without(|vector| lists(vector, bound)));
    assert!(is_new(bound.id(), &before, &after), "{after:?}");
}

#[test]
fn permissive_reading_without_its_vectors_goes_unnoticed() {
    let before = gaps(permissive::ask, vectors());
    let relaxed = Rule::LayoutExtUnknownReject;
    let after = gaps(permissive::ask, &without(|vector| vector.mode.is_permissive() && lists(vector, relaxed)));
    assert!(is_new(relaxed.id(), &before, &after), "{after:?}");
}

#[test]
fn a_permissive_rejection_that_nothing_depends_on_is_a_gap() {
    let mut changed: Vec<Vector> = vectors().to_vec();
    let vector = changed.iter_mut().find(|vector| vector.id == "permissive/reject/type-00").expect("a vector");
    vector.rules.insert(0, Rule::DescriptorFlagsReservedReject);
    assert!(gaps(permissive::ask, &changed).iter().any(|gap| gap.contains("permissive/reject/type-00")));
}

#[test]
fn a_mutant_without_its_vectors_goes_unnoticed() {
    let rule = Rule::KvSectionEmpty;
    let before = gaps(mutants::ask, vectors());
    let after = gaps(mutants::ask, &without(|vector| vector.rules.contains(&rule)));
    assert!(is_new(rule.id(), &before, &after), "{after:?}");
}

#[test]
fn a_vector_the_reference_does_not_meet_is_a_gap() {
    let mut changed: Vec<Vector> = vectors().to_vec();
    let accepted =
        changed.iter_mut().find(|vector| vector.expect == Expect::Accept && !vector.observe.tensors.is_empty());
    let accepted = accepted.expect("an accepted file");
    accepted.observe.tensors[0].tensor.shape = Some(vec![hurray_adapter::U64(77)]);
    let id = accepted.id.clone();
    assert!(Bench::new(&changed).baseline().gaps.iter().any(|gap| gap.starts_with(&id)));
}
