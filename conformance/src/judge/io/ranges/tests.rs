//! Read-sets made by hand over a file of two tensors: `a` at 4096, `b` at 8192, ten bytes each.

use hurray_adapter::{
    BufferObservation, HandleObservation, Name, Opening, Operation as Nothing, TensorObservation, Text, U64,
};

use super::*;

#[test]
fn what_a_request_cost_is_told_and_what_is_not_measured_too() {
    assert_eq!(cost_text(1, 64, None), "1 call for 64 bytes in all, memory not measured");
    assert_eq!(cost_text(7, 8 << 20, Some(12 << 20)), "7 calls for 8192 KiB in all, 12 MiB more memory");
}
use crate::fault::Moved;

fn payloads() -> Payloads {
    let places = vec![(b"a".to_vec(), 4096..4106), (b"b".to_vec(), 8192..8202)];
    Payloads { places, size: 9000, tensor_count: 2, longest_reply: 1000 }
}

fn judged(step: &Step, result: &StepResult, ranges: &[(u64, u64)]) -> Option<(Rule, String)> {
    let operation = |&(offset, len): &(u64, u64)| Operation { offset, len, moved: Moved::Bytes(len) };
    let operations: Vec<_> = ranges.iter().map(operation).collect();
    let asked = Asked { step, result, operations: &operations, first: 0 };
    judge(&asked, &payloads()).err().map(|breach| (breach.rule, breach.actual))
}

fn rule(step: &Step, ranges: &[(u64, u64)]) -> Option<Rule> {
    let buffers = Some(vec![BufferObservation::of(b"0123456789"), BufferObservation::of(b"")]);
    let result = StepResult::Ok(Observed { buffers, ..Observed::default() });
    judged(step, &result, ranges).map(|(rule, _)| rule)
}

fn name() -> Name {
    Name { name: Text::from("a") }
}

#[test]
fn opening_takes_four_ranges_and_no_payload() {
    let open = Step::Open(Opening::default());
    let (header, trailer, index) = ((0, 64), (8960, 40), (8300, 9));
    assert_eq!(rule(&open, &[header, trailer, index, index]), None);
    assert_eq!(rule(&open, &[header, trailer, index, index, index]), Some(Rule::IoReadOpenFourRanges));
    assert_eq!(rule(&open, &[header, (7000, 2000), index, index, index]), Some(Rule::IoReadOpenNoTensorBytes));
    assert_eq!(rule(&open, &[trailer, header, index]), Some(Rule::ContainerReaderOpenOrder));
    assert_eq!(rule(&open, &[header, index, trailer]), Some(Rule::ContainerReaderOpenOrder));
    assert_eq!(rule(&open, &[(0, 4097)]), Some(Rule::IoReadOpenNoTensorBytes));
    let list = judged(&Step::List(Nothing {}), &StepResult::NotFound {}, &[(0, 9000)]);
    assert_eq!(list, Some((Rule::IoReadOpenNoTensorBytes, "read 20 bytes of payload to list names".to_owned())));
}

#[test]
fn a_descriptor_takes_one_range_and_a_tensor_one_more_for_each_buffer() {
    let (describe, read) = (Step::Describe(name()), Step::Read(name()));
    assert_eq!(rule(&describe, &[(64, 100)]), None);
    assert_eq!(rule(&describe, &[(64, 50), (114, 50)]), Some(Rule::IoReadDescriptorOneRange));
    assert_eq!(rule(&describe, &[(64, 5000)]), Some(Rule::IoReadDescriptorOneRange));
    assert_eq!(rule(&read, &[(64, 100), (4096, 10)]), None);
    assert_eq!(rule(&read, &[(64, 100), (4096, 5), (4101, 5)]), Some(Rule::IoReadTensorRanges));
    assert_eq!(rule(&read, &[(64, 100), (4096, 4097)]), Some(Rule::IoReadUntouchedOthers));
    let composite = Step::Composite(name());
    assert_eq!(rule(&composite, &[(64, 9), (80, 9), (4096, 10), (8192, 10)]), None, "two tensors, two buffers");
    assert_eq!(rule(&composite, &[(64, 9); 5]), Some(Rule::IoReadCompositeJob));
}

#[test]
fn no_range_is_empty_or_outside() {
    let read = Step::Read(name());
    assert_eq!(rule(&read, &[(4096, 0)]), Some(Rule::IoReadTensorRanges));
    assert_eq!(rule(&read, &[(8999, 2)]), Some(Rule::IoReadRangeAbsolute));
    assert_eq!(rule(&read, &[(u64::MAX, 2)]), Some(Rule::IoReadRangeAbsolute));
}

#[test]
fn memory_is_aligned_as_declared() {
    let seen = |memory: u64| {
        let handle = HandleObservation { alignment: Some(64), ..HandleObservation::default() };
        let tensor = TensorObservation { handles: Some(vec![handle]), ..TensorObservation::default() };
        let buffer = BufferObservation { memory_alignment: Some(U64(memory)), ..BufferObservation::of(b"x") };
        let seen = Observed { tensor: Some(tensor), buffers: Some(vec![buffer]), ..Observed::default() };
        aligned(&[Step::Read(name())], &[StepResult::Ok(seen)]).err().map(|breach| breach.rule)
    };
    assert_eq!((seen(64), seen(4096)), (None, None));
    assert_eq!(seen(32), Some(Rule::IoReadBufferAlignment));
}

#[test]
fn a_cost_is_what_was_asked_for() {
    let operation = |len| Operation { offset: 0, len, moved: Moved::Nothing };
    let log = Log { operations: vec![operation(3), operation(u64::MAX)], count: 2, changed: None };
    assert_eq!(cost(&log), (2, u64::MAX));
}
