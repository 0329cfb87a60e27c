//! What the index and pointer buffers of sparse and paged layouts say (layouts/coo.md, csr.md, csc.md, csf.md,
//! block-paged.md): the data invariants, which only a look at the buffers shows (ruling R4).
//!
//! Everything is read once, front to back. Coordinates that do not ascend are read once more, to find two that are equal.

use std::ops::Range;

use hurray_spec::Rule;

use crate::bytes::to_u64;
use crate::memory::reserved;
use crate::model::{BlockPaged, LayoutDescriptor, TensorDescriptor, csf_level};
use crate::reject::Span;

use super::integers::Integers;
use super::{Stop, Walk};

/// Bytes of an index or a pointer of a sparse layout.
const WIDTH: u64 = 8;

/// Pointers that cut a list of indices into slices, and what has to hold of both.
struct Slices {
    pointers: Integers,
    indices: Integers,
    /// How many indices there are.
    index_count: u64,
    /// Every index is below.
    bound: u64,
    rules: SliceRules,
}

/// The rules of one layout for its slices.
#[derive(Clone, Copy)]
struct SliceRules {
    /// The first pointer is 0.
    start: Rule,
    /// No pointer is below the one before.
    monotone: Rule,
    /// The last pointer is the number of indices.
    end: Rule,
    /// Indices ascend within a slice, if they have to.
    sorted: Option<Rule>,
    /// Indices are below their bound.
    bounds: Rule,
}

const CSR: SliceRules = SliceRules {
    start: Rule::LayoutCsrRowPtrEnds,
    monotone: Rule::LayoutCsrRowPtrMonotone,
    end: Rule::LayoutCsrRowPtrEnds,
    sorted: Some(Rule::LayoutCsrColsSorted),
    bounds: Rule::LayoutCsrColsInBounds,
};
const CSC: SliceRules = SliceRules {
    start: Rule::LayoutCscColPtrEnds,
    monotone: Rule::LayoutCscColPtrMonotone,
    end: Rule::LayoutCscColPtrEnds,
    sorted: Some(Rule::LayoutCscRowsSorted),
    bounds: Rule::LayoutCscRowsInBounds,
};
const CSF: SliceRules = SliceRules {
    start: Rule::LayoutCsfPosStart,
    monotone: Rule::LayoutCsfPosMonotone,
    end: Rule::LayoutCsfPosTerminal,
    sorted: Some(Rule::LayoutCsfCrdSorted),
    bounds: Rule::LayoutCsfCrdInBounds,
};
const PAGED: SliceRules = SliceRules {
    start: Rule::LayoutPagedSeqPtrEnds,
    monotone: Rule::LayoutPagedSeqPtrMonotone,
    end: Rule::LayoutPagedSeqPtrEnds,
    sorted: None,
    bounds: Rule::LayoutPagedPageIds,
};

impl<E, F: FnMut(u64, &mut [u8]) -> Result<usize, E>> Walk<F> {
    /// Looks at the index and pointer buffers of a tensor, all of whose buffers stand at `buffers`.
    pub(super) fn check_stored(
        &mut self,
        descriptor: &TensorDescriptor,
        buffers: &[Range<u64>],
    ) -> Result<(), Stop<E>> {
        let dims = descriptor.shape.dims();
        if descriptor.shape.is_dynamic() {
            return Ok(());
        }
        match &descriptor.layout {
            LayoutDescriptor::Coo { nnz, is_sorted } => self.check_coordinates(dims, *nnz, *is_sorted, buffers),
            LayoutDescriptor::Csr { nnz } => match *dims {
                [rows, columns] => self.check_compressed(rows, columns, *nnz, buffers, CSR),
                _ => Ok(()),
            },
            LayoutDescriptor::Csc { nnz } => match *dims {
                [rows, columns] => self.check_compressed(columns, rows, *nnz, buffers, CSC),
                _ => Ok(()),
            },
            LayoutDescriptor::Csf { nnz, mode_order } => self.check_tree(dims, *nnz, mode_order, buffers),
            LayoutDescriptor::BlockPaged(paged) => self.check_pages(dims, paged, buffers),
            _ => Ok(()),
        }
    }

