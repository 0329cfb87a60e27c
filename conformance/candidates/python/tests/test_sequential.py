"""Reading without seeking: by any pieces the same as by ranges, and nothing lost at the end of the region."""

from __future__ import annotations

import base64
import json
import struct
import unittest
from typing import Any

from hurray_witness import kv, layouts
from hurray_witness.container import Entry, Trailer, encode_index
from hurray_witness.crc import crc32c
from hurray_witness.faults import Rejected, SourceFailed, Unsupported
from hurray_witness.jobs import run
from hurray_witness.reader import Tensor
from hurray_witness.sequential import Pull, Tape, scan, walk
from hurray_witness.transports import Conversation
from hurray_witness.worker import answer
from hurray_witness.writer import Item

from . import samples
from .samples import findings, opened, transport, written

METADATA = [("k", kv.Value(kv.FLOAT64, 0x7FF0000000000001))]
ROW = layouts.RowMajor()


def stream(data: bytes, piece: int = 1 << 20, trouble: int = 0) -> Pull:
    """The bytes one after the other, a piece at a time, with an interruption at every so many calls."""
    position = calls = 0

    def pull(length: int) -> bytes:
        nonlocal position, calls
        calls += 1
        if trouble and calls % trouble == 0:
            raise SourceFailed("interrupted")
        found = data[position : position + min(piece, length)]
        position += len(found)
        return found

    return pull


