//! The cursor never passes its end, and rounding never wraps.

use super::*;

#[test]
fn fields_carry_their_place_and_value() {
    let bytes = [1, 2, 0, 3, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0x80, 9];
    let mut cursor = Cursor::new(&bytes, 100, Rule::ContainerHeaderSize);
    assert_eq!((cursor.u8().unwrap().value, cursor.u16().unwrap().value), (1, 2));
    let field = cursor.u32().unwrap();
    assert_eq!((field.value, field.span), (3, Span::value(103, 4, 3)));
    assert_eq!(cursor.u64().unwrap().value, 0x8000_0000_0000_0004);
    assert_eq!((cursor.offset(), cursor.position(), cursor.left()), (115, 15, 1));
    assert_eq!(cursor.rest().value, [9]);
    assert_eq!(cursor.left(), 0);
}

#[test]
fn shortage_moves_nothing_and_says_how_much_is_missing() {
    let mut cursor = Cursor::new(&[1, 2, 3], 100, Rule::ContainerHeaderSize);
    let reject = cursor.u32().unwrap_err();
    assert_eq!((reject.rule, reject.span), (Rule::ContainerHeaderSize, 100..103));
    assert_eq!(reject.found, Found::Short { wanted: 4, left: 3 });
    assert!(cursor.take(usize::MAX).is_err());
    assert_eq!(cursor.take(3).unwrap().value, [1, 2, 3]);
    assert!(cursor.take(0).is_ok());
}

#[test]
fn rounding_goes_up_and_not_around() {
    let cases = [(0, 8, 0), (1, 8, 8), (8, 8, 8), (9, 8, 16), (7, 0, 7), (7, 3, 9), (u64::MAX, 1, u64::MAX)];
    for (offset, alignment, expected) in cases {
        assert_eq!(round_up(offset, alignment), Some(expected), "{offset} to {alignment}");
    }
    assert_eq!(round_up(u64::MAX, 8), None);
}
