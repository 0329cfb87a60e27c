//! The buffers of layouts that store some elements and where they belong, or pages and where they are. Larger ones than
//! needed are tolerated (ruling R46).

use hurray_spec::Rule;

use crate::bytes::to_u64;
use crate::judge::Judge;
use crate::model::{BlockPaged, LayoutDescriptor, csf_level};
use crate::reject::Reject;
use crate::wire::descriptor::Decoded;

use super::size::{product, require_size, size_of};

/// Bytes of an index in the sparse layouts.
const INDEX_LEN: u128 = 8;

pub(super) fn check_sizes(decoded: &Decoded, judge: &mut Judge) -> Result<(), Reject> {
    let descriptor = &decoded.descriptor;
    let dims = descriptor.shape.dims();
    let dim = |at: usize| dims.get(at).map_or(0, |dim| u128::from(*dim));
    let values = |nnz: u64| descriptor.packed_len(u128::from(nnz));
    match &descriptor.layout {
        LayoutDescriptor::Coo { nnz, .. } => {
            require_size(decoded, 0, values(*nnz), Rule::LayoutCooValuesSize, judge)?;
            let indices = product([u128::from(*nnz), u128::from(to_u64(dims.len())), INDEX_LEN]);
            require_size(decoded, 1, indices, Rule::LayoutCooIndicesSize, judge)
        }
        LayoutDescriptor::Csr { nnz } => {
            let sizes = [values(*nnz), items(u128::from(*nnz)), pointers(dim(0))];
            sizes
                .into_iter()
                .enumerate()
                .try_for_each(|(buffer, needed)| require_size(decoded, buffer, needed, Rule::LayoutCsrSizes, judge))
        }
        LayoutDescriptor::Csc { nnz } => {
            let sizes = [values(*nnz), items(u128::from(*nnz)), pointers(dim(1))];
            sizes
                .into_iter()
                .enumerate()
                .try_for_each(|(buffer, needed)| require_size(decoded, buffer, needed, Rule::LayoutCscSizes, judge))
        }
        LayoutDescriptor::Csf { nnz, .. } => check_csf(decoded, *nnz, judge),
        LayoutDescriptor::BlockPaged(paged) => check_paged(decoded, paged, judge),
        _ => Ok(()),
    }
}

fn items(count: u128) -> Option<u128> {
    count.checked_mul(INDEX_LEN)
}

/// Pointers to where each of `count` runs begins, and to where the last one ends.
fn pointers(count: u128) -> Option<u128> {
    items(count.checked_add(1)?)
}

/// A level's pointers are one more than the coordinates of the level above (ruling R59).
fn check_csf(decoded: &Decoded, nnz: u64, judge: &mut Judge) -> Result<(), Reject> {
    let rank = decoded.descriptor.shape.dims().len();
    require_size(decoded, 0, decoded.descriptor.packed_len(u128::from(nnz)), Rule::LayoutCsfSizes, judge)?;
    let mut above = INDEX_LEN;
    for level in 0..rank {
        let (pos, crd) = csf_level(level);
        require_size(decoded, pos, above.checked_add(INDEX_LEN), Rule::LayoutCsfSizes, judge)?;
        above = size_of(decoded, crd);
    }
    require_size(decoded, rank.saturating_mul(2), items(u128::from(nnz)), Rule::LayoutCsfSizes, judge)
}

fn check_paged(decoded: &Decoded, paged: &BlockPaged, judge: &mut Judge) -> Result<(), Reject> {
    let heads = decoded.descriptor.shape.dims().iter().skip(1).map(|dim| u128::from(*dim));
    let slots = [u128::from(paged.num_pages), u128::from(paged.page_size)];
    let pool = product(slots.into_iter().chain(heads)).and_then(|count| decoded.descriptor.packed_len(count));
    require_size(decoded, 0, pool, Rule::LayoutPagedPoolSize, judge)?;
    let pointers = product([u128::from(paged.num_seqs).saturating_add(1), u128::from(paged.index_len())]);
    require_size(decoded, 2, pointers, Rule::LayoutPagedSeqPtrSize, judge)
}
