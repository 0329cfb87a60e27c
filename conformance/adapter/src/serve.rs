//! The worker's side of the protocol: hello, then one answer per request until the input ends.

use std::cell::RefCell;
use std::fmt;
use std::io::{self, BufRead, Read, Write};
use std::rc::Rc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::Serialize;

use crate::candidate::Candidate;
use crate::observe::U64;
use crate::protocol::{Need, Next, Offer, Reply, Request, SinkSpec, SourceSpec, WorkerMessage};
use crate::script::{Endpoint, run_script};
use crate::source::{ReadAt, Source};
use crate::writing::Sink;

/// Bytes of one offer, or of one stretch of a stream; whoever moves more comes again.
const LONGEST_PIECE: usize = 1 << 20;

/// Why a worker stopped before its input ended.
#[derive(Debug)]
pub enum ServeError {
    /// Standard input or output failed.
    Io(io::Error),
    /// The harness sent a line that is not of the protocol.
    Protocol(String),
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ServeError::Io(error) => write!(f, "the harness is gone: {error}"),
            ServeError::Protocol(line) => write!(f, "not a request of protocol 1: {line}"),
        }
    }
}

impl std::error::Error for ServeError {}

impl From<io::Error> for ServeError {
    fn from(error: io::Error) -> Self {
        ServeError::Io(error)
    }
}

/// Serves `candidate` on standard input and output until the harness closes the input.
///
/// A panic of the candidate is not caught: the harness counts the death of the process against the request in flight
/// and starts another worker.
///
/// # Errors
/// The harness is gone, or sent something that is not of the protocol.
pub fn serve(candidate: &mut dyn Candidate) -> Result<(), ServeError> {
    serve_on(candidate, io::stdin().lock(), io::stdout().lock())
}

/// [`serve`] on any pair of streams.
///
/// # Errors
/// As [`serve`].
pub fn serve_on<R, W>(candidate: &mut dyn Candidate, input: R, output: W) -> Result<(), ServeError>
where
    R: BufRead + 'static,
    W: Write + 'static,
{
    let line = Rc::new(RefCell::new(Line { input, output }));
    line.borrow_mut().send(&WorkerMessage::Hello { hello: candidate.hello() })?;
    loop {
        let Some(text) = line.borrow_mut().receive()? else { return Ok(()) };
        let request: Request = serde_json::from_str(&text).map_err(|_| ServeError::Protocol(text))?;
        let id = request.id;
        let results = run_script(candidate, Served { request: &request, line: &line }, &request.steps);
        line.borrow_mut().send(&WorkerMessage::Answer { id, results })?;
    }
}

/// The file of one request.
struct Served<'a, R, W> {
    request: &'a Request,
    line: &'a Rc<RefCell<Line<R, W>>>,
}

impl<R: BufRead + 'static, W: Write + 'static> Endpoint for Served<'_, R, W> {
    fn source(&mut self) -> Option<Source> {
        Some(match self.request.source.as_ref()? {
            SourceSpec::Path(path) => Source::Path(path.into()),
            SourceSpec::Served { size } => {
                let line = Rc::clone(self.line);
                Source::Served(Box::new(ServedSource { id: self.request.id, size: size.0, line }))
            }
            SourceSpec::Stream {} => return None,
        })
    }

    fn stream(&mut self) -> Option<Box<dyn Read>> {
        let is_stream = matches!(self.request.source, Some(SourceSpec::Stream {}));
        is_stream.then(|| -> Box<dyn Read> { Box::new(Stream { id: self.request.id, line: Rc::clone(self.line) }) })
    }

    fn sink(&mut self) -> Option<Sink> {
        Some(match self.request.sink.as_ref()? {
            SinkSpec::Path(path) => Sink::Path(path.into()),
            SinkSpec::Served {} => {
                Sink::Served(Box::new(ServedSink { id: self.request.id, line: Rc::clone(self.line) }))
            }
        })
    }
}

struct Line<R, W> {
    input: R,
    output: W,
}

impl<R: BufRead, W: Write> Line<R, W> {
    fn send(&mut self, message: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.output, message)?;
        self.output.write_all(b"\n")?;
        self.output.flush()
    }

    fn receive(&mut self) -> io::Result<Option<String>> {
        let mut text = String::new();
        Ok(if self.input.read_line(&mut text)? == 0 { None } else { Some(text) })
    }

    /// Asks for bytes and fills `dst` with what comes; tells how many came, 0 at the end.
    fn fill(&mut self, ask: &WorkerMessage, dst: &mut [u8]) -> io::Result<usize> {
        self.send(ask)?;
        let text = self.receive()?.ok_or(io::ErrorKind::BrokenPipe)?;
        match serde_json::from_str(&text).map_err(io::Error::other)? {
            Reply::Bytes { bytes, .. } => {
                let bytes = BASE64.decode(bytes).map_err(io::Error::other)?;
                let into = dst.get_mut(..bytes.len()).ok_or_else(|| io::Error::other("more bytes than asked for"))?;
                into.copy_from_slice(&bytes);
                Ok(bytes.len())
            }
            Reply::End { .. } => Ok(0),
            Reply::Taken { .. } => Err(io::Error::other("an answer to something that was not asked")),
            Reply::Error { error, .. } => Err(transport_error(error)),
        }
    }
}

struct ServedSource<R, W> {
    id: u64,
    size: u64,
    line: Rc<RefCell<Line<R, W>>>,
}

