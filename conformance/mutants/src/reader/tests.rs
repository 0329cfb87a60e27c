//! Tests of the wrapping and of the view, over a small file laid out by hand. Whether each habit is noticed is for the
//! vectors to show, in `cargo xtask strength`.

use hurray_adapter::{KvEntry, KvValue, TensorObservation, Text, U64};
use hurray_spec::Enforced;

use super::*;

/// Two index entries, `b` before `A`, whose descriptors stand in the other order. No descriptor is there to be read.
fn file() -> Vec<u8> {
    let mut file = b"HRRYFILE".to_vec();
    file.extend([1, 1, 0, 0, 2, 0, 0, 0]);
    file.extend(8192_u32.to_le_bytes());
    file.extend(64_u64.to_le_bytes());
    file.extend(u64::MAX.to_le_bytes());
    file.resize(64, 0);
    file.extend(2_u64.to_le_bytes());
    for (name, descriptor_offset) in [(b'b', 200_u64), (b'A', 100)] {
        file.extend([1, 0, name]);
        file.extend(descriptor_offset.to_le_bytes());
        file.extend(53_u32.to_le_bytes());
        file.extend(4096_u64.to_le_bytes());
        file.extend(48_u64.to_le_bytes());
        file.extend([0; 4]);
    }
    for value in [64_u64, 8 + 2 * 35, 0] {
        file.extend(value.to_le_bytes());
    }
    file.extend([0; 12]);
    file.extend(b"HRRY");
    file
}

/// Sees the same in every file, and reports the names it is asked for as shapes.
struct Plain;

impl Candidate for Plain {
    fn hello(&self) -> Hello {
        serde_json::from_str(r#"{"protocol":[1,1],"name":"plain","version":"0"}"#).expect("a hello")
    }

    fn open(&mut self, _: Source) -> Result<(Observed, Box<dyn Reader>), Failure> {
        Ok((Observed::default(), Box::new(Plain)))
    }
}

impl Reader for Plain {
    fn list(&mut self) -> Answer {
        Ok(Observed { names: Some(vec![Text::from("b"), Text::from("B")]), ..Observed::default() })
    }

    fn kv(&mut self) -> Answer {
        let entry = KvEntry { key: Text::from("k"), value: KvValue::String(Text::from("v")) };
        Ok(Observed { kv: Some(vec![entry]), ..Observed::default() })
    }

    fn describe(&mut self, name: &[u8]) -> Answer {
        let shape = name.iter().map(|byte| U64(u64::from(*byte))).collect();
        let tensor = TensorObservation { shape: Some(shape), version: Some([1, 0]), ..TensorObservation::default() };
        Ok(Observed { tensor: Some(tensor), ..Observed::default() })
    }
}

fn opened(rule: Rule) -> Result<Box<dyn Reader>, Failure> {
    let mutant = READER_MUTANTS.iter().find(|mutant| mutant.rule == rule).expect("a mutant");
    let source = Source::Served(Box::new(MemorySource(file().into())));
    mutant.mutate(Plain).open(source).map(|(_, reader)| reader)
}

#[test]
fn every_accept_rule_has_a_mutant() {
    for rule in Rule::ALL {
        let has_mutant = READER_MUTANTS.iter().any(|mutant| mutant.rule == *rule);
        assert_eq!(has_mutant, rule.info().enforced == Enforced::Accept, "{rule}");
    }
}

#[test]
fn the_view_finds_its_way() {
    let view = View::of(Source::Served(Box::new(MemorySource(file().into())))).expect("a view");
    assert_eq!((view.container_minor(), view.flags(), view.tensor_count()), (1, 2, 2));
    assert_eq!(view.index().len(), 78);
    let entries = view.entries();
    assert_eq!(entries.iter().map(|entry| entry.descriptor_offset).collect::<Vec<_>>(), [200, 100]);
    assert_eq!(view.entry(b"A"), entries.get(1).cloned());
    assert_eq!(view.slice(u64::MAX, 1), b"");
    let cut = View::of(Source::Served(Box::new(MemorySource(file()[..100].into())))).expect("a view");
    assert_eq!(cut.entries(), []);
}

#[test]
fn whole_files_are_refused_at_open() {
    assert!(matches!(opened(Rule::VersionContainerMinorAccept), Err(Failure::Reject { .. })));
    assert!(matches!(opened(Rule::ContainerHeaderAlignmentLargerPage), Err(Failure::Reject { .. })));
    assert!(opened(Rule::ContainerHeaderFirstDescriptorGap).is_ok());
    assert!(opened(Rule::ContainerSafetyZeroTensors).is_ok());
}

#[test]
fn steps_are_refused_spoiled_and_misled() {
    let mut reader = opened(Rule::ContainerIndexNameByteExact).expect("it opens");
    assert!(matches!(reader.list(), Err(Failure::Reject { .. })));
    assert_eq!(reader.kv(), Plain.kv());

    let mut reader = opened(Rule::KvValueString).expect("it opens");
    let spoiled = reader.kv().expect("entries").kv.expect("entries");
    assert_eq!(spoiled[0].value, KvValue::Bytes("76".to_owned()));

    let mut reader = opened(Rule::ContainerReaderTensorByIndex).expect("it opens");
    assert_eq!(reader.describe(b"b"), Plain.describe(b"A"));
    assert_eq!(reader.describe(b"x"), Err(Failure::NotFound));

    let mut reader = opened(Rule::ContainerIndexSortedLookupComplete).expect("it opens");
    let found: Vec<bool> = [b"b", b"A"].iter().map(|name| reader.describe(*name).is_ok()).collect();
    assert!(found.contains(&false), "an unsorted index loses a name");
}

#[test]
fn a_tensor_is_served_once() {
    let mut reader = opened(Rule::ContainerReaderAnyTensorOrder).expect("it opens");
    assert!(reader.describe(b"b").is_ok() && reader.describe(b"A").is_ok());
    assert!(matches!(reader.describe(b"b"), Err(Failure::Reject { .. })));
}

#[test]
fn versions_are_compared_where_the_habit_says_so() {
    let mut reader = opened(Rule::VersionIndependent).expect("it opens");
    assert!(matches!(reader.describe(b"b"), Err(Failure::Reject { .. })), "container 1.1, descriptor 1.0");
    let mut reader = opened(Rule::VersionDescriptorMinorAccept).expect("it opens");
    assert!(reader.describe(b"b").is_ok());
}

#[test]
fn tensors_are_refused_for_what_their_descriptors_say() {
    let refused = |habit: Habit, rank: usize| {
        let source = Source::Served(Box::new(MemorySource(file().into())));
        let mut reader = Mutated { inner: Plain, habit }.open(source).expect("it opens").1;
        matches!(reader.describe(&vec![b'x'; rank]), Err(Failure::Reject { .. }))
    };
    let many = Habit::Avoid(avoid::many_dimensions);
    assert_eq!((refused(many, 8), refused(many, 9)), (false, true));
    assert!(!refused(Habit::Lacks("layout:csr"), 1) && !refused(Habit::Lenient, 1));
}

#[test]
fn what_a_habit_lacks_is_a_feature() {
    let names = READER_MUTANTS.iter().filter_map(|mutant| match mutant.habit {
        Habit::Lacks(name) => Some(name),
        _ => None,
    });
    let features: Vec<_> = names.map(known).collect();
    assert_eq!(features.len(), 13 + 11 + 3, "mandatory types, layouts and schemes");
    assert!(features.iter().all(|feature| feature.is_for_readers()));
}
