//! Answers a worker's needs from the bytes of a vector, and notes every range; takes what it offers.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use hurray_adapter::{Need, Next, Offer, Reply};

use crate::transport::{Cause, HostRead, HostWrite, JobSource, Trace};

/// Needs of one request; a reader that asks byte by byte over the largest vector file stays far below.
const MOST_NEEDS: u64 = 200_000;
/// Bytes of one reply. A worker that wants more asks again, as after any short read.
pub(crate) const LONGEST_REPLY: usize = 1 << 20;

/// The answer to one need.
///
/// # Errors
/// The worker asked too often, or has no served source.
pub(super) fn reply(id: u64, source: &JobSource<'_>, need: &Need, trace: &mut Trace) -> Result<Reply, Cause> {
    let bytes = match source {
        JobSource::Path(..) | JobSource::SinkPath(_) => {
            return Err(Cause::Junk("it asked for bytes of a file on disk".to_owned()));
        }
        JobSource::Stream(_) => return Err(Cause::Junk("it asked for a range of a stream".to_owned())),
        JobSource::Failing(_) => return Ok(Reply::Error { id, error: "other".to_owned() }),
        JobSource::Served(bytes) => bytes,
        JobSource::Hosted(host) => {
            note(trace, need, source.size())?;
            // A line has a bound; a worker that wants more asks again.
            let want = need.len.min(LONGEST_REPLY as u64);
            return Ok(hosted(id, host.borrow_mut().read(need.offset.0, want), trace));
        }
    };
    note(trace, need, bytes.len() as u64)?;
    let rest = usize::try_from(need.offset.0).ok().and_then(|start| bytes.get(start..)).unwrap_or(&[]);
    let want = usize::try_from(need.len).unwrap_or(usize::MAX).min(LONGEST_REPLY).min(rest.len());
    if want == 0 {
        return Ok(Reply::End { id, end: true });
    }
    trace.served_len += want as u64;
    Ok(Reply::Bytes { id, bytes: BASE64.encode(&rest[..want]) })
}

/// The next bytes of a stream.
///
/// # Errors
/// The worker asked for no bytes, asked too often, or has no stream.
pub(super) fn next(id: u64, source: &JobSource<'_>, next: &Next, trace: &mut Trace) -> Result<Reply, Cause> {
    let JobSource::Stream(host) = source else {
        return Err(Cause::Junk("it asked for the next bytes of what is no stream".to_owned()));
    };
    if next.len == 0 {
        // An `end` would be a lie, and there are no bytes of length 0.
        return Err(Cause::Junk("it asked for no bytes of a stream".to_owned()));
    }
    let at = trace.served_len;
    trace.note_next(at, next.len);
    bounded(trace)?;
    Ok(hosted(id, host.borrow_mut().read(at, next.len.min(LONGEST_REPLY as u64)), trace))
}

fn hosted(id: u64, answer: HostRead, trace: &mut Trace) -> Reply {
    match answer {
        HostRead::Bytes(bytes) => {
            trace.served_len += bytes.len() as u64;
            Reply::Bytes { id, bytes: BASE64.encode(bytes) }
        }
        HostRead::End => Reply::End { id, end: true },
        HostRead::Error(kind) | HostRead::Lost(_, kind) => Reply::Error { id, error: kind.to_owned() },
    }
}

fn note(trace: &mut Trace, need: &Need, size: u64) -> Result<(), Cause> {
    trace.note(need.offset.0, need.len, size);
    bounded(trace)
}

fn bounded(trace: &Trace) -> Result<(), Cause> {
    if trace.range_count > MOST_NEEDS {
        return Err(Cause::Junk(format!("it asked for more than {MOST_NEEDS} ranges")));
    }
    Ok(())
}