impl<R: BufRead, W: Write> ReadAt for ServedSource<R, W> {
    fn size(&self) -> u64 {
        self.size
    }

    fn read_at(&mut self, offset: u64, dst: &mut [u8]) -> io::Result<usize> {
        let need = Need { offset: U64(offset), len: dst.len() as u64 };
        self.line.borrow_mut().fill(&WorkerMessage::Need { id: self.id, need }, dst)
    }
}

/// What is left of a stream.
struct Stream<R, W> {
    id: u64,
    line: Rc<RefCell<Line<R, W>>>,
}

impl<R: BufRead, W: Write> Read for Stream<R, W> {
    fn read(&mut self, dst: &mut [u8]) -> io::Result<usize> {
        let len = dst.len().min(LONGEST_PIECE);
        if len == 0 {
            return Ok(0);
        }
        let next = Next { len: len as u64 };
        self.line.borrow_mut().fill(&WorkerMessage::Next { id: self.id, next }, &mut dst[..len])
    }
}

struct ServedSink<R, W> {
    id: u64,
    line: Rc<RefCell<Line<R, W>>>,
}

impl<R: BufRead, W: Write> Write for ServedSink<R, W> {
    fn write(&mut self, src: &[u8]) -> io::Result<usize> {
        let offered = &src[..src.len().min(LONGEST_PIECE)];
        if offered.is_empty() {
            return Ok(0);
        }
        let mut line = self.line.borrow_mut();
        line.send(&WorkerMessage::Offer { id: self.id, offer: Offer { bytes: BASE64.encode(offered) } })?;
        let text = line.receive()?.ok_or(io::ErrorKind::BrokenPipe)?;
        match serde_json::from_str(&text).map_err(io::Error::other)? {
            Reply::Taken { taken, .. } => {
                let taken = usize::try_from(taken).ok().filter(|taken| *taken <= offered.len());
                taken.ok_or_else(|| io::Error::other("more bytes taken than offered"))
            }
            Reply::Error { error, .. } => Err(transport_error(error)),
            Reply::Bytes { .. } | Reply::End { .. } => {
                Err(io::Error::other("an answer to something that was not asked"))
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn transport_error(kind: String) -> io::Error {
    match kind.as_str() {
        "interrupted" => io::ErrorKind::Interrupted.into(),
        "timed_out" => io::ErrorKind::TimedOut.into(),
        _ => io::Error::other(kind),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::candidate::{Answer, Failure, Reader};
    use crate::hello::Hello;
    use crate::observe::{BufferObservation, Observed, ScanObservation};
    use crate::protocol::StepResult;

    /// Reads a stream to its end, as much at a time as it may, and goes on after an interruption.
    struct Scans;

    impl Candidate for Scans {
        fn hello(&self) -> Hello {
            serde_json::from_str(r#"{"protocol": [1, 1], "name": "scans", "version": "1"}"#).expect("a hello")
        }

        fn open(&mut self, _source: Source) -> Result<(Observed, Box<dyn Reader>), Failure> {
            Err(Failure::Unsupported)
        }

        fn scan(&mut self, mut stream: Box<dyn Read>) -> Answer {
            let mut all = Vec::new();
            stream.read_to_end(&mut all)?;
            let buffers = Some(vec![BufferObservation::of(&all)]);
            Ok(Observed { scan: Some(ScanObservation::default()), buffers, ..Observed::default() })
        }
    }

    #[derive(Clone, Default)]
    struct Said(Rc<RefCell<Vec<u8>>>);

    impl Write for Said {
        fn write(&mut self, src: &[u8]) -> io::Result<usize> {
            self.0.borrow_mut().write(src)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn talk(heard: &str) -> Vec<WorkerMessage> {
        let said = Said::default();
        serve_on(&mut Scans, Cursor::new(heard.to_owned()), said.clone()).expect("to the end");
        let said = String::from_utf8(said.0.borrow().clone()).expect("text");
        said.lines().skip(1).map(|line| serde_json::from_str(line).expect("a message")).collect()
    }

    #[test]
    fn a_stream_is_asked_for_until_it_ends() {
        let heard = [
            r#"{"id": 7, "source": {"stream": {}}, "steps": [{"scan": {}}, {"open": {}}]}"#,
            r#"{"id": 7, "bytes": "YWJj"}"#,
            r#"{"id": 7, "error": "interrupted"}"#,
            r#"{"id": 7, "bytes": "ZA=="}"#,
            r#"{"id": 7, "end": true}"#,
        ];
        let said = talk(&heard.join("\n"));
        let asks = said.iter().filter(|line| matches!(line, WorkerMessage::Next { id: 7, next } if next.len > 0));
        assert_eq!(asks.count(), 4);
        let Some(WorkerMessage::Answer { id: 7, results }) = said.last() else { panic!("{said:?}") };
        let [StepResult::Ok(seen), StepResult::Refused { .. }] = results.as_slice() else { panic!("{results:?}") };
        assert_eq!(seen.buffers, Some(vec![BufferObservation::of(b"abcd")]));
        assert!(seen.scan.is_some());
    }

    #[test]
    fn what_is_no_stream_is_not_scanned() {
        let said = talk(r#"{"id": 7, "source": {"served": {"size": "3"}}, "steps": [{"scan": {}}]}"#);
        let [WorkerMessage::Answer { results, .. }] = said.as_slice() else { panic!("{said:?}") };
        assert_eq!(results[0].kind(), "refused");
    }
}
