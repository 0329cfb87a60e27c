//! Composites in files: gathered by offset, judged as a whole, written without padding behind the head, whole or not at
//! all.

mod common;

use std::cell::Cell;
use std::convert::Infallible;

use common::{drain, drive, ramp, raw};
use hurray_reference::{
    CompositeHead, CompositionRule, ElementType, Error, FileCompositeNode, FileItem, FileReaderCore, FileWriterCore,
    LayoutDescriptor, Misuse, Policy, Shape, Shard, TensorDescriptor, flatten_composite, validate,
};
use hurray_spec::Rule;

fn head(rule: CompositionRule, dims: &[u64], count: usize) -> TensorDescriptor {
    let fields = CompositeHead { composition_rule: rule, combine_op: 0, member_count: count as u32 };
    let shape = Shape::new(dims.to_vec());
    TensorDescriptor::new(ElementType::Uint8, shape, LayoutDescriptor::Composite(fields), vec![])
}

/// A composite of a head over four elements and members `[low, high)` of it. The writer does not write a faulty one: it
/// writes a group, whose members nobody compares, and then the head is changed.
fn partition(count: u32, members: &[(u64, u64)]) -> Vec<u8> {
    let (mut file, mut core) = (Vec::new(), FileWriterCore::new());
    drain(core.header().unwrap(), usize::MAX, &mut file).unwrap();
    let head = head(CompositionRule::GROUP, &[4], members.len());
    drain(core.tensor("head", &head, &[]).unwrap(), usize::MAX, &mut file).unwrap();
    for (at, (low, high)) in members.iter().enumerate() {
        let shard = Some(Shard { parent_shape: vec![4], shard_offset: vec![*low] });
        let given = ramp("", ElementType::Uint8, &[high - low], 64);
        let descriptor = TensorDescriptor { shard, ..given.descriptor };
        let name = format!("member {at}");
        drain(core.tensor(&name, &descriptor, &[&given.data]).unwrap(), usize::MAX, &mut file).unwrap();
    }
    drain(core.finish(vec![]).unwrap(), usize::MAX, &mut file).unwrap();
    // Behind 20 bytes of header, one dimension and byte_offset stand rule, operation, two zeros and the count.
    assert_eq!(file[100..108], [3, 0, 0, 0, members.len() as u8, 0, 0, 0]);
    file[100] = 1;
    file[104..108].copy_from_slice(&count.to_le_bytes());
    file
}

/// The rules that `validate` finds broken.
fn findings(file: &[u8]) -> Vec<Rule> {
    let read = |offset: u64, dst: &mut [u8]| {
        let rest = file.get(offset as usize..).unwrap_or_default();
        let filled = rest.len().min(dst.len());
        dst[..filled].copy_from_slice(&rest[..filled]);
        Ok::<_, Infallible>(filled)
    };
    let report = validate(file.len() as u64, &Policy::strict(), read).unwrap();
    report.findings.iter().map(|finding| finding.rule).collect()
}

#[test]
fn composites_are_judged_as_a_whole() {
    let rules = findings;
    assert_eq!(rules(&partition(2, &[(0, 1), (1, 4)])), []);
    assert_eq!(rules(&partition(2, &[(0, 1), (2, 4)])), [Rule::CompositePartitionExactCover]);
    assert_eq!(rules(&partition(2, &[(0, 2), (1, 4)])), [Rule::CompositePartitionNoOverlap]);
    assert_eq!(rules(&partition(3, &[(0, 1), (1, 4)])), [Rule::ContainerCompositeTornReject]);
}

#[test]
fn a_composite_is_gathered_by_offset_or_refused_as_torn() {
    let asked = Cell::new(0);
    let gather = |file: &[u8], policy: Policy| {
        let mut core = FileReaderCore::with_policy(file.len() as u64, policy);
        let mut ranges = Vec::new();
        drive(&mut core, file, usize::MAX, &mut ranges).unwrap();
        core.begin_composite("head").unwrap();
        ranges.clear();
        let result = drive(&mut core, file, usize::MAX, &mut ranges).map(|_| core.take_composite().unwrap());
        asked.set(ranges.len());
        result
    };
    let whole = gather(&partition(2, &[(0, 1), (1, 4)]), Policy::strict()).unwrap();
    let names: Vec<&[u8]> = whole.members.iter().map(FileItem::name).collect();
    assert_eq!((names, whole.is_complete), (vec![&b"member 0"[..], b"member 1"], true));
    let torn = partition(3, &[(0, 1), (1, 4)]);
    let reject = gather(&torn, Policy::strict()).unwrap_err();
    assert_eq!(asked.get(), 1, "the head alone shows that members are missing");
    assert!(matches!(reject, Error::Reject(reject) if reject.rule == Rule::ContainerCompositeTornReject));
    let parts = gather(&torn, Policy::permissive()).unwrap();
    assert_eq!((parts.members.len(), parts.is_complete), (2, false));
}

