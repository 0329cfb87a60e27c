//! The calls that make, double and close a descriptor.
//!
//! `open` has a variable list of arguments in C. On every 64-bit Linux the first of them comes where a third argument
//! would, so it can be named; it is handed on as it came, and libc looks at it only when a file may be made.

use crate::libc::{self, c_char, c_int, mode_t};
use crate::plan::Class;
use crate::simple::Simple;
use crate::{real, target};

in_front_of! {
    open, open64(path: *const c_char, flags: c_int, mode: mode_t) -> c_int { open_one }
    openat, openat64(dir: c_int, path: *const c_char, flags: c_int, mode: mode_t) -> c_int { open_below }
    // What a compiler makes of `open` without a mode.
    __open_2, __open64_2(path: *const c_char, flags: c_int) -> c_int { open_known }
    __openat_2, __openat64_2(dir: c_int, path: *const c_char, flags: c_int) -> c_int { open_known_below }
    creat, creat64(path: *const c_char, mode: mode_t) -> c_int { create }
    close(fd: c_int) -> c_int { close_one }
    dup(fd: c_int) -> c_int { double }
    dup2(fd: c_int, to: c_int) -> c_int { double_to }
    dup3(fd: c_int, to: c_int, flags: c_int) -> c_int { double_flagged }
}

/// A call without an offset or a length.
pub(super) fn plain(class: Class, name: &'static str) -> Simple<'static> {
    Simple { class, name, offset: None, len: 0 }
}

unsafe fn open_one(name: &'static str, path: *const c_char, flags: c_int, mode: mode_t) -> c_int {
    plain(Class::Open, name).run(
        // SAFETY: a program gives a path that ends with a zero, or null.
        || unsafe { target::is_named(libc::AT_FDCWD, path) },
        // SAFETY: the program's own call.
        || unsafe { real::open(path, flags, mode) },
    )
}

unsafe fn open_below(name: &'static str, dir: c_int, path: *const c_char, flags: c_int, mode: mode_t) -> c_int {
    plain(Class::Open, name).run(
        // SAFETY: as in `open_one`.
        || unsafe { target::is_named(dir, path) },
        // SAFETY: the program's own call.
        || unsafe { real::openat(dir, path, flags, mode) },
    )
}

unsafe fn open_known(name: &'static str, path: *const c_char, flags: c_int) -> c_int {
    // SAFETY: as in `open_one`; no file can be made.
    unsafe { open_one(name, path, flags, 0) }
}

unsafe fn open_known_below(name: &'static str, dir: c_int, path: *const c_char, flags: c_int) -> c_int {
    // SAFETY: as in `open_one`; no file can be made.
    unsafe { open_below(name, dir, path, flags, 0) }
}

unsafe fn create(name: &'static str, path: *const c_char, mode: mode_t) -> c_int {
    plain(Class::Open, name).run(
        // SAFETY: as in `open_one`.
        || unsafe { target::is_named(libc::AT_FDCWD, path) },
        // SAFETY: the program's own call.
        || unsafe { real::creat(path, mode) },
    )
}

/// `close`, also for streams.
///
/// # Safety
/// As `close` of libc.
pub(crate) unsafe fn close_one(name: &'static str, fd: c_int) -> c_int {
    // SAFETY: the program's own call.
    plain(Class::Close, name).run(|| target::is_open_on(fd), || unsafe { real::close(fd) })
}

unsafe fn double(name: &'static str, fd: c_int) -> c_int {
    // SAFETY: the program's own call.
    plain(Class::Dup, name).run(|| target::is_open_on(fd), || unsafe { real::dup(fd) })
}

unsafe fn double_to(name: &'static str, fd: c_int, to: c_int) -> c_int {
    // SAFETY: the program's own call.
    plain(Class::Dup, name).run(|| target::is_open_on(fd), || unsafe { real::dup2(fd, to) })
}

unsafe fn double_flagged(name: &'static str, fd: c_int, to: c_int, flags: c_int) -> c_int {
    // SAFETY: the program's own call.
    plain(Class::Dup, name).run(|| target::is_open_on(fd), || unsafe { real::dup3(fd, to, flags) })
}
