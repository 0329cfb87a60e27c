//! What can go wrong when a core is driven over a transport. Owns no transport.

use std::{fmt, io};

use crate::reject;

/// Why a driven operation did not succeed.
#[derive(Debug)]
pub enum Error {
    /// The core's answer.
    Core(reject::Error),
    /// The transport failed. The core has not moved: driving again asks for the same bytes.
    Io(io::Error),
}

impl From<reject::Error> for Error {
    fn from(error: reject::Error) -> Self {
        Error::Core(error)
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Error::Io(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Core(error) => error.fmt(f),
            Error::Io(error) => write!(f, "the transport failed: {error}"),
        }
    }
}

impl std::error::Error for Error {}
