"""What a description is turned into before the package sees any of it: numbers, bytes, entries."""

import os
import unittest

from . import package  # noqa: F401 - stands in for the package where there is none

import writing  # isort: skip


class Payloads(unittest.TestCase):
    def test_each_kind_is_its_bytes(self) -> None:
        self.assertEqual(writing.payload({"hex": "00ff"}), b"\x00\xff")
        self.assertEqual(writing.payload({"fill": {"byte": 7, "len": "3"}}), b"\x07\x07\x07")
        # The first three of the generator, by the protocol.
        self.assertEqual(writing.payload({"pattern": {"seed": 1, "len": "3"}}), bytes.fromhex("3c5e81"))


class Entries(unittest.TestCase):
    def test_values_are_those_of_python(self) -> None:
        for given, wanted in [
            ({"string": {"utf8": "ü"}}, "ü"),
            ({"int64": "-9223372036854775808"}, -(2**63)),
            ({"integer": "7"}, 7),
            ({"float64": "bff0000000000000"}, -1.0),
            ({"bool": True}, True),
            ({"bytes": "00ff"}, b"\x00\xff"),
            ({"array": {"type": "int64", "items": [{"int64": "1"}, {"int64": "2"}]}}, [1, 2]),
            ({"array": {"type": "bool", "items": []}}, []),
        ]:
            with self.subTest(given):
                seen = writing.value(given)
                self.assertEqual((seen, type(seen)), (wanted, type(wanted)))

    def test_a_choice_of_the_package_is_not_asked_for(self) -> None:
        for given in [
            {"uint64": "1"},
            {"array": {"type": "uint64", "items": [{"uint64": "1"}]}},
            {"array": {"type": "bool", "items": [{"int64": "1"}]}},
        ]:
            with self.subTest(given), self.assertRaises(writing.Unsupported):
                writing.value(given)

    def test_what_is_wrong_in_itself_is_left_to_the_package(self) -> None:
        mixed = {"array": {"type": "int64", "items": [{"int64": "1"}, {"string": {"utf8": "2"}}]}}
        self.assertEqual(writing.value(mixed), [1, "2"])
        inner = {"array": {"type": "bool", "items": [{"bool": True}]}}
        self.assertEqual(writing.value({"array": {"type": "array", "items": [inner]}}), [[True]])

    def test_names_are_text(self) -> None:
        self.assertEqual(writing.text({"utf8": "a"}), "a")
        with self.assertRaises(ValueError):
            writing.text({"hex": "ff"})


class Fields(unittest.TestCase):
    def test_a_flag_is_a_boolean(self) -> None:
        self.assertEqual([writing.truth(given) for given in ("0", "1", "true", "false")], [False, True, True, False])
        with self.assertRaises(ValueError):
            writing.truth("2")

    def test_statistics_are_those_that_are_given(self) -> None:
        given = {"nnz": "3", "value_min": "c000000000000000", "has_nan": "1"}
        self.assertEqual(writing.statistics(given), {"nnz": 3, "value_min": -2.0, "has_nan": True})

    def test_buffers_that_are_not_there_are_nowhere(self) -> None:
        self.assertIsNone(writing.device([]))
        with self.assertRaises(ValueError):
            writing.device([{"device_tag": tag, "memory_class": 0, "sync_mode": 0} for tag in (0, 1)])

    def test_a_file_that_takes_options_is_not_written(self) -> None:
        with self.assertRaises(writing.Unsupported):
            writing.write(os.devnull, {"options": {"sorted_index": True}, "items": [], "kv": []})