/// The answer to one offer.
///
/// # Errors
/// The worker has no served sink, or what it offers is not base64 of at least one byte.
pub(super) fn take(id: u64, source: &JobSource<'_>, offer: &Offer, trace: &mut Trace) -> Result<Reply, Cause> {
    let host = match source {
        JobSource::Hosted(host) if host.borrow().size().is_none() => host,
        _ => return Err(Cause::Junk("it offered bytes, and has no served sink".to_owned())),
    };
    match BASE64.decode(&offer.bytes) {
        Ok(bytes) if !bytes.is_empty() => {
            trace.note_offer(bytes.len() as u64);
            Ok(match host.borrow_mut().write(&bytes) {
                HostWrite::Taken(taken) => Reply::Taken { id, taken },
                HostWrite::Error(kind) => Reply::Error { id, error: kind.to_owned() },
            })
        }
        _ => Err(Cause::Junk("it offered what is not base64 of at least one byte".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use std::cell::RefCell;
    use std::rc::Rc;

    use hurray_adapter::U64;

    use super::*;
    use crate::fault::FaultySource;
    use hurray_corpus::schedule::Schedule;

    fn ask(offset: u64, len: u64) -> (Reply, Trace) {
        let bytes: Arc<[u8]> = Arc::from(b"abcdef".as_slice());
        let mut trace = Trace::default();
        let need = Need { offset: U64(offset), len };
        (reply(7, &JobSource::Served(&bytes), &need, &mut trace).expect("an answer"), trace)
    }

    #[test]
    fn a_range_is_answered_and_one_past_the_end_is_short() {
        assert_eq!(ask(1, 3).0, Reply::Bytes { id: 7, bytes: "YmNk".to_owned() });
        assert_eq!(ask(4, 100).0, Reply::Bytes { id: 7, bytes: "ZWY=".to_owned() });
        assert_eq!(ask(4, 100).1.served_len, 2);
    }

    #[test]
    fn absurd_ranges_are_the_end_and_noted() {
        for (offset, len) in [(6, 1), (u64::MAX, u64::MAX), (3, 0)] {
            let (answer, trace) = ask(offset, len);
            assert_eq!(answer, Reply::End { id: 7, end: true });
            assert_eq!(trace.range_count, 1);
        }
    }

    fn stream(schedule: &str) -> JobSource<'static> {
        let schedule: Schedule = schedule.parse().expect("a schedule");
        let source = FaultySource::new(&Arc::from(b"abcdef".as_slice()), &schedule);
        JobSource::Stream(Rc::new(RefCell::new(source)))
    }

    #[test]
    fn a_stream_goes_by_once_and_a_failure_moves_nothing() {
        let (source, mut trace) = (stream("fail 2 once"), Trace::default());
        let mut ask = |len| next(7, &source, &Next { len }, &mut trace).expect("an answer");
        let bytes = |bytes: &str| Reply::Bytes { id: 7, bytes: bytes.to_owned() };
        assert_eq!(ask(3), bytes("YWJj"));
        assert_eq!(ask(3), Reply::Error { id: 7, error: "other".to_owned() });
        assert_eq!(ask(1 << 40), bytes("ZGVm"));
        assert_eq!(ask(1), Reply::End { id: 7, end: true });
        assert_eq!((trace.served_len, trace.range_count, trace.outside_count), (6, 4, 0));
    }

    #[test]
    fn what_is_no_question_to_a_stream_is_junk() {
        let bytes: Arc<[u8]> = Arc::from(b"abcdef".as_slice());
        let source = stream("whole");
        let mut trace = Trace::default();
        assert!(next(7, &source, &Next { len: 0 }, &mut trace).is_err());
        assert!(next(7, &JobSource::Served(&bytes), &Next { len: 1 }, &mut trace).is_err());
        assert!(reply(7, &source, &Need { offset: U64(0), len: 1 }, &mut trace).is_err());
        trace.range_count = MOST_NEEDS;
        assert!(next(7, &source, &Next { len: 1 }, &mut trace).is_err());
    }

    #[test]
    fn asking_without_end_ends() {
        let bytes: Arc<[u8]> = Arc::from(b"a".as_slice());
        let mut trace = Trace { range_count: MOST_NEEDS, ..Trace::default() };
        let need = Need { offset: U64(0), len: 1 };
        assert!(reply(7, &JobSource::Served(&bytes), &need, &mut trace).is_err());
    }
}
