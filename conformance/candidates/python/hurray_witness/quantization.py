"""Quantization: how stored codes stand for real numbers.

Owns the five schemes, their bytes, the rules on their fields and the formulas. Must not know files; the sizes of
parameter buffers come from here, whether the buffers have them is judged in `demands`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, fields
from math import prod
from typing import ClassVar

from .cursor import U64_MAX, Cursor, Packer, is_power_of_two
from .elements import BY_NAME, BY_TAG, ElementType, float32_value
from .faults import Judge

DYNAMIC = U64_MAX
NO_BUFFER = 0xFFFFFFFF
SYMMETRIC = 1
I32_MAX = (1 << 31) - 1


def _tags(names: str) -> frozenset[int]:
    return frozenset(BY_NAME[name].tag for name in names.split())


_NARROW = "int8 uint8 int4 uint4 int2 uint2"
_INTEGERS = _tags(_NARROW + " int16 uint16 int32 uint32")


@dataclass(frozen=True)
class PerTensor:
    """One scale and zero point for all; the scale is carried as its bits."""

    NAME: ClassVar[str] = "per_tensor"
    TAG: ClassVar[int] = 0x01
    SIZE: ClassVar[int] = 16
    FLAGS: ClassVar[int] = 0
    STORAGE: ClassVar[frozenset[int]] = _INTEGERS
    flags: int
    scale: int
    zero_point: int

    def encode(self, packer: Packer) -> None:
        packer.u32(self.scale).number(self.zero_point, 4, signed=True).raw(bytes(4))


@dataclass(frozen=True)
class PerChannel:
    """A scale and a zero point for each index along one axis."""

    NAME: ClassVar[str] = "per_channel"
    TAG: ClassVar[int] = 0x02
    SIZE: ClassVar[int] = 20
    FLAGS: ClassVar[int] = SYMMETRIC
    STORAGE: ClassVar[frozenset[int]] = _INTEGERS
    flags: int
    axis: int
    scale_buffer_index: int
    zero_point_buffer_index: int = NO_BUFFER
    scale_type_tag: int = 0x03

    def encode(self, packer: Packer) -> None:
        packer.u32(self.axis).u32(self.scale_buffer_index).u32(self.zero_point_buffer_index)
        packer.u8(self.scale_type_tag).raw(bytes(3))


@dataclass(frozen=True)
class PerBlock:
    """A scale and a zero point for each run of `block_size` elements along one axis."""

    NAME: ClassVar[str] = "per_block"
    TAG: ClassVar[int] = 0x03
    SIZE: ClassVar[int] = 24
    FLAGS: ClassVar[int] = SYMMETRIC
    STORAGE: ClassVar[frozenset[int]] = _tags(_NARROW)
    flags: int
    axis: int
    block_size: int
    scale_buffer_index: int
    zero_point_buffer_index: int = NO_BUFFER
    scale_type_tag: int = 0x03

    def encode(self, packer: Packer) -> None:
        packer.u32(self.axis).u32(self.block_size).u32(self.scale_buffer_index).u32(self.zero_point_buffer_index)
        packer.u8(self.scale_type_tag).raw(bytes(3))


@dataclass(frozen=True)
class Nf4:
    """Sixteen fixed levels, scaled by block."""

    NAME: ClassVar[str] = "nf4"
    TAG: ClassVar[int] = 0x04
    SIZE: ClassVar[int] = 16
    FLAGS: ClassVar[int] = 0
    STORAGE: ClassVar[frozenset[int]] = _tags("uint4")
    flags: int
    axis: int
    block_size: int
    scale_buffer_index: int

    def encode(self, packer: Packer) -> None:
        packer.u32(self.axis).u32(self.block_size).u32(self.scale_buffer_index)


@dataclass(frozen=True)
class Mxfp:
    """Narrow numbers with a shared power of two by block."""

    NAME: ClassVar[str] = "mxfp"
    TAG: ClassVar[int] = 0x05
    SIZE: ClassVar[int] = 16
    FLAGS: ClassVar[int] = 0
    STORAGE: ClassVar[frozenset[int]] = _tags("float8_e4m3 float8_e5m2 float4_e2m1 float6_e2m3 float6_e3m2 int8 int4")
    flags: int
    axis: int
    block_size: int
    scale_buffer_index: int

    def encode(self, packer: Packer) -> None:
        packer.u32(self.axis).u32(self.block_size).u32(self.scale_buffer_index)


@dataclass(frozen=True)
class PrivateScheme:
    """A scheme known by agreement only, or not at all: its bytes are kept, nothing is decoded by it."""

    tag: int
    flags: int
    payload: bytes
    version: int = 1

    @property
    def NAME(self) -> str:  # noqa: N802
        return f"{self.tag:#04x}"

    def encode(self, packer: Packer) -> None:
        packer.raw(self.payload)


Scheme = PerTensor | PerChannel | PerBlock | Nf4 | Mxfp | PrivateScheme
SCHEMES = (PerTensor, PerChannel, PerBlock, Nf4, Mxfp)
BLOCKED = (PerBlock, Nf4, Mxfp)
_BY_TAG: dict[int, type[PerTensor | PerChannel | PerBlock | Nf4 | Mxfp]] = {scheme.TAG: scheme for scheme in SCHEMES}
# Rule ids name the schemes without the underscore.
RULE_NAME = {scheme.NAME: scheme.NAME.replace("_", "") for scheme in SCHEMES}


def as_fields(scheme: Scheme) -> dict[str, object]:
    if isinstance(scheme, PrivateScheme):
        return {"flags": scheme.flags}
    return {field.name: getattr(scheme, field.name) for field in fields(scheme)}


def encode(scheme: Scheme) -> bytes:
    tag, version = (scheme.tag, scheme.version) if isinstance(scheme, PrivateScheme) else (scheme.TAG, 1)
    packer = Packer().u8(tag).u8(version).u16(scheme.flags)
    scheme.encode(packer)
    return packer.done()


# ---- reading --------------------------------------------------------------------------------------------------------


def parse(data: bytes, base: int, judge: Judge, agreed: frozenset[int]) -> Scheme:
    """The scheme alone; what follows its fields inside the section is skipped."""
    cursor = Cursor(data, base, judge, "quant.header.overread")
    tag, version, flags = cursor.u8(), cursor.u8(), cursor.u16()
    if tag in (0x00, 0xFF):
        judge.stop("quant.tag.zero-ff-reject", base, f"scheme tag {tag:#04x}")
    if tag not in _BY_TAG:
        if tag < 0xF0 or tag not in agreed:
            judge.unknown("quant.header.unknown-reject", base, f"unknown scheme tag {tag:#04x}")
        return PrivateScheme(tag, flags, cursor.take(cursor.left), version)
    if version > 1:
        judge.stop("quant.header.version-reject", base + 1, f"scheme version {version}")
    if version == 0:
        judge.stop("quant.header.version-one", base + 1, "scheme version 0")
    scheme = _BY_TAG[tag]
    if flags & ~scheme.FLAGS:
        name = "quant.header.flags-reserved-reject" if scheme.FLAGS else f"quant.{RULE_NAME[scheme.NAME]}.flags-zero"
        judge.reject(name, base + 2, f"flags {flags:#06x}")
    if cursor.left + 4 < scheme.SIZE:
        judge.stop("quant.header.overread", base, f"{len(data)} bytes for a scheme of {scheme.SIZE}")
    return _READERS[tag](cursor, flags)


def _per_tensor(cursor: Cursor, flags: int) -> Scheme:
    scale, zero_point = cursor.u32(), cursor.i32()
    value = float32_value(scale)
    if value == 0 or not math.isfinite(value):
        cursor.judge.reject("quant.pertensor.scale", cursor.base + 4, f"scale {value}")
    cursor.zeros(4, "quant.pertensor.reserved-reject")
    return PerTensor(flags, scale, zero_point)


def _per_channel(cursor: Cursor, flags: int) -> Scheme:
    scheme = PerChannel(flags, cursor.u32(), cursor.u32(), cursor.u32(), cursor.u8())
    if scheme.scale_type_tag != 0x03:
        cursor.judge.stop("quant.perchannel.scale-type", cursor.base + 16, f"scale type {scheme.scale_type_tag:#04x}")
    cursor.zeros(3, "quant.perchannel.reserved-reject")
    if flags & SYMMETRIC and scheme.zero_point_buffer_index != NO_BUFFER:
        cursor.judge.reject("quant.perchannel.symmetric-index", cursor.base + 12, "symmetric, yet with a zero point")
    return scheme


def _per_block(cursor: Cursor, flags: int) -> Scheme:
    scheme = PerBlock(flags, cursor.u32(), cursor.u32(), cursor.u32(), cursor.u32(), cursor.u8())
    if scheme.scale_type_tag not in (0x01, 0x02, 0x03):
        cursor.judge.stop("quant.perblock.scale-type", cursor.base + 20, f"scale type {scheme.scale_type_tag:#04x}")
    cursor.zeros(3, "quant.perblock.reserved")
    if flags & SYMMETRIC and scheme.zero_point_buffer_index != NO_BUFFER:
        cursor.judge.note("quant.perblock.symmetric-index", cursor.base + 16, "symmetric, yet with a zero point")
    return scheme


def _nf4(cursor: Cursor, flags: int) -> Scheme:
    return Nf4(flags, cursor.u32(), cursor.u32(), cursor.u32())


def _mxfp(cursor: Cursor, flags: int) -> Scheme:
    return Mxfp(flags, cursor.u32(), cursor.u32(), cursor.u32())


_READERS: dict[int, Callable[[Cursor, int], Scheme]] = {
    0x01: _per_tensor,
    0x02: _per_channel,
    0x03: _per_block,
    0x04: _nf4,
    0x05: _mxfp,
}


# ---- the scheme against the tensor ----------------------------------------------------------------------------------


def check(scheme: Scheme, element: ElementType, shape: tuple[int, ...], base: int, type_at: int, judge: Judge) -> None:
    """Storage type, zero point, axis and block size."""
    if isinstance(scheme, PrivateScheme):
        return
    name = RULE_NAME[scheme.NAME]
    if element.tag not in scheme.STORAGE:
        judge.stop(f"quant.{name}.storage", type_at, f"{scheme.NAME} cannot store {element.name}")
    if isinstance(scheme, PerTensor):
        low, high = element.integer_range()
        if not low <= scheme.zero_point <= min(high, I32_MAX):
            judge.reject("quant.pertensor.zero-point-range", base + 8, f"zero point {scheme.zero_point}")
        return
    if scheme.axis >= len(shape):
        judge.stop(f"quant.{name}.axis", base + 4, f"axis {scheme.axis} of a tensor of rank {len(shape)}")
    size = shape[scheme.axis]
    if size == DYNAMIC:
        judge.stop("model.dynamic.quant-axis-reject", base + 4, "the quantized axis is dynamic")
    if not isinstance(scheme, PerChannel):
        _check_block(scheme, size, name, base + 8, judge)


def _check_block(scheme: PerBlock | Nf4 | Mxfp, size: int, name: str, at: int, judge: Judge) -> None:
    block = scheme.block_size
    least = {"perblock": 2, "nf4": 8, "mxfp": 16}[name]
    if not is_power_of_two(block) or block < least or (name == "mxfp" and block > 2048):
        judge.stop(f"quant.{name}.block-size", at, f"block size {block}")
    if name == "mxfp":
        if size == 0 or size % block:
            judge.reject("quant.mxfp.block-multiple", at, f"{size} elements in blocks of {block}")
    elif block > size > 0:
        judge.reject(f"quant.{name}.block-le-axis", at, f"blocks of {block} along {size} elements")


def parameters(scheme: Scheme, count: int) -> list[tuple[str, int, int]]:
    """Parameter buffers as (name, buffer index, bytes), for `count` scales."""
    if isinstance(scheme, (PerTensor, PrivateScheme)):
        return []
    if isinstance(scheme, Nf4):
        return [("scale", scheme.scale_buffer_index, 4 * count)]
    if isinstance(scheme, Mxfp):
        return [("scale", scheme.scale_buffer_index, count)]
    found = [("scale", scheme.scale_buffer_index, BY_TAG[scheme.scale_type_tag].packed(count))]
    if not scheme.flags & SYMMETRIC:
        found.append(("zero_point", scheme.zero_point_buffer_index, 4 * count))
    return found


def scale_count(scheme: PerChannel | PerBlock | Nf4 | Mxfp, shape: tuple[int, ...]) -> int:
    """Number of scales of a tensor that is not paged."""
    if isinstance(scheme, PerChannel):
        return shape[scheme.axis]
    others = prod(size for k, size in enumerate(shape) if k != scheme.axis)
    return -(-shape[scheme.axis] // scheme.block_size) * others


def scale_index(scheme: PerChannel | PerBlock | Nf4 | Mxfp, shape: tuple[int, ...], index: tuple[int, ...]) -> int:
    """Which scale an element has. Blocks are counted in row-major order whatever the layout of the tensor."""
    if isinstance(scheme, PerChannel):
        return index[scheme.axis]
    outer = 0
    for k, (size, i) in enumerate(zip(shape, index)):
        if k != scheme.axis:
            outer = outer * size + i
    return outer * -(-shape[scheme.axis] // scheme.block_size) + index[scheme.axis] // scheme.block_size


NF4_LEVELS = (
    -1.0,
    -0.6961928009986877,
    -0.5250730514526367,
    -0.39491748809814453,
    -0.28444138169288635,
    -0.18477343022823334,
    -0.09105003625154495,
    0.0,
    0.07958029955625534,
    0.16093020141124725,
    0.24611230194568634,
    0.33791524171829224,
    0.44070982933044434,
    0.5626170039176941,
    0.7229568362236023,
    1.0,
)
