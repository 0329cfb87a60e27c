//! Memory whose size a file decides: always asked for fallibly, and only after a bound was proved.

use std::ops::{Deref, DerefMut};

use aligned_vec::{AVec, RuntimeAlign};

use crate::bytes::to_u64;
use crate::reject::Limit;

/// The largest alignment provided, in bytes. Beyond it an allocator may spend more than the payload on alignment alone.
const MAX_MEMORY_ALIGNMENT: u64 = 64 * 1024 * 1024;

/// Bytes at a guaranteed alignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer(AVec<u8, RuntimeAlign>);

impl Buffer {
    /// `len` zero bytes at a multiple of `alignment`; one that is no power of two is rounded up to one.
    ///
    /// # Errors
    /// The memory cannot be had, or the alignment is larger than we provide.
    pub(crate) fn zeroed(len: u64, alignment: u64) -> Result<Self, Limit> {
        let power = alignment.max(1).checked_next_power_of_two().filter(|power| *power <= MAX_MEMORY_ALIGNMENT);
        let power = power.and_then(|power| usize::try_from(power).ok());
        let power = power.ok_or(Limit::Alignment { declared: alignment })?;
        let size = usize::try_from(len).map_err(|_| Limit::Address { len })?;
        // Beyond this a layout of that alignment does not exist, and the allocator must not be asked for it.
        if size > isize::MAX.cast_unsigned().saturating_sub(power) {
            return Err(Limit::Address { len });
        }
        let mut bytes = AVec::new(power);
        bytes.try_reserve_exact(size).map_err(|_| Limit::Memory { len })?;
        bytes.resize(size, 0);
        Ok(Buffer(bytes))
    }
}

impl Deref for Buffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

impl AsRef<[u8]> for Buffer {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// An empty vector with room for `count` items, whose number a bound has proved to fit the bytes in hand.
///
/// # Errors
/// The memory cannot be had.
pub(crate) fn reserved<T>(count: u64) -> Result<Vec<T>, Limit> {
    let mut items = Vec::new();
    let len = count.saturating_mul(to_u64(size_of::<T>()));
    let count = usize::try_from(count).map_err(|_| Limit::Address { len })?;
    items.try_reserve_exact(count).map_err(|_| Limit::Memory { len })?;
    Ok(items)
}

#[cfg(test)]
mod tests;
