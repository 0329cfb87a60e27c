//! Pages of tokens, found through a table (layouts/block-paged.md).

use hurray_spec::Rule;

use crate::bytes::{Cursor, Field};
use crate::judge::Judge;
use crate::model::{BlockPaged, LayoutDescriptor};
use crate::reject::Reject;

use super::items::read_zeros;

/// Bytes of the reserved field.
const RESERVED_LEN: usize = 6;

pub(super) fn read(cursor: &mut Cursor<'_>, rank: Field<u32>, judge: &mut Judge) -> Result<LayoutDescriptor, Reject> {
    judge.require(rank.value == 3, Rule::LayoutPagedRank, rank.span)?;
    let page_size = cursor.u32()?;
    judge.require(page_size.value >= 1, Rule::LayoutPagedPageSize, page_size.span)?;
    let num_pages = cursor.u64()?;
    let paged_axis = cursor.u32()?;
    judge.require(paged_axis.value == 0, Rule::LayoutPagedAxisZero, paged_axis.span)?;
    let num_seqs = cursor.u32()?;
    let kv_role = cursor.u8()?;
    judge.require(kv_role.value <= 2, Rule::LayoutPagedKvRole, kv_role.span)?;
    let layer_index = cursor.u32()?;
    let index_type = cursor.u8()?;
    judge.require(index_type.value <= 1, Rule::LayoutPagedIndexType, index_type.span)?;
    read_zeros(cursor, RESERVED_LEN, Rule::LayoutPagedReservedReject, judge)?;
    Ok(LayoutDescriptor::BlockPaged(BlockPaged {
        page_size: page_size.value,
        num_pages: num_pages.value,
        paged_axis: paged_axis.value,
        num_seqs: num_seqs.value,
        kv_role: kv_role.value,
        layer_index: layer_index.value,
        block_table_index_type: index_type.value,
    }))
}

pub(super) fn put(out: &mut Vec<u8>, paged: &BlockPaged) {
    out.extend_from_slice(&paged.page_size.to_le_bytes());
    out.extend_from_slice(&paged.num_pages.to_le_bytes());
    out.extend_from_slice(&paged.paged_axis.to_le_bytes());
    out.extend_from_slice(&paged.num_seqs.to_le_bytes());
    out.push(paged.kv_role);
    out.extend_from_slice(&paged.layer_index.to_le_bytes());
    out.push(paged.block_table_index_type);
    out.extend_from_slice(&[0; RESERVED_LEN]);
}
