//! The part of libc that the shim needs, declared here: the shim is compiled by `rustc` alone, without any other crate.
//!
//! Owns declarations and numbers of 64-bit Linux, and decides nothing. A test compares each of them with the crate `libc`.
#![allow(non_camel_case_types, non_upper_case_globals, clippy::upper_case_acronyms)]

pub(crate) use core::ffi::{c_char, c_int, c_long, c_uint, c_void};

pub(crate) type size_t = usize;
pub(crate) type ssize_t = isize;
pub(crate) type off_t = i64;
pub(crate) type loff_t = i64;
pub(crate) type mode_t = u32;

/// A stream, known by its address alone.
#[repr(C)]
pub(crate) struct FILE {
    nothing: [u8; 0],
}

/// A piece of memory, as the system takes it.
#[repr(C)]
pub(crate) struct iovec {
    pub(crate) iov_base: *mut c_void,
    pub(crate) iov_len: size_t,
}

/// What the system says of a file, in 256 bytes; the fields that nobody reads here have no name.
#[repr(C)]
pub(crate) struct statx {
    before_mode: [u32; 7],
    pub(crate) stx_mode: u16,
    behind_mode: u16,
    pub(crate) stx_ino: u64,
    before_device: [u64; 12],
    pub(crate) stx_dev_major: u32,
    pub(crate) stx_dev_minor: u32,
    rest: [u64; 14],
}

// SAFETY: the declarations are those of libc, and of the system's own call.
unsafe extern "C" {
    pub(crate) fn __errno_location() -> *mut c_int;
    pub(crate) fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
    pub(crate) fn fcntl(fd: c_int, command: c_int, ...) -> c_int;
    pub(crate) fn getenv(name: *const c_char) -> *mut c_char;
    pub(crate) fn syscall(number: c_long, ...) -> c_long;
}

macro_rules! numbers {
    ($($name:ident: $kind:ty = $number:expr;)*) => {
        $(pub(crate) const $name: $kind = $number;)*

        /// Each number by its name, for the comparison with the crate `libc`.
        #[cfg(test)]
        fn here() -> Vec<(&'static str, i128)> {
            vec![$((stringify!($name), i128::from($name)),)*]
        }

        /// The same of the crate `libc`.
        #[cfg(test)]
        fn there() -> Vec<(&'static str, i128)> {
            vec![$((stringify!($name), i128::from(::libc::$name)),)*]
        }
    };
}

numbers! {
    AT_EMPTY_PATH: c_int = 0x1000;
    AT_FDCWD: c_int = -100;
    F_DUPFD_CLOEXEC: c_int = 1030;
    O_APPEND: c_int = 0o2000;
    O_CLOEXEC: c_int = 0o2_000_000;
    O_CREAT: c_int = 0o100;
    O_RDONLY: c_int = 0;
    O_WRONLY: c_int = 1;
    SEEK_CUR: c_int = 1;
    S_IFMT: mode_t = 0o170_000;
    S_IFREG: mode_t = 0o100_000;
    STATX_INO: c_uint = 0x100;
    STATX_TYPE: c_uint = 1;

    EACCES: c_int = 13;
    EAGAIN: c_int = 11;
    EBADF: c_int = 9;
    EDQUOT: c_int = 122;
    EFBIG: c_int = 27;
    EINTR: c_int = 4;
    EINVAL: c_int = 22;
    EIO: c_int = 5;
    EMFILE: c_int = 24;
    ENODEV: c_int = 19;
    ENOMEM: c_int = 12;
    ENOSPC: c_int = 28;
    ENOSYS: c_int = 38;
    EPERM: c_int = 1;
    EROFS: c_int = 30;
    ESTALE: c_int = 116;
    ETIMEDOUT: c_int = 110;

    SYS_close: c_long = calls::CLOSE;
    SYS_lseek: c_long = calls::LSEEK;
    SYS_openat: c_long = calls::OPENAT;
    SYS_read: c_long = calls::READ;
    SYS_statx: c_long = calls::STATX;
    SYS_write: c_long = calls::WRITE;
}

/// What `mmap` returns when it fails.
pub(crate) const MAP_FAILED: *mut c_void = core::ptr::without_provenance_mut(usize::MAX);
/// The next library that has a function of a name.
pub(crate) const RTLD_NEXT: *mut c_void = core::ptr::without_provenance_mut(usize::MAX);

/// The numbers of the system's calls.
#[cfg(target_arch = "x86_64")]
mod calls {
    use super::c_long;

    pub(super) const CLOSE: c_long = 3;
    pub(super) const LSEEK: c_long = 8;
    pub(super) const OPENAT: c_long = 257;
    pub(super) const READ: c_long = 0;
    pub(super) const STATX: c_long = 332;
    pub(super) const WRITE: c_long = 1;
}

/// The same where they are those of Linux in general.
#[cfg(not(target_arch = "x86_64"))]
mod calls {
    use super::c_long;

    pub(super) const CLOSE: c_long = 57;
    pub(super) const LSEEK: c_long = 62;
    pub(super) const OPENAT: c_long = 56;
    pub(super) const READ: c_long = 63;
    pub(super) const STATX: c_long = 291;
    pub(super) const WRITE: c_long = 64;
}

#[cfg(test)]
mod tests {
    use core::mem::{offset_of, size_of};

    use super::{MAP_FAILED, RTLD_NEXT, here, iovec, statx, there};

    #[test]
    fn every_number_is_that_of_the_crate_libc() {
        assert!(here().len() > 30);
        assert_eq!(here(), there());
        assert_eq!((MAP_FAILED, RTLD_NEXT), (::libc::MAP_FAILED, ::libc::RTLD_NEXT));
    }

    #[test]
    fn every_field_lies_where_the_crate_libc_has_it() {
        let here = [
            size_of::<statx>(),
            offset_of!(statx, stx_mode),
            offset_of!(statx, stx_ino),
            offset_of!(statx, stx_dev_major),
            offset_of!(statx, stx_dev_minor),
            size_of::<iovec>(),
            offset_of!(iovec, iov_len),
        ];
        let there = [
            size_of::<::libc::statx>(),
            offset_of!(::libc::statx, stx_mode),
            offset_of!(::libc::statx, stx_ino),
            offset_of!(::libc::statx, stx_dev_major),
            offset_of!(::libc::statx, stx_dev_minor),
            size_of::<::libc::iovec>(),
            offset_of!(::libc::iovec, iov_len),
        ];
        assert_eq!(here, there);
    }
}
