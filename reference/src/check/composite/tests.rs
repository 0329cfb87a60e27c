//! Covers by table, some of them large, and the sections a member has to have.

use super::cover::{Faults, search};
use super::*;
use crate::model::{Quantization, Scheme, Shape, Shard};

const NONE: Faults = Faults { overlap: false, gap: false };
const GAP: Faults = Faults { overlap: false, gap: true };
const OVERLAP: Faults = Faults { overlap: true, gap: false };
const BOTH: Faults = Faults { overlap: true, gap: true };

fn boxed(low: &[u64], high: &[u64]) -> Extent {
    Extent::new(low.iter().copied(), high.iter().copied())
}

fn fault(dims: &[u64], boxes: &[(&[u64], &[u64])]) -> Faults {
    looks(dims, &boxes.iter().map(|(low, high)| boxed(low, high)).collect::<Vec<_>>()).0
}

#[test]
fn boxes_cover_each_index_once_or_are_at_fault() {
    const HALF: u64 = 1 << 39;
    const SIDE: u64 = 1 << 40;
    assert_eq!(fault(&[8, 8], &[(&[0, 0], &[8, 4]), (&[0, 4], &[8, 8])]), NONE);
    assert_eq!(fault(&[SIDE, SIDE], &[(&[0, 0], &[SIDE, HALF]), (&[0, HALF], &[SIDE, SIDE])]), NONE);
    assert_eq!(fault(&[8, 8], &[(&[0, 0], &[8, 4]), (&[0, 5], &[8, 8])]), GAP);
    assert_eq!(fault(&[8, 8], &[(&[0, 0], &[8, 5]), (&[0, 4], &[8, 8])]), OVERLAP);
    assert_eq!(fault(&[8], &[(&[0], &[8]), (&[0], &[8])]), OVERLAP);
    assert_eq!(fault(&[8], &[(&[0], &[4]), (&[2], &[6])]), BOTH);
    assert_eq!(fault(&[8], &[]), GAP);
    assert_eq!((fault(&[8, 0], &[]), fault(&[0], &[])), (NONE, NONE));
    // Empty boxes share no index (ruling R67), and boxes of another rank cover nothing.
    assert_eq!(fault(&[8], &[(&[0], &[8]), (&[4], &[4])]), NONE);
    assert_eq!(fault(&[8], &[(&[0, 0], &[8, 1])]), GAP);
    // A pinwheel: no cut leaves all five boxes whole.
    let pinwheel: [(&[u64], &[u64]); 5] =
        [(&[0, 0], &[1, 2]), (&[0, 2], &[2, 3]), (&[2, 1], &[3, 3]), (&[1, 0], &[3, 1]), (&[1, 1], &[2, 2])];
    assert_eq!(fault(&[3, 3], &pinwheel), NONE);
    assert_eq!(fault(&[3, 3], &pinwheel[..4]), GAP);
}

/// The faults, and how many looks at a box it took.
fn looks(dims: &[u64], boxes: &[Extent]) -> (Faults, usize) {
    search(dims, boxes.iter()).unwrap()
}

/// `side` rows of `side` tiles each.
fn tiles(side: u64) -> Vec<Extent> {
    (0..side).flat_map(|row| (0..side).map(move |column| boxed(&[row, column], &[row + 1, column + 1]))).collect()
}

