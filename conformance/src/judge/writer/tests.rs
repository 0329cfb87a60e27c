//! What is found in a file made by hand, and what answers come to. The files are assembled vectors, not written ones.

use hurray_adapter::{
    BufferObservation, Finding, Hello, NewFile, NewItem, NewTensor, Observed, Op, Payload, TensorObservation, U64,
    WriterState,
};

use super::*;
use hurray_corpus::write_vector::Refusal;
use hurray_corpus::{Class, Feature, VectorSet};

fn hello() -> Hello {
    serde_json::from_value(serde_json::json!({
        "protocol": [1, 1], "name": "x", "version": "1",
        "operations": ["open", "list", "kv", "read", "write", "create", "header", "put", "finish"],
        "writes": { "types": ["float32"], "layouts": ["row_major"], "features": ["kv"] },
    }))
    .expect("a hello")
}

/// The tensor of `bases/one-f32` with its ramp of 48 bytes, described.
fn vector(expect: WriteExpect) -> WriteVector {
    let handle = serde_json::json!({
        "byte_size": "48", "alignment": 64, "device_tag": 0, "sync_mode": 0, "memory_class": 0,
    });
    let descriptor: TensorObservation = serde_json::from_value(serde_json::json!({
        "version": [1, 0], "type": "float32", "layout": "row_major", "shape": ["3", "4"], "byte_offset": "0",
        "handles": [handle], "layout_fields": {},
    }))
    .expect("a descriptor");
    let ramp: Vec<u8> = (0..48).collect();
    let buffers = vec![Payload::Hex(hex::encode(ramp))];
    let item = NewItem::Tensor(NewTensor { name: "a".into(), descriptor, buffers });
    WriteVector {
        id: "write/x/y".to_owned(),
        class: Class::Explicit,
        expect,
        rules: vec![Rule::ContainerWriterRecords],
        needs: ["type:float32", "layout:row_major"].map(|need| need.parse().expect("a feature")).into(),
        tags: Vec::new(),
        file: NewFile { items: vec![item], ..NewFile::default() },
        refusals: Vec::new(),
        why: String::new(),
        spec_silent: None,
        source: String::new(),
    }
}

fn base() -> Vec<u8> {
    let set = VectorSet::embedded().expect("the vectors");
    set.get("bases/one-f32").expect("a base").bytes.to_vec()
}

/// The verdict on these bytes, with answers of somebody who sees what is described.
fn judged(bytes: Vec<u8>, findings: &[&str], change: impl Fn(&mut Vec<StepResult>)) -> Verdict {
    let vector = vector(WriteExpect::Accept);
    let steps = inspection(&vector, &hello());
    let expected = seen_in(&vector.file);
    let answer = |step: &Step| {
        StepResult::Ok(match step {
            Step::List(_) => Observed { names: Some(vec!["a".into()]), ..Observed::default() },
            Step::Kv(_) => Observed { kv: Some(Vec::new()), ..Observed::default() },
            Step::Read(_) => Observed {
                tensor: Some(expected.tensors[0].tensor.clone()),
                buffers: expected.tensors[0].buffers.clone(),
                ..Observed::default()
            },
            _ => Observed::default(),
        })
    };
    let mut results: Vec<StepResult> = steps.iter().map(answer).collect();
    change(&mut results);
    let finding = |rule: &&str| Finding { rule: Some((*rule).to_owned()), offset: Some(U64(7)), message: None };
    let findings = Some(findings.iter().map(finding).collect());
    let validate = StepResult::Ok(Observed { findings, ..Observed::default() });
    let bytes = bytes.into();
    judge_file(&vector, &Inspected { bytes: &bytes, validate: &validate, steps: &steps, results: &results })
}

fn changed(at: usize, byte: u8) -> Vec<u8> {
    let mut bytes = base();
    bytes[at] = byte;
    bytes
}

#[test]
fn a_file_that_holds_what_was_described_passes() {
    let verdict = judged(base(), &[], |_| {});
    assert_eq!((verdict.outcome, verdict.fault), (Outcome::Passed, None), "{verdict:?}");
    assert!(verdict.compared_count > 10);
}

