//! Opening a file: header, trailer, index, key-values, one range each and in this order.

use std::ops::Range;

use crate::check::entries::check_entries;
use crate::check::ranges::{Ranges, certain_ranges};
use crate::check::sections::{check_crc, check_size, check_zeros, locate_index, locate_kv};
use crate::judge::Judge;
use crate::memory::Buffer;
use crate::reject::Error;
use crate::wire::header::{FILE_HEADER_LEN, FileHeader, read_header};
use crate::wire::index::{Index, read_index};
use crate::wire::kv::{KvSection, read_kv};
use crate::wire::trailer::{TRAILER_LEN, Trailer, read_trailer};

use super::container::Container;
use super::pending::Pending;

/// How far the open has come: which bytes arrive next.
#[derive(Default)]
pub(super) enum Opening {
    /// Nothing was asked for yet.
    #[default]
    Start,
    /// The header was asked for.
    Header,
    /// The trailer was asked for.
    Trailer(Box<FileHeader>),
    /// The index was asked for.
    Index(Box<Located>),
    /// The key-value section was asked for.
    Kv(Box<Located>, Box<Index>),
}

/// Header and trailer, and where they say the sections are.
pub(super) struct Located {
    header: FileHeader,
    trailer: Trailer,
    index: Range<u64>,
    kv: Option<Range<u64>>,
}

/// What an open file keeps.
pub(crate) struct Opened {
    pub(crate) header: FileHeader,
    pub(crate) index_range: Range<u64>,
    pub(crate) kv_range: Option<Range<u64>>,
    pub(crate) index: Index,
    pub(crate) kv: KvSection,
    /// What is certain of the places of everything, by offset.
    pub(crate) ranges: Ranges,
}

impl Opened {
    pub(super) fn container(&self) -> Container {
        Container {
            version: [self.header.major.value, self.header.minor.value],
            flags: self.header.flags.value,
            data_buffer_alignment: self.header.data_buffer_alignment.value,
        }
    }
}

/// What the open needs next, or its end.
pub(super) enum Next {
    Range(Opening, Pending),
    Opened(Box<Opened>),
}

impl Opening {
    /// Takes the bytes that were asked for and says what comes next.
    ///
    /// # Errors
    /// The file is at fault, or memory cannot be had.
    pub(super) fn advance(self, bytes: Option<Buffer>, size: u64, judge: &mut Judge) -> Result<Next, Error> {
        let bytes = bytes.map_or_else(|| Buffer::zeroed(0, 1), Ok)?;
        match self {
            Opening::Start => {
                check_size(size)?;
                ask(Opening::Header, &(0..FILE_HEADER_LEN))
            }
            Opening::Header => {
                let header = read_header(&bytes, judge)?;
                ask(Opening::Trailer(Box::new(header)), &(size.saturating_sub(TRAILER_LEN)..size))
            }
            Opening::Trailer(header) => {
                let trailer = read_trailer(&bytes, size.saturating_sub(TRAILER_LEN), judge)?;
                let index = locate_index(&trailer, size, judge)?;
                let kv = locate_kv(&header, &trailer, size, judge)?;
                check_zeros(&header, &trailer, judge)?;
                let range = index.clone();
                ask(Opening::Index(Box::new(Located { header: *header, trailer, index, kv })), &range)
            }
            Opening::Index(located) => {
                check_crc(&bytes, &located.header, &located.trailer, judge)?;
                let is_exact = located.header.minor.value == 0;
                let index = read_index(bytes, located.index.start, is_exact, judge)?;
                check_entries(&index, &located.header, size, judge)?;
                match located.kv.clone() {
                    Some(range) => ask(Opening::Kv(located, Box::new(index)), &range),
                    None => finish(*located, index, KvSection::default(), size, judge),
                }
            }
            Opening::Kv(located, index) => {
                let start = located.kv.as_ref().map_or(0, |range| range.start);
                let is_exact = located.header.minor.value == 0;
                let kv = read_kv(bytes, start, is_exact, judge)?;
                finish(*located, *index, kv, size, judge)
            }
        }
    }
}

fn ask(opening: Opening, range: &Range<u64>) -> Result<Next, Error> {
    Ok(Next::Range(opening, Pending::new(range, 1)?))
}

fn finish(located: Located, index: Index, kv: KvSection, size: u64, judge: &mut Judge) -> Result<Next, Error> {
    let Located { header, index: index_range, kv: kv_range, .. } = located;
    let sections = [Some(index_range.clone()), kv_range.clone()];
    let ranges = certain_ranges(&index, sections, header.alignment(), size)?;
    ranges.check_disjoint(judge)?;
    Ok(Next::Opened(Box::new(Opened { header, index_range, kv_range, index, kv, ranges })))
}
