//! Runs scripts on a candidate inside this process: for the reference, and for mutants of it.
//!
//! A panic is caught and counts as the candidate's death; a hang is not caught, so nothing foreign belongs here.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;

use hurray_adapter::{Candidate, Endpoint, Hello, MemorySource, ReadAt, Sink, Source, run_script, run_steps};

use super::host::transport_error;
use super::{Cause, Death, Host, HostRead, HostWrite, Job, JobSource, Ran, Script, Trace, Transport};

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
        let candidate = self.candidate.as_mut();
        let file = File { source: &job.source, trace: Rc::clone(&trace), stream_at: Rc::default() };
        let run = || match &job.steps {
            Script::Steps(steps) => run_steps(candidate, file, steps),
            Script::Raw(values) => run_script(candidate, file, values),
        };
        let end = catch_unwind(AssertUnwindSafe(run))
            .map_err(|panic| Death { cause: Cause::Panicked(message_of(panic.as_ref())), stderr: String::new() });
        let trace = trace.borrow().clone();
        // What is measured of a process would be the harness here.
        Ran { end, trace, peak_memory_len: None }
    }
}

fn message_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "without a message".to_owned())
}

/// The file of one job.
struct File<'a> {
    source: &'a JobSource<'a>,
    trace: Rc<RefCell<Trace>>,
    /// Bytes that a stream has given.
    stream_at: Rc<Cell<u64>>,
}

impl Endpoint for File<'_> {
    fn source(&mut self) -> Option<Source> {
        let trace = Rc::clone(&self.trace);
        Some(match self.source {
            JobSource::Path(path, _) => Source::Path(path.to_path_buf()),
            JobSource::Served(bytes) => {
                Source::Served(Box::new(Recorded { inner: MemorySource(Arc::clone(bytes)), trace }))
            }
            JobSource::Failing(size) => Source::Served(Box::new(Failing(*size))),
            JobSource::Hosted(host) => {
                let size = host.borrow().size()?;
                Source::Served(Box::new(Recorded { inner: Hosted { host: Rc::clone(host), size }, trace }))
            }
            JobSource::Stream(_) | JobSource::SinkPath(_) => return None,
        })
    }

    fn stream(&mut self) -> Option<Box<dyn io::Read>> {
        let JobSource::Stream(host) = self.source else { return None };
        let (at, trace) = (Rc::clone(&self.stream_at), Rc::clone(&self.trace));
        Some(Box::new(Stream { host: Rc::clone(host), at, trace }))
    }

    fn sink(&mut self) -> Option<Sink> {
        match self.source {
            JobSource::SinkPath(path) => Some(Sink::Path(path.to_path_buf())),
            JobSource::Hosted(host) if host.borrow().size().is_none() => {
                let (inner, trace) = (Hosted { host: Rc::clone(host), size: 0 }, Rc::clone(&self.trace));
                Some(Sink::Served(Box::new(Recorded { inner, trace })))
            }
            _ => None,
        }
    }
}

/// A hosted file, as Rust sees it.
struct Hosted {
    host: Rc<RefCell<dyn Host>>,
    size: u64,
}

impl ReadAt for Hosted {
    fn size(&self) -> u64 {
        self.size
    }

    fn read_at(&mut self, offset: u64, dst: &mut [u8]) -> io::Result<usize> {
        hosted(self.host.borrow_mut().read(offset, dst.len() as u64), dst)
    }
}

fn hosted(answer: HostRead, dst: &mut [u8]) -> io::Result<usize> {
    match answer {
        HostRead::Bytes(bytes) => {
            let moved = bytes.len().min(dst.len());
            dst[..moved].copy_from_slice(&bytes[..moved]);
            // More than asked for is told as it is: whoever asked has to notice.
            Ok(bytes.len())
        }
        HostRead::End => Ok(0),
        HostRead::Error(kind) => Err(transport_error(kind)),
        HostRead::Lost(bytes, kind) => {
            let moved = bytes.len().min(dst.len());
            dst[..moved].copy_from_slice(&bytes[..moved]);
            Err(transport_error(kind))
        }
    }
}

