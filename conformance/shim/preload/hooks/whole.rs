//! The calls on a file as a whole: position, length, mapping, its way to the disk, and copies within the system.

use core::ffi::c_void;

use super::descriptors::plain;
use crate::libc::{self, c_char, c_int, c_uint, loff_t, off_t, size_t, ssize_t};
use crate::plan::Class;
use crate::simple::Simple;
use crate::{errno, real, target};

in_front_of! {
    lseek, lseek64(fd: c_int, offset: off_t, whence: c_int) -> off_t { seek }
    mmap, mmap64(at: *mut c_void, len: size_t, protection: c_int, flags: c_int, fd: c_int, offset: off_t) -> *mut c_void {
        map
    }
    ftruncate, ftruncate64(fd: c_int, len: off_t) -> c_int { trim }
    truncate, truncate64(path: *const c_char, len: off_t) -> c_int { trim_named }
    fallocate, fallocate64(fd: c_int, mode: c_int, offset: off_t, len: off_t) -> c_int { reserve }
    posix_fallocate, posix_fallocate64(fd: c_int, offset: off_t, len: off_t) -> c_int { reserve_posix }
    fsync(fd: c_int) -> c_int { sync }
    fdatasync(fd: c_int) -> c_int { sync_data }
    sendfile, sendfile64(to: c_int, from: c_int, offset: *mut off_t, len: size_t) -> ssize_t { send }
    copy_file_range(
        from: c_int, from_offset: *mut loff_t, to: c_int, to_offset: *mut loff_t, len: size_t, flags: c_uint
    ) -> ssize_t { copy }
    splice(
        from: c_int, from_offset: *mut loff_t, to: c_int, to_offset: *mut loff_t, len: size_t, flags: c_uint
    ) -> ssize_t { move_pages }
}

fn number(offset: off_t) -> u64 {
    u64::try_from(offset).unwrap_or(0)
}

/// `lseek`, also for streams. The offset in the log is the one asked for, whatever it counts from.
///
/// # Safety
/// As `lseek` of libc.
pub(crate) unsafe fn seek(name: &'static str, fd: c_int, offset: off_t, whence: c_int) -> off_t {
    Simple { class: Class::Seek, name, offset: Some(number(offset)), len: 0 }
        // SAFETY: the program's own call.
        .run(|| target::is_open_on(fd), || unsafe { real::lseek(fd, offset, whence) })
}

unsafe fn map(
    name: &'static str,
    at: *mut c_void,
    len: size_t,
    protection: c_int,
    flags: c_int,
    fd: c_int,
    offset: off_t,
) -> *mut c_void {
    Simple { class: Class::Map, name, offset: Some(number(offset)), len: len as u64 }
        // SAFETY: the program's own call.
        .run(|| target::is_open_on(fd), || unsafe { real::mmap(at, len, protection, flags, fd, offset) })
}

fn trimming(name: &'static str, len: off_t) -> Simple<'static> {
    Simple { class: Class::Trim, name, offset: None, len: number(len) }
}

unsafe fn trim(name: &'static str, fd: c_int, len: off_t) -> c_int {
    // SAFETY: the program's own call.
    trimming(name, len).run(|| target::is_open_on(fd), || unsafe { real::ftruncate(fd, len) })
}

unsafe fn trim_named(name: &'static str, path: *const c_char, len: off_t) -> c_int {
    trimming(name, len).run(
        // SAFETY: a program gives a path that ends with a zero, or null.
        || unsafe { target::is_named(libc::AT_FDCWD, path) },
        // SAFETY: the program's own call.
        || unsafe { real::truncate(path, len) },
    )
}

unsafe fn reserve(name: &'static str, fd: c_int, mode: c_int, offset: off_t, len: off_t) -> c_int {
    // SAFETY: the program's own call.
    trimming(name, len).run(|| target::is_open_on(fd), || unsafe { real::fallocate(fd, mode, offset, len) })
}

/// Returns its error in place of setting it.
unsafe fn reserve_posix(name: &'static str, fd: c_int, offset: off_t, len: off_t) -> c_int {
    let before = errno::get();
    let returned = trimming(name, len).run(
        || target::is_open_on(fd),
        || {
            // SAFETY: the program's own call.
            let error = unsafe { real::posix_fallocate(fd, offset, len) };
            if error != 0 {
                errno::set(error);
            }
            -c_int::from(error != 0)
        },
    );
    let error = if returned < 0 { errno::get() } else { 0 };
    errno::set(before);
    error
}

unsafe fn sync(name: &'static str, fd: c_int) -> c_int {
    // SAFETY: the program's own call.
    plain(Class::Sync, name).run(|| target::is_open_on(fd), || unsafe { real::fsync(fd) })
}

unsafe fn sync_data(name: &'static str, fd: c_int) -> c_int {
    // SAFETY: the program's own call.
    plain(Class::Sync, name).run(|| target::is_open_on(fd), || unsafe { real::fdatasync(fd) })
}

/// A copy within the system, past every read and write. It is refused on the file.
fn copying(name: &'static str, len: size_t) -> Simple<'static> {
    Simple { class: Class::Copy, name, offset: None, len: len as u64 }
}

unsafe fn send(name: &'static str, to: c_int, from: c_int, offset: *mut off_t, len: size_t) -> ssize_t {
    copying(name, len).run(
        || target::is_open_on(from) || target::is_open_on(to),
        // SAFETY: the program's own call.
        || unsafe { real::sendfile(to, from, offset, len) },
    )
}

unsafe fn copy(
    name: &'static str,
    from: c_int,
    from_offset: *mut loff_t,
    to: c_int,
    to_offset: *mut loff_t,
    len: size_t,
    flags: c_uint,
) -> ssize_t {
    copying(name, len).run(
        || target::is_open_on(from) || target::is_open_on(to),
        // SAFETY: the program's own call.
        || unsafe { real::copy_file_range(from, from_offset, to, to_offset, len, flags) },
    )
}

unsafe fn move_pages(
    name: &'static str,
    from: c_int,
    from_offset: *mut loff_t,
    to: c_int,
    to_offset: *mut loff_t,
    len: size_t,
    flags: c_uint,
) -> ssize_t {
    copying(name, len).run(
        || target::is_open_on(from) || target::is_open_on(to),
        // SAFETY: the program's own call.
        || unsafe { real::splice(from, from_offset, to, to_offset, len, flags) },
    )
}
