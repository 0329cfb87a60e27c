//! The statistics section (metadata.md § Statistics Section). Wrong values are noted and never refused: they are advice
//! (ruling R44).

use hurray_spec::Rule;

use crate::bytes::Cursor;
use crate::judge::Judge;
use crate::model::Statistics;
use crate::reject::{Reject, Span};
use crate::wire::layout::read_zeros;

/// Bits of the mask that have a meaning.
const KNOWN_MASK: u32 = 0x3F;
/// Bytes of each of the two reserved fields.
const RESERVED_LEN: usize = 4;

pub(super) fn read(cursor: &mut Cursor<'_>, judge: &mut Judge) -> Result<Statistics, Reject> {
    let start = cursor.offset();
    let mask = cursor.u32()?;
    judge.require(mask.value & !KNOWN_MASK == 0, Rule::DescriptorStatsMaskReservedReject, mask.span)?;
    read_zeros(cursor, RESERVED_LEN, Rule::DescriptorStatsReservedZero, judge)?;
    let valid = |bit: u32| mask.value & (1 << bit) != 0;
    let nnz = cursor.u64()?.value;
    let sparsity_ratio = cursor.u64()?.value;
    let value_range = [cursor.u64()?.value, cursor.u64()?.value, cursor.u64()?.value];
    let value_stats = [cursor.u64()?.value, cursor.u64()?.value];
    let nm_sparsity = [cursor.u8()?.value, cursor.u8()?.value];
    let nan_inf = [cursor.u8()?.value, cursor.u8()?.value];
    read_zeros(cursor, RESERVED_LEN, Rule::DescriptorStatsReservedZero, judge)?;
    let statistics = Statistics {
        nnz: valid(0).then_some(nnz),
        sparsity_ratio: valid(1).then_some(sparsity_ratio),
        value_range: valid(2).then_some(value_range),
        value_stats: valid(3).then_some(value_stats),
        nm_sparsity: valid(4).then_some(nm_sparsity),
        nan_inf: valid(5).then_some(nan_inf),
    };
    check_ranges(&statistics, start, judge)?;
    Ok(statistics)
}

fn check_ranges(statistics: &Statistics, start: u64, judge: &mut Judge) -> Result<(), Reject> {
    let at = |offset: u64, len: u64| Span::at(start.saturating_add(offset), len);
    if let Some(ratio) = statistics.sparsity_ratio {
        let is_share = (0.0..=1.0).contains(&f64::from_bits(ratio));
        judge.require(is_share, Rule::DescriptorStatsSparsityRange, at(16, 8))?;
    }
    if let Some([min, max, abs_max]) = statistics.value_range.map(|range| range.map(f64::from_bits)) {
        let is_greatest = min.is_nan() || max.is_nan() || abs_max == min.abs().max(max.abs());
        judge.require(is_greatest, Rule::DescriptorStatsAbsmax, at(24, 24))?;
    }
    if let Some([_, deviation]) = statistics.value_stats {
        let is_deviation = f64::from_bits(deviation) >= 0.0;
        judge.require(is_deviation, Rule::DescriptorStatsStddevNonnegative, at(56, 8))?;
    }
    if let Some([n, m]) = statistics.nm_sparsity {
        judge.require(n <= m, Rule::DescriptorStatsNmOrder, at(64, 2))?;
    }
    if let Some(flags) = statistics.nan_inf {
        let are_flags = flags.iter().all(|flag| *flag <= 1);
        judge.require(are_flags, Rule::DescriptorStatsNanInfBytes, at(66, 2))?;
    }
    Ok(())
}

/// Appends the section; what is not valid is written as zero.
pub(super) fn put(out: &mut Vec<u8>, statistics: &Statistics) {
    let valid = [
        statistics.nnz.is_some(),
        statistics.sparsity_ratio.is_some(),
        statistics.value_range.is_some(),
        statistics.value_stats.is_some(),
        statistics.nm_sparsity.is_some(),
        statistics.nan_inf.is_some(),
    ];
    let mask = valid.iter().enumerate().fold(0_u32, |mask, (bit, is_valid)| mask | u32::from(*is_valid) << bit);
    out.extend_from_slice(&mask.to_le_bytes());
    out.extend_from_slice(&[0; RESERVED_LEN]);
    let numbers = [statistics.nnz.unwrap_or(0), statistics.sparsity_ratio.unwrap_or(0)].into_iter();
    let numbers = numbers.chain(statistics.value_range.unwrap_or_default());
    for number in numbers.chain(statistics.value_stats.unwrap_or_default()) {
        out.extend_from_slice(&number.to_le_bytes());
    }
    out.extend_from_slice(&statistics.nm_sparsity.unwrap_or_default());
    out.extend_from_slice(&statistics.nan_inf.unwrap_or_default());
    out.extend_from_slice(&[0; RESERVED_LEN]);
}
