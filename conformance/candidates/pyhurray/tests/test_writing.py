"""Files written with the package: what is there afterwards, and how a failure is told. Skipped without the package."""

import contextlib
import copy
import os
import tempfile
import unittest
from pathlib import Path
from typing import Any

from . import package

import parts  # isort: skip
import writing  # isort: skip

Json = dict[str, Any]


def described(name: str = "a", data: str = "01020304", **fields: Any) -> Json:
    """A tensor of uint8 in one row, and what is to be different."""
    length = len(data) // 2
    handle = {"byte_size": str(length), "alignment": 64, "device_tag": 0, "sync_mode": 0, "memory_class": 0}
    descriptor = {
        "version": [1, 0],
        "type": "uint8",
        "layout": "row_major",
        "shape": [str(length)],
        "byte_offset": "0",
        "handles": [handle],
        **fields,
    }
    return {"tensor": {"name": {"utf8": name}, "descriptor": descriptor, "buffers": [{"hex": data}]}}


def changed(**handle: Any) -> Json:
    """The same, with another handle."""
    item = copy.deepcopy(described())
    item["tensor"]["descriptor"]["handles"][0].update(handle)
    return item


def of_buffers(*buffers: str) -> Json:
    """The same, with other buffers, and as many handles as before."""
    item = described()
    item["tensor"]["buffers"] = [{"hex": buffer} for buffer in buffers]
    return item


def composed(rule: str, *members: Json, **fields: Any) -> Json:
    """A composite `c` of 4 elements of uint8."""
    tags = {"composition_rule": {"partition": "1", "overlay": "2", "group": "3"}[rule], "combine_op": "0"}
    if rule == "overlay":
        tags["combine_op"] = "2"
    tags["member_count"] = str(len(members))
    head = described(layout="composite_head", layout_fields=tags, handles=[], **fields)["tensor"]["descriptor"]
    return {"composite": {"name": {"utf8": "c"}, "descriptor": head, "members": list(members)}}


def part(name: str, offset: int, data: str, **fields: Any) -> Json:
    """Elements of `c` from `offset` on."""
    return described(name, data, shard={"parent_shape": ["4"], "shard_offset": [str(offset)]}, **fields)


def entry(key: str, value: Json) -> Json:
    return {"key": {"utf8": key}, "value": value}