    /// `count` integers of `width` bytes in the buffer at `range`, within what may still be looked at; `None` if they are
    /// not there, which is a fault of its own.
    pub(super) fn integers(&mut self, range: Option<&Range<u64>>, width: u64, count: u64) -> Option<Integers> {
        let integers = Integers::new(range?, width, count, self.size)?;
        self.unscanned = self.unscanned.checked_sub(integers.len())?;
        Some(integers)
    }

    fn check_compressed(
        &mut self,
        slice_count: u64,
        bound: u64,
        nnz: u64,
        buffers: &[Range<u64>],
        rules: SliceRules,
    ) -> Result<(), Stop<E>> {
        let Some(pointers) = self.integers(buffers.get(2), WIDTH, slice_count.saturating_add(1)) else { return Ok(()) };
        let Some(indices) = self.integers(buffers.get(1), WIDTH, nnz) else { return Ok(()) };
        self.check_slices(Slices { pointers, indices, index_count: nnz, bound, rules })
    }

    fn check_tree(
        &mut self,
        dims: &[u64],
        nnz: u64,
        mode_order: &[u32],
        buffers: &[Range<u64>],
    ) -> Result<(), Stop<E>> {
        let mut parents = 1_u64;
        let leaf = mode_order.len().saturating_sub(1);
        for (level, mode) in mode_order.iter().enumerate() {
            let (pos, crd) = csf_level(level);
            let Some((pos, crd)) = buffers.get(pos).zip(buffers.get(crd)) else { return Ok(()) };
            let crd_len = crd.end.saturating_sub(crd.start);
            if nnz == 0 {
                self.core.judge().require(crd_len == 0, Rule::LayoutCsfEmptyForm, Span::at(crd.start, crd_len))?;
            }
            let nodes = if level == leaf { nnz } else { crd_len / WIDTH };
            let Some(pointers) = self.integers(Some(pos), WIDTH, parents.saturating_add(1)) else { return Ok(()) };
            let Some(indices) = self.integers(Some(crd), WIDTH, nodes) else { return Ok(()) };
            // A mode that is none is at fault itself, and bounds nothing.
            let bound = usize::try_from(*mode).ok().and_then(|mode| dims.get(mode).copied()).unwrap_or(u64::MAX);
            self.check_slices(Slices { pointers, indices, index_count: nodes, bound, rules: CSF })?;
            parents = nodes;
        }
        Ok(())
    }

    fn check_pages(&mut self, dims: &[u64], paged: &BlockPaged, buffers: &[Range<u64>]) -> Result<(), Stop<E>> {
        let Some((table, seq_ptr)) = buffers.get(1).zip(buffers.get(2)) else { return Ok(()) };
        let width = paged.index_len();
        let table_len = table.end.saturating_sub(table.start);
        let pages = table_len.checked_div(width).unwrap_or(0);
        let slots = u128::from(pages).saturating_mul(u128::from(paged.page_size));
        let is_covered = dims.first().is_none_or(|tokens| u128::from(*tokens) <= slots);
        let span = Span::value(table.start, pages.saturating_mul(width), pages);
        self.core.judge().require(is_covered, Rule::LayoutPagedSeqPtrSize, span)?;
        let pointer_count = u64::from(paged.num_seqs).saturating_add(1);
        let Some(pointers) = self.integers(Some(seq_ptr), width, pointer_count) else { return Ok(()) };
        let Some(indices) = self.integers(Some(table), width, pages) else { return Ok(()) };
        self.check_slices(Slices { pointers, indices, index_count: pages, bound: paged.num_pages, rules: PAGED })
    }

    /// Pointers start at 0, never fall, and end with the number of indices; indices are in bounds, and ascend in a slice.
    fn check_slices(&mut self, mut slices: Slices) -> Result<(), Stop<E>> {
        let rules = slices.rules;
        let Some((first, span)) = slices.pointers.next(&mut self.source)? else { return Ok(()) };
        self.core.judge().require(first == 0, rules.start, span)?;
        let (mut last, mut last_span) = (first, span);
        let mut position = 0_u64;
        while position < first && self.check_index(&mut slices, None)?.is_some() {
            position = position.saturating_add(1);
        }
        while let Some((pointer, span)) = slices.pointers.next(&mut self.source)? {
            self.core.judge().require(pointer >= last, rules.monotone, span)?;
            // Pointers that fall, or lead beyond the indices, cut no slice.
            let is_slice = pointer >= last && pointer <= slices.index_count;
            let mut before = None;
            while is_slice && position < pointer {
                let Some(index) = self.check_index(&mut slices, before)? else { break };
                before = (position >= last).then_some(index);
                position = position.saturating_add(1);
            }
            (last, last_span) = (pointer, span);
        }
        self.core.judge().require(last == slices.index_count, rules.end, last_span)?;
        while self.check_index(&mut slices, None)?.is_some() {}
        Ok(())
    }

