//! Any valid model is written, read back as itself and written again as the same bytes; any composite too; and no damage to
//! one makes anything panic.

mod common;

use std::collections::BTreeSet;
use std::convert::Infallible;

use common::models::{Model, Tree, model, tree};
use common::{Dice, drain, drive, exercise, mutate, touch};
use hurray_reference::{
    Composite, ElementType, Error, FileCompositeNode, FileItem, FileReaderCore, FileStep, FileWriterCore,
    LayoutDescriptor, Policy, Report, decode_descriptor, flatten_composite, validate,
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

/// What is drawn of one tensor: its layout beside each optional part, its type, its emptiness.
fn traits(model: &Model, seen: &mut BTreeSet<String>) {
    let descriptor = &model.descriptor;
    let layout = descriptor.layout.name().unwrap_or("private");
    seen.insert(descriptor.element_type.name().unwrap_or("private type").to_owned());
    let parts = [
        Some("alone"),
        descriptor.shape.dims().contains(&0).then_some("empty"),
        descriptor.quantization.and_then(|quantization| quantization.scheme.name()),
        descriptor.shard.as_ref().map(|_| "shard"),
        descriptor.statistics.map(|_| "statistics"),
        descriptor.extension.map(|_| "extension"),
        descriptor.member_role.map(|_| "member"),
        (descriptor.quantization.is_some() && descriptor.shard.is_some() && descriptor.statistics.is_some())
            .then_some("three sections"),
    ];
    seen.extend(parts.into_iter().flatten().map(|part| format!("{layout} {part}")));
}

/// What is drawn of a composite: its rule beside the layouts and schemes of its members, how deep it goes.
fn traits_of_tree(tree: &Tree, depth: usize, seen: &mut BTreeSet<String>) {
    let LayoutDescriptor::Composite(head) = tree.model.descriptor.layout else {
        return traits(&tree.model, seen);
    };
    traits(&tree.model, seen);
    let rule = ["", "partition", "overlay", "group"][usize::from(head.composition_rule.0)];
    seen.insert(format!("{rule} at depth {depth}"));
    seen.extend(tree.members.is_empty().then(|| format!("{rule} of none")));
    for member in &tree.members {
        let descriptor = &member.model.descriptor;
        seen.extend(descriptor.layout.name().map(|layout| format!("{rule} of {layout}")));
        seen.extend(descriptor.quantization.map(|_| format!("{rule} of quantized")));
        traits_of_tree(member, depth + 1, seen);
    }
}

/// The layouts that may stand in a file, heads apart, each with what may not be beside it.
const LAYOUTS: [(&str, &[&str]); 11] = [
    ("row_major", &[]),
    ("column_major", &[]),
    ("strided", &["nf4", "mxfp"]),
    ("tiled", &["nf4", "mxfp"]),
    ("morton", &["nf4", "mxfp"]),
    ("hilbert", &["nf4", "mxfp", "empty"]),
    ("coo", &["per_block", "nf4", "mxfp"]),
    ("csr", &["per_block", "nf4", "mxfp"]),
    ("csc", &["per_block", "nf4", "mxfp"]),
    ("csf", &["per_block", "nf4", "mxfp", "shard", "three sections"]),
    ("block_paged", &["nf4", "mxfp", "shard", "three sections"]),
];

/// Everything the strategies have to draw.
fn wanted() -> BTreeSet<String> {
    const PARTS: [&str; 11] = [
        "alone",
        "empty",
        "per_tensor",
        "per_channel",
        "per_block",
        "nf4",
        "mxfp",
        "shard",
        "statistics",
        "extension",
        "three sections",
    ];
    let mut wanted: BTreeSet<String> =
        ElementType::ALL.iter().filter_map(|kind| kind.name()).chain(["private type"]).map(str::to_owned).collect();
    for (layout, without) in LAYOUTS {
        wanted.extend(PARTS.iter().filter(|part| !without.contains(part)).map(|part| format!("{layout} {part}")));
        wanted.insert(format!("group of {layout}"));
    }
    // A member of a partition or an overlay has its place and its shape.
    for layout in &LAYOUTS[..9] {
        let layout = layout.0;
        if layout != "hilbert" {
            wanted.extend([
                format!("partition of {layout}"),
                format!("overlay of {layout}"),
                format!("{layout} member"),
            ]);
        }
    }
    for rule in ["partition", "overlay", "group"] {
        wanted.extend((0..4).map(|depth| format!("{rule} at depth {depth}")));
        wanted.insert(format!("{rule} of quantized"));
    }
    wanted.extend(["partition", "group"].map(|rule| format!("{rule} of composite_head")));
    wanted.insert("group of none".to_owned());
    wanted.extend(["alone", "empty", "shard", "statistics"].map(|part| format!("composite_head {part}")));
    wanted
}

#[test]
fn the_strategies_reach_every_layout_with_every_part_and_every_composite() {
    let mut runner = TestRunner::deterministic();
    let mut seen = BTreeSet::new();
    for _ in 0..10_000 {
        traits(&model().new_tree(&mut runner).unwrap().current(), &mut seen);
        traits_of_tree(&tree().new_tree(&mut runner).unwrap().current(), 0, &mut seen);
    }
    let wanted = wanted();
    assert_eq!(wanted.difference(&seen).collect::<Vec<_>>(), Vec::<&String>::new(), "never drawn");
    assert_eq!(seen.difference(&wanted).collect::<Vec<_>>(), Vec::<&String>::new(), "drawn and not asked for");
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
            touch(&read.descriptor, &read.buffers);
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
    fn elements_of_damaged_buffers_end_in_an_answer(model in model(), seed: u64) {
        let (mut dice, mut buffers) = (Dice(seed), model.buffers.clone());
        for buffer in &mut buffers {
            let word = [0, 1, 7, u64::MAX, 1 << 63, u64::MAX / 8 + 1, 1 << 32][dice.below(7)].to_le_bytes();
            let at = dice.below(buffer.len() / 4 + 1) * 4;
            buffer.iter_mut().skip(at).zip(word).for_each(|(to, from)| *to = from);
            if dice.below(8) == 0 {
                buffer.truncate(at);
            }
        }
        touch(&model.descriptor, &buffers);
        buffers.truncate(dice.below(buffers.len() + 1));
        touch(&model.descriptor, &buffers);
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
            for policy in [Policy::strict(), Policy::permissive(), Policy::collecting()] {
                // The first descriptor, by itself.
                let _ = decode_descriptor(file.get(64..).unwrap_or_default(), policy);
            }
            let _ = report(&file);
            let mut core = FileReaderCore::with_policy(file.len() as u64, Policy::permissive());
            let open = drive(&mut core, &file, usize::MAX, &mut Vec::new());
            if open.is_ok() && core.begin_composite("w").is_ok() {
                let _ = drive(&mut core, &file, usize::MAX, &mut Vec::new());
            }
        }
    }
}
