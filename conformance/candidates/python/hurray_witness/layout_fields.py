"""Reading the layout fields of a descriptor, and the rules on them.

Owns which descriptors a layout can be used in, as far as rank and shape decide it. Must not know buffers; where
elements lie is `addressing`, how large buffers must be is `demands`.
"""

from __future__ import annotations

from collections.abc import Callable

from .cursor import Cursor
from .faults import Judge
from .layouts import (
    COLUMN,
    COO,
    CSC,
    CSF,
    CSR,
    DYNAMIC,
    GROUP,
    HEAD,
    HILBERT,
    MORTON,
    OPEN_COMPOSITE,
    OVERLAY,
    PAGED,
    PARTITION,
    ROW,
    STRIDED,
    TILED,
    TILED_LEVELS,
    BlockPaged,
    ColumnMajor,
    CompositeHead,
    Coo,
    Csc,
    Csf,
    Csr,
    Extension,
    Hilbert,
    Layout,
    Morton,
    RowMajor,
    Strided,
    Tiled,
    Unknown,
)


def parse(tag: int, cursor: Cursor, shape: tuple[int, ...], agreed: frozenset[int]) -> Layout:
    """The layout fields, checked as far as they can be without the buffer table."""
    if 0xF0 <= tag <= 0xFE:
        return _extension(tag, cursor, agreed)
    if tag not in _PARSERS:
        return Unknown(tag)
    return _PARSERS[tag](cursor, shape)


def _row_major(cursor: Cursor, shape: tuple[int, ...]) -> Layout:
    return RowMajor()


def _column_major(cursor: Cursor, shape: tuple[int, ...]) -> Layout:
    return ColumnMajor()


def _strided(cursor: Cursor, shape: tuple[int, ...]) -> Layout:
    return Strided(cursor.i64s(len(shape)))


def _tiled(cursor: Cursor, shape: tuple[int, ...]) -> Layout:
    return _tiled_level(cursor, len(shape), 1)


def _tiled_level(cursor: Cursor, rank: int, level: int) -> Tiled:
    start, judge = cursor.offset, cursor.judge
    if level > TILED_LEVELS:
        judge.stop("layout.tiled.depth-limit", start, f"more than {TILED_LEVELS} levels of tiles")
    tile_shape = cursor.u64s(rank)
    if 0 in tile_shape:
        judge.stop("layout.tiled.tile-nonzero", start + 8 * tile_shape.index(0), "a tile without extent")
    start = cursor.offset
    outer, inner = cursor.u8(), cursor.u8()
    if outer not in (ROW, COLUMN, STRIDED):
        judge.stop("layout.tiled.outer-values", start, f"outer layout {outer:#04x}")
    if inner not in (ROW, COLUMN, STRIDED, TILED):
        judge.stop("layout.tiled.inner-values", start + 1, f"inner layout {inner:#04x}")
    cursor.zeros(2, "layout.tiled.reserved")
    outer_strides = cursor.i64s(rank) if outer == STRIDED else None
    inner_strides = cursor.i64s(rank) if inner == STRIDED else None
    nested = _tiled_level(cursor, rank, level + 1) if inner == TILED else None
    return Tiled(tile_shape, outer, inner, outer_strides, inner_strides, nested)


def _morton(cursor: Cursor, shape: tuple[int, ...]) -> Layout:
    start, judge = cursor.offset, cursor.judge
    bits = cursor.u32s(len(shape))
    for k, (size, count) in enumerate(zip(shape, bits)):
        at = start + 4 * k
        if count == 0:
            judge.reject("layout.morton.bits-nonzero", at, f"no bits for dimension {k}")
        if size == DYNAMIC or (count < 64 and size > 1 << count):
            judge.reject("layout.morton.shape-fits", at, f"dimension {k} of size {size} in {count} bits")
    if sum(bits) > 63 and 0 not in shape:
        judge.stop("layout.morton.size", start, f"{sum(bits)} bits of index are more than a buffer can hold")
    return Morton(bits)


def _coo(cursor: Cursor, shape: tuple[int, ...]) -> Layout:
    nnz, start = cursor.u64(), cursor.offset
    is_sorted = cursor.u8()
    if is_sorted > 1:
        cursor.judge.reject("layout.coo.is-sorted-value", start, f"is_sorted {is_sorted:#04x}")
    cursor.zeros(7, "layout.coo.reserved")
    return Coo(nnz, is_sorted)


def _matrix(cursor: Cursor, shape: tuple[int, ...], name: str) -> int:
    if len(shape) != 2:
        cursor.judge.stop(f"layout.{name}.rank", cursor.offset, f"{name} of rank {len(shape)}")
    nnz = cursor.u64()
    cursor.zeros(8, f"layout.{name}.reserved")
    return nnz


def _csr(cursor: Cursor, shape: tuple[int, ...]) -> Layout:
    return Csr(_matrix(cursor, shape, "csr"))


def _csc(cursor: Cursor, shape: tuple[int, ...]) -> Layout:
    return Csc(_matrix(cursor, shape, "csc"))


