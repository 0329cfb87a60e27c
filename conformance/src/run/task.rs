//! One thing to judge: what a candidate is asked for, and how.
//!
//! Owns the kinds of work. It must not know a transport or a verdict.

use hurray_adapter::NewFile;
use hurray_corpus::Vector;
use hurray_corpus::schedule::Side;
use hurray_corpus::write_vector::WriteVector;

use crate::judge::profile::Profile;

/// One thing to judge.
#[derive(Clone, Copy)]
pub(crate) enum Task<'a> {
    /// Reads the file of a vector.
    Read {
        /// The vector.
        vector: &'a Vector,
        /// Its position in the set.
        at: usize,
        /// The profile in which the answers are judged.
        profile: Profile,
    },
    /// Writes the file of a vector for writers.
    Write {
        /// The vector.
        vector: &'a WriteVector,
        /// Its position among the vectors for writers.
        at: usize,
    },
    /// Reads or writes under every schedule that applies, over a served source or sink.
    Served(Subject<'a>),
    /// The same by a path: the preload shim bends the system calls.
    Preload(Subject<'a>),
}

/// What is read or written under schedules.
#[derive(Clone, Copy)]
pub(crate) enum Subject<'a> {
    /// A good file that is read.
    File(&'a Vector),
    /// A description that is written.
    Model {
        /// Its name, such as `two-tensors`.
        name: &'a str,
        /// What it describes.
        file: &'a NewFile,
    },
}

impl<'a> Task<'a> {
    /// The id of its vector. `None` for a sweep, which has an id for each schedule.
    pub(crate) fn vector_id(&self) -> Option<&'a str> {
        match self {
            Task::Read { vector, .. } => Some(&vector.id),
            Task::Write { vector, .. } => Some(&vector.id),
            Task::Served(_) | Task::Preload(_) => None,
        }
    }
}

impl Subject<'_> {
    /// The id of the file or description, such as `bases/pair` or `models/two-tensors`.
    pub(crate) fn id(&self) -> String {
        match self {
            Subject::File(vector) => vector.id.clone(),
            Subject::Model { name, .. } => format!("models/{name}"),
        }
    }

    /// The last part of the ids of its judgements. `None` for a file that is no base.
    pub(crate) fn short_id(&self) -> Option<&str> {
        match self {
            Subject::File(vector) => vector.id.strip_prefix("bases/"),
            Subject::Model { name, .. } => Some(name),
        }
    }

    /// Words that select it beside its id.
    pub(crate) fn tags(&self) -> &[String] {
        match self {
            Subject::File(vector) => &vector.tags,
            Subject::Model { .. } => &[],
        }
    }

    /// What misbehaves.
    pub(crate) fn side(&self) -> Side {
        match self {
            Subject::File(_) => Side::Source,
            Subject::Model { .. } => Side::Sink,
        }
    }
}
