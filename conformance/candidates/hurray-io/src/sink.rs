//! Where a written file goes, as the asynchronous sink the library wants, always ready.
//!
//! Counts what went out, so that an error before the first byte of an item can be told from one after it. Knows nothing
//! of the format.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, Write};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use hurray_adapter::Sink;
use tokio::io::AsyncWrite;

/// Bytes that went out so far.
#[derive(Clone, Default)]
pub(crate) struct Count(Rc<Cell<u64>>);

impl Count {
    /// The number of bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.0.get()
    }
}

/// A file being written, wherever it goes.
pub(crate) struct Out {
    place: Box<dyn Write>,
    count: Count,
}

impl Out {
    /// Opens the sink of a request; `count` follows what goes out.
    pub(crate) fn open(sink: Sink, count: Count) -> io::Result<Self> {
        let place: Box<dyn Write> = match sink {
            Sink::Path(path) => Box::new(File::create(path)?),
            Sink::Served(place) => place,
        };
        Ok(Out { place, count })
    }
}

impl AsyncWrite for Out {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let out = self.get_mut();
        let written = out.place.write(bytes);
        if let Ok(n) = written {
            out.count.0.set(out.count.0.get().saturating_add(n as u64));
        }
        Poll::Ready(written)
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(self.get_mut().place.flush())
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_flush(context)
    }
}

#[cfg(test)]
mod tests {
    use std::task::Waker;

    use super::*;

    /// Reports one count or failure after the other.
    struct Reports(Vec<io::Result<usize>>);

    impl Write for Reports {
        fn write(&mut self, _bytes: &[u8]) -> io::Result<usize> {
            self.0.pop().unwrap_or(Ok(0))
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// What the library is told is what the sink said, and only what was taken is counted.
    #[test]
    fn short_and_failing_writes_reach_the_library_as_they_are() {
        use io::ErrorKind::{Interrupted, Other};
        let reports =
            Reports([Ok(3), Err(Interrupted.into()), Ok(0), Err(Other.into()), Ok(2)].into_iter().rev().collect());
        let count = Count::default();
        let mut out = Out::open(Sink::Served(Box::new(reports)), count.clone()).expect("served");
        let mut told = || match Pin::new(&mut out).poll_write(&mut Context::from_waker(Waker::noop()), b"abcdef") {
            Poll::Ready(done) => done.map_err(|error| error.kind()),
            Poll::Pending => unreachable!("it is always ready"),
        };
        let heard: Vec<_> = (0..5).map(|_| told()).collect();
        assert_eq!((heard, count.bytes()), (vec![Ok(3), Err(Interrupted), Ok(0), Err(Other), Ok(2)], 5));
    }
}
