//! Memory at every alignment provided, and refusals instead of aborts.

use super::*;

#[test]
fn a_buffer_stands_at_its_alignment_and_is_zero() {
    for shift in 0..=26 {
        for len in [0, 1, 100] {
            let buffer = Buffer::zeroed(len, 1 << shift).unwrap();
            assert_eq!(buffer.as_ptr().addr() % (1 << shift), 0, "{len} bytes at 2^{shift}");
            assert_eq!(buffer.as_ref(), vec![0; len as usize]);
        }
    }
    assert_eq!(Buffer::zeroed(1, 96).unwrap().as_ptr().addr() % 128, 0);
}

#[test]
fn what_cannot_be_had_is_a_limit() {
    assert_eq!(Buffer::zeroed(1, 1 << 27).err(), Some(Limit::Alignment { declared: 1 << 27 }));
    assert_eq!(Buffer::zeroed(0, u64::MAX).err(), Some(Limit::Alignment { declared: u64::MAX }));
    assert_eq!(Buffer::zeroed(u64::MAX, 64).err(), Some(Limit::Address { len: u64::MAX }));
    let huge = isize::MAX as u64 - 4096;
    assert_eq!(Buffer::zeroed(huge, 64).err(), Some(Limit::Memory { len: huge }));
    assert_eq!(reserved::<u64>(1 << 60).err(), Some(Limit::Memory { len: 1 << 63 }));
}
