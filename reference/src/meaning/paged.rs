//! Pages of tokens found through a table (layouts/block-paged.md).

use super::words::{NoMeaning, Words};
use crate::model::BlockPaged;

/// Buffers of the table and of the sequence pointers.
const BLOCK_TABLE: usize = 1;
const SEQ_PTR: usize = 2;

/// The offset in the page pool of `[sequence, token, head, component]`.
pub(super) fn offset<B: AsRef<[u8]>>(
    pages: &BlockPaged,
    dims: &[u64],
    words: &Words<'_, B>,
    index: &[u64],
) -> Result<i128, NoMeaning> {
    let (&[_, heads, components], &[_, _, head, component]) = (dims, index) else { return Err(NoMeaning::Index) };
    if head >= heads || component >= components {
        return Err(NoMeaning::Index);
    }
    let mut sum = i128::from(slot(pages, words, index)?);
    for (dim, at) in [(heads, head), (components, component)] {
        let scaled = sum.checked_mul(i128::from(dim)).ok_or(NoMeaning::Data)?;
        sum = scaled.checked_add(i128::from(at)).ok_or(NoMeaning::Data)?;
    }
    Ok(sum)
}

/// The slot in the page pool of `[sequence, token, …]`; parameters per slot stand at the same position (ruling R60).
pub(super) fn slot<B: AsRef<[u8]>>(pages: &BlockPaged, words: &Words<'_, B>, index: &[u64]) -> Result<u64, NoMeaning> {
    let &[sequence, token, ..] = index else { return Err(NoMeaning::Index) };
    let page_size = u64::from(pages.page_size);
    if sequence >= u64::from(pages.num_seqs) {
        return Err(NoMeaning::Index);
    }
    // A page without slots holds no token.
    let split = token.checked_div(page_size).zip(token.checked_rem(page_size));
    let (page_number, within) = split.ok_or(NoMeaning::Index)?;
    let word = |buffer, at| match pages.block_table_index_type {
        0 => words.item(buffer, at).map(u32::from_le_bytes).map(u64::from),
        _ => words.u64(buffer, at),
    };
    let (first, end) = (word(SEQ_PTR, sequence)?, word(SEQ_PTR, sequence.saturating_add(1))?);
    let entry = first.checked_add(page_number).filter(|entry| *entry < end).ok_or(NoMeaning::Index)?;
    let page = word(BLOCK_TABLE, entry)?;
    page.checked_mul(page_size).and_then(|start| start.checked_add(within)).ok_or(NoMeaning::Data)
}
