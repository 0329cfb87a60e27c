//! The trailer by table.

use super::*;
use crate::judge::Policy;

/// Index of 43 bytes at 4144, key-values of 20 bytes at 4120, a checksum.
const BASE: [u8; 40] = [
    0x30, 0x10, 0, 0, 0, 0, 0, 0, 43, 0, 0, 0, 0, 0, 0, 0, 0x18, 0x10, 0, 0, 0, 0, 0, 0, 20, 0, 0, 0, 0x66, 0x02, 0xFF,
    0x07, 0, 0, 0, 0, 0x48, 0x52, 0x52, 0x59,
];

#[test]
fn the_fields_stand_where_the_table_says() {
    let trailer = read_trailer(&BASE, 4187, &mut Judge::new(Policy::strict())).unwrap();
    assert_eq!((trailer.index_offset.value, trailer.index_length.value), (4144, 43));
    assert_eq!((trailer.kv_offset.value, trailer.kv_length.value), (4120, 20));
    assert_eq!((trailer.index_crc32c.value, trailer.reserved.value), (0x07FF_0266, 0));
    assert_eq!(trailer.kv_length.span.start, 4187 + 24);
    assert_eq!(put_trailer(4144, 43, (4120, 20), 0x07FF_0266), BASE);
}

#[test]
fn a_wrong_magic_is_found_before_anything_else() {
    for at in 36..40 {
        let mut bytes = BASE;
        bytes[at] ^= 1;
        bytes[32] = 1;
        let reject = read_trailer(&bytes, 4187, &mut Judge::new(Policy::strict())).unwrap_err();
        assert_eq!((reject.rule, reject.span), (Rule::ContainerTrailerMagicReject, 4223..4227), "byte {at}");
    }
}

#[test]
fn every_truncation_ends_the_trailer() {
    for len in 0..BASE.len() {
        let reject = read_trailer(&BASE[40 - len..], 0, &mut Judge::new(Policy::collecting())).unwrap_err();
        assert_eq!(reject.rule, Rule::ContainerTrailerMagicReject, "{len} bytes");
    }
}
