//! Streams. The reads and writes of `fread` and `fwrite` stay inside libc, where nobody can stand in front of them; so a
//! stream on the file is replaced by one whose reads, writes, seeks and closing are ours (`fopencookie`).
//!
//! Such a stream has no descriptor of its own, so `fileno` is ours as well. When the table is full, and after `freopen`,
//! a stream is libc's again; then its calls are missing in the log.

use core::ffi::c_void;
use core::ptr;
use core::sync::atomic::{AtomicI32, AtomicPtr, Ordering};

use crate::hooks::{close_one, in_front_of, read_one, seek, write_one};
use crate::libc::{self, FILE, c_char, c_int, off_t, size_t, ssize_t};
use crate::log::{self, Entry, How};
use crate::plan::{Class, Step};
use crate::{errno, real, state, target};

/// Streams on the file that are open at the same time.
const MOST_STREAMS: usize = 32;

/// A stream of ours and the descriptor behind it.
struct Place {
    stream: AtomicPtr<FILE>,
    fd: AtomicI32,
}

static PLACES: [Place; MOST_STREAMS] =
    [const { Place { stream: AtomicPtr::new(ptr::null_mut()), fd: AtomicI32::new(FREE) } }; MOST_STREAMS];
/// The descriptor of a place that is free.
const FREE: i32 = -1;

/// What libc calls for such a stream, in the order of C's `cookie_io_functions_t`.
#[repr(C)]
struct Calls {
    read: unsafe extern "C" fn(*mut c_void, *mut c_char, size_t) -> ssize_t,
    write: unsafe extern "C" fn(*mut c_void, *const c_char, size_t) -> ssize_t,
    seek: unsafe extern "C" fn(*mut c_void, *mut off_t, c_int) -> c_int,
    close: unsafe extern "C" fn(*mut c_void) -> c_int,
}

// SAFETY: the declaration is that of libc.
unsafe extern "C" {
    fn fopencookie(cookie: *mut c_void, mode: *const c_char, calls: Calls) -> *mut FILE;
}

in_front_of! {
    fopen, fopen64(path: *const c_char, mode: *const c_char) -> *mut FILE { open_stream }
    fdopen(fd: c_int, mode: *const c_char) -> *mut FILE { stream_over }
    fileno, fileno_unlocked(stream: *mut FILE) -> c_int { descriptor }
}

unsafe fn open_stream(name: &'static str, path: *const c_char, mode: *const c_char) -> *mut FILE {
    let before = errno::get();
    // SAFETY: a program gives a path that ends with a zero, or null.
    let is_ours = unsafe { target::is_named(libc::AT_FDCWD, path) };
    errno::set(before);
    if !is_ours {
        // SAFETY: the program's own call.
        return unsafe { real::fopen(path, mode) };
    }
    let mut state = state::lock();
    let (at, step) = state.step(Class::Open, 0, 0);
    errno::set(before);
    let (stream, how) = match step {
        Step::Fail(error) => {
            errno::set(error);
            (ptr::null_mut(), How::Fail)
        }
        // SAFETY: the program's own call.
        _ => (unsafe { real::fopen(path, mode) }, How::Real),
    };
    let error = if stream.is_null() { errno::get() } else { 0 };
    let returned = if stream.is_null() { -1 } else { 0 };
    let class = Class::Open;
    log::write(&mut state, &Entry { class, at, name, offset: None, len: 0, returned, errno: error, how });
    drop(state);
    errno::set(if error == 0 { before } else { error });
    // SAFETY: libc made that stream just now, and nobody else has it.
    unsafe { replaced(stream, mode) }
}

/// Our stream in place of libc's, on a descriptor of its own at the same position.
///
/// # Safety
/// The stream is null or open, nothing was done with it, and `mode` is what it was opened with.
unsafe fn replaced(stream: *mut FILE, mode: *const c_char) -> *mut FILE {
    if stream.is_null() {
        return stream;
    }
    // SAFETY: the stream is open.
    let inner = unsafe { real::fileno(stream) };
    // SAFETY: doubles a descriptor that is open. It is not handed to programs that are started.
    let fd = unsafe { libc::fcntl(inner, libc::F_DUPFD_CLOEXEC, 0) };
    if fd < 0 {
        return stream;
    }
    // SAFETY: the mode ends with a zero, as it was good enough for libc.
    let ours = unsafe { make(fd, mode) };
    if ours.is_null() {
        state::close(fd);
        return stream;
    }
    // SAFETY: the stream is open and is used no more.
    unsafe { real::fclose(stream) };
    ours
}

