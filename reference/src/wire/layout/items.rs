//! Lists of items and reserved bytes, as several layouts have them. Knows no layout.

use hurray_spec::Rule;

use crate::bytes::{Cursor, to_usize};
use crate::judge::Judge;
use crate::reject::{Misuse, Reject, Span};

pub(super) fn read_strides(cursor: &mut Cursor<'_>, rank: u32) -> Result<Vec<i64>, Reject> {
    Ok(read_items(cursor, rank, 8, |cursor| Ok(cursor.u64()?.value.cast_signed()))?.0)
}

/// Requires that the next `len` bytes are zero.
///
/// # Errors
/// They are not, or there are fewer.
pub(crate) fn read_zeros(cursor: &mut Cursor<'_>, len: usize, rule: Rule, judge: &mut Judge) -> Result<(), Reject> {
    let zeros = cursor.take(len)?;
    judge.require(zeros.value.iter().all(|byte| *byte == 0), rule, zeros.span)
}

/// `count` items of `item_len` bytes, and the bytes they stand in.
///
/// # Errors
/// Fewer bytes than the items take.
pub(crate) fn read_items<'a, T>(
    cursor: &mut Cursor<'a>,
    count: u32,
    item_len: usize,
    mut read: impl FnMut(&mut Cursor<'a>) -> Result<T, Reject>,
) -> Result<(Vec<T>, Span), Reject> {
    let len = to_usize(count).saturating_mul(item_len);
    // Taken as a whole first: a count that the bytes cannot hold costs nothing.
    let all = cursor.take(len)?;
    let mut inner = Cursor::new(all.value, all.span.start, Rule::DescriptorHeaderLengthOverread);
    // Exactly as many: of a composite, thousands of descriptors are kept.
    let mut items = Vec::with_capacity(to_usize(count));
    for _ in 0..count {
        items.push(read(&mut inner)?);
    }
    Ok((items, all.span))
}

/// Appends `items`, which have to be `count`.
///
/// # Errors
/// They are more or fewer.
pub(crate) fn put_items<T, const N: usize>(
    out: &mut Vec<u8>,
    items: &[T],
    count: usize,
    bytes: impl Fn(&T) -> [u8; N],
) -> Result<(), Misuse> {
    if items.len() != count {
        return Err(Misuse::Encoding);
    }
    items.iter().for_each(|item| out.extend_from_slice(&bytes(item)));
    Ok(())
}
