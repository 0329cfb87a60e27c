//! The calls that look at a file's size. The answer stays as it is.

use core::ffi::c_void;

use super::descriptors::plain;
use crate::libc::{self, c_char, c_int, c_uint};
use crate::plan::Class;
use crate::{real, target};

in_front_of! {
    stat, stat64(path: *const c_char, found: *mut c_void) -> c_int { by_path }
    lstat, lstat64(path: *const c_char, found: *mut c_void) -> c_int { by_link }
    fstat, fstat64(fd: c_int, found: *mut c_void) -> c_int { by_descriptor }
    fstatat, fstatat64(dir: c_int, path: *const c_char, found: *mut c_void, flags: c_int) -> c_int { below }
    statx(dir: c_int, path: *const c_char, flags: c_int, mask: c_uint, found: *mut c_void) -> c_int { extended }
}

unsafe fn by_path(name: &'static str, path: *const c_char, found: *mut c_void) -> c_int {
    plain(Class::Size, name).run(
        // SAFETY: a program gives a path that ends with a zero, or null.
        || unsafe { target::is_named(libc::AT_FDCWD, path) },
        // SAFETY: the program's own call.
        || unsafe { real::stat(path, found) },
    )
}

unsafe fn by_link(name: &'static str, path: *const c_char, found: *mut c_void) -> c_int {
    plain(Class::Size, name).run(
        // SAFETY: as in `by_path`.
        || unsafe { target::is_named(libc::AT_FDCWD, path) },
        // SAFETY: the program's own call.
        || unsafe { real::lstat(path, found) },
    )
}

unsafe fn by_descriptor(name: &'static str, fd: c_int, found: *mut c_void) -> c_int {
    // SAFETY: the program's own call.
    plain(Class::Size, name).run(|| target::is_open_on(fd), || unsafe { real::fstat(fd, found) })
}

unsafe fn below(name: &'static str, dir: c_int, path: *const c_char, found: *mut c_void, flags: c_int) -> c_int {
    plain(Class::Size, name).run(
        // SAFETY: as in `by_path`.
        || unsafe { target::is_named(dir, path) },
        // SAFETY: the program's own call.
        || unsafe { real::fstatat(dir, path, found, flags) },
    )
}

unsafe fn extended(
    name: &'static str,
    dir: c_int,
    path: *const c_char,
    flags: c_int,
    mask: c_uint,
    found: *mut c_void,
) -> c_int {
    plain(Class::Size, name).run(
        // SAFETY: as in `by_path`.
        || unsafe { target::is_named(dir, path) },
        // SAFETY: the program's own call.
        || unsafe { real::statx(dir, path, flags, mask, found) },
    )
}
