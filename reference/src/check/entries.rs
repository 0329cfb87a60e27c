//! The index as a whole: names, order, aliases, and what the header claims of it.

use hurray_spec::Rule;

use crate::check::sections::is_between;
use crate::judge::Judge;
use crate::memory::reserved;
use crate::reject::{Error, Reject, Span};
use crate::wire::header::{COUNT_UNKNOWN, FileHeader, flag};
use crate::wire::index::{Index, IndexEntry};

/// Requires what the entries owe each other and the header.
///
/// # Errors
/// Any such rule that is broken; a limit if memory to sort the entries cannot be had.
pub(crate) fn check_entries(index: &Index, header: &FileHeader, size: u64, judge: &mut Judge) -> Result<(), Error> {
    check_names(index, header, judge)?;
    check_aliases(index, judge)?;
    check_first(index, header, size, judge)?;
    let hint = header.tensor_count_hint;
    let is_true = hint.value == COUNT_UNKNOWN || hint.value == index.len() as u64;
    judge.require(is_true, Rule::ContainerHeaderHintValue, hint.span)?;
    Ok(())
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

fn check_aliases(index: &Index, judge: &mut Judge) -> Result<(), Error> {
    let mut by_descriptor = reserved(index.len() as u64)?;
    by_descriptor.extend(index.iter().map(|entry| (entry.descriptor_offset, entry.entry_offset)));
    by_descriptor.sort_unstable();
    for pair in by_descriptor.windows(2) {
        let is_alias = pair[0].0 == pair[1].0;
        let span = Span::value(pair[1].1, 2, pair[1].0);
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