unsafe fn stream_over(_name: &'static str, fd: c_int, mode: *const c_char) -> *mut FILE {
    let before = errno::get();
    let is_ours = target::is_open_on(fd) && !mode.is_null();
    errno::set(before);
    // SAFETY: the mode ends with a zero.
    let ours = if is_ours { unsafe { make(fd, mode) } } else { ptr::null_mut() };
    errno::set(before);
    if !ours.is_null() {
        return ours;
    }
    // SAFETY: the program's own call.
    unsafe { real::fdopen(fd, mode) }
}

/// A stream of ours over `fd`; null if there is no place for it.
///
/// # Safety
/// `mode` ends with a zero.
unsafe fn make(fd: c_int, mode: *const c_char) -> *mut FILE {
    let free = |place: &&Place| place.fd.compare_exchange(FREE, fd, Ordering::AcqRel, Ordering::Acquire).is_ok();
    let Some(place) = PLACES.iter().find(free) else { return ptr::null_mut() };
    // SAFETY: the mode ends with a zero.
    let words = unsafe { core::ffi::CStr::from_ptr(mode) }.to_bytes();
    let plus = if words.contains(&b'+') { b'+' } else { 0 };
    let clean = [words.first().copied().unwrap_or(b'r'), plus, 0];
    let calls = Calls { read: read_stream, write: write_stream, seek: seek_stream, close: close_stream };
    let cookie = ptr::from_ref(place).cast_mut().cast::<c_void>();
    // SAFETY: the place is static; the calls take it back as it is; the mode ends with a zero.
    let stream = unsafe { fopencookie(cookie, clean.as_ptr().cast(), calls) };
    if stream.is_null() {
        place.fd.store(FREE, Ordering::Release);
    } else {
        place.stream.store(stream, Ordering::Release);
    }
    stream
}

/// The descriptor of a stream's place.
///
/// # Safety
/// `cookie` is what `make` gave to libc.
unsafe fn place_of(cookie: *mut c_void) -> &'static Place {
    // SAFETY: it points to one of the places, which are static.
    unsafe { &*cookie.cast::<Place>() }
}

unsafe extern "C" fn read_stream(cookie: *mut c_void, to: *mut c_char, len: size_t) -> ssize_t {
    // SAFETY: libc hands back what it was given.
    let fd = unsafe { place_of(cookie) }.fd.load(Ordering::Acquire);
    // SAFETY: libc gives memory of that length.
    unsafe { read_one("fread", fd, to.cast(), len) }
}

/// Writes all of it, as libc does for its own streams: fewer bytes are an error here.
unsafe extern "C" fn write_stream(cookie: *mut c_void, from: *const c_char, len: size_t) -> ssize_t {
    // SAFETY: libc hands back what it was given.
    let fd = unsafe { place_of(cookie) }.fd.load(Ordering::Acquire);
    let mut done: size_t = 0;
    while done < len {
        // SAFETY: `done` is less than the length of the memory libc gave.
        let rest = unsafe { from.add(done) };
        // SAFETY: what is left of that memory is `len - done` bytes.
        let written = unsafe { write_one("fwrite", fd, rest.cast(), len - done) };
        match size_t::try_from(written) {
            Ok(written @ 1..) => done += written,
            _ => break,
        }
    }
    done as ssize_t
}

unsafe extern "C" fn seek_stream(cookie: *mut c_void, offset: *mut off_t, whence: c_int) -> c_int {
    // SAFETY: libc hands back what it was given.
    let fd = unsafe { place_of(cookie) }.fd.load(Ordering::Acquire);
    // SAFETY: libc gives a place for the offset.
    let wanted = unsafe { *offset };
    // SAFETY: a seek needs nothing else.
    let found = unsafe { seek("fseek", fd, wanted, whence) };
    if found < 0 {
        return -1;
    }
    // SAFETY: as above.
    unsafe { *offset = found };
    0
}

unsafe extern "C" fn close_stream(cookie: *mut c_void) -> c_int {
    // SAFETY: libc hands back what it was given.
    let place = unsafe { place_of(cookie) };
    place.stream.store(ptr::null_mut(), Ordering::Release);
    let fd = place.fd.swap(FREE, Ordering::AcqRel);
    // SAFETY: the descriptor belongs to the stream that ends here.
    unsafe { close_one("fclose", fd) }
}

unsafe fn descriptor(_name: &'static str, stream: *mut FILE) -> c_int {
    let ours = PLACES.iter().find(|place| !stream.is_null() && place.stream.load(Ordering::Acquire) == stream);
    match ours {
        Some(place) => place.fd.load(Ordering::Acquire),
        // SAFETY: the program's own call.
        None => unsafe { real::fileno(stream) },
    }
}