/// A group of two whose second member is a group of two, of which one has come.
#[test]
fn what_is_torn_inside_is_handed_out_from_the_outermost_head() {
    let file = raw::file(&[
        (b"w".to_vec(), raw::head(3, 2, &[1], None)),
        (b"a".to_vec(), raw::head(3, 0, &[1], None)),
        (b"in".to_vec(), raw::head(3, 2, &[1], None)),
        (b"b".to_vec(), raw::head(3, 0, &[1], None)),
    ]);
    let mut core = FileReaderCore::with_policy(file.len() as u64, Policy::permissive());
    drive(&mut core, &file, usize::MAX, &mut Vec::new()).unwrap();
    core.begin_composite("w").unwrap();
    drive(&mut core, &file, usize::MAX, &mut Vec::new()).unwrap();
    let whole = core.take_composite().unwrap();
    let shown = |item: &FileItem| match item {
        FileItem::Composite(inner) => (inner.name.clone(), inner.members.len(), inner.is_complete),
        FileItem::Tensor(tensor) => (tensor.name.clone(), 0, true),
    };
    assert_eq!((&whole.name[..], whole.is_complete), (&b"w"[..], false));
    let members: Vec<_> = whole.members.iter().map(shown).collect();
    assert_eq!(members, [(b"a".to_vec(), 0, true), (b"in".to_vec(), 1, false)]);
}

#[test]
fn what_a_nested_head_takes_is_missing_to_the_outer_one() {
    // Each head has as many tensors behind it as it counts, and there are not enough for both.
    let file = raw::file(&[
        (b"w".to_vec(), raw::head(3, 2, &[1], None)),
        (b"in".to_vec(), raw::head(3, 1, &[1], None)),
        (b"b".to_vec(), raw::head(3, 0, &[1], None)),
    ]);
    let gathered = |name: &str| {
        let mut core = FileReaderCore::new(file.len() as u64);
        drive(&mut core, &file, usize::MAX, &mut Vec::new()).unwrap();
        core.begin_composite(name).unwrap();
        drive(&mut core, &file, usize::MAX, &mut Vec::new())
    };
    let Err(Error::Reject(reject)) = gathered("w") else { panic!("it is whole") };
    assert_eq!((reject.rule, reject.span.start), (Rule::ContainerCompositeTornReject, 64));
    assert!(gathered("in").is_ok());
    assert_eq!(findings(&file), [Rule::ContainerCompositeTornReject]);
}

#[test]
fn behind_a_head_stands_the_next_descriptor() {
    let file = partition(1, &[(0, 4)]);
    // 20 + 8 + 8 + 8 + 1 bytes of the head from 64 on, then zeros to the next multiple of 8.
    assert_eq!(file[64 + 45..112], [0; 3]);
    assert_eq!(file[112..116], *b"HRRY");
}

/// The payload of a member of two bytes.
const DATA: &[&[u8]] = &[&[1, 2]];

/// Elements `low` and the next of a head over `[whole]`.
fn half(low: u64, whole: u64) -> TensorDescriptor {
    let shard = Some(Shard { parent_shape: vec![whole], shard_offset: vec![low] });
    TensorDescriptor { shard, ..ramp("", ElementType::Uint8, &[2], 64).descriptor }
}

fn leaf<'a>(name: &'a str, descriptor: &'a TensorDescriptor) -> FileCompositeNode<'a> {
    FileCompositeNode::Tensor { name, descriptor, buffers: DATA }
}

fn begun() -> (FileWriterCore, Vec<u8>) {
    let (mut core, mut file) = (FileWriterCore::new(), Vec::new());
    drain(core.header().unwrap(), usize::MAX, &mut file).unwrap();
    (core, file)
}

