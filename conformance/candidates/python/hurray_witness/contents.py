"""The rules on the bytes of buffers: sparse and paged invariants, reserved patterns, padding bits, parameters.

Owns the deep checks of one tensor whose buffers are at hand. Must not know the file but for the offsets of the
buffers. Each rule is told about once for each place of its first violation; a structure that is broken is not walked
further.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod

from . import addressing
from .cursor import unsigned
from .demands import is_simple, parameter_buffers
from .descriptor import Descriptor
from .elements import BY_TAG, EXPONENT
from .faults import Judge
from .layouts import (
    DENSE,
    DYNAMIC,
    SPARSE,
    BlockPaged,
    ColumnMajor,
    Coo,
    Csc,
    Csf,
    Csr,
    Hilbert,
    Morton,
    RowMajor,
    Strided,
    Tiled,
)
from .meaning import valid_scale
from .quantization import Mxfp, Nf4, PerBlock, PerChannel

MAX_SCATTERED = 1 << 20
_PADDING_RULE = {
    "bool": "type.bool.padding",
    "float4_e2m1": "type.float4.packing",
    "float6_e2m3": "type.float6.padding",
    "float6_e3m2": "type.float6.padding",
    "int4": "type.int4.padding",
    "uint4": "type.int4.padding",
    "int2": "type.int2.padding",
    "uint2": "type.int2.padding",
}


class Contents:
    """A tensor with its buffers and their file offsets."""

    def __init__(self, d: Descriptor, buffers: Sequence[memoryview], positions: Sequence[int], judge: Judge) -> None:
        self.d = d
        self.buffers = buffers
        self.positions = positions
        self.judge = judge

    def check(self) -> None:
        layout = self.d.layout
        if DYNAMIC in self.d.shape or self.d.is_head:
            return
        if isinstance(layout, Coo):
            self._check_coo(layout)
        elif isinstance(layout, Csr):
            self._check_lines(layout.nnz, self.d.shape[0], self.d.shape[1], "layout.csr.row-ptr", "layout.csr.cols")
        elif isinstance(layout, Csc):
            self._check_lines(layout.nnz, self.d.shape[1], self.d.shape[0], "layout.csc.col-ptr", "layout.csc.rows")
        elif isinstance(layout, Csf):
            self._check_csf(layout)
        elif isinstance(layout, BlockPaged):
            self._check_paged(layout)
        self._check_powers()
        self._check_padding_bits()
        self._check_partial_block()
        self._check_parameters()

    def numbers(self, buffer: int, count: int, width: int = 8) -> Sequence[int]:
        return unsigned(self.buffers[buffer], width)[:count]

    def _at(self, buffer: int, number: int, width: int = 8) -> int:
        return self.positions[buffer] + number * width

    # ---- sparse -----------------------------------------------------------------------------------------------------

    def _check_coo(self, layout: Coo) -> None:
        rank, shape, judge = self.d.rank, self.d.shape, self.judge
        flat = self.numbers(1, layout.nnz * rank)
        for d in range(rank):
            for n, value in enumerate(flat[d::rank]):
                if value >= shape[d]:
                    at = self._at(1, n * rank + d)
                    judge.reject("layout.coo.in-bounds", at, f"coordinate {value} along dimension {d}")
                    break
        tuples = [tuple(flat[n : n + rank]) for n in range(0, len(flat), rank)]
        ascending = all(a < b for a, b in zip(tuples, tuples[1:]))
        if ascending:
            return
        seen: set[tuple[int, ...]] = set()
        for n, coordinates in enumerate(tuples):
            if coordinates in seen:
                judge.reject("layout.coo.no-duplicates", self._at(1, n * rank), f"{coordinates} occurs twice")
                break
            seen.add(coordinates)
        if layout.is_sorted:
            n = next(n for n, (a, b) in enumerate(zip(tuples, tuples[1:])) if a >= b) + 1
            judge.reject("layout.coo.sorted", self._at(1, n * rank), f"entry {n} is out of order")

    def _check_lines(self, nnz: int, lines: int, width: int, pointers: str, across: str) -> None:
        judge, ptr = self.judge, self.numbers(2, lines + 1)
        if ptr[0] != 0:
            judge.reject(pointers + "-ends", self._at(2, 0), f"the first pointer is {ptr[0]}")
        if ptr[lines] != nnz:
            judge.reject(pointers + "-ends", self._at(2, lines), f"the last pointer is {ptr[lines]} of {nnz}")
        monotone = self._check_monotone(2, ptr, pointers + "-monotone")
        indices = self.numbers(1, nnz)
        for n, value in enumerate(indices):
            if value >= width:
                judge.reject(across + "-in-bounds", self._at(1, n), f"index {value} of {width}")
                break
        if monotone and ptr[lines] <= nnz:
            self._check_slices(1, ptr, indices, across + "-sorted")

    def _check_monotone(self, buffer: int, pointers: Sequence[int], rule: str, width: int = 8) -> bool:
        for n, (a, b) in enumerate(zip(pointers, pointers[1:])):
            if a > b:
                self.judge.reject(rule, self._at(buffer, n + 1, width), f"pointer {n + 1} goes back from {a} to {b}")
                return False
        return True

    def _check_slices(self, buffer: int, pointers: Sequence[int], values: Sequence[int], rule: str) -> None:
        """Within each slice the values strictly increase."""
        starts = set(pointers)
        for n in range(1, len(values)):
            if values[n] <= values[n - 1] and n not in starts:
                self.judge.reject(rule, self._at(buffer, n), f"entry {n} does not increase")
                return

    def _check_csf(self, layout: Csf) -> None:
        judge, above = self.judge, 1
        if layout.nnz == 0 and any(handle.byte_size for handle in self.d.handles[2 : 2 * self.d.rank + 1 : 2]):
            at = self.d.places.handle(2)
            judge.reject("layout.csf.empty-form", at, "nodes above no element")
        for level, dimension in enumerate(layout.mode_order):
            pos_at, crd_at = 2 * level + 1, 2 * level + 2
            pos = self.numbers(pos_at, above + 1)
            crd = self.numbers(crd_at, self.d.handles[crd_at].byte_size // 8)
            if len(pos) <= above:
                at = self.d.places.handle(pos_at)
                judge.reject("layout.csf.sizes", at, f"{len(pos)} pointers above {above} nodes")
                return
            if pos[0] != 0:
                judge.reject("layout.csf.pos-start", self._at(pos_at, 0), f"level {level} starts at {pos[0]}")
            monotone = self._check_monotone(pos_at, pos, "layout.csf.pos-monotone")
            nodes = layout.nnz if level == self.d.rank - 1 else len(crd)
            if pos[above] != nodes:
                at = self._at(pos_at, above)
                judge.reject("layout.csf.pos-terminal", at, f"level {level} ends at {pos[above]} of {nodes}")
            size = self.d.shape[dimension]
            for n, value in enumerate(crd):
                if value >= size:
                    judge.reject("layout.csf.crd-in-bounds", self._at(crd_at, n), f"coordinate {value} of {size}")
                    break
            if monotone and pos[above] <= len(crd):
                self._check_slices(crd_at, pos, crd, "layout.csf.crd-sorted")
            above = len(crd)

    def _check_paged(self, layout: BlockPaged) -> None:
        judge, width = self.judge, layout.index_width
        ptr = self.numbers(2, layout.num_seqs + 1, width)
        pages = len(self.buffers[1]) // width
        table = self.numbers(1, pages, width)
        if len(self.buffers[1]) % width:
            at = self.d.places.handle(1)
            judge.reject("layout.paged.seq-ptr-size", at, "the block table ends within an entry")
        if ptr[0] != 0:
            judge.reject("layout.paged.seq-ptr-ends", self._at(2, 0, width), f"the first pointer is {ptr[0]}")
        if ptr[-1] != pages:
            at = self._at(2, layout.num_seqs, width)
            judge.reject("layout.paged.seq-ptr-ends", at, f"the last pointer is {ptr[-1]} of {pages}")
        self._check_monotone(2, ptr, "layout.paged.seq-ptr-monotone", width)
        for n, page in enumerate(table):
            if page >= layout.num_pages:
                judge.reject("layout.paged.page-ids", self._at(1, n, width), f"page {page} of {layout.num_pages}")
                break
        if self.d.shape[0] > ptr[-1] * layout.page_size:
            at = self.d.places.shape
            judge.reject("layout.paged.seq-ptr-size", at, f"{self.d.shape[0]} tokens on {ptr[-1]} pages")

    # ---- elements ---------------------------------------------------------------------------------------------------

    def _linear(self) -> Iterator[int]:
        """Linear offsets of all elements, as far as there are few enough of them to be visited one by one."""
        d, layout = self.d, self.d.layout
        count = prod(d.shape)
        if isinstance(layout, SPARSE):
            yield from range(layout.nnz)
        elif is_simple(layout) or isinstance(layout, Hilbert):
            yield from range(count)
        elif isinstance(layout, (Strided, Tiled, Morton)) and count <= MAX_SCATTERED:
            for index in addressing.all_indices(d.shape):
                yield addressing.dense_offset(layout, d.shape, index)
        elif isinstance(layout, BlockPaged):
            yield from range(layout.num_pages * layout.page_size * d.shape[1] * d.shape[2])

    def _check_powers(self) -> None:
        """A float8_e8m0 is never 0x00 or 0xFF."""
        data = self.buffers[0]
        if self.d.element.kind != EXPONENT or not ({0x00, 0xFF} & set(data)):
            return
        for linear in self._linear():
            byte = self.d.byte_offset + linear
            if 0 <= byte < len(data) and data[byte] in (0x00, 0xFF):
                at = self.positions[0] + byte
                self.judge.reject("type.float8-e8m0.reject", at, f"{data[byte]:#04x} is no power of two")
                return

    def _check_padding_bits(self) -> None:
        """The bits behind the last element of a packed run are zero."""
        d, layout = self.d, self.d.layout
        if d.element.name not in _PADDING_RULE:
            return
        if isinstance(layout, SPARSE):
            count = layout.nnz
        elif isinstance(layout, BlockPaged):
            count = layout.num_pages * layout.page_size * d.shape[1] * d.shape[2]
        elif isinstance(layout, DENSE) and not isinstance(layout, Strided):
            count = addressing.elements_needed(layout, d.shape)
        else:
            return
        self._check_zero_from(count, d.element.packed(count), _PADDING_RULE[d.element.name])

    def _check_zero_from(self, count: int, length: int, rule: str) -> None:
        """Everything behind `count` elements of the `length` bytes from byte_offset on is zero."""
        d, start = self.d, self.d.byte_offset
        byte, bit = d.element.place(start, count)
        rest = bytes(self.buffers[0][byte : start + length])
        if rest and (rest[0] >> bit or any(rest[1:])):
            self.judge.note(rule, self.positions[0] + byte, "padding that is not zero")

    def _check_partial_block(self) -> None:
        """Where the unused part of the last blocks is one run at the end, it is zero."""
        d, scheme = self.d, self.d.quantization
        if not isinstance(scheme, (PerBlock, Nf4)) or 0 in d.shape:
            return
        first = isinstance(d.layout, RowMajor) and scheme.axis == 0
        if not first and not (isinstance(d.layout, ColumnMajor) and scheme.axis == d.rank - 1):
            return
        size = d.shape[scheme.axis]
        count = prod(d.shape)
        whole = -(-size // scheme.block_size) * scheme.block_size * (count // size)
        if whole > count:
            self._check_zero_from(count, d.element.packed(whole), "quant.partial.storage-allocated")

    # ---- parameters -------------------------------------------------------------------------------------------------

    def _check_parameters(self) -> None:
        scheme = self.d.quantization
        if not isinstance(scheme, (PerChannel, PerBlock, Nf4, Mxfp)):
            return
        arrays = parameter_buffers(self.d)
        _, buffer, length = arrays[0]
        if isinstance(scheme, Mxfp):
            width, rule = 1, "quant.mxfp.scale-reserved"
        else:
            element = BY_TAG[0x03 if isinstance(scheme, Nf4) else scheme.scale_type_tag]
            width, rule = element.packed(1), f"quant.{scheme.NAME.replace('_', '')}.scale-values"
        data = self.buffers[buffer][:length]
        for start in range(0, len(data) - width + 1, width):
            code = int.from_bytes(data[start : start + width], "little")
            if not valid_scale(scheme, code):
                self.judge.reject(rule, self.positions[buffer] + start, f"scale {code:#x}")
                break
        if isinstance(scheme, PerChannel) and len(arrays) == 2:
            self._check_zero_points(arrays)

    def _check_zero_points(self, arrays: list[tuple[str, int, int]]) -> None:
        low, high = self.d.element.integer_range()
        _, buffer, length = arrays[1]
        base = arrays[0][2] if arrays[0][1] == buffer else 0
        data = self.buffers[buffer][base : base + length]
        for start in range(0, len(data) - 3, 4):
            zero = int.from_bytes(data[start : start + 4], "little", signed=True)
            if not low <= zero <= high:
                at = self.positions[buffer] + base + start
                self.judge.reject("quant.perchannel.zero-point-values", at, f"zero point {zero}")
                return
