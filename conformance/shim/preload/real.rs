//! The functions of libc behind ours, found when they are first needed. Where a file offset has 64 bits, the names
//! that end in 64 are the same functions, so each stands here once.

use core::ffi::{CStr, c_void};
use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering};

use crate::errno;
use crate::libc::{self, FILE, c_char, c_int, c_uint, iovec, loff_t, mode_t, off_t, size_t, ssize_t};

/// What a function returns when it fails.
trait Failed {
    const FAILED: Self;
}

impl Failed for c_int {
    const FAILED: c_int = -1;
}

impl Failed for ssize_t {
    const FAILED: ssize_t = -1;
}

impl Failed for i64 {
    const FAILED: i64 = -1;
}

impl Failed for *mut c_void {
    const FAILED: *mut c_void = libc::MAP_FAILED;
}

impl Failed for *mut FILE {
    const FAILED: *mut FILE = ptr::null_mut();
}

/// The next function of that name behind this library, or null.
fn find(place: &AtomicPtr<c_void>, name: &CStr) -> *mut c_void {
    let known = place.load(Ordering::Acquire);
    if !known.is_null() {
        return known;
    }
    // SAFETY: the name ends with a zero. Looking twice in two threads finds the same.
    let found = unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) };
    place.store(found, Ordering::Release);
    found
}

macro_rules! behind {
    ($($name:ident($($argument:ident: $kind:ty),* $(; $rest:tt)?) -> $result:ty;)*) => {$(
        #[doc = concat!("`", stringify!($name), "` of libc; fails with ENOSYS if this libc has none.\n\n# Safety\nAs of libc's.")]
        pub(crate) unsafe fn $name($($argument: $kind),*) -> $result {
            static PLACE: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());
            const NAME: &CStr = match CStr::from_bytes_with_nul(concat!(stringify!($name), "\0").as_bytes()) {
                Ok(name) => name,
                Err(_) => c"",
            };
            let found = find(&PLACE, NAME);
            if found.is_null() {
                errno::set(libc::ENOSYS);
                return <$result as Failed>::FAILED;
            }
            // SAFETY: libc's function of that name has these arguments and this result.
            let call: behind!(@pointer ($($kind),*) ($($rest)?) $result) = unsafe { core::mem::transmute(found) };
            // SAFETY: the caller keeps what libc asks for.
            unsafe { call($($argument),*) }
        }
    )*};
    // The last argument of `open` is one of a variable list.
    (@pointer ($path:ty, $flags:ty, $mode:ty) (mode) $result:ty) => {
        unsafe extern "C" fn($path, $flags, ...) -> $result
    };
    (@pointer ($dir:ty, $path:ty, $flags:ty, $mode:ty) (mode) $result:ty) => {
        unsafe extern "C" fn($dir, $path, $flags, ...) -> $result
    };
    (@pointer ($($kind:ty),*) () $result:ty) => { unsafe extern "C" fn($($kind),*) -> $result };
}

behind! {
    open(path: *const c_char, flags: c_int, mode: mode_t; mode) -> c_int;
    openat(dir: c_int, path: *const c_char, flags: c_int, mode: mode_t; mode) -> c_int;
    creat(path: *const c_char, mode: mode_t) -> c_int;
    close(fd: c_int) -> c_int;
    dup(fd: c_int) -> c_int;
    dup2(fd: c_int, to: c_int) -> c_int;
    dup3(fd: c_int, to: c_int, flags: c_int) -> c_int;

    read(fd: c_int, to: *mut c_void, len: size_t) -> ssize_t;
    pread(fd: c_int, to: *mut c_void, len: size_t, offset: off_t) -> ssize_t;
    readv(fd: c_int, parts: *const iovec, count: c_int) -> ssize_t;
    preadv(fd: c_int, parts: *const iovec, count: c_int, offset: off_t) -> ssize_t;
    preadv2(fd: c_int, parts: *const iovec, count: c_int, offset: off_t, flags: c_int) -> ssize_t;
    write(fd: c_int, from: *const c_void, len: size_t) -> ssize_t;
    pwrite(fd: c_int, from: *const c_void, len: size_t, offset: off_t) -> ssize_t;
    writev(fd: c_int, parts: *const iovec, count: c_int) -> ssize_t;
    pwritev(fd: c_int, parts: *const iovec, count: c_int, offset: off_t) -> ssize_t;
    pwritev2(fd: c_int, parts: *const iovec, count: c_int, offset: off_t, flags: c_int) -> ssize_t;

    lseek(fd: c_int, offset: off_t, whence: c_int) -> off_t;
    mmap(at: *mut c_void, len: size_t, protection: c_int, flags: c_int, fd: c_int, offset: off_t) -> *mut c_void;
    ftruncate(fd: c_int, len: off_t) -> c_int;
    truncate(path: *const c_char, len: off_t) -> c_int;
    fallocate(fd: c_int, mode: c_int, offset: off_t, len: off_t) -> c_int;
    posix_fallocate(fd: c_int, offset: off_t, len: off_t) -> c_int;
    fsync(fd: c_int) -> c_int;
    fdatasync(fd: c_int) -> c_int;

    stat(path: *const c_char, found: *mut c_void) -> c_int;
    lstat(path: *const c_char, found: *mut c_void) -> c_int;
    fstat(fd: c_int, found: *mut c_void) -> c_int;
    fstatat(dir: c_int, path: *const c_char, found: *mut c_void, flags: c_int) -> c_int;
    statx(dir: c_int, path: *const c_char, flags: c_int, mask: c_uint, found: *mut c_void) -> c_int;

    sendfile(to: c_int, from: c_int, offset: *mut off_t, len: size_t) -> ssize_t;
    copy_file_range(
        from: c_int, from_offset: *mut loff_t, to: c_int, to_offset: *mut loff_t, len: size_t, flags: c_uint
    ) -> ssize_t;
    splice(
        from: c_int, from_offset: *mut loff_t, to: c_int, to_offset: *mut loff_t, len: size_t, flags: c_uint
    ) -> ssize_t;

    fopen(path: *const c_char, mode: *const c_char) -> *mut FILE;
    fdopen(fd: c_int, mode: *const c_char) -> *mut FILE;
    fclose(stream: *mut FILE) -> c_int;
    fileno(stream: *mut FILE) -> c_int;
}