#[test]
fn the_container_names_the_duty_and_the_byte() {
    for (at, byte, rule) in [
        (8, 2, Rule::ContainerHeaderVersionMajor),
        (9, 1, Rule::ContainerHeaderVersionMinor),
        (12, 0, Rule::ContainerWriterCrcPopulated),
        (28, 0, Rule::ContainerHeaderHintUnknown),
        (69, 1, Rule::DescriptorHeaderVersionCurrent),
        (77, 0x80, Rule::DescriptorFlagsReservedZero),
    ] {
        let verdict = judged(changed(at, byte), &[], |_| {});
        assert_eq!(verdict.fault, Some(Fault::Invalid), "{rule}");
        assert_eq!(verdict.breaks.first(), Some(&rule), "{verdict:?}");
    }
}

#[test]
fn a_checksum_that_is_not_promised_is_a_recommendation_and_one_that_is_wrong_a_fault() {
    let checksum = base().len() - 12..base().len() - 8;
    let mut without = changed(12, 0);
    without[checksum.clone()].fill(0);
    let verdict = judged(without, &[], |_| {});
    assert_eq!((verdict.fault, verdict.advice), (None, vec![Rule::ContainerFlagsCrcShouldSet]));
    let mut wrong = base();
    wrong[checksum].fill(0);
    let verdict = judged(wrong, &[], |_| {});
    assert_eq!((verdict.fault, verdict.breaks[0]), (Some(Fault::Invalid), Rule::ContainerWriterCrcPopulated));
}

#[test]
fn a_finding_is_a_failure_and_a_recommendation_is_not() {
    let verdict = judged(base(), &["container.index.sorted-order"], |_| {});
    assert_eq!((verdict.fault, verdict.offset), (Some(Fault::Invalid), Some(7)));
    assert_eq!(verdict.breaks[0], Rule::ContainerFlagsSortedTruthful);
    let verdict = judged(base(), &["layout.morton.min-bits"], |_| {});
    assert_eq!((verdict.fault, verdict.advice), (None, vec![Rule::LayoutMortonMinBits]));
}

#[test]
fn every_field_that_differs_is_found() {
    let change = |field: fn(&mut TensorObservation)| {
        move |results: &mut Vec<StepResult>| {
            for result in results {
                if let StepResult::Ok(Observed { tensor: Some(tensor), .. }) = result {
                    field(tensor);
                }
            }
        }
    };
    let verdict = judged(base(), &[], change(|tensor| tensor.shape = Some(vec![U64(12)])));
    assert_eq!((verdict.fault, verdict.breaks), (Some(Fault::Wrong), vec![Rule::ComplianceTestRoundtripIdentical]));
    let verdict = judged(base(), &[], change(|tensor| tensor.statistics = Some(Default::default())));
    assert_eq!(verdict.fault, Some(Fault::Wrong), "a section nobody asked for");
    let verdict = judged(base(), &[], change(|tensor| tensor.layout = Some("strided".to_owned())));
    assert_eq!(verdict.breaks[0], Rule::ComplianceWriterMandatoryFields);
    let smaller =
        |tensor: &mut TensorObservation| tensor.handles.iter_mut().flatten().for_each(|h| h.alignment = Some(32));
    let verdict = judged(base(), &[], change(smaller));
    assert_eq!(verdict.breaks[0], Rule::ComplianceWriterBufferTable);
    assert!(verdict.breaks.contains(&Rule::BufferHandleAlignmentLarger));
}

#[test]
fn other_bytes_and_other_names_are_found() {
    let verdict = judged(base(), &[], |results| {
        for result in results.iter_mut() {
            if let StepResult::Ok(Observed { buffers: Some(buffers), .. }) = result {
                *buffers = vec![BufferObservation::of(b"x")];
            }
        }
    });
    assert_eq!(verdict.breaks[0], Rule::ContainerWriterRecords);
    let verdict = judged(base(), &[], |results| {
        for result in results.iter_mut() {
            if let StepResult::Ok(Observed { names: Some(names), .. }) = result {
                names.push("b".into());
            }
        }
    });
    assert_eq!(verdict.fault, Some(Fault::Wrong));
}

