//! Where an element stands, by the library's functions for single elements.
//!
//! The library finds the position among the elements and, from that, the byte: for elements of less than a byte, where
//! the group begins that they are packed in. The place within the group is not said by any call; it follows from the
//! position and the library's width of the element type. Indices that the sparse layouts keep
//! in buffers are handed over as the integers they are.

use hurray_adapter::{Failure, Place, PlaceWord, U64};
use hurray_core::descriptor::TensorDescriptor;
use hurray_core::layout::addressing::{block_paged, coo, csc, csf, csr};
use hurray_core::layout::{LayoutDescriptor, byte_address_from_element_offset};
use hurray_core::{BlockPagedLayout, BlockTableIndexType, Error, Result};
use hurray_io::file::FileTensor;

/// The element at `index`.
///
/// # Errors
/// An index that is not of the tensor, a layout without such a function, or what the library finds wrong.
pub(crate) fn place(tensor: &FileTensor, index: &[u64]) -> std::result::Result<Place, Failure> {
    let descriptor = &tensor.descriptor;
    if is_sparse(&descriptor.layout) && !is_inside(index, descriptor) {
        // The library leaves this check to its caller, for the sparse layouts alone.
        return Err(Failure::Refused("the index is not of the tensor".to_owned()));
    }
    let position = match position(tensor, index) {
        Ok(Some(position)) => position,
        Ok(None) => return Ok(Place::Word(PlaceWord::Unstored)),
        Err(error) => return Err(failure(error)),
    };
    let (element_type, byte_offset) = (descriptor.element_type, descriptor.byte_offset);
    let data_len = descriptor.buffers.first().map_or(0, |handle| handle.byte_size());
    let byte = byte_address_from_element_offset(position, byte_offset, element_type, data_len).map_err(failure)?;
    let (byte_count, bit) = within_group(position, element_type.bit_width());
    Ok(Place::Stored { buffer: 0, byte: U64(byte.saturating_add(byte_count)), bit })
}

fn failure(error: Error) -> Failure {
    match error {
        Error::IndexRankMismatch { .. } | Error::IndexOutOfRange { .. } | Error::DynamicDimInIndexing { .. } => {
            Failure::Refused(error.to_string())
        }
        Error::LayoutRequiresMultiBuffer { .. } => Failure::Unsupported,
        other => Failure::reject(other),
    }
}

/// Whole bytes, and bits, from the beginning of a group to an element of it: eight elements of one bit, four of two bits
/// and two of four bits fill a byte, four of six bits fill three.
fn within_group(position: u64, bit_width: u32) -> (u64, u8) {
    let (element_count, width) = match bit_width {
        1 => (8, 1),
        2 => (4, 2),
        4 => (2, 4),
        6 => (4, 6),
        _ => return (0, 0),
    };
    // The position of a strided element may be negative, in two's complement; its lowest bits are right anyway.
    let bits = position % element_count * width;
    (bits / 8, (bits % 8) as u8)
}

/// Position among the stored elements, `None` for a zero that is not stored.
fn position(tensor: &FileTensor, index: &[u64]) -> Result<Option<u64>> {
    let descriptor = &tensor.descriptor;
    let words = |at: usize| tensor.buffers.get(at).map_or(Vec::new(), |bytes| u64s(bytes));
    match &descriptor.layout {
        LayoutDescriptor::BlockPaged(paged) => paged_position(paged, tensor, index).map(Some),
        LayoutDescriptor::Coo(layout) => coo::element_offset(index, layout.is_sorted, &words(1)),
        LayoutDescriptor::Csr(_) => csr::element_offset(index, &words(1), &words(2)),
        LayoutDescriptor::Csc(_) => csc::element_offset(index, &words(1), &words(2)),
        LayoutDescriptor::Csf(layout) => {
            let levels = 0..layout.mode_order.len();
            let pos: Vec<Vec<u64>> = levels.clone().map(|level| words(2 * level + 1)).collect();
            let crd: Vec<Vec<u64>> = levels.map(|level| words(2 * level + 2)).collect();
            let pos: Vec<&[u64]> = pos.iter().map(Vec::as_slice).collect();
            let crd: Vec<&[u64]> = crd.iter().map(Vec::as_slice).collect();
            csf::element_offset(index, &layout.mode_order, &pos, &crd)
        }
        dense => dense.element_offset(index, &descriptor.shape).map(Some),
    }
}

fn is_sparse(layout: &LayoutDescriptor) -> bool {
    use LayoutDescriptor::{Coo, Csc, Csf, Csr};
    matches!(layout, Coo(_) | Csr(_) | Csc(_) | Csf(_))
}

fn is_inside(index: &[u64], descriptor: &TensorDescriptor) -> bool {
    let dims = descriptor.shape.dims();
    index.len() == dims.len() && index.iter().zip(dims).all(|(index, size)| index < size)
}

/// `index` is `[sequence, token, head, component]`.
fn paged_position(paged: &BlockPagedLayout, tensor: &FileTensor, index: &[u64]) -> Result<u64> {
    let (&[sequence, token, head, component], &[_, heads, components]) = (index, tensor.descriptor.shape.dims()) else {
        return Err(Error::IndexRankMismatch { index_rank: index.len(), shape_rank: 4 });
    };
    let (page_size, page_count) = (paged.page_size, paged.num_pages);
    let table = tensor.buffers.get(1).map_or(&[][..], |bytes| bytes);
    let starts = tensor.buffers.get(2).map_or(&[][..], |bytes| bytes);
    if paged.block_table_index_type == BlockTableIndexType::U32 {
        let (table, starts) = (u32s(table), u32s(starts));
        block_paged::element_offset_u32(
            sequence, token, head, component, page_size, page_count, heads, components, &table, &starts,
        )
    } else {
        let (table, starts) = (u64s(table), u64s(starts));
        block_paged::element_offset_u64(
            sequence, token, head, component, page_size, page_count, heads, components, &table, &starts,
        )
    }
}

fn u64s(bytes: &[u8]) -> Vec<u64> {
    bytes.as_chunks().0.iter().map(|bytes| u64::from_le_bytes(*bytes)).collect()
}

fn u32s(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect()
}

#[cfg(test)]
mod tests {
    use super::within_group;

    #[test]
    fn a_group_is_filled_from_the_lowest_bit() {
        assert_eq!([0, 3, 8].map(|at| within_group(at, 6)), [(0, 0), (2, 2), (0, 0)]);
        assert_eq!([1, 2, 5].map(|at| within_group(at, 6)), [(0, 6), (1, 4), (0, 6)]);
        assert_eq!([9, 15].map(|at| within_group(at, 1)), [(0, 1), (0, 7)]);
        assert_eq!((within_group(3, 4), within_group(3, 2), within_group(3, 32)), ((0, 4), (0, 6), (0, 0)));
        assert_eq!(within_group(1_u64.wrapping_neg(), 4), (0, 4));
    }
}