/// What is left of a hosted file that goes by once.
struct Stream {
    host: Rc<RefCell<dyn Host>>,
    at: Rc<Cell<u64>>,
    trace: Rc<RefCell<Trace>>,
}

impl io::Read for Stream {
    fn read(&mut self, dst: &mut [u8]) -> io::Result<usize> {
        if dst.is_empty() {
            return Ok(0);
        }
        let at = self.at.get();
        self.trace.borrow_mut().note_next(at, dst.len() as u64);
        let moved = hosted(self.host.borrow_mut().read(at, dst.len() as u64), dst)?;
        self.trace.borrow_mut().served_len += moved as u64;
        self.at.set(at.saturating_add(moved as u64));
        Ok(moved)
    }
}

impl io::Write for Hosted {
    fn write(&mut self, src: &[u8]) -> io::Result<usize> {
        if src.is_empty() {
            return Ok(0);
        }
        match self.host.borrow_mut().write(src) {
            HostWrite::Taken(taken) => Ok(usize::try_from(taken).unwrap_or(usize::MAX)),
            HostWrite::Error(kind) => Err(transport_error(kind)),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct Recorded<S> {
    inner: S,
    trace: Rc<RefCell<Trace>>,
}

impl<S: ReadAt> ReadAt for Recorded<S> {
    fn size(&self) -> u64 {
        self.inner.size()
    }

    fn read_at(&mut self, offset: u64, dst: &mut [u8]) -> io::Result<usize> {
        self.trace.borrow_mut().note(offset, dst.len() as u64, self.inner.size());
        let n = self.inner.read_at(offset, dst)?;
        self.trace.borrow_mut().served_len += n as u64;
        Ok(n)
    }
}

impl<S: io::Write> io::Write for Recorded<S> {
    fn write(&mut self, src: &[u8]) -> io::Result<usize> {
        if !src.is_empty() {
            self.trace.borrow_mut().note_offer(src.len() as u64);
        }
        self.inner.write(src)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
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
    use hurray_adapter::{
        Answer, Failure, KvEntry, NewComposite, NewItem, NewTensor, Observed, Reader, StepResult, WriteOptions, Writer,
        WriterState,
    };
    use serde_json::json;

    use super::super::MemorySink;
    use super::*;
    use crate::fault::FaultySource;

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
        let job = Job { source: JobSource::Served(&bytes), steps: Script::Raw(vec![json!({"open": {}})]) };
        let ran = InProcess::new(Box::new(Panics)).run(&job);
        assert_eq!(ran.end.expect_err("a death").cause, Cause::Panicked("on 3".to_owned()));
        assert_eq!((ran.trace.ranges, ran.trace.outside_count, ran.trace.served_len), (vec![(2, 4)], 1, 1));
    }

    /// Reads what comes by three bytes at a time, and says what came and what did not.
    struct Scans;

    impl Candidate for Scans {
        fn hello(&self) -> Hello {
            Panics.hello()
        }

        fn open(&mut self, _source: Source) -> Result<(Observed, Box<dyn Reader>), Failure> {
            Err(Failure::Unsupported)
        }

        fn scan(&mut self, mut stream: Box<dyn io::Read>) -> Answer {
            let (mut seen, mut piece) = (String::new(), [0; 3]);
            loop {
                match stream.read(&mut piece) {
                    Ok(0) => return Ok(Observed { value: Some(seen), ..Observed::default() }),
                    Ok(n) => seen.push_str(&String::from_utf8_lossy(&piece[..n])),
                    Err(error) => seen.push_str(&format!("<{}>", error.kind())),
                }
            }
        }
    }

    #[test]
    fn a_stream_goes_by_once() {
        let schedule = "fail 2 once".parse().expect("a schedule");
        let source = FaultySource::new(&Arc::from(b"abcdefg".as_slice()), &schedule);
        let source = JobSource::Stream(Rc::new(RefCell::new(source)));
        let steps = vec![json!({"scan": {}}), json!({"scan": {}}), json!({"open": {}})];
        let ran = InProcess::new(Box::new(Scans)).run(&Job { source, steps: Script::Raw(steps) });
        let results = ran.end.expect("answers");
        let seen = |value: &str| StepResult::Ok(Observed { value: Some(value.to_owned()), ..Observed::default() });
        assert_eq!(results[..2], [seen("abc<other error>defg"), seen("")]);
        assert_eq!(results[2].kind(), "refused", "there is nothing to go back to");
        assert_eq!((ran.trace.served_len, ran.trace.outside_count), (7, 0));
    }

    #[test]
    fn a_failing_source_is_an_io_failure() {
        let job = Job { source: JobSource::Failing(100), steps: Script::Raw(vec![json!({"open": {}})]) };
        let ran = InProcess::new(Box::new(Panics)).run(&job);
        assert_eq!(ran.end.expect("an answer")[0].kind(), "io");
    }
    /// Writes the name of each item as it is, then the word `end`; wants its sink to take everything.
    struct Echo(Sink);

    impl Writer for Echo {
        fn put(&mut self, item: &NewItem) -> Answer {
            let (NewItem::Tensor(NewTensor { name, .. }) | NewItem::Composite(NewComposite { name, .. })) = item;
            self.say(&name.0)
        }

        fn finish(&mut self, _kv: &[KvEntry]) -> Answer {
            self.say(b"end")
        }

        fn state(&self) -> Option<WriterState> {
            Some(WriterState::Usable)
        }
    }

    impl Echo {
        fn say(&mut self, bytes: &[u8]) -> Answer {
            let Sink::Served(sink) = &mut self.0 else { return Err(Failure::Unsupported) };
            io::Write::write_all(sink, bytes)?;
            Ok(Observed::default())
        }
    }

    struct Writes;

    impl Candidate for Writes {
        fn hello(&self) -> Hello {
            Panics.hello()
        }

        fn open(&mut self, _source: Source) -> Result<(Observed, Box<dyn Reader>), Failure> {
            Err(Failure::Unsupported)
        }

        fn create(&mut self, sink: Sink, _options: &WriteOptions) -> Result<Box<dyn Writer>, Failure> {
            Ok(Box::new(Echo(sink)))
        }
    }

    #[test]
    fn what_is_written_reaches_the_host_item_by_item_or_at_once() {
        let item = json!({"tensor": {"name": {"utf8": "a"}, "descriptor": {}, "buffers": []}});
        let by_item = vec![json!({"create": {}}), json!({"header": {}}), json!({"put": item}), json!({"finish": {}})];
        for steps in [by_item, vec![json!({"write": {"items": [item]}})]] {
            let sink = Rc::new(RefCell::new(MemorySink::default()));
            let job =
                Job { source: JobSource::Hosted(Rc::clone(&sink) as Rc<RefCell<dyn Host>>), steps: Script::Raw(steps) };
            let results = InProcess::new(Box::new(Writes)).run(&job).end.expect("answers");
            assert!(results.iter().all(|result| result.kind() == "ok"), "{results:?}");
            assert_eq!(sink.borrow().bytes, b"aend");
        }
    }

    #[test]
    fn a_failing_sink_is_an_io_failure_with_a_state() {
        struct Refuses;
        impl Host for Refuses {
            fn size(&self) -> Option<u64> {
                None
            }
            fn read(&mut self, _offset: u64, _len: u64) -> HostRead {
                HostRead::End
            }
            fn write(&mut self, _bytes: &[u8]) -> HostWrite {
                HostWrite::Error("timed_out")
            }
        }
        let host: Rc<RefCell<dyn Host>> = Rc::new(RefCell::new(Refuses));
        let steps = vec![json!({"create": {}}), json!({"finish": {}}), json!({"open": {}})];
        let results = InProcess::new(Box::new(Writes))
            .run(&Job { source: JobSource::Hosted(host), steps: Script::Raw(steps) })
            .end;
        let wanted = StepResult::Io { kind: "timed_out".to_owned(), state: Some(WriterState::Usable) };
        let results = results.expect("answers");
        assert_eq!(results[1], wanted);
        assert_eq!(results[2].kind(), "refused", "a sink is not read");
    }
}
