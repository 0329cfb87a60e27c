"""Small tensors and files for the tests.

Owns builders only; every expectation stands in a test.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import Any

from hurray_witness import kv, layouts, quantization, sections
from hurray_witness.descriptor import Descriptor
from hurray_witness.elements import BY_NAME
from hurray_witness.faults import Fault, Judge
from hurray_witness.handles import Handle
from hurray_witness.jobs import run
from hurray_witness.reader import Reader, open_frame
from hurray_witness.validate import validate
from hurray_witness.writer import Item, Options, Writer, write_file
from hurray_witness.writer import run as run_write


def floats(*values: float) -> bytes:
    return struct.pack(f"<{len(values)}f", *values)


def longs(*values: int) -> bytes:
    return struct.pack(f"<{len(values)}Q", *values)


def hexed(value: float) -> str:
    return struct.pack(">f", value).hex()


def item(
    name: str, element: str, layout: layouts.Layout, shape: Sequence[int], buffers: Sequence[bytes], **more: Any
) -> Item:
    handles = tuple(Handle(len(buffer)) for buffer in buffers)
    return Item(name, Descriptor(BY_NAME[element], layout, tuple(shape), handles, **more), buffers)


def written(items: Sequence[Item], metadata: Sequence[kv.Entry] = (), options: Options = Options()) -> bytes:
    """The file of a writer that is told one item after the other."""
    out = bytearray()

    def sink(stretch: memoryview) -> int:
        out.extend(stretch)
        return len(stretch)

    writer = Writer(options)
    run_write(writer.header(), sink)
    for one in items:
        run_write(writer.put(one), sink)
    run_write(writer.finish(metadata), sink)
    return bytes(out)


def written_at_once(items: Sequence[Item], metadata: Sequence[kv.Entry] = ()) -> bytes:
    out = bytearray()

    def sink(stretch: memoryview) -> int:
        out.extend(stretch)
        return len(stretch)

    write_file(sink, items, metadata, Options())
    return bytes(out)


def transport(data: bytes) -> Callable[[int, memoryview], int]:
    def read(offset: int, into: memoryview) -> int:
        chunk = data[offset : offset + len(into)]
        into[: len(chunk)] = chunk
        return len(chunk)

    return read


def opened(data: bytes) -> Reader:
    return Reader(run(open_frame(len(data), Judge()), transport(data)))


def findings(data: bytes) -> list[Fault]:
    return run(validate(len(data)), transport(data))


def shard(parent: Sequence[int], offset: Sequence[int]) -> sections.Shard:
    return sections.Shard(tuple(parent), tuple(offset))


def head(rule: int, combine: int, count: int, shape: Sequence[int]) -> Descriptor:
    return Descriptor(BY_NAME["float32"], layouts.CompositeHead(rule, combine, count), tuple(shape), ())


def partition(name: str = "p") -> Item:
    left = item(f"{name}.l", "float32", layouts.RowMajor(), (8, 4), [bytes(128)], shard=shard((8, 8), (0, 0)))
    right = item(f"{name}.r", "float32", layouts.RowMajor(), (8, 4), [bytes(128)], shard=shard((8, 8), (0, 4)))
    return Item(name, head(layouts.PARTITION, 0, 2, (8, 8)), (), [left, right])


def overlay(name: str = "o") -> Item:
    base = item(
        f"{name}.base",
        "int8",
        layouts.RowMajor(),
        (2, 2),
        [bytes(4)],
        quantization=quantization.PerTensor(0, 0x3F800000, 0),
        shard=shard((2, 2), (0, 0)),
        member=sections.Member(sections.BASE),
    )
    correction = item(
        f"{name}.c",
        "float32",
        layouts.Coo(1, 1),
        (2, 2),
        [floats(2.5), longs(0, 1)],
        shard=shard((2, 2), (0, 0)),
        member=sections.Member(sections.CORRECTION),
    )
    return Item(name, head(layouts.OVERLAY, 1, 2, (2, 2)), (), [base, correction])


def csf() -> Item:
    pos = ([0, 2], [0, 2, 3], [0, 1, 2, 4])
    crd = ([0, 1], [0, 2, 1], [1, 3, 0, 2])
    buffers = [floats(1, 2, 3, 4)]
    for p, c in zip(pos, crd):
        buffers += [longs(*p), longs(*c)]
    return item("csf", "float32", layouts.Csf(4, (0, 1, 2)), (2, 3, 4), buffers)


def csr() -> Item:
    buffers = [floats(1, 2, 3, 4, 5), longs(0, 3, 2, 1, 4), longs(0, 2, 3, 5, 5)]
    return item("csr", "float32", layouts.Csr(5), (4, 5), buffers)


def csc() -> Item:
    buffers = [floats(1, 4, 3, 2, 5), longs(0, 2, 1, 0, 2), longs(0, 1, 2, 3, 4, 5)]
    return item("csc", "float32", layouts.Csc(5), (4, 5), buffers)


def coo() -> Item:
    return item("coo", "float32", layouts.Coo(3, 1), (4, 4), [floats(1.5, -0.5, 2), longs(0, 1, 2, 0, 3, 3)])


def paged() -> Item:
    pool = struct.pack("<320H", *range(320))
    layout = layouts.BlockPaged(4, 5, 0, 2, 0, 3, 0)
    buffers = [pool, struct.pack("<3I", 0, 1, 0), struct.pack("<3I", 0, 2, 3)]
    return item("paged", "uint16", layout, (9, 2, 8), buffers)


def everything() -> list[Item]:
    """One tensor of each layout and scheme."""
    nested = layouts.Tiled((2, 2), 2, 1)
    return [
        item("row", "float32", layouts.RowMajor(), (3, 4), [bytes(range(48))], statistics=sections.Statistics(1, 5)),
        item("column", "bool", layouts.ColumnMajor(), (3, 3), [b"\xff\x01"]),
        item("strided", "int4", layouts.Strided((-4, 1)), (3, 4), [bytes(6)], byte_offset=4),
        item("tiled", "int8", layouts.Tiled((4, 4), 1, 4, None, None, nested), (5, 6), [bytes(64)]),
        item("morton", "float6_e2m3", layouts.Morton((2, 2)), (4, 3), [bytes(12)]),
        item("hilbert", "uint16", layouts.Hilbert(2, 2), (4, 4), [bytes(32)]),
        coo(),
        csr(),
        csc(),
        csf(),
        paged(),
        item(
            "channels",
            "int16",
            layouts.RowMajor(),
            (2, 3),
            [bytes(12), floats(1, 2), struct.pack("<2i", 0, 1)],
            quantization=quantization.PerChannel(0, 0, 1, 2),
        ),
        item(
            "blocks",
            "int8",
            layouts.RowMajor(),
            (6,),
            [struct.pack("8b", 1, 3, -5, 0, 4, -3, 0, 0), floats(0.5, 2), struct.pack("<2i", 1, -2)],
            quantization=quantization.PerBlock(0, 0, 4, 1, 2),
        ),
        item(
            "nf4",
            "uint4",
            layouts.RowMajor(),
            (8,),
            [bytes.fromhex("f0873c91"), floats(3)],
            quantization=quantization.Nf4(0, 0, 8, 1),
        ),
        item(
            "mxfp",
            "float4_e2m1",
            layouts.RowMajor(),
            (16,),
            [bytes.fromhex("1032547698badcfe"), b"\x80"],
            quantization=quantization.Mxfp(0, 0, 16, 1),
        ),
        item("powers", "float8_e8m0", layouts.RowMajor(), (3,), [b"\x01\x7f\xfe"]),
        item("empty", "float32", layouts.RowMajor(), (3, 0, 5), [b""]),
        item("scalar", "float128", layouts.RowMajor(), (), [bytes(16)]),
        partition(),
        overlay(),
    ]