def moved(data: bytes, places: dict[str, int]) -> bytes:
    """The same tensors with descriptors at other places; their data follows at the next boundary."""
    reader = opened(data)
    out, entries = bytearray(data[:64]), []
    for entry in reader.in_file_order:
        out += bytes(places[entry.name] - len(out))
        out += data[entry.descriptor_offset : entry.descriptor_offset + entry.descriptor_length]
        boundary = -(-len(out) // 4096) * 4096
        stored = data[entry.data_offset : entry.data_offset + entry.data_length]
        out += bytes(boundary - len(out)) + stored
        entries.append(
            Entry(entry.name, places[entry.name], entry.descriptor_length, boundary, entry.data_length, entry.place)
        )
    out += bytes(-len(out) % 8)
    index = encode_index(entries)
    trailer = Trailer(len(out), len(index), 0, 0, crc32c(index))
    return bytes(out) + index + trailer.encode()


class Streams(unittest.TestCase):
    def same(self, data: bytes, found: list[Tensor]) -> None:
        """What was found is what ranges find, in file order."""
        reader = opened(data)
        self.assertEqual([tensor.entry for tensor in found], reader.in_file_order)
        for tensor in found:
            there = run(reader.read(tensor.entry.name), transport(data))
            self.assertEqual(tensor.descriptor, there.descriptor)
            assert tensor.buffers is not None and there.buffers is not None
            self.assertEqual([bytes(b) for b in tensor.buffers], [bytes(b) for b in there.buffers])

    def test_everything_by_any_pieces(self) -> None:
        data = written(samples.everything(), METADATA)
        for piece, trouble in ((1 << 20, 0), (4096, 3), (7, 2)):
            found, metadata = scan(stream(data, piece, trouble))
            self.same(data, found)
            self.assertEqual(metadata, METADATA)
            self.assertEqual(len(found), len(opened(data).names()))

    def test_no_tensors(self) -> None:
        self.assertEqual(scan(stream(written([]))), ([], []))
        data = bytearray(written([]))
        data[20:28] = struct.pack("<Q", 1 << 40)
        self.assertEqual(scan(stream(bytes(data))), ([], []))

    def test_data_that_looks_like_descriptors(self) -> None:
        for size in (4096, 4104, 16):
            item = samples.item("a", "uint8", ROW, (size,), [(b"HRRY\x01\x00\xff\xff" * 513)[:size]])
            data = written([item, samples.csr()])
            self.same(data, scan(stream(data))[0])

    def test_padding_of_any_length(self) -> None:
        data = written([samples.item(name, "uint8", ROW, (5,), [b"12345"]) for name in "abc"])
        for second, third in ((4104, 8200), (8192, 16384), (4096 * 5 + 8, 4096 * 9 + 16)):
            other = moved(data, {"a": 64, "b": second, "c": third})
            self.same(other, scan(stream(other))[0])
            tape = Tape(stream(other))
            taken = walk(tape, opened(other).frame.header)
            self.assertEqual(list(taken), [64, second, third])

    def test_padding_is_not_looked_at(self) -> None:
        data = bytearray(moved(written([samples.csr(), samples.coo()]), {"csr": 64, "coo": 4096 * 6}))
        end = opened(bytes(data)).entry("csr").data_offset
        self.same(bytes(data), scan(stream(bytes(data)))[0])
        data[4096 * 5 + 16] = 0x48
        self.assertLess(end, 4096 * 5)
        self.same(bytes(data), scan(stream(bytes(data)))[0])

    def test_the_count_is_not_believed(self) -> None:
        data = bytearray(written([samples.csr(), samples.coo()]))
        for count in (0, 1, 3, 1 << 63):
            data[28:36] = struct.pack("<Q", count)
            self.same(bytes(data), scan(stream(bytes(data)))[0])

    def test_an_index_that_has_gone_by(self) -> None:
        """The index stands between the first descriptor and its data."""
        item = samples.item("a", "uint8", ROW, (5,), [b"12345"])
        data = written([item])
        entry = opened(data).entry("a")
        index = encode_index([entry])
        trailer = Trailer(256, len(index), 0, 0, crc32c(index)).encode()
        other = data[:256] + index + data[256 + len(index) : 4096 + 64] + bytes(64) + trailer
        self.assertEqual(opened(other).names(), ["a"])
        with self.assertRaises(Unsupported):
            scan(stream(other))


class Broken(unittest.TestCase):
    def test_no_beginning_is_taken_for_the_whole(self) -> None:
        data = written([samples.csr(), samples.paged()], METADATA)
        for end in [*range(0, len(data), 97), *range(len(data) - 200, len(data))]:
            with self.assertRaises(Rejected):
                scan(stream(data[:end]))

    def test_the_index_has_to_agree(self) -> None:
        data = written([samples.csr(), samples.coo()])
        entry = opened(data).entry("coo")
        for at, rule in ((8, "container.index.descriptor-length-mismatch-reject"), (20, "container.safety.")):
            bad = bytearray(data)
            bad[entry.place + at] -= 1
            start = struct.unpack("<Q", data[-40:-32])[0]
            bad[-12:-8] = struct.pack("<I", crc32c(bytes(bad[start:-40])))
            self.assertTrue(findings(bytes(bad)))
            with self.assertRaises(Rejected) as caught:
                scan(stream(bytes(bad)))
            self.assertTrue(caught.exception.fault.rule.startswith(rule), caught.exception)


class Conversations(unittest.TestCase):
    def test_scan(self) -> None:
        data = written([Item("a", samples.item("a", "uint8", ROW, (3,), [b"abc"]).descriptor, [b"abc"])], METADATA)
        position = 0
        said: list[dict[str, Any]] = []

        def hear() -> str:
            nonlocal position
            length = min(100, said[-1]["next"]["len"])
            piece, position = data[position : position + length], position + length
            reply: dict[str, Any] = {"bytes": base64.b64encode(piece).decode()} if piece else {"end": True}
            return json.dumps({"id": 1} | reply) + "\n"

        conversation = Conversation(hear, lambda line: said.append(json.loads(line)))
        steps: list[dict[str, Any]] = [{"scan": {}}, {"scan": {}}, {"list": {}}]
        request = {"id": 1, "source": {"stream": {}}, "steps": steps}
        first, second, third = answer(conversation, request)["results"]
        (tensor,) = first["ok"]["scan"]["tensors"]
        self.assertEqual((tensor["name"], tensor["descriptor_offset"]), ({"utf8": "a"}, "64"))
        self.assertEqual((tensor["tensor"]["type"], tensor["buffers"][0]["len"]), ("uint8", "3"))
        self.assertEqual(first["ok"]["scan"]["kv"][0]["key"], {"utf8": "k"})
        self.assertIn("refused", second)
        self.assertIn("unsupported", third)


if __name__ == "__main__":
    unittest.main()
