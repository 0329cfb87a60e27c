//! What a vector says of the element that a step asks for. Looks at expectations alone.

use hurray_adapter::{Element, Step};

use super::Judge;
use hurray_corpus::Meaning;

impl<'a> Judge<'a> {
    /// What is stated of the element; place and value may be stated apart.
    pub(super) fn meaning(&self, step: &Step, element: &Element) -> Option<&'a Meaning> {
        self.vector.meaning.iter().find(|meaning| {
            let is_asked = match step {
                Step::Locate(_) => meaning.place.is_some(),
                _ => meaning.value.is_some(),
            };
            is_asked && meaning.tensor == element.name && meaning.index == element.index
        })
    }

    /// Whether the element must not be given a value: it, or a parameter of its scheme, is of bits that must not occur.
    pub(super) fn is_forbidden(&self, step: &Step) -> bool {
        let Step::Decode(element) = step else { return false };
        self.meaning(step, element).is_some_and(Meaning::is_forbidden)
    }
}
