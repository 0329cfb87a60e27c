//! A file that exists only in what the harness answers: the one place where a transport can misbehave on purpose.
//!
//! Owns the shape of such a file, and the sink that takes everything. Knows neither workers nor schedules.

use std::io;

/// A served source or sink.
pub trait Host {
    /// File size in bytes; `None` for a sink.
    fn size(&self) -> Option<u64>;

    /// Answers one range. The answer is sent as it is, also if it is longer than asked for.
    fn read(&mut self, offset: u64, len: u64) -> HostRead;

    /// Answers one offer of at least one byte.
    fn write(&mut self, bytes: &[u8]) -> HostWrite;
}

/// The answer to a range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostRead {
    /// These bytes, at least one.
    Bytes(Vec<u8>),
    /// There is no byte at that offset.
    End,
    /// The transport failed, nothing was moved: `interrupted`, `timed_out`, `other`.
    Error(&'static str),
    /// The transport failed after it had moved these bytes, and does not say how many. Inside this process they lie in the
    /// memory that was to be filled; over the protocol they are lost.
    Lost(Vec<u8>, &'static str),
}

/// The answer to an offer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostWrite {
    /// The first bytes were taken, that many; 0 is a closed sink.
    Taken(u64),
    /// The transport failed, nothing was taken: `interrupted`, `timed_out`, `other`.
    Error(&'static str),
}

/// The error of a transport, by its name in the protocol.
pub(crate) fn transport_error(kind: &str) -> io::Error {
    match kind {
        "interrupted" => io::ErrorKind::Interrupted.into(),
        "timed_out" => io::ErrorKind::TimedOut.into(),
        other => io::Error::other(other.to_owned()),
    }
}

/// A sink that takes every byte, up to a bound.
#[derive(Debug, Default)]
pub struct MemorySink {
    /// What was written.
    pub bytes: Vec<u8>,
}

/// Bytes that a sink takes before it fails: a writer without end must not fill the memory of the harness.
const LONGEST_FILE: usize = 256 << 20;

impl Host for MemorySink {
    fn size(&self) -> Option<u64> {
        None
    }

    fn read(&mut self, _offset: u64, _len: u64) -> HostRead {
        HostRead::Error("other")
    }

    fn write(&mut self, bytes: &[u8]) -> HostWrite {
        if self.bytes.len() + bytes.len() > LONGEST_FILE {
            return HostWrite::Error("other");
        }
        self.bytes.extend_from_slice(bytes);
        HostWrite::Taken(bytes.len() as u64)
    }
}
