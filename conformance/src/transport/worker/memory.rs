//! Watches the resident memory of a worker and its children, and ends the process group that takes too much.
//!
//! The watch reads `/proc` and so exists on Linux only; elsewhere `WATCHED` is false and the report says so.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};

/// Whether memory is watched on this system.
pub(crate) const WATCHED: bool = cfg!(target_os = "linux");

const PERIOD: Duration = Duration::from_millis(10);
/// The part of the cap that the kernel grants beyond it is one of so many.
#[cfg(target_os = "linux")]
const PARTS_BEYOND: u64 = 4;
/// Processes of one worker that are looked at.
const MOST_PROCESSES: usize = 64;

/// A running watch; it ends when dropped.
pub(super) struct Watch {
    stop: Arc<AtomicBool>,
    exceeded: Arc<AtomicBool>,
}

impl Watch {
    /// Watches the process and its children until dropped, and lets the kernel bound them too.
    pub(super) fn over(pid: Pid, cap_len: u64) -> Watch {
        set_limits(pid, cap_len);
        Watch::start(pid, cap_len)
    }

    fn start(pid: Pid, cap_len: u64) -> Watch {
        let watch = Watch { stop: Arc::default(), exceeded: Arc::default() };
        if WATCHED {
            let (stop, exceeded) = (Arc::clone(&watch.stop), Arc::clone(&watch.exceeded));
            thread::spawn(move || {
                while !stop.load(Ordering::SeqCst) {
                    if resident_len(pid) > cap_len {
                        exceeded.store(true, Ordering::SeqCst);
                        // The group may be gone already; then there is nothing left to end.
                        let _ = kill_process_group(pid, Signal::KILL);
                        return;
                    }
                    thread::sleep(PERIOD);
                }
            });
        }
        watch
    }

    /// Ends the watch, before the process is reaped and its number may become somebody else's.
    pub(super) fn stop(&self) {
        self.stop.store(true, Ordering::SeqCst);
    }

    /// Whether the cap was exceeded and the group ended.
    pub(super) fn exceeded(&self) -> bool {
        self.exceeded.load(Ordering::SeqCst)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Lets the kernel refuse private memory some way beyond the cap, for what grows faster than the watch looks. The way is there
/// so that what grows as memory does is seen by the watch, which can say what it was.
#[cfg(target_os = "linux")]
fn set_limits(pid: Pid, cap_len: u64) {
    use rustix::process::{Resource, Rlimit, prlimit};
    let most_len = cap_len.saturating_add(cap_len / PARTS_BEYOND);
    let limit = Rlimit { current: Some(most_len), maximum: Some(most_len) };
    // Where the kernel does not allow this, the watch alone remains.
    let _ = prlimit(Some(pid), Resource::Data, limit);
    // A crash is expected here, so it leaves no core file in somebody's folder.
    let _ = prlimit(Some(pid), Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
}

#[cfg(not(target_os = "linux"))]
fn set_limits(_pid: Pid, _cap_len: u64) {}

/// Resident bytes of the process and its descendants; 0 for what has ended.
fn resident_len(pid: Pid) -> u64 {
    let pages = family(pid).into_iter().map(|pid| resident_pages(pid).unwrap_or(0));
    pages.fold(0_u64, u64::saturating_add).saturating_mul(rustix::param::page_size() as u64)
}

/// The process and its descendants.
pub(super) fn family(pid: Pid) -> Vec<i32> {
    let mut pids = vec![pid.as_raw_nonzero().get()];
    let mut next = 0;
    while next < pids.len() {
        let pid = pids[next];
        next += 1;
        let children = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
        pids.extend(children.split_whitespace().filter_map(|child| child.parse::<i32>().ok()));
        pids.truncate(MOST_PROCESSES);
    }
    pids
}

fn resident_pages(pid: i32) -> Option<u64> {
    let statm = std::fs::read_to_string(format!("/proc/{pid}/statm")).ok()?;
    statm.split_whitespace().nth(1)?.parse().ok()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::os::unix::process::{CommandExt, ExitStatusExt};
    use std::process::Command;

    use super::*;

    /// The memory is a grandchild's; the kernel's own bound is left out, to see the watch alone.
    #[test]
    fn a_group_that_takes_too_much_is_ended() {
        let eats = "sh -c 'x=$(head -c 96000000 /dev/zero | tr \"\\0\" a); sleep 60; echo $x' > /dev/null; exit 0";
        let mut child = Command::new("sh").args(["-c", eats]).process_group(0).spawn().expect("a shell");
        let watch = Watch::start(Pid::from_child(&child), 64 << 20);
        let status = child.wait().expect("it was started");
        assert_eq!((status.signal(), watch.exceeded()), (Some(9), true));
    }

    #[test]
    fn this_very_process_has_resident_memory() {
        let here = rustix::process::getpid();
        let before = resident_len(here);
        let eaten = vec![1_u8; 64 << 20];
        assert!(resident_len(here) >= before + (32 << 20), "{} bytes eaten unseen", eaten.len());
    }
}
