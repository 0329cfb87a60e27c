//! Makes mutations of good files, the same ones for the same seed: flipped bits, extreme integers in named fields, cuts and
//! splices. Owns the arithmetic of mutating; knows of the format only where the index checksum stands, so that half of the
//! mutations get past it.

use std::ops::Range;
use std::sync::Arc;

use crc::{CRC_32_ISCSI, Crc};

use hurray_corpus::Vector;

const TRAILER_LEN: usize = 40;
const CRC_AT: usize = 28;
/// Longest run of bytes that is moved or removed, in bytes.
const MAX_RUN: u64 = 256;
/// Most bits flipped in one file.
const MAX_FLIPS: u64 = 8;

/// One mutated file.
#[derive(Clone, Debug)]
pub struct Mutation {
    /// Id of the vector it was made from.
    pub base: String,
    /// What was done, for people: `trailer.index_offset = 0xffffffffffffffff, index CRC follows`.
    pub what: String,
    /// The file.
    pub bytes: Arc<[u8]>,
}

/// A sequence of mutations.
#[derive(Clone, Debug)]
pub struct Mutator {
    state: u64,
}

impl Mutator {
    /// The sequence of that seed.
    pub fn new(seed: u64) -> Self {
        Mutator { state: seed }
    }

    /// The next mutation of `base`. Files of no bytes stay as they are.
    pub fn mutate(&mut self, base: &Vector) -> Mutation {
        let mut bytes = base.bytes.to_vec();
        let mut what = match self.below(8) {
            _ if bytes.is_empty() => "nothing".to_owned(),
            0 | 1 => self.flip(&mut bytes),
            2..=5 => self.extreme(&mut bytes, &base.labels),
            6 => self.cut(&mut bytes, &base.labels),
            _ => self.splice(&mut bytes),
        };
        if self.below(2) == 0 && follow_crc(&mut bytes).is_some() {
            what.push_str(", index CRC follows");
        }
        Mutation { base: base.id.clone(), what, bytes: bytes.into() }
    }

