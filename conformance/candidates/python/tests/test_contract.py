"""Ranges in, stretches out: what a transport may do to a reader and a sink to a writer."""

from __future__ import annotations

import base64
import json
import unittest
from typing import Any

from hurray_witness import layouts
from hurray_witness.faults import Judge, Poisoned, Refused, Rejected, SourceFailed
from hurray_witness.jobs import Job, run
from hurray_witness.reader import open_frame
from hurray_witness.transports import Conversation
from hurray_witness.worker import answer
from hurray_witness.writer import Item, Operation, Writer
from hurray_witness.writer import run as run_write

from . import samples
from .samples import opened, transport, written


class Ranges(unittest.TestCase):
    def setUp(self) -> None:
        self.data = written(samples.everything())
        self.asked: list[tuple[int, int]] = []

    def record(self, offset: int, into: memoryview) -> int:
        self.asked.append((offset, len(into)))
        return transport(self.data)(offset, into)

    def test_open_takes_header_trailer_index(self) -> None:
        frame = run(open_frame(len(self.data), Judge()), self.record)
        end = len(self.data) - 40
        index = (frame.trailer.index_offset, frame.trailer.index_length)
        self.assertEqual(self.asked, [(0, 64), (end, 40), index])

    def test_tensor_takes_descriptor_and_buffers(self) -> None:
        reader = opened(self.data)
        run(reader.describe("csr"), self.record)
        self.assertEqual(len(self.asked), 1)
        self.asked.clear()
        run(reader.read("csr"), self.record)
        self.assertEqual([length for _, length in self.asked[1:]], [20, 40, 40])
        self.asked.clear()
        run(reader.read("empty"), self.record)
        self.assertEqual(len(self.asked), 1)

    def test_any_split_and_interruption(self) -> None:
        calls = 0

        def difficult(offset: int, into: memoryview) -> int:
            nonlocal calls
            calls += 1
            if calls % 3 == 0:
                raise SourceFailed("interrupted")
            return transport(self.data)(offset, into[:7])

        whole = run(opened(self.data).read("csf"), transport(self.data))
        pieces = run(opened(self.data).read("csf"), difficult)
        assert whole.buffers is not None and pieces.buffers is not None
        self.assertEqual([bytes(b) for b in whole.buffers], [bytes(b) for b in pieces.buffers])

    def test_a_failed_transfer_is_asked_for_again(self) -> None:
        job = Job(opened(self.data).describe("csr"))
        wanted = job.step()
        self.assertEqual(job.step(), wanted)
        assert wanted is not None
        with self.assertRaises(Refused):
            job.report(wanted[1] + 1)
        transport(self.data)(wanted[0], job.destination()[:5])
        job.report(5)
        self.assertEqual(job.step(), (wanted[0] + 5, wanted[1] - 5))

    def test_an_end_within_a_range(self) -> None:
        with self.assertRaises(SourceFailed) as caught:
            run(opened(self.data).read("csr"), lambda offset, into: 0)
        self.assertEqual(caught.exception.kind, "unexpected_eof")


class Sinks(unittest.TestCase):
    def finish(self, writer: Writer, out: bytearray, items: list[Item]) -> bytes:
        def sink(stretch: memoryview) -> int:
            out.extend(stretch[:1000])
            return min(1000, len(stretch))

        for item in items:
            run_write(writer.put(item), sink)
        run_write(writer.finish(), sink)
        return bytes(out)

    def start(self) -> tuple[Writer, bytearray]:
        writer, out = Writer(), bytearray()

        def sink(stretch: memoryview) -> int:
            out.extend(stretch)
            return len(stretch)

        run_write(writer.header(), sink)
        return writer, out

    def test_failure_before_the_first_byte_changes_nothing(self) -> None:
        def broken(stretch: memoryview) -> int:
            raise SourceFailed("other")

        items = [samples.csr(), samples.overlay()]
        writer, out = self.start()
        with self.assertRaises(SourceFailed):
            run_write(writer.put(items[0]), broken)
        with self.assertRaises(SourceFailed):
            run_write(writer.finish(), broken)
        self.assertFalse(writer.poisoned)
        self.assertEqual(self.finish(writer, out, items), written(items))

    def test_failure_behind_the_first_byte_is_final(self) -> None:
        writer, _ = self.start()
        operation = writer.put(samples.csr())
        self.take(operation, 1)
        operation.abandon()
        self.assertTrue(writer.poisoned)
        with self.assertRaises(Poisoned):
            writer.finish()

    def take(self, operation: Operation, count: int) -> None:
        self.assertIsNotNone(operation.step())
        operation.report(count)

    def test_refused_before_a_byte(self) -> None:
        writer, out = self.start()
        good = samples.partition()
        torn = Item(good.name, good.descriptor, (), good.members[:1])
        twice = Item("x", good.descriptor, (), [good.members[0], Item("x.l", *self.parts(good.members[0]))])
        named = Item(good.name, good.descriptor, (), [good.members[0], Item("p.l", *self.parts(good.members[1]))])
        wrong = [torn, twice, named, Item("", *self.parts(samples.csr())), Item("a", samples.csr().descriptor, [])]
        wrong.append(samples.item("a", "float8_e8m0", layouts.RowMajor(), (1,), [b"\xff"]))
        wrong.append(samples.item("a", "float32", layouts.RowMajor(), (2,), [bytes(4)]))
        for item in wrong:
            with self.assertRaises(Refused):
                writer.put(item)
        self.assertEqual(self.finish(writer, out, [good]), written([good]))

    def parts(self, item: Item) -> tuple[Any, Any]:
        return item.descriptor, item.buffers


