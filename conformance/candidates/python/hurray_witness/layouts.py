"""The layouts: what each one adds to a descriptor.

Owns the layout tags, one record for each layout, and their bytes on the way out. Must not know the rules on them, which
are in `layout_fields`, nor buffers.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import ClassVar

from .cursor import U64_MAX, Packer

DYNAMIC = U64_MAX
ROW, COLUMN, STRIDED, TILED, MORTON, COO, CSR, CSC, CSF, PAGED, HEAD = range(0x01, 0x0C)
HILBERT = 0x40
PARTITION, OVERLAY, GROUP = 1, 2, 3
OPEN_COMPOSITE = 0xFFFFFFFF
TILED_LEVELS = 8


@dataclass(frozen=True)
class RowMajor:
    """The last dimension varies fastest."""

    NAME: ClassVar[str] = "row_major"
    tag: ClassVar[int] = ROW

    def encode(self, packer: Packer) -> None:
        pass


@dataclass(frozen=True)
class ColumnMajor:
    """The first dimension varies fastest."""

    NAME: ClassVar[str] = "column_major"
    tag: ClassVar[int] = COLUMN

    def encode(self, packer: Packer) -> None:
        pass


@dataclass(frozen=True)
class Strided:
    """Any step per dimension, in elements, backwards or none at all included."""

    NAME: ClassVar[str] = "strided"
    tag: ClassVar[int] = STRIDED
    strides: tuple[int, ...]

    def encode(self, packer: Packer) -> None:
        packer.i64s(self.strides)


@dataclass(frozen=True)
class Tiled:
    """Boxes of one shape, an order of the boxes and an order within a box, which may itself be tiled."""

    NAME: ClassVar[str] = "tiled"
    tag: ClassVar[int] = TILED
    tile_shape: tuple[int, ...]
    outer_layout: int
    inner_layout: int
    outer_strides: tuple[int, ...] | None = None
    inner_strides: tuple[int, ...] | None = None
    nested: Tiled | None = None

    def encode(self, packer: Packer) -> None:
        packer.u64s(self.tile_shape).u8(self.outer_layout).u8(self.inner_layout).raw(bytes(2))
        packer.i64s(self.outer_strides or ()).i64s(self.inner_strides or ())
        if self.nested is not None:
            self.nested.encode(packer)


@dataclass(frozen=True)
class Morton:
    """The bits of the indices interleaved."""

    NAME: ClassVar[str] = "morton"
    tag: ClassVar[int] = MORTON
    morton_bits: tuple[int, ...]

    def encode(self, packer: Packer) -> None:
        packer.u32s(self.morton_bits)


@dataclass(frozen=True)
class Coo:
    """A list of coordinates and values."""

    NAME: ClassVar[str] = "coo"
    tag: ClassVar[int] = COO
    nnz: int
    is_sorted: int

    def encode(self, packer: Packer) -> None:
        packer.u64(self.nnz).u8(self.is_sorted).raw(bytes(7))


@dataclass(frozen=True)
class Csr:
    """A matrix compressed by rows."""

    NAME: ClassVar[str] = "csr"
    tag: ClassVar[int] = CSR
    nnz: int

    def encode(self, packer: Packer) -> None:
        packer.u64(self.nnz).raw(bytes(8))


@dataclass(frozen=True)
class Csc:
    """A matrix compressed by columns."""

    NAME: ClassVar[str] = "csc"
    tag: ClassVar[int] = CSC
    nnz: int

    def encode(self, packer: Packer) -> None:
        packer.u64(self.nnz).raw(bytes(8))


@dataclass(frozen=True)
class Csf:
    """A tree with one level per dimension, in the order `mode_order`."""

    NAME: ClassVar[str] = "csf"
    tag: ClassVar[int] = CSF
    nnz: int
    mode_order: tuple[int, ...]

    def encode(self, packer: Packer) -> None:
        packer.u64(self.nnz).u32s(self.mode_order).raw(bytes(8))


@dataclass(frozen=True)
class BlockPaged:
    """Tokens in pages of a pool, found through a table; shape is tokens, heads, components."""

    NAME: ClassVar[str] = "block_paged"
    tag: ClassVar[int] = PAGED
    page_size: int
    num_pages: int
    paged_axis: int
    num_seqs: int
    kv_role: int
    layer_index: int
    block_table_index_type: int

    @property
    def index_width(self) -> int:
        return 8 if self.block_table_index_type else 4

    def encode(self, packer: Packer) -> None:
        packer.u32(self.page_size).u64(self.num_pages).u32(self.paged_axis).u32(self.num_seqs)
        packer.u8(self.kv_role).u32(self.layer_index).u8(self.block_table_index_type).raw(bytes(6))


@dataclass(frozen=True)
class CompositeHead:
    """No data of its own: the view on the members that follow."""

    NAME: ClassVar[str] = "composite_head"
    tag: ClassVar[int] = HEAD
    composition_rule: int
    combine_op: int
    member_count: int

    def encode(self, packer: Packer) -> None:
        packer.u8(self.composition_rule).u8(self.combine_op).raw(bytes(2)).u32(self.member_count)


@dataclass(frozen=True)
class Hilbert:
    """The order of the Hilbert curve through a cube."""

    NAME: ClassVar[str] = "hilbert"
    tag: ClassVar[int] = HILBERT
    hilbert_order: int
    hilbert_rank: int

    def encode(self, packer: Packer) -> None:
        packer.u32(self.hilbert_order).u32(self.hilbert_rank)


@dataclass(frozen=True)
class Extension:
    """A private layout, known by agreement only."""

    extension_layout_id: int
    extension_data: bytes
    tag: int = 0xF0

    @property
    def NAME(self) -> str:  # noqa: N802
        return f"{self.tag:#04x}"

    def encode(self, packer: Packer) -> None:
        packer.u64(self.extension_layout_id).u32(len(self.extension_data)).raw(self.extension_data)


@dataclass(frozen=True)
class Unknown:
    """A layout that nobody has defined yet. Where its fields end is not known, so nothing behind them can be."""

    tag: int

    @property
    def NAME(self) -> str:  # noqa: N802
        return f"{self.tag:#04x}"

    def encode(self, packer: Packer) -> None:
        raise NotImplementedError("a layout without a definition is never written")


Layout = (
    RowMajor
    | ColumnMajor
    | Strided
    | Tiled
    | Morton
    | Coo
    | Csr
    | Csc
    | Csf
    | BlockPaged
    | CompositeHead
    | Hilbert
    | Extension
    | Unknown
)
DENSE = (RowMajor, ColumnMajor, Strided, Tiled, Morton, Hilbert)
SPARSE = (Coo, Csr, Csc, Csf)


def as_fields(layout: Layout) -> dict[str, object]:
    """The named fields of the layout, absent ones left out."""
    named = {field.name: getattr(layout, field.name) for field in fields(layout) if field.name != "tag"}
    return {name: value for name, value in named.items() if value is not None}
