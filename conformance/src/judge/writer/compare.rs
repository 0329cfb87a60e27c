//! Compares what the reference reads in a written file with the description it was written from, field by field.
//!
//! Owns which duty each field belongs to. Every field of a description is given, so a section that is not described is one
//! that must not be there.

use hurray_adapter::{
    BufferObservation, CompositeObservation, HandleObservation, KvEntry, Observed, Step, StepResult, TensorObservation,
    Text,
};
use hurray_spec::Rule;
use serde_json::Value;

use super::neglect::{LONGEST_SHOWN, Neglect};
use super::rules::broken_by;
use crate::judge::reader::step_text;
use crate::support::text::printable;
use hurray_corpus::{Expected, ExpectedTensor};

/// The fields of a descriptor that hold an optional section.
const SECTIONS: [&str; 5] = ["quantization", "shard", "statistics", "extension", "member"];
/// Handles below this alignment cannot be mapped by a device.
const PAGE: u32 = 4096;

/// Every difference, and the number of values that agree.
#[derive(Debug, Default)]
pub(super) struct Differences {
    pub(super) found: Vec<Neglect>,
    pub(super) compared_count: u32,
}

/// Compares the answers of the reference, one result per step, with what has to be seen.
pub(super) fn differences(expected: &Expected, steps: &[Step], results: &[StepResult]) -> Differences {
    let mut differences = Differences::default();
    for (step, result) in steps.iter().zip(results) {
        match result {
            StepResult::Ok(seen) => differences.step(expected, step, seen),
            // A private type or layout: it was written, and nobody here can say more.
            StepResult::Unsupported {} => {}
            StepResult::Reject { rule, offset, message } => {
                let rules = rule.as_deref().and_then(Rule::from_id).map_or_else(Vec::new, broken_by);
                let actual = format!("rejected: {}", printable(message, LONGEST_SHOWN));
                let offset = offset.map(|offset| offset.0);
                differences.found.push(Neglect::invalid(&rules, offset, &format!("{}: ok", step_text(step)), actual));
            }
            other => differences.differ(&records(), &step_text(step), &"ok", &other.kind()),
        }
    }
    differences
}

/// What a file that does not hold what was written comes to.
fn records() -> [Rule; 2] {
    [Rule::ContainerWriterRecords, Rule::ComplianceTestRoundtripIdentical]
}

impl Differences {
    fn differ(&mut self, rules: &[Rule], what: &str, expected: &impl serde::Serialize, actual: &impl serde::Serialize) {
        let shown = |value: Result<String, serde_json::Error>| printable(&value.unwrap_or_default(), LONGEST_SHOWN);
        self.found.push(Neglect {
            rules: rules.to_vec(),
            offset: None,
            expected: format!("{what} {}", shown(serde_json::to_string(expected))),
            actual: shown(serde_json::to_string(actual)),
            is_invalid: false,
        });
    }

    fn same<T: PartialEq + serde::Serialize>(&mut self, rules: &[Rule], what: &str, expected: &T, actual: &T) {
        if expected == actual {
            self.compared_count += 1;
        } else {
            self.differ(rules, what, expected, actual);
        }
    }

    fn step(&mut self, expected: &Expected, step: &Step, seen: &Observed) {
        match step {
            Step::List(_) => {
                let mut wanted: Vec<&Text> = expected.tensors.iter().map(|tensor| &tensor.name).collect();
                let mut names: Vec<&Text> = seen.names.iter().flatten().collect();
                wanted.sort();
                names.sort();
                self.same(&records(), "names", &wanted, &names);
            }
            Step::Kv(_) => {
                let nothing = Vec::new();
                self.kv(expected.kv.as_ref().unwrap_or(&nothing), seen.kv.as_ref().unwrap_or(&nothing));
            }
            Step::Read(named) => {
                if let Some(tensor) = expected.tensors.iter().find(|tensor| tensor.name == named.name) {
                    self.tensor(tensor, seen);
                }
            }
            Step::Composite(named) => {
                let wanted = expected.composites.iter().find(|composite| composite.name == named.name);
                if let (Some(wanted), Some(seen)) = (wanted, &seen.composite) {
                    self.composite(wanted, seen);
                }
            }
            _ => {}
        }
    }

    /// Entries by key: their order is nobody's promise.
    fn kv(&mut self, expected: &[KvEntry], seen: &[KvEntry]) {
        let by_key = |entries: &[KvEntry]| {
            let mut entries = entries.to_vec();
            entries.sort_by(|a, b| a.key.cmp(&b.key));
            entries
        };
        let (expected, seen) = (by_key(expected), by_key(seen));
        let rules = [Rule::ComplianceTestRoundtripIdentical];
        for (wanted, seen) in expected.iter().zip(&seen) {
            self.same(&rules, "key-value entry", wanted, seen);
        }
        self.same(&rules, "number of key-value entries", &expected.len(), &seen.len());
    }

