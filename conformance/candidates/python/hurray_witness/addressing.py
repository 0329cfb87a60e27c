"""Where the elements of dense and paged layouts lie, as offsets in elements.

Owns the index formulas and the number of elements a dense buffer must hold. Must not know types, bytes or files.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from math import prod

from .layouts import COLUMN, ROW, BlockPaged, ColumnMajor, Hilbert, Layout, Morton, RowMajor, Strided, Tiled

Index = Sequence[int]


def row_major(index: Index, shape: Index) -> int:
    offset = 0
    for i, size in zip(index, shape):
        offset = offset * size + i
    return offset


def column_major(index: Index, shape: Index) -> int:
    return row_major(index[::-1], shape[::-1])


def strided(index: Index, strides: Index) -> int:
    return sum(i * stride for i, stride in zip(index, strides))


def strided_extent(shape: Index, strides: Index) -> tuple[int, int]:
    """Lowest and highest offset of a tensor that is not empty."""
    reach = [stride * (size - 1) for size, stride in zip(shape, strides)]
    return sum(r for r in reach if r < 0), sum(r for r in reach if r > 0)


def _ordered(order: int, index: Index, extent: Index, strides: Index | None) -> int:
    if order == ROW:
        return row_major(index, extent)
    if order == COLUMN:
        return column_major(index, extent)
    return strided(index, strides or ())


def tiled(block: Tiled, index: Index, extent: Index) -> int:
    """Whole tiles first, then the place within the tile; a nested block divides the tile in the same way."""
    tile = block.tile_shape
    grid = [-(-size // side) for size, side in zip(extent, tile)]
    number = _ordered(block.outer_layout, [i // side for i, side in zip(index, tile)], grid, block.outer_strides)
    within = [i % side for i, side in zip(index, tile)]
    if block.nested is not None:
        cell = tiled(block.nested, within, tile)
    else:
        cell = _ordered(block.inner_layout, within, tile, block.inner_strides)
    return number * prod(tile) + cell


def morton(index: Index, bits: Index) -> int:
    """Bit by bit, dimension 0 first. The position advances only where a dimension still has a bit: so the codes fill
    exactly the buffer that the format asks for, also where the dimensions have different numbers of bits."""
    code = position = 0
    for b in range(max(bits)):
        for i, count in zip(index, bits):
            if b < count:
                code |= (i >> b & 1) << position
                position += 1
    return code


def hilbert(index: Index, order: int) -> int:
    """Skilling's algorithm: coordinates to position on the curve."""
    x, rank, top = list(index), len(index), 1 << order - 1
    q = top
    while q > 1:
        p = q - 1
        for i in range(rank):
            if x[i] & q:
                x[0] ^= p
            else:
                t = (x[0] ^ x[i]) & p
                x[0] ^= t
                x[i] ^= t
        q >>= 1
    for i in range(1, rank):
        x[i] ^= x[i - 1]
    t, q = 0, top
    while q > 1:
        if x[rank - 1] & q:
            t ^= q - 1
        q >>= 1
    h = 0
    for b in range(order):
        for d in range(rank):
            h |= ((x[d] ^ t) >> b & 1) << (b * rank + rank - 1 - d)
    return h


def dense_offset(layout: Layout, shape: Index, index: Index) -> int:
    """Linear offset of an element, counted from `byte_offset`; negative strides may make it negative."""
    if isinstance(layout, RowMajor):
        return row_major(index, shape)
    if isinstance(layout, ColumnMajor):
        return column_major(index, shape)
    if isinstance(layout, Strided):
        return strided(index, layout.strides)
    if isinstance(layout, Tiled):
        return tiled(layout, index, shape)
    if isinstance(layout, Morton):
        return morton(index, layout.morton_bits)
    assert isinstance(layout, Hilbert)
    return hilbert(index, layout.hilbert_order)


def elements_needed(layout: Layout, shape: Index) -> int:
    """Elements that buffer 0 of a dense layout other than strided holds beyond `byte_offset`, padding included."""
    if 0 in shape:
        return 0
    if isinstance(layout, Tiled):
        tiles = prod(-(-size // side) for size, side in zip(shape, layout.tile_shape))
        return tiles * prod(layout.tile_shape)
    if isinstance(layout, Morton):
        return 1 << sum(layout.morton_bits)
    return prod(shape)


def paged_slot(layout: BlockPaged, page: int, token: int) -> int:
    """Number of the slot in the pool that holds a token of a sequence, given the page the token is on."""
    return page * layout.page_size + token % layout.page_size


def all_indices(shape: Index) -> Iterator[tuple[int, ...]]:
    return itertools.product(*(range(size) for size in shape))
