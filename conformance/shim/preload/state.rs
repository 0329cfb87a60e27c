//! What was told from outside, the plan in force, and how many calls of each class there were. One lock over all of it,
//! so that calls of many threads have an order, and the log has the same one.

use core::ffi::CStr;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use crate::libc::{self, c_char, c_int, c_long};
use crate::plan::{Call, Class, Plan, Step};

/// Bytes of a path or of a plan; what is longer counts as absent.
const LONGEST_TEXT: usize = 4096;
/// Lines of one log: a program that tries without end must not fill the disk.
const MOST_LINES: u64 = 200_000;

/// Text of a bounded length, ended by a zero.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Text {
    bytes: [u8; LONGEST_TEXT],
    len: usize,
}

impl Text {
    const fn empty() -> Text {
        Text { bytes: [0; LONGEST_TEXT], len: 0 }
    }

    fn of(bytes: &[u8]) -> Text {
        let mut text = Text::empty();
        // One byte is left for the zero.
        if bytes.len() < LONGEST_TEXT {
            for (place, byte) in text.bytes.iter_mut().zip(bytes) {
                *place = *byte;
            }
            text.len = bytes.len();
        }
        text
    }

    /// The environment variable of that name; empty if there is none.
    fn variable(name: &CStr) -> Text {
        // SAFETY: the name ends with a zero. Nobody else changes the environment while this library is loaded, and what
        // is found is copied at once.
        let found = unsafe { libc::getenv(name.as_ptr()) };
        if found.is_null() {
            return Text::empty();
        }
        // SAFETY: what `getenv` finds ends with a zero.
        Text::of(unsafe { CStr::from_ptr(found) }.to_bytes())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }

    /// For libc: the bytes and a zero.
    pub(crate) fn as_ptr(&self) -> *const c_char {
        self.bytes.as_ptr().cast()
    }
}

/// What the environment says. It is read once: programs change their environment.
pub(crate) struct Told {
    /// The file.
    pub(crate) target: Text,
    /// Where the plan stands, if it may change.
    control: Text,
    /// The plan, if it does not.
    plan: Text,
    /// Where calls are written down.
    pub(crate) log: Text,
}

/// What the environment says.
pub(crate) fn told() -> &'static Told {
    static TOLD: OnceLock<Told> = OnceLock::new();
    TOLD.get_or_init(|| Told {
        target: Text::variable(c"HURRAY_SHIM_TARGET"),
        control: Text::variable(c"HURRAY_SHIM_CONTROL"),
        plan: Text::variable(c"HURRAY_SHIM_PLAN"),
        log: Text::variable(c"HURRAY_SHIM_LOG"),
    })
}

/// The plan in force, and what happened under it.
pub(crate) struct State {
    text: Option<Text>,
    plan: Plan,
    fault_line: Option<u64>,
    call_counts: [u64; Class::COUNT],
    moved_lens: [u64; Class::COUNT],
    have_failed: [bool; Class::COUNT],
    line_count: u64,
}

static STATE: Mutex<State> = Mutex::new(State {
    text: None,
    plan: Plan::empty(),
    fault_line: None,
    call_counts: [0; Class::COUNT],
    moved_lens: [0; Class::COUNT],
    have_failed: [false; Class::COUNT],
    line_count: 0,
});

/// The state, for one call: with the plan as it stands now.
pub(crate) fn lock() -> MutexGuard<'static, State> {
    let mut state = STATE.lock().unwrap_or_else(PoisonError::into_inner);
    state.refresh();
    state
}

impl State {
    /// Begins anew if the plan is another one than before. A remark is enough to make it another one.
    fn refresh(&mut self) {
        let told = told();
        let text = if told.control.is_empty() { told.plan } else { read(&told.control) };
        if self.text.as_ref() == Some(&text) {
            return;
        }
        let parsed = core::str::from_utf8(text.bytes()).map_err(|_| 1).and_then(Plan::parse);
        self.fault_line = parsed.as_ref().err().copied();
        self.plan = parsed.unwrap_or(Plan::empty());
        self.text = Some(text);
        self.call_counts = [0; Class::COUNT];
        self.moved_lens = [0; Class::COUNT];
        self.have_failed = [false; Class::COUNT];
        self.line_count = 0;
    }

    /// The line of the plan that is no rule, told once.
    pub(crate) fn take_fault(&mut self) -> Option<u64> {
        self.fault_line.take()
    }

    /// Counts a call and decides on it: its number, and what becomes of it.
    pub(crate) fn step(&mut self, class: Class, offset: u64, len: u64) -> (u64, Step) {
        let place = class as usize;
        let at = self.call_counts.get(place).copied().unwrap_or(0).saturating_add(1);
        if let Some(count) = self.call_counts.get_mut(place) {
            *count = at;
        }
        let moved_len = self.moved_lens.get(place).copied().unwrap_or(0);
        let has_failed = self.have_failed.get(place).copied().unwrap_or(false);
        let step = self.plan.step(&Call { class, at, offset, len, moved_len, has_failed });
        if let (Step::FailByte(_), Some(has_failed)) = (step, self.have_failed.get_mut(place)) {
            *has_failed = true;
        }
        (at, step)
    }

    /// Counts what a call has moved.
    pub(crate) fn moved(&mut self, class: Class, len: u64) {
        if let Some(sum) = self.moved_lens.get_mut(class as usize) {
            *sum = sum.saturating_add(len);
        }
    }

    /// Whether the log has room for one more line.
    pub(crate) fn may_log(&mut self) -> bool {
        self.line_count += 1;
        self.line_count <= MOST_LINES
    }
}

/// What stands in the file at `path`; empty if it cannot be read. It is opened anew for each call: a program may close
/// every descriptor it does not know.
fn read(path: &Text) -> Text {
    let flags = c_long::from(libc::O_RDONLY | libc::O_CLOEXEC);
    // SAFETY: the path ends with a zero and outlives the call. The system is called directly, past our own `open`.
    let fd = unsafe { libc::syscall(libc::SYS_openat, c_long::from(libc::AT_FDCWD), path.as_ptr(), flags) };
    if fd < 0 {
        return Text::empty();
    }
    let mut bytes = [0u8; LONGEST_TEXT];
    // SAFETY: the buffer is ours and that long.
    let len = unsafe { libc::syscall(libc::SYS_read, fd, bytes.as_mut_ptr(), bytes.len()) };
    close(fd as c_int);
    Text::of(usize::try_from(len).ok().and_then(|len| bytes.get(..len)).unwrap_or_default())
}

/// Closes a descriptor of our own.
pub(crate) fn close(fd: c_int) {
    // SAFETY: the descriptor was opened by us and is used no more. Past our own `close`.
    unsafe { libc::syscall(libc::SYS_close, c_long::from(fd)) };
}
