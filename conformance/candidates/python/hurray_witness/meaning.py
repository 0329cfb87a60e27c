"""The meaning of one element: where it is stored and which value it has.

Owns lookup in every layout and the dequantization formulas. Must not know the whole of a tensor: it fetches only the
bytes that decide, and every fetch is checked against the buffer it reads from.
"""

from __future__ import annotations

import math
import struct
from bisect import bisect_left
from collections.abc import Generator
from dataclasses import dataclass

from . import addressing
from .cursor import unsigned
from .demands import parameter_buffers
from .descriptor import Descriptor
from .elements import BY_TAG, EXPONENT, OPAQUE, float32_bits, float32_value, integer_of, number_of, round32, text_of
from .faults import BeyondLimit, Refused, Unsupported
from .jobs import MAX_MEMORY, Plan, Want
from .layouts import DENSE, DYNAMIC, BlockPaged, Coo, Csc, Csf, Csr
from .quantization import (
    NF4_LEVELS,
    RULE_NAME,
    SYMMETRIC,
    Mxfp,
    Nf4,
    PerBlock,
    PerChannel,
    PerTensor,
    PrivateScheme,
    scale_index,
)
from .reader import Reader, Tensor

Index = tuple[int, ...]
Bytes = Generator[Want, memoryview, bytes]
ZERO = "00000000"


@dataclass(frozen=True)
class Place:
    """Byte and bit of an element in buffer 0, and for paged tensors the slot of the pool it is in."""

    byte: int
    bit: int
    slot: int = 0


