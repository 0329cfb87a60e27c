//! The bytes of one file as the asynchronous source the library wants, always ready, and the loop that drives it.
//!
//! A file on disk is read and sought as the operating system does; ranges of a served source likewise, but that a seek
//! is only remembered. Knows nothing of the format.

use std::fs::File;
use std::future::Future;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

use hurray_adapter::{Failure, ReadAt, Source};
use tokio::io::{AsyncRead, AsyncSeek, ReadBuf};

/// Bytes asked for at once from the transport; bounds what one read can cost.
const CHUNK_LEN: usize = 1 << 20;

/// A file, wherever it is.
pub(crate) struct Bytes(Place);

enum Place {
    Disk(File),
    Served { ranges: Box<dyn ReadAt>, position: u64 },
}

impl Bytes {
    /// Opens the source of a request.
    pub(crate) fn open(source: Source) -> io::Result<Self> {
        Ok(Bytes(match source {
            Source::Path(path) => Place::Disk(open_file(&path)?),
            Source::Served(ranges) => Place::Served { ranges, position: 0 },
        }))
    }

    fn read(&mut self, dst: &mut [u8]) -> io::Result<usize> {
        match &mut self.0 {
            Place::Disk(file) => file.read(dst),
            Place::Served { ranges, position } => {
                let n = ranges.read_at(*position, dst)?;
                *position = position.saturating_add(n as u64);
                Ok(n)
            }
        }
    }

    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match &mut self.0 {
            Place::Disk(file) => file.seek(to),
            Place::Served { ranges, position } => {
                let target = match to {
                    SeekFrom::Start(offset) => Some(offset),
                    SeekFrom::End(distance) => ranges.size().checked_add_signed(distance),
                    SeekFrom::Current(distance) => position.checked_add_signed(distance),
                };
                // As a file on disk does: an offset is below 2^63.
                let target = target.filter(|offset| *offset <= i64::MAX as u64).ok_or(io::ErrorKind::InvalidInput)?;
                *position = target;
                Ok(target)
            }
        }
    }
}

fn open_file(path: &Path) -> io::Result<File> {
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    Ok(file)
}

impl AsyncRead for Bytes {
    fn poll_read(self: Pin<&mut Self>, _: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let wanted = buffer.remaining().min(CHUNK_LEN);
        let read = self.get_mut().read(buffer.initialize_unfilled_to(wanted));
        Poll::Ready(match read {
            // The interface of the library has no word for it.
            Ok(n) if n > wanted => Err(io::Error::other("the source reports more bytes than were asked for")),
            read => read.map(|n| buffer.advance(n)),
        })
    }
}

/// A seek is done when it is asked for, as the interface allows.
impl AsyncSeek for Bytes {
    fn start_seek(self: Pin<&mut Self>, to: SeekFrom) -> io::Result<()> {
        self.get_mut().seek(to).map(|_| ())
    }

    fn poll_complete(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<u64>> {
        Poll::Ready(self.get_mut().seek(SeekFrom::Current(0)))
    }
}

/// Runs a call of the library over [`Bytes`]. Since they are always ready, so is the call.
///
/// # Errors
/// The call waits for something else than its source.
pub(crate) fn block_on<T>(call: impl Future<Output = T>) -> Result<T, Failure> {
    match pin!(call).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(done) => Ok(done),
        Poll::Pending => Err(Failure::Error("the library waits although its source is ready".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use hurray_adapter::MemorySource;

    use super::*;

    fn served(bytes: &[u8]) -> Bytes {
        Bytes::open(Source::Served(Box::new(MemorySource(Arc::from(bytes))))).expect("in memory")
    }

    #[test]
    fn a_served_source_seeks_as_a_file_does() {
        let mut bytes = served(b"0123456789");
        assert_eq!(bytes.seek(SeekFrom::End(-4)).expect("inside"), 6);
        let mut two = [0; 2];
        assert_eq!(bytes.read(&mut two).expect("inside"), 2);
        assert_eq!((&two, bytes.seek(SeekFrom::Current(0)).expect("inside")), (b"67", 8));
        assert_eq!(bytes.seek(SeekFrom::Start(100)).expect("beyond the end is legal"), 100);
        assert_eq!(bytes.read(&mut two).expect("the end"), 0);
    }

    /// Reports one count or failure after the other, and nothing else.
    struct Reports(Vec<io::Result<usize>>);

    impl ReadAt for Reports {
        fn size(&self) -> u64 {
            100
        }

        fn read_at(&mut self, _offset: u64, _dst: &mut [u8]) -> io::Result<usize> {
            self.0.pop().unwrap_or(Ok(0))
        }
    }

    /// What the library is told is what the transport said: the adapter neither retries nor fills up.
    #[test]
    fn short_and_failing_reads_reach_the_library_as_they_are() {
        use io::ErrorKind::{Interrupted, Other, TimedOut};
        let said = [Ok(3), Err(Interrupted.into()), Err(TimedOut.into()), Err(Other.into()), Ok(0), Ok(9)];
        let reports = Reports(said.into_iter().rev().collect());
        let mut bytes = Bytes::open(Source::Served(Box::new(reports))).expect("served");
        let mut told = || {
            let mut memory = [0; 8];
            let mut buffer = ReadBuf::new(&mut memory);
            match Pin::new(&mut bytes).poll_read(&mut Context::from_waker(Waker::noop()), &mut buffer) {
                Poll::Ready(done) => done.map(|()| buffer.filled().len()).map_err(|error| error.kind()),
                Poll::Pending => unreachable!("it is always ready"),
            }
        };
        let heard: Vec<_> = (0..5).map(|_| told()).collect();
        assert_eq!(heard, [Ok(3), Err(Interrupted), Err(TimedOut), Err(Other), Ok(0)]);
        assert!(told().is_err(), "more than there was room for");
    }

    #[test]
    fn an_offset_that_no_file_has_is_refused() {
        let mut bytes = served(b"0123456789");
        for to in [SeekFrom::Start(1 << 63), SeekFrom::End(-11), SeekFrom::Current(-1)] {
            assert_eq!(bytes.seek(to).map_err(|error| error.kind()), Err(io::ErrorKind::InvalidInput), "{to:?}");
        }
    }

    #[test]
    fn a_call_that_waits_is_the_adapters_fault() {
        assert_eq!(block_on(std::future::ready(7)), Ok(7));
        assert!(matches!(block_on(std::future::pending::<()>()), Err(Failure::Error(_))));
    }
}
