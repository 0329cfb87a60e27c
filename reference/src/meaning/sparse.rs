//! The layouts that store some elements with their coordinates (layouts/coo.md, csr.md, csc.md, csf.md). A search looks at
//! one coordinate after the other: slow, right for sorted and unsorted files, and never beyond a buffer's end.

use super::words::{NoMeaning, Words};
use crate::bytes::{to_u64, to_usize};
use crate::model::{LayoutDescriptor, csf_level};

/// The position of the element at `index` among the stored values, or `None` for a zero that is not stored.
pub(super) fn position<B: AsRef<[u8]>>(
    layout: &LayoutDescriptor,
    words: &Words<'_, B>,
    index: &[u64],
) -> Result<Option<u64>, NoMeaning> {
    match (layout, index) {
        (LayoutDescriptor::Coo { nnz, .. }, _) => coo(*nnz, words, index),
        (LayoutDescriptor::Csr { .. }, [row, column]) => compressed(words, *row, *column),
        (LayoutDescriptor::Csc { .. }, [row, column]) => compressed(words, *column, *row),
        (LayoutDescriptor::Csf { mode_order, .. }, _) => csf(mode_order, words, index),
        _ => Err(NoMeaning::Unknown),
    }
}

fn coo<B: AsRef<[u8]>>(nnz: u64, words: &Words<'_, B>, index: &[u64]) -> Result<Option<u64>, NoMeaning> {
    let rank = to_u64(index.len());
    for entry in 0..nnz {
        let first = entry.checked_mul(rank).ok_or(NoMeaning::Data)?;
        let mut is_match = true;
        for (d, wanted) in (0_u64..).zip(index) {
            is_match &= words.u64(1, first.checked_add(d).ok_or(NoMeaning::Data)?)? == *wanted;
        }
        if is_match {
            return Ok(Some(entry));
        }
    }
    Ok(None)
}

/// Rows of CSR, columns of CSC: their entries are a slice of buffer 1, between two neighbours of buffer 2.
fn compressed<B: AsRef<[u8]>>(words: &Words<'_, B>, slice: u64, wanted: u64) -> Result<Option<u64>, NoMeaning> {
    words.find(1, words.slice(2, slice)?, wanted)
}

/// One level after the other; the node found is the parent of the next slice.
fn csf<B: AsRef<[u8]>>(mode_order: &[u32], words: &Words<'_, B>, index: &[u64]) -> Result<Option<u64>, NoMeaning> {
    let mut parent = 0;
    for (level, mode) in mode_order.iter().enumerate() {
        let wanted = *index.get(to_usize(*mode)).ok_or(NoMeaning::Unknown)?;
        let (pos, crd) = csf_level(level);
        match words.find(crd, words.slice(pos, parent)?, wanted)? {
            Some(at) => parent = at,
            None => return Ok(None),
        }
    }
    Ok(Some(parent))
}
