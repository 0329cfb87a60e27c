//! Any valid model is written, read back as itself and written again as the same bytes; any composite too; and no damage to
//! one makes anything panic.

mod common;

use std::collections::BTreeSet;
use std::convert::Infallible;

use common::models::{Model, Tree, model, tree};
use common::{Dice, drain, drive, exercise, mutate};
use hurray_reference::{
    Composite, Error, FileCompositeNode, FileItem, FileReaderCore, FileStep, FileWriterCore, LayoutDescriptor, Policy,
    Report, flatten_composite, validate,
};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

fn report(file: &[u8]) -> Report {
    let read = |offset: u64, dst: &mut [u8]| {
        let rest = file.get(offset as usize..).unwrap_or_default();
        let filled = rest.len().min(dst.len());
        dst[..filled].copy_from_slice(&rest[..filled]);
        Ok::<_, Infallible>(filled)
    };
    validate(file.len() as u64, &Policy::strict(), read).unwrap_or_else(|never| match never {})
}

fn write(models: &[Model]) -> Vec<u8> {
    let (mut file, mut core) = (Vec::new(), FileWriterCore::new());
    drain(core.header().unwrap(), usize::MAX, &mut file).unwrap();
    for (at, model) in models.iter().enumerate() {
        let payloads = model.payloads();
        let op = core.tensor(&format!("t{at}"), &model.descriptor, &payloads);
        drain(op.unwrap_or_else(|error| panic!("{error}: {model:?}")), usize::MAX, &mut file).unwrap();
    }
    drain(core.finish(vec![]).unwrap(), usize::MAX, &mut file).unwrap();
    file
}

fn opened(file: &[u8]) -> FileReaderCore {
    let mut core = FileReaderCore::new(file.len() as u64);
    assert_eq!(drive(&mut core, file, usize::MAX, &mut Vec::new()), Ok(FileStep::Ready));
    core
}

/// The file of one composite named `w`, written tensor by tensor.
fn write_tree(tree: &Tree) -> Vec<u8> {
    let FileCompositeNode::Composite { name, head, members } = tree.leak() else { panic!("{tree:?}") };
    let nodes = flatten_composite(name, head, members).unwrap_or_else(|error| panic!("{error}: {tree:?}"));
    let (mut file, mut core) = (Vec::new(), FileWriterCore::new());
    drain(core.header().unwrap(), usize::MAX, &mut file).unwrap();
    for node in nodes {
        drain(core.tensor(node.name, node.descriptor, node.buffers).unwrap(), usize::MAX, &mut file).unwrap();
    }
    drain(core.finish(vec![]).unwrap(), usize::MAX, &mut file).unwrap();
    file
}

fn gather(file: &[u8]) -> Result<Composite, Error> {
    let mut core = opened(file);
    core.begin_composite("w")?;
    assert_eq!(drive(&mut core, file, 4096, &mut Vec::new())?, FileStep::Composite);
    Ok(core.take_composite().unwrap())
}

fn assert_same(read: &Composite, given: &Tree) {
    assert!(read.is_complete);
    assert_eq!((&read.name[..], &read.descriptor), (given.name.as_bytes(), &given.model.descriptor));
    assert_eq!(read.members.len(), given.members.len());
    for (read, given) in read.members.iter().zip(&given.members) {
        match read {
            FileItem::Composite(read) => assert_same(read, given),
            FileItem::Tensor(read) => {
                assert_eq!((&read.name[..], &read.descriptor), (given.name.as_bytes(), &given.model.descriptor));
                let buffers: Vec<&[u8]> = read.buffers.iter().map(AsRef::as_ref).collect();
                assert_eq!(buffers, given.model.payloads());
            }
        }
    }
}

#[test]
fn the_strategies_reach_every_type_layout_scheme_section_and_rule() {
    let mut runner = TestRunner::deterministic();
    let mut seen = BTreeSet::new();
    for _ in 0..4_000 {
        let descriptor = model().new_tree(&mut runner).unwrap().current().descriptor;
        seen.insert(descriptor.element_type.name().unwrap_or("private"));
        seen.extend(descriptor.layout.name());
        seen.extend(descriptor.quantization.and_then(|quantization| quantization.scheme.name()));
        seen.extend(descriptor.shard.map(|_| "shard"));
        seen.extend(descriptor.statistics.map(|_| "statistics"));
        seen.extend(descriptor.shape.dims().contains(&0).then_some("empty"));
        let tree = tree().new_tree(&mut runner).unwrap().current();
        let is_deep = tree.members.iter().any(|member| member.members.iter().any(|inner| !inner.members.is_empty()));
        seen.extend(is_deep.then_some("deep"));
        if let LayoutDescriptor::Composite(head) = tree.model.descriptor.layout {
            seen.insert(["", "partition", "overlay", "group"][usize::from(head.composition_rule.0)]);
        }
    }
    // 26 types and private ones, eleven layouts besides heads, five schemes, and seven more.
    assert_eq!(seen.len(), 27 + 11 + 5 + 7, "{seen:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_model_is_read_back_as_itself_and_written_again_as_the_same_bytes(
        models in prop::collection::vec(model(), 1..4),
    ) {
        let file = write(&models);
        let mut core = opened(&file);
        let mut again = Vec::new();
        for (at, model) in models.iter().enumerate() {
            core.begin_tensor(format!("t{at}")).unwrap();
            prop_assert_eq!(drive(&mut core, &file, usize::MAX, &mut Vec::new()), Ok(FileStep::Tensor));
            let read = core.take_tensor().unwrap();
            let buffers = read.buffers.iter().map(|buffer| buffer.to_vec()).collect();
            let read = Model { descriptor: read.descriptor, buffers };
            prop_assert_eq!(&read.descriptor, &model.descriptor);
            prop_assert_eq!(&read.buffers, &model.buffers);
            again.push(read);
        }
        prop_assert!(write(&again) == file);
        let report = report(&file);
        prop_assert_eq!((report.findings, report.error), (vec![], None));
    }

    #[test]
    fn any_composite_is_flattened_written_read_back_and_conforming(tree in tree()) {
        let file = write_tree(&tree);
        assert_same(&gather(&file).unwrap(), &tree);
        let report = report(&file);
        prop_assert_eq!((report.findings, report.error), (vec![], None));
    }

    #[test]
    fn no_damage_to_any_model_makes_anything_panic(model in model(), tree in tree(), seed: u64) {
        let mut dice = Dice(seed);
        for mut file in [write(&[model]), write_tree(&tree)] {
            mutate(&mut file, &mut dice);
            // Descriptors come first, and are few of the bytes.
            for _ in 0..dice.below(4) {
                let at = dice.below(file.len().min(400));
                file[at] = [0, 1, 4, 0x0B, 0x7F, 0xFF][dice.below(6)];
            }
            exercise(&file);
            let _ = report(&file);
            let mut core = FileReaderCore::with_policy(file.len() as u64, Policy::permissive());
            let open = drive(&mut core, &file, usize::MAX, &mut Vec::new());
            if open.is_ok() && core.begin_composite("w").is_ok() {
                let _ = drive(&mut core, &file, usize::MAX, &mut Vec::new());
            }
        }
    }
}
