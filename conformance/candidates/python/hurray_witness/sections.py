"""The optional sections of a descriptor besides quantization: shard, statistics, extension type, composite member.

Owns their bytes and the rules that need nothing but the section and the shape. Must not know layouts or files.
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass, fields

from .cursor import U64_MAX, Cursor, Packer
from .faults import Judge

DYNAMIC = U64_MAX
CORRECTION, BASE = 0, 1


@dataclass(frozen=True)
class Shard:
    """The tensor is the box of `parent_shape` that begins at `shard_offset`."""

    parent_shape: tuple[int, ...]
    shard_offset: tuple[int, ...]

    def encode(self, packer: Packer) -> None:
        packer.u64s(self.parent_shape).u64s(self.shard_offset)


def parse_shard(cursor: Cursor, shape: tuple[int, ...]) -> Shard:
    start, rank, judge = cursor.offset, len(shape), cursor.judge
    shard = Shard(cursor.u64s(rank), cursor.u64s(rank))
    for k in range(rank):
        if DYNAMIC in (shape[k], shard.parent_shape[k]):
            judge.reject("descriptor.shard.no-dynamic", start + 8 * k, f"dimension {k} of a shard is dynamic")
        elif shard.shard_offset[k] + shape[k] > shard.parent_shape[k]:
            at = start + 8 * (rank + k)
            judge.reject("descriptor.shard.bounds-reject", at, f"the shard leaves its parent along dimension {k}")
    return shard


@dataclass(frozen=True)
class Statistics:
    """Advisory: nothing may depend on it. Floats are the bits of a float64."""

    computed_mask: int
    nnz: int = 0
    sparsity_ratio: int = 0
    value_min: int = 0
    value_max: int = 0
    value_abs_max: int = 0
    value_mean: int = 0
    value_stddev: int = 0
    nm_n: int = 0
    nm_m: int = 0
    has_nan: int = 0
    has_inf: int = 0

    def encode(self, packer: Packer) -> None:
        packer.u32(self.computed_mask).u32(0).u64(self.nnz)
        packer.u64s((self.sparsity_ratio, self.value_min, self.value_max, self.value_abs_max))
        packer.u64s((self.value_mean, self.value_stddev))
        packer.u8(self.nm_n).u8(self.nm_m).u8(self.has_nan).u8(self.has_inf).u32(0)

    def known(self) -> dict[str, int]:
        """The mask and the fields that it calls valid."""
        return {"computed_mask": self.computed_mask} | {
            name: getattr(self, name) for name, bit in STATISTICS_BITS.items() if self.computed_mask >> bit & 1
        }


STATISTICS_BITS = {
    "nnz": 0,
    "sparsity_ratio": 1,
    "value_min": 2,
    "value_max": 2,
    "value_abs_max": 2,
    "value_mean": 3,
    "value_stddev": 3,
    "nm_n": 4,
    "nm_m": 4,
    "has_nan": 5,
    "has_inf": 5,
}
STATISTICS_FLOATS = ("sparsity_ratio", "value_min", "value_max", "value_abs_max", "value_mean", "value_stddev")


def parse_statistics(cursor: Cursor) -> Statistics:
    start, judge = cursor.offset, cursor.judge
    mask = cursor.u32()
    if mask >> 6:
        judge.reject("descriptor.stats.mask-reserved-reject", start, f"computed_mask {mask:#010x}")
    cursor.zeros(4, "descriptor.stats.reserved-zero")
    numbers = cursor.u64s(7)
    small = cursor.take(4)
    cursor.zeros(4, "descriptor.stats.reserved-zero")
    statistics = Statistics(mask, *numbers, *small)
    _note_ranges(statistics, start, judge)
    return statistics


def _note_ranges(statistics: Statistics, start: int, judge: Judge) -> None:
    known = statistics.known()
    number = {name: float64_value(known[name]) for name in STATISTICS_FLOATS if name in known}
    if "sparsity_ratio" in number and not 0.0 <= number["sparsity_ratio"] <= 1.0:
        judge.note("descriptor.stats.sparsity-range", start + 16, "sparsity_ratio outside 0 to 1")
    if "value_abs_max" in number:
        low, high, most = abs(number["value_min"]), abs(number["value_max"]), number["value_abs_max"]
        if not math.isnan(low) and not math.isnan(high) and most != max(low, high):
            judge.note("descriptor.stats.absmax", start + 40, "value_abs_max is not the larger magnitude")
    if "value_stddev" in number and not number["value_stddev"] >= 0.0:
        judge.note("descriptor.stats.stddev-nonnegative", start + 56, "negative standard deviation")
    if known.get("nm_n", 0) > known.get("nm_m", 0):
        judge.note("descriptor.stats.nm-order", start + 64, "nm_n is greater than nm_m")
    if known.get("has_nan", 0) > 1 or known.get("has_inf", 0) > 1:
        judge.note("descriptor.stats.nan-inf-bytes", start + 66, "has_nan or has_inf is neither 0 nor 1")


def float64_value(bits: int) -> float:
    value: float = struct.unpack("<d", bits.to_bytes(8, "little"))[0]
    return value


@dataclass(frozen=True)
class ExtensionType:
    """How wide a private element is. The rest describes it to those who know it."""

    bit_width: int
    packing_factor: int
    is_float: int = 0
    is_signed: int = 0
    sign_bits: int = 0
    exponent_bits: int = 0
    mantissa_bits: int = 0
    exponent_bias: int = 0
    has_nan: int = 0
    has_inf: int = 0

    def encode(self, packer: Packer) -> None:
        packer.u32(self.bit_width).u8(self.packing_factor).u8(self.is_float).u8(self.is_signed)
        packer.u8(self.sign_bits).u8(self.exponent_bits).u8(self.mantissa_bits).raw(bytes(2))
        packer.u32(self.exponent_bias).u8(self.has_nan).u8(self.has_inf).raw(bytes(2))


def parse_extension(cursor: Cursor) -> ExtensionType:
    start = cursor.offset
    width = cursor.u32()
    packing, is_float, is_signed, sign, exponent, mantissa = cursor.take(6)
    cursor.zeros(2, "descriptor.ext.reserved-zero")
    bias = cursor.u32()
    has_nan, has_inf = cursor.take(2)
    cursor.zeros(2, "descriptor.ext.reserved-zero")
    found = ExtensionType(width, packing, is_float, is_signed, sign, exponent, mantissa, bias, has_nan, has_inf)
    _check_packing(found, start, cursor.judge)
    _check_fields(found, start, cursor.judge)
    return found


def _check_packing(found: ExtensionType, start: int, judge: Judge) -> None:
    width, packing = found.bit_width, found.packing_factor
    if width == 0:
        judge.stop("descriptor.ext.bit-width-nonzero", start, "elements without bits")
    elif width < 8 and (width not in (1, 2, 4) or packing * width != 8):
        judge.stop("descriptor.ext.packing-subbyte", start, f"{packing} elements of {width} bits in a byte")
    elif width >= 8 and packing != 1:
        judge.stop("descriptor.ext.packing-whole-byte", start + 4, f"packing factor {packing} at {width} bits")
    elif width >= 8 and width % 8:
        judge.reject("descriptor.ext.width-multiple-of-8", start, f"{width} bits are no whole number of bytes")


def _check_fields(found: ExtensionType, start: int, judge: Judge) -> None:
    flags = {5: found.is_float, 6: found.is_signed, 16: found.has_nan, 17: found.has_inf}
    for place, value in flags.items():
        if value > 1:
            judge.reject("descriptor.ext.booleans", start + place, f"{value:#04x} is neither false nor true")
    if found.is_float:
        wrong = found.is_signed or found.sign_bits > 1
    else:
        wrong = found.sign_bits or found.exponent_bits or found.mantissa_bits or found.exponent_bias
    if wrong:
        judge.reject("descriptor.ext.float-fields", start + 5, "fields of a float and of an integer are mixed")


@dataclass(frozen=True)
class Member:
    """The part a tensor plays in an overlay."""

    member_role: int

    def encode(self, packer: Packer) -> None:
        packer.u8(self.member_role).raw(bytes(15))


def parse_member(cursor: Cursor) -> Member:
    start = cursor.offset
    member = Member(cursor.u8())
    if member.member_role > BASE:
        cursor.judge.reject("descriptor.member.role-reject", start, f"member role {member.member_role:#04x}")
    cursor.zeros(15, "descriptor.member.reserved-reject")
    return member


def as_fields(section: Statistics | ExtensionType | Shard | Member) -> dict[str, object]:
    """The named fields, of statistics only the valid ones."""
    if isinstance(section, Statistics):
        return dict(section.known())
    return {field.name: getattr(section, field.name) for field in fields(section)}
