//! A candidate in its own process, spoken to in the worker protocol and never trusted.
//!
//! Owns the life of a worker: start, one request at a time, its death, and its replacement. Death, silence, junk, a
//! wrong id, a wrong number of results, half a line and too much memory all belong to the request in flight. Knows no
//! vector and no expectation.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use hurray_adapter::{Hello, PROTOCOL, SinkSpec, SourceSpec, StepResult, U64, WorkerMessage};
use serde::Serialize;

use crate::support::interrupt;
use crate::support::text::printable;
use crate::transport::{Broken, Cause, Death, Job, JobSource, Ran, Script, Trace, Transport};

mod launch;
mod memory;
mod patience;
mod peak;
mod pipes;
mod process;
mod raw;
mod served;

pub use launch::{Launch, Limits};
use patience::Patience;
use process::Process;
pub(crate) use raw::RawWorker;
pub(crate) use served::LONGEST_REPLY;

/// Whether the resident memory of workers is watched on this system.
pub const MEMORY_IS_WATCHED: bool = memory::WATCHED;

/// Starts that may fail one after the other before the candidate counts as broken.
const FAILED_STARTS: u32 = 3;
/// A request over more than this gets a second more for each further such piece.
const LEN_PER_EXTRA_SECOND: u64 = 8 << 20;

/// A supervised worker.
pub struct Worker {
    launch: Arc<Launch>,
    live: Option<Process>,
    hello: Hello,
    next_id: u64,
    restarts_left: Arc<AtomicU32>,
    broken: Option<Broken>,
}

impl Worker {
    /// Starts the process and hears its first line.
    ///
    /// # Errors
    /// It could not be started, or its first line is not a hello of our protocol in time.
    pub fn start(launch: Arc<Launch>) -> Result<Worker, Broken> {
        let restarts_left = Arc::new(AtomicU32::new(launch.limits.restart_count));
        Worker::start_sharing(launch, restarts_left)
    }

    /// As [`Worker::start`], counting restarts together with other workers of the same candidate.
    ///
    /// # Errors
    /// As [`Worker::start`].
    pub fn start_sharing(launch: Arc<Launch>, restarts_left: Arc<AtomicU32>) -> Result<Worker, Broken> {
        let (process, hello) = launch_one(&launch)?;
        Ok(Worker { launch, live: Some(process), hello, next_id: 1, restarts_left, broken: None })
    }

    /// The live process; starts another one if the last died.
    fn process(&mut self) -> Result<&mut Process, Cause> {
        if let Some(broken) = &self.broken {
            return Err(Cause::NotRun(format!("the adapter is asked nothing more ({})", broken.answered)));
        }
        if interrupt::is_requested() {
            return Err(Cause::NotRun("the run was interrupted".to_owned()));
        }
        if self.live.is_none() {
            self.live = Some(self.restart()?);
        }
        self.live.as_mut().ok_or_else(|| Cause::NotRun("there is no process".to_owned()))
    }

    /// The line of a request. One that cannot be written ends the run: a result without its step is worth nothing.
    fn sayable(&mut self, line: Result<Vec<u8>, Cause>) -> Result<Vec<u8>, Cause> {
        line.inspect_err(|cause| {
            let probe = "hear a request".to_owned();
            self.broken = Some(Broken { probe, answered: cause.to_string(), stderr: String::new() });
        })
    }

    fn restart(&mut self) -> Result<Process, Cause> {
        let mut failed_starts = 0;
        while !interrupt::is_requested() {
            let left = self.restarts_left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
            if left.is_err() {
                let most = self.launch.limits.restart_count;
                return Err(Cause::NotRun(format!("the adapter was started again {most} times and still dies")));
            }
            match launch_one(&self.launch) {
                Ok((process, _)) => return Ok(process),
                Err(broken) => {
                    failed_starts += 1;
                    if failed_starts == FAILED_STARTS {
                        let answered = broken.answered.clone();
                        self.broken = Some(Broken { probe: "start again after a death".to_owned(), ..broken });
                        return Err(Cause::NotRun(format!("the adapter does not start any more ({answered})")));
                    }
                }
            }
        }
        Err(Cause::NotRun("the run was interrupted".to_owned()))
    }
}

impl Transport for Worker {
    fn hello(&self) -> &Hello {
        &self.hello
    }

    fn run(&mut self, job: &Job<'_>) -> Ran {
        let mut trace = Trace::default();
        let id = self.next_id;
        self.next_id += 1;
        let limit = deadline(&self.launch.limits, job.source.size());
        let unrun = |cause| Ran {
            end: Err(Death { cause, stderr: String::new() }),
            trace: Trace::default(),
            peak_memory_len: None,
        };
        let line = match self.sayable(request_line(id, job)) {
            Ok(line) => line,
            Err(cause) => return unrun(cause),
        };
        let process = match self.process() {
            Ok(process) => process,
            Err(cause) => return unrun(cause),
        };
        let before = process.measure();
        let end = match converse(process, (id, line), job, limit, &mut trace) {
            Ok(results) => Ok(results),
            Err(cause) => {
                let stderr = self.live.take().map(Process::kill).unwrap_or_default();
                Err(Death { cause, stderr })
            }
        };
        let peak_memory_len = before.filter(|_| end.is_ok()).and_then(|before| before.peak_len());
        Ran { end, trace, peak_memory_len }
    }

