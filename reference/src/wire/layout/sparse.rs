//! Stored elements and where they belong: COO, CSR, CSC, CSF (layouts/coo.md, csr.md, csc.md, csf.md).

use hurray_spec::Rule;

use crate::bytes::{Cursor, Field};
use crate::judge::Judge;
use crate::model::LayoutDescriptor;
use crate::reject::{Misuse, Reject};

use super::items::{put_items, read_items, read_zeros};

/// Bytes of the reserved field of COO.
const COO_RESERVED_LEN: usize = 7;
/// Bytes of the reserved field of CSR, CSC and CSF.
const RESERVED_LEN: usize = 8;

pub(super) fn read_coo(cursor: &mut Cursor<'_>, judge: &mut Judge) -> Result<LayoutDescriptor, Reject> {
    let nnz = cursor.u64()?;
    let is_sorted = cursor.u8()?;
    judge.require(is_sorted.value <= 1, Rule::LayoutCooIsSortedValue, is_sorted.span)?;
    read_zeros(cursor, COO_RESERVED_LEN, Rule::LayoutCooReserved, judge)?;
    Ok(LayoutDescriptor::Coo { nnz: nnz.value, is_sorted: is_sorted.value != 0 })
}

pub(super) fn put_coo(out: &mut Vec<u8>, nnz: u64, is_sorted: bool) {
    out.extend_from_slice(&nnz.to_le_bytes());
    out.push(u8::from(is_sorted));
    out.extend_from_slice(&[0; COO_RESERVED_LEN]);
}

pub(super) fn read_csr(
    cursor: &mut Cursor<'_>,
    rank: Field<u32>,
    judge: &mut Judge,
) -> Result<LayoutDescriptor, Reject> {
    judge.require(rank.value == 2, Rule::LayoutCsrRank, rank.span)?;
    let nnz = cursor.u64()?.value;
    read_zeros(cursor, RESERVED_LEN, Rule::LayoutCsrReserved, judge)?;
    Ok(LayoutDescriptor::Csr { nnz })
}

pub(super) fn read_csc(
    cursor: &mut Cursor<'_>,
    rank: Field<u32>,
    judge: &mut Judge,
) -> Result<LayoutDescriptor, Reject> {
    judge.require(rank.value == 2, Rule::LayoutCscRank, rank.span)?;
    let nnz = cursor.u64()?.value;
    read_zeros(cursor, RESERVED_LEN, Rule::LayoutCscReserved, judge)?;
    Ok(LayoutDescriptor::Csc { nnz })
}

/// The fields of CSR and CSC.
pub(super) fn put_compressed(out: &mut Vec<u8>, nnz: u64) {
    out.extend_from_slice(&nnz.to_le_bytes());
    out.extend_from_slice(&[0; RESERVED_LEN]);
}

pub(super) fn read_csf(
    cursor: &mut Cursor<'_>,
    rank: Field<u32>,
    judge: &mut Judge,
) -> Result<LayoutDescriptor, Reject> {
    judge.require(rank.value >= 3, Rule::LayoutCsfRankMin, rank.span)?;
    let nnz = cursor.u64()?.value;
    let (mode_order, span) = read_items(cursor, rank.value, 4, |cursor| Ok(cursor.u32()?.value))?;
    let mut sorted = mode_order.clone();
    sorted.sort_unstable();
    let is_permutation = sorted.iter().zip(0_u32..).all(|(mode, dimension)| *mode == dimension);
    judge.require(is_permutation, Rule::LayoutCsfModeOrderPermutation, span)?;
    read_zeros(cursor, RESERVED_LEN, Rule::LayoutCsfReserved, judge)?;
    Ok(LayoutDescriptor::Csf { nnz, mode_order })
}

pub(super) fn put_csf(out: &mut Vec<u8>, nnz: u64, mode_order: &[u32], rank: usize) -> Result<(), Misuse> {
    out.extend_from_slice(&nnz.to_le_bytes());
    put_items(out, mode_order, rank, |mode| mode.to_le_bytes())?;
    out.extend_from_slice(&[0; RESERVED_LEN]);
    Ok(())
}
