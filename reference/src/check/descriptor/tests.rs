//! Heads, shards and statistics against the rest of their descriptors.

use super::*;
use crate::judge::Policy;
use crate::model::{
    BufferHandle, CompositeHead, CompositionRule, DeviceTag, ElementType, MemberRole, Quantization, Scheme, Shape,
    Shard, Statistics, SyncMode, TensorDescriptor,
};
use crate::reject::Span;
use crate::wire::descriptor::{put_descriptor, read_descriptor};

fn broken(descriptor: &TensorDescriptor) -> Vec<Rule> {
    let bytes = put_descriptor(descriptor).unwrap();
    let mut judge = Judge::new(Policy::collecting());
    let decoded = read_descriptor(&bytes, 0, (bytes.len() as u32, Span::at(0, 0)), &mut judge).unwrap();
    assert_eq!(decoded.descriptor, *descriptor);
    check_descriptor(&decoded, &mut judge).unwrap();
    judge.findings().iter().map(|finding| finding.rule).collect()
}

fn tensor(layout: LayoutDescriptor, dims: &[u64], sizes: &[u64]) -> TensorDescriptor {
    let handle = |size: &u64| BufferHandle::new(*size, 64, DeviceTag::CPU, SyncMode::PRODUCER_SYNCED);
    TensorDescriptor::new(ElementType::Int8, Shape::new(dims.to_vec()), layout, sizes.iter().map(handle).collect())
}

#[test]
fn a_head_describes_no_data() {
    let head = CompositeHead { composition_rule: CompositionRule::GROUP, combine_op: 0, member_count: 2 };
    let head = tensor(LayoutDescriptor::Composite(head), &[1 << 40, 1 << 40], &[]);
    assert_eq!(broken(&head), []);
    let handles = tensor(LayoutDescriptor::RowMajor, &[1], &[1]).buffers;
    let quantization = Some(Quantization { version: 1, scheme: Scheme::PerTensor { scale: 1 << 24, zero_point: 0 } });
    let cases = [
        (TensorDescriptor { byte_offset: 1, ..head.clone() }, Rule::CompositeHeadByteOffsetZero),
        (
            TensorDescriptor { buffers: handles, shape: Shape::new(vec![1]), ..head.clone() },
            Rule::CompositeHeadNoBuffers,
        ),
        (TensorDescriptor { quantization, ..head.clone() }, Rule::CompositeHeadNoQuantization),
        (TensorDescriptor { member_role: Some(MemberRole::BASE), ..head.clone() }, Rule::CompositeHeadNoMemberFlag),
    ];
    for (descriptor, rule) in cases {
        assert_eq!(broken(&descriptor), [rule]);
    }
    let shard = Some(Shard { parent_shape: vec![1 << 41, 1 << 40], shard_offset: vec![1 << 40, 0] });
    assert_eq!(broken(&TensorDescriptor { shard, statistics: Some(Statistics::default()), ..head }), []);
}

#[test]
fn a_shard_lies_inside_its_parent() {
    let sharded = |dims: &[u64], parent: &[u64], offset: &[u64]| {
        let shard = Some(Shard { parent_shape: parent.to_vec(), shard_offset: offset.to_vec() });
        let size = dims.iter().product::<u64>();
        broken(&TensorDescriptor { shard, ..tensor(LayoutDescriptor::RowMajor, dims, &[size]) })
    };
    assert_eq!(sharded(&[2, 3], &[4, 3], &[2, 0]), []);
    assert_eq!(sharded(&[2, 3], &[4, 3], &[3, 0]), [Rule::DescriptorShardBoundsReject]);
    assert_eq!(sharded(&[2, 3], &[4, 3], &[0, 1]), [Rule::DescriptorShardBoundsReject]);
    assert_eq!(sharded(&[2], &[4], &[u64::MAX]), [Rule::DescriptorShardBoundsReject]);
    assert_eq!(sharded(&[1], &[DYNAMIC], &[0]), [Rule::DescriptorShardNoDynamic]);
    assert_eq!(sharded(&[DYNAMIC], &[4], &[0]), [Rule::DescriptorShardNoDynamic]);
}

#[test]
fn trees_and_pages_have_no_shards_and_the_layout_counts() {
    let csf = LayoutDescriptor::Csf { nnz: 0, mode_order: vec![0, 1, 2] };
    let csf = tensor(csf, &[2, 3, 4], &[0, 16, 0, 8, 0, 8, 0]);
    assert_eq!(broken(&csf), []);
    let shard = Some(Shard { parent_shape: vec![2, 3, 4], shard_offset: vec![0; 3] });
    assert_eq!(broken(&TensorDescriptor { shard, ..csf.clone() }), [Rule::LayoutCsfNoShard]);
    let statistics = Some(Statistics { nnz: Some(1), ..Statistics::default() });
    assert_eq!(broken(&TensorDescriptor { statistics, ..csf }), [Rule::DescriptorStatsSparseNnzMatch]);
    let dense = tensor(LayoutDescriptor::RowMajor, &[4], &[4]);
    assert_eq!(broken(&TensorDescriptor { statistics, ..dense }), []);
}
