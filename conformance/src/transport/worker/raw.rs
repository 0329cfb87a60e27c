//! A worker that is not yet trusted to speak the protocol: lines in, lines out, and how it ends. For telling an author
//! what is wrong with an adapter; nothing is judged over it.

use std::time::{Duration, Instant};

use hurray_adapter::WorkerMessage;

use super::process::Process;
use super::{Launch, Limits, request_line, served};
use crate::transport::{Cause, Job, Trace};

/// A process, and no more than that.
pub(crate) struct RawWorker {
    process: Process,
    limits: Limits,
}

impl RawWorker {
    /// Starts it.
    ///
    /// # Errors
    /// One sentence on why it cannot be started.
    pub(crate) fn start(launch: &Launch) -> Result<RawWorker, String> {
        Ok(RawWorker { process: Process::spawn(launch)?, limits: launch.limits.clone() })
    }

    /// Its first line, whatever it is.
    ///
    /// # Errors
    /// There is none.
    pub(crate) fn first_line(&self) -> Result<Vec<u8>, Cause> {
        self.process.hear(Instant::now() + self.limits.hello, self.limits.hello)
    }

    /// Sends one request and serves its file; the first line that asks for nothing comes back, whatever it is.
    ///
    /// # Errors
    /// There is none.
    pub(crate) fn ask(&self, id: u64, job: &Job<'_>) -> Result<Vec<u8>, Cause> {
        let end = Instant::now() + self.limits.request;
        let mut trace = Trace::default();
        self.process.say_line(request_line(id, job)?)?;
        loop {
            let line = self.process.hear(end, self.limits.request)?;
            match serde_json::from_slice(&line) {
                Ok(WorkerMessage::Need { need, .. }) => {
                    self.process.say(&served::reply(id, &job.source, &need, &mut trace)?)?;
                }
                _ => return Ok(line),
            }
        }
    }

    /// A line that nobody asked for, if one comes within `patience`.
    pub(crate) fn unasked_line(&self, patience: Duration) -> Option<Vec<u8>> {
        self.process.hear(Instant::now() + patience, patience).ok()
    }

    /// Ends it at once. The last of its standard error comes back.
    pub(crate) fn kill(self) -> String {
        self.process.kill()
    }

    /// Closes its input; whether it ends by itself within `patience`.
    pub(crate) fn ends_by_itself(self, patience: Duration) -> bool {
        self.process.ends_by_itself(patience)
    }
}
