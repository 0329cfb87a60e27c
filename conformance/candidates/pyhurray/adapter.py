"""Adapter of the published Python package `pyhurray`: its file functions, asked through its public interface.

Written from the package's documentation. It translates and decides nothing. What the package has no call for is not
declared: there is no way to list the names of a file without loading all of it, and none to see a descriptor alone. A
head is loaded with its members, which then have no names. Elements are shown as an array of NumPy for a few types and
layouts alone, so that neither their place nor their value is declared.

Exceptions: the package's own (`FileError`, `InvalidDescriptorError`, `BufferError`, `UnsupportedError`), raised over a
file that can be read, refuse the file and are rejections. Every other exception is an `error`: a caught panic
(`InternalError`), an uncaught one, and out of memory among them.
"""

import hashlib
import json
import os
import struct
import sys
from importlib.metadata import version
from typing import Any, Callable, TextIO

import hurray
import numpy
import parts
import writing

Json = dict[str, Any]

REFUSALS = (hurray.FileError, hurray.InvalidDescriptorError, hurray.BufferError, hurray.UnsupportedError)
DYNAMIC = 2**64 - 1
SYNC_MODES = {"producer_synced": 0, "event": 1, "consumer_stream": 2}
LAYOUTS = {"col_major": "column_major", "composite": "composite_head"}
TYPES = (
    "float16 bfloat16 float32 float64 int8 uint8 int16 uint16 int32 uint32 int64 uint64 bool float8_e4m3 float8_e5m2 "
    "float8_e8m0 float4_e2m1 float6_e2m3 float6_e3m2 float128 int4 uint4 int2 uint2 complex64 complex128"
)
HELLO = {
    "protocol": [1, 1],
    "name": "pyhurray",
    "version": version("pyhurray"),
    "operations": ["open", "kv", "read", "composite", "all", "descriptor", "write"],
    "types": TYPES.split(),
    "layouts": "row_major column_major strided tiled morton coo csr csc csf block_paged composite_head hilbert".split(),
    "quantization": "per_tensor per_channel per_block nf4 mxfp".split(),
    "source": ["path"],
    "sink": ["path"],
    "writes": {"types": TYPES.split(), **writing.WRITES},
    "observes": "tensors kv handles payload descriptor_version layout_fields sections".split(),
}


class NotFound(Exception):
    """The file is fine and holds no such name."""


class Refused(Exception):
    """Nothing was done."""


class File:
    """The steps over one file. The package has no open file, so every step opens it again."""

    def __init__(self, request: Json) -> None:
        self.is_sink = "sink" in request
        # A bare descriptor stands in no file.
        self.path = request.get("sink" if self.is_sink else "source", {}).get("path", "")
        self.is_open = False

    def open(self, _: Json) -> Json:
        self.is_open = False
        with open(self.path, "rb"):
            pass  # A file that cannot be read is no bad file, and the package has one exception for both.
        hurray.load(self.path, names=[])
        self.is_open = True
        return {}

    def write(self, arguments: Json) -> Json:
        writing.write(self.path, arguments)
        return {}

    def descriptor(self, arguments: Json) -> Json:
        found = hurray.Descriptor.decode(bytes.fromhex(arguments["bytes"]))
        # Its `encoded_len` is what it would write, not what it took.
        return {"tensor": observe_descriptor(found)}

    def kv(self, _: Json) -> Json:
        entries = hurray.load_kv(self.path).items()
        return {"kv": [{"key": text(key), "value": kv_value(value)} for key, value in entries]}

    def read(self, arguments: Json) -> Json:
        found = self.load_one(arguments)
        descriptor = found.descriptor
        if isinstance(found, hurray.Composite):
            return {"tensor": observe_descriptor(descriptor), "buffers": []}
        if descriptor.device.kind != "cpu":
            # Its bytes came from the file, but the package has no way to look at them: DLPack calls them device memory.
            return {"tensor": observe_descriptor(descriptor)}
        buffers = [observe_buffer(found.buffer(at)) for at in range(descriptor.buffer_count)]
        return {"tensor": observe_descriptor(descriptor), "buffers": buffers}

    def composite(self, arguments: Json) -> Json:
        found = self.load_one(arguments)
        if not isinstance(found, hurray.Composite):
            raise Refused("this is no composite")
        return {"composite": {"name": arguments["name"], "rule": found.layout.composition_rule}}

    def load_one(self, arguments: Json) -> Any:
        name = arguments["name"].get("utf8")
        if name is None:
            raise Refused("the package takes names as text")
        try:
            return hurray.load(self.path, names=[name])[name]
        except hurray.FileError as error:
            if self.is_missing(str(error)):
                raise NotFound from None
            raise

    def is_missing(self, message: str) -> bool:
        """A missing name and a bad file share one exception; what it says of a missing name, it says of this one."""
        nobody = "a name that no file has"
        try:
            hurray.load(self.path, names=[nobody])
        except hurray.FileError as error:
            # A message without the name is of another failure, such as of the file being gone meanwhile.
            before, found, after = str(error).partition(nobody)
            return bool(before and found) and message.startswith(before) and message.endswith(after)
        return False

    def all(self, _: Json) -> Json:
        found = hurray.load(self.path)
        for item in found.values():
            look(item)
        return {"names": [text(name) for name in found]}


