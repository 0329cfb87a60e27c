//! Over-strict habits with composites: each refuses members, for what their descriptors say, that the specification
//! allows. Owns nothing else; looks at observations alone.

use hurray_adapter::{CompositeObservation, Reader, TensorObservation};

use super::avoid::{array, count};

/// A composite with the descriptors of its head and of its direct members.
#[derive(Debug)]
pub(super) struct Family {
    rule: String,
    head: TensorObservation,
    members: Vec<TensorObservation>,
}

impl Family {
    /// Asks `reader` for the descriptors; `None` if it does not give them.
    pub(super) fn of(reader: &mut dyn Reader, seen: &CompositeObservation) -> Option<Self> {
        let mut tensor = |name: &[u8]| reader.describe(name).ok()?.tensor;
        let head = tensor(&seen.name.0)?;
        let members = seen.member_names().iter().map(|name| tensor(&name.0)).collect::<Option<_>>()?;
        Some(Family { rule: seen.rule.clone(), head, members })
    }

    fn is_group(&self) -> bool {
        self.rule == "group"
    }
}

/// Where a member stands in its parent, one range a dimension.
fn place(member: &TensorObservation) -> Vec<(u64, u64)> {
    let starts = array(&member.shard, "shard_offset");
    let dims = member.shape.iter().flatten().map(|dim| dim.0);
    starts.into_iter().zip(dims).map(|(start, len)| (start, start.saturating_add(len))).collect()
}

fn meet(a: &TensorObservation, b: &TensorObservation) -> bool {
    let (a, b) = (place(a), place(b));
    !a.is_empty() && a.iter().zip(&b).all(|((a, a_end), (b, b_end))| a < b_end && b < a_end)
}

pub(super) fn group_of_several_types(family: &Family) -> bool {
    family.is_group() && family.members.iter().any(|member| member.element_type != family.head.element_type)
}

pub(super) fn group_without_shards(family: &Family) -> bool {
    family.is_group() && family.members.iter().any(|member| member.shard.is_none())
}

/// A group whose members do not have as many elements as its head.
pub(super) fn group_that_covers_nothing(family: &Family) -> bool {
    let held = family.members.iter().map(count).fold(0, u64::saturating_add);
    family.is_group() && held != count(&family.head)
}

pub(super) fn stored_as_another_type(family: &Family) -> bool {
    !family.is_group() && family.members.iter().any(|member| member.element_type != family.head.element_type)
}

pub(super) fn quantized_members(family: &Family) -> bool {
    !family.is_group() && family.members.iter().any(|member| member.quantization.is_some())
}

/// Corrections that meet in an element.
pub(super) fn overlapping_corrections(family: &Family) -> bool {
    let corrections = family.members.get(1..).unwrap_or(&[]);
    let pairs = || corrections.iter().enumerate().flat_map(|(at, a)| corrections[..at].iter().map(move |b| (a, b)));
    family.rule == "overlay" && pairs().any(|(a, b)| meet(a, b))
}

/// Corrections of what the base holds already.
pub(super) fn corrections_of_the_base(family: &Family) -> bool {
    let Some((base, corrections)) = family.members.split_first() else { return false };
    family.rule == "overlay" && corrections.iter().any(|member| meet(base, member))
}
