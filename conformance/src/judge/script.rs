//! Which steps a vector asks of a candidate. Sends nothing that the candidate did not declare, and no expectation.

use hurray_adapter::{Bare, Element, Hello, Name, Op, Opening, Operation, Step, Text};

use hurray_corpus::{Due, Expect, ReadMode, Vector};

/// Whether the candidate offers an operation. `open` is always asked: without it there is nothing to judge.
fn is_asked(hello: &Hello, operation: Op) -> bool {
    operation == Op::Open || hello.offers(operation)
}

/// The reader script. Of a descriptor that stands in no file: decode it. Of a file that goes by once: scan it. Of any other
/// file: open, list, kv, describe and read every tensor, names that must not be found, composites, single elements, and all
/// at once.
pub fn reader_script(vector: &Vector, hello: &Hello) -> Vec<Step> {
    match vector.mode {
        ReadMode::Bare => vec![Step::Descriptor(Bare { bytes: hex::encode(&vector.bytes) })],
        ReadMode::Sequential => vec![Step::Scan(Operation {})],
        ReadMode::Whole | ReadMode::Permissive => opened_script(vector, hello),
    }
}

fn opened_script(vector: &Vector, hello: &Hello) -> Vec<Step> {
    let mut steps = vec![opening(vector), Step::List(Operation {}), Step::Kv(Operation {})];
    for name in tensor_names(vector).into_iter().chain(vector.absent.iter().cloned()) {
        steps.push(Step::Describe(Name { name: name.clone() }));
        steps.push(Step::Read(Name { name }));
    }
    steps.extend(composite_names(vector).into_iter().map(|name| Step::Composite(Name { name })));
    for meaning in &vector.meaning {
        let element = || Element { name: meaning.tensor.clone(), index: meaning.index.clone() };
        steps.extend(meaning.place.map(|_| Step::Locate(element())));
        steps.extend(meaning.value.as_ref().map(|_| Step::Decode(element())));
    }
    steps.push(Step::All(Operation {}));
    steps.retain(|step| is_asked(hello, step.operation()));
    steps
}

/// How the file is opened.
pub fn opening(vector: &Vector) -> Step {
    Step::Open(Opening { permissive: vector.mode.is_permissive() })
}

/// The script of the profile `validate`.
pub fn validate_script() -> Vec<Step> {
    vec![Step::Validate(Operation {})]
}

/// Every tensor that is asked for: the expected ones, and the one at fault.
fn tensor_names(vector: &Vector) -> Vec<Text> {
    let mut names: Vec<Text> = vector.observe.tensors.iter().map(|tensor| tensor.name.clone()).collect();
    if let Some(Due::Describe(name) | Due::Read(name)) = due(vector)
        && !names.contains(name)
    {
        names.push(name.clone());
    }
    names
}

/// Every composite that is asked for: the expected ones, and the one at fault.
fn composite_names(vector: &Vector) -> Vec<Text> {
    let mut names: Vec<Text> = vector.observe.composites.iter().map(|composite| composite.name.clone()).collect();
    if let Some(Due::Composite(name)) = due(vector)
        && !names.contains(name)
    {
        names.push(name.clone());
    }
    names
}

/// The step at which a rejection is due.
pub(super) fn due(vector: &Vector) -> Option<&Due> {
    match &vector.expect {
        Expect::Accept => None,
        Expect::Reject { due } | Expect::Either { due, .. } => Some(due),
    }
}
