//! Whether every part that an adapter declares to observe is really filled. Owns what belongs to which part.

use hurray_adapter::{
    ContainerObservation, HandleObservation, Observed, Opening, Part, Step, StepResult, TensorObservation,
};
use hurray_spec::Rule;
use strum::VariantArray;

use super::advice;
use super::files::good_file;
use super::interview::{Ask, Interview};
use crate::judge::reader_script;
use crate::run::probe::canary::{CANARY, bad_canaries};
use crate::support::text::printable;
use hurray_corpus::{ExpectedTensor, Vector};

pub(super) fn check(interview: &mut Interview<'_>) {
    for part in Part::VARIANTS.iter().filter(|part| interview.hello.observes(**part)).copied().collect::<Vec<_>>() {
        match part {
            Part::Rules => rules(interview),
            Part::Container
            | Part::Tensors
            | Part::Kv
            | Part::Handles
            | Part::Payload
            | Part::MemoryAlignment
            | Part::DescriptorVersion
            | Part::LayoutFields
            | Part::Sections => observed(interview, part),
        }
    }
}

/// One part, over the smallest good file that has it.
fn observed(interview: &mut Interview<'_>, part: Part) {
    let id = format!("observes/{part}");
    let asked = format!("\"observes\" names `{part}`, and it is filled");
    let ask = Ask { id: &id, asked: &asked };
    let Some(vector) = good_file(interview.set, &interview.hello, |vector| has(vector, part)) else {
        interview.sheet.skipped(ask.id, ask.asked, "no good file of the suite has it by what is declared");
        return;
    };
    let script = reader_script(vector, &interview.hello);
    let Some(results) = interview.ask(ask, &vector.bytes, (&script).into()) else { return };
    let seen: Vec<&Observed> =
        results.iter().filter_map(|result| if let StepResult::Ok(seen) = result { Some(seen) } else { None }).collect();
    let fields = fields_of(part, vector, &seen);
    let empty: Vec<&str> = fields.iter().filter(|(_, is_filled)| !is_filled).map(|(field, _)| *field).collect();
    if empty.len() == fields.len() {
        let came = format!("nothing of it over {}", vector.id);
        interview.sheet.missing(ask.id, ask.asked, came, advice::NOT_FILLED);
    } else if empty.is_empty() {
        interview.sheet.passed(ask.id, ask.asked, "it is");
    } else {
        let came = format!("without {}", empty.join(", "));
        interview.sheet.note(ask.id, ask.asked, came, advice::LEFT_OUT);
    }
}

/// Whether a file has what a part is about.
fn has(vector: &Vector, part: Part) -> bool {
    let tensors = || vector.observe.tensors.iter();
    match part {
        Part::Kv => vector.observe.kv.as_ref().is_some_and(|entries| !entries.is_empty()),
        Part::Container => vector.observe.container.is_some(),
        Part::LayoutFields => tensors().any(|expected| expected.tensor.layout_fields.is_some()),
        Part::Sections => tensors().any(|expected| sections(&expected.tensor).iter().any(|(_, has)| *has)),
        Part::MemoryAlignment | Part::Payload => tensors().any(has_bytes),
        Part::Tensors | Part::Handles | Part::DescriptorVersion | Part::Rules => !vector.observe.tensors.is_empty(),
    }
}

fn has_bytes(expected: &ExpectedTensor) -> bool {
    expected.buffers.iter().flatten().any(|buffer| buffer.len.0 > 0)
}

