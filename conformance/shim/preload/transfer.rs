//! One call that moves bytes, from beginning to end: decided, made or not, counted, written down.

use core::ffi::c_void;
use core::ptr;

use crate::libc::{self, c_int, c_long, iovec, off_t, size_t, ssize_t};
use crate::log::{self, Entry, How};
use crate::plan::{Class, Step};
use crate::{errno, real, state, target};

/// A call of the program.
pub(crate) struct Transfer<'a> {
    pub(crate) class: Class,
    /// The function it called.
    pub(crate) name: &'a str,
    pub(crate) fd: c_int,
    /// Where in the file; `None` for its position.
    pub(crate) at: Option<off_t>,
    /// The memory of the program, one or more pieces.
    pub(crate) parts: *const iovec,
    pub(crate) count: c_int,
}

/// A piece of memory, as the system takes it.
pub(crate) fn part(memory: *const c_void, len: size_t) -> iovec {
    iovec { iov_base: memory.cast_mut(), iov_len: len }
}

impl Transfer<'_> {
    /// Runs it. `whole` makes the call as the program wanted it.
    ///
    /// # Safety
    /// The program keeps what libc asks for: there are `count` parts, each memory of its length.
    pub(crate) unsafe fn run(self, whole: impl FnOnce() -> ssize_t) -> ssize_t {
        let before = errno::get();
        let is_ours = target::is_open_on(self.fd) && self.count > 0 && !self.parts.is_null();
        errno::set(before);
        if !is_ours {
            return whole();
        }
        let mut state = state::lock();
        // SAFETY: the program says so, and the count is positive.
        let parts = unsafe { core::slice::from_raw_parts(self.parts, usize::try_from(self.count).unwrap_or(0)) };
        let offset = self.offset();
        let len = parts.iter().fold(0u64, |sum, part| sum.saturating_add(part.iov_len as u64));
        let (at, step) = state.step(self.class, offset, len);
        errno::set(before);
        let (returned, how) = match step {
            Step::Fail(error) | Step::FailByte(error) => {
                errno::set(error);
                (-1, How::Fail)
            }
            Step::Lose(error) => {
                let moved = whole();
                // SAFETY: as above.
                unsafe { self.forget(parts, moved) };
                errno::set(error);
                (-1, How::Lost)
            }
            Step::Zero => (0, How::Zero),
            Step::Take(most) if most >= len => (whole(), How::Real),
            // SAFETY: as above.
            Step::Take(most) => (unsafe { self.some(parts, most) }, How::Less),
            Step::Change(most) => {
                // SAFETY: as above.
                let moved = unsafe { self.some(parts, most) };
                // SAFETY: as above; the call has filled that many bytes of the first part.
                unsafe { turn_around(parts, moved) };
                (moved, How::Changed)
            }
        };
        let error = if returned < 0 { errno::get() } else { 0 };
        state.moved(self.class, u64::try_from(returned).unwrap_or(0));
        let (class, name, returned64) = (self.class, self.name, returned as i64);
        let entry = Entry { class, at, name, offset: Some(offset), len, returned: returned64, errno: error, how };
        log::write(&mut state, &entry);
        errno::set(if returned < 0 { error } else { before });
        returned
    }

    /// Where the call begins.
    fn offset(&self) -> u64 {
        let at = self.at.unwrap_or_else(|| {
            // SAFETY: asks for the position and moves nothing. Past our own `lseek`.
            unsafe { libc::syscall(libc::SYS_lseek, c_long::from(self.fd), 0, c_long::from(libc::SEEK_CUR)) }
        });
        u64::try_from(at).unwrap_or(0)
    }

    /// Undoes what a call that has failed would not have done: its position stays, and memory that was to be filled
    /// holds anything.
    ///
    /// # Safety
    /// The parts are memory of the program.
    unsafe fn forget(&self, parts: &[iovec], moved: ssize_t) {
        if self.at.is_none() && moved > 0 {
            let back = -(moved as c_long);
            // SAFETY: moves the position back by what the call has moved it. Past our own `lseek`.
            unsafe { libc::syscall(libc::SYS_lseek, c_long::from(self.fd), back, c_long::from(libc::SEEK_CUR)) };
        }
        if self.class == Class::Read {
            // SAFETY: the parts are memory of the program.
            unsafe { turn_around(parts, moved) };
        }
    }

    /// At most `most` bytes, of the first part that has any: fewer than asked for is what `most` is there for.
    ///
    /// # Safety
    /// The parts are memory of the program.
    unsafe fn some(&self, parts: &[iovec], most: u64) -> ssize_t {
        let nothing = part(ptr::null(), 0);
        let first = first(parts).unwrap_or(&nothing);
        let (memory, len) = (first.iov_base, first.iov_len.min(usize::try_from(most).unwrap_or(usize::MAX)));
        match (self.class, self.at) {
            // SAFETY: the first part is that long, or longer.
            (Class::Write, None) => unsafe { real::write(self.fd, memory, len) },
            // SAFETY: as above.
            (Class::Write, Some(at)) => unsafe { real::pwrite(self.fd, memory, len, at) },
            // SAFETY: as above.
            (_, None) => unsafe { real::read(self.fd, memory, len) },
            // SAFETY: as above.
            (_, Some(at)) => unsafe { real::pread(self.fd, memory, len, at) },
        }
    }
}

fn first(parts: &[iovec]) -> Option<&iovec> {
    parts.iter().find(|part| part.iov_len > 0)
}

/// Turns every bit of the bytes that came back.
///
/// # Safety
/// The first part that has any length is memory of the program with `moved` bytes in it.
unsafe fn turn_around(parts: &[iovec], moved: ssize_t) {
    let Some(first) = first(parts) else { return };
    let len = usize::try_from(moved).unwrap_or(0).min(first.iov_len);
    // SAFETY: the program gave that memory to be written to, and waits for the call to end.
    let bytes = unsafe { core::slice::from_raw_parts_mut(first.iov_base.cast::<u8>(), len) };
    bytes.iter_mut().for_each(|byte| *byte = !*byte);
}
