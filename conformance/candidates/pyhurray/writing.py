"""Writes files from descriptions with the package: `hurray.Tensor` for each tensor, `hurray.save` for the file.

Translates and decides nothing. The package chooses the alignment of data in the file and of its buffers, the place of the
first element, and the names and roles of members; it takes sizes from the bytes, and the type of an entry from its value.
None of these is declared, and a description that asks for another choice is `unsupported`. It checks names and entries only while
it writes, so that the size of the file tells a refusal, before which nothing of the item was out, from an error.
"""

import os
import struct
from typing import Any

import hurray
import parts

Json = dict[str, Any]

DYNAMIC = 2**64 - 1
HEADER_LEN = 64
PRODUCER_SYNCED = 0
ORDERS = {str(tag): name for name, tag in parts.ORDERS.items()}
KV_ROLES = {str(tag): name for name, tag in parts.KV_ROLES.items()}
INDEX_TYPES = {str(tag): name for name, tag in parts.INDEX_TYPES.items()}
COMPOSITION = {str(tag): name for name, tag in parts.RULES.items()}
COMBINATION = {str(tag): name for name, tag in parts.OPERATIONS.items()}
MEMBER_ROLES = {None: None, "correction": "0", "base": "1"}
SECTIONS = {"quantization", "shard", "statistics", "extension"}
DEVICES = "cpu cuda rocm metal vulkan webgpu hexagon level_zero opencl".split()
MEMORY_CLASSES = "standard host_pinned unified peer".split()
REFUSALS = (hurray.InvalidDescriptorError, hurray.BufferError, TypeError, ValueError, KeyError)

WRITES = {
    "layouts": "row_major column_major strided tiled morton coo csr csc csf block_paged composite_head hilbert".split(),
    "quantization": "per_tensor per_channel per_block nf4 mxfp".split(),
    "features": "kv device composite shard statistics extension".split(),
}


class Unsupported(Exception):
    """It needs what is not declared."""


class Refusal(Exception):
    """The description is wrong, and nothing of it is out."""


class Limit(Exception):
    """It is legal, and the package has no number so large."""


def write(path: str, file: Json) -> None:
    if file.get("options"):
        raise Unsupported("the package takes no options")
    try:
        tensors = dict(built(item) for item in file.get("items", []))
        kv = {text(entry["key"]): value(entry["value"]) for entry in file.get("kv", [])}
    except OverflowError as error:
        raise Limit(str(error)) from error
    except REFUSALS as error:
        raise Refusal(str(error)) from error
    if len(tensors) < len(file.get("items", [])) or len(kv) < len(file.get("kv", [])):
        raise Refusal("the package takes a dictionary, in which no name stands twice")
    with open(path, "wb"):
        pass  # A place that cannot be written to is no wrong description, and the package has one exception for both.
    try:
        hurray.save(path, tensors, kv=kv or None)
    except OverflowError as error:
        raise Limit(str(error)) from error
    except (hurray.FileError, *REFUSALS) as error:
        if str(error).startswith("I/O error"):
            raise OSError(str(error)) from error  # The package has one exception for both.
        if os.path.getsize(path) > HEADER_LEN and not refuses_entries(path, kv):
            raise RuntimeError(f"after a part of it was written: {error}") from error
        raise Refusal(str(error)) from error


def refuses_entries(path: str, kv: Json) -> bool:
    """Whether the entries are at fault, and none of them goes out. They come last: all tensors are out by then, and only
    in a file without any does its size tell."""
    try:
        hurray.save(path, {}, kv=kv or None)
    except (hurray.FileError, *REFUSALS):
        return os.path.getsize(path) == HEADER_LEN
    return False


def text(given: Json) -> str:
    if "utf8" not in given:
        raise ValueError("the package takes names as text")
    return given["utf8"]


def value(given: Json) -> Any:
    ((kind, inside),) = given.items()
    match kind:
        case "string":
            return text(inside)
        case "uint64":
            raise Unsupported("the package writes whole numbers as int64")
        case "int64" | "integer":
            return int(inside)
        case "float64":
            return struct.unpack(">d", bytes.fromhex(inside))[0]
        case "bytes":
            return bytes.fromhex(inside)
        case "array":
            kinds = {kind for item in inside["items"] for kind in item}
            if len(kinds) == 1 and inside.get("type") not in (None, *kinds):
                raise Unsupported("the package takes the type of an array from its items")
            return [value(item) for item in inside["items"]]
    return inside