    /// SplitMix64: a small generator that needs no crate and never changes.
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`; 0 for a bound of 0.
    fn below(&mut self, bound: u64) -> u64 {
        if bound == 0 { 0 } else { self.next() % bound }
    }

    fn index(&mut self, len: usize) -> usize {
        self.below(len as u64) as usize
    }

    fn flip(&mut self, bytes: &mut [u8]) -> String {
        let count = 1 + self.below(MAX_FLIPS);
        let mut flipped = Vec::new();
        for _ in 0..count {
            let (at, bit) = (self.index(bytes.len()), self.below(8));
            bytes[at] ^= 1 << bit;
            flipped.push(format!("{at}.{bit}"));
        }
        format!("bits flipped: {}", flipped.join(" "))
    }

    /// Sets a named integer to a value at which arithmetic goes wrong.
    fn extreme(&mut self, bytes: &mut [u8], labels: &[(String, Range<u64>)]) -> String {
        let is_integer = |range: &Range<u64>| matches!(range.end - range.start, 1 | 2 | 4 | 8);
        let fields: Vec<_> = labels.iter().filter(|(_, range)| is_integer(range)).collect();
        if fields.is_empty() {
            return self.flip(bytes);
        }
        let (label, range) = fields[self.index(fields.len())];
        let size = bytes.len() as u64;
        let Some(field) = bytes.get_mut(range.start as usize..range.end as usize) else { return "nothing".to_owned() };
        let old = field.iter().rev().fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
        let max = u64::MAX >> (64 - 8 * field.len());
        let half = max / 2 + 1;
        let near = [old.wrapping_add(1), old.wrapping_sub(1), old.wrapping_add(8), old.wrapping_sub(8), old << 1, !old];
        let fixed =
            [0, 1, 2, 7, 8, 64, 4096, max, max - 1, max - 7, half, half - 1, 1 << 20, 1 << 32, 1 << 46, 1 << 60];
        let places = [size, size - 1, size.wrapping_sub(40), size.wrapping_sub(39), 0_u64.wrapping_sub(size), max / 8];
        let values = [near.as_slice(), &fixed, &places].concat();
        let value = values[self.index(values.len())] & max;
        field.copy_from_slice(&value.to_le_bytes()[..field.len()]);
        format!("{label} = {value:#x}")
    }

    /// Ends the file early: anywhere, or close to where a field begins.
    fn cut(&mut self, bytes: &mut Vec<u8>, labels: &[(String, Range<u64>)]) -> String {
        let at = if labels.is_empty() || self.below(2) == 0 {
            self.index(bytes.len())
        } else {
            let start = labels[self.index(labels.len())].1.start as usize;
            (start + self.index(9)).min(bytes.len())
        };
        bytes.truncate(at);
        format!("cut to {at} bytes")
    }

    /// Copies, removes or doubles a run of bytes.
    fn splice(&mut self, bytes: &mut Vec<u8>) -> String {
        let from = self.index(bytes.len());
        let len = (1 + self.below(MAX_RUN) as usize).min(bytes.len() - from);
        let run = bytes[from..from + len].to_vec();
        let to = self.index(bytes.len());
        match self.below(3) {
            0 => {
                bytes.drain(from..from + len);
                format!("{len} bytes removed at {from}")
            }
            1 => {
                bytes.splice(to..to, run);
                format!("{len} bytes of {from} inserted at {to}")
            }
            _ => {
                let len = len.min(bytes.len() - to);
                bytes[to..to + len].copy_from_slice(&run[..len]);
                format!("{len} bytes of {from} copied over {to}")
            }
        }
    }
}

/// Writes the checksum of the bytes that the trailer calls the index; none if it calls no bytes so.
fn follow_crc(bytes: &mut [u8]) -> Option<()> {
    let trailer = bytes.len().checked_sub(TRAILER_LEN)?;
    let number = |at: usize| Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?));
    let (offset, len) = (number(trailer)?, number(trailer + 8)?);
    let range = usize::try_from(offset).ok()?..usize::try_from(offset.checked_add(len)?).ok()?;
    let crc = Crc::<u32>::new(&CRC_32_ISCSI).checksum(bytes.get(range)?);
    bytes.get_mut(trailer + CRC_AT..trailer + CRC_AT + 4)?.copy_from_slice(&crc.to_le_bytes());
    Some(())
}

#[cfg(test)]
mod tests {
    use std::sync::OnceLock;

    use super::*;
    use hurray_corpus::VectorSet;

    fn vector(bytes: Vec<u8>) -> Vector {
        let labels = vec![("block".to_owned(), 0..12), ("block.u32".to_owned(), 8..12), ("last".to_owned(), 100..108)];
        static BASE: OnceLock<Vector> = OnceLock::new();
        let base = BASE
            .get_or_init(|| VectorSet::embedded().expect("the vectors").get("bases/one-f32").expect("a base").clone());
        Vector { id: "bases/x".to_owned(), bytes: bytes.into(), labels, ..base.clone() }
    }

    fn made(seed: u64, count: usize, base: &Vector) -> Vec<Mutation> {
        let mut mutator = Mutator::new(seed);
        (0..count).map(|_| mutator.mutate(base)).collect()
    }

    #[test]
    fn a_seed_is_a_sequence() {
        let base = vector((0..120).collect());
        let texts = |seed| made(seed, 50, &base).into_iter().map(|m| (m.what, m.bytes)).collect::<Vec<_>>();
        assert_eq!(texts(1), texts(1));
        assert_ne!(texts(1), texts(2));
    }

    #[test]
    fn every_kind_comes_up_and_nearly_all_change_the_file() {
        let base = vector((0..120).collect());
        let all = made(7, 400, &base);
        for word in ["bits flipped", "block.u32 = ", "last = ", "cut to", "removed", "inserted", "copied"] {
            assert!(all.iter().any(|mutation| mutation.what.contains(word)), "{word}");
        }
        assert!(!all.iter().any(|mutation| mutation.what.starts_with("block = ")), "blocks are no integers");
        assert!(all.iter().filter(|mutation| mutation.bytes == base.bytes).count() < 40);
    }

    #[test]
    fn the_checksum_follows_the_index_the_trailer_names() {
        let mut file = vec![0; 64];
        file.extend(b"123456789");
        let mut trailer = vec![0; TRAILER_LEN];
        trailer[0] = 64;
        trailer[8] = 9;
        file.extend(&trailer);
        assert_eq!(follow_crc(&mut file), Some(()));
        assert_eq!(file[73 + CRC_AT..73 + CRC_AT + 4], 0xE306_9283_u32.to_le_bytes(), "the check value of CRC-32C");
        file[73..81].copy_from_slice(&u64::MAX.to_le_bytes());
        assert_eq!(follow_crc(&mut file), None);
        assert_eq!(follow_crc(&mut [0; 39]), None);
    }

    #[test]
    fn the_smallest_files_survive_every_mutation() {
        for len in 0..48 {
            made(3, 100, &vector(vec![0xff; len]));
        }
    }
}
