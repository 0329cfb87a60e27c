//! A source that obeys a schedule.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use crate::transport::{Host, HostRead, HostWrite, JobSource};
use hurray_corpus::schedule::{Clause, Schedule};

use super::player::{Act, Player};
use super::{Log, Moved, Operation};

/// The bytes of a file, handed over as a schedule has it.
#[derive(Clone, Debug)]
pub struct FaultySource {
    bytes: Arc<[u8]>,
    /// What it says its size is.
    size: u64,
    player: Player,
    log: Log,
}

impl FaultySource {
    /// A source over `bytes`.
    pub fn new(bytes: &Arc<[u8]>, schedule: &Schedule) -> FaultySource {
        let cut = schedule.clauses.iter().filter_map(|clause| match clause {
            Clause::Cut(size) => Some(*size),
            _ => None,
        });
        let size = cut.min().unwrap_or(u64::MAX).min(bytes.len() as u64);
        FaultySource { bytes: Arc::clone(bytes), size, player: Player::new(schedule), log: Log::default() }
    }

    /// The same bytes, which go by once.
    pub fn into_stream(self) -> JobSource<'static> {
        JobSource::Stream(Rc::new(RefCell::new(self)))
    }

    /// What was asked of it, and what it did.
    pub fn log(&self) -> &Log {
        &self.log
    }

    /// The bytes from `offset` on, at most `len` of those that are there.
    fn slice(&self, offset: u64, len: u64) -> &[u8] {
        let end = offset.saturating_add(len).min(self.size);
        let range = usize::try_from(offset).unwrap_or(usize::MAX)..usize::try_from(end).unwrap_or(usize::MAX);
        self.bytes.get(range).unwrap_or(&[])
    }

    fn answer(&self, act: Act, offset: u64, len: u64) -> (HostRead, Moved) {
        match act {
            Act::Fail(kind) => (HostRead::Error(kind), Moved::Failed(kind)),
            Act::Nothing => (HostRead::End, Moved::Nothing),
            // The bytes it leaves behind are not those of the file, so that who keeps them is found out.
            Act::Lose => {
                let bytes = self.slice(offset, len).iter().map(|byte| !byte).collect();
                (HostRead::Lost(bytes, "other"), Moved::Lost)
            }
            Act::More(extra) => {
                let mut bytes = self.slice(offset, len).to_vec();
                let too_long = len.saturating_add(extra).min(len + (1 << 20));
                bytes.resize(usize::try_from(too_long).unwrap_or(0), 0xA5);
                (HostRead::Bytes(bytes), Moved::TooMany(too_long))
            }
            Act::Move(most) => {
                let mut bytes = self.slice(offset, len.min(most)).to_vec();
                if self.player.is_changed() {
                    bytes.iter_mut().for_each(|byte| *byte = !*byte);
                }
                match bytes.len() as u64 {
                    0 => (HostRead::End, Moved::Nothing),
                    moved => (HostRead::Bytes(bytes), Moved::Bytes(moved)),
                }
            }
        }
    }
}

impl Host for FaultySource {
    fn size(&self) -> Option<u64> {
        Some(self.size)
    }

    fn read(&mut self, offset: u64, len: u64) -> HostRead {
        let act = self.player.next(offset, len);
        let is_there = self.slice(offset, len).len() as u64;
        let (answer, moved) = self.answer(act, offset, len);
        let is_changed = self.player.is_changed() || moved != Moved::Bytes(is_there) && is_there > 0;
        self.log.note(Operation { offset, len, moved }, is_changed);
        answer
    }

    fn write(&mut self, _bytes: &[u8]) -> HostWrite {
        HostWrite::Error("other")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &str) -> FaultySource {
        FaultySource::new(&Arc::from(b"abcdef".as_slice()), &text.parse().expect(text))
    }

    fn bytes(text: &[u8]) -> HostRead {
        HostRead::Bytes(text.to_vec())
    }

    #[test]
    fn a_whole_source_gives_what_is_there() {
        let mut source = source("whole");
        assert_eq!(
            (source.read(1, 2), source.read(4, 9), source.read(6, 1)),
            (bytes(b"bc"), bytes(b"ef"), HostRead::End)
        );
        assert_eq!((source.read(u64::MAX, u64::MAX), source.read(0, 0)), (HostRead::End, HostRead::End));
        assert!(!source.log().is_reached() && source.log().count == 5);
        assert_eq!(source.log().operations[1], Operation { offset: 4, len: 9, moved: Moved::Bytes(2) });
    }

    #[test]
    fn what_a_schedule_does_is_noted() {
        let mut source = source("limit 2; fail 2 once");
        assert_eq!(
            (source.read(0, 6), source.read(2, 4), source.read(2, 4)),
            (bytes(b"ab"), HostRead::Error("other"), bytes(b"cd"))
        );
        assert_eq!(source.log().first_changed(), Some((1, Operation { offset: 0, len: 6, moved: Moved::Bytes(2) })));
        assert_eq!(source.log().operations[1].moved, Moved::Failed("other"));
    }

    #[test]
    fn lies_are_told_as_the_schedule_has_them() {
        assert_eq!(source("more 2 at 1").read(0, 3), bytes(b"abc\xa5\xa5"));
        assert_eq!(source("change bytes after 0").read(0, 1), bytes(&[!b'a']));
        assert_eq!(source("lose 1").read(0, 1), HostRead::Lost(vec![!b'a'], "other"));
        assert_eq!((source("eof 3").size(), source("eof 3").read(2, 3)), (Some(6), bytes(b"c")));
        assert_eq!((source("cut 3").size(), source("cut 3").read(2, 3)), (Some(3), bytes(b"c")));
        assert_eq!(source("more 18446744073709551615 at 1").read(0, 1), {
            let mut long = b"a".to_vec();
            long.resize(1 + (1 << 20), 0xA5);
            HostRead::Bytes(long)
        });
    }
}
