//! One call that moves no bytes, from beginning to end: decided, made or not, counted, written down.

use crate::libc::{self, c_int};
use crate::log::{self, Entry, How};
use crate::plan::{Class, Step};
use crate::{errno, state};

/// A call of the program on the file.
pub(crate) struct Simple<'a> {
    pub(crate) class: Class,
    /// The function it called.
    pub(crate) name: &'a str,
    /// Where in the file, if that means something.
    pub(crate) offset: Option<u64>,
    /// A length, or 0.
    pub(crate) len: u64,
}

/// What a function returns: how it fails, and what is written down of it.
pub(crate) trait Returned: Copy {
    /// The value that says that it failed.
    const FAILED: Self;
    /// As a number; below 0 if it failed.
    fn number(self) -> i64;
}

impl Returned for c_int {
    const FAILED: c_int = -1;
    fn number(self) -> i64 {
        i64::from(self)
    }
}

impl Returned for i64 {
    const FAILED: i64 = -1;
    fn number(self) -> i64 {
        self
    }
}

impl Returned for isize {
    const FAILED: isize = -1;
    fn number(self) -> i64 {
        self as i64
    }
}

impl Returned for *mut libc::c_void {
    const FAILED: *mut libc::c_void = libc::MAP_FAILED;
    fn number(self) -> i64 {
        // An address is of no use to whoever reads the log.
        if self == libc::MAP_FAILED { -1 } else { 0 }
    }
}

impl Simple<'_> {
    /// Runs it, if `is_ours`; `call` makes it.
    pub(crate) fn run<R: Returned>(self, is_ours: impl FnOnce() -> bool, call: impl FnOnce() -> R) -> R {
        let before = errno::get();
        let is_ours = is_ours();
        errno::set(before);
        if !is_ours {
            return call();
        }
        let mut state = state::lock();
        let (at, step) = state.step(self.class, self.offset.unwrap_or(0), self.len);
        errno::set(before);
        let (returned, how) = match (step, self.class) {
            (Step::Fail(error), class) => {
                // The system closes a descriptor also when it has an error to tell.
                if class == Class::Close {
                    call();
                }
                errno::set(error);
                (R::FAILED, How::Fail)
            }
            // Programs fall back on reading and writing, which obeys.
            (_, Class::Copy) => {
                errno::set(libc::EINVAL);
                (R::FAILED, How::Fail)
            }
            _ => (call(), How::Real),
        };
        let number = returned.number();
        let error = if number < 0 { errno::get() } else { 0 };
        let Simple { class, name, offset, len } = self;
        log::write(&mut state, &Entry { class, at, name, offset, len, returned: number, errno: error, how });
        errno::set(if number < 0 { error } else { before });
        returned
    }
}
