"""The fields of layouts and optional sections as the package shows them, by the names of the specification's tables.

Nothing is checked or computed here. What the package does not show is left out: the version of a quantization scheme, the
index of a zero-point buffer that a symmetric scheme ignores, and of a member its role, which only the composite shows.
"""

import struct
from typing import Any

import hurray

Json = dict[str, Any]

FIRST_PRIVATE_TYPE = 0xF0
NO_LAYER = 2**32 - 1
ORDERS = {"row_major": 1, "col_major": 2, "strided": 3, "tiled": 4}
KV_ROLES = {"key": 0, "value": 1, "fused": 2}
INDEX_TYPES = {"uint32": 0, "uint64": 1}
RULES = {"partition": 1, "overlay": 2, "group": 3}
OPERATIONS = {None: 0, "replace": 1, "add": 2}
STATISTICS = ("sparsity_ratio", "value_min", "value_max", "value_abs_max", "value_mean", "value_stddev")


def type_name(dtype: Any) -> str:
    """The package calls every private type `extension`."""
    return f"0x{dtype.tag:02x}" if dtype.tag >= FIRST_PRIVATE_TYPE else dtype.name


def one(value: Any) -> str:
    """A boolean stays one, so that nobody takes it for the byte that stands in the file."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def many(values: Any) -> list[str]:
    return [one(value) for value in values]


def float64(value: float) -> str:
    return struct.pack(">d", value).hex()


def layout(layout: Any) -> Json:
    """The fields of the layout, strides apart."""
    match layout:
        case hurray.TiledLayout():
            return tiled(layout)
        case hurray.MortonLayout():
            return {"morton_bits": many(layout.morton_bits)}
        case hurray.CooLayout():
            return {"nnz": one(layout.nnz), "is_sorted": one(layout.is_sorted)}
        case hurray.CsrLayout() | hurray.CscLayout():
            return {"nnz": one(layout.nnz)}
        case hurray.CsfLayout():
            return {"nnz": one(layout.nnz), "mode_order": many(layout.mode_order)}
        case hurray.BlockPagedLayout():
            return block_paged(layout)
        case hurray.CompositeLayout():
            rule, operation = RULES[layout.composition_rule], OPERATIONS[layout.combine_op]
            return {
                "composition_rule": one(rule),
                "combine_op": one(operation),
                "member_count": one(layout.member_count),
            }
        case hurray.HilbertLayout():
            return {"hilbert_order": one(layout.hilbert_order), "hilbert_rank": one(layout.hilbert_rank)}
        case hurray.PrivateExtensionLayout():
            data = layout.extension_data.hex()
            return {"extension_layout_id": one(layout.extension_layout_id), "extension_data": data}
    return {}


def tiled(layout: Any) -> Json:
    """One level and those inside it; the package itself allows eight."""
    seen: Json = {
        "tile_shape": many(layout.tile_shape),
        "outer_layout": one(ORDERS[layout.outer_layout]),
        "inner_layout": one(ORDERS[layout.inner_layout]),
    }
    if layout.outer_strides is not None:
        seen["outer_strides"] = many(layout.outer_strides)
    if layout.inner_strides is not None:
        seen["inner_strides"] = many(layout.inner_strides)
    if layout.inner_tiled is not None:
        seen["nested"] = tiled(layout.inner_tiled)
    return seen


def block_paged(layout: Any) -> Json:
    return {
        "page_size": one(layout.page_size),
        "num_pages": one(layout.num_pages),
        "paged_axis": one(layout.paged_axis),
        "num_seqs": one(layout.num_seqs),
        "kv_role": one(KV_ROLES[layout.kv_role]),
        "layer_index": one(NO_LAYER if layout.layer_index is None else layout.layer_index),
        "block_table_index_type": one(INDEX_TYPES[layout.block_table_index_type]),
    }


def sections(descriptor: Any) -> Json:
    """The optional sections that are there."""
    # Whether there is a member section is not shown either: an empty one claims nothing.
    seen: Json = {"member": {}}
    if (scheme := descriptor.quantization) is not None:
        seen["quantization"] = quantization(scheme)
    if (shard := descriptor.shard) is not None:
        seen["shard"] = {"parent_shape": many(shard.parent_shape), "shard_offset": many(shard.shard_offset)}
    if (statistics := descriptor.statistics) is not None:
        seen["statistics"] = observe_statistics(statistics)
    if (extension := descriptor.extension_type) is not None:
        names = (
            "bit_width packing_factor is_float is_signed sign_bits exponent_bits mantissa_bits exponent_bias has_nan "
            "has_inf"
        )
        seen["extension"] = {name: one(getattr(extension, name)) for name in names.split()}
    return seen


def quantization(scheme: Any) -> Json:
    match scheme:
        case hurray.PerTensorAffine():
            scale = struct.pack(">f", scheme.scale).hex()
            return {"scheme": "per_tensor", "scale": scale, "zero_point": one(scheme.zero_point)}
        case hurray.PerChannelAffine():
            return {"scheme": "per_channel", **indices(scheme, "axis scale_buffer_index zero_point_buffer_index")}
        case hurray.PerBlockAffine():
            names = "axis block_size scale_buffer_index zero_point_buffer_index"
            return {"scheme": "per_block", "scale_type_tag": one(scheme.scale_type.tag), **indices(scheme, names)}
    name = "nf4" if isinstance(scheme, hurray.NF4) else "mxfp"
    return {"scheme": name, **indices(scheme, "axis block_size scale_buffer_index")}


def indices(scheme: Any, names: str) -> Json:
    values = ((name, getattr(scheme, name)) for name in names.split())
    return {name: one(value) for name, value in values if value is not None}


def observe_statistics(statistics: Any) -> Json:
    """What the mask does not declare is `None`."""
    seen = {name: float64(value) for name in STATISTICS if (value := getattr(statistics, name)) is not None}
    numbers = ((name, getattr(statistics, name)) for name in ("nnz", "nm_n", "nm_m", "has_nan", "has_inf"))
    return seen | {name: one(value) for name, value in numbers if value is not None}