#[test]
fn the_work_grows_little_faster_than_the_members() {
    let slabs = |count: u64| (0..count).map(|at| boxed(&[at], &[at + 1])).collect::<Vec<_>>();
    let rows = |count: u64| looks(&[count], &slabs(count));
    let grid = |side: u64| looks(&[side, side], &tiles(side));
    for (small, large) in [(rows(1024), rows(16_384)), (grid(32), grid(128))] {
        assert_eq!((small.0, large.0), (NONE, NONE));
        // 16 times the members: n log n takes 22.4 times as many looks, n^2 takes 256 times as many.
        assert!(large.1 < 26 * small.1, "{} looks for 1024 members, {} for 16384", small.1, large.1);
    }
    for (small, large) in [(rows(4096), rows(16_384)), (grid(64), grid(128))] {
        // Four times the members: n log n takes 4.7 times as many looks.
        assert!(large.1 < 6 * small.1, "{} looks for 4096 members, {} for 16384", small.1, large.1);
    }
    // A gap or a doubled tile is found at no higher price.
    let whole = grid(128).1;
    let mut faulty = tiles(128);
    faulty[8000] = faulty[7999].clone();
    let (faults, price) = looks(&[128, 128], &faulty);
    assert!(faults == BOTH && price <= whole + whole / 64, "{faults:?} after {price} looks, not {whole}");
    assert_eq!(looks(&[16_385], &slabs(16_384)).0, GAP);
}

/// Rows of bricks, every other one shifted by half a brick: no cut across the rows leaves all bricks whole.
#[test]
fn cuts_follow_the_joints() {
    const ROWS: u64 = 64;
    const WIDTH: u64 = 64;
    let row = |row: u64| {
        let shift = row % 2;
        (0..=WIDTH).map(move |at| {
            boxed(&[row, (2 * at).saturating_sub(shift)], &[row + 1, (2 * at + 2 - shift).min(2 * WIDTH)])
        })
    };
    let bricks: Vec<Extent> = (0..ROWS).flat_map(row).collect();
    let (faults, price) = looks(&[ROWS, 2 * WIDTH], &bricks);
    assert_eq!(faults, NONE);
    assert!(price < 16 * bricks.len(), "{price} looks at {} bricks", bricks.len());
}

#[test]
fn no_policy_follows_heads_without_end() {
    let head = TensorDescriptor {
        layout: LayoutDescriptor::Composite(CompositeHead {
            composition_rule: CompositionRule::GROUP,
            combine_op: 0,
            member_count: 1,
        }),
        ..head(CompositionRule::GROUP, ElementType::Int8)
    };
    let mut judge = Judge::new(crate::judge::Policy::collecting().waiving([Rule::CompositeNestDepth]));
    let mut groups = Groups::default();
    for _ in 0..64 {
        let step = groups.check(&head, Span::at(0, 0), &mut judge).unwrap();
        groups.take(step);
    }
    let Err(Error::Reject(reject)) = groups.check(&head, Span::at(0, 0), &mut judge) else { panic!("it went on") };
    assert_eq!(reject.rule, Rule::CompositeNestDepth);
}

#[test]
fn what_cuts_everything_has_a_bounded_price() {
    // Rows over columns: every row meets every column, and nothing is covered once.
    let rows = (0..512).map(|at| boxed(&[at, 0], &[at + 1, 1024]));
    let crossed: Vec<Extent> = rows.chain((0..512).map(|at| boxed(&[0, at], &[1024, at + 1]))).collect();
    let (faults, price) = looks(&[1024, 1024], &crossed);
    assert!(faults == BOTH && price <= 1024 * 1025, "{price} looks");
}

/// The first rule a member at `place` breaks.
fn broken(head: &TensorDescriptor, member: &TensorDescriptor, place: u32) -> Option<Rule> {
    let mut judge = Judge::new(crate::judge::Policy::strict());
    check_member(head, member, place, Span::at(0, 0), &mut judge).err().map(|reject| reject.rule)
}

fn head(rule: CompositionRule, kind: ElementType) -> TensorDescriptor {
    let fields = CompositeHead { composition_rule: rule, combine_op: 0, member_count: 2 };
    TensorDescriptor::new(kind, Shape::new(vec![4, 4]), LayoutDescriptor::Composite(fields), vec![])
}

