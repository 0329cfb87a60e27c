//! The three pipes of a worker, each drained or filled by its own thread, so that neither side can block the harness.
//!
//! Lines of standard output are bounded, of standard error only the tail is kept. The threads end when the pipes do.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Bytes of one line of standard output.
const LONGEST_LINE: u64 = 16 << 20;
/// Bytes that may wait to be read by a worker.
const MOST_WAITING: usize = 32 << 20;
/// Bytes of standard error that are kept.
const STDERR_TAIL: usize = 64 << 10;

/// What came out of standard output.
#[derive(Debug, PartialEq)]
pub(super) enum Heard {
    /// A whole line, without its end.
    Line(Vec<u8>),
    /// A line without end; nothing is heard after it.
    TooLong,
    /// The pipe is closed.
    End,
}

/// Reads lines. At most two lines are ahead of the receiver; a worker that writes on is slowed down.
pub(super) fn lines(output: impl Read + Send + 'static) -> Receiver<Heard> {
    let (sender, receiver) = mpsc::sync_channel(1);
    thread::spawn(move || {
        let mut output = BufReader::new(output);
        loop {
            let heard = read_line(&mut output);
            let last = !matches!(heard, Heard::Line(_));
            if sender.send(heard).is_err() || last {
                return;
            }
        }
    });
    receiver
}

fn read_line(output: &mut impl BufRead) -> Heard {
    let mut line = Vec::new();
    match output.take(LONGEST_LINE).read_until(b'\n', &mut line) {
        Err(_) => Heard::End,
        Ok(_) if line.last() == Some(&b'\n') => {
            line.pop();
            Heard::Line(line)
        }
        Ok(_) if line.len() as u64 == LONGEST_LINE => Heard::TooLong,
        Ok(_) => Heard::End,
    }
}

/// Lines on their way into a worker. Dropping it closes the worker's input once they are written.
pub(super) struct Input {
    sender: Sender<Vec<u8>>,
    waiting_len: Arc<AtomicUsize>,
}

impl Input {
    /// Writes to `pipe` in a thread, until the pipe breaks.
    pub(super) fn into(mut pipe: impl Write + Send + 'static) -> Input {
        let (sender, receiver) = mpsc::channel::<Vec<u8>>();
        let waiting_len = Arc::new(AtomicUsize::new(0));
        let ours = Arc::clone(&waiting_len);
        thread::spawn(move || {
            for bytes in receiver {
                if pipe.write_all(&bytes).and_then(|()| pipe.flush()).is_err() {
                    return;
                }
                ours.fetch_sub(bytes.len(), Ordering::SeqCst);
            }
        });
        Input { sender, waiting_len }
    }

    /// Hands over bytes; false if too many wait already, because the worker asks without ever reading.
    pub(super) fn send(&self, bytes: Vec<u8>) -> bool {
        let waiting_len = self.waiting_len.fetch_add(bytes.len(), Ordering::SeqCst);
        // A broken pipe is no reason to stop: it shows as the end of the output.
        let _ = self.sender.send(bytes);
        waiting_len <= MOST_WAITING
    }
}

/// The last of a stream.
#[derive(Clone, Default)]
pub(super) struct Tail {
    kept: Arc<Mutex<VecDeque<u8>>>,
    ended: Arc<AtomicBool>,
}

impl Tail {
    /// Drains `stream` in a thread.
    pub(super) fn of(mut stream: impl Read + Send + 'static) -> Tail {
        let tail = Tail::default();
        let ours = tail.clone();
        thread::spawn(move || {
            let mut piece = [0; 8192];
            while let Ok(n @ 1..) = stream.read(&mut piece) {
                ours.keep(&piece[..n]);
            }
            ours.ended.store(true, Ordering::SeqCst);
        });
        tail
    }

    fn keep(&self, bytes: &[u8]) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend(bytes);
        let excess = kept.len().saturating_sub(STDERR_TAIL);
        kept.drain(..excess);
    }

    /// What is kept once the stream has ended, or after `patience`: a stray child may hold the stream open.
    pub(super) fn text_at_end(&self, patience: Duration) -> String {
        let end = Instant::now() + patience;
        while !self.ended.load(Ordering::SeqCst) && Instant::now() < end {
            thread::sleep(Duration::from_millis(1));
        }
        self.text()
    }

    /// What is kept now.
    fn text(&self) -> String {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let (front, back) = kept.as_slices();
        String::from_utf8_lossy(&[front, back].concat()).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, repeat};

    use super::*;

    #[test]
    fn whole_lines_are_heard_and_half_a_line_is_the_end() {
        let heard = lines(Cursor::new(b"one\n\ntwo".to_vec()));
        let all: Vec<Heard> = heard.iter().collect();
        assert_eq!(all, [Heard::Line(b"one".to_vec()), Heard::Line(Vec::new()), Heard::End]);
    }

    #[test]
    fn a_line_without_end_is_cut() {
        assert_eq!(lines(repeat(b'[')).recv(), Ok(Heard::TooLong));
    }

    /// A pipe that nobody reads.
    struct Stuck;

    impl Write for Stuck {
        fn write(&mut self, _bytes: &[u8]) -> std::io::Result<usize> {
            thread::park();
            Ok(0)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_worker_that_never_reads_takes_no_memory_without_end() {
        let input = Input::into(Stuck);
        let sent = (0..10_000).take_while(|_| input.send(vec![0; 1 << 20])).count();
        assert!((32..40).contains(&sent), "{sent} MiB wait");
    }

    #[test]
    fn only_the_tail_of_a_flood_is_kept() {
        let tail = Tail::default();
        tail.keep(&[b'x'; STDERR_TAIL]);
        tail.keep(b"the end");
        assert_eq!(tail.text().len(), STDERR_TAIL);
        assert!(tail.text().ends_with("xthe end"));
    }
}