/// The fields of a part that the file has, with whether any answer filled them.
fn fields_of(part: Part, vector: &Vector, seen: &[&Observed]) -> Vec<(&'static str, bool)> {
    let tensors = || seen.iter().filter_map(|seen| seen.tensor.as_ref());
    let any = |is_filled: fn(&TensorObservation) -> bool| tensors().any(is_filled);
    match part {
        Part::Container => container(seen),
        Part::Tensors => vec![
            ("type", any(|tensor| tensor.element_type.is_some())),
            ("shape", any(|tensor| tensor.shape.is_some())),
            ("layout", any(|tensor| tensor.layout.is_some())),
            ("byte_offset", any(|tensor| tensor.byte_offset.is_some())),
        ],
        Part::Kv => vec![("kv", seen.iter().any(|seen| seen.kv.as_ref().is_some_and(|kv| !kv.is_empty())))],
        Part::Handles => handles(seen),
        Part::Payload => vec![("buffers", seen.iter().any(|seen| seen.buffers.is_some()))],
        Part::MemoryAlignment => {
            let mut buffers = seen.iter().flat_map(|seen| seen.buffers.iter().flatten());
            vec![("memory_alignment", buffers.any(|buffer| buffer.memory_alignment.is_some()))]
        }
        Part::DescriptorVersion => vec![("version", any(|tensor| tensor.version.is_some()))],
        Part::LayoutFields => vec![("layout_fields", any(|tensor| tensor.layout_fields.is_some()))],
        Part::Sections => {
            let wanted = vector.observe.tensors.iter().flat_map(|wanted| sections(&wanted.tensor));
            let names = wanted.filter(|(_, has)| *has).map(|(name, _)| name);
            names.map(|name| (name, tensors().any(|tensor| sections(tensor).contains(&(name, true))))).collect()
        }
        // Rules are named of bad files, and have a step of their own.
        Part::Rules => Vec::new(),
    }
}

fn container(seen: &[&Observed]) -> Vec<(&'static str, bool)> {
    let nothing = ContainerObservation::default();
    let seen = seen.iter().find_map(|seen| seen.container.as_ref()).unwrap_or(&nothing);
    vec![
        ("version", seen.version.is_some()),
        ("flags", seen.flags.is_some()),
        ("data_buffer_alignment", seen.data_buffer_alignment.is_some()),
        ("tensor_count", seen.tensor_count.is_some()),
    ]
}

fn handles(seen: &[&Observed]) -> Vec<(&'static str, bool)> {
    let tensors = seen.iter().filter_map(|seen| seen.tensor.as_ref());
    let handles: Vec<&HandleObservation> = tensors.flat_map(|tensor| tensor.handles.iter().flatten()).collect();
    let any = |is_filled: fn(&HandleObservation) -> bool| handles.iter().any(|handle| is_filled(handle));
    vec![
        ("byte_size", any(|handle| handle.byte_size.is_some())),
        ("alignment", any(|handle| handle.alignment.is_some())),
        ("device_tag", any(|handle| handle.device_tag.is_some())),
        ("sync_mode", any(|handle| handle.sync_mode.is_some())),
        ("memory_class", any(|handle| handle.memory_class.is_some())),
    ]
}

fn sections(tensor: &TensorObservation) -> [(&'static str, bool); 5] {
    [
        ("quantization", tensor.quantization.is_some()),
        ("shard", tensor.shard.is_some()),
        ("statistics", tensor.statistics.is_some()),
        ("extension", tensor.extension.is_some()),
        ("member", tensor.member.is_some()),
    ]
}

/// Rules are named where a file is bad, by ids that the specification has.
fn rules(interview: &mut Interview<'_>) {
    let ask = Ask { id: "observes/rules", asked: "\"observes\" names `rules`, and a rejection names one" };
    let bad = interview.set.get(CANARY).and_then(|canary| bad_canaries(canary).into_iter().next());
    let Some((_, bytes)) = bad else { return };
    let steps = vec![Step::Open(Opening::default())].into();
    let Some(results) = interview.ask(ask, &bytes.into(), steps) else { return };
    match results.last() {
        Some(StepResult::Reject { rule: Some(rule), .. }) if Rule::from_id(rule).is_some() => {
            interview.sheet.passed(ask.id, ask.asked, rule);
        }
        Some(StepResult::Reject { rule: Some(rule), .. }) => {
            let came = format!("`{}`, which is no rule", printable(rule, 80));
            interview.sheet.missing(ask.id, ask.asked, came, "use the ids of the chapters in spec/");
        }
        Some(StepResult::Reject { rule: None, .. }) => {
            interview.sheet.missing(ask.id, ask.asked, "a rejection without a rule", advice::NOT_FILLED);
        }
        // That it is rejected at all is a step of its own.
        _ => interview.sheet.skipped(ask.id, ask.asked, "the bad file was not rejected"),
    }
}