fn member(dims: &[u64], offset: &[u64], role: Option<MemberRole>) -> TensorDescriptor {
    let shard = Some(Shard { parent_shape: vec![4, 4], shard_offset: offset.to_vec() });
    let plain = TensorDescriptor::new(ElementType::Int8, Shape::new(dims.to_vec()), LayoutDescriptor::RowMajor, vec![]);
    TensorDescriptor { shard, member_role: role, ..plain }
}

#[test]
fn members_of_a_partition_have_a_place_and_no_role() {
    let head = head(CompositionRule::PARTITION, ElementType::Int8);
    assert_eq!(broken(&head, &member(&[4, 2], &[0, 2], None), 1), None);
    assert_eq!(broken(&head, &member(&[4, 2], &[0, 3], None), 1), Some(Rule::CompositeMemberBoxInBounds));
    assert_eq!(
        broken(&head, &member(&[4, 2], &[0, 2], Some(MemberRole::BASE)), 0),
        Some(Rule::CompositePartitionNoMemberSection)
    );
    let other = Some(Shard { parent_shape: vec![4, 5], shard_offset: vec![0, 0] });
    let stray = TensorDescriptor { shard: other, ..member(&[4, 4], &[0, 0], None) };
    assert_eq!(broken(&head, &stray, 0), Some(Rule::CompositeMemberParentShape));
    let placeless = TensorDescriptor { shard: None, ..member(&[4, 4], &[0, 0], None) };
    assert_eq!(broken(&head, &placeless, 0), Some(Rule::CompositeMemberShardRequired));
}

#[test]
fn layers_are_a_base_and_corrections() {
    let head = head(CompositionRule::OVERLAY, ElementType::Int8);
    let (base, correction) = (Some(MemberRole::BASE), Some(MemberRole::CORRECTION));
    assert_eq!(broken(&head, &member(&[4, 4], &[0, 0], base), 0), None);
    assert_eq!(broken(&head, &member(&[2, 2], &[2, 2], correction), 1), None);
    assert_eq!(broken(&head, &member(&[4, 4], &[0, 0], None), 0), Some(Rule::CompositeOverlayMemberSection));
    assert_eq!(broken(&head, &member(&[4, 4], &[0, 0], correction), 0), Some(Rule::CompositeOverlayBaseFirst));
    assert_eq!(broken(&head, &member(&[3, 4], &[0, 0], base), 0), Some(Rule::CompositeOverlayBaseSpans));
    assert_eq!(broken(&head, &member(&[3, 4], &[1, 0], base), 0), Some(Rule::CompositeOverlayBaseSpans));
    assert_eq!(broken(&head, &member(&[4, 4], &[0, 0], base), 1), Some(Rule::CompositeOverlayCorrections));
}

#[test]
fn values_are_of_the_type_of_the_head_but_in_groups() {
    let scheme = Scheme::PerTensor { scale: 1.0_f32.to_bits(), zero_point: 0 };
    let plain = member(&[4, 4], &[0, 0], None);
    let quantized = TensorDescriptor { quantization: Some(Quantization { version: 1, scheme }), ..plain.clone() };
    let verdict = |kind, member: &TensorDescriptor| broken(&head(CompositionRule::PARTITION, kind), member, 0);
    let wrong = Some(Rule::CompositeMemberDecodedType);
    assert_eq!([verdict(ElementType::Int8, &plain), verdict(ElementType::Uint8, &plain)], [None, wrong]);
    let verdicts = [ElementType::Float32, ElementType::Float16, ElementType::Float64, ElementType::Int8]
        .map(|kind| verdict(kind, &quantized));
    assert_eq!(verdicts, [None, None, wrong, wrong]);
    let group = head(CompositionRule::GROUP, ElementType::Float64);
    let free = TensorDescriptor { shard: None, ..plain };
    assert_eq!(broken(&group, &free, 0), None);
    let with_role = TensorDescriptor { member_role: Some(MemberRole::BASE), ..free };
    assert_eq!(broken(&group, &with_role, 0), Some(Rule::CompositeGroupNoMemberSection));
}
