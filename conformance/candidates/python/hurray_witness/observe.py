"""What was read, in the words of the worker protocol, and descriptions in these words back into values.

Owns the translation between the values of this package and JSON. Must not know the conversation.
"""

from __future__ import annotations

import dataclasses
import hashlib
from typing import Any

from . import composite, kv, layouts, quantization, sections
from .container import Header
from .descriptor import Descriptor
from .elements import BY_NAME, ElementType, private_type
from .faults import Fault, Refused, Unsupported
from .handles import Handle
from .jobs import address_of
from .reader import Tensor
from .writer import Item, Options

Json = dict[str, Any]
_LAYOUTS = {
    layout.NAME: layout
    for layout in (
        layouts.RowMajor,
        layouts.ColumnMajor,
        layouts.Strided,
        layouts.Tiled,
        layouts.Morton,
        layouts.Coo,
        layouts.Csr,
        layouts.Csc,
        layouts.Csf,
        layouts.BlockPaged,
        layouts.CompositeHead,
        layouts.Hilbert,
    )
}
_SCHEMES = {scheme.NAME: scheme for scheme in quantization.SCHEMES}
LAYOUT_NAMES, SCHEME_NAMES, TYPE_NAMES = list(_LAYOUTS), list(_SCHEMES), list(BY_NAME)
_WIDTHS = {"scale": 8} | dict.fromkeys(sections.STATISTICS_FLOATS, 16)


def text(value: str) -> Json:
    return {"utf8": value}


def text_in(value: Json) -> str:
    """A name or key. One that is not UTF-8 is in no file; it stays recognisably different from all that are."""
    if "utf8" in value:
        return str(value["utf8"])
    return bytes.fromhex(value["hex"]).decode("utf-8", "surrogateescape")


def container(header: Header, count: int) -> Json:
    return {
        "version": list(header.version),
        "flags": header.file_flags,
        "data_buffer_alignment": header.data_buffer_alignment,
        "tensor_count": str(count),
    }


def fields(named: dict[str, object]) -> Json:
    """Integers in decimal, floats as the hex digits of their bits, bytes as hex, nested blocks as objects."""
    return {name: _field(name, value) for name, value in named.items()}


def _field(name: str, value: object) -> Any:
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, tuple):
        return [str(item) for item in value]
    if isinstance(value, layouts.Tiled):
        return fields(layouts.as_fields(value))
    if name in _WIDTHS:
        return f"{value:0{_WIDTHS[name]}x}"
    return str(value)


def parts(d: Descriptor) -> Json:
    """The layout fields and the sections that are there."""
    if isinstance(d.layout, layouts.Unknown):
        return {}
    found: Json = {"layout_fields": fields(layouts.as_fields(d.layout))}
    if d.quantization is not None:
        named = fields(quantization.as_fields(d.quantization))
        version = d.quantization.version if isinstance(d.quantization, quantization.PrivateScheme) else 1
        found["quantization"] = {"scheme": d.quantization.NAME, "scheme_version": str(version)} | named
    for name in ("shard", "statistics", "extension", "member"):
        section = getattr(d, name)
        if section is not None:
            found[name] = fields(sections.as_fields(section))
    return found


def tensor(d: Descriptor) -> Json:
    found: Json = {
        "version": list(d.version),
        "type": d.element.name,
        "layout": d.layout.NAME,
        "shape": [str(size) for size in d.shape],
        "byte_offset": str(d.byte_offset),
    }
    if not isinstance(d.layout, layouts.Unknown):
        found["handles"] = [dataclasses.asdict(handle) | {"byte_size": str(handle.byte_size)} for handle in d.handles]
    if isinstance(d.layout, layouts.Strided):
        found["strides"] = [str(stride) for stride in d.layout.strides]
    return found


def described(d: Descriptor) -> Json:
    rest = parts(d)
    return {"tensor": tensor(d) | rest} | rest


def buffers(found: Tensor) -> list[Json]:
    result = []
    for memory in found.buffers or ():
        seen: Json = {"len": str(len(memory)), "sha256": hashlib.sha256(memory).hexdigest()}
        if len(memory):
            address = address_of(memory)
            seen["memory_alignment"] = str(min(address & -address, 1 << 31))
        result.append(seen)
    return result


def metadata(entries: list[kv.Entry]) -> list[Json]:
    return [{"key": text(key), "value": value(found)} for key, found in entries]


def passed(found: Tensor) -> Json:
    """A tensor that went by."""
    seen = {"descriptor_offset": str(found.entry.descriptor_offset), "name": text(found.entry.name)}
    return seen | {"tensor": described(found.descriptor)["tensor"], "buffers": buffers(found)}


def value(found: kv.Value) -> Json:
    if found.tag == kv.ARRAY:
        items = [_plain(found.item_tag, item) for item in found.items]
        return {"array": {"type": kv.NAMES[found.item_tag], "items": items}}
    return _plain(found.tag, found.plain)


def _plain(tag: int, plain: kv.Plain) -> Json:
    if isinstance(plain, bytes):
        return {"bytes": plain.hex()}
    if tag == kv.FLOAT64:
        return {"float64": f"{plain:016x}"}
    if tag in (kv.INT64, kv.UINT64):
        return {kv.NAMES[tag]: str(plain)}
    return {kv.NAMES[tag]: text(plain) if isinstance(plain, str) else plain}


def node(found: composite.Node) -> Json:
    layout = found.descriptor.layout
    assert isinstance(layout, layouts.CompositeHead)
    return {
        "name": text(found.entry.name),
        "rule": composite.RULE_NAMES[layout.composition_rule],
        "members": [text(member.entry.name) for member in found.members],
    }


def fault(found: Fault) -> Json:
    seen: Json = {"rule": found.rule, "message": found.message}
    if found.offset is not None:
        seen["offset"] = str(found.offset)
    return seen


