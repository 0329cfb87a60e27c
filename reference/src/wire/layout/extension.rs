//! Layouts by private agreement (metadata.md § Extension Layouts). None is known here.

use hurray_spec::Rule;

use crate::bytes::{Cursor, Field};
use crate::judge::Judge;
use crate::model::LayoutDescriptor;
use crate::reject::{Misuse, Reject};

pub(super) fn read(cursor: &mut Cursor<'_>, tag: Field<u8>, judge: &mut Judge) -> Result<LayoutDescriptor, Reject> {
    let id = cursor.u64()?;
    let len = cursor.u32()?.value;
    let data = cursor.take(usize::try_from(len).unwrap_or(usize::MAX))?.value.to_vec();
    judge.require(false, Rule::LayoutExtUnknownReject, id.span)?;
    Ok(LayoutDescriptor::Extension { tag: tag.value, id: id.value, data })
}

pub(super) fn put(out: &mut Vec<u8>, id: u64, data: &[u8]) -> Result<(), Misuse> {
    let len = u32::try_from(data.len()).map_err(|_| Misuse::Encoding)?;
    out.extend_from_slice(&id.to_le_bytes());
    out.extend_from_slice(&len.to_le_bytes());
    out.extend_from_slice(data);
    Ok(())
}