#[test]
fn a_tree_is_flattened_heads_first_and_read_back_as_a_tree() {
    let (outer, inner) = (head(CompositionRule::GROUP, &[1], 3), head(CompositionRule::PARTITION, &[4], 2));
    let (left, right) = (half(0, 4), half(2, 4));
    let halves = [leaf("w.in.left", &left), leaf("w.in.right", &right)];
    let inside = FileCompositeNode::Composite { name: "w.in", head: &inner, members: &halves };
    let members = [leaf("w.first", &left), inside, leaf("w.last", &right)];
    let nodes = flatten_composite("w", &outer, &members).unwrap();
    let names: Vec<&str> = nodes.iter().map(|node| node.name).collect();
    assert_eq!(names, ["w", "w.first", "w.in", "w.in.left", "w.in.right", "w.last"]);
    let (mut core, mut file) = begun();
    for node in &nodes {
        drain(core.tensor(node.name, node.descriptor, node.buffers).unwrap(), usize::MAX, &mut file).unwrap();
    }
    drain(core.finish(vec![]).unwrap(), usize::MAX, &mut file).unwrap();
    // As one item it gives the same bytes.
    let (mut core, mut whole) = begun();
    drain(core.composite("w", &outer, &members).unwrap(), 3, &mut whole).unwrap();
    drain(core.finish(vec![]).unwrap(), usize::MAX, &mut whole).unwrap();
    assert!(file == whole);
    let mut core = FileReaderCore::new(file.len() as u64);
    drive(&mut core, &file, usize::MAX, &mut Vec::new()).unwrap();
    let mut ranges = Vec::new();
    core.begin_composite("w").unwrap();
    drive(&mut core, &file, usize::MAX, &mut ranges).unwrap();
    // Six descriptors and four buffers.
    assert_eq!(ranges.len(), 10);
    let read = core.take_composite().unwrap();
    let names: Vec<&[u8]> = read.members.iter().map(FileItem::name).collect();
    assert_eq!(names, [&b"w.first"[..], b"w.in", b"w.last"]);
    let FileItem::Tensor(first) = &read.members[0] else { panic!("{:?}", read.members[0]) };
    assert_eq!((&first.descriptor, first.buffers[0].as_ref()), (&left, &[1, 2][..]));
    let FileItem::Composite(nested) = &read.members[1] else { panic!("{:?}", read.members[1]) };
    assert_eq!((nested.members.len(), nested.is_complete, &nested.descriptor), (2, true, &inner));
    let FileItem::Tensor(right_half) = &nested.members[1] else { panic!("{:?}", nested.members[1]) };
    assert_eq!((&right_half.name[..], &right_half.descriptor), (&b"w.in.right"[..], &right));
}

