//! Every composite of a file, each once: nested ones with the outermost.

use crate::bytes::to_u64;
use crate::memory::reserved;
use crate::reject::Error;

use super::{Stop, Walk};

/// Composites that may end in the middle before the others are left alone; each may have read to the end of the file.
const FAILURES: usize = 16;

impl<E, F: FnMut(u64, &mut [u8]) -> Result<usize, E>> Walk<F> {
    /// Gathers and judges the composites of the heads at these places of the index.
    pub(super) fn check_composites(&mut self, heads: &[usize]) -> Result<(), Stop<E>> {
        let index = self.core.index();
        let offset_of = |position: usize| index.get(position).map_or(0, |entry| entry.descriptor_offset);
        let mut order: Vec<(u64, usize)> = reserved(to_u64(heads.len()))?;
        order.extend(heads.iter().map(|position| (offset_of(*position), *position)));
        order.sort_unstable();
        let (mut end, mut failures) = (0, 0_usize);
        for (offset, position) in order {
            if offset < end || failures >= FAILURES {
                continue;
            }
            self.core.begin_judging_composite_at(position)?;
            match self.drive() {
                Ok(_) => {}
                // Noted; the other composites are still to be checked.
                Err(Stop::Core(Error::Reject(_))) => failures = failures.saturating_add(1),
                Err(stop) => return Err(stop),
            }
            end = self.core.take_judged().map_or(offset, |last| last.saturating_add(1)).max(end);
        }
        Ok(())
    }
}
