//! The calls that read and write.

use core::ffi::c_void;

use crate::libc::{c_int, iovec, off_t, size_t, ssize_t};
use crate::plan::Class;
use crate::real;
use crate::transfer::{Transfer, part};

in_front_of! {
    read(fd: c_int, to: *mut c_void, len: size_t) -> ssize_t { read_one }
    pread, pread64(fd: c_int, to: *mut c_void, len: size_t, offset: off_t) -> ssize_t { read_one_at }
    readv(fd: c_int, parts: *const iovec, count: c_int) -> ssize_t { read_many }
    preadv, preadv64(fd: c_int, parts: *const iovec, count: c_int, offset: off_t) -> ssize_t { read_many_at }
    preadv2, preadv64v2(fd: c_int, parts: *const iovec, count: c_int, offset: off_t, flags: c_int) -> ssize_t {
        read_many_flagged
    }
    write(fd: c_int, from: *const c_void, len: size_t) -> ssize_t { write_one }
    pwrite, pwrite64(fd: c_int, from: *const c_void, len: size_t, offset: off_t) -> ssize_t { write_one_at }
    writev(fd: c_int, parts: *const iovec, count: c_int) -> ssize_t { write_many }
    pwritev, pwritev64(fd: c_int, parts: *const iovec, count: c_int, offset: off_t) -> ssize_t { write_many_at }
    pwritev2, pwritev64v2(fd: c_int, parts: *const iovec, count: c_int, offset: off_t, flags: c_int) -> ssize_t {
        write_many_flagged
    }
    // What a compiler makes of `read` and `pread` when it knows the size of the memory.
    __read_chk(fd: c_int, to: *mut c_void, len: size_t, room: size_t) -> ssize_t { read_one_checked }
    __pread_chk, __pread64_chk(fd: c_int, to: *mut c_void, len: size_t, offset: off_t, room: size_t) -> ssize_t {
        read_one_at_checked
    }
}

/// `read`, also for streams.
///
/// # Safety
/// As `read` of libc.
pub(crate) unsafe fn read_one(name: &'static str, fd: c_int, to: *mut c_void, len: size_t) -> ssize_t {
    let parts = [part(to, len)];
    let call = Transfer { class: Class::Read, name, fd, at: None, parts: parts.as_ptr(), count: 1 };
    // SAFETY: the program's own call.
    let whole = || unsafe { real::read(fd, to, len) };
    // SAFETY: there is one part, the memory of the program.
    unsafe { call.run(whole) }
}

unsafe fn read_one_at(name: &'static str, fd: c_int, to: *mut c_void, len: size_t, offset: off_t) -> ssize_t {
    let parts = [part(to, len)];
    let call = Transfer { class: Class::Read, name, fd, at: Some(offset), parts: parts.as_ptr(), count: 1 };
    // SAFETY: the program's own call.
    let whole = || unsafe { real::pread(fd, to, len, offset) };
    // SAFETY: as in `read_one`.
    unsafe { call.run(whole) }
}

unsafe fn read_many(name: &'static str, fd: c_int, parts: *const iovec, count: c_int) -> ssize_t {
    let call = Transfer { class: Class::Read, name, fd, at: None, parts, count };
    // SAFETY: the program's own call.
    let whole = || unsafe { real::readv(fd, parts, count) };
    // SAFETY: the parts are those of the program.
    unsafe { call.run(whole) }
}

unsafe fn read_many_at(name: &'static str, fd: c_int, parts: *const iovec, count: c_int, offset: off_t) -> ssize_t {
    let call = Transfer { class: Class::Read, name, fd, at: Some(offset), parts, count };
    // SAFETY: the program's own call.
    let whole = || unsafe { real::preadv(fd, parts, count, offset) };
    // SAFETY: as in `read_many`.
    unsafe { call.run(whole) }
}

unsafe fn read_many_flagged(
    name: &'static str,
    fd: c_int,
    parts: *const iovec,
    count: c_int,
    offset: off_t,
    flags: c_int,
) -> ssize_t {
    let call = Transfer { class: Class::Read, name, fd, at: position(offset), parts, count };
    // SAFETY: the program's own call.
    let whole = || unsafe { real::preadv2(fd, parts, count, offset, flags) };
    // SAFETY: as in `read_many`.
    unsafe { call.run(whole) }
}

unsafe fn read_one_checked(name: &'static str, fd: c_int, to: *mut c_void, len: size_t, room: size_t) -> ssize_t {
    if len > room {
        // What libc does, too: the memory is too small, and going on would write past it.
        std::process::abort();
    }
    // SAFETY: as in `read_one`.
    unsafe { read_one(name, fd, to, len) }
}

unsafe fn read_one_at_checked(
    name: &'static str,
    fd: c_int,
    to: *mut c_void,
    len: size_t,
    offset: off_t,
    room: size_t,
) -> ssize_t {
    if len > room {
        // As in `read_one_checked`.
        std::process::abort();
    }
    // SAFETY: as in `read_one`.
    unsafe { read_one_at(name, fd, to, len, offset) }
}

/// `write`, also for streams.
///
/// # Safety
/// As `write` of libc.
pub(crate) unsafe fn write_one(name: &'static str, fd: c_int, from: *const c_void, len: size_t) -> ssize_t {
    let parts = [part(from, len)];
    let call = Transfer { class: Class::Write, name, fd, at: None, parts: parts.as_ptr(), count: 1 };
    // SAFETY: the program's own call.
    let whole = || unsafe { real::write(fd, from, len) };
    // SAFETY: as in `read_one`.
    unsafe { call.run(whole) }
}

unsafe fn write_one_at(name: &'static str, fd: c_int, from: *const c_void, len: size_t, offset: off_t) -> ssize_t {
    let parts = [part(from, len)];
    let call = Transfer { class: Class::Write, name, fd, at: Some(offset), parts: parts.as_ptr(), count: 1 };
    // SAFETY: the program's own call.
    let whole = || unsafe { real::pwrite(fd, from, len, offset) };
    // SAFETY: as in `read_one`.
    unsafe { call.run(whole) }
}

unsafe fn write_many(name: &'static str, fd: c_int, parts: *const iovec, count: c_int) -> ssize_t {
    let call = Transfer { class: Class::Write, name, fd, at: None, parts, count };
    // SAFETY: the program's own call.
    let whole = || unsafe { real::writev(fd, parts, count) };
    // SAFETY: as in `read_many`.
    unsafe { call.run(whole) }
}

unsafe fn write_many_at(name: &'static str, fd: c_int, parts: *const iovec, count: c_int, offset: off_t) -> ssize_t {
    let call = Transfer { class: Class::Write, name, fd, at: Some(offset), parts, count };
    // SAFETY: the program's own call.
    let whole = || unsafe { real::pwritev(fd, parts, count, offset) };
    // SAFETY: as in `read_many`.
    unsafe { call.run(whole) }
}

unsafe fn write_many_flagged(
    name: &'static str,
    fd: c_int,
    parts: *const iovec,
    count: c_int,
    offset: off_t,
    flags: c_int,
) -> ssize_t {
    let call = Transfer { class: Class::Write, name, fd, at: position(offset), parts, count };
    // SAFETY: the program's own call.
    let whole = || unsafe { real::pwritev2(fd, parts, count, offset, flags) };
    // SAFETY: as in `read_many`.
    unsafe { call.run(whole) }
}

/// The calls with flags take -1 for the position of the file.
fn position(offset: off_t) -> Option<off_t> {
    (offset != -1).then_some(offset)
}
