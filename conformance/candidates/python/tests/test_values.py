"""Formulas against the worked examples of the specification."""

from __future__ import annotations

import itertools
import unittest

from hurray_witness import addressing, elements, kv, layouts, quantization
from hurray_witness.container import buffer_positions
from hurray_witness.crc import crc32c
from hurray_witness.cursor import Packer
from hurray_witness.elements import BY_NAME
from hurray_witness.faults import Judge, Refused

from . import samples

HILBERT = [(0, 0), (1, 0), (1, 1), (0, 1), (0, 2), (0, 3), (1, 3), (1, 2)]
HILBERT += [(2, 2), (2, 3), (3, 3), (3, 2), (3, 1), (2, 1), (2, 0), (3, 0)]
ALL_TAGS = (
    "08 00 00 00 01 00 73 01 02 00 00 00 68 69 01 00 69 02 FE FF FF FF FF FF FF FF 01 00 75 03 07 00 00 00 00 00 00 00"
    "01 00 66 04 00 00 00 00 00 00 F8 3F 01 00 62 05 01 01 00 78 06 03 00 00 00 00 FF 10 01 00 61 07 02 02 00 00 00 01"
    "00 00 00 00 00 00 00 FF FF FF FF FF FF FF FF 01 00 65 07 05 00 00 00 00"
)


class Checksum(unittest.TestCase):
    def test_vectors(self) -> None:
        self.assertEqual(crc32c(b"123456789"), 0xE3069283)
        self.assertEqual(crc32c(bytes(8)), 0x8C28B28A)
        self.assertEqual(crc32c(b""), 0)


class Addresses(unittest.TestCase):
    def test_ordered(self) -> None:
        self.assertEqual(addressing.row_major((1, 2), (3, 4)), 6)
        self.assertEqual(addressing.column_major((1, 2), (3, 4)), 7)
        self.assertEqual(addressing.row_major((1, 2, 3), (2, 3, 4)), 23)
        self.assertEqual(addressing.column_major((0, 2, 1), (2, 3, 4)), 10)

    def test_strided(self) -> None:
        self.assertEqual(addressing.strided((2, 3), (-4, 1)), -5)
        self.assertEqual(addressing.strided_extent((3, 4), (-4, 1)), (-8, 3))
        places = [BY_NAME["int4"].place(2, -n) for n in (0, 1, 2, 4)]
        self.assertEqual(places, [(2, 0), (1, 4), (1, 0), (0, 0)])

    def test_tiled(self) -> None:
        self.assertEqual(addressing.tiled(layouts.Tiled((2, 4), 1, 1), (3, 5), (6, 8)), 29)
        self.assertEqual(addressing.tiled(layouts.Tiled((2, 4), 2, 2), (4, 6), (5, 7)), 44)
        self.assertEqual(addressing.tiled(layouts.Tiled((2, 2), 3, 1, (1, 2)), (2, 3), (4, 4)), 13)
        nested = layouts.Tiled((4, 4), 1, 4, None, None, layouts.Tiled((2, 2), 1, 1))
        self.assertEqual(addressing.tiled(nested, (5, 6), (8, 8)), 54)
        self.assertEqual(addressing.elements_needed(nested, (8, 8)), 64)

    def test_curves(self) -> None:
        self.assertEqual(addressing.morton((2, 3), (2, 2)), 14)
        self.assertEqual(addressing.morton((1, 2, 3), (2, 2, 2)), 53)
        codes = {addressing.morton(i, (1, 3)) for i in itertools.product(range(2), range(8))}
        self.assertEqual(codes, set(range(16)))
        self.assertEqual([addressing.hilbert(x, 2) for x in HILBERT], list(range(16)))

    def test_buffers(self) -> None:
        self.assertEqual(buffer_positions(4096, 4096, [100, 50, 7]), [4096, 8192, 12288])
        self.assertEqual(buffer_positions(4096, 4096, [0, 100]), [4096, 4096])


