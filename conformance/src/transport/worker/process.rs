//! One operating system process in its own group: started, spoken to, listened to, ended. Knows no protocol beyond lines.

use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, WaitIdStatus, kill_process_group, waitid};
use serde::Serialize;

use super::launch::Launch;
use super::memory::Watch;
use super::peak::Before;
use super::pipes::{self, Heard, Input, Tail};
use crate::support::interrupt;
use crate::transport::Cause;

/// How often a silent process is looked at.
const GLANCE: Duration = Duration::from_millis(50);
/// Time a process gets to end by itself once its pipes are closed.
const GRACE: Duration = Duration::from_secs(1);

/// A message as a line, its end included.
///
/// # Errors
/// It cannot be written as JSON. The harness made it, so no worker is to blame.
pub(super) fn line_of(message: &impl Serialize) -> Result<Vec<u8>, Cause> {
    let unsayable = |error| Cause::NotRun(format!("the suite cannot write its request as JSON: {error}"));
    let mut line = serde_json::to_vec(message).map_err(unsayable)?;
    line.push(b'\n');
    Ok(line)
}

/// A live process. Its whole group ends with it.
pub(super) struct Process {
    child: Child,
    pid: Pid,
    lines: Receiver<Heard>,
    input: Option<Input>,
    stderr: Tail,
    memory: Watch,
    memory_len: u64,
}

impl Process {
    /// Starts it, in a process group of its own.
    ///
    /// # Errors
    /// One sentence on why it cannot be started.
    pub(super) fn spawn(launch: &Launch) -> Result<Process, String> {
        let (program, arguments) = launch.command.split_first().ok_or("its command is empty")?;
        let mut command = Command::new(program);
        command.args(arguments).envs(launch.env.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        if let Some(cwd) = &launch.cwd {
            command.current_dir(cwd);
        }
        let mut child = command.spawn().map_err(|error| format!("`{program}` cannot be started: {error}"))?;
        let pid = Pid::from_child(&child);
        interrupt::add_group(pid);
        let (Some(input), Some(output), Some(errors)) = (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(format!("`{program}` was started without pipes"));
        };
        Ok(Process {
            memory: Watch::over(pid, launch.limits.memory_len),
            memory_len: launch.limits.memory_len,
            child,
            pid,
            lines: pipes::lines(output),
            input: Some(Input::into(input)),
            stderr: Tail::of(errors),
        })
    }

    /// Begins to measure the memory of one request, where that can be done.
    pub(super) fn measure(&self) -> Option<Before> {
        Before::of(self.pid)
    }

    /// Sends one line; never blocks.
    ///
    /// # Errors
    /// The worker does not read what it was sent before.
    pub(super) fn say(&self, message: &impl Serialize) -> Result<(), Cause> {
        self.say_line(line_of(message)?)
    }

    /// [`Process::say`] for a line of [`line_of`].
    ///
    /// # Errors
    /// As [`Process::say`].
    pub(super) fn say_line(&self, line: Vec<u8>) -> Result<(), Cause> {
        match &self.input {
            Some(input) if !input.send(line) => Err(Cause::Junk("it asks and never reads the answers".to_owned())),
            _ => Ok(()),
        }
    }

    /// The next line, or why there is none.
    ///
    /// # Errors
    /// The deadline passed, the process ended, or what it wrote is no line.
    pub(super) fn hear(&self, deadline: Instant, limit: Duration) -> Result<Vec<u8>, Cause> {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(self.memory_cause().unwrap_or(Cause::TimedOut(limit)));
            }
            match self.lines.recv_timeout(left.min(GLANCE)) {
                Ok(Heard::Line(line)) => return Ok(line),
                Ok(Heard::TooLong) => return Err(Cause::Junk("a line without end".to_owned())),
                Ok(Heard::End) | Err(RecvTimeoutError::Disconnected) => return Err(self.gone()),
                // Its children may still hold the pipe open, so the end of the process has to be looked for.
                Err(RecvTimeoutError::Timeout) if self.status().is_some() => match self.lines.recv_timeout(GLANCE) {
                    Ok(Heard::Line(line)) => return Ok(line),
                    _ => return Err(self.gone()),
                },
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    fn memory_cause(&self) -> Option<Cause> {
        self.memory.exceeded().then_some(Cause::OutOfMemory(self.memory_len))
    }

    /// Why the output has ended.
    fn gone(&self) -> Cause {
        let status = self.wait(GRACE);
        if let Some(cause) = self.memory_cause() {
            return cause;
        }
        match status {
            None => Cause::Junk("it closed its output and lives on".to_owned()),
            Some(status) => match status.terminating_signal() {
                Some(signal) => Cause::Signal(signal),
                None => Cause::Exit(status.exit_status().unwrap_or(-1)),
            },
        }
    }

    /// How it ended, if it has; it is not reaped, so its group cannot be somebody else's meanwhile.
    fn status(&self) -> Option<WaitIdStatus> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        waitid(WaitId::Pid(self.pid), options).ok().flatten()
    }

    fn wait(&self, patience: Duration) -> Option<WaitIdStatus> {
        let end = Instant::now() + patience;
        loop {
            let status = self.status();
            if status.is_some() || Instant::now() >= end {
                return status;
            }
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Ends the whole group at once. The last of standard error comes back.
    pub(super) fn kill(self) -> String {
        let stderr = self.stderr.clone();
        drop(self);
        stderr.text_at_end(GLANCE)
    }

    /// Closes the input, waits a moment, and ends what is left.
    pub(super) fn close(self) {
        self.ends_by_itself(GRACE);
    }

    /// Closes the input and ends what is left after `patience`; whether nothing was.
    pub(super) fn ends_by_itself(mut self, patience: Duration) -> bool {
        drop(self.input.take());
        self.wait(patience).is_some()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Both fail only for a process that is gone already.
        let _ = kill_process_group(self.pid, Signal::KILL);
        self.memory.stop();
        interrupt::remove_group(self.pid);
        let _ = self.child.wait();
    }
}
