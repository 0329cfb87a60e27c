//! What a mutant writer leaves behind: a file for readers, if it breaks nothing but what binds writers.

use hurray_conformance::candidates::reference::Reference;
use hurray_conformance::judge::Fault;
use hurray_conformance::run::{Files, Wrote, write_on};
use hurray_conformance::transport::{InProcess, Transport as _};
use hurray_corpus::VectorSet;
use hurray_mutants::writer::WRITER_MUTANTS;
use hurray_spec::Rule;

fn wrote_by_the_mutant_of(rule: Rule, id: &str) -> Wrote {
    let set = VectorSet::embedded().expect("the vectors");
    let files = Files::new(&set).expect("room for files");
    let mutant = WRITER_MUTANTS.iter().find(|mutant| mutant.rule == rule).expect("a mutant");
    let mut transport = InProcess::new(Box::new(mutant.mutate(Reference::strict())));
    let hello = transport.hello().clone();
    write_on(&mut transport, set.write(id).expect(id), &hello, &files)
}

#[test]
fn a_file_that_breaks_what_binds_writers_alone_is_one_for_readers() {
    let padded = wrote_by_the_mutant_of(Rule::ContainerCompositeNoPadAfterHead, "write/composites/partition");
    assert_eq!(padded.verdict.fault, Some(Fault::Invalid), "{:?}", padded.verdict);
    assert!(padded.bytes.is_some(), "padding behind a head binds no reader");
    for (rule, id) in [
        // Readers reject a count that nobody knows, and padding binds the file.
        (Rule::CompositeHeadDefiniteCount, "write/composites/partition"),
        (Rule::ContainerRegionDescriptorPadZero, "write/container/one-tensor"),
        // Another file than was described.
        (Rule::IoWriteCompositeOrder, "write/composites/partition"),
    ] {
        let wrote = wrote_by_the_mutant_of(rule, id);
        assert!(wrote.verdict.fault.is_some() && wrote.bytes.is_none(), "{rule}: {:?}", wrote.verdict);
    }
}
