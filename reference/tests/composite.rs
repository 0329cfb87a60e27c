//! Composites in files: gathered by offset, judged as a whole, written without padding behind the head.

mod common;

use std::convert::Infallible;

use common::{drain, drive, ramp};
use hurray_reference::{
    CompositeHead, CompositionRule, ElementType, Error, FileReaderCore, FileWriterCore, LayoutDescriptor, Policy,
    Shape, Shard, TensorDescriptor, validate,
};
use hurray_spec::Rule;

/// A composite of a head over four elements and members `[low, high)` of it.
fn partition(count: u32, members: &[(u64, u64)]) -> Vec<u8> {
    let (mut file, mut core) = (Vec::new(), FileWriterCore::new());
    drain(core.header().unwrap(), usize::MAX, &mut file).unwrap();
    let fields = CompositeHead { composition_rule: CompositionRule::PARTITION, combine_op: 0, member_count: count };
    let shape = Shape::new(vec![4]);
    let head = TensorDescriptor::new(ElementType::Uint8, shape, LayoutDescriptor::Composite(fields), vec![]);
    drain(core.tensor("head", &head, &[]).unwrap(), usize::MAX, &mut file).unwrap();
    for (at, (low, high)) in members.iter().enumerate() {
        let shard = Some(Shard { parent_shape: vec![4], shard_offset: vec![*low] });
        let given = ramp("", ElementType::Uint8, &[high - low], 64);
        let descriptor = TensorDescriptor { shard, ..given.descriptor };
        let name = format!("member {at}");
        drain(core.tensor(&name, &descriptor, &[&given.data]).unwrap(), usize::MAX, &mut file).unwrap();
    }
    drain(core.finish(vec![]).unwrap(), usize::MAX, &mut file).unwrap();
    file
}

#[test]
fn composites_are_judged_as_a_whole() {
    let rules = |file: &[u8]| {
        let read = |offset: u64, dst: &mut [u8]| {
            let rest = file.get(offset as usize..).unwrap_or_default();
            let filled = rest.len().min(dst.len());
            dst[..filled].copy_from_slice(&rest[..filled]);
            Ok::<_, Infallible>(filled)
        };
        let report = validate(file.len() as u64, &Policy::strict(), read).unwrap();
        report.findings.iter().map(|finding| finding.rule).collect::<Vec<_>>()
    };
    assert_eq!(rules(&partition(2, &[(0, 1), (1, 4)])), []);
    assert_eq!(rules(&partition(2, &[(0, 1), (2, 4)])), [Rule::CompositePartitionExactCover]);
    assert_eq!(rules(&partition(2, &[(0, 2), (1, 4)])), [Rule::CompositePartitionNoOverlap]);
    assert_eq!(rules(&partition(3, &[(0, 1), (1, 4)])), [Rule::ContainerCompositeTornReject]);
}

#[test]
fn a_composite_is_gathered_by_offset_or_refused_as_torn() {
    let gather = |file: &[u8], policy: Policy| {
        let mut core = FileReaderCore::with_policy(file.len() as u64, policy);
        let mut ranges = Vec::new();
        drive(&mut core, file, usize::MAX, &mut ranges).unwrap();
        core.begin_composite("head").unwrap();
        drive(&mut core, file, usize::MAX, &mut ranges).map(|_| core.take_composite().unwrap())
    };
    let whole = gather(&partition(2, &[(0, 1), (1, 4)]), Policy::strict()).unwrap();
    let names: Vec<&[u8]> = whole.members.iter().map(|member| &member.name[..]).collect();
    assert_eq!((names, whole.is_complete), (vec![&b"member 0"[..], b"member 1"], true));
    let torn = partition(3, &[(0, 1), (1, 4)]);
    let reject = gather(&torn, Policy::strict()).unwrap_err();
    assert!(matches!(reject, Error::Reject(reject) if reject.rule == Rule::ContainerCompositeTornReject));
    let parts = gather(&torn, Policy::permissive()).unwrap();
    assert_eq!((parts.members.len(), parts.is_complete), (2, false));
}

#[test]
fn behind_a_head_stands_the_next_descriptor() {
    let file = partition(1, &[(0, 4)]);
    // 20 + 8 + 8 + 8 + 1 bytes of the head from 64 on, then zeros to the next multiple of 8.
    assert_eq!(file[64 + 45..112], [0; 3]);
    assert_eq!(file[112..116], *b"HRRY");
}
