//! The layout fields of a descriptor (memory-layout.md, layouts/*.md): what stands between byte_offset and the buffer
//! table, read and written side by side.
//!
//! What the fields demand of the buffers is for `check::extent`.

use hurray_spec::Rule;

use crate::bytes::{Cursor, Field};
use crate::judge::Judge;
use crate::model::LayoutDescriptor;
use crate::reject::{Error, Misuse, Reject, Span, Unsupported};

/// Bytes of the reserved field of COO.
const COO_RESERVED_LEN: usize = 7;

/// The layout of tag `tag`, and whether the buffer table can be found behind it.
///
/// # Errors
/// Any broken rule of the fields, or a layout that is not decoded here.
pub(crate) fn read_layout(
    cursor: &mut Cursor<'_>,
    tag: Field<u8>,
    rank: u32,
    judge: &mut Judge,
) -> Result<(LayoutDescriptor, bool), Error> {
    Ok(match tag.value {
        0x01 => (LayoutDescriptor::RowMajor, true),
        0x02 => (LayoutDescriptor::ColumnMajor, true),
        0x03 => {
            let (strides, _) = read_items(cursor, rank, |cursor| Ok(cursor.u64()?.value as i64))?;
            (LayoutDescriptor::Strided { strides }, true)
        }
        0x06 => (read_coo(cursor, judge)?, true),
        tag @ (0x04..=0x0B | 0x40) => return Err(Unsupported::Layout(tag).into()),
        // The length of unknown layout fields is unknowable (ruling R42). A waived rule takes it that there are none.
        tag => (LayoutDescriptor::Unknown(tag), !judge.is_permissive()),
    })
}

fn read_coo(cursor: &mut Cursor<'_>, judge: &mut Judge) -> Result<LayoutDescriptor, Reject> {
    let nnz = cursor.u64()?;
    let is_sorted = cursor.u8()?;
    judge.require(is_sorted.value <= 1, Rule::LayoutCooIsSortedValue, is_sorted.span)?;
    let zeros = cursor.take(COO_RESERVED_LEN)?;
    judge.require(zeros.value.iter().all(|byte| *byte == 0), Rule::LayoutCooReserved, zeros.span)?;
    Ok(LayoutDescriptor::Coo { nnz: nnz.value, is_sorted: is_sorted.value != 0 })
}

/// Appends the fields of `layout` to `out`.
///
/// # Errors
/// Strides that do not match the rank, or a layout without a meaning.
pub(crate) fn put_layout(out: &mut Vec<u8>, layout: &LayoutDescriptor, rank: usize) -> Result<(), Misuse> {
    match layout {
        LayoutDescriptor::RowMajor | LayoutDescriptor::ColumnMajor => {}
        LayoutDescriptor::Strided { strides } if strides.len() == rank => {
            strides.iter().for_each(|stride| out.extend_from_slice(&stride.to_le_bytes()));
        }
        LayoutDescriptor::Coo { nnz, is_sorted } => {
            out.extend_from_slice(&nnz.to_le_bytes());
            out.push(u8::from(*is_sorted));
            out.extend_from_slice(&[0; COO_RESERVED_LEN]);
        }
        LayoutDescriptor::Strided { .. } | LayoutDescriptor::Unknown(_) => return Err(Misuse::Encoding),
    }
    Ok(())
}

/// `count` items of eight bytes, and the bytes they stand in.
///
/// # Errors
/// Fewer bytes than the items take.
pub(crate) fn read_items<'a, T>(
    cursor: &mut Cursor<'a>,
    count: u32,
    mut read: impl FnMut(&mut Cursor<'a>) -> Result<T, Reject>,
) -> Result<(Vec<T>, Span), Reject> {
    let len = (count as usize).saturating_mul(8);
    // Taken as a whole first: a count that the bytes cannot hold costs nothing.
    let all = cursor.take(len)?;
    let mut inner = Cursor::new(all.value, all.span.start, Rule::DescriptorHeaderLengthOverread);
    let items = (0..count).map(|_| read(&mut inner)).collect::<Result<_, _>>()?;
    Ok((items, all.span))
}