    /// The next index, in bounds and above the one `before` it in its slice; `None` behind the last.
    fn check_index(&mut self, slices: &mut Slices, before: Option<u64>) -> Result<Option<u64>, Stop<E>> {
        let Some((index, span)) = slices.indices.next(&mut self.source)? else { return Ok(None) };
        if let Some(sorted) = slices.rules.sorted {
            self.core.judge().require(before.is_none_or(|before| index > before), sorted, span)?;
        }
        self.core.judge().require(index < slices.bound, slices.rules.bounds, span)?;
        Ok(Some(index))
    }

    fn check_coordinates(
        &mut self,
        dims: &[u64],
        nnz: u64,
        is_sorted: bool,
        buffers: &[Range<u64>],
    ) -> Result<(), Stop<E>> {
        let Some(count) = nnz.checked_mul(to_u64(dims.len())) else { return Ok(()) };
        let Some(mut indices) = self.integers(buffers.get(1), WIDTH, count) else { return Ok(()) };
        let (mut before, mut tuple) = (Vec::new(), Vec::new());
        let mut is_ascending = true;
        for _ in 0..nnz {
            let Some((_, span)) = self.next_tuple(&mut indices, dims, &mut tuple, true)? else { return Ok(()) };
            let is_above = before.is_empty() || tuple > before;
            is_ascending &= is_above;
            let is_tie = tuple == before;
            self.core.judge().require(!is_sorted || is_above || is_tie, Rule::LayoutCooSorted, span)?;
            std::mem::swap(&mut before, &mut tuple);
        }
        if is_ascending {
            return Ok(());
        }
        self.check_distinct(dims, nnz, buffers)
    }

    /// No two coordinates are equal. Takes eight bytes of memory for each, which is no more than they have in the file.
    fn check_distinct(&mut self, dims: &[u64], nnz: u64, buffers: &[Range<u64>]) -> Result<(), Stop<E>> {
        let Some(range) = buffers.get(1) else { return Ok(()) };
        let count = nnz.saturating_mul(to_u64(dims.len()));
        let Some(mut indices) = Integers::new(range, WIDTH, count, self.size) else { return Ok(()) };
        let mut places = reserved(nnz)?;
        let mut tuple = Vec::new();
        while let Some((place, _)) = self.next_tuple(&mut indices, dims, &mut tuple, false)? {
            places.extend(place);
        }
        places.sort_unstable();
        for pair in places.windows(2).filter(|pair| pair[0] == pair[1]) {
            let span = Span::value(range.start, count.saturating_mul(WIDTH), pair[0]);
            self.core.judge().require(false, Rule::LayoutCooNoDuplicates, span)?;
        }
        Ok(())
    }

    /// Reads a coordinate into `tuple`: its place in row-major order, if it is in bounds, and where it stands. `None`
    /// behind the last.
    fn next_tuple(
        &mut self,
        indices: &mut Integers,
        dims: &[u64],
        tuple: &mut Vec<u64>,
        is_judged: bool,
    ) -> Result<Option<(Option<u64>, Span)>, Stop<E>> {
        tuple.clear();
        let mut place = Some(0_u64);
        let mut whole = None;
        for dim in dims {
            let Some((index, span)) = indices.next(&mut self.source)? else { return Ok(None) };
            if is_judged {
                self.core.judge().require(index < *dim, Rule::LayoutCooInBounds, span)?;
            }
            place = place.filter(|_| index < *dim).and_then(|place| place.checked_mul(*dim)?.checked_add(index));
            whole.get_or_insert(Span::at(span.start, WIDTH.saturating_mul(to_u64(dims.len()))));
            tuple.push(index);
        }
        Ok(whole.map(|span| (place, span)))
    }
}