@unittest.skipUnless(package.IS_THERE, "pyhurray is not installed")
class Writing(unittest.TestCase):
    def setUp(self) -> None:
        stack = contextlib.ExitStack()
        self.path = str(Path(stack.enter_context(tempfile.TemporaryDirectory())) / "out.hrry")
        self.addCleanup(stack.close)

    def write(self, *items: Json, kv: list[Json] | None = None) -> None:
        writing.write(self.path, {"options": {}, "items": list(items), "kv": kv or []})

    def test_what_was_described_is_in_the_file(self) -> None:
        import hurray
        import numpy

        self.write(described("b"), described("a", "ff", shape=[]), kv=[entry("k", {"int64": "-1"})])
        found = hurray.load(self.path)
        self.assertEqual(sorted(found), ["a", "b"])
        self.assertEqual((found["a"].shape, found["b"].shape), ((), (4,)))
        self.assertEqual(numpy.from_dlpack(found["b"].buffer(0)).tobytes(), bytes([1, 2, 3, 4]))
        self.assertEqual(hurray.load_kv(self.path), {"k": -1})

    def test_a_composite_is_written_with_its_members(self) -> None:
        import hurray
        import numpy

        base = {"member_role": "1"}
        for rule, members, roles in [
            ("group", [described("c.0"), described("c.1", "05")], (None, None)),
            ("partition", [part("c.0", 0, "01"), part("c.1", 1, "020304")], (None, None)),
            ("overlay", [part("c.0", 0, "01020304", member=base), part("c.1", 2, "05", member={"member_role": "0"})],
             ("base", "correction")),
        ]:  # fmt: skip
            with self.subTest(rule):
                self.write(composed(rule, *members))
                found = hurray.load(self.path)["c"]
                self.assertEqual((found.layout.composition_rule, found.shape, found.member_roles), (rule, (4,), roles))
                wanted = [bytes.fromhex(member["tensor"]["buffers"][0]["hex"]) for member in members]
                seen = [numpy.from_dlpack(member.buffer(0)).tobytes() for member in found.members]
                self.assertEqual(seen, wanted)

    def test_every_layout_and_scheme_that_is_declared_can_be_built(self) -> None:
        fields = {
            "tiled": {"tile_shape": ["2"], "outer_layout": "1", "inner_layout": "1"},
            "morton": {"morton_bits": ["2"]},
            "coo": {"nnz": "1", "is_sorted": "true"},
            "csr": {"nnz": "1"},
            "csc": {"nnz": "1"},
            "csf": {"nnz": "1", "mode_order": ["0", "1", "2"]},
            "block_paged": {
                **{"page_size": "1", "num_pages": "1", "paged_axis": "0", "num_seqs": "1"},
                **{"kv_role": "2", "layer_index": "4294967295", "block_table_index_type": "0"},
            },
            "hilbert": {"hilbert_order": "1", "hilbert_rank": "2"},
        }
        for name in set(writing.WRITES["layouts"]) - {"composite_head"}:
            with self.subTest(name):
                made = writing.layout({"layout": name, "strides": ["1"], "layout_fields": fields.get(name, {})})
                self.assertEqual(made.name, {"column_major": "col_major"}.get(name, name))
                self.assertEqual(parts.layout(made), fields.get(name, {}))
        scheme = {
            **{"flags": "0", "scale": "3f000000", "zero_point": "1", "axis": "0", "block_size": "32"},
            **{"scale_buffer_index": "1", "zero_point_buffer_index": "2", "scale_type_tag": "3"},
        }
        for name in writing.WRITES["quantization"]:
            with self.subTest(name):
                seen = parts.quantization(writing.quantization({"scheme": name, **scheme}))
                self.assertEqual(seen, {field: value for field, value in {"scheme": name, **scheme}.items() if field in seen})

    def test_what_the_package_has_no_way_to_say_is_unsupported(self) -> None:
        for item in [
            changed(byte_size="5"),
            changed(alignment=128),
            changed(device_tag=1, sync_mode=1),
            of_buffers(),
            of_buffers("01020304", "05"),
            of_buffers("0102030405"),
            described(version=[1, 1]),
            described(byte_offset="1"),
            described(member={"member_role": "1"}),
            composed("group", described("c.1")),
            composed("group", described("c.0", member={"member_role": "1"})),
            composed("group", described("c.0"), shard={"parent_shape": ["4"], "shard_offset": ["0"]}),
        ]:
            with self.subTest(item), self.assertRaises(writing.Unsupported):
                self.write(item)
        self.assertFalse(os.path.exists(self.path))

    def test_a_wrong_tensor_is_refused(self) -> None:
        no_buffer = described(handles=[])
        no_buffer["tensor"]["buffers"] = []
        for items in [
            [no_buffer],
            [described("")],
            [described("a"), described("a")],
            [described(shape=["5"])],
            [described(type="0x00")],
            [composed("partition", part("c.0", 0, "01"))],
            [described(layout="coo", layout_fields={"nnz": "1", "is_sorted": "2"})],
        ]:
            with self.subTest(items), self.assertRaises(writing.Refusal):
                self.write(*items)

    def test_a_wrong_entry_is_refused_also_behind_a_tensor(self) -> None:
        for wrong in [
            [entry("", {"bool": True})],
            [entry("k" * 65536, {"bool": True})],
            [entry("k", {"array": {"type": "bool", "items": [{"bool": True}, {"int64": "1"}]}})],
            [entry("k", {"bool": True}), entry("k", {"bool": True})],
        ]:
            with self.subTest(wrong), self.assertRaises(writing.Refusal):
                self.write(described(), kv=wrong)

    def test_a_failure_behind_a_tensor_that_no_entry_is_to_blame_for_is_an_error(self) -> None:
        with self.assertRaises(RuntimeError):
            self.write(described("a"), described(""), kv=[entry("k", {"bool": True})])

    def test_a_number_beyond_the_package_is_a_limit(self) -> None:
        with self.assertRaises(writing.Limit):
            self.write(kv=[entry("k", {"integer": str(2**64 - 1)})])

    def test_a_place_that_cannot_be_written_to_is_no_wrong_description(self) -> None:
        with self.assertRaises(OSError):
            writing.write(str(Path(self.path).parent / "no" / "out.hrry"), {"items": [described()], "kv": []})

    def test_each_end_has_its_word_in_the_protocol(self) -> None:
        import adapter

        folder = str(Path(self.path).parent / "no")
        for word, path, item, kv in [
            ("ok", self.path, described(), []),
            ("refused", self.path, described(""), []),
            ("unsupported", self.path, changed(alignment=128), []),
            ("limit", self.path, described(), [entry("k", {"integer": str(2**64)})]),
            ("io", f"{folder}/out.hrry", described(), []),
            ("error", self.path, described(), None),
        ]:
            with self.subTest(word):
                file = adapter.File({"sink": {"path": path}})
                # Without entries this is no request, which is nobody's verdict.
                arguments = None if kv is None else {"items": [item], "kv": kv}
                answer = adapter.run_step(file, {"write": arguments})
                self.assertEqual(list(answer), [word], answer)