#[test]
fn a_tree_with_a_fault_anywhere_is_refused_before_its_first_byte() {
    let (left, right, far) = (half(0, 4), half(2, 4), half(1, 4));
    let partition = head(CompositionRule::PARTITION, &[4], 2);
    let group = |count: usize| head(CompositionRule::GROUP, &[1], count);
    let (one, two, three) = (group(1), group(2), group(3));
    let plain = ramp("", ElementType::Uint8, &[2], 64).descriptor;
    let good = [leaf("l", &left), leaf("r", &right)];
    let wrap = |members| [FileCompositeNode::Composite { name: "in", head: &partition, members }];
    let long = "n".repeat(65536);
    let rule = |rule: Rule| Misuse::Composite(rule);
    let cases: [(&str, &TensorDescriptor, Vec<FileCompositeNode<'_>>, Misuse); 13] = [
        ("w", &plain, vec![], Misuse::NoComposite),
        ("w", &three, good.to_vec(), Misuse::MemberCount { declared: 3, given: 2 }),
        ("w", &one, good.to_vec(), Misuse::MemberCount { declared: 1, given: 2 }),
        ("w", &one, vec![leaf("in", &two)], Misuse::MemberCount { declared: 2, given: 0 }),
        ("w", &partition, vec![leaf("l", &left), leaf("r", &far)], rule(Rule::CompositePartitionNoOverlap)),
        ("w", &partition, vec![leaf("l", &left), leaf("r", &plain)], rule(Rule::CompositeMemberShardRequired)),
        ("w", &two, vec![leaf("w", &left), leaf("r", &right)], Misuse::NameTaken),
        ("w", &two, vec![leaf("l", &left), leaf("l", &right)], Misuse::NameTaken),
        ("", &two, good.to_vec(), Misuse::NameEmpty),
        ("w", &two, vec![leaf("l", &left), leaf("", &right)], Misuse::NameEmpty),
        ("w", &two, vec![leaf("l", &left), leaf(&long, &right)], Misuse::NameTooLong(65536)),
        ("w", &two, vec![leaf("l", &left), leaf("taken", &right)], Misuse::NameTaken),
        (
            "w",
            &one,
            vec![FileCompositeNode::Tensor { name: "l", descriptor: &left, buffers: &[] }],
            Misuse::BufferCount { declared: 1, given: 0 },
        ),
    ];
    let (mut core, mut file) = begun();
    drain(core.tensor("taken", &plain, DATA).unwrap(), usize::MAX, &mut file).unwrap();
    for (name, descriptor, members, expected) in &cases {
        assert_eq!(core.composite(name, descriptor, members).err(), Some((*expected).into()), "{members:?}");
        // What stands in the file already is not known to the function.
        let is_known = !members.iter().any(|node| matches!(node, FileCompositeNode::Tensor { name: "taken", .. }));
        let refused = flatten_composite(name, descriptor, members).err();
        assert_eq!(refused, is_known.then_some((*expected).into()), "{members:?}");
    }
    let gap = [leaf("l", &left), leaf("r", &far)];
    let inside = wrap(&gap);
    let refused = flatten_composite("w", &one, &inside).err();
    assert_eq!(refused, Some(rule(Rule::CompositePartitionNoOverlap).into()), "one level down");
    let inside = wrap(&good);
    drain(core.composite("w", &one, &inside).unwrap(), usize::MAX, &mut file).unwrap();
    let torn = core.composite("v", &one, &inside).err();
    assert_eq!(torn, Some(Misuse::NameTaken.into()), "the names stand in the file now");
    drain(core.finish(vec![]).unwrap(), usize::MAX, &mut file).unwrap();
    assert_eq!(findings(&file), []);
}

#[test]
fn a_head_is_followed_by_its_members_and_nothing_else() {
    let (mut core, mut file) = begun();
    let partition = head(CompositionRule::PARTITION, &[4], 2);
    let (left, right, plain) = (half(0, 4), half(2, 4), ramp("", ElementType::Uint8, &[2], 64).descriptor);
    drain(core.tensor("w", &partition, &[]).unwrap(), usize::MAX, &mut file).unwrap();
    let open = |missing| Some(Error::from(Misuse::CompositeOpen { missing }));
    let broken = |rule| Some(Error::from(Misuse::Composite(rule)));
    assert_eq!(core.finish(vec![]).err(), open(2));
    assert_eq!(core.composite("v", &partition, &[leaf("l", &left), leaf("r", &right)]).err(), open(2));
    assert_eq!(core.tensor("x", &plain, DATA).err(), broken(Rule::CompositeMemberShardRequired));
    drain(core.tensor("l", &left, DATA).unwrap(), usize::MAX, &mut file).unwrap();
    assert_eq!(core.finish(vec![]).err(), open(1));
    assert_eq!(core.tensor("x", &left, DATA).err(), broken(Rule::CompositePartitionNoOverlap));
    // An operation that is dropped before its first byte has taken no place.
    drop(core.tensor("r", &right, DATA).unwrap());
    assert_eq!(core.finish(vec![]).err(), open(1));
    drain(core.tensor("r", &right, DATA).unwrap(), usize::MAX, &mut file).unwrap();
    drain(core.tensor("x", &plain, DATA).unwrap(), usize::MAX, &mut file).unwrap();
    drain(core.finish(vec![]).unwrap(), usize::MAX, &mut file).unwrap();
    assert_eq!(findings(&file), []);
}

#[test]
fn a_composite_that_stops_in_its_middle_ends_the_file() {
    let (mut core, _) = begun();
    let (one, plain) = (head(CompositionRule::GROUP, &[1], 1), ramp("", ElementType::Uint8, &[2], 64).descriptor);
    let members = [leaf("a", &plain)];
    drop(core.composite("w", &one, &members).unwrap());
    assert!(!core.is_unusable());
    let mut op = core.composite("w", &one, &members).unwrap();
    op.report_written(1).unwrap();
    drop(op);
    assert!(core.is_unusable());
}
