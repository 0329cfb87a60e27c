//! Answers a worker's needs from the bytes of a vector, and notes every range; takes what it offers.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use hurray_adapter::{Need, Offer, Reply};

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
        JobSource::Failing(_) => return Ok(Reply::Error { id, error: "other".to_owned() }),
        JobSource::Served(bytes) => bytes,
        JobSource::Hosted(host) => {
            note(trace, need, source.size())?;
            // A line has a bound; a worker that wants more asks again.
            let want = need.len.min(LONGEST_REPLY as u64);
            return Ok(match host.borrow_mut().read(need.offset.0, want) {
                HostRead::Bytes(bytes) => {
                    trace.served_len += bytes.len() as u64;
                    Reply::Bytes { id, bytes: BASE64.encode(bytes) }
                }
                HostRead::End => Reply::End { id, end: true },
                HostRead::Error(kind) | HostRead::Lost(_, kind) => Reply::Error { id, error: kind.to_owned() },
            });
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

fn note(trace: &mut Trace, need: &Need, size: u64) -> Result<(), Cause> {
    trace.note(need.offset.0, need.len, size);
    if trace.range_count > MOST_NEEDS {
        return Err(Cause::Junk(format!("it asked for more than {MOST_NEEDS} ranges")));
    }
    Ok(())
}

/// The answer to one offer.
///
/// # Errors
/// The worker has no served sink, or what it offers is not base64 of at least one byte.
pub(super) fn take(id: u64, source: &JobSource<'_>, offer: &Offer) -> Result<Reply, Cause> {
    let host = match source {
        JobSource::Hosted(host) if host.borrow().size().is_none() => host,
        _ => return Err(Cause::Junk("it offered bytes, and has no served sink".to_owned())),
    };
    match BASE64.decode(&offer.bytes) {
        Ok(bytes) if !bytes.is_empty() => Ok(match host.borrow_mut().write(&bytes) {
            HostWrite::Taken(taken) => Reply::Taken { id, taken },
            HostWrite::Error(kind) => Reply::Error { id, error: kind.to_owned() },
        }),
        _ => Err(Cause::Junk("it offered what is not base64 of at least one byte".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use hurray_adapter::U64;

    use super::*;

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

    #[test]
    fn asking_without_end_ends() {
        let bytes: Arc<[u8]> = Arc::from(b"a".as_slice());
        let mut trace = Trace { range_count: MOST_NEEDS, ..Trace::default() };
        let need = Need { offset: U64(0), len: 1 };
        assert!(reply(7, &JobSource::Served(&bytes), &need, &mut trace).is_err());
    }
}
