//! Overlaps: which pairs are at fault, and where.

use super::*;
use crate::judge::Policy;

fn ranges(parts: &[(u64, u64, Part)]) -> Ranges {
    let mut ranges = Ranges::default();
    for (start, end, part) in parts {
        ranges.push(*start..*end, *part);
    }
    ranges.sort();
    ranges
}

fn shared(parts: &[(u64, u64, Part)]) -> Option<std::ops::Range<u64>> {
    ranges(parts).check_disjoint(&mut Judge::new(Policy::strict())).err().map(|reject| reject.span)
}

#[test]
fn parts_that_share_a_byte_are_at_fault_where_they_share_it() {
    use Part::{Data, Descriptor, Section};
    assert_eq!(shared(&[(64, 72, Section), (72, 80, Section)]), None);
    assert_eq!(shared(&[(64, 73, Section), (72, 80, Section)]), Some(72..73));
    assert_eq!(shared(&[(64, 125, Descriptor(64)), (100, 110, Data(64))]), Some(100..110));
    assert_eq!(shared(&[(64, 200, Data(1)), (70, 80, Section), (90, 95, Descriptor(90))]), Some(70..80));
    // The long one still covers the third, whatever ended in between.
    let mut judge = Judge::new(Policy::collecting());
    let parts = [(64, 200, Section), (70, 80, Descriptor(70)), (199, 300, Data(64))];
    ranges(&parts).check_disjoint(&mut judge).unwrap();
    let spans: Vec<_> = judge.findings().iter().map(|finding| finding.span.clone()).collect();
    assert_eq!(spans, [70..80, 199..200]);
}

#[test]
fn two_entries_of_one_tensor_share_it_by_right() {
    let parts = [(64, 125, Part::Descriptor(64)), (64, 125, Part::Descriptor(64))];
    assert_eq!(shared(&parts), None);
    let parts = [(4096, 4144, Part::Data(64)), (4096, 4144, Part::Data(4144))];
    assert_eq!(shared(&parts), Some(4096..4144));
}

#[test]
fn a_range_is_held_against_all_others() {
    let others = ranges(&[(64, 125, Part::Descriptor(64)), (4096, 4097, Part::Data(64)), (4144, 4187, Part::Section)]);
    let apart = |start, end| {
        let mut judge = Judge::new(Policy::strict());
        others.check_apart(&(start..end), Part::Data(64), &mut judge).err().map(|reject| reject.span)
    };
    assert_eq!(apart(4096, 4144), None);
    assert_eq!(apart(4096, 4145), Some(4144..4145));
    assert_eq!(apart(120, 130), Some(120..125));
    assert_eq!(apart(5000, 6000), None);
}