    fn composite(&mut self, expected: &CompositeObservation, seen: &CompositeObservation) {
        let name = printable(&expected.name.to_string(), 60);
        let rules = [Rule::ComplianceWriterMandatoryFields, Rule::ComplianceTestRoundtripIdentical];
        self.same(&rules, &format!("{name}: rule"), &expected.rule, &seen.rule);
        let rules = [Rule::IoWriteCompositeOrder, Rule::ComplianceTestRoundtripIdentical];
        self.same(&rules, &format!("{name}: members in order"), &expected.members, &seen.members);
    }

    fn tensor(&mut self, expected: &ExpectedTensor, seen: &Observed) {
        let before = self.found.len();
        let nothing = TensorObservation::default();
        self.descriptor(&expected.name, &expected.tensor, seen.tensor.as_ref().unwrap_or(&nothing));
        if let Some(wanted) = &expected.buffers {
            let seen: Vec<BufferObservation> = seen.buffers.iter().flatten().map(without_memory).collect();
            let name = printable(&expected.name.to_string(), 60);
            self.same(&records(), &format!("{name}: number of buffers"), &wanted.len(), &seen.len());
            for (at, (wanted, seen)) in wanted.iter().zip(&seen).enumerate() {
                self.same(&records(), &format!("{name}: buffer {at}"), wanted, seen);
            }
        }
        let is_empty = expected.buffers.iter().flatten().any(|buffer| buffer.len.0 == 0);
        for found in self.found.iter_mut().skip(before).filter(|_| is_empty) {
            found.rules.push(Rule::ComplianceTestEmptyVectors);
        }
    }

    fn descriptor(&mut self, name: &Text, expected: &TensorObservation, seen: &TensorObservation) {
        let (Ok(Value::Object(wanted)), Ok(Value::Object(there))) =
            (serde_json::to_value(expected), serde_json::to_value(seen))
        else {
            return;
        };
        let name = printable(&name.to_string(), 60);
        for (field, wanted) in wanted.iter().filter(|(field, _)| *field != "handles") {
            let actual = there.get(field).unwrap_or(&Value::Null);
            self.value(&duties(field), &format!("{name}: {field}"), wanted, actual);
        }
        for field in SECTIONS.iter().filter(|field| !wanted.contains_key(**field)) {
            let actual = there.get(*field).unwrap_or(&Value::Null);
            self.same(&duties(field), &format!("{name}: {field}"), &Value::Null, actual);
        }
        let (wanted, seen) = (expected.handles.as_deref().unwrap_or(&[]), seen.handles.as_deref().unwrap_or(&[]));
        let rules = [Rule::ComplianceWriterBufferTable, Rule::ComplianceTestRoundtripIdentical];
        self.same(&rules, &format!("{name}: number of handles"), &wanted.len(), &seen.len());
        for (at, (wanted, seen)) in wanted.iter().zip(seen).enumerate() {
            self.handle(&format!("{name}: handle {at}"), wanted, seen);
        }
    }

    /// One field; of a part only the fields that are described, at any depth.
    fn value(&mut self, rules: &[Rule], what: &str, expected: &Value, actual: &Value) {
        match (expected, actual) {
            (Value::Object(expected), Value::Object(actual)) => {
                for (field, expected) in expected {
                    let actual = actual.get(field).unwrap_or(&Value::Null);
                    self.value(rules, &format!("{what}.{field}"), expected, actual);
                }
            }
            (Value::String(wanted), Value::String(seen)) if wanted.eq_ignore_ascii_case(seen) => {
                self.compared_count += 1;
            }
            _ => self.same(rules, what, expected, actual),
        }
    }

    fn handle(&mut self, what: &str, expected: &HandleObservation, seen: &HandleObservation) {
        let mut rules = vec![Rule::ComplianceWriterBufferTable, Rule::ComplianceTestRoundtripIdentical];
        if let (Some(wanted), Some(alignment)) = (expected.alignment, seen.alignment.filter(|_| seen != expected)) {
            let is_device = expected.device_tag.is_some_and(|tag| tag > 0);
            rules.extend((is_device && alignment < PAGE).then_some(Rule::BufferHandleAlignmentGpu));
            rules.extend((wanted > alignment).then_some(Rule::BufferHandleAlignmentLarger));
            let is_empty = expected.byte_size.is_some_and(|size| size.0 == 0);
            rules.extend((is_empty && wanted != alignment).then_some(Rule::BufferHandleAlignmentEmpty));
        }
        self.same(&rules, what, expected, seen);
    }
}

/// Whose duty a field of the descriptor is.
fn duties(field: &str) -> Vec<Rule> {
    let own: &[Rule] = match field {
        "version" => &[Rule::DescriptorHeaderVersionCurrent, Rule::VersionWriterExact],
        "layout" | "layout_fields" | "strides" => &[Rule::ComplianceWriterMandatoryFields],
        _ => &[],
    };
    own.iter().copied().chain([Rule::ComplianceTestRoundtripIdentical]).collect()
}

/// Where the reader put the bytes is no matter of the file.
fn without_memory(buffer: &BufferObservation) -> BufferObservation {
    BufferObservation { memory_alignment: None, ..buffer.clone() }
}
