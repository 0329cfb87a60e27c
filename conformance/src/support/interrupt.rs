//! Ends a run that somebody interrupts: workers live in process groups of their own, so the terminal does not reach them.
//!
//! Owns the only state that is shared by the whole program: whether it is to stop, and which groups live.

use std::collections::BTreeSet;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use rustix::process::{Pid, Signal, kill_process_group};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

static STOPPED: AtomicBool = AtomicBool::new(false);
static GROUPS: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

/// Whether the run is to stop: nothing more is started or asked.
pub fn is_requested() -> bool {
    STOPPED.load(Ordering::SeqCst)
}

/// Stops the run at the first interrupt, and the program at the second, with that exit code.
///
/// # Errors
/// The system does not let signals be caught.
pub fn on_interrupt(code: i32) -> io::Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    thread::spawn(move || {
        for _ in signals.forever() {
            if STOPPED.swap(true, Ordering::SeqCst) {
                std::process::exit(code);
            }
            for pid in groups().iter().copied().filter_map(Pid::from_raw) {
                // It may be gone already.
                let _ = kill_process_group(pid, Signal::KILL);
            }
        }
    });
    Ok(())
}

/// Notes a live group.
pub(crate) fn add_group(pid: Pid) {
    groups().insert(pid.as_raw_nonzero().get());
}

/// Forgets a group, before its leader is reaped and the number may become somebody else's.
pub(crate) fn remove_group(pid: Pid) {
    groups().remove(&pid.as_raw_nonzero().get());
}

fn groups() -> MutexGuard<'static, BTreeSet<i32>> {
    GROUPS.lock().unwrap_or_else(PoisonError::into_inner)
}
