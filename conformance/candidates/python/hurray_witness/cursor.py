"""Little-endian integers in a bounded run of bytes, both ways.

Owns bounds and byte order: no other module touches a field without going through here. Must not know what a field
means.
"""

from __future__ import annotations

import struct
import sys
from array import array
from collections.abc import Sequence
from typing import NoReturn

from .faults import Judge

U32_MAX = 0xFFFFFFFF
U64_MAX = 0xFFFFFFFFFFFFFFFF
I64_MIN, I64_MAX = -(1 << 63), (1 << 63) - 1


def round_up(value: int, multiple: int) -> int:
    return -(-value // multiple) * multiple


def is_power_of_two(value: int) -> bool:
    return value > 0 and value & (value - 1) == 0


def unsigned(data: bytes | memoryview, width: int) -> Sequence[int]:
    """All whole unsigned integers of 4 or 8 bytes in the data."""
    numbers = array("Q" if width == 8 else "I")
    assert numbers.itemsize == width
    numbers.frombytes(data[: len(data) // width * width])
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


class Cursor:
    """Reads fields one after the other; a field that runs past the end breaks `rule`."""

    def __init__(self, data: bytes | memoryview, base: int, judge: Judge, rule: str) -> None:
        self.data = bytes(data)
        self.base = base
        self.judge = judge
        self.rule = rule
        self.position = 0

    @property
    def offset(self) -> int:
        """Absolute file offset of the next byte."""
        return self.base + self.position

    @property
    def left(self) -> int:
        return len(self.data) - self.position

    def stop(self, message: str) -> NoReturn:
        self.judge.stop(self.rule, self.offset, message)

    def take(self, count: int) -> bytes:
        if count > self.left:
            self.stop(f"{count} bytes are needed and {self.left} are left")
        start = self.position
        self.position += count
        return self.data[start : self.position]

    def u8(self) -> int:
        return self.take(1)[0]

    def u16(self) -> int:
        return int.from_bytes(self.take(2), "little")

    def u32(self) -> int:
        return int.from_bytes(self.take(4), "little")

    def u64(self) -> int:
        return int.from_bytes(self.take(8), "little")

    def i32(self) -> int:
        return int.from_bytes(self.take(4), "little", signed=True)

    def i64(self) -> int:
        return int.from_bytes(self.take(8), "little", signed=True)

    def u32s(self, count: int) -> tuple[int, ...]:
        return struct.unpack(f"<{count}I", self.take(4 * count))

    def u64s(self, count: int) -> tuple[int, ...]:
        return struct.unpack(f"<{count}Q", self.take(8 * count))

    def i64s(self, count: int) -> tuple[int, ...]:
        return struct.unpack(f"<{count}q", self.take(8 * count))

    def zeros(self, count: int, rule: str) -> None:
        """Reserved bytes."""
        start = self.offset
        if any(self.take(count)):
            self.judge.reject(rule, start, "reserved bytes are not zero")


class Packer:
    """Writes fields one after the other. Raises OverflowError for a number that does not fit its field."""

    def __init__(self) -> None:
        self.data = bytearray()

    def number(self, value: int, width: int, signed: bool = False) -> Packer:
        self.data += value.to_bytes(width, "little", signed=signed)
        return self

    def u8(self, value: int) -> Packer:
        return self.number(value, 1)

    def u16(self, value: int) -> Packer:
        return self.number(value, 2)

    def u32(self, value: int) -> Packer:
        return self.number(value, 4)

    def u64(self, value: int) -> Packer:
        return self.number(value, 8)

    def u32s(self, values: Sequence[int]) -> Packer:
        for value in values:
            self.number(value, 4)
        return self

    def u64s(self, values: Sequence[int]) -> Packer:
        for value in values:
            self.number(value, 8)
        return self

    def i64s(self, values: Sequence[int]) -> Packer:
        for value in values:
            self.number(value, 8, signed=True)
        return self

    def raw(self, data: bytes) -> Packer:
        self.data += data
        return self

    def done(self) -> bytes:
        return bytes(self.data)
