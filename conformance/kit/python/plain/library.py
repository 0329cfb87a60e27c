"""A small honest reader of plain files, in place of a library: row-major tensors of whole-byte types, and key-values.

It shows the template at work. It checks what it needs to find its way and no more, so the suite has a lot to say of it.
"""

import struct

NAME = "plain-python"
VERSION = "0.1.0"
SIZES = {
    0x01: ("float16", 2), 0x02: ("bfloat16", 2), 0x03: ("float32", 4), 0x04: ("float64", 8), 0x10: ("int8", 1),
    0x11: ("uint8", 1), 0x12: ("int16", 2), 0x13: ("uint16", 2), 0x14: ("int32", 4), 0x15: ("uint32", 4),
    0x16: ("int64", 8), 0x17: ("uint64", 8),
}  # fmt: skip
TYPES = [name for name, _ in SIZES.values()]
LAYOUTS = ["row_major"]
QUANTIZATION = []
ROW_MAJOR = 0x01
KINDS = {1: "string", 2: "int64", 3: "uint64", 4: "float64", 5: "bool", 6: "bytes", 7: "array"}
NUMBERS = {"int64": "<q", "uint64": "<Q", "float64": "<Q"}


class Rejected(Exception):
    """The bytes are at fault."""


class NotFound(Exception):
    """No tensor has that name."""


class Cursor:
    """Takes bytes from the front, and rejects where there are none left."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, length):
        if length > len(self.data) - self.at:
            raise Rejected("a part of the file ends too early")
        self.at += length
        return self.data[self.at - length : self.at]

    def number(self, form):
        return struct.unpack(form, self.take(struct.calcsize(form)))[0]

    def value(self, tag):
        kind = KINDS.get(tag)
        if kind in NUMBERS:
            return kind, self.number(NUMBERS[kind])
        if kind == "bool":
            return kind, self.number("<B") != 0
        if kind in ("string", "bytes"):
            return kind, self.take(self.number("<I"))
        if kind == "array":
            item, count = self.number("<B"), self.number("<I")
            if item in KINDS and KINDS[item] != "array":
                return kind, (KINDS[item], [self.value(item)[1] for _ in range(count)])
        raise Rejected("an unknown value type")


def part(source, offset, length):
    if offset + length > source.size:
        raise Rejected("a part lies outside of the file")
    data = source.read_at(offset, length)
    if len(data) < length:
        raise EOFError("the file has become shorter")
    return Cursor(data)


def open_file(source):
    header, trailer = part(source, 0, 64), part(source, source.size - 40 if source.size >= 104 else 1 << 64, 40)
    index_offset, index_length, kv_offset, kv_length = struct.unpack("<QQQI", trailer.take(28))
    if header.take(8) != b"HRRYFILE" or header.number("<B") != 1 or trailer.data[-4:] != b"HRRY":
        raise Rejected("not a file of this format and version")
    index = part(source, index_offset, index_length)
    tensors = {}
    for _ in range(index.number("<Q")):
        name = index.take(index.number("<H"))
        tensors[name] = struct.unpack("<QIQQI", index.take(32))
    return File(source, tensors, part(source, kv_offset, kv_length))


class File:
    def __init__(self, source, tensors, kv):
        self.source, self.tensors, self.kv = source, tensors, kv

    def names(self):
        return list(self.tensors)

    def entries(self):
        kv = Cursor(self.kv.data)
        for _ in range(kv.number("<I") if kv.data else 0):
            key = kv.take(kv.number("<H"))
            yield key, kv.value(kv.number("<B"))

    def tensor(self, name):
        if name not in self.tensors:
            raise NotFound
        offset, length, data_offset, data_length, _ = self.tensors[name]
        return Tensor(self.source, part(self.source, offset, length), data_offset, data_length)


class Tensor:
    def __init__(self, source, descriptor, data_offset, data_length):
        self.source, self.data_offset = source, data_offset
        magic, major, _, _, _, tag, layout, rank = struct.unpack("<4sBBIIBBI", descriptor.take(20))
        if magic != b"HRRY" or major != 1 or tag not in SIZES or layout != ROW_MAJOR or rank > 64:
            raise Rejected("a descriptor this reader does not understand")
        self.type, size = SIZES[tag]
        self.layout = "row_major"
        self.shape = [descriptor.number("<Q") for _ in range(rank)]
        byte_offset, count = descriptor.number("<Q"), descriptor.number("<B")
        self.length = descriptor.number("<Q") if count == 1 else 0
        for extent in self.shape:
            size *= extent
        if count != 1 or byte_offset + size > self.length or self.length != data_length:
            raise Rejected("a buffer that does not hold the tensor")

    def buffers(self):
        return [part(self.source, self.data_offset, self.length).data]