    fn is_process(&self) -> bool {
        true
    }

    fn broken(&self) -> Option<&Broken> {
        self.broken.as_ref()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        if let Some(process) = self.live.take() {
            process.close();
        }
    }
}

fn deadline(limits: &Limits, size: u64) -> Duration {
    limits.request + Duration::from_secs(size / LEN_PER_EXTRA_SECOND)
}

fn launch_one(launch: &Launch) -> Result<(Process, Hello), Broken> {
    let broken = |answered: String, stderr| Broken { probe: "introduce itself".to_owned(), answered, stderr };
    let process = Process::spawn(launch).map_err(|error| broken(error, String::new()))?;
    match hear_hello(&process, launch.limits.hello) {
        Ok(hello) => Ok((process, hello)),
        Err(cause) => {
            let stderr = process.kill();
            Err(broken(cause.to_string(), stderr))
        }
    }
}

fn hear_hello(process: &Process, limit: Duration) -> Result<Hello, Cause> {
    let line = process.hear(Instant::now() + limit, limit)?;
    match serde_json::from_slice(&line) {
        Ok(WorkerMessage::Hello { hello }) => {
            let [low, high] = hello.protocol;
            if low <= PROTOCOL[1] && high >= PROTOCOL[0] {
                Ok(hello)
            } else {
                Err(Cause::Junk(format!("it speaks protocol {low} to {high}, the suite speaks {}", PROTOCOL[1])))
            }
        }
        _ => Err(junk("its first line is not a hello", &line)),
    }
}

fn junk(what: &str, line: &[u8]) -> Cause {
    let head = String::from_utf8_lossy(&line[..line.len().min(400)]);
    Cause::Junk(format!("{what}: {}", printable(&head, 80)))
}

/// Where the worker reads, or writes.
fn endpoints(source: &JobSource<'_>) -> (Option<SourceSpec>, Option<SinkSpec>) {
    match source {
        JobSource::Path(path, _) => (Some(SourceSpec::Path(path.to_string_lossy().into_owned())), None),
        JobSource::Stream(_) => (Some(SourceSpec::Stream {}), None),
        JobSource::SinkPath(path) => (None, Some(SinkSpec::Path(path.to_string_lossy().into_owned()))),
        JobSource::Hosted(host) if host.borrow().size().is_none() => (None, Some(SinkSpec::Served {})),
        other => (Some(SourceSpec::Served { size: U64(other.size()) }), None),
    }
}

/// A request as it goes over the wire.
#[derive(Serialize)]
struct Asked<'a> {
    id: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<SourceSpec>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sink: Option<SinkSpec>,
    steps: &'a Script<'a>,
}

fn request_line(id: u64, job: &Job<'_>) -> Result<Vec<u8>, Cause> {
    let (source, sink) = endpoints(&job.source);
    process::line_of(&Asked { id, source, sink, steps: &job.steps })
}

