"""The frame of a file: header, trailer and index.

Owns their bytes and the rules on them. Must not know descriptors or metadata values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .crc import crc32c
from .cursor import U64_MAX, Cursor, Packer, is_power_of_two, round_up
from .faults import Judge

FILE_MAGIC = b"HRRYFILE"
TRAILER_MAGIC = b"HRRY"
HEADER_SIZE = 64
TRAILER_SIZE = 40
LEAST_INDEX = 8
LEAST_FILE = HEADER_SIZE + LEAST_INDEX + TRAILER_SIZE
LEAST_ENTRY = 35
HAS_KV, SORTED_INDEX, HAS_CRC = 1, 2, 4
LEAST_ALIGNMENT, MOST_ALIGNMENT = 4096, 1 << 21
UNKNOWN_COUNT = U64_MAX


@dataclass(frozen=True)
class Header:
    file_flags: int = HAS_CRC
    data_buffer_alignment: int = LEAST_ALIGNMENT
    first_descriptor_offset: int = HEADER_SIZE
    tensor_count_hint: int = UNKNOWN_COUNT
    version: tuple[int, int] = (1, 0)

    def encode(self) -> bytes:
        packer = Packer().raw(FILE_MAGIC).u8(self.version[0]).u8(self.version[1]).raw(bytes(2))
        packer.u32(self.file_flags).u32(self.data_buffer_alignment)
        packer.u64(self.first_descriptor_offset).u64(self.tensor_count_hint)
        return packer.raw(bytes(28)).done()


def parse_header(data: bytes, judge: Judge) -> Header:
    cursor = Cursor(data, 0, judge, "container.safety.min-file")
    if cursor.take(8) != FILE_MAGIC:
        judge.stop("container.header.magic-reject", 0, "not a Hurray file")
    version = cursor.u8(), cursor.u8()
    if version[0] > 1:
        judge.stop("container.header.version-major-reject", 8, f"container version {version[0]}")
    if version[0] == 0:
        judge.stop("version.container.major-lower-reject", 8, "container version 0")
    cursor.zeros(2, "container.header.reserved-10-11")
    header = Header(cursor.u32(), cursor.u32(), cursor.u64(), cursor.u64(), version)
    if header.file_flags & ~(HAS_KV | SORTED_INDEX | HAS_CRC):
        judge.stop("container.flags.reserved-reject", 12, f"file flags {header.file_flags:#010x}")
    alignment = header.data_buffer_alignment
    if not is_power_of_two(alignment):
        judge.stop("container.header.alignment-power-of-two", 16, f"alignment {alignment}")
    if alignment < LEAST_ALIGNMENT:
        judge.reject("container.header.alignment-min", 16, f"alignment {alignment}")
    if alignment > MOST_ALIGNMENT:
        judge.reject("container.header.alignment-max", 16, f"alignment {alignment}")
    if header.first_descriptor_offset < HEADER_SIZE:
        judge.reject("container.header.first-descriptor-min", 20, "the first descriptor is in the header")
    if header.first_descriptor_offset % 8:
        judge.reject("container.header.first-descriptor-aligned", 20, "the first descriptor is not aligned")
    cursor.zeros(28, "container.header.reserved-36-63")
    return header


@dataclass(frozen=True)
class Trailer:
    index_offset: int
    index_length: int
    kv_offset: int = 0
    kv_length: int = 0
    index_crc32c: int = 0

    @property
    def has_kv(self) -> bool:
        return self.kv_length > 0

    def encode(self) -> bytes:
        packer = Packer().u64(self.index_offset).u64(self.index_length)
        packer.u64(self.kv_offset).u32(self.kv_length).u32(self.index_crc32c)
        return packer.raw(bytes(4)).raw(TRAILER_MAGIC).done()


def parse_trailer(data: bytes, size: int, header: Header, judge: Judge) -> Trailer:
    """The last 40 bytes of a file of `size` bytes; nothing is believed before the magic is seen."""
    end = size - TRAILER_SIZE
    if data[36:] != TRAILER_MAGIC:
        judge.stop("container.trailer.magic-reject", end + 36, "the file does not end in a trailer")
    cursor = Cursor(data, end, judge, "container.safety.min-file")
    trailer = Trailer(cursor.u64(), cursor.u64(), cursor.u64(), cursor.u32(), cursor.u32())
    cursor.zeros(4, "container.trailer.reserved")
    start, length = trailer.index_offset, trailer.index_length
    if start < HEADER_SIZE:
        judge.stop("container.safety.index-lower-bound", end, f"the index begins at {start}")
    if length < LEAST_INDEX:
        judge.stop("container.safety.index-min-length", end + 8, f"an index of {length} bytes")
    _check_end(start, length, end, judge)
    if start + length > end:
        judge.stop("container.trailer.index-bounds", end, "the index reaches into the trailer")
    if start % 8:
        judge.reject("container.index.aligned", end, f"the index begins at {start}")
    if not header.file_flags & HAS_CRC and trailer.index_crc32c:
        judge.reject("container.flags.crc-clear-nonzero-reject", end + 28, "a checksum that no flag announces")
    _check_kv_range(trailer, end, header, judge)
    return trailer


def _check_kv_range(trailer: Trailer, end: int, header: Header, judge: Judge) -> None:
    start, length = trailer.kv_offset, trailer.kv_length
    if start == 0 and length == 0:
        if header.file_flags & HAS_KV:
            judge.reject("container.flags.kv-implies-nonzero", 12, "metadata is announced and not there")
        return
    if start == 0 or length == 0:
        judge.stop("container.trailer.kv-fields", end + 16, "offset and length of the metadata are zero together")
    if length < 4:
        judge.stop("kv.section.truncated", end + 24, f"a metadata section of {length} bytes")
    _check_end(start, length, end + 16, judge)
    if start < HEADER_SIZE or start + length > end:
        judge.stop("container.safety.kv-bounds", end + 16, "the metadata section leaves the file")
    if start % 8:
        judge.reject("kv.section.aligned", end + 16, f"the metadata section begins at {start}")
    if start < trailer.index_offset + trailer.index_length and trailer.index_offset < start + length:
        judge.reject("container.region.no-overlap", end + 16, "metadata and index overlap")


def _check_end(start: int, length: int, at: int, judge: Judge) -> None:
    if start + length > U64_MAX:
        judge.stop("container.safety.offset-overflow", at, f"{start} + {length} is beyond 64 bits")


@dataclass(frozen=True)
class Entry:
    """One tensor in the index. `place` is the file offset of this entry's fields behind the name."""

    name: str
    descriptor_offset: int
    descriptor_length: int
    data_offset: int
    data_length: int
    place: int = 0


