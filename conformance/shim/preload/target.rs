//! Whether a descriptor or a path is the file. Nothing is remembered: every call is asked of the system, so that it does
//! not matter how a descriptor came about (opened past us, doubled, inherited), nor that a file was made anew.

use core::ffi::CStr;
use core::mem::MaybeUninit;

use crate::libc::{self, c_char, c_int, c_long};
use crate::state::told;

/// What a file is recognised by.
#[derive(PartialEq, Eq)]
struct Identity {
    device: (u32, u32),
    inode: u64,
}

/// Whether `fd` is open on the file.
pub(crate) fn is_open_on(fd: c_int) -> bool {
    let told = told();
    if fd < 0 || told.target.is_empty() {
        return false;
    }
    let target = identity(libc::AT_FDCWD, told.target.as_ptr(), 0);
    target.is_some() && target == identity(fd, c"".as_ptr(), libc::AT_EMPTY_PATH)
}

/// Whether `path`, from the folder `dir`, is the file, or would be if it were made.
///
/// # Safety
/// `path` is null or ends with a zero.
pub(crate) unsafe fn is_named(dir: c_int, path: *const c_char) -> bool {
    let told = told();
    if path.is_null() || told.target.is_empty() {
        return false;
    }
    // SAFETY: it is not null, so it ends with a zero.
    let words = unsafe { CStr::from_ptr(path) }.to_bytes();
    if words.is_empty() {
        return is_open_on(dir);
    }
    let target = identity(libc::AT_FDCWD, told.target.as_ptr(), 0);
    words == told.target.bytes() || (target.is_some() && target == identity(dir, path, 0))
}

/// What the system says of a file; `None` for what is no plain file.
fn identity(dir: c_int, path: *const c_char, flags: c_int) -> Option<Identity> {
    let mut found = MaybeUninit::<libc::statx>::zeroed();
    let wanted = libc::STATX_TYPE | libc::STATX_INO;
    // SAFETY: both callers give a path that ends with a zero; the place for the answer is ours. Past our own `statx`.
    let done = unsafe {
        libc::syscall(
            libc::SYS_statx,
            c_long::from(dir),
            path,
            c_long::from(flags),
            c_long::from(wanted),
            found.as_mut_ptr(),
        )
    };
    // SAFETY: every bit pattern, all zeros too, is a `statx`.
    let found = unsafe { found.assume_init() };
    let is_plain = u32::from(found.stx_mode) & libc::S_IFMT == libc::S_IFREG;
    (done == 0 && is_plain)
        .then_some(Identity { device: (found.stx_dev_major, found.stx_dev_minor), inode: found.stx_ino })
}
