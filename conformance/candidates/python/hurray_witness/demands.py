"""What the parts of a descriptor demand of each other: how many buffers, how large, and which parts exclude which.

Owns the cross-checks within one descriptor. Must not know the bytes of the buffers nor where they are in the file.

All sizes are computed in integers without bound, so a size that no buffer can have is simply larger than the buffer.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

from . import addressing, quantization
from .cursor import I64_MAX, I64_MIN, U64_MAX
from .faults import Judge
from .handles import SIZE as HANDLE_SIZE
from .layouts import (
    DENSE,
    DYNAMIC,
    SPARSE,
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
    RowMajor,
    Strided,
)
from .quantization import BLOCKED, NO_BUFFER, Mxfp, Nf4, PerBlock, PerChannel, PerTensor, PrivateScheme

if TYPE_CHECKING:
    from .descriptor import Descriptor

_SIZE_RULE = {
    "row_major": "layout.rowmajor.size",
    "column_major": "layout.colmajor.size",
    "tiled": "layout.tiled.size",
    "morton": "layout.morton.size",
    "hilbert": "layout.hilbert.size",
}
_COUNT_RULE = {
    "coo": "layout.coo.buffer-count",
    "csr": "layout.csr.buffer-count",
    "csc": "layout.csc.buffer-count",
    "csf": "layout.csf.buffer-count",
    "block_paged": "layout.paged.buffer-count",
}


@dataclass(frozen=True)
class Places:
    """Absolute file offsets of the parts of a descriptor, for messages."""

    base: int = 0
    shape: int = 0
    byte_offset: int = 0
    table: int = 0
    sections: int = 0

    def handle(self, number: int) -> int:
        return self.table + 1 + HANDLE_SIZE * number


def baseline(layout: Layout, rank: int) -> int:
    """Buffers of the layout itself; those of a quantization scheme follow."""
    if isinstance(layout, Coo):
        return 2
    if isinstance(layout, (Csr, Csc, BlockPaged)):
        return 3
    if isinstance(layout, Csf):
        return 2 * rank + 1
    return 0 if isinstance(layout, CompositeHead) else 1


def check(d: Descriptor, judge: Judge) -> None:
    if isinstance(d.layout, CompositeHead):
        _check_head(d, judge)
        return
    _check_counts(d, judge)
    _check_exclusions(d, judge)
    if d.handles and d.byte_offset > d.handles[0].byte_size:
        judge.reject("descriptor.offset.range", d.places.byte_offset, "byte_offset is behind the end of buffer 0")
    if d.quantization is not None:
        at = d.places.sections + 4
        quantization.check(d.quantization, d.element, d.shape, at, d.places.base + 14, judge)
        _check_parameter_indices(d, at, judge)
    if DYNAMIC in d.shape or not d.handles:
        return
    _check_layout_sizes(d, judge)
    _check_parameter_sizes(d, judge)
    if d.statistics is not None and isinstance(d.layout, SPARSE):
        _note_nnz(d.statistics.known(), d.layout.nnz, d.places.sections, judge)


def _note_nnz(known: dict[str, int], nnz: int, at: int, judge: Judge) -> None:
    if known.get("nnz", nnz) != nnz:
        judge.note("descriptor.stats.sparse-nnz-match", at, f"{known['nnz']} in the statistics, {nnz} in the layout")


def _check_head(d: Descriptor, judge: Judge) -> None:
    if d.handles:
        judge.reject("composite.head.no-buffers", d.places.table, "a head with buffers")
    if d.byte_offset:
        judge.reject("composite.head.byte-offset-zero", d.places.byte_offset, "a head with a byte_offset")
    if d.quantization is not None:
        judge.reject("composite.head.no-quantization", d.places.base + 10, "a head with quantization")
    if d.member is not None:
        judge.reject("composite.head.no-member-flag", d.places.base + 10, "a head with a member section")


def _check_exclusions(d: Descriptor, judge: Judge) -> None:
    if d.byte_offset and isinstance(d.layout, (*SPARSE, BlockPaged)):
        judge.reject("layout.common.byte-offset-sparse", d.places.byte_offset, f"byte_offset with {d.layout.NAME}")
    if d.shard is not None and isinstance(d.layout, Csf):
        judge.reject("layout.csf.no-shard", d.places.base + 10, "a shard cannot be csf")
    if d.shard is not None and isinstance(d.layout, BlockPaged):
        judge.reject("layout.paged.no-shard-reject", d.places.base + 10, "a shard cannot be block-paged")
    if DYNAMIC in d.shape:
        judge.note("model.dynamic.channel", d.places.shape, "nothing in a file resolves a dynamic dimension")


# ---- how many buffers -----------------------------------------------------------------------------------------------


def parameter_buffers(d: Descriptor) -> list[tuple[str, int, int]]:
    """(name, buffer index, bytes) for each parameter array; bytes are 0 where no document says how many there are."""
    scheme = d.quantization
    if scheme is None:
        return []
    if isinstance(scheme, (PerTensor, PrivateScheme)):
        return []
    if DYNAMIC in d.shape or scheme.axis >= d.rank or _count_unknown(d):
        count = 0
    elif isinstance(d.layout, BlockPaged) and isinstance(scheme, PerBlock):
        count = d.layout.num_pages * d.layout.page_size
    else:
        count = quantization.scale_count(scheme, d.shape)
    return quantization.parameters(scheme, count)


def _count_unknown(d: Descriptor) -> bool:
    """Blocks of a sparse tensor are defined nowhere, nor are those of a paged tensor but for per-block."""
    if isinstance(d.layout, SPARSE):
        return isinstance(d.quantization, BLOCKED)
    return isinstance(d.layout, BlockPaged) and isinstance(d.quantization, (Nf4, Mxfp))


def _check_counts(d: Descriptor, judge: Judge) -> None:
    count, least, at = len(d.handles), baseline(d.layout, d.rank), d.places.table
    indices = set() if d.quantization is None else {i for _, i, _ in quantization.parameters(d.quantization, 0)}
    if NO_BUFFER in indices:
        judge.reject("quant.place.index-range", d.places.sections + 4, "a parameter buffer is named nowhere")
    expected = least + len(indices)
    if count == 0:
        judge.stop("descriptor.buffers.count-min", at, "no buffers")
    if isinstance(d.layout, Extension) or isinstance(d.quantization, PrivateScheme):
        wrong = count < expected
    else:
        wrong = count != expected
    if not wrong:
        return
    rule = _COUNT_RULE.get(d.layout.NAME)
    if rule is None:
        rule = "descriptor.buffers.count-dense" + ("" if d.quantization is None else "-quantized")
    message = f"{count} buffers where {expected} are needed"
    if count < least:
        judge.stop(rule, at, message)
    judge.reject(rule, at, message)
    if isinstance(d.quantization, PerTensor) and count > least:
        judge.reject("quant.pertensor.no-buffers", at, "parameters of the whole tensor stand in the descriptor")


def _check_parameter_indices(d: Descriptor, at: int, judge: Judge) -> None:
    least = baseline(d.layout, d.rank)
    assert d.quantization is not None
    for name, index, _ in quantization.parameters(d.quantization, 0):
        if index >= len(d.handles):
            judge.stop("quant.place.index-range", at, f"{name} is in buffer {index} of {len(d.handles)}")
        if index == 0:
            judge.stop("quant.place.distinct", at, f"{name} is in the data buffer")
        if index < least:
            judge.stop("quant.place.not-layout-buffer", at, f"{name} is in buffer {index}, which the layout uses")
    if isinstance(d.layout, BlockPaged):
        _check_paged_scheme(d, d.layout, at, judge)


def _check_paged_scheme(d: Descriptor, layout: BlockPaged, at: int, judge: Judge) -> None:
    scheme = d.quantization
    if isinstance(scheme, PerChannel) and scheme.axis == 0:
        judge.reject("layout.paged.quant-channel-axis", at + 4, "the paged axis cannot have channels")
    if isinstance(scheme, PerBlock) and (scheme.axis != 0 or scheme.block_size != layout.page_size):
        judge.reject("layout.paged.quant-block-axis", at + 4, "blocks of a paged tensor are its pages")


# ---- how large ------------------------------------------------------------------------------------------------------


def _demand(d: Descriptor, judge: Judge, number: int, need: int, rule: str, exact: bool) -> None:
    size, at = d.handles[number].byte_size, d.places.handle(number)
    if size < need:
        judge.reject(rule, at, f"buffer {number} has {size} bytes and needs {need}")
    elif exact and size > need:
        judge.note(rule, at, f"buffer {number} has {size} bytes and is to have {need}")


def _demand_elements(d: Descriptor, judge: Judge, count: int, rule: str, exact: bool) -> None:
    """Buffer 0 holds so many elements behind byte_offset. Six-bit elements take whole groups of four."""
    need = d.byte_offset + d.element.packed(count)
    if d.element.bits == 6 and d.byte_offset - (-count * 6 // 8) <= d.handles[0].byte_size < need:
        rule = "type.size.six-bit"
    _demand(d, judge, 0, need, rule, exact)


def _check_layout_sizes(d: Descriptor, judge: Judge) -> None:
    layout = d.layout
    check_count_fits(d.shape, d.places.shape, judge)
    if isinstance(layout, DENSE) and d.element.packed(prod(d.shape)) > U64_MAX:
        judge.reject("model.shape.element-count", d.places.shape, "more bytes than 64 bits can count")
    if isinstance(layout, Strided):
        _check_strided(d, layout, judge)
    elif isinstance(layout, DENSE):
        _check_dense(d, layout, judge)
    elif isinstance(layout, Coo):
        _demand_elements(d, judge, layout.nnz, "layout.coo.values-size", True)
        _demand(d, judge, 1, 8 * layout.nnz * d.rank, "layout.coo.indices-size", True)
    elif isinstance(layout, (Csr, Csc)):
        rule, lines = f"layout.{layout.NAME}.sizes", d.shape[0 if isinstance(layout, Csr) else 1]
        _demand_elements(d, judge, layout.nnz, rule, True)
        _demand(d, judge, 1, 8 * layout.nnz, rule, True)
        _demand(d, judge, 2, 8 * (lines + 1), rule, True)
    elif isinstance(layout, Csf):
        _check_csf(d, layout, judge)
    elif isinstance(layout, BlockPaged):
        elements = layout.num_pages * layout.page_size * d.shape[1] * d.shape[2]
        _demand_elements(d, judge, elements, "layout.paged.pool-size", False)
        need = layout.index_width * (layout.num_seqs + 1)
        _demand(d, judge, 2, need, "layout.paged.seq-ptr-size", True)


def check_count_fits(shape: tuple[int, ...], at: int, judge: Judge) -> None:
    if DYNAMIC not in shape and prod(shape) > U64_MAX:
        judge.reject("model.shape.element-count", at, "more elements than 64 bits can count")


def _check_strided(d: Descriptor, layout: Strided, judge: Judge) -> None:
    if 0 in d.shape:
        _note_not_empty(d, judge)
        return
    low, high = addressing.strided_extent(d.shape, layout.strides)
    first = d.element.place(d.byte_offset, low)[0]
    if d.element.bits == 6:
        first = d.byte_offset + low // 4 * 3
    inside = first >= 0 and d.element.end(d.byte_offset, high) <= d.handles[0].byte_size
    if not inside or low < I64_MIN or high > I64_MAX:
        judge.reject("layout.strided.bounds", d.places.handle(0), f"elements {low} to {high} leave the buffer")


def _check_dense(d: Descriptor, layout: Layout, judge: Judge) -> None:
    if 0 in d.shape:
        _note_not_empty(d, judge)
        return
    exact = isinstance(layout, Hilbert)
    _demand_elements(d, judge, addressing.elements_needed(layout, d.shape), _SIZE_RULE[layout.NAME], exact)
    scheme = d.quantization
    if isinstance(scheme, (PerBlock, Nf4)) and not exact and scheme.axis < d.rank:
        # A partial last block occupies a whole one.
        rounded = -(-d.shape[scheme.axis] // scheme.block_size) * scheme.block_size
        blocks = rounded * prod(size for k, size in enumerate(d.shape) if k != scheme.axis)
        need = d.byte_offset + d.element.packed(blocks)
        _demand(d, judge, 0, need, "quant.partial.storage-allocated", False)


def _note_not_empty(d: Descriptor, judge: Judge) -> None:
    if d.handles[0].byte_size:
        judge.note("model.empty.size-zero", d.places.handle(0), "an empty tensor with a data buffer that is not")


def _check_csf(d: Descriptor, layout: Csf, judge: Judge) -> None:
    """How many nodes a level has is known from the size of its coordinates."""
    rule = "layout.csf.sizes"
    _demand(d, judge, 0, d.element.packed(layout.nnz), rule, True)
    above = 8
    for level in range(d.rank):
        _demand(d, judge, 2 * level + 1, above + 8, rule, True)
        above = d.handles[2 * level + 2].byte_size
    _demand(d, judge, 2 * d.rank, 8 * layout.nnz, rule, True)


def _check_parameter_sizes(d: Descriptor, judge: Judge) -> None:
    found = parameter_buffers(d)
    if len(found) == 2 and found[0][1] == found[1][1]:
        # Shared: scales first, zero points behind them.
        need = found[0][2] + found[1][2]
        _demand(d, judge, found[0][1], need, _parameter_rule(d, "zero_point"), True)
        return
    for name, index, need in found:
        if need or not _count_unknown(d):
            _demand(d, judge, index, need, _parameter_rule(d, name), True)


def _parameter_rule(d: Descriptor, name: str) -> str:
    if isinstance(d.layout, BlockPaged) and isinstance(d.quantization, PerBlock):
        return "layout.paged.quant-scale-entries"
    assert d.quantization is not None
    return f"quant.{quantization.RULE_NAME[d.quantization.NAME]}.{name.replace('_', '-')}-size"


def is_simple(layout: Layout) -> bool:
    """Elements follow each other in the buffer without a gap."""
    return isinstance(layout, (RowMajor, ColumnMajor))