def parse_index(data: bytes, header: Header, trailer: Trailer, size: int, judge: Judge) -> list[Entry]:
    base = trailer.index_offset
    if header.file_flags & HAS_CRC and crc32c(data) != trailer.index_crc32c:
        at = size - TRAILER_SIZE + 28
        judge.reject("container.flags.crc-mismatch-reject", at, "the index does not have the checksum of the trailer")
    cursor = Cursor(data, base, judge, "container.safety.index-entry-overrun")
    count = cursor.u64()
    if count > cursor.left // LEAST_ENTRY:
        judge.stop("container.safety.index-count-huge", base, f"{count} entries in {cursor.left} bytes")
    entries: list[Entry] = []
    names: set[str] = set()
    for _ in range(count):
        start = cursor.offset
        entry = _parse_entry(cursor)
        if entry.name in names:
            judge.stop("container.index.name-unique", start, f"name {entry.name!r} occurs twice")
        names.add(entry.name)
        entries.append(entry)
    if cursor.left and header.version[1] == 0:
        judge.reject("container.index.length-exact", cursor.offset, f"{cursor.left} bytes behind the last entry")
    _check_index(entries, header, judge)
    return entries


def _parse_entry(cursor: Cursor) -> Entry:
    start, judge = cursor.offset, cursor.judge
    length = cursor.u16()
    if length == 0:
        judge.stop("container.index.name-nonempty", start, "a tensor without a name")
    raw = cursor.take(length)
    try:
        name = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        judge.stop("container.index.name-utf8", start + 2 + error.start, "a name that is not UTF-8")
    place = cursor.offset
    entry = Entry(name, cursor.u64(), cursor.u32(), cursor.u64(), cursor.u64(), place)
    flags = cursor.u32()
    if flags:
        judge.reject("container.index.flags-zero", place + 28, f"entry flags {flags:#010x}")
    return entry


