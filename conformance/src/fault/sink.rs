//! A sink that obeys a schedule.

use crate::transport::{Host, HostRead, HostWrite};
use hurray_corpus::schedule::Schedule;

use super::player::{Act, Player};
use super::{Log, Moved, Operation};

/// Bytes that it holds before it fails: a writer without end must not fill the memory of the harness.
const LONGEST: usize = 64 << 20;

/// A file being written, taken as a schedule has it.
#[derive(Clone, Debug)]
pub struct FaultySink {
    /// What it holds.
    pub bytes: Vec<u8>,
    player: Player,
    log: Log,
}

impl FaultySink {
    /// An empty sink.
    pub fn new(schedule: &Schedule) -> FaultySink {
        FaultySink { bytes: Vec::new(), player: Player::new(schedule), log: Log::default() }
    }

    /// What was offered, and what it did.
    pub fn log(&self) -> &Log {
        &self.log
    }

    fn keep(&mut self, bytes: &[u8]) -> u64 {
        self.bytes.extend_from_slice(bytes);
        bytes.len() as u64
    }
}

impl Host for FaultySink {
    fn size(&self) -> Option<u64> {
        None
    }

    fn read(&mut self, _offset: u64, _len: u64) -> HostRead {
        HostRead::Error("other")
    }

    fn write(&mut self, bytes: &[u8]) -> HostWrite {
        let (offset, len) = (self.bytes.len() as u64, bytes.len() as u64);
        let is_full = self.bytes.len() + bytes.len() > LONGEST;
        let act = if is_full { Act::Fail("other") } else { self.player.next(offset, len) };
        let (answer, moved) = match act {
            Act::Fail(kind) => (HostWrite::Error(kind), Moved::Failed(kind)),
            Act::Nothing => (HostWrite::Taken(0), Moved::Nothing),
            Act::Lose => {
                self.keep(bytes);
                (HostWrite::Error("other"), Moved::Lost)
            }
            Act::More(extra) => {
                let taken = self.keep(bytes).saturating_add(extra);
                (HostWrite::Taken(taken), Moved::TooMany(taken))
            }
            Act::Move(most) => {
                let taken = self.keep(&bytes[..usize::try_from(most.min(len)).unwrap_or(0)]);
                (HostWrite::Taken(taken), Moved::Bytes(taken))
            }
        };
        self.log.note(Operation { offset, len, moved }, moved != Moved::Bytes(len));
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str, offers: &[&[u8]]) -> (Vec<u8>, Vec<HostWrite>) {
        let mut sink = FaultySink::new(&text.parse().expect(text));
        let answers = offers.iter().map(|offer| sink.write(offer)).collect();
        (sink.bytes, answers)
    }

    #[test]
    fn it_keeps_what_it_takes() {
        use HostWrite::{Error, Taken};
        assert_eq!(written("whole", &[b"ab", b"c"]), (b"abc".to_vec(), vec![Taken(2), Taken(1)]));
        assert_eq!(written("limit 1", &[b"ab", b"b"]), (b"ab".to_vec(), vec![Taken(1), Taken(1)]));
        assert_eq!(written("fail 1 once", &[b"ab", b"ab"]), (b"ab".to_vec(), vec![Error("other"), Taken(2)]));
        assert_eq!(written("fail byte 1 once", &[b"ab", b"b"]), (b"a".to_vec(), vec![Taken(1), Error("other")]));
        assert_eq!(written("lose 1", &[b"ab"]), (b"ab".to_vec(), vec![Error("other")]));
        assert_eq!(written("more 1 at 1", &[b"ab"]), (b"ab".to_vec(), vec![Taken(3)]));
        assert_eq!(written("zero 1", &[b"ab", b"ab"]), (b"ab".to_vec(), vec![Taken(0), Taken(2)]));
        assert_eq!(written("closed 1", &[b"ab", b"ab"]), (Vec::new(), vec![Taken(0), Taken(0)]));
    }
}
