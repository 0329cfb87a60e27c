//! A sink that takes little at a time, always the same way. Owns that habit; what it is good for is not its affair.

use crate::transport::{Host, HostRead, HostWrite, MemorySink};

/// Offers of which one byte is taken: enough to cross every field of a header.
const SINGLE_BYTES: u32 = 80;

/// A sink that takes single bytes at first, then a changing part of each offer.
#[derive(Debug, Default)]
pub(super) struct ShortSink {
    inner: MemorySink,
    offer_count: u32,
}

impl ShortSink {
    /// What was written.
    pub(super) fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.inner.bytes)
    }
}

impl Host for ShortSink {
    fn size(&self) -> Option<u64> {
        None
    }

    fn read(&mut self, _offset: u64, _len: u64) -> HostRead {
        HostRead::Error("other")
    }

    fn write(&mut self, bytes: &[u8]) -> HostWrite {
        self.offer_count += 1;
        let part = match self.offer_count {
            0..=SINGLE_BYTES => 1,
            // All of it, a half, a third and two thirds in turn.
            count => match count % 4 {
                0 => bytes.len(),
                1 => bytes.len() / 2,
                2 => bytes.len() / 3,
                _ => bytes.len() / 3 * 2,
            },
        };
        let end = part.clamp(1, bytes.len().max(1)).min(bytes.len());
        self.inner.write(&bytes[..end])
    }
}
