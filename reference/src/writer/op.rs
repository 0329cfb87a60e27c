//! One item on its way out: stretches of bytes, offered in order, and what happens when it stops half way.

use std::collections::VecDeque;

use crate::bytes::to_u64;
use crate::reject::{Error, Misuse};

use super::state::{Commit, State};

static ZEROS: [u8; 4096] = [0; 4096];

/// What the operation needs next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteStep {
    /// Write bytes from [`FileWriteOp::output_src`] and report how many the sink took.
    Output {
        /// Bytes offered, at least one.
        len: usize,
    },
    /// The item is out.
    ItemWritten,
}

enum Stretch<'a> {
    Bytes(Vec<u8>),
    Payload(&'a [u8]),
    Zeros(u64),
}

/// The bytes of an item, in order, none of them empty.
#[derive(Default)]
pub(super) struct Stretches<'a>(VecDeque<Stretch<'a>>);

impl<'a> Stretches<'a> {
    pub(super) fn bytes(&mut self, bytes: Vec<u8>) {
        if !bytes.is_empty() {
            self.0.push_back(Stretch::Bytes(bytes));
        }
    }

    pub(super) fn payload(&mut self, bytes: &'a [u8]) {
        if !bytes.is_empty() {
            self.0.push_back(Stretch::Payload(bytes));
        }
    }

    pub(super) fn zeros(&mut self, count: u64) {
        if count > 0 {
            self.0.push_back(Stretch::Zeros(count));
        }
    }
}

/// One item being written. Payloads are offered from the caller's memory.
///
/// Dropping it before its first byte is out changes nothing; dropping it later makes the writer unusable.
pub struct FileWriteOp<'a> {
    state: &'a mut State,
    stretches: Stretches<'a>,
    /// Bytes of the first stretch that are out; a stretch of zeros shrinks instead.
    written: usize,
    is_begun: bool,
    commit: Option<Commit>,
}

impl<'a> FileWriteOp<'a> {
    pub(super) fn new(state: &'a mut State, stretches: Stretches<'a>, commit: Commit) -> Self {
        FileWriteOp { state, stretches, written: 0, is_begun: false, commit: Some(commit) }
    }

    /// What to do next. Does no I/O and never waits.
    ///
    /// # Errors
    /// The sink closed in the middle of the item.
    pub fn step(&mut self) -> Result<WriteStep, Error> {
        if self.state.is_unusable() {
            return Err(Misuse::Unusable.into());
        }
        Ok(match self.output_src().len() {
            0 => WriteStep::ItemWritten,
            len => WriteStep::Output { len },
        })
    }

    /// The bytes to write next; empty once the item is out.
    pub fn output_src(&self) -> &[u8] {
        match self.stretches.0.front() {
            Some(Stretch::Bytes(bytes)) => bytes.get(self.written..).unwrap_or_default(),
            Some(Stretch::Payload(bytes)) => bytes.get(self.written..).unwrap_or_default(),
            Some(Stretch::Zeros(count)) => &ZEROS[..usize::try_from(*count).unwrap_or(usize::MAX).min(ZEROS.len())],
            None => &[],
        }
    }

    /// Says that the sink took the first `written` bytes of [`output_src`](Self::output_src). Fewer than offered is
    /// normal: the rest is offered next.
    ///
    /// # Errors
    /// More than was offered, or nothing was offered: refused, nothing changes. 0 is a closed sink, see
    /// [`report_sink_closed`](Self::report_sink_closed).
    pub fn report_written(&mut self, written: usize) -> Result<(), Error> {
        let offered = self.output_src().len();
        if offered == 0 {
            return Err(Misuse::NothingOffered.into());
        }
        if written > offered {
            return Err(Misuse::Overfill { reported: to_u64(written), offered: to_u64(offered) }.into());
        }
        if written == 0 {
            return Err(self.report_sink_closed());
        }
        self.is_begun = true;
        let is_over = match self.stretches.0.front_mut() {
            Some(Stretch::Zeros(count)) => {
                *count = count.saturating_sub(to_u64(written));
                *count == 0
            }
            _ => {
                self.written = self.written.saturating_add(written);
                written == offered
            }
        };
        if is_over {
            self.stretches.0.pop_front();
            self.written = 0;
        }
        if self.stretches.0.is_empty()
            && let Some(commit) = self.commit.take()
        {
            self.state.commit(commit);
        }
        Ok(())
    }

    /// Says that the sink takes no more bytes, and gives the error to pass on: with part of the item out the writer is
    /// unusable from now on, otherwise the item can be submitted again.
    pub fn report_sink_closed(&mut self) -> Error {
        if self.is_torn() {
            self.state.poison();
        }
        Error::SinkClosed { torn: self.is_torn() }
    }

    fn is_torn(&self) -> bool {
        self.is_begun && self.commit.is_some()
    }
}

impl Drop for FileWriteOp<'_> {
    fn drop(&mut self) {
        if self.is_torn() {
            self.state.poison();
        }
    }
}
