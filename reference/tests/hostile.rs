//! Files meant to exhaust stack, time or memory: refused with a verdict, on a small stack, at a price in proportion.

mod common;

use std::convert::Infallible;

use common::{drive, raw};
use hurray_reference::{
    Composite, CompositeHead, CompositionRule, ElementType, Error, FileCompositeNode, FileReaderCore, LayoutDescriptor,
    Limit, Misuse, Policy, Shape, TensorDescriptor, flatten_composite, validate,
};
use hurray_spec::Rule;

/// Runs on a stack of 256 KiB.
fn on_a_small_stack<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    std::thread::Builder::new().stack_size(256 * 1024).spawn(work).unwrap().join().unwrap()
}

/// The rules that `validate` finds broken, and the bytes it read.
fn validated(file: &[u8]) -> (Vec<Rule>, u64) {
    let mut served = 0;
    let read = |offset: u64, dst: &mut [u8]| {
        let rest = file.get(offset as usize..).unwrap_or_default();
        let filled = rest.len().min(dst.len());
        dst[..filled].copy_from_slice(&rest[..filled]);
        served += filled as u64;
        Ok::<_, Infallible>(filled)
    };
    let report = validate(file.len() as u64, &Policy::strict(), read).unwrap();
    assert_eq!(report.error, None);
    (report.findings.iter().map(|finding| finding.rule).collect(), served)
}

fn opened(file: &[u8], policy: Policy) -> FileReaderCore {
    let mut core = FileReaderCore::with_policy(file.len() as u64, policy);
    drive(&mut core, file, usize::MAX, &mut Vec::new()).unwrap();
    core
}

fn gather(file: &[u8], name: &str) -> (Result<Composite, Error>, usize) {
    let mut core = opened(file, Policy::strict());
    let mut ranges = Vec::new();
    core.begin_composite(name).unwrap();
    let result = drive(&mut core, file, usize::MAX, &mut ranges).map(|_| core.take_composite().unwrap());
    (result, ranges.len())
}

fn rule_of<T>(result: Result<T, Error>) -> Option<Rule> {
    if let Err(Error::Reject(reject)) = result { Some(reject.rule) } else { None }
}

#[test]
fn five_thousand_levels_of_tiles_cost_no_stack() {
    // A level is a tile of one element, row-major, and says that the tile is tiled itself; 60 kB in all.
    let level = [1, 0, 0, 0, 0, 0, 0, 0, 1, 4, 0, 0];
    let mut fields = level.repeat(5_000);
    let last = fields.len() - 3;
    fields[last] = 1;
    let file = raw::file(&[(b"a".to_vec(), raw::descriptor(0x04, &[1], &fields, 0, &[]))]);
    for policy in [Policy::strict(), Policy::permissive()] {
        let file = file.clone();
        let rule = on_a_small_stack(move || {
            let mut core = opened(&file, policy);
            core.begin_tensor("a").unwrap();
            rule_of(drive(&mut core, &file, usize::MAX, &mut Vec::new()))
        });
        assert_eq!(rule, Some(Rule::LayoutTiledDepthLimit));
    }
    let waiving = file.clone();
    let levels = on_a_small_stack(move || {
        let rules = [Rule::LayoutTiledDepthLimit, Rule::DescriptorBuffersCountMin];
        let mut core = opened(&waiving, Policy::strict().waiving(rules));
        core.begin_descriptor("a").unwrap();
        drive(&mut core, &waiving, usize::MAX, &mut Vec::new()).unwrap();
        match core.take_descriptor().unwrap().layout {
            LayoutDescriptor::Tiled { levels, .. } => levels.len(),
            other => panic!("{other:?}"),
        }
    });
    assert_eq!(levels, 5_000, "with the rule waived they are followed, and no stack is missed");
    let (rules, _) = on_a_small_stack(move || validated(&file));
    assert!(rules.contains(&Rule::LayoutTiledDepthLimit), "{rules:?}");
}

#[test]
fn a_hundred_thousand_nested_heads_are_refused_on_a_small_stack() {
    let file = raw::nested(100_000);
    let read = file.clone();
    let (result, ranges) = on_a_small_stack(move || gather(&read, "h0"));
    assert_eq!((rule_of(result), ranges), (Some(Rule::CompositeNestDepth), 9));
    let len = file.len() as u64;
    let (rules, served) = on_a_small_stack(move || validated(&file));
    assert!(rules.contains(&Rule::CompositeNestDepth) && served < 4 * len, "{served} bytes read of {len}: {rules:?}");
    let refused = on_a_small_stack(|| {
        let head = |member_count| {
            let fields = CompositeHead { composition_rule: CompositionRule::GROUP, combine_op: 0, member_count };
            TensorDescriptor::new(ElementType::Uint8, Shape::new(vec![1]), LayoutDescriptor::Composite(fields), vec![])
        };
        let (one, none): (&TensorDescriptor, &TensorDescriptor) =
            (Box::leak(Box::new(head(1))), Box::leak(Box::new(head(0))));
        let mut members: &'static [FileCompositeNode<'static>] = &[];
        for at in (1..100_000).rev() {
            let head = if members.is_empty() { none } else { one };
            let name: &'static str = format!("h{at}").leak();
            members = Box::leak(Box::new([FileCompositeNode::Composite { name, head, members }]));
        }
        flatten_composite("h0", one, members).err()
    });
    assert_eq!(refused, Some(Misuse::Composite(Rule::CompositeNestDepth).into()));
}

