//! The index as a whole: names, order, aliases, and what the header claims of it.

use hurray_spec::Rule;

use crate::bytes::to_u64;
use crate::check::sections::is_between;
use crate::judge::Judge;
use crate::reject::{Reject, Span};
use crate::wire::header::{COUNT_UNKNOWN, FileHeader, flag};
use crate::wire::index::{Index, IndexEntry};

/// Requires what the entries owe each other and the header.
///
/// # Errors
/// Any such rule that is broken.
pub(crate) fn check_entries(index: &Index, header: &FileHeader, size: u64, judge: &mut Judge) -> Result<(), Reject> {
    check_names(index, header, judge)?;
    check_aliases(index, judge)?;
    check_first(index, header, size, judge)?;
    let hint = header.tensor_count_hint;
    let is_true = hint.value == COUNT_UNKNOWN || hint.value == to_u64(index.len());
    judge.require(is_true, Rule::ContainerHeaderHintValue, hint.span)
}

fn check_names(index: &Index, header: &FileHeader, judge: &mut Judge) -> Result<(), Reject> {
    for (before, entry) in index.in_name_order().zip(index.in_name_order().skip(1)) {
        judge.require(before.name != entry.name, Rule::ContainerIndexNameUnique, entry.name_span())?;
    }
    if header.has(flag::SORTED) {
        for (before, entry) in index.iter().zip(index.iter().skip(1)) {
            // Equal names are at fault as such.
            judge.require(before.name <= entry.name, Rule::ContainerIndexSortedOrder, entry.name_span())?;
        }
    }
    Ok(())
}

fn check_aliases(index: &Index, judge: &mut Judge) -> Result<(), Reject> {
    let mut before = None;
    for entry in index.in_offset_order().iter().filter_map(|position| index.get(*position)) {
        let is_alias = before.replace(entry.descriptor_offset) == Some(entry.descriptor_offset);
        let span = Span::value(entry.entry_offset, 2, entry.descriptor_offset);
        judge.require(!is_alias, Rule::ContainerIndexCount, span)?;
    }
    Ok(())
}

fn check_first(index: &Index, header: &FileHeader, size: u64, judge: &mut Judge) -> Result<(), Reject> {
    for entry in index.iter() {
        let is_aligned = entry.descriptor_offset.is_multiple_of(8);
        judge.require(is_aligned, Rule::ContainerRegionDescriptorAligned, entry.descriptor_offset_span())?;
    }
    // Without tensors the field points at nothing, and any value behind the header will do (ruling R13). A descriptor
    // out of bounds is at fault itself, when it is asked for.
    let inside = |entry: &IndexEntry<'_>| is_between(entry.descriptor_offset, u64::from(entry.descriptor_length), size);
    let smallest = index.iter().filter(inside).map(|entry| entry.descriptor_offset).min();
    let Some(smallest) = smallest else { return Ok(()) };
    let first = header.first_descriptor_offset;
    judge.require(first.value.is_multiple_of(8), Rule::ContainerHeaderFirstDescriptorAligned, first.span)?;
    judge.require(first.value == smallest, Rule::ContainerHeaderFirstDescriptorPoints, first.span)
}

#[cfg(test)]
mod tests;
