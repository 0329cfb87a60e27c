//! Whether boxes cover an index space, each index once. The space is halved where boxes end, until each piece is one box;
//! that takes about as long as sorting for tilings as people make them. No volume is computed, so none overflows.

use crate::bytes::to_u64;
use crate::reject::Limit;

/// Indices from the low to below the high end, per dimension: all low ends, then all high ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Extent(Box<[u64]>);

/// How boxes fail to cover a space exactly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Faults {
    /// An index belongs to two boxes.
    pub(super) overlap: bool,
    /// An index belongs to none.
    pub(super) gap: bool,
}

/// Looks at a box per piece, for each member, before the search is given up.
const LOOKS_PER_MEMBER: usize = 1024;

impl Extent {
    /// From these ends, one per dimension each.
    pub(crate) fn new(low: impl IntoIterator<Item = u64>, high: impl IntoIterator<Item = u64>) -> Self {
        Extent(low.into_iter().chain(high).collect())
    }

    fn rank(&self) -> usize {
        self.0.len() / 2
    }

    fn low(&self) -> &[u64] {
        &self.0[..self.rank()]
    }

    fn high(&self) -> &[u64] {
        &self.0[self.rank()..]
    }

    fn is_empty(&self) -> bool {
        self.low().iter().zip(self.high()).any(|(low, high)| low >= high)
    }

    fn meets(&self, other: &Extent) -> bool {
        let mut sides = self.low().iter().zip(self.high()).zip(other.low().iter().zip(other.high()));
        sides.all(|((low, high), (other_low, other_high))| low < other_high && other_low < high)
    }

    fn contains(&self, other: &Extent) -> bool {
        let lows = self.low().iter().zip(other.low()).all(|(low, other)| low <= other);
        lows && self.high().iter().zip(other.high()).all(|(high, other)| high >= other)
    }

    /// What lies below and above index `at` of dimension `along`.
    fn halved(self, along: usize, at: u64) -> [Extent; 2] {
        let (mut below, mut above) = (self.clone(), self);
        let rank = below.rank();
        below.0[rank..][along] = at;
        above.0[along] = at;
        [below, above]
    }
}

/// The faults of `boxes` in a space of `dims`. Boxes of another rank, and what lies outside, cover nothing. A space without
/// indices has no faults; a dynamic dimension is taken for its number, and is not covered.
///
/// # Errors
/// The boxes cut each other up so much that the search is given up, and no fault was found until then.
pub(super) fn find_faults<'a>(dims: &[u64], boxes: impl Iterator<Item = &'a Extent>) -> Result<Faults, Limit> {
    search(dims, boxes).map(|(faults, _)| faults)
}

/// The faults, and how many looks at a box it took to find them.
pub(super) fn search<'a>(dims: &[u64], boxes: impl Iterator<Item = &'a Extent>) -> Result<(Faults, usize), Limit> {
    let whole = Extent::new(dims.iter().map(|_| 0), dims.iter().copied());
    let mut faults = Faults::default();
    if whole.is_empty() {
        return Ok((faults, 0));
    }
    let is_part = |found: &&Extent| found.rank() == dims.len() && !found.is_empty() && found.meets(&whole);
    let boxes: Vec<&Extent> = boxes.filter(is_part).collect();
    let members = to_u64(boxes.len());
    let most = LOOKS_PER_MEMBER.saturating_mul(boxes.len().saturating_add(1));
    let mut looks = 0_usize;
    let mut pieces = vec![(whole, boxes)];
    while let Some((piece, boxes)) = pieces.pop() {
        looks = looks.saturating_add(boxes.len()).saturating_add(1);
        if looks > most {
            return if faults == Faults::default() { Err(Limit::Cover { members }) } else { Ok((faults, looks)) };
        }
        faults.gap |= boxes.is_empty();
        if boxes.iter().any(|found| found.contains(&piece)) {
            faults.overlap |= boxes.len() > 1;
            continue;
        }
        if faults.gap && faults.overlap {
            break;
        }
        // A box that meets the piece and does not contain it has an edge inside.
        let Some((along, at)) = cut(&piece, &boxes) else { continue };
        for half in piece.halved(along, at) {
            let inside = boxes.iter().filter(|found| found.meets(&half)).copied().collect();
            pieces.push((half, inside));
        }
    }
    Ok((faults, looks))
}

/// Where to halve the piece: at the middle of the edges inside it, in the dimension where that cuts the fewest boxes.
fn cut(piece: &Extent, boxes: &[&Extent]) -> Option<(usize, u64)> {
    let mut best: Option<(usize, usize, u64)> = None;
    let mut edges = Vec::new();
    for along in 0..piece.rank() {
        let (low, high) = (piece.low()[along], piece.high()[along]);
        edges.clear();
        let ends = boxes.iter().flat_map(|found| [found.low()[along], found.high()[along]]);
        edges.extend(ends.filter(|edge| *edge > low && *edge < high));
        let middle = edges.len() / 2;
        if edges.is_empty() {
            continue;
        }
        let (_, at, _) = edges.select_nth_unstable(middle);
        let at = *at;
        let cut_count = boxes.iter().filter(|found| found.low()[along] < at && found.high()[along] > at).count();
        if best.is_none_or(|(fewest, ..)| cut_count < fewest) {
            best = Some((cut_count, along, at));
        }
    }
    best.map(|(_, along, at)| (along, at))
}
