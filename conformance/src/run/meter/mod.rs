//! What the requests of one judgement cost: how many there were, and the most that one of them took.
//!
//! Owns adding up. What a request took is told by its transport; nothing here decides anything.

use std::cell::Cell;
use std::rc::Rc;

use hurray_adapter::Hello;

use crate::transport::{Broken, Job, JobSource, Ran, Transport};

/// The most that one request took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// How many requests there were.
    pub request_count: u64,
    /// Reads and offers of one request; `None` where its bytes do not pass through the harness.
    pub call_count: Option<u64>,
    /// Bytes asked for or offered by one request; likewise.
    pub asked_len: Option<u64>,
    /// Resident memory at its peak beyond what there was before, in bytes; `None` where it is not measured.
    pub peak_memory_len: Option<u64>,
}

impl Spent {
    /// Both together: the sum of requests, and the larger of everything else.
    pub fn and(self, other: Spent) -> Spent {
        Spent {
            request_count: self.request_count + other.request_count,
            // `None` is less than any number.
            call_count: self.call_count.max(other.call_count),
            asked_len: self.asked_len.max(other.asked_len),
            peak_memory_len: self.peak_memory_len.max(other.peak_memory_len),
        }
    }

    fn of(job: &Job<'_>, ran: &Ran) -> Spent {
        let is_seen = !matches!(job.source, JobSource::Path(..) | JobSource::SinkPath(_));
        Spent {
            request_count: 1,
            call_count: is_seen.then_some(ran.trace.range_count + ran.trace.offer_count),
            asked_len: is_seen.then_some(ran.trace.asked_len),
            peak_memory_len: ran.peak_memory_len,
        }
    }
}

/// Counts what passes through the transports it stands over.
#[derive(Clone, Default)]
pub(super) struct Meter(Rc<Cell<Spent>>);

impl Meter {
    /// A transport that is counted.
    pub(super) fn over(&self, inner: Box<dyn Transport>) -> Metered {
        Metered { inner, meter: self.clone() }
    }

    /// What was spent since it was asked last, if anything was.
    pub(super) fn take(&self) -> Option<Spent> {
        Some(self.0.take()).filter(|spent| spent.request_count > 0)
    }
}

/// A transport that is counted.
pub(super) struct Metered {
    inner: Box<dyn Transport>,
    meter: Meter,
}

impl Transport for Metered {
    fn hello(&self) -> &Hello {
        self.inner.hello()
    }

    fn run(&mut self, job: &Job<'_>) -> Ran {
        let ran = self.inner.run(job);
        let spent = &self.meter.0;
        spent.set(spent.get().and(Spent::of(job, &ran)));
        ran
    }

    fn is_process(&self) -> bool {
        self.inner.is_process()
    }

    fn broken(&self) -> Option<&Broken> {
        self.inner.broken()
    }
}

#[cfg(test)]
mod tests;
