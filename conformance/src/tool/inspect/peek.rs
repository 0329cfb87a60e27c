//! Small reads at any offset of a file that may lie about everything. Owns the one chunk in hand; knows no format beyond
//! little-endian integers.

use hurray_adapter::ReadAt;

/// Bytes fetched at a time.
const CHUNK: usize = 16 * 1024;

/// A window on a source; every answer is `None` where the file has no such bytes.
pub(super) struct Peek<'a> {
    source: &'a mut dyn ReadAt,
    chunk: Vec<u8>,
    chunk_offset: u64,
}

impl<'a> Peek<'a> {
    pub(super) fn new(source: &'a mut dyn ReadAt) -> Self {
        Peek { source, chunk: Vec::new(), chunk_offset: 0 }
    }

    pub(super) fn size(&self) -> u64 {
        self.source.size()
    }

    pub(super) fn u8(&mut self, offset: u64) -> Option<u8> {
        self.array::<1>(offset).map(|[byte]| byte)
    }

    pub(super) fn u16(&mut self, offset: u64) -> Option<u16> {
        self.array(offset).map(u16::from_le_bytes)
    }

    pub(super) fn u32(&mut self, offset: u64) -> Option<u32> {
        self.array(offset).map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self, offset: u64) -> Option<u64> {
        self.array(offset).map(u64::from_le_bytes)
    }

    /// Bytes as text for a person; control characters escaped. At most one chunk.
    pub(super) fn text(&mut self, offset: u64, len: u64) -> Option<String> {
        let len = usize::try_from(len).ok()?;
        let bytes = self.bytes(offset, len)?;
        Some(String::from_utf8_lossy(bytes).escape_debug().collect())
    }

    fn array<const N: usize>(&mut self, offset: u64) -> Option<[u8; N]> {
        self.bytes(offset, N)?.try_into().ok()
    }

    /// `len` bytes at `offset`; `len` is at most [`CHUNK`].
    pub(super) fn bytes(&mut self, offset: u64, len: usize) -> Option<&[u8]> {
        if len > CHUNK || offset.checked_add(len as u64)? > self.source.size() {
            return None;
        }
        let has = |chunk_offset: u64, chunk: &[u8]| {
            offset >= chunk_offset && offset + len as u64 <= chunk_offset + chunk.len() as u64
        };
        if !has(self.chunk_offset, &self.chunk) {
            self.fetch(offset)?;
        }
        let start = usize::try_from(offset - self.chunk_offset).ok()?;
        self.chunk.get(start..start + len)
    }

    fn fetch(&mut self, offset: u64) -> Option<()> {
        let rest = self.source.size().checked_sub(offset)?;
        self.chunk.resize(usize::try_from(rest).unwrap_or(CHUNK).min(CHUNK), 0);
        self.chunk_offset = offset;
        let mut filled = 0;
        while filled < self.chunk.len() {
            match self.source.read_at(offset + filled as u64, &mut self.chunk[filled..]) {
                Ok(0) | Err(_) => break,
                Ok(n) => filled += n.min(self.chunk.len() - filled),
            }
        }
        self.chunk.truncate(filled);
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use hurray_adapter::MemorySource;

    use super::*;

    #[test]
    fn answers_end_with_the_file() {
        let mut source = MemorySource((0..=255).cycle().take(CHUNK + 100).collect());
        let size = source.size();
        let mut peek = Peek::new(&mut source);
        assert_eq!(peek.u32(1), Some(0x0403_0201));
        assert_eq!(peek.u16(size - 2), Some(u16::from_le_bytes([(size - 2) as u8, (size - 1) as u8])));
        assert_eq!(peek.u16(size - 1), None);
        assert_eq!(peek.u64(u64::MAX - 3), None);
        assert_eq!(peek.text(0x61, 3).as_deref(), Some("abc"));
        assert_eq!(peek.bytes(0, CHUNK + 1), None);
    }

    #[test]
    fn a_failing_source_answers_nothing() {
        struct Broken;
        impl ReadAt for Broken {
            fn size(&self) -> u64 {
                100
            }
            fn read_at(&mut self, _: u64, _: &mut [u8]) -> std::io::Result<usize> {
                Err(std::io::ErrorKind::Interrupted.into())
            }
        }
        assert_eq!(Peek::new(&mut Broken).u8(0), None);
    }
}
