//! One script under one schedule: the only place where a sweep runs a candidate.
//!
//! Owns the two ways to inject faults and what an execution leaves behind. It must not know what an answer is worth.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use hurray_adapter::{Step, StepResult};

use super::common::{died, log_of, suite_failed, unsupported};
use crate::fault::preload::{Calls, Plan, Session};
use crate::fault::{FaultySink, FaultySource, Log};
use crate::judge::Verdict;
use crate::transport::{Death, Host, Job, JobSource, Transport};
use hurray_corpus::schedule::{Clause, Schedule, Side};

/// The class of the calls that read, in the shim's log.
pub(super) const READ: &str = "read";
/// The class of the calls that write.
pub(super) const WRITE: &str = "write";

/// How faults reach a candidate.
pub enum Faults<'a> {
    /// The harness serves the bytes, and its source or sink misbehaves.
    Served(&'a mut dyn Transport),
    /// The candidate takes a path, and the shim bends its system calls.
    Preload(Preload<'a>),
}

/// A worker under the preload shim.
pub struct Preload<'a> {
    /// The watched file, the plan and the log.
    pub session: &'a mut Session,
    /// The worker.
    pub transport: &'a mut dyn Transport,
    /// Whether every map fails: a program that can do without one has to, since a map follows no schedule.
    pub refuses_maps: bool,
}

/// What one script left behind.
pub(super) struct Execution {
    /// The answers, or how the candidate died.
    pub(super) end: Result<Vec<StepResult>, Death>,
    /// The reads or writes.
    pub(super) log: Log,
    /// All calls on the file, where the shim saw them.
    pub(super) calls: Option<Calls>,
    /// What a writer left. `None` for a reader, and where there is no file.
    pub(super) left: Option<Vec<u8>>,
    /// Memory at its peak beyond what there was before, in bytes, where it is measured.
    pub(super) peak_memory_len: Option<u64>,
}

impl Execution {
    /// The answers.
    ///
    /// # Errors
    /// The candidate died: a verdict that says how to see it again.
    pub(super) fn answers(&self, schedule: &Schedule, over: &str) -> Result<&[StepResult], Box<Verdict>> {
        self.end.as_deref().map_err(|death| Box::new(died(schedule, over, death, &self.log)))
    }
}

impl Faults<'_> {
    /// Whether the candidate is a process of its own.
    pub(super) fn is_process(&self) -> bool {
        match self {
            Faults::Served(transport) => transport.is_process(),
            Faults::Preload(preload) => preload.transport.is_process(),
        }
    }

    /// Runs a script of a reader over `bytes`.
    ///
    /// # Errors
    /// The script did not run: a verdict that says why.
    pub(super) fn read(
        &mut self,
        bytes: &Arc<[u8]>,
        steps: &[Step],
        schedule: &Schedule,
    ) -> Result<Execution, Box<Verdict>> {
        match self {
            Faults::Served(transport) => {
                let host = Rc::new(RefCell::new(FaultySource::new(bytes, schedule)));
                let ran = transport.run(&job(JobSource::Hosted(Rc::clone(&host) as Rc<RefCell<dyn Host>>), steps));
                let log = host.borrow().log().clone();
                Ok(Execution { end: ran.end, log, calls: None, left: None, peak_memory_len: ran.peak_memory_len })
            }
            Faults::Preload(preload) => preload.read(bytes, steps, schedule),
        }
    }

    /// Runs a script of a writer.
    ///
    /// # Errors
    /// The script did not run: a verdict that says why.
    pub(super) fn write(&mut self, steps: &[Step], schedule: &Schedule) -> Result<Execution, Box<Verdict>> {
        match self {
            Faults::Served(transport) => {
                let host = Rc::new(RefCell::new(FaultySink::new(schedule)));
                let ran = transport.run(&job(JobSource::Hosted(Rc::clone(&host) as Rc<RefCell<dyn Host>>), steps));
                let (left, log) = (Some(host.borrow().bytes.clone()), host.borrow().log().clone());
                Ok(Execution { end: ran.end, log, calls: None, left, peak_memory_len: ran.peak_memory_len })
            }
            Faults::Preload(preload) => preload.write(steps, schedule),
        }
    }
}

impl Preload<'_> {
    fn read(&mut self, bytes: &[u8], steps: &[Step], schedule: &Schedule) -> Result<Execution, Box<Verdict>> {
        let plan = self.plan(schedule, Side::Source)?;
        // No call makes a file short, so the file itself is.
        let cut = schedule.clauses.iter().find_map(|clause| match clause {
            Clause::Cut(len) => usize::try_from(*len).ok(),
            _ => None,
        });
        let bytes = &bytes[..cut.unwrap_or(bytes.len()).min(bytes.len())];
        let prepared = self.session.put(bytes).and_then(|()| self.session.begin(&plan));
        prepared.map_err(|error| suite_failed(&format!("its file cannot be written: {error}")))?;
        let path = self.session.target();
        let ran = self.transport.run(&job(JobSource::Path(&path, bytes.len() as u64), steps));
        self.execution(ran.end, READ)
    }

    fn write(&mut self, steps: &[Step], schedule: &Schedule) -> Result<Execution, Box<Verdict>> {
        let plan = self.plan(schedule, Side::Sink)?;
        let prepared = self.session.remove().and_then(|()| self.session.begin(&plan));
        prepared.map_err(|error| suite_failed(&format!("its folder cannot be written: {error}")))?;
        let path = self.session.target();
        let ran = self.transport.run(&job(JobSource::SinkPath(&path), steps));
        let left = self.session.bytes();
        Ok(Execution { left, ..self.execution(ran.end, WRITE)? })
    }

    fn plan(&self, schedule: &Schedule, side: Side) -> Result<Plan, Box<Verdict>> {
        let plan = match self.refuses_maps {
            true => Plan::none().with("map fail 1 ENODEV sticky"),
            false => Plan::none(),
        };
        plan.with_schedule(schedule, side)
            .ok_or_else(|| unsupported("a schedule that system calls can follow", "this one is for served files"))
    }

    fn execution(&self, end: Result<Vec<StepResult>, Death>, class: &str) -> Result<Execution, Box<Verdict>> {
        let calls = match (self.session.calls(), &end) {
            (Ok(calls), _) => calls,
            // A log that a dead candidate left unreadable does not excuse its death.
            (Err(_), Err(_)) => Calls::default(),
            (Err(why), Ok(_)) => return Err(suite_failed(&why)),
        };
        Ok(Execution { end, log: log_of(&calls, class), calls: Some(calls), left: None, peak_memory_len: None })
    }
}

fn job<'a>(source: JobSource<'a>, steps: &'a [Step]) -> Job<'a> {
    Job { source, steps: steps.into() }
}
