//! Habits of asking for ranges: what stands between a reader and its source.
//!
//! Owns these defects and nothing else.

use std::cell::Cell;
use std::io;
use std::rc::Rc;

use hurray_adapter::ReadAt;

use super::phase::Phase;

/// One habit of asking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SourceHabit {
    /// Takes a short read for the whole range.
    TakesShortForWhole,
    /// Goes on one byte too far after a short read.
    DropsAByte,
    /// Asks for the whole range again after a short read.
    AsksForAllAgain,
    /// Gives up when interrupted.
    GivesUp,
    /// Goes on one byte too far when interrupted.
    RetriesElsewhere,
    /// Asks for less when interrupted.
    AsksForLess,
    /// Takes a failure for success.
    SwallowsErrors,
    /// Takes the end for success.
    TakesEndForWhole,
    /// Asks again and again at the end.
    AsksAtTheEnd,
    /// Takes a count that is too long for the right one.
    ClampsCounts,
    /// Asks for no bytes first.
    AsksForNothing,
    /// Asks for each range in two halves.
    InHalves,
    /// Asks for what lies beyond the end.
    Beyond,
    /// Reads on to the end of the file.
    ReadsAhead,
    /// Reads the trailer before anything else.
    TrailerFirst,
    /// Reads the bytes before the trailer with it.
    TrailerAndMore,
}

/// A source behind a habit.
pub(super) struct BadSource {
    inner: Box<dyn ReadAt>,
    habit: SourceHabit,
    when: Option<Phase>,
    phase: Rc<Cell<Phase>>,
    /// Offset, bytes moved and length of the last short read.
    short: Option<(u64, u64, usize)>,
}

/// Reads at the end of a source, for who does not believe it.
const CALLS: usize = 8;

impl BadSource {
    pub(super) fn new(
        inner: Box<dyn ReadAt>,
        habit: SourceHabit,
        when: Option<Phase>,
        phase: Rc<Cell<Phase>>,
    ) -> BadSource {
        BadSource { inner, habit, when, phase, short: None }
    }

    fn all_again(&mut self, dst: &mut [u8]) -> Option<io::Result<usize>> {
        let (offset, moved, len) = self.short.take()?;
        let mut whole = vec![0; len];
        let read = self.inner.read_at(offset, &mut whole);
        Some(read.map(|count| {
            let skip = usize::try_from(moved).unwrap_or(usize::MAX).min(count);
            let rest = &whole[skip..count];
            let count = rest.len().min(dst.len());
            dst[..count].copy_from_slice(&rest[..count]);
            if count == 0 && !dst.is_empty() {
                // One byte at a time never gets beyond the first.
                dst.fill(0);
                return dst.len();
            }
            count
        }))
    }

    fn ahead(&mut self, offset: u64, dst: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.inner.size().saturating_sub(offset)).unwrap_or(0).max(dst.len());
        let mut more = vec![0; left];
        let count = self.inner.read_at(offset, &mut more)?.min(dst.len());
        dst[..count].copy_from_slice(&more[..count]);
        Ok(count)
    }
}

impl ReadAt for BadSource {
    fn size(&self) -> u64 {
        self.inner.size()
    }

    fn read_at(&mut self, offset: u64, dst: &mut [u8]) -> io::Result<usize> {
        if self.when.is_some_and(|when| when != self.phase.get()) {
            return self.inner.read_at(offset, dst);
        }
        let len = dst.len();
        match self.habit {
            SourceHabit::AsksForNothing => {
                self.inner.read_at(offset, &mut [])?;
            }
            SourceHabit::AsksForAllAgain => {
                if let Some(answer) = self.all_again(dst) {
                    return answer;
                }
            }
            SourceHabit::InHalves if len > 1 => return self.inner.read_at(offset, &mut dst[..len / 2]),
            SourceHabit::Beyond => {
                let mut longer = vec![0; len + 64];
                let count = self.inner.read_at(offset, &mut longer)?.min(len);
                dst[..count].copy_from_slice(&longer[..count]);
                return Ok(count);
            }
            SourceHabit::ReadsAhead => return self.ahead(offset, dst),
            SourceHabit::TrailerFirst if offset == 0 => {
                self.inner.read_at(self.inner.size().saturating_sub(8), &mut [0; 8])?;
            }
            SourceHabit::TrailerAndMore if offset.saturating_add(len as u64) == self.inner.size() => {
                let count = self.inner.read_at(offset, dst)?;
                self.inner.read_at(offset.saturating_sub(8), &mut [0; 8])?;
                return Ok(count);
            }
            _ => {}
        }
        let from = match (self.habit, self.short.take()) {
            (SourceHabit::DropsAByte, Some(_)) => offset + 1,
            _ => offset,
        };
        let answer = self.inner.read_at(from, dst);
        match (self.habit, answer) {
            (SourceHabit::TakesShortForWhole, Ok(count)) if count > 0 => Ok(count.max(len)),
            (SourceHabit::DropsAByte | SourceHabit::AsksForAllAgain, Ok(count)) if count < len => {
                self.short = Some((offset, count as u64, len));
                Ok(count)
            }
            (SourceHabit::GivesUp, Err(error)) if error.kind() == io::ErrorKind::Interrupted => {
                Err(io::Error::other("given up"))
            }
            (SourceHabit::RetriesElsewhere, Err(error)) if error.kind() == io::ErrorKind::Interrupted && len > 1 => {
                self.inner.read_at(offset + 1, &mut dst[1..]).map(|count| count + 1)
            }
            (SourceHabit::AsksForLess, Err(error)) if error.kind() == io::ErrorKind::Interrupted && len > 1 => {
                self.inner.read_at(offset, &mut dst[..len - 1])
            }
            (SourceHabit::SwallowsErrors, Err(error)) if error.kind() != io::ErrorKind::Interrupted => Ok(len),
            (SourceHabit::TakesEndForWhole, Ok(0)) => Ok(len),
            (SourceHabit::AsksAtTheEnd, Ok(0)) => {
                (0..CALLS).try_for_each(|_| self.inner.read_at(offset, dst).map(|_| ()))?;
                Ok(0)
            }
            (SourceHabit::ClampsCounts, Ok(count)) => Ok(count.min(len)),
            (_, answer) => answer,
        }
    }
}
