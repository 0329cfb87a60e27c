//! How a worker is started and what it may use.
//!
//! Owns the defaults of the bounds. It must not know a process.

use std::path::PathBuf;
use std::time::Duration;

/// How to start a worker, and how much it may use.
#[derive(Clone, Debug)]
pub struct Launch {
    /// Program and arguments.
    pub command: Vec<String>,
    /// Environment variables set in addition to ours.
    pub env: Vec<(String, String)>,
    /// Working directory; ours if absent.
    pub cwd: Option<PathBuf>,
    /// Bounds.
    pub limits: Limits,
}

/// Bounds of a worker.
#[derive(Clone, Debug, PartialEq)]
pub struct Limits {
    /// Time for one request.
    pub request: Duration,
    /// Time until the first line.
    pub hello: Duration,
    /// Memory in bytes.
    pub memory_len: u64,
    /// How often it may be started again in one run.
    pub restart_count: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            request: Duration::from_secs(10),
            hello: Duration::from_secs(20),
            memory_len: 1 << 30,
            restart_count: 200,
        }
    }
}
