"""Whole files: written, read back, validated, cut and damaged."""

from __future__ import annotations

import contextlib
import itertools
import random
import struct
import unittest

from hurray_witness import kv, layouts, meaning
from hurray_witness.crc import crc32c
from hurray_witness.faults import BeyondLimit, NotFound, Refused, Rejected, Unsupported
from hurray_witness.jobs import address_of, run
from hurray_witness.writer import Item, Options

from . import samples
from .samples import findings, hexed, opened, transport, written, written_at_once

ONE_INDEX = "0100000000000000 0100 77 4000000000000000 3d000000 0010000000000000 3000000000000000 00000000"
ONE_TRAILER = "3010000000000000 2b00000000000000 0000000000000000 00000000 b0914a6f 00000000 48525259"


class Written(unittest.TestCase):
    def test_smallest_file(self) -> None:
        data = written([])
        self.assertEqual(len(data), 112)
        self.assertEqual(data[-12:-8].hex(), "8ab2288c")
        self.assertEqual(opened(data).names(), [])

    def test_one_tensor(self) -> None:
        data = written([samples.item("w", "float32", layouts.RowMajor(), (3, 4), [bytes(48)])])
        self.assertEqual(len(data), 4227)
        self.assertEqual(data[4144:], bytes.fromhex(ONE_INDEX + ONE_TRAILER))

    def test_everything_comes_back(self) -> None:
        metadata = [("k", kv.Value(kv.FLOAT64, 0x7FF0000000000001)), ("e", kv.Value(kv.ARRAY, 0, kv.BOOL, ()))]
        for data in (written(samples.everything(), metadata), written_at_once(samples.everything(), metadata)):
            self.assertEqual(findings(data), [])
            reader = opened(data)
            self.assertEqual(reader.frame.metadata, metadata)
            for item in samples.everything():
                tensor = run(reader.read(item.name), transport(data))
                self.assertEqual(tensor.descriptor, item.descriptor)
                self.assertEqual(tensor.descriptor.encode(), item.descriptor.encode())
                assert tensor.buffers is not None
                self.assertEqual([bytes(b) for b in tensor.buffers], [bytes(b) for b in item.buffers])

    def test_memory_is_aligned_as_declared(self) -> None:
        item = samples.item("a", "int8", layouts.RowMajor(), (3,), [b"abc"])
        handle = item.descriptor.handles[0]
        for alignment in (64, 4096, 1 << 21):
            object.__setattr__(handle, "alignment", alignment)
            data = written([item])
            tensor = run(opened(data).read("a"), transport(data))
            assert tensor.buffers is not None
            self.assertEqual(address_of(tensor.buffers[0]) % alignment, 0)

    def test_sorted_index_keeps_file_order(self) -> None:
        data = written([samples.partition("z"), samples.csr()], (), Options(sorted_index=True))
        reader = opened(data)
        self.assertEqual(reader.names(), sorted(reader.names()))
        node = run(reader.composite("z"), transport(data))
        self.assertEqual([member.entry.name for member in node.members], ["z.l", "z.r"])
        self.assertEqual(findings(data), [])


class Elements(unittest.TestCase):
    def decoded(self, item: Item, index: tuple[int, ...]) -> str:
        data = written([item])
        return run(meaning.decode(opened(data), item.name, index), transport(data))

    def test_sparse(self) -> None:
        dense = [[1, 0, 0, 2, 0], [0, 0, 3, 0, 0], [0, 4, 0, 0, 5], [0, 0, 0, 0, 0]]
        for item in (samples.csr(), samples.csc()):
            for r, c in itertools.product(range(4), range(5)):
                self.assertEqual(self.decoded(item, (r, c)), hexed(dense[r][c]))
        self.assertEqual(self.decoded(samples.coo(), (2, 0)), hexed(-0.5))
        self.assertEqual(self.decoded(samples.coo(), (2, 1)), hexed(0))
        self.assertEqual(self.decoded(samples.csf(), (1, 1, 2)), hexed(4))
        self.assertEqual(self.decoded(samples.csf(), (1, 1, 1)), hexed(0))

    def test_paged(self) -> None:
        for index, value in (((0, 0, 0, 0), "0"), ((0, 5, 1, 7), "95"), ((1, 2, 1, 3), "43")):
            self.assertEqual(self.decoded(samples.paged(), index), value)
        with self.assertRaises(Refused):
            self.decoded(samples.paged(), (1, 4, 0, 0))

    def test_quantized(self) -> None:
        named = {item.name: item for item in samples.everything()}
        values = [self.decoded(named["blocks"], (n,)) for n in range(6)]
        self.assertEqual(values, [hexed(v) for v in (0, 1, -3, -0.5, 12, -2)])
        values = [self.decoded(named["nf4"], (n,)) for n in range(8)]
        expected = "c0400000 40400000 00000000 3e74787e 3fa93b8a bf97a5f8 c005ab45 3ef73054"
        self.assertEqual(values, expected.split())
        self.assertEqual(self.decoded(named["mxfp"], (15,)), hexed(-12))

    def test_outside(self) -> None:
        for index in ((4, 0), (0,), (0, 0, 0), (-1, 0)):
            with self.assertRaises(Refused):
                self.decoded(samples.csr(), index)
        data = written([samples.partition()])
        with self.assertRaises(Refused):
            run(meaning.locate(opened(data), "p", (0, 0)), transport(data))