fn answers(expect: WriteExpect, results: &[StepResult], needs: &[&str]) -> Result<Ended, Fault> {
    let mut vector = vector(expect);
    vector.needs.extend(needs.iter().map(|need| need.parse::<Feature>().expect("a feature")));
    let asked = whole_script(&vector, vector.file.clone());
    judge_answers(&vector, &hello(), &asked, results).map_err(|verdict| verdict.fault.expect("a fault"))
}

#[test]
fn answers_are_those_wanted_or_a_fault() {
    let refused = || StepResult::Refused { message: String::new(), state: None };
    let ok = || StepResult::Ok(Observed::default());
    let either = WriteExpect::Either { prefer_accept: true };
    assert_eq!(answers(WriteExpect::Accept, &[ok()], &[]), Ok(Ended::Written));
    assert_eq!(answers(WriteExpect::Accept, &[refused()], &[]), Err(Fault::Refused));
    assert_eq!(answers(WriteExpect::Refused, &[ok()], &[]), Err(Fault::Accepted));
    assert_eq!(answers(WriteExpect::Refused, &[refused()], &[]), Ok(Ended::Refused));
    assert_eq!(answers(either, &[refused()], &[]), Ok(Ended::Refused));
    assert_eq!(answers(either, &[ok()], &[]), Ok(Ended::Written));
    assert_eq!(answers(WriteExpect::Accept, &[StepResult::Unsupported {}], &[]), Err(Fault::Unsupported));
    assert_eq!(answers(WriteExpect::Accept, &[StepResult::Unsupported {}], &["feature:shard"]), Ok(Ended::Unsupported));
    assert_eq!(answers(WriteExpect::Accept, &[refused()], &["feature:shard"]), Ok(Ended::Unsupported));
    let error = StepResult::Error { message: String::new(), state: None };
    assert_eq!(answers(WriteExpect::Refused, &[error], &[]), Err(Fault::Error));
}

#[test]
fn a_refusal_that_costs_the_file_is_one_too_many() {
    let mut vector = vector(WriteExpect::Refused);
    let item = vector.file.items[0].clone();
    vector.refusals = vec![Refusal::Item { before: 1, item }, Refusal::Kv(Vec::new())];
    let asked = item_script(&vector, &hello());
    let operations: Vec<_> = asked.iter().map(|asked| (asked.step.operation(), asked.want)).collect();
    let wanted = [
        (Op::Create, Want::Done),
        (Op::Header, Want::Done),
        (Op::Put, Want::Done),
        (Op::Put, Want::Refused),
        (Op::Finish, Want::Refused),
        (Op::Finish, Want::Done),
    ];
    assert_eq!(operations, wanted);
    let ok = || StepResult::Ok(Observed::default());
    let refused = |state| StepResult::Refused { message: String::new(), state };
    let results = [ok(), ok(), ok(), refused(Some(WriterState::Usable)), refused(None), ok()];
    assert_eq!(judge_answers(&vector, &hello(), &asked, &results).expect("as wanted"), Ended::Written);
    let results = [ok(), ok(), ok(), refused(Some(WriterState::Unusable)), refused(None), ok()];
    assert_eq!(judge_answers(&vector, &hello(), &asked, &results).expect_err("too much").fault, Some(Fault::Wrong));
}

#[test]
fn a_contested_file_is_judged_but_for_what_is_contested() {
    let contested = vector(WriteExpect::Either { prefer_accept: false });
    let good = Verdict::good(Outcome::Passed, "", "");
    let verdict = conclude(&contested, &Ended::Written, Some(good.clone()));
    assert_eq!((verdict.outcome, verdict.strict), (Outcome::Contested, Some(false)));
    let verdict = conclude(&contested, &Ended::Refused, None);
    assert_eq!((verdict.outcome, verdict.strict), (Outcome::Contested, Some(true)));
    let verdict = conclude(&contested, &Ended::Written, Some(Verdict::bad(Fault::Wrong, None, "", "")));
    assert_eq!(verdict.fault, Some(Fault::Wrong));
    let verdict = conclude(&vector(WriteExpect::Refused), &Ended::Refused, None);
    assert_eq!(verdict.outcome, Outcome::Passed);
}
