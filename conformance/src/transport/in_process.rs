//! Runs scripts on a candidate inside this process: for the reference, and for saboteurs and mutants of it.
//!
//! A panic is caught and counts as the candidate's death; a hang is not caught, so nothing foreign belongs here.

use std::any::Any;
use std::cell::RefCell;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;

use hurray_adapter::{Candidate, Hello, MemorySource, ReadAt, Source, run_script};

use super::{Cause, Death, Job, JobSource, Ran, Trace, Transport};

/// A candidate of this process.
pub struct InProcess {
    hello: Hello,
    candidate: Box<dyn Candidate>,
}

impl InProcess {
    /// Asks the candidate for its introduction and keeps it.
    pub fn new(candidate: Box<dyn Candidate>) -> Self {
        InProcess { hello: candidate.hello(), candidate }
    }
}

impl Transport for InProcess {
    fn hello(&self) -> &Hello {
        &self.hello
    }

    fn run(&mut self, job: &Job<'_>) -> Ran {
        let trace = Rc::new(RefCell::new(Trace::default()));
        let open = || match &job.source {
            JobSource::Path(path, _) => Source::Path(path.to_path_buf()),
            JobSource::Served(bytes) => {
                Source::Served(Box::new(Recorded { inner: MemorySource(Arc::clone(bytes)), trace: Rc::clone(&trace) }))
            }
            JobSource::Failing(size) => Source::Served(Box::new(Failing(*size))),
        };
        let candidate = self.candidate.as_mut();
        let end = catch_unwind(AssertUnwindSafe(|| run_script(candidate, open, &job.steps)))
            .map_err(|panic| Death { cause: Cause::Panicked(message_of(panic.as_ref())), stderr: String::new() });
        let trace = trace.borrow().clone();
        Ran { end, trace }
    }
}

fn message_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "without a message".to_owned())
}

struct Recorded {
    inner: MemorySource,
    trace: Rc<RefCell<Trace>>,
}

impl ReadAt for Recorded {
    fn size(&self) -> u64 {
        self.inner.size()
    }

    fn read_at(&mut self, offset: u64, dst: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read_at(offset, dst)?;
        let mut trace = self.trace.borrow_mut();
        trace.note(offset, dst.len() as u64, self.inner.size());
        trace.served_len += n as u64;
        Ok(n)
    }
}

struct Failing(u64);

impl ReadAt for Failing {
    fn size(&self) -> u64 {
        self.0
    }

    fn read_at(&mut self, _offset: u64, _dst: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other("the probe's source always fails"))
    }
}

#[cfg(test)]
mod tests {
    use hurray_adapter::{Failure, Observed, Reader};
    use serde_json::json;

    use super::*;

    struct Panics;

    impl Candidate for Panics {
        fn hello(&self) -> Hello {
            serde_json::from_value(json!({"protocol": [1, 1], "name": "panics", "version": "1"})).expect("a hello")
        }

        fn open(&mut self, source: Source) -> Result<(Observed, Box<dyn Reader>), Failure> {
            let Source::Served(mut served) = source else { return Err(Failure::Unsupported) };
            let mut byte = [0; 4];
            served.read_at(2, &mut byte)?;
            panic!("on {}", byte[0])
        }
    }

    #[test]
    fn a_panic_is_a_death_and_what_was_read_before_is_known() {
        let bytes: Arc<[u8]> = Arc::from([1, 2, 3].as_slice());
        let job = Job { source: JobSource::Served(&bytes), steps: vec![json!({"open": {}})] };
        let ran = InProcess::new(Box::new(Panics)).run(&job);
        assert_eq!(ran.end.expect_err("a death").cause, Cause::Panicked("on 3".to_owned()));
        assert_eq!((ran.trace.ranges, ran.trace.outside_count, ran.trace.served_len), (vec![(2, 4)], 1, 1));
    }

    #[test]
    fn a_failing_source_is_an_io_failure() {
        let job = Job { source: JobSource::Failing(100), steps: vec![json!({"open": {}})] };
        let ran = InProcess::new(Box::new(Panics)).run(&job);
        assert_eq!(ran.end.expect("an answer")[0].kind(), "io");
    }
}