def _csf(cursor: Cursor, shape: tuple[int, ...]) -> Layout:
    rank, judge = len(shape), cursor.judge
    if rank < 3:
        judge.stop("layout.csf.rank-min", cursor.offset, f"csf of rank {rank}")
    nnz, start = cursor.u64(), cursor.offset
    order = cursor.u32s(rank)
    if sorted(order) != list(range(rank)):
        judge.unknown("layout.csf.mode-order-permutation", start, "mode_order is no permutation of the dimensions")
    cursor.zeros(8, "layout.csf.reserved")
    return Csf(nnz, order)


def _paged(cursor: Cursor, shape: tuple[int, ...]) -> Layout:
    start, judge = cursor.offset, cursor.judge
    if len(shape) != 3:
        judge.stop("layout.paged.rank", start, f"block-paged of rank {len(shape)}")
    layout = BlockPaged(cursor.u32(), cursor.u64(), cursor.u32(), cursor.u32(), cursor.u8(), cursor.u32(), cursor.u8())
    cursor.zeros(6, "layout.paged.reserved-reject")
    if layout.page_size == 0:
        judge.stop("layout.paged.page-size", start, "pages without tokens")
    if layout.paged_axis:
        judge.reject("layout.paged.axis-zero", start + 12, f"paged axis {layout.paged_axis}")
    if layout.kv_role > 2:
        judge.reject("layout.paged.kv-role", start + 20, f"kv_role {layout.kv_role:#04x}")
    if layout.block_table_index_type > 1:
        judge.stop("layout.paged.index-type", start + 25, f"index type {layout.block_table_index_type:#04x}")
    return layout


def _head(cursor: Cursor, shape: tuple[int, ...]) -> Layout:
    start, judge = cursor.offset, cursor.judge
    rule, combine = cursor.u8(), cursor.u8()
    cursor.zeros(2, "composite.head.reserved-reject")
    head = CompositeHead(rule, combine, cursor.u32())
    if 0xF0 <= rule <= 0xFE:
        judge.unknown("composite.head.rule-private-reject", start, f"private composition rule {rule:#04x}")
    elif rule not in (PARTITION, OVERLAY, GROUP):
        judge.stop("composite.head.rule-reject", start, f"composition rule {rule:#04x}")
    if rule == OVERLAY and combine not in (1, 2):
        judge.reject("composite.head.combine-overlay", start + 1, f"combine_op {combine:#04x} of an overlay")
    if rule in (PARTITION, GROUP) and combine:
        judge.reject("composite.head.combine-partition-group", start + 1, f"combine_op {combine:#04x}")
    if head.member_count == OPEN_COMPOSITE:
        judge.reject("composite.head.open-sentinel-reject", start + 4, "open composites are reserved")
    if rule == OVERLAY and head.member_count == 0:
        judge.reject("composite.overlay.empty-reject", start + 4, "an overlay without its base")
    if rule in (PARTITION, OVERLAY) and DYNAMIC in shape:
        judge.reject("model.dynamic.no-compute", start, "the cover of a dynamic shape cannot be judged")
    return head


def _hilbert(cursor: Cursor, shape: tuple[int, ...]) -> Layout:
    start, judge, rank = cursor.offset, cursor.judge, len(shape)
    layout = Hilbert(cursor.u32(), cursor.u32())
    if layout.hilbert_rank < 2:
        judge.stop("layout.hilbert.rank-min", start + 4, f"a curve through {layout.hilbert_rank} dimensions")
    if layout.hilbert_rank != rank:
        judge.stop("layout.hilbert.rank-equal", start + 4, f"{layout.hilbert_rank} curve dimensions at rank {rank}")
    if layout.hilbert_order == 0:
        judge.stop("layout.hilbert.order-min", start, "a curve of order 0")
    if layout.hilbert_order > 63 or any(size != 1 << layout.hilbert_order for size in shape):
        judge.stop("layout.hilbert.shape", start, f"the shape is no cube of side 2^{layout.hilbert_order}")
    return layout


def _extension(tag: int, cursor: Cursor, agreed: frozenset[int]) -> Layout:
    start = cursor.offset
    identifier = cursor.u64()
    if identifier not in agreed:
        cursor.judge.unknown("layout.ext.unknown-reject", start, f"private layout {identifier:#x} is not known")
    return Extension(identifier, cursor.take(cursor.u32()), tag)


_PARSERS: dict[int, Callable[[Cursor, tuple[int, ...]], Layout]] = {
    ROW: _row_major,
    COLUMN: _column_major,
    STRIDED: _strided,
    TILED: _tiled,
    MORTON: _morton,
    COO: _coo,
    CSR: _csr,
    CSC: _csc,
    CSF: _csf,
    PAGED: _paged,
    HEAD: _head,
    HILBERT: _hilbert,
}


def check_tag(tag: int, rank: int, at: int, judge: Judge) -> None:
    """The tag byte itself, before anything is read by it."""
    if tag in (0x00, 0xFF):
        judge.stop("layout.tag.zero-ff-reject", at, f"layout tag {tag:#04x}")
    if tag not in _PARSERS and not 0xF0 <= tag <= 0xFE:
        judge.unknown("layout.tag.unknown-reject", at, f"unknown layout tag {tag:#04x}")
    if rank == 0 and tag != ROW:
        judge.stop("model.scalar.row-major-only", at, f"layout tag {tag:#04x} of a scalar")
