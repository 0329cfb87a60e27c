"""Permissive reading: what it lets pass and shows of it, and what it lets pass no more than strict reading."""

from __future__ import annotations

import base64
import json
import struct
import unittest
from typing import Any

from hurray_witness import layouts, quantization
from hurray_witness.transports import Conversation
from hurray_witness.worker import answer
from hurray_witness.writer import Item

from . import samples
from .samples import opened, written

Json = dict[str, Any]
FLOAT = samples.item("a", "float32", layouts.RowMajor(), (2, 3), [bytes(24)])
TYPE, LAYOUT = 14, 15


def changed(items: list[Item], name: str, at: int, new: bytes) -> bytes:
    """A file with other bytes at a place of a descriptor."""
    data = bytearray(written(items))
    start = opened(bytes(data)).entry(name).descriptor_offset + at
    data[start : start + len(new)] = new
    return bytes(data)


def asked(data: bytes, *steps: Json, permissive: bool = True) -> list[Json]:
    """The results behind that of opening the file, in a conversation that serves it."""
    request = {"id": 1, "source": {"served": {"size": str(len(data))}}}
    said: list[Json] = []

    def hear() -> str:
        need = said[-1]["need"]
        start = int(need["offset"])
        piece = base64.b64encode(data[start : start + need["len"]]).decode()
        return json.dumps({"id": 1, "bytes": piece}) + "\n"

    conversation = Conversation(hear, lambda line: said.append(json.loads(line)))
    given = {"permissive": True} if permissive else {}
    results: list[Json] = answer(conversation, request | {"steps": [{"open": given}, *steps]})["results"]
    return results[1:]


def of(operation: str, name: str, **more: object) -> Json:
    return {operation: {"name": {"utf8": name}, **more}}


class Tags(unittest.TestCase):
    def both(self, data: bytes, *steps: Json) -> list[Json]:
        """What permissive reading says; strict reading rejects each step."""
        for result in asked(data, *steps, permissive=False):
            self.assertIn("reject", result)
        return asked(data, *steps)

    def test_unknown_type(self) -> None:
        data = changed([FLOAT], "a", TYPE, b"\x05")
        described, read, decoded, located = self.both(
            data, of("describe", "a"), of("read", "a"), of("decode", "a", index=["0", "0"]), of("locate", "a", index=[])
        )
        self.assertEqual(described["ok"]["tensor"]["type"], "0x05")
        self.assertEqual(described["ok"]["tensor"]["shape"], ["2", "3"])
        self.assertEqual(described["ok"]["tensor"]["handles"][0]["byte_size"], "24")
        self.assertEqual(read["ok"]["buffers"][0]["len"], "24")
        self.assertIn("unsupported", decoded)
        self.assertIn("unsupported", located)

    def test_unknown_layout(self) -> None:
        described, read = self.both(changed([FLOAT], "a", LAYOUT, b"\x0c"), of("describe", "a"), of("read", "a"))
        self.assertEqual(described["ok"]["tensor"]["layout"], "0x0c")
        self.assertEqual(described["ok"]["tensor"]["shape"], ["2", "3"])
        self.assertNotIn("handles", described["ok"]["tensor"])
        self.assertIn("unsupported", read)

    def test_unknown_scheme(self) -> None:
        named = {item.name: item for item in samples.everything()}
        data = bytearray(written([named["mxfp"]]))
        at = bytes(data).index(quantization.encode(quantization.Mxfp(0, 0, 16, 1)))
        data[at] = 0xF3
        described, read = self.both(bytes(data), of("describe", "mxfp"), of("read", "mxfp"))
        self.assertEqual(described["ok"]["quantization"]["scheme"], "0xf3")
        self.assertEqual(len(described["ok"]["tensor"]["handles"]), 2)
        self.assertIn("unsupported", read)

    def test_never(self) -> None:
        for at, new in (
            (TYPE, b"\x00"),
            (TYPE, b"\xff"),
            (LAYOUT, b"\x00"),
            (LAYOUT, b"\xff"),
            (10, b"\x20"),
            (4, b"\x02"),
        ):
            (described,) = asked(changed([FLOAT], "a", at, new), of("describe", "a"))
            self.assertIn("reject", described, (at, new))


class Composites(unittest.TestCase):
    def test_overlap(self) -> None:
        """The second half of the partition says that it is the first."""
        data = written([samples.partition()])
        box = struct.pack("<4Q", 8, 8, 0, 4)
        data = data.replace(box, struct.pack("<4Q", 8, 8, 0, 0))
        (strict,) = asked(data, of("composite", "p"), permissive=False)
        self.assertEqual(strict["reject"]["rule"], "composite.partition.no-overlap")
        (loose,) = asked(data, of("composite", "p"))
        self.assertEqual(len(loose["ok"]["composite"]["members"]), 2)

    def test_torn(self) -> None:
        data = changed([samples.partition()], "p", 20 + 16 + 8 + 4, struct.pack("<I", 3))
        (strict,) = asked(data, of("composite", "p"), permissive=False)
        self.assertEqual(strict["reject"]["rule"], "container.composite.torn-reject")
        whole, member, everything = asked(data, of("composite", "p"), of("read", "p.l"), {"all": {}})
        self.assertIn("unsupported", whole)
        self.assertIn("ok", member)
        self.assertEqual(len(everything["ok"]["names"]), 3)

    def test_private_rule(self) -> None:
        data = changed([samples.partition()], "p", 20 + 16 + 8, b"\xf0")
        (strict,) = asked(data, of("describe", "p"), permissive=False)
        self.assertEqual(strict["reject"]["rule"], "composite.head.rule-private-reject")
        described, whole = asked(data, of("describe", "p"), of("composite", "p"))
        self.assertEqual(described["ok"]["tensor"]["layout_fields"]["composition_rule"], "240")
        self.assertIn("unsupported", whole)

    def test_a_member_is_checked_as_ever(self) -> None:
        data = written([samples.partition()]).replace(struct.pack("<4Q", 8, 8, 0, 4), struct.pack("<4Q", 8, 9, 0, 4))
        (found,) = asked(data, of("composite", "p"))
        self.assertEqual(found["reject"]["rule"], "composite.member.parent-shape")


if __name__ == "__main__":
    unittest.main()