def look(item: Any) -> None:
    """A scheme is decoded only when it is looked at, as `read` does."""
    _ = item.descriptor.quantization
    for member in item.members if isinstance(item, hurray.Composite) else ():
        look(member)


def text(value: str) -> Json:
    return {"utf8": value}


def kv_value(value: Any) -> Json:
    """A value as Python shows it; of a whole number it does not show whether it was signed."""
    if isinstance(value, bool):
        return {"bool": value}
    if isinstance(value, int):
        return {"integer": str(value)}
    if isinstance(value, float):
        return {"float64": struct.pack(">d", value).hex()}
    if isinstance(value, str):
        return {"string": text(value)}
    if isinstance(value, bytes):
        return {"bytes": value.hex()}
    items = [kv_value(item) for item in value]
    kinds = {kind for item in items for kind in item}
    element = {} if len(kinds) != 1 or "integer" in kinds else {"type": kinds.pop()}
    return {"array": {**element, "items": items}}


def observe_descriptor(descriptor: Any) -> Json:
    layout = descriptor.layout
    private = isinstance(layout, (hurray.PrivateExtensionLayout, hurray.UnknownLayout))
    seen = {
        "version": list(descriptor.version),
        "type": parts.type_name(descriptor.dtype),
        "layout": f"0x{layout.tag:02x}" if private else LAYOUTS.get(layout.name, layout.name),
        "shape": [str(DYNAMIC if size is None else size) for size in descriptor.shape],
        "byte_offset": str(descriptor.byte_offset),
        "handles": [observe_handle(handle) for handle in descriptor.buffer_handles],
        "layout_fields": parts.layout(layout),
        **parts.sections(descriptor),
    }
    if isinstance(layout, hurray.StridedLayout):
        seen["strides"] = [str(stride) for stride in layout.strides]
    return seen


def observe_handle(handle: Any) -> Json:
    return {
        "byte_size": str(handle.byte_size),
        "alignment": handle.alignment,
        "device_tag": handle.device.tag,
        "sync_mode": SYNC_MODES[handle.sync_mode],
        "memory_class": handle.device.memory_class_tag,
    }


def observe_buffer(view: Any) -> Json:
    data = numpy.from_dlpack(view).tobytes()
    return {"len": str(len(data)), "sha256": hashlib.sha256(data).hexdigest()}


def run_step(file: File, step: Json) -> Json:
    operation, arguments = next(iter(step.items()))
    if operation not in HELLO["operations"]:
        return {"unsupported": {}}
    if (operation == "write") != file.is_sink:
        return {"refused": {"message": "the file of this request is there for the other direction"}}
    if operation not in ("open", "write", "descriptor") and not file.is_open:
        return {"refused": {"message": "no file is open"}}
    run: Callable[[Json], Json] = getattr(file, operation)
    try:
        return {"ok": run(arguments)}
    except NotFound:
        return {"not_found": {}}
    except writing.Unsupported:
        return {"unsupported": {}}
    except writing.Limit as limit:
        return {"limit": {"message": str(limit)}}
    except (Refused, writing.Refusal) as refused:
        return {"refused": {"message": str(refused)}}
    except REFUSALS as refusal:
        return {"reject": {"message": str(refusal)}}
    except OSError as error:
        return {"io": {"kind": "other", "message": str(error)}}
    except BaseException as error:  # noqa: BLE001 - a panic of the package is no Exception
        return {"error": {"message": f"{type(error).__name__}: {error}"}}


def serve(requests: TextIO, answers: TextIO) -> None:
    print(json.dumps({"hello": HELLO}), file=answers, flush=True)
    for line in requests:
        request = json.loads(line)
        file = File(request)
        results = [run_step(file, step) for step in request["steps"]]
        print(json.dumps({"id": request["id"], "results": results}), file=answers, flush=True)


if __name__ == "__main__":
    # Standard output belongs to the protocol; whatever a library prints goes to standard error.
    protocol = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    serve(sys.stdin, protocol)
