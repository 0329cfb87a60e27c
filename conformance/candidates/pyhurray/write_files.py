"""Writes files with the published package, and beside each a JSON of what it was given.

usage: python write_files.py FOLDER

The expectations are what the package was handed, in the vocabulary of observations; nothing is read back. Python has
one kind of integer, and the package's guide does not say which of the two it becomes; so `integer` it is.
"""

import hashlib
import json
import struct
import sys
from pathlib import Path
from typing import Any

import hurray

Json = dict[str, Any]

# Name and bytes of six elements of the types the package gives a name to (element-types.md).
TYPES = {
    "float16": 12, "bfloat16": 12, "float32": 24, "float64": 48, "int8": 6, "uint8": 6, "int16": 12, "uint16": 12,
    "int32": 24, "uint32": 24, "int64": 48, "uint64": 48,
}  # fmt: skip


class File:
    """One file and what has to be seen in it."""

    def __init__(self) -> None:
        self.tensors: dict[str, hurray.Tensor] = {}
        self.kv: dict[str, Any] = {}
        self.expected: Json = {"tensors": [], "kv": []}

    def tensor(self, name: str, dtype: Any, shape: list[int], data: bytes, layout: Any = None) -> "File":
        self.tensors[name] = hurray.Tensor(data, dtype, shape, layout=layout)
        strides: Json = {}
        if isinstance(layout, hurray.StridedLayout):
            strides = {"strides": [str(stride) for stride in layout.strides]}
        kinds = {hurray.ColMajorLayout: "column_major", hurray.StridedLayout: "strided", type(None): "row_major"}
        tensor = {
            "type": dtype.name,
            "layout": kinds[type(layout)],
            "shape": [str(size) for size in shape],
            "byte_offset": "0",
            **strides,
        }
        buffer = {"len": str(len(data)), "sha256": hashlib.sha256(data).hexdigest()}
        self.expected["tensors"].append({"name": {"utf8": name}, "tensor": tensor, "buffers": [buffer]})
        return self

    def entry(self, key: str, value: Any, seen: Json) -> "File":
        self.kv[key] = value
        self.expected["kv"].append({"key": {"utf8": key}, "value": seen})
        return self

    def save(self, folder: Path, name: str) -> None:
        hurray.save(str(folder / f"{name}.hrry"), self.tensors, kv=self.kv or None)
        (folder / f"{name}.json").write_text(json.dumps(self.expected), encoding="utf-8")


def data(length: int) -> bytes:
    """Bytes that are never zero, so that no padding passes for them."""
    return bytes(0x40 + at % 0x60 for at in range(length))


def float64(value: float) -> Json:
    return {"float64": struct.pack(">d", value).hex()}


def text(value: str) -> Json:
    return {"string": {"utf8": value}}


def array(kind: str | None, items: list[Json]) -> Json:
    return {"array": {**({"type": kind} if kind else {}), "items": items}}


def files() -> dict[str, File]:
    types = File()
    for name, length in TYPES.items():
        types.tensor(name, hurray.Dtype.from_name(name), [2, 3], data(length))
    types.tensor("bool", hurray.Dtype.from_name("bool"), [10], b"\xff\x03")
    types.tensor("int4", hurray.Dtype.from_name("int4"), [3], b"\x21\x03")

    shapes = File()
    shapes.tensor("scalar", hurray.float32, [], data(4))
    shapes.tensor("empty", hurray.float32, [0, 4], b"")
    shapes.tensor("rank 8", hurray.uint8, [1, 2, 1, 2, 1, 2, 1, 2], data(16))
    shapes.tensor("column-major", hurray.int16, [2, 3], data(12), hurray.ColMajorLayout())
    shapes.tensor("strided", hurray.int16, [2, 3], data(14), hurray.StridedLayout([4, 1]))

    values = File().tensor("ü/\u0000", hurray.uint8, [3], data(3))
    values.entry("string", "grüezi", text("grüezi")).entry("empty", "", text(""))
    values.entry("positive", 7, {"integer": "7"}).entry("negative", -7, {"integer": "-7"})
    values.entry("most", 2**63 - 1, {"integer": str(2**63 - 1)}).entry("least", -(2**63), {"integer": str(-(2**63))})
    values.entry("float", -0.0, float64(-0.0)).entry("infinite", float("inf"), float64(float("inf")))
    values.entry("true", True, {"bool": True}).entry("false", False, {"bool": False})
    values.entry("bytes", b"\x00\xff", {"bytes": "00ff"}).entry("no bytes", b"", {"bytes": ""})
    values.entry("strings", ["a", ""], array("string", [text("a"), text("")]))
    values.entry("integers", [1, -1], array(None, [{"integer": "1"}, {"integer": "-1"}]))
    values.entry("floats", [0.5], array("float64", [float64(0.5)]))
    values.entry("bools", [True, False], array("bool", [{"bool": True}, {"bool": False}]))
    return {"types": types, "shapes": shapes, "values": values, "nothing": File()}


if __name__ == "__main__":
    for file_name, file in files().items():
        file.save(Path(sys.argv[1]), file_name)