class Damaged(unittest.TestCase):
    def test_no_prefix_opens(self) -> None:
        data = written(samples.everything()[:2])
        for end in [*range(0, len(data), 13), *range(len(data) - 200, len(data))]:
            with self.assertRaises(Rejected):
                opened(data[:end])

    def test_zero_trailer(self) -> None:
        data = written([samples.item("a", "int8", layouts.RowMajor(), (4096,), [bytes(4096)]), samples.csr()])
        second = opened(data).entry("csr").descriptor_offset
        with self.assertRaises(Rejected) as caught:
            opened(data[: second + 4])
        self.assertEqual(caught.exception.fault.rule, "container.safety.index-lower-bound")

    def test_not_found(self) -> None:
        data = written([samples.csr()])
        with self.assertRaises(NotFound):
            run(opened(data).read("CSR"), transport(data))

    def test_all_faults_are_found(self) -> None:
        data = bytearray(written([samples.csr(), samples.coo()]))
        reader = opened(bytes(data))
        csr, coo = reader.entry("csr"), reader.entry("coo")
        data[40] = 1
        data[csr.descriptor_offset + 200] = 7
        struct.pack_into("<Q", data, csr.data_offset + 4096, 9)
        struct.pack_into("<Q", data, coo.data_offset + 4096, 9)
        rules = {fault.rule for fault in findings(bytes(data))}
        expected = {"container.header.reserved-36-63", "container.region.descriptor-pad-zero"}
        expected |= {"layout.csr.cols-in-bounds", "layout.csr.cols-sorted", "layout.coo.in-bounds", "layout.coo.sorted"}
        self.assertEqual(rules, expected)

    def test_random_damage(self) -> None:
        """Nothing but the outcomes that are meant, and no rejection without a finding."""
        whole = written(samples.everything(), [("k", kv.Value(kv.STRING, "v"))])
        reader = opened(whole)
        spans = [(entry.descriptor_offset, entry.descriptor_length) for entry in reader.frame.entries]
        spans += [(0, 64), (reader.frame.trailer.index_offset, len(whole) - reader.frame.trailer.index_offset)]
        chance = random.Random(7)
        for _ in range(60):
            data = bytearray(whole)
            start, length = chance.choice(spans)
            data[start + chance.randrange(length)] = chance.choice((0, 1, 0x7F, 0x80, 0xFF, chance.randrange(256)))
            index, size = struct.unpack_from("<QQ", data, len(data) - 40)
            if index + size <= len(data):
                struct.pack_into("<I", data, len(data) - 12, crc32c(data[index : index + size]))
            self.assertTrue(self.survives(bytes(data)) or findings(bytes(data)))

    def survives(self, data: bytes) -> bool:
        try:
            reader = opened(data)
            for name in reader.names():
                tensor = run(reader.read(name), transport(data))
                if tensor.descriptor.is_head:
                    run(reader.composite(name), transport(data))
                else:
                    self.touch(reader.entry(name).name, data, tensor.descriptor.rank)
        except (Rejected, BeyondLimit):
            return False
        return True

    def touch(self, name: str, data: bytes, rank: int) -> None:
        with contextlib.suppress(Refused, Unsupported):
            run(meaning.decode(opened(data), name, (0,) * rank), transport(data))


if __name__ == "__main__":
    unittest.main()