/// One request: sends it, answers the worker's needs, hears its results.
fn converse(
    process: &mut Process,
    (id, line): (u64, Vec<u8>),
    job: &Job<'_>,
    limit: Duration,
    trace: &mut Trace,
) -> Result<Vec<StepResult>, Cause> {
    let mut patience = Patience::new(Instant::now(), limit);
    process.say_line(line)?;
    loop {
        let line = process.hear(patience.end, limit)?;
        patience.exchanged();
        match serde_json::from_slice::<WorkerMessage>(&line) {
            Ok(WorkerMessage::Answer { id: answered, results }) => {
                if answered != id {
                    return Err(Cause::Junk(format!("it answered request {answered} in place of {id}")));
                }
                let (got, asked) = (results.len(), job.steps.result_count());
                if got != asked {
                    return Err(Cause::Junk(format!("{got} results for {asked} steps")));
                }
                return Ok(results);
            }
            Ok(WorkerMessage::Need { id: asked, need }) => {
                if asked != id {
                    return Err(Cause::Junk(format!("it asked for bytes of request {asked} in place of {id}")));
                }
                process.say(&served::reply(id, &job.source, &need, trace)?)?;
            }
            Ok(WorkerMessage::Next { id: asked, next }) => {
                if asked != id {
                    return Err(Cause::Junk(format!("it asked for bytes of request {asked} in place of {id}")));
                }
                process.say(&served::next(id, &job.source, &next, trace)?)?;
            }
            Ok(WorkerMessage::Offer { id: offered, offer }) => {
                if offered != id {
                    return Err(Cause::Junk(format!("it offered bytes of request {offered} in place of {id}")));
                }
                process.say(&served::take(id, &job.source, &offer, trace)?)?;
            }
            Ok(WorkerMessage::Hello { .. }) => return Err(Cause::Junk("a second hello".to_owned())),
            Err(_) => return Err(junk("a line that is not of it", &line)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use hurray_adapter::{Opening, Reply, Request, Step, StepResult};

    use super::*;

    /// The examples of the protocol's description are of the protocol.
    #[test]
    fn the_description_speaks_the_protocol() {
        let text = include_str!("../../../PROTOCOL.md");
        let mut lines = 0;
        for line in text.split("```").skip(1).step_by(2).flat_map(str::lines).filter(|line| line.starts_with('{')) {
            let is_worker = serde_json::from_str::<WorkerMessage>(line).is_ok();
            let is_harness =
                serde_json::from_str::<Request>(line).is_ok() || serde_json::from_str::<Reply>(line).is_ok();
            assert!(is_worker || is_harness, "not of the protocol: {line}");
            lines += 1;
        }
        assert_eq!(lines, 10);
        let named = text.lines().filter_map(|line| line.strip_prefix("| `{\"")?.split('"').next()).collect::<Vec<_>>();
        let words = ["ok", "reject", "not_found", "refused", "limit", "io", "unsupported", "error"];
        let of_writers = ["write", "create", "header", "put", "finish", "hex", "fill", "pattern"];
        assert_eq!(named, [words, of_writers].concat());
        for word in words {
            let result: Result<StepResult, _> = serde_json::from_str(&format!("{{\"{word}\": {{}}}}"));
            assert_eq!(result.map(|result| result.kind()).ok(), Some(word));
        }
    }

    #[test]
    fn the_children_of_a_worker_end_with_it() {
        let dir = tempfile::tempdir().expect("a folder");
        let script = "sleep 600 & echo $! > child; echo junk; wait";
        let command = ["sh", "-c", script].map(str::to_owned).into();
        let cwd = Some(dir.path().to_path_buf());
        let launch = Launch { command, env: Vec::new(), cwd, limits: Limits::default() };
        let broken = Worker::start(Arc::new(launch)).err().expect("junk is no hello");
        assert!(broken.answered.contains("junk"), "{broken:?}");
        let child = std::fs::read_to_string(dir.path().join("child")).expect("its number");
        let child = rustix::process::Pid::from_raw(child.trim().parse().expect("a number")).expect("a number");
        let end = Instant::now() + Duration::from_secs(10);
        // Whoever inherits it may be slow to reap it.
        let stat = format!("/proc/{}/stat", child.as_raw_nonzero());
        let is_zombie = || std::fs::read_to_string(&stat).is_ok_and(|stat| stat.contains(") Z"));
        while rustix::process::test_kill_process(child).is_ok() && !is_zombie() {
            assert!(Instant::now() < end, "the child lives on");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// A worker of shell that answers each request with one line.
    fn answering(line: &str) -> Worker {
        let hello = r#"{"hello":{"protocol":[1,1],"name":"sh","version":"1"}}"#;
        let script = format!("echo '{hello}'; while read -r request; do echo '{line}'; done");
        let command = ["sh", "-c", script.as_str()].map(str::to_owned).into();
        let launch = Launch { command, env: Vec::new(), cwd: None, limits: Limits::default() };
        Worker::start(Arc::new(launch)).expect("a hello")
    }

    fn open() -> Job<'static> {
        Job { source: JobSource::Failing(1), steps: vec![Step::Open(Opening::default())].into() }
    }

    /// No step of today is one: all their maps have text for keys. The message stands in for one of tomorrow.
    #[test]
    fn a_request_that_cannot_be_written_ends_the_run() {
        let mut worker = answering(r#"{"id":1,"results":[{"ok":{}}]}"#);
        assert!(worker.run(&open()).end.is_ok());
        let unwritable = BTreeMap::from([([1, 2], "a key that is no text")]);
        assert!(worker.sayable(process::line_of(&unwritable)).is_err());
        let broken = worker.broken().cloned().expect("nothing more is asked");
        assert!(broken.answered.contains("cannot write its request"), "{broken:?}");
        assert!(matches!(worker.run(&open()).end.expect_err("it is not run").cause, Cause::NotRun(_)));
    }

    #[test]
    fn what_is_not_an_answer_is_junk() {
        for (line, what) in [
            (r#"{"id":1,"results":[]}"#, "0 results for 1 steps"),
            (r#"{"id":2,"results":[{"ok":{}}]}"#, "request 2 in place of 1"),
            (r#"{"id":2,"need":{"offset":"0","len":1}}"#, "request 2 in place of 1"),
            (r#"{"id":2,"next":{"len":1}}"#, "request 2 in place of 1"),
            (r#"{"id":1,"next":{"len":1}}"#, "no stream"),
            (r#"{"id":1,"results":[{"fine":{}}]}"#, "not of it"),
            (r#"{"hello":{"protocol":[1,1],"name":"sh","version":"1"}}"#, "second hello"),
            ("", "not of it"),
        ] {
            let Cause::Junk(said) = answering(line).run(&open()).end.expect_err("junk").cause else {
                panic!("{line} is junk")
            };
            assert!(said.contains(what), "{line}: {said}");
        }
    }

    #[test]
    fn a_larger_file_has_more_time() {
        let limits = Limits::default();
        assert_eq!(deadline(&limits, 100), limits.request);
        assert_eq!(deadline(&limits, 17 << 20), limits.request + Duration::from_secs(2));
    }
}
