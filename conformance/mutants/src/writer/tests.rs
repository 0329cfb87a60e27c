//! Habits are habits: each changes what the reference writes of the vectors that list its duty, and the table names each
//! duty of writers once at least. That they are noticed is for `cargo xtask strength`.

use super::*;
use hurray_conformance::candidates::reference::Reference;
use hurray_conformance::run::{Files, write_on};
use hurray_conformance::transport::{InProcess, Transport};
use hurray_corpus::VectorSet;
use hurray_spec::{Enforced, Kind};

#[test]
fn every_duty_has_a_writer_that_neglects_it() {
    for rule in Rule::ALL.iter().filter(|rule| rule.info().enforced == Enforced::Writer) {
        assert!(WRITER_MUTANTS.iter().any(|mutant| mutant.rule == *rule), "{rule}");
    }
    for mutant in WRITER_MUTANTS {
        let is_duty = matches!(mutant.rule.info().kind, Kind::Writer | Kind::Io | Kind::File);
        assert!(is_duty, "{} is no duty of writers", mutant.rule);
    }
}

#[test]
fn a_few_of_them_are_noticed_by_name() {
    let set = VectorSet::embedded().expect("the vectors");
    let files = Files::new(&set).expect("room for files");
    for (rule, id) in [
        (Rule::ContainerHeaderHintUnknown, "write/container/one-tensor"),
        (Rule::IoWriteKvKeysRefused, "write/kv/empty-key"),
        (Rule::IoWriteScheduleIdentical, "write/container/three-tensors"),
        (Rule::CompositeHeadDefiniteCount, "write/composites/partition"),
    ] {
        let mutant = WRITER_MUTANTS.iter().find(|mutant| mutant.rule == rule).expect("a mutant");
        let mut transport = InProcess::new(Box::new(mutant.mutate(Reference::strict())));
        let hello = transport.hello().clone();
        let verdict = write_on(&mut transport, set.write(id).expect(id), &hello, &files).verdict;
        assert!(verdict.fault.is_some() && verdict.breaks.contains(&rule), "{rule}: {verdict:?}");
    }
}
