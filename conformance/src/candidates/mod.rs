//! Who is judged: the reference inside this process, and programs described by candidate files.
//!
//! Owns finding a candidate by name and making it ready to start. Knows no vector.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use hurray_adapter::Candidate;

use crate::judge::known::KnownFailures;
use crate::transport::worker::{Launch, Limits, Worker};
use crate::transport::{Broken, InProcess, Transport};

pub mod file;
mod find;
pub mod reference;
mod setup;

pub use file::{CandidateFile, SourceWay};
pub use find::{Home, Missing};

/// A candidate that can be started.
pub struct Prepared {
    /// What it was asked for by.
    pub name: String,
    /// How it starts.
    pub start: Start,
    /// How files are handed over, if it offers both ways.
    pub source: Option<SourceWay>,
    /// What it is known to break.
    pub known: KnownFailures,
    /// Where that list stands, if it can be rewritten.
    pub known_path: Option<PathBuf>,
}

/// How a candidate starts.
#[derive(Clone)]
pub enum Start {
    /// Inside this process.
    InProcess(fn() -> Box<dyn Candidate>),
    /// As a worker.
    Worker(Arc<Launch>),
    /// Not at all; the reason counts as a broken adapter.
    Broken(Broken),
}

impl Start {
    /// Starts one instance. Instances of one candidate share `restarts_left`.
    ///
    /// # Errors
    /// It does not start or does not introduce itself.
    pub fn start(&self, restarts_left: &Arc<AtomicU32>) -> Result<Box<dyn Transport>, Broken> {
        match self {
            Start::InProcess(make) => Ok(Box::new(InProcess::new(make()))),
            Start::Worker(launch) => {
                Ok(Box::new(Worker::start_sharing(Arc::clone(launch), Arc::clone(restarts_left))?))
            }
            Start::Broken(broken) => Err(broken.clone()),
        }
    }

    /// How often it may be started again in one run.
    pub fn restart_count(&self) -> u32 {
        match self {
            Start::Worker(launch) => launch.limits.restart_count,
            Start::InProcess(_) | Start::Broken(_) => 0,
        }
    }
}

/// The candidate of a bare command line, with the usual bounds.
///
/// # Errors
/// One sentence on a command line that cannot be split.
pub fn from_command(command: &str) -> Result<Prepared, String> {
    let words = shlex::split(command).filter(|words| !words.is_empty());
    let command = words.ok_or_else(|| format!("--command {command:?} is empty or has an open quote"))?;
    let name = Path::new(&command[0])
        .file_name()
        .map_or_else(|| command[0].clone(), |name| name.to_string_lossy().into_owned());
    let launch = Launch { command, env: Vec::new(), cwd: None, limits: Limits::default() };
    Ok(Prepared {
        name,
        start: Start::Worker(Arc::new(launch)),
        source: None,
        known: KnownFailures::default(),
        known_path: None,
    })
}