#[test]
fn eight_heads_on_a_path_are_accepted_and_nine_are_not() {
    let (result, ranges) = gather(&raw::nested(8), "h0");
    let mut composite = result.unwrap();
    assert_eq!(ranges, 8);
    for depth in 1..8 {
        let Some(hurray_reference::FileItem::Composite(inner)) = composite.members.pop() else {
            panic!("depth {depth}")
        };
        assert_eq!((&inner.name[..], inner.is_complete), (format!("h{depth}").as_bytes(), true));
        composite = *inner;
    }
    assert_eq!(validated(&raw::nested(8)).0, []);
    let nine = raw::nested(9);
    assert_eq!(rule_of(gather(&nine, "h0").0), Some(Rule::CompositeNestDepth));
    assert!(gather(&nine, "h1").0.is_ok(), "from the second head on there are eight");
    assert_eq!(validated(&nine).0, [Rule::CompositeNestDepth]);
}

/// A partition of `count` bytes into `count` heads without members; a member of no data costs a file no alignment.
fn wide(count: u64) -> Vec<u8> {
    let member = |at: u64| (format!("m{at}").into_bytes(), raw::head(3, 0, &[1], Some((&[count], &[at]))));
    let mut tensors = vec![(b"w".to_vec(), raw::head(1, count as u32, &[count], None))];
    tensors.extend((0..count).map(member));
    raw::file(&tensors)
}

#[test]
fn a_partition_of_sixteen_thousand_members_is_read_in_proportion() {
    let file = wide(16_384);
    let (result, ranges) = gather(&file, "w");
    assert_eq!((result.unwrap().members.len(), ranges), (16_384, 16_385));
    let (small, large) = (wide(1_024), file);
    let ((fine, few), (rules, many)) = (validated(&small), validated(&large));
    assert_eq!((fine, rules), (vec![], vec![]));
    // Sixteen times the members, and names a little longer.
    assert!(many < 17 * few, "{few} bytes read of 1024 members, {many} of 16384");
    // Every descriptor twice, by itself and as a member, and not once more for each head inside.
    assert!(many < 2 * large.len() as u64, "{many} bytes read of {}", large.len());
    let mut doubled = large;
    let at = doubled.windows(4).rposition(|bytes| bytes == b"HRRY").unwrap();
    assert_eq!(at + 4, doubled.len());
    // The last member claims the place of the first: its shard_offset is the last number before the index.
    let index = u64::from_le_bytes(doubled[at - 36..at - 28].try_into().unwrap()) as usize;
    let end = index - (8 - (20 + 8 + 8 + 8 + 1 + 16) % 8);
    doubled[end - 8..end].fill(0);
    let (rules, _) = validated(&doubled);
    assert_eq!(rules, [Rule::CompositePartitionNoOverlap, Rule::CompositePartitionExactCover]);
}

/// A partition over two indices in each of `rank` dimensions. Its only member has the last index of each, so half of the
/// space can be cut off `rank` times before the first piece without a member comes up.
fn corner(rank: usize) -> Vec<u8> {
    let (whole, side) = (vec![2; rank], vec![1; rank]);
    let member = raw::head(3, 0, &side, Some((&whole, &side)));
    raw::file(&[(b"w".to_vec(), raw::head(1, 1, &whole, None)), (b"m".to_vec(), member)])
}

#[test]
fn a_cover_that_takes_too_long_to_judge_is_a_limit_and_no_verdict() {
    // Only a policy that goes on beyond rank 64 gets there so cheaply.
    let gather = |core: &mut FileReaderCore, file: &[u8], name| {
        core.begin_composite(name).unwrap();
        drive(core, file, usize::MAX, &mut Vec::new()).map(|_| core.take_composite().unwrap())
    };
    let waiving = || Policy::strict().waiving([Rule::ModelRankReaderCap]);
    let near = corner(1_000);
    let verdict = gather(&mut opened(&near, waiving()), &near, "w");
    assert_eq!(rule_of(verdict), Some(Rule::CompositePartitionExactCover));
    let (limit, file) = (Error::Limit(Limit::Cover { members: 1 }), corner(1_100));
    let mut core = opened(&file, waiving());
    assert_eq!(gather(&mut core, &file, "w").err(), Some(limit.clone()));
    assert!(gather(&mut core, &file, "m").is_ok(), "the reader goes on");
    let read = |offset: u64, dst: &mut [u8]| {
        let rest = &file[offset as usize..];
        let filled = rest.len().min(dst.len());
        dst[..filled].copy_from_slice(&rest[..filled]);
        Ok::<_, Infallible>(filled)
    };
    let report = validate(file.len() as u64, &Policy::strict(), read).unwrap();
    let rules: Vec<Rule> = report.findings.iter().map(|finding| finding.rule).collect();
    assert_eq!((rules, report.error), (vec![Rule::ModelRankReaderCap; 2], Some(limit)));
}