def built(item: Json) -> tuple[str, Any]:
    """The name of an item, and what the package saves under it."""
    ((kind, given),) = item.items()
    make = composite if kind == "composite" else tensor
    return text(given["name"]), make(given)


def usual(given: Json) -> Json:
    """The descriptor of an item, if it leaves to the package what the package chooses."""
    descriptor = given["descriptor"]
    if descriptor["version"] != [1, 0] or descriptor["byte_offset"] != "0" or "member" in descriptor:
        raise Unsupported("the package chooses the version and the place of the first element")
    return descriptor


def composite(given: Json) -> Any:
    """The package names members after their head, and gives them roles by their order."""
    descriptor, members, roles = usual(given), [], []
    fields = descriptor["layout_fields"]
    if SECTIONS & descriptor.keys():
        raise Unsupported("the package has heads without optional sections")
    for at, member in enumerate(given["members"]):
        ((kind, inside),) = member.items()
        if inside["name"] != {"utf8": f"{text(given['name'])}.{at}"}:
            raise Unsupported("the package names the members of a composite itself")
        plain = {name: section for name, section in inside["descriptor"].items() if name != "member"}
        members.append(built({kind: {**inside, "descriptor": plain}})[1])
        roles.append(inside["descriptor"].get("member", {}).get("member_role"))
    made = hurray.Composite(
        COMPOSITION[fields["composition_rule"]],
        shape=sizes(descriptor),
        dtype=dtype(descriptor["type"]),
        members=members,
        combine_op=COMBINATION[fields["combine_op"]],
    )
    if roles != [MEMBER_ROLES[role] for role in made.member_roles]:
        raise Unsupported("the package gives members their roles itself")
    return made


def sizes(descriptor: Json) -> list[int | None]:
    return [None if int(size) == DYNAMIC else int(size) for size in descriptor["shape"]]


def tensor(item: Json) -> Any:
    given = usual(item)
    buffers = [payload(buffer) for buffer in item["buffers"]]
    if [str(len(buffer)) for buffer in buffers] != [handle["byte_size"] for handle in given["handles"]]:
        raise Unsupported("the package takes the sizes of buffers from their bytes")
    made = hurray.Tensor(
        *buffers[:1],  # None at all is for the package to refuse.
        dtype=dtype(given["type"]),
        shape=sizes(given),
        device=device(given["handles"]),
        aux_buffers=buffers[1:] or None,
        layout=layout(given),
        quantization=quantization(given["quantization"]) if "quantization" in given else None,
        statistics=hurray.Statistics(**statistics(given["statistics"])) if "statistics" in given else None,
        shard=hurray.Shard(*[numbers(given["shard"][name]) for name in ("parent_shape", "shard_offset")])
        if "shard" in given
        else None,
        extension_type=extension(given["extension"]) if "extension" in given else None,
    )
    if [handle.alignment for handle in made.buffer_handles] != [handle["alignment"] for handle in given["handles"]]:
        raise Unsupported("the package chooses the alignment of buffers")
    return made


def payload(given: Json) -> bytes:
    ((kind, inside),) = given.items()
    if kind == "hex":
        return bytes.fromhex(inside)
    if kind == "fill":
        return bytes([inside["byte"]]) * int(inside["len"])
    made, state = bytearray(int(inside["len"])), inside["seed"]
    for at in range(len(made)):
        state = (state * 1664525 + 1013904223) % 2**32
        made[at] = state >> 24
    return bytes(made)


def dtype(name: str) -> Any:
    return hurray.Dtype.from_tag(int(name, 16)) if name.startswith("0x") else hurray.Dtype.from_name(name)


def device(handles: list[Json]) -> Any:
    """All buffers of a tensor are in one place; the package has no other tensor."""
    places = {(handle["device_tag"], handle["memory_class"], handle["sync_mode"]) for handle in handles}
    if not places:
        return None
    if len(places) != 1:
        raise ValueError("the package has one device for all buffers of a tensor")
    ((tag, memory_class, sync_mode),) = places
    if sync_mode != PRODUCER_SYNCED:
        raise Unsupported("the package writes memory that the producer synchronised")
    kind = DEVICES[tag] if tag < len(DEVICES) else tag
    return hurray.Device(kind, 0, MEMORY_CLASSES[memory_class] if memory_class < len(MEMORY_CLASSES) else memory_class)


