//! How much more resident memory a worker and its children needed for one request than they had before it.
//!
//! The kernel keeps the peak of each process, and lets its owner start it anew: `/proc/PID/clear_refs`. So this exists on
//! Linux, where that is permitted; elsewhere nothing is measured, and the reports say so.

use std::fs;

use rustix::process::Pid;

use super::memory::family;

/// What starts the peak of a process anew.
const RESET_PEAK: &[u8] = b"5";

/// The beginning of a request.
pub(super) struct Before {
    pid: Pid,
    /// Resident memory of all processes, in bytes.
    resident_len: u64,
}

impl Before {
    /// Starts the peaks anew. `None` where that cannot be done.
    pub(super) fn of(pid: Pid) -> Option<Before> {
        let mut resident_len = 0_u64;
        for pid in family(pid) {
            fs::write(format!("/proc/{pid}/clear_refs"), RESET_PEAK).ok()?;
            resident_len = resident_len.saturating_add(bytes_of(pid, "VmRSS:")?);
        }
        Some(Before { pid, resident_len })
    }

    /// The peak since then, beyond what there was. `None` for a process that has ended.
    pub(super) fn peak_len(&self) -> Option<u64> {
        let peaks = family(self.pid).into_iter().map(|pid| bytes_of(pid, "VmHWM:"));
        let peak_len = peaks.sum::<Option<u64>>()?;
        Some(peak_len.saturating_sub(self.resident_len))
    }
}

/// A line of `/proc/PID/status`, which tells kibibytes.
fn bytes_of(pid: i32, name: &str) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let rest = status.lines().find_map(|line| line.strip_prefix(name))?;
    rest.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::io::{BufRead, BufReader, Write};
    use std::process::{Command, Stdio};

    use super::*;

    /// A shell takes 24 MB for the first line it hears and gives them back; for the second it takes nothing.
    #[test]
    fn the_peak_of_a_request_is_seen_and_forgotten_for_the_next() {
        let eats = "read a; x=$(head -c 24000000 /dev/zero | tr '\\0' a); x=; echo done; read a; echo done; read a";
        let mut shell = Command::new("sh");
        let mut child = shell.args(["-c", eats]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a shell");
        let (mut input, output) = (child.stdin.take().expect("piped"), child.stdout.take().expect("piped"));
        let mut lines = BufReader::new(output).lines();
        let mut peak = || {
            let before = Before::of(Pid::from_child(&child)).expect("it may be measured here");
            input.write_all(b"go\n").expect("it listens");
            lines.next().expect("an answer").expect("an answer");
            before.peak_len().expect("it lives")
        };
        let (first, second) = (peak(), peak());
        assert!(first > 16 << 20, "{first} bytes for 24 MB");
        assert!(second < 4 << 20, "{second} bytes for nothing");
        child.kill().and_then(|()| child.wait()).expect("it was started");
    }

    #[test]
    fn of_what_has_ended_nothing_is_known() {
        let mut child = Command::new("true").spawn().expect("a program");
        let pid = Pid::from_child(&child);
        child.wait().expect("it was started");
        assert!(Before::of(pid).is_none() && Before { pid, resident_len: 0 }.peak_len().is_none());
    }
}
