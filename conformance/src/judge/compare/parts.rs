//! The parts of a descriptor that come as named fields, composites, and single elements.

use hurray_adapter::{CompositeObservation, FieldValue, Fields, Observed, Part, Step, TensorObservation, Text};

use super::{Compared, Comparison, Need, difference};
use hurray_corpus::Meaning;

/// What is expected of a field that the file does not declare valid.
const UNKNOWN: &str = "unknown";

impl Comparison<'_> {
    /// The fields of the layout and the optional sections, each where its group is declared.
    pub(super) fn parts(&mut self, name: &Text, expected: &TensorObservation, seen: &TensorObservation) -> Compared {
        let of = |tensor: &'_ TensorObservation| {
            [
                (Part::LayoutFields, "layout_fields", tensor.layout_fields.clone()),
                (Part::Sections, "quantization", tensor.quantization.clone()),
                (Part::Sections, "shard", tensor.shard.clone()),
                (Part::Sections, "statistics", tensor.statistics.clone()),
                (Part::Sections, "extension", tensor.extension.clone()),
                (Part::Sections, "member", tensor.member.clone()),
            ]
        };
        for ((group, part, wanted), (_, _, seen)) in of(expected).into_iter().zip(of(seen)) {
            let Some(wanted) = wanted else { continue };
            let what = format!("{name}: {part}");
            match seen {
                _ if !self.observes(group) => self.unobserved_count += 1,
                None => return Err(difference(&what, &wanted, &"nothing")),
                Some(seen) => self.fields(&what, &wanted, &seen)?,
            }
        }
        Ok(())
    }

    /// One part; fields that no expectation names are the candidate's own affair.
    fn fields(&mut self, what: &str, expected: &Fields, seen: &Fields) -> Compared {
        for (name, wanted) in expected {
            let what = format!("{what}.{name}");
            match (wanted, seen.get(name)) {
                // To be shown as unknown is not to be shown.
                (FieldValue::One(word), None) if word == UNKNOWN => self.compared_count += 1,
                (_, None) => self.unobserved_count += 1,
                (FieldValue::Part(wanted), Some(FieldValue::Part(seen))) => self.fields(&what, wanted, seen)?,
                (wanted, Some(seen)) if is_same(wanted, seen) => self.compared_count += 1,
                (wanted, Some(seen)) => return Err(difference(&what, wanted, seen)),
            }
        }
        Ok(())
    }

    /// A composite: its rule and the names of its members, in order.
    ///
    /// # Errors
    /// The first difference.
    pub fn composite(
        &mut self,
        expected: Option<&CompositeObservation>,
        actual: Option<&CompositeObservation>,
    ) -> Compared {
        let Some(expected) = expected else { return Ok(()) };
        let what = |field: &str| format!("composite {}: {field}", expected.name);
        let Some(actual) = actual else { return Err(difference(&what("members"), expected, &"nothing")) };
        self.field(&what("rule"), Need::Must, Some(&expected.rule), Some(&actual.rule))?;
        self.field(&what("members"), Need::Optional, expected.members.as_ref(), actual.members.as_ref())
    }

    /// One element: its place or its value.
    ///
    /// # Errors
    /// The first difference.
    pub fn meaning(&mut self, expected: &Meaning, step: &Step, seen: &Observed) -> Compared {
        let before = self.compared_count;
        let compared = self.element(expected, step, seen);
        self.element_count += self.compared_count - before;
        compared
    }

    fn element(&mut self, expected: &Meaning, step: &Step, seen: &Observed) -> Compared {
        let index: Vec<u64> = expected.index.iter().map(|at| at.0).collect();
        let what = |field: &str| format!("{}{index:?}: {field}", expected.tensor);
        match step {
            Step::Locate(_) => self.field(&what("place"), Need::Must, expected.place.as_ref(), seen.place.as_ref()),
            _ => match (expected.value.as_deref(), seen.value.as_deref()) {
                (Some("nan"), Some(value)) if is_nan(value) => {
                    self.compared_count += 1;
                    Ok(())
                }
                (wanted, seen) => {
                    let [wanted, seen] = [wanted, seen].map(|value| value.map(str::to_ascii_lowercase));
                    self.field(&what("value"), Need::Must, wanted.as_ref(), seen.as_ref())
                }
            },
        }
    }
}

/// Hex digits may be of either case; a boolean tells zero from everything else.
fn is_same(wanted: &FieldValue, seen: &FieldValue) -> bool {
    match (wanted, seen) {
        (FieldValue::One(wanted), FieldValue::One(seen)) if seen == "true" || seen == "false" => {
            wanted.parse::<u64>().is_ok_and(|wanted| (wanted != 0) == (seen == "true"))
        }
        (FieldValue::One(wanted), FieldValue::One(seen)) => wanted.eq_ignore_ascii_case(seen),
        (FieldValue::Many(wanted), FieldValue::Many(seen)) => {
            wanted.len() == seen.len()
                && wanted.iter().zip(seen).all(|(wanted, seen)| wanted.eq_ignore_ascii_case(seen))
        }
        // An empty list and an empty part look alike in some languages.
        (FieldValue::Many(wanted), FieldValue::Part(seen)) => wanted.is_empty() && seen.is_empty(),
        _ => false,
    }
}

/// Whether these are the bits of a NaN: of a float32 by 8, a float64 by 16, a float128 by 32 hex digits.
fn is_nan(digits: &str) -> bool {
    let fraction_bits = match digits.len() {
        8 => 23,
        16 => 52,
        32 => 112,
        _ => return false,
    };
    let Ok(bits) = u128::from_str_radix(digits, 16) else { return false };
    let infinity = ((1_u128 << (digits.len() * 4 - 1 - fraction_bits)) - 1) << fraction_bits;
    bits & (u128::MAX >> (129 - digits.len() * 4)) > infinity
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_boolean_is_zero_or_anything_else() {
        let same = |wanted: &str, seen: &str| is_same(&FieldValue::One(wanted.into()), &FieldValue::One(seen.into()));
        for (wanted, seen) in [("0", "false"), ("1", "true"), ("255", "true"), ("2", "2"), ("aF", "Af")] {
            assert!(same(wanted, seen), "{wanted} {seen}");
        }
        for (wanted, seen) in [("0", "true"), ("1", "false"), ("2", "1"), ("per_block", "true"), ("-1", "false")] {
            assert!(!same(wanted, seen), "{wanted} {seen}");
        }
    }

    #[test]
    fn a_nan_is_known_by_its_bits() {
        for nan in ["7fc00000", "ff800001", "7ff0000000000001", "7fff8000000000000000000000000000"] {
            assert!(is_nan(nan), "{nan}");
        }
        for other in ["7f800000", "ff800000", "7ff0000000000000", "7fff0000000000000000000000000000", "nan", "7fc0"] {
            assert!(!is_nan(other), "{other}");
        }
    }
}
