//! The shard section (metadata.md § Shard Section).

use crate::bytes::Cursor;
use crate::model::Shard;
use crate::reject::{Misuse, Reject, Span};
use crate::wire::layout::{put_items, read_items};

pub(super) fn read(cursor: &mut Cursor<'_>, rank: u32) -> Result<(Shard, Span), Reject> {
    let (parent_shape, parent) = read_items(cursor, rank, 8, |cursor| Ok(cursor.u64()?.value))?;
    let (shard_offset, offset) = read_items(cursor, rank, 8, |cursor| Ok(cursor.u64()?.value))?;
    Ok((Shard { parent_shape, shard_offset }, Span { end: offset.end, ..parent }))
}

pub(super) fn put(out: &mut Vec<u8>, shard: &Shard, rank: usize) -> Result<(), Misuse> {
    put_items(out, &shard.parent_shape, rank, |dim| dim.to_le_bytes())?;
    put_items(out, &shard.shard_offset, rank, |offset| offset.to_le_bytes())
}
