//! Integers of both widths, in pieces of any length, and ranges that are not there.

use std::convert::Infallible;

use super::*;
use crate::reject::Error;

/// Reads them all from `bytes`, at most `piece` bytes at a time; values with the offsets they stand at.
fn all(bytes: &[u8], range: Range<u64>, width: u64, count: u64, piece: usize) -> Result<Vec<(u64, u64)>, Error> {
    let read = |offset: u64, dst: &mut [u8]| {
        let rest = bytes.get(offset as usize..).unwrap_or_default();
        let filled = rest.len().min(dst.len()).min(piece);
        dst[..filled].copy_from_slice(&rest[..filled]);
        Ok::<_, Infallible>(filled)
    };
    let mut source = Scanner::new(read);
    let mut integers = Integers::new(&range, width, count, u64::MAX).expect("they are there");
    let mut seen = Vec::new();
    loop {
        match integers.next(&mut source) {
            Ok(Some((value, span))) => {
                assert_eq!((span.end - span.start, span.found), (width, Found::Unsigned(value)));
                seen.push((value, span.start));
            }
            Ok(None) => return Ok(seen),
            Err(Stop::Core(error)) => return Err(error),
            Err(Stop::Source(never)) => match never {},
        }
    }
}

#[test]
fn integers_come_with_their_places_however_the_bytes_come() {
    // More than two pieces, and not a whole number of them.
    let count = 1_300;
    let value = |at: u64| at * 0x0101_0101 % 0xFFFF_FFFB;
    for width in [4, 8] {
        let mut bytes = vec![0xEE; 5];
        (0..count).for_each(|at| bytes.extend(&value(at).to_le_bytes()[..width as usize]));
        bytes.extend([0xEE; 9]);
        let range = 5..5 + count * width;
        let expected: Vec<(u64, u64)> = (0..count).map(|at| (value(at), 5 + at * width)).collect();
        for piece in [1, 3, 4_095, usize::MAX] {
            assert!(all(&bytes, range.clone(), width, count, piece) == Ok(expected.clone()), "{width}, {piece}");
        }
    }
}

#[test]
fn all_bits_of_a_wide_integer_count() {
    assert_eq!(all(&u64::MAX.to_le_bytes(), 0..8, 8, 1, 8), Ok(vec![(u64::MAX, 0)]));
    assert_eq!(all(&[0xFF; 8], 0..8, 4, 2, 8), Ok(vec![(0xFFFF_FFFF, 0), (0xFFFF_FFFF, 4)]));
}

#[test]
fn fewer_may_be_asked_for_than_stand_there_and_no_more() {
    assert_eq!(all(&[7; 40], 8..40, 8, 1, 8), Ok(vec![(0x0707_0707_0707_0707, 8)]));
    assert_eq!(all(&[7; 40], 8..40, 8, 0, 8), Ok(vec![]));
    let there = |count, size| Integers::new(&(8..40), 8, count, size).is_some();
    assert_eq!([there(4, 40), there(5, 48), there(4, 39), there(u64::MAX, u64::MAX)], [true, false, false, false]);
}

#[test]
fn a_source_that_ends_early_is_at_fault() {
    let Err(Error::Reject(reject)) = all(&[0; 20], 0..32, 8, 4, 8) else { panic!("it read on") };
    assert_eq!((reject.rule, reject.span), (Rule::IoReadZeroTruncated, 20..32));
}