def _check_index(entries: Sequence[Entry], header: Header, judge: Judge) -> None:
    if header.file_flags & SORTED_INDEX:
        for before, after in zip(entries, entries[1:]):
            if before.name.encode() >= after.name.encode():
                judge.reject("container.index.sorted-order", after.place, f"{after.name!r} is out of order")
    seen: set[int] = set()
    for entry in entries:
        if entry.descriptor_offset in seen:
            judge.reject("container.index.count", entry.place, "two entries for one descriptor")
        seen.add(entry.descriptor_offset)


def encode_index(entries: Sequence[Entry]) -> bytes:
    packer = Packer().u64(len(entries))
    for entry in entries:
        raw = entry.name.encode("utf-8")
        packer.u16(len(raw)).raw(raw).u64(entry.descriptor_offset).u32(entry.descriptor_length)
        packer.u64(entry.data_offset).u64(entry.data_length).u32(0)
    return packer.done()


# ---- where a tensor's bytes are -------------------------------------------------------------------------------------


def check_descriptor_range(entry: Entry, trailer: Trailer, size: int, judge: Judge) -> None:
    start, length, at = entry.descriptor_offset, entry.descriptor_length, entry.place
    _check_end(start, length, at, judge)
    if start < HEADER_SIZE or start + max(length, 20) > size - TRAILER_SIZE:
        judge.stop("container.safety.descriptor-bounds", at, "the descriptor is not inside the file")
    if start % 8:
        judge.reject("container.region.descriptor-aligned", at, f"a descriptor begins at {start}")
    _check_apart(start, start + length, trailer, at, judge)


def buffer_positions(data_offset: int, alignment: int, sizes: Sequence[int]) -> list[int]:
    """Each buffer begins at the next boundary behind the one before it."""
    positions = []
    position = data_offset
    for size in sizes:
        positions.append(position)
        position = round_up(position + size, alignment)
    return positions


def check_data_range(
    entry: Entry, header: Header, trailer: Trailer, sizes: Sequence[int], size: int, judge: Judge
) -> list[int]:
    """Positions of the buffers. Where nothing is stored, nothing about `data_offset` matters."""
    at = entry.place + 12
    alignment = header.data_buffer_alignment
    positions = buffer_positions(entry.data_offset, alignment, sizes)
    end = max((p + s for p, s in zip(positions, sizes) if s), default=entry.data_offset)
    need = end - entry.data_offset
    # The length may or may not count the padding behind the last buffer; more than that is a claim on other bytes.
    padded = max(round_up(need, alignment), positions[-1] - entry.data_offset if sizes else 0)
    if not sizes and entry.data_length:
        judge.note("container.composite.head-data-length-zero", at + 8, "a head with data")
    elif entry.data_length > padded:
        judge.note("container.index.data-length", at + 8, f"data_length {entry.data_length} for {need} bytes")
    # Who maps the region as a whole goes by its length, padding included (ruling R27).
    claimed = max(need, entry.data_length)
    _check_end(entry.data_offset, max(need, claimed) if need else 0, at, judge)
    if entry.data_length < need:
        judge.stop("container.safety.buffer-table-vs-data-length", at + 8, f"{need} bytes of buffers in fewer")
    if need == 0:
        return positions
    if entry.data_offset < HEADER_SIZE or entry.data_offset + claimed > size - TRAILER_SIZE:
        judge.stop("container.safety.data-bounds", at, "the data is not inside the file")
    if entry.data_offset % alignment:
        judge.reject("container.region.data-aligned", at, f"data begins at {entry.data_offset}")
    _check_apart(entry.data_offset, end, trailer, at, judge)
    return positions


def _check_apart(start: int, end: int, trailer: Trailer, at: int, judge: Judge) -> None:
    """A tensor lies outside the index and the metadata section."""
    others = [(trailer.index_offset, trailer.index_length), (trailer.kv_offset, trailer.kv_length)]
    for other, length in others:
        if start < other + length and other < end:
            judge.reject("container.region.no-overlap", at, "a tensor overlaps another section")