def numbers(values: list[str]) -> list[int]:
    return [int(value) for value in values]


def layout(given: Json) -> Any:
    fields, name = given.get("layout_fields", {}), given["layout"]
    match name:
        case "row_major":
            return hurray.RowMajorLayout()
        case "column_major":
            return hurray.ColMajorLayout()
        case "strided":
            return hurray.StridedLayout(numbers(given["strides"]))
        case "tiled":
            return tiled(fields)
        case "morton":
            return hurray.MortonLayout(numbers(fields["morton_bits"]))
        case "coo":
            return hurray.CooLayout(int(fields["nnz"]), truth(fields["is_sorted"]))
        case "csr":
            return hurray.CsrLayout(int(fields["nnz"]))
        case "csc":
            return hurray.CscLayout(int(fields["nnz"]))
        case "csf":
            return hurray.CsfLayout(int(fields["nnz"]), numbers(fields["mode_order"]))
        case "block_paged":
            return block_paged(fields)
        case "hilbert":
            return hurray.HilbertLayout(int(fields["hilbert_order"]), int(fields["hilbert_rank"]))
    if not name.startswith("0x"):
        raise Unsupported(name)
    data = bytes.fromhex(fields["extension_data"])
    return hurray.PrivateExtensionLayout(int(name, 16), int(fields["extension_layout_id"]), data)


def tiled(fields: Json) -> Any:
    strides = {name: numbers(fields[name]) for name in ("outer_strides", "inner_strides") if name in fields}
    inner = tiled(fields["nested"]) if "nested" in fields else None
    orders = [ORDERS[fields[name]] for name in ("outer_layout", "inner_layout")]
    return hurray.TiledLayout(numbers(fields["tile_shape"]), *orders, inner_tiled=inner, **strides)


def block_paged(fields: Json) -> Any:
    layer = int(fields["layer_index"])
    return hurray.BlockPagedLayout(
        *[int(fields[name]) for name in ("page_size", "num_pages", "paged_axis", "num_seqs")],
        kv_role=KV_ROLES[fields["kv_role"]],
        layer_index=None if layer == parts.NO_LAYER else layer,
        block_table_index_type=INDEX_TYPES[fields["block_table_index_type"]],
    )


def truth(given: str) -> bool:
    if given not in ("0", "1", "true", "false"):
        raise ValueError("the package takes a boolean")
    return given in ("1", "true")


def quantization(fields: Json) -> Any:
    scheme, is_symmetric = fields["scheme"], int(fields.get("flags", "0")) & 1
    if scheme == "per_tensor":
        return hurray.PerTensorAffine(struct.unpack(">f", bytes.fromhex(fields["scale"]))[0], int(fields["zero_point"]))
    names = ["axis", *(["block_size"] if scheme != "per_channel" else []), "scale_buffer_index"]
    if scheme in ("per_channel", "per_block") and not is_symmetric:
        names.append("zero_point_buffer_index")
    arguments = [int(fields[name]) for name in names]
    if scheme == "per_block":
        arguments.append(hurray.Dtype.from_tag(int(fields["scale_type_tag"])))
    schemes = {"per_channel": hurray.PerChannelAffine, "per_block": hurray.PerBlockAffine}
    if scheme in schemes:
        make = schemes[scheme].symmetric if is_symmetric else schemes[scheme].asymmetric
        return make(*arguments)
    plain = {"nf4": hurray.NF4, "mxfp": hurray.MXFP}
    if scheme not in plain:
        raise Unsupported(scheme)
    return plain[scheme](*arguments)


def statistics(fields: Json) -> Json:
    floats = {name: struct.unpack(">d", bytes.fromhex(fields[name]))[0] for name in parts.STATISTICS if name in fields}
    counts = {name: int(fields[name]) for name in ("nnz", "nm_n", "nm_m") if name in fields}
    return floats | counts | {name: truth(fields[name]) for name in ("has_nan", "has_inf") if name in fields}


def extension(fields: Json) -> Any:
    flags = {name: truth(fields[name]) for name in ("is_float", "is_signed", "has_nan", "has_inf")}
    names = ("sign_bits", "exponent_bits", "mantissa_bits", "exponent_bias")
    made = hurray.ExtensionType(int(fields["bit_width"]), **flags, **{name: int(fields[name]) for name in names})
    if str(made.packing_factor) != fields["packing_factor"]:
        raise ValueError("the package derives the packing factor from the width")
    return made