# ---- descriptions of what is to be written --------------------------------------------------------------------------


def _number(name: str, given: Any) -> int:
    return int(given, 16) if name in _WIDTHS else int(given)


def _record(record: type[Any], given: Json) -> Any:
    """A record of numbers, lists of numbers and nested blocks from the object that describes it."""
    known = {f.name for f in dataclasses.fields(record)}
    values: Json = {}
    for name, item in given.items():
        if name not in known or item is None:
            continue
        if isinstance(item, list):
            values[name] = tuple(int(number) for number in item)
        elif isinstance(item, dict):
            values[name] = _record(layouts.Tiled, item)
        else:
            values[name] = _number(name, item)
    return record(**values)


def descriptor_in(given: Json) -> Descriptor:
    try:
        return _descriptor_in(given)
    except (KeyError, TypeError, ValueError) as error:
        raise Refused(f"no description of a tensor: {error!r}") from error


def _unknown(noun: str, name: str, private: range) -> Exception:
    """Private tags are legal and not written here; all others without a name are kept for later and must not be."""
    if name.startswith("0x") and int(name, 16) not in private:
        return Refused(f"no {noun} has the tag {name}")
    return Unsupported(f"{noun} {name}")


def _descriptor_in(given: Json) -> Descriptor:
    if given["layout"] not in _LAYOUTS:
        raise _unknown("layout", given["layout"], range(0xF0, 0xFF))
    named = dict(given.get("layout_fields") or {})
    if given.get("strides") is not None:
        named.setdefault("strides", given["strides"])
    scheme = given.get("quantization")
    if scheme is not None and scheme["scheme"] not in _SCHEMES:
        raise _unknown("scheme", scheme["scheme"], range(0xF0, 0xFF))
    shard, statistics, member = (given.get(name) for name in ("shard", "statistics", "member"))
    extension = None
    if given.get("extension") is not None:
        extension = _record(sections.ExtensionType, given["extension"])
    return Descriptor(
        element=_element_in(given["type"], extension),
        layout=_record(_LAYOUTS[given["layout"]], named),
        shape=tuple(int(size) for size in given["shape"]),
        handles=tuple(_record(Handle, handle) for handle in given["handles"]),
        byte_offset=int(given.get("byte_offset", 0)),
        version=tuple(given.get("version", (1, 0))),
        quantization=None if scheme is None else _record(_SCHEMES[scheme["scheme"]], scheme),
        shard=None if shard is None else _record(sections.Shard, shard),
        statistics=None if statistics is None else _statistics_in(statistics),
        extension=extension,
        member=None if member is None else _record(sections.Member, member),
    )


def _statistics_in(given: Json) -> sections.Statistics:
    """What is named is valid, unless the mask itself is given."""
    bits = {bit for name, bit in sections.STATISTICS_BITS.items() if given.get(name) is not None}
    mask = sum(1 << bit for bit in bits)
    statistics: sections.Statistics = _record(sections.Statistics, {"computed_mask": str(mask)} | given)
    return statistics


def _element_in(name: str, extension: sections.ExtensionType | None) -> ElementType:
    if name in BY_NAME:
        return BY_NAME[name]
    if not name.startswith("0x"):
        raise Unsupported(f"type {name}")
    return private_type(int(name, 16), extension.bit_width if extension else 8)


def payload_in(given: Json) -> bytes:
    if "hex" in given:
        return bytes.fromhex(given["hex"])
    if "fill" in given:
        return bytes([given["fill"]["byte"]]) * int(given["fill"]["len"])
    state = int(given["pattern"]["seed"])
    data = bytearray(int(given["pattern"]["len"]))
    for n in range(len(data)):
        state = (state * 1664525 + 1013904223) & 0xFFFFFFFF
        data[n] = state >> 24
    return bytes(data)


def item_in(given: Json) -> Item:
    if "composite" in given:
        found = given["composite"]
        members = [item_in(member) for member in found["members"]]
        return Item(text_in(found["name"]), descriptor_in(found["descriptor"]), (), members)
    found = given["tensor"]
    descriptor = descriptor_in(found["descriptor"])
    return Item(text_in(found["name"]), descriptor, [payload_in(buffer) for buffer in found["buffers"]])


def options_in(given: Json) -> Options:
    default = Options()
    return Options(
        int(given.get("data_buffer_alignment", default.data_buffer_alignment)), bool(given.get("sorted_index"))
    )


def entries_in(given: list[Json]) -> list[kv.Entry]:
    return [(text_in(entry["key"]), _value_in(entry["value"])) for entry in given]


_TAGS = {name: tag for tag, name in kv.NAMES.items()}


def _value_in(given: Json) -> kv.Value:
    if "array" in given:
        items = [_value_in(item) for item in given["array"]["items"]]
        named = given["array"].get("type")
        if named is not None and named not in _TAGS:
            raise Refused(f"an array of kind {named}")
        tag = _TAGS[named] if named else items[0].tag if items else 0
        if any(item.tag != tag for item in items):
            raise Refused("an array of different or nested values")
        return kv.Value(kv.ARRAY, 0, tag, tuple(item.plain for item in items))
    ((name, plain),) = given.items()
    if name == "integer":
        name = "int64" if int(plain) < 1 << 63 else "uint64"
    if name not in _TAGS:
        raise Refused(f"a value of kind {name}")
    if name == "bytes":
        return kv.Value(kv.BYTES, bytes.fromhex(plain))
    if name == "float64":
        return kv.Value(kv.FLOAT64, int(plain, 16))
    if name in ("int64", "uint64"):
        return kv.Value(_TAGS[name], int(plain))
    return kv.Value(_TAGS[name], text_in(plain) if name == "string" else plain)
