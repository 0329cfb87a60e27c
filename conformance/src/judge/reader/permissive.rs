//! What a permissive reader may leave alone: data that it cannot interpret, and members that make no composite. Owns that
//! question; looks at expectations alone.

use hurray_adapter::{FieldValue, Step, Text};

use super::words::name_of;
use super::{Judge, scheme};
use hurray_corpus::ExpectedTensor;

impl Judge<'_> {
    /// Whether the step asks for data that a permissive reader must not interpret, and may leave alone.
    pub(super) fn is_uninterpreted(&self, step: &Step) -> bool {
        let is_unknown = |expected: &ExpectedTensor| {
            let tensor = &expected.tensor;
            let names = [tensor.element_type.as_ref(), tensor.layout.as_ref(), scheme(tensor)];
            names.into_iter().flatten().any(|name| name.starts_with("0x"))
        };
        let is_asked = match step {
            Step::Read(_) | Step::Locate(_) | Step::Decode(_) => {
                name_of(step).and_then(|name| self.expected(name)).is_some_and(is_unknown)
            }
            Step::All(_) => self.vector.observe.tensors.iter().any(is_unknown),
            Step::Composite(named) => self.is_no_composite(&named.name),
            _ => false,
        };
        self.vector.mode.is_permissive() && is_asked
    }

    /// Whether the members of a head cannot make a composite: the rule is private, or not all of them are there.
    fn is_no_composite(&self, name: &Text) -> bool {
        let seen = self.vector.observe.composites.iter().find(|composite| composite.name == *name);
        let promised =
            match self.expected(name).and_then(|head| head.tensor.layout_fields.as_ref()?.get("member_count")) {
                Some(FieldValue::One(count)) => count.parse().ok(),
                _ => None,
            };
        seen.is_some_and(|seen| {
            seen.rule.starts_with("0x") || promised.is_some_and(|count: u64| count > seen.member_names().len() as u64)
        })
    }
}