class Finder:
    """Lookup in one tensor."""

    def __init__(self, reader: Reader, tensor: Tensor) -> None:
        self.judge = reader.judge
        self.tensor = tensor
        self.d: Descriptor = tensor.descriptor
        self.positions = reader.positions(tensor)

    def fetch(self, buffer: int, start: int, length: int) -> Bytes:
        """Bytes of a buffer; outside of it there is nothing to find."""
        size = self.d.handles[buffer].byte_size
        if start < 0 or start + length > size:
            at = self.d.places.handle(buffer)
            self.judge.stop("layout.common.address-in-bounds", at, f"bytes {start}+{length} of a buffer of {size}")
        if length == 0:
            return b""
        if length > MAX_MEMORY:
            raise BeyondLimit(f"an index of {length} bytes")
        return bytes((yield Want(self.positions[buffer] + start, length)))

    def numbers(self, buffer: int, start: int, count: int, width: int = 8) -> Plan[list[int]]:
        raw = yield from self.fetch(buffer, start * width, count * width)
        return list(unsigned(raw, width))

    def slice_of(self, buffer: int, number: int, most: int, rule: str, width: int = 8) -> Plan[tuple[int, int]]:
        """Entries `number` and `number + 1` of a pointer array, which bound a slice of `most` entries."""
        first, last = yield from self.numbers(buffer, number, 2, width)
        if not first <= last <= most:
            at = self.positions[buffer] + number * width
            self.judge.stop(rule, at, f"slice {first} to {last} of {most} entries")
        return first, last

    # ---- where ------------------------------------------------------------------------------------------------------

    def locate(self, index: Index) -> Plan[Place | None]:
        """None is a zero that is not stored."""
        d, layout = self.d, self.d.layout
        if d.is_head:
            raise Refused("a head has no elements of its own")
        if d.element.bits == 0 or isinstance(d.quantization, PrivateScheme):
            raise Unsupported("elements of an unknown type or scheme")
        if DYNAMIC in d.shape:
            raise Refused("the shape is dynamic")
        if isinstance(layout, BlockPaged):
            return (yield from self._locate_paged(layout, index))
        if len(index) != d.rank or any(not 0 <= i < size for i, size in zip(index, d.shape)):
            raise Refused(f"{index} is not in {d.shape}")
        if isinstance(layout, DENSE):
            return self._place(addressing.dense_offset(layout, d.shape, index))
        if isinstance(layout, Coo):
            found = yield from self._find_coo(layout, index)
        elif isinstance(layout, Csr):
            found = yield from self._find_line(layout.nnz, index[0], index[1], "layout.csr.row-ptr-monotone")
        elif isinstance(layout, Csc):
            found = yield from self._find_line(layout.nnz, index[1], index[0], "layout.csc.col-ptr-monotone")
        elif isinstance(layout, Csf):
            found = yield from self._find_csf(layout, index)
        else:
            raise Unsupported(f"elements of layout {layout.NAME}")
        return None if found is None else self._place(found)

    def _place(self, linear: int, slot: int = 0) -> Place:
        d = self.d
        byte, bit = d.element.place(d.byte_offset, linear)
        last = d.element.place(d.byte_offset, linear)[0] + -(-(bit + d.element.bits) // 8)
        if byte < 0 or last > d.handles[0].byte_size:
            self.judge.stop("layout.common.address-in-bounds", d.places.handle(0), f"an element at byte {byte}")
        return Place(byte, bit, slot)

    def _find_coo(self, layout: Coo, index: Index) -> Plan[int | None]:
        """A search for the bytes of the coordinates, which works for any order of the entries."""
        raw = yield from self.fetch(1, 0, 8 * layout.nnz * len(index))
        key = struct.pack(f"<{len(index)}Q", *index)
        found = raw.find(key)
        while found >= 0 and found % len(key):
            found = raw.find(key, found + 1)
        return None if found < 0 else found // len(key)

    def _find_line(self, nnz: int, line: int, across: int, rule: str) -> Plan[int | None]:
        """In a row of a csr matrix or a column of a csc matrix."""
        first, last = yield from self.slice_of(2, line, nnz, rule)
        return (yield from self._bisect(1, first, last, across))

    def _bisect(self, buffer: int, first: int, last: int, wanted: int) -> Plan[int | None]:
        numbers = yield from self.numbers(buffer, first, last - first)
        k = bisect_left(numbers, wanted)
        return first + k if k < len(numbers) and numbers[k] == wanted else None

    def _find_csf(self, layout: Csf, index: Index) -> Plan[int | None]:
        found: int | None = 0
        if sorted(layout.mode_order) != list(range(self.d.rank)):
            raise Unsupported("elements of a tree whose levels are no permutation of the dimensions")
        for level, dimension in enumerate(layout.mode_order):
            assert found is not None
            crd = 2 * level + 2
            nodes = self.d.handles[crd].byte_size // 8
            first, last = yield from self.slice_of(crd - 1, found, nodes, "layout.csf.pos-monotone")
            found = yield from self._bisect(crd, first, last, index[dimension])
            if found is None:
                return None
        return found

    def _locate_paged(self, layout: BlockPaged, index: Index) -> Plan[Place | None]:
        """The index is sequence, token of the sequence, head, component."""
        d, width = self.d, layout.index_width
        if len(index) != 4:
            raise Refused("a paged tensor is asked for sequence, token, head and component")
        sequence, token, head, component = index
        inside = 0 <= sequence < layout.num_seqs and token >= 0
        if not inside or not 0 <= head < d.shape[1] or not 0 <= component < d.shape[2]:
            raise Refused(f"{index} is not in the tensor")
        pages = d.handles[1].byte_size // width
        first, last = yield from self.slice_of(2, sequence, pages, "layout.paged.seq-ptr-monotone", width)
        number = first + token // layout.page_size
        if number >= last:
            raise Refused(f"sequence {sequence} has no token {token}")
        page = (yield from self.numbers(1, number, 1, width))[0]
        if page >= layout.num_pages:
            at = self.positions[1] + number * width
            self.judge.stop("layout.paged.page-ids", at, f"page {page} of {layout.num_pages}")
        slot = addressing.paged_slot(layout, page, token)
        return self._place((slot * d.shape[1] + head) * d.shape[2] + component, slot)

    # ---- what -------------------------------------------------------------------------------------------------------

    def decode(self, index: Index) -> Plan[str]:
        d = self.d
        if d.element.kind == OPAQUE or isinstance(d.quantization, PrivateScheme):
            raise Unsupported("the meaning of a private type or scheme")
        place = yield from self.locate(index)
        if place is None:
            return text_of(d.element, 0) if d.quantization is None else ZERO
        length = -(-(place.bit + d.element.bits) // 8)
        raw = yield from self.fetch(0, place.byte, length)
        code = d.element.code(raw, 0, place.bit)
        if d.quantization is not None:
            return f"{(yield from self._dequantize(code, index, place)):08x}"
        if d.element.kind == EXPONENT and code in (0x00, 0xFF):
            at = self.positions[0] + place.byte
            self.judge.stop("type.float8-e8m0.reject", at, f"{code:#04x} is no power of two")
        return text_of(d.element, code)

    def _dequantize(self, code: int, index: Index, place: Place) -> Plan[int]:
        """Bits of the float32 an element stands for."""
        d, scheme = self.d, self.d.quantization
        if isinstance(scheme, PerTensor):
            scale = float32_value(scheme.scale)
            return float32_bits(scale * round32(integer_of(d.element, code) - scheme.zero_point))
        assert isinstance(scheme, (PerChannel, PerBlock, Nf4, Mxfp))
        number = self._scale_number(scheme, index, place)
        arrays = parameter_buffers(d)
        scale = yield from self._scale(scheme, arrays[0][1], number)
        if isinstance(scheme, Nf4):
            return float32_bits(scale * NF4_LEVELS[code])
        if isinstance(scheme, Mxfp):
            return float32_bits(scale * number_of(d.element, code))
        zero = 0
        if not scheme.flags & SYMMETRIC:
            shared = arrays[0][2] if arrays[0][1] == arrays[1][1] else 0
            raw = yield from self.fetch(arrays[1][1], shared + 4 * number, 4)
            zero = int.from_bytes(raw, "little", signed=True)
            low, high = d.element.integer_range()
            if isinstance(scheme, PerChannel) and not low <= zero <= high:
                at = self.positions[arrays[1][1]] + shared + 4 * number
                self.judge.stop("quant.perchannel.zero-point-values", at, f"zero point {zero}")
        return float32_bits(scale * round32(integer_of(d.element, code) - zero))

    def _scale_number(self, scheme: PerChannel | PerBlock | Nf4 | Mxfp, index: Index, place: Place) -> int:
        d = self.d
        if isinstance(d.layout, BlockPaged):
            if isinstance(scheme, PerBlock):
                return place.slot
            if isinstance(scheme, PerChannel):
                return index[scheme.axis + 1]
        elif isinstance(d.layout, DENSE) or isinstance(scheme, PerChannel):
            return scale_index(scheme, d.shape, index)
        raise Unsupported(f"{scheme.NAME} of layout {d.layout.NAME}")

    def _scale(self, scheme: PerChannel | PerBlock | Nf4 | Mxfp, buffer: int, number: int) -> Plan[float]:
        tag = 66 if isinstance(scheme, Mxfp) else 3 if isinstance(scheme, Nf4) else scheme.scale_type_tag
        element = BY_TAG[tag]
        width = element.packed(1)
        raw = yield from self.fetch(buffer, number * width, width)
        code, at = element.code(raw, 0, 0), self.positions[buffer] + number * width
        if not valid_scale(scheme, code):
            name = RULE_NAME[scheme.NAME]
            rule = "quant.mxfp.scale-reserved" if name == "mxfp" else f"quant.{name}.scale-values"
            self.judge.stop(rule, at, f"scale {code:#x}")
        return number_of(element, code)


def valid_scale(scheme: PerChannel | PerBlock | Nf4 | Mxfp, code: int) -> bool:
    """Whether the bits of a scale are one the scheme allows."""
    if isinstance(scheme, Mxfp):
        return code not in (0x00, 0xFF)
    value = number_of(BY_TAG[0x03 if isinstance(scheme, Nf4) else scheme.scale_type_tag], code)
    if not math.isfinite(value):
        return False
    return value >= 0 if isinstance(scheme, Nf4) else value != 0


def locate(reader: Reader, name: str, index: Index) -> Plan[Place | None]:
    tensor = yield from reader.describe(name)
    return (yield from Finder(reader, tensor).locate(index))


def decode(reader: Reader, name: str, index: Index) -> Plan[str]:
    tensor = yield from reader.describe(name)
    return (yield from Finder(reader, tensor).decode(index))
