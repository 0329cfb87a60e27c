//! What one vector may not say about itself.
//!
//! Owns the rules of consistency that need no other vector.

use crate::error::LoadFault;
use crate::feature::Feature;
use crate::form::element;
use crate::form::vector::{ClassForm, ExpectForm, ThenForm, VectorForm};
use crate::vector::{Due, Expect, Vector};
use hurray_adapter::{FieldValue, Text};

/// The id of a vector within its file.
pub(super) fn id(id: &str) -> Result<(), LoadFault> {
    let word = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-' || byte == b'_';
    if !id.is_empty() && id.bytes().all(word) {
        return Ok(());
    }
    Err(LoadFault::BadField { field: "id", what: format!("`{id}`: use lower-case words, digits and dashes") })
}

/// Fields that ask for one another.
pub(super) fn forms(form: &VectorForm) -> Result<(), LoadFault> {
    let missing = |field, because| Err(LoadFault::Missing { field, because });
    let needless = |field, because| Err(LoadFault::Needless { field, because });
    if form.edit.is_empty() {
        return missing("edit", "without an edit the file is its base, which is a vector already");
    }
    match (form.edit.len(), &form.edits_because) {
        (2.., None) => return missing("edits_because", "one fault per vector: say why it takes several edits"),
        (1, Some(_)) => return needless("edits_because", "there is one edit only"),
        _ => {}
    }
    let has_near = form.near.is_some() || form.expect != ExpectForm::Accept;
    outcome(form.expect, form.class, has_near, form.spec_silent.is_some(), &form.then)
}

/// What permissive reading leaves open is not asked for, and a rejection has its reasons.
pub(super) fn permissive(expect: &Expect, has_near: bool, then: &[ThenForm]) -> Result<(), LoadFault> {
    match (expect, has_near) {
        (Expect::Either { .. }, _) => {
            let what = "what a permissive reader has to do is ruled; write accept or reject".to_owned();
            return Err(LoadFault::BadField { field: "expect", what });
        }
        (Expect::Accept, true) => {
            return Err(LoadFault::Needless { field: "near", because: "an accepted file is itself the near miss" });
        }
        _ => {}
    }
    match then.iter().find(|then| then.because.trim().is_empty()) {
        Some(_) => Err(LoadFault::Missing { field: "because", because: "each rule of `then` says why" }),
        None => Ok(()),
    }
}

/// What is said of an outcome beside it: the near miss, and what the text leaves open.
pub(super) fn outcome(
    expect: ExpectForm,
    class: ClassForm,
    has_near: bool,
    is_silent: bool,
    then: &[ThenForm],
) -> Result<(), LoadFault> {
    let missing = |field, because| Err(LoadFault::Missing { field, because });
    let needless = |field, because| Err(LoadFault::Needless { field, because });
    let either = expect == ExpectForm::Either;
    if either != matches!(class, ClassForm::Contested) {
        let what = "`contested` and expect = \"either\" go together; change one of them".to_owned();
        return Err(LoadFault::BadField { field: "class", what });
    }
    match (expect, has_near) {
        (ExpectForm::Accept, true) => return needless("near", "an accepted file is itself the near miss"),
        (ExpectForm::Reject | ExpectForm::Either, false) => {
            return missing("near", "name the accepted vector that is nearest");
        }
        _ => {}
    }
    match (either, is_silent) {
        (true, false) => return missing("spec_silent", "say in one sentence what the text leaves open"),
        (false, true) => return needless("spec_silent", "it explains contested vectors only"),
        _ => {}
    }
    if then.iter().any(|then| then.because.trim().is_empty()) {
        return missing("because", "each rule of `then` says why it catches the same bytes");
    }
    if expect == ExpectForm::Accept && !then.is_empty() {
        return needless("then", "nothing is rejected");
    }
    Ok(())
}

/// The finished vector: features declared, steps at tensors that exist, a sentence for people.
pub(super) fn vector(vector: &Vector) -> Result<(), LoadFault> {
    if vector.why.trim().is_empty() {
        return Err(LoadFault::Missing { field: "why", because: "one sentence for a person" });
    }
    for tensor in &vector.observe.tensors {
        let scheme = match tensor.tensor.quantization.as_ref().and_then(|fields| fields.get("scheme")) {
            Some(FieldValue::One(scheme)) => Some(scheme),
            _ => None,
        };
        let (kind, layout) = (tensor.tensor.element_type.as_ref(), tensor.tensor.layout.as_ref());
        for (kind, name) in [("type", kind), ("layout", layout), ("quantization", scheme)] {
            let Some(name) = name else { continue };
            let text = format!("{kind}:{name}");
            match text.parse::<Feature>() {
                Ok(feature) if !vector.needs.contains(&feature) => return Err(LoadFault::UndeclaredFeature(text)),
                Err(_) if !name.starts_with("0x") => return Err(LoadFault::UnknownFeature(text)),
                Ok(_) | Err(_) => {}
            }
        }
    }
    if let Some(rule) = vector.then.iter().find(|rule| vector.rules.first() == Some(rule)) {
        let what = format!("`{rule}` is the rule that is waived; name what catches the bytes then");
        return Err(LoadFault::BadField { field: "then", what });
    }
    if let Some(what) = element::fault(&vector.meaning, &vector.observe) {
        return Err(LoadFault::BadField { field: "meaning", what });
    }
    composites(vector)?;
    let is_alone = matches!(due(&vector.expect), Some(Due::Descriptor));
    if due(&vector.expect).is_some() && is_alone == vector.mode.is_of_file() {
        let what = "`descriptor` is the step of bare descriptors, and their only one".to_owned();
        return Err(LoadFault::BadField { field: "due", what });
    }
    match &vector.expect {
        Expect::Reject { .. } if !vector.meaning.is_empty() => {
            Err(LoadFault::Needless { field: "meaning", because: "what is rejected has none" })
        }
        Expect::Reject { due } | Expect::Either { due, .. } => due_is_observed(vector, due),
        Expect::Accept => Ok(()),
    }
}

fn due(expect: &Expect) -> Option<&Due> {
    match expect {
        Expect::Accept => None,
        Expect::Reject { due } | Expect::Either { due, .. } => Some(due),
    }
}

/// Heads and members are tensors of their own.
fn composites(vector: &Vector) -> Result<(), LoadFault> {
    let is_seen = |name: &Text| vector.observe.tensors.iter().any(|tensor| tensor.name == *name);
    let named =
        vector.observe.composites.iter().flat_map(|composite| composite.member_names().iter().chain([&composite.name]));
    match named.into_iter().find(|name| !is_seen(name)) {
        None => Ok(()),
        Some(name) => {
            let what = format!("no tensor {name:?} among those observed; a head and its members are tensors, too");
            Err(LoadFault::BadField { field: "composites", what })
        }
    }
}

/// A step at a tensor names one that the observation lists.
fn due_is_observed(vector: &Vector, due: &Due) -> Result<(), LoadFault> {
    let (Due::Describe(name) | Due::Read(name) | Due::Composite(name)) = due else { return Ok(()) };
    let seen: Vec<&Text> = vector.observe.tensors.iter().map(|tensor| &tensor.name).collect();
    if seen.contains(&name) {
        return Ok(());
    }
    let what = format!("no tensor {name:?} among those observed; give its name as in `observe`");
    Err(LoadFault::BadField { field: "due", what })
}
