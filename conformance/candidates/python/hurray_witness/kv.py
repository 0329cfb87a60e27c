"""The key-value section: model-level metadata of a file.

Owns the encoding of keys and values. Must not know where the section lies or what a key is for.

A value is kept with its tag, floats as their 64 bits, so that what is read can be written again without any change.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .cursor import U32_MAX, Cursor, Packer
from .faults import Judge, Refused

STRING, INT64, UINT64, FLOAT64, BOOL, BYTES, ARRAY = range(1, 8)
NAMES = {STRING: "string", INT64: "int64", UINT64: "uint64", FLOAT64: "float64", BOOL: "bool", BYTES: "bytes"}
_LEAST_BYTES = {STRING: 4, INT64: 8, UINT64: 8, FLOAT64: 8, BOOL: 1, BYTES: 4}
_LEAST_ENTRY = 5

Plain = str | int | bool | bytes


@dataclass(frozen=True)
class Value:
    """`plain` is text, an integer, the bits of a float, a truth value or bytes. An array has `items` of one tag."""

    tag: int
    plain: Plain = 0
    item_tag: int = 0
    items: tuple[Plain, ...] = ()


Entry = tuple[str, Value]


def parse(data: bytes, base: int, minor: int, judge: Judge) -> list[Entry]:
    cursor = Cursor(data, base, judge, "kv.section.truncated")
    count = cursor.u32()
    if count > cursor.left // _LEAST_ENTRY:
        judge.stop("kv.section.count-huge", base, f"{count} entries cannot fit into {cursor.left} bytes")
    entries: list[Entry] = []
    seen: set[str] = set()
    for _ in range(count):
        start = cursor.offset
        key = _key(cursor)
        if key in seen:
            judge.reject("kv.key.duplicate-reject", start, f"key {key!r} occurs twice")
        seen.add(key)
        entries.append((key, _value(cursor)))
    if cursor.left and minor == 0:
        judge.reject("kv.section.length-exact", cursor.offset, f"{cursor.left} bytes follow the last entry")
    return entries


def _key(cursor: Cursor) -> str:
    start = cursor.offset
    length = cursor.u16()
    if length == 0:
        cursor.judge.reject("kv.key.length-min", start, "empty key")
    return _text(cursor, length, "kv.key.utf8")


def _text(cursor: Cursor, length: int, rule: str) -> str:
    start = cursor.offset
    raw = cursor.take(length)
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        cursor.judge.reject(rule, start + error.start, "not UTF-8")
        return raw.decode("utf-8", "backslashreplace")


def _value(cursor: Cursor) -> Value:
    start = cursor.offset
    tag = cursor.u8()
    if tag in NAMES:
        return Value(tag, _plain(cursor, tag))
    if tag != ARRAY:
        _unknown_tag(cursor, tag, start)
    start = cursor.offset
    item_tag = cursor.u8()
    if item_tag not in NAMES:
        cursor.judge.stop("kv.value.array-element-tag", start, f"an array cannot hold tag {item_tag:#04x}")
    count = cursor.u32()
    if count > cursor.left // _LEAST_BYTES[item_tag]:
        cursor.stop(f"{count} array elements cannot fit into {cursor.left} bytes")
    return Value(ARRAY, 0, item_tag, tuple(_plain(cursor, item_tag) for _ in range(count)))


def _unknown_tag(cursor: Cursor, tag: int, offset: int) -> None:
    """The length of an unknown value is unknown, so nothing behind it can be read."""
    if 0x08 <= tag <= 0xEF:
        rule = "kv.value.reserved-reject"
    elif 0xF0 <= tag <= 0xFE:
        rule = "kv.value.unknown-reject"
    else:
        rule = "kv.value.invalid-tag"
    cursor.judge.stop(rule, offset, f"value tag {tag:#04x}")


def _plain(cursor: Cursor, tag: int) -> Plain:
    if tag == STRING:
        return _text(cursor, cursor.u32(), "kv.value.string-utf8")
    if tag == BYTES:
        return cursor.take(cursor.u32())
    if tag == INT64:
        return cursor.i64()
    if tag in (UINT64, FLOAT64):
        return cursor.u64()
    start = cursor.offset
    value = cursor.u8()
    if value > 1:
        cursor.judge.reject("kv.value.bool-reject", start, f"bool byte {value:#04x}")
    return value != 0


def encode(entries: Sequence[Entry]) -> bytes:
    """The section, refused when it could not be read back."""
    if len({key for key, _ in entries}) != len(entries):
        raise Refused("a key occurs twice")
    packer = Packer().u32(len(entries))
    for key, value in entries:
        raw = _utf8(key)
        if not 1 <= len(raw) <= 0xFFFF:
            raise Refused(f"a key of {len(raw)} bytes")
        packer.u16(len(raw)).raw(raw).u8(value.tag)
        if value.tag == ARRAY:
            if value.item_tag not in NAMES:
                raise Refused(f"an array cannot hold tag {value.item_tag:#04x}")
            packer.u8(value.item_tag).u32(len(value.items))
            for item in value.items:
                _put(packer, value.item_tag, item)
        else:
            _put(packer, value.tag, value.plain)
    if len(packer.data) > U32_MAX:
        raise Refused("the metadata section is larger than its length field can say")
    return packer.done()


def _utf8(text: str) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise Refused("text that UTF-8 cannot hold") from error


def _put(packer: Packer, tag: int, value: Plain) -> None:
    try:
        if tag == STRING and isinstance(value, str):
            raw = _utf8(value)
            packer.u32(len(raw)).raw(raw)
        elif tag == BYTES and isinstance(value, bytes):
            packer.u32(len(value)).raw(value)
        elif tag == BOOL and isinstance(value, bool):
            packer.u8(int(value))
        elif tag in (INT64, UINT64, FLOAT64) and isinstance(value, int) and not isinstance(value, bool):
            packer.number(value, 8, signed=tag == INT64)
        else:
            raise Refused(f"tag {tag:#04x} cannot hold {type(value).__name__}")
    except OverflowError as error:
        raise Refused(f"{value!r} does not fit tag {tag:#04x}") from error
