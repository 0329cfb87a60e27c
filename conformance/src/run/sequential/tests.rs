//! Readers of a stream with one careless habit each, and what is found of them.

use std::io::{self, Read};

use hurray_adapter::{Answer, Candidate, Failure, Observed, Reader, Source};

use super::*;
use crate::candidates::reference::Reference;
use crate::transport::InProcess;
use hurray_corpus::VectorSet;

/// The reference behind a stream that one habit has its way with.
struct Careless(fn(io::Result<usize>, usize) -> io::Result<usize>);

struct Bent(Box<dyn Read>, fn(io::Result<usize>, usize) -> io::Result<usize>);

impl Read for Bent {
    fn read(&mut self, dst: &mut [u8]) -> io::Result<usize> {
        let len = dst.len();
        (self.1)(self.0.read(dst), len)
    }
}

impl Candidate for Careless {
    fn hello(&self) -> Hello {
        Reference::strict().hello()
    }

    fn open(&mut self, _: Source) -> Result<(Observed, Box<dyn Reader>), Failure> {
        Err(Failure::Unsupported)
    }

    fn scan(&mut self, stream: Box<dyn Read>) -> Answer {
        Reference::strict().scan(Box::new(Bent(stream, self.0)))
    }
}

fn verdict(habit: fn(io::Result<usize>, usize) -> io::Result<usize>) -> Verdict {
    let set = VectorSet::embedded().expect("the vectors");
    let vector = set.get("sequential/scan/one").expect("a vector");
    let mut transport = InProcess::new(Box::new(Careless(habit)));
    judge(&mut transport, vector, &Reference::strict().hello())
}

fn schedule(verdict: &Verdict) -> Option<&str> {
    verdict.injected.as_ref().map(|injected| injected.schedule.as_str())
}

#[test]
fn who_reads_on_sees_the_same_in_any_pieces() {
    let verdict = verdict(|read, _| read);
    assert_eq!((verdict.fault, schedule(&verdict)), (None, None), "{verdict:?}");
    assert!(verdict.compared_count > 5);
}

#[test]
fn a_short_read_taken_for_the_end_is_found_out() {
    // Less than a whole file at once counts for nothing at all.
    let verdict = verdict(|read, _| read.map(|len| if len == 1 || len == 4095 { 0 } else { len }));
    assert_eq!((verdict.fault, schedule(&verdict)), (Some(Fault::Rejected), Some("limit 1")));
}

#[test]
fn an_interruption_taken_for_a_failure_is_found_out() {
    let verdict = verdict(|read, _| read.map_err(|_| io::ErrorKind::Other.into()));
    assert_eq!((verdict.fault, schedule(&verdict)), (Some(Fault::Io), Some("interrupt every 2")));
}

#[test]
fn a_failure_taken_for_the_end_is_found_out() {
    let verdict = verdict(|read, _| match read {
        Err(error) if error.kind() != io::ErrorKind::Interrupted => Ok(0),
        read => read,
    });
    assert_eq!((verdict.fault, schedule(&verdict)), (Some(Fault::Rejected), Some("fail 1 sticky")));
}