class Values(unittest.TestCase):
    def numbers(self, name: str, codes: list[int]) -> list[float]:
        return [elements.number_of(BY_NAME[name], code) for code in codes]

    def test_narrow_floats(self) -> None:
        self.assertEqual(self.numbers("float4_e2m1", list(range(8))), [0, 0.5, 1, 1.5, 2, 3, 4, 6])
        self.assertEqual(self.numbers("float6_e2m3", [1, 0x1F, 0x3F]), [0.125, 7.5, -7.5])
        self.assertEqual(self.numbers("float6_e3m2", [1, 0x1F]), [0.0625, 28])
        self.assertEqual(self.numbers("float8_e4m3", [0x7E, 0x38, 0x01, 0xB8]), [448, 1, 0.001953125, -1])
        self.assertEqual(self.numbers("float8_e5m2", [0x7B, 0x3C, 0xC0, 0x7C]), [57344, 1, -2, float("inf")])
        self.assertEqual(self.numbers("float8_e8m0", [0x7F, 0x80, 0x01]), [1, 2, 2.0**-126])

    def test_bits_survive_widening(self) -> None:
        self.assertEqual(elements.text_of(BY_NAME["float16"], 0x7D01), "7fa02000")
        self.assertEqual(elements.text_of(BY_NAME["bfloat16"], 0xFF81), "ff810000")
        self.assertEqual(elements.text_of(BY_NAME["float16"], 0x8001), "b3800000")
        self.assertEqual(elements.text_of(BY_NAME["float32"], 0x7F800001), "7f800001")

    def test_packing(self) -> None:
        six, data = BY_NAME["float6_e2m3"], bytes.fromhex("814020")
        self.assertEqual([six.code(data, *six.place(0, n)) for n in range(4)], [1, 2, 4, 8])
        self.assertEqual([six.packed(n) for n in (0, 1, 4, 5)], [0, 3, 3, 6])
        two = BY_NAME["int2"]
        self.assertEqual([elements.integer_of(two, code) for code in range(4)], [0, 1, -2, -1])
        self.assertEqual(BY_NAME["bool"].packed(10), 2)

    def test_float32_overflows_to_infinity(self) -> None:
        self.assertEqual(elements.float32_bits(-1e39), 0xFF800000)


class Scales(unittest.TestCase):
    def test_block_index(self) -> None:
        cases = [((4, 3), 0, 2, (3, 1), 6, 3), ((2, 5), 1, 4, (1, 4), 4, 3), ((2, 8, 3), 1, 4, (1, 5, 2), 12, 11)]
        for shape, axis, size, index, count, number in cases:
            scheme = quantization.PerBlock(0, axis, size, 1, 2)
            self.assertEqual(quantization.scale_count(scheme, shape), count)
            self.assertEqual(quantization.scale_index(scheme, shape, index), number)


class Metadata(unittest.TestCase):
    def test_all_tags(self) -> None:
        data = bytes.fromhex(ALL_TAGS)
        entries = kv.parse(data, 0, 0, Judge())
        self.assertEqual(dict(entries)["i"], kv.Value(kv.INT64, -2))
        self.assertEqual(dict(entries)["a"], kv.Value(kv.ARRAY, 0, kv.INT64, (1, -1)))
        self.assertEqual(kv.encode(entries), data)

    def test_refused(self) -> None:
        wrong = [
            [("a", kv.Value(kv.INT64, 1)), ("a", kv.Value(kv.INT64, 1))],
            [("", kv.Value(kv.INT64, 1))],
            [("k" * 65536, kv.Value(kv.INT64, 1))],
            [("a", kv.Value(kv.INT64, 1 << 63))],
            [("a", kv.Value(kv.ARRAY, 0, kv.ARRAY, ()))],
            [("a", kv.Value(kv.STRING, "\udc80"))],
        ]
        for entries in wrong:
            with self.assertRaises(Refused):
                kv.encode(entries)


class Fields(unittest.TestCase):
    def encoded(self, layout: layouts.Layout) -> str:
        packer = Packer()
        layout.encode(packer)
        return packer.done().hex()

    def test_bytes(self) -> None:
        self.assertEqual(self.encoded(layouts.Morton((2, 2))), "0200000002000000")
        self.assertEqual(self.encoded(layouts.CompositeHead(1, 0, 2)), "0100000002000000")
        self.assertEqual(self.encoded(layouts.Strided((-4, 1))), "fcffffffffffffff0100000000000000")
        paged = "0400000005000000000000000000000002000000000300000000000000000000"
        self.assertEqual(self.encoded(layouts.BlockPaged(4, 5, 0, 2, 0, 3, 0)), paged)
        extension = "8877665544332211" + "02000000" + "aabb"
        self.assertEqual(self.encoded(layouts.Extension(0x1122334455667788, b"\xaa\xbb")), extension)
        scheme = quantization.PerChannel(0, 0, 1, 2)
        self.assertEqual(quantization.encode(scheme).hex(), "0201000000000000010000000200000003000000")

    def test_descriptor(self) -> None:
        one = samples.item("w", "float32", layouts.RowMajor(), (3, 4), [bytes(192)]).descriptor
        text = "485252590100 3d000000 00000000 03 01 02000000 0300000000000000 0400000000000000 0000000000000000"
        text += "01 c000000000000000 40000000 00 000000"
        self.assertEqual(one.encode(), bytes.fromhex(text))


if __name__ == "__main__":
    unittest.main()
