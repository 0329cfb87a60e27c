"""Element types: tags, widths, packing, and the value a bit pattern stands for.

Owns the type table. Must not know shapes, layouts or quantization.

Elements of less than a byte are packed from the least significant bit up, so element n of B bits starts at bit n*B of
the run, for every width including 6. Six-bit data comes in whole groups of four elements in three bytes.
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass

FLOAT, SIGNED, UNSIGNED, BOOLEAN, EXPONENT, COMPLEX, OPAQUE = [
    "float",
    "signed",
    "unsigned",
    "boolean",
    "exponent",
    "complex",
    "opaque",
]


@dataclass(frozen=True)
class ElementType:
    """`exponent`, `mantissa` and `bias` describe floats only."""

    name: str
    tag: int
    bits: int
    kind: str
    exponent: int = 0
    mantissa: int = 0
    bias: int = 0

    def packed(self, count: int) -> int:
        """Bytes of `count` elements without gaps."""
        if self.bits == 6:
            return 3 * -(-count // 4)
        if self.bits < 8:
            return -(-count * self.bits // 8)
        return count * (self.bits // 8)

    def place(self, byte_offset: int, linear: int) -> tuple[int, int]:
        """Byte and bit of the least significant bit of the element at a linear offset, which may be negative."""
        if self.bits >= 8:
            return byte_offset + linear * (self.bits // 8), 0
        return byte_offset + linear * self.bits // 8, linear * self.bits % 8

    def end(self, byte_offset: int, linear: int) -> int:
        """First byte behind the element, or behind its group for six-bit data."""
        if self.bits == 6:
            return byte_offset + (linear // 4 + 1) * 3
        return self.place(byte_offset, linear)[0] + max(1, self.bits // 8)

    def code(self, data: bytes | memoryview, byte: int, bit: int) -> int:
        """The bit pattern of the element that starts there."""
        if self.bits >= 8:
            return int.from_bytes(data[byte : byte + self.bits // 8], "little")
        return int.from_bytes(data[byte : byte + 2], "little") >> bit & ((1 << self.bits) - 1)

    def integer_range(self) -> tuple[int, int]:
        if self.kind == SIGNED:
            return -(1 << self.bits - 1), (1 << self.bits - 1) - 1
        return 0, (1 << self.bits) - 1


def _integer(name: str, tag: int, bits: int) -> ElementType:
    return ElementType(name, tag, bits, UNSIGNED if name.startswith("u") else SIGNED)


TYPES = (
    ElementType("float16", 0x01, 16, FLOAT, 5, 10, 15),
    ElementType("bfloat16", 0x02, 16, FLOAT, 8, 7, 127),
    ElementType("float32", 0x03, 32, FLOAT, 8, 23, 127),
    ElementType("float64", 0x04, 64, FLOAT, 11, 52, 1023),
    _integer("int8", 0x10, 8),
    _integer("uint8", 0x11, 8),
    _integer("int16", 0x12, 16),
    _integer("uint16", 0x13, 16),
    _integer("int32", 0x14, 32),
    _integer("uint32", 0x15, 32),
    _integer("int64", 0x16, 64),
    _integer("uint64", 0x17, 64),
    ElementType("bool", 0x20, 1, BOOLEAN),
    ElementType("float8_e4m3", 0x40, 8, FLOAT, 4, 3, 7),
    ElementType("float8_e5m2", 0x41, 8, FLOAT, 5, 2, 15),
    ElementType("float8_e8m0", 0x42, 8, EXPONENT),
    ElementType("float4_e2m1", 0x43, 4, FLOAT, 2, 1, 1),
    ElementType("float6_e2m3", 0x44, 6, FLOAT, 2, 3, 1),
    ElementType("float6_e3m2", 0x45, 6, FLOAT, 3, 2, 3),
    ElementType("float128", 0x46, 128, FLOAT, 15, 112, 16383),
    _integer("int4", 0x48, 4),
    _integer("uint4", 0x49, 4),
    _integer("int2", 0x4A, 2),
    _integer("uint2", 0x4B, 2),
    ElementType("complex64", 0x50, 64, COMPLEX),
    ElementType("complex128", 0x51, 128, COMPLEX),
)
BY_TAG = {element.tag: element for element in TYPES}
BY_NAME = {element.name: element for element in TYPES}


def private_type(tag: int, bits: int) -> ElementType:
    """A type of the private range: its size is known from the descriptor, its meaning is not."""
    return ElementType(f"{tag:#04x}", tag, bits, OPAQUE)


def unknown_type(tag: int) -> ElementType:
    """A type that nobody has defined yet: its elements have no size, so nothing about sizes can be demanded."""
    return ElementType(f"{tag:#04x}", tag, 0, OPAQUE)


def is_private(tag: int) -> bool:
    return 0xF0 <= tag <= 0xFE


# ---- floats as bits -------------------------------------------------------------------------------------------------


def float32_bits(value: float) -> int:
    """Nearest float32, ties to even, infinite beyond its range."""
    try:
        return int.from_bytes(struct.pack("<f", value), "little")
    except OverflowError:
        return 0x7F800000 if value > 0 else 0xFF800000


def float32_value(bits: int) -> float:
    value: float = struct.unpack("<f", bits.to_bytes(4, "little"))[0]
    return value


def round32(value: float) -> float:
    return float32_value(float32_bits(value))


def widen(element: ElementType, code: int) -> int:
    """The float32 that a float of at most 32 bits is, bit for bit also where it is not a number."""
    if element.kind == EXPONENT:
        return code << 23
    e, m = element.exponent, element.mantissa
    sign, exponent, fraction = code >> e + m, code >> m & (1 << e) - 1, code & (1 << m) - 1
    if _is_special(element, exponent, fraction):
        return sign << 31 | 0xFF << 23 | fraction << 23 - m
    if exponent == 0:
        magnitude = math.ldexp(fraction, 1 - element.bias - m)
    else:
        magnitude = math.ldexp(fraction + (1 << m), exponent - element.bias - m)
    return sign << 31 | float32_bits(magnitude)


def _is_special(element: ElementType, exponent: int, fraction: int) -> bool:
    """Infinities and what is not a number; the narrowest types have neither, e4m3 has no infinity."""
    if exponent != (1 << element.exponent) - 1 or element.bits < 8:
        return False
    return fraction == 7 if element.name == "float8_e4m3" else True


def integer_of(element: ElementType, code: int) -> int:
    if element.kind == SIGNED and code >> element.bits - 1:
        return code - (1 << element.bits)
    return code


def number_of(element: ElementType, code: int) -> float:
    """The value as a number, exact for every type that quantization may store."""
    if element.kind in (FLOAT, EXPONENT):
        return float32_value(widen(element, code))
    return integer_of(element, code)


def text_of(element: ElementType, code: int) -> str:
    """The value as the worker protocol writes it."""
    if element.kind == COMPLEX:
        half = element.bits // 2
        width = half // 4
        return f"{code & (1 << half) - 1:0{width}x} {code >> half:0{width}x}"
    if element.kind in (FLOAT, EXPONENT):
        if element.bits > 32:
            return f"{code:0{element.bits // 4}x}"
        return f"{widen(element, code):08x}"
    return str(integer_of(element, code))
