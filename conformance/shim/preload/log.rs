//! One line a call, in a file that is opened for each of them. Owns the form of a line, which `README.md` tells.

use core::fmt::{self, Write};

use crate::libc::{self, c_int, c_long};
use crate::plan::Class;
use crate::state::{State, close, told};

/// Bytes of a line; the longest one has fewer.
const LONGEST_LINE: usize = 160;

/// What was done with a call.
#[derive(Clone, Copy)]
pub(crate) enum How {
    /// What the system does.
    Real,
    /// Over fewer bytes than asked for.
    Less,
    /// Other bytes came back.
    Changed,
    /// It was not made, and said 0.
    Zero,
    /// It was not made, and failed; a close was made.
    Fail,
    /// It was made, and failed.
    Lost,
}

impl How {
    fn name(self) -> &'static str {
        match self {
            How::Real => "real",
            How::Less => "less",
            How::Changed => "changed",
            How::Zero => "zero",
            How::Fail => "fail",
            How::Lost => "lost",
        }
    }
}

/// One call.
pub(crate) struct Entry<'a> {
    pub(crate) class: Class,
    /// Its number within its class.
    pub(crate) at: u64,
    /// The function the program called.
    pub(crate) name: &'a str,
    /// Where in the file.
    pub(crate) offset: Option<u64>,
    /// Bytes asked for.
    pub(crate) len: u64,
    /// What it returned.
    pub(crate) returned: i64,
    /// Its error, 0 for none.
    pub(crate) errno: c_int,
    pub(crate) how: How,
}

/// Writes a call down.
pub(crate) fn write(state: &mut State, entry: &Entry<'_>) {
    if let Some(line) = state.take_fault() {
        let mut text = Line::new();
        // A line too long for its place is cut, which whoever reads it notices.
        let _ = writeln!(text, "plan {line} is-no-rule - 0 -1 0 fail");
        append(&text);
    }
    if !state.may_log() {
        return;
    }
    let Entry { class, at, name, offset, len, returned, errno, how } = entry;
    let mut text = Line::new();
    // As above.
    let _ = match offset {
        Some(offset) => {
            writeln!(text, "{} {at} {name} {offset} {len} {returned} {errno} {}", class.name(), how.name())
        }
        None => writeln!(text, "{} {at} {name} - {len} {returned} {errno} {}", class.name(), how.name()),
    };
    append(&text);
}

/// Text on the stack.
struct Line {
    bytes: [u8; LONGEST_LINE],
    len: usize,
}

impl Line {
    fn new() -> Line {
        Line { bytes: [0; LONGEST_LINE], len: 0 }
    }
}

impl Write for Line {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.len + text.len();
        let place = self.bytes.get_mut(self.len..end).ok_or(fmt::Error)?;
        place.copy_from_slice(text.as_bytes());
        self.len = end;
        Ok(())
    }
}

fn append(line: &Line) {
    let log = &told().log;
    if log.is_empty() {
        return;
    }
    let flags = c_long::from(libc::O_WRONLY | libc::O_APPEND | libc::O_CREAT | libc::O_CLOEXEC);
    // SAFETY: the path ends with a zero and outlives the call. Past our own `open`.
    let fd = unsafe { libc::syscall(libc::SYS_openat, c_long::from(libc::AT_FDCWD), log.as_ptr(), flags, 0o600) };
    if fd < 0 {
        // Nobody is left to be told; a log without lines says that nothing was caught.
        return;
    }
    // SAFETY: that many bytes of the line are filled. Appending one short line is one piece, also among processes.
    unsafe { libc::syscall(libc::SYS_write, fd, line.bytes.as_ptr(), line.len) };
    close(fd as c_int);
}
