"""CRC-32C, the checksum of the index section.

Owns the Castagnoli polynomial and its table. Must not know what is summed.
"""

from __future__ import annotations

_REFLECTED = 0x82F63B78


def _entry(value: int) -> int:
    for _ in range(8):
        value = (value >> 1) ^ (_REFLECTED if value & 1 else 0)
    return value


_TABLE = tuple(_entry(byte) for byte in range(256))


def crc32c(data: bytes | bytearray | memoryview) -> int:
    """The CRC-32C of the bytes: reflected, start and final inversion, 0 for no bytes at all."""
    table = _TABLE
    value = 0xFFFFFFFF
    for byte in data:
        value = (value >> 8) ^ table[(value ^ byte) & 0xFF]
    return value ^ 0xFFFFFFFF