class Worker(unittest.TestCase):
    def ask(self, request: dict[str, Any], answers: list[dict[str, Any]]) -> tuple[dict[str, Any], list[Any]]:
        said: list[Any] = []
        lines = iter(json.dumps(one) for one in answers)

        def hear() -> str:
            if "offer" in said[-1]:
                return json.dumps({"taken": len(base64.b64decode(said[-1]["offer"]["bytes"]))})
            return next(lines, "")

        conversation = Conversation(hear, lambda line: said.append(json.loads(line)))
        return answer(conversation, request), said

    def test_missing_file_is_no_rejection(self) -> None:
        request = {"id": 1, "source": {"path": "/no/such/file"}, "steps": [{"open": {}}, {"list": {}}, {"what": {}}]}
        results = self.ask(request, [])[0]["results"]
        self.assertEqual([list(result) for result in results], [["io"], ["refused"], ["unsupported"]])

    def test_served_file_with_a_bad_magic_stays_closed(self) -> None:
        request = {"id": 2, "source": {"served": {"size": "200"}}, "steps": [{"open": {}}, {"list": {}}]}
        answers = [{"id": 2, "error": "interrupted"}, {"id": 2, "bytes": "AA=="}, {"id": 2, "bytes": "A" * 84}]
        result, said = self.ask(request, answers)
        needed = [(one["need"]["offset"], one["need"]["len"]) for one in said]
        self.assertEqual(needed, [("0", 64), ("0", 64), ("1", 63)])
        for one in result["results"]:
            self.assertEqual(one["reject"]["rule"], "container.header.magic-reject")

    def test_write_over_the_conversation(self) -> None:
        tensor = {
            "version": [1, 0],
            "type": "int8",
            "layout": "strided",
            "shape": ["2"],
            "byte_offset": "1",
            "strides": ["-1"],
            "layout_fields": {},
            "handles": [{"byte_size": "2", "alignment": 64, "device_tag": 0, "sync_mode": 0, "memory_class": 0}],
        }
        item = {"tensor": {"name": {"utf8": "a"}, "descriptor": tensor, "buffers": [{"hex": "0102"}]}}
        steps = [{"create": {}}, {"put": item}, {"put": item}, {"finish": {"kv": []}}]
        result, said = self.ask({"id": 3, "sink": {"served": {}}, "steps": steps}, [])
        self.assertEqual([list(one) for one in result["results"]], [["ok"], ["ok"], ["refused"], ["ok"]])
        self.assertEqual(result["results"][2]["refused"]["state"], "usable")
        data = b"".join(base64.b64decode(one["offer"]["bytes"]) for one in said)
        self.assertEqual(samples.findings(data), [])
        self.assertEqual(opened(data).names(), ["a"])


class Frames(unittest.TestCase):
    def test_a_failed_tensor_leaves_the_others(self) -> None:
        data = bytearray(written([samples.csr(), samples.coo()]))
        data[opened(bytes(data)).entry("csr").descriptor_offset] = 0
        reader = opened(bytes(data))
        with self.assertRaises(Rejected):
            run(reader.read("csr"), transport(bytes(data)))
        self.assertIsNotNone(run(reader.read("coo"), transport(bytes(data))).buffers)


if __name__ == "__main__":
    unittest.main()
