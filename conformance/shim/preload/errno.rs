//! The `errno` of the calling thread. Owns nothing else.

use crate::libc::{self, c_int};

/// Its value.
pub(crate) fn get() -> c_int {
    // SAFETY: takes nothing, and never fails.
    let place = unsafe { libc::__errno_location() };
    // SAFETY: libc keeps that place for as long as this thread lives, and no other thread writes to it.
    unsafe { *place }
}

/// Sets it.
pub(crate) fn set(errno: c_int) {
    // SAFETY: takes nothing, and never fails.
    let place = unsafe { libc::__errno_location() };
    // SAFETY: as in `get`.
    unsafe { *place = errno };
}
