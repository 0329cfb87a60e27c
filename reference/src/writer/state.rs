//! How far a file is: what is out, and what may come next. Owns the only place where a writer moves on.

use std::collections::BTreeSet;

use crate::check::composite::{Groups, Step};
use crate::wire::index::NewEntry;

/// What the writer knows once an item is out.
pub(super) enum Commit {
    Header { end: u64 },
    Tensors { end: u64, entries: Vec<NewEntry>, step: Option<Step> },
    Finish { end: u64 },
}

/// What may come next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Stage {
    #[default]
    Header,
    Tensors,
    Finished,
    Unusable,
}

/// What a writer knows of its file.
#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) stage: Stage,
    /// Bytes that are out.
    pub(super) offset: u64,
    pub(super) entries: Vec<NewEntry>,
    pub(super) names: BTreeSet<String>,
    /// Composites whose members are still to be written.
    pub(super) groups: Groups,
}

impl State {
    /// Whether an item stopped in its middle, so that this file can never be completed.
    pub(super) fn is_unusable(&self) -> bool {
        self.stage == Stage::Unusable
    }

    /// The item is out: this is the only place where the writer moves on.
    pub(super) fn commit(&mut self, commit: Commit) {
        match commit {
            Commit::Header { end } => (self.stage, self.offset) = (Stage::Tensors, end),
            Commit::Finish { end } => (self.stage, self.offset) = (Stage::Finished, end),
            Commit::Tensors { end, entries, step } => {
                self.offset = end;
                self.names.extend(entries.iter().map(|entry| entry.name.clone()));
                self.entries.extend(entries);
                if let Some(step) = step {
                    self.groups.take(step);
                }
            }
        }
    }

    pub(super) fn poison(&mut self) {
        self.stage = Stage::Unusable;
    }
}
