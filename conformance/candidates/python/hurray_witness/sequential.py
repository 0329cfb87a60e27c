"""Reading a file that goes by once: no size, no way back.

Owns the walk through the tensor region by arithmetic, and what is made of the end of the file. Must not know where the
bytes come from: they are pulled.

The walk takes what stands at `first_descriptor_offset` for a descriptor, computes where its buffers are and where the
next descriptor may begin, and goes on while one does. Whatever it cannot make sense of ends the walk and is no fault
yet: from there on all bytes are kept until the file is over. Then its last 40 bytes are the trailer, the index says
what is a tensor, and what the walk has taken has to be what the index says. The count in the header is not needed and
not believed. A tensor that the walk did not meet is read from the bytes that were kept. A file whose index points back
to bytes that have gone by is good, perhaps, and cannot be read in this way.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from . import container, kv
from .container import HEADER_SIZE, LEAST_FILE, LEAST_INDEX, TRAILER_SIZE, Entry, Header, buffer_positions
from .cursor import round_up
from .descriptor import MAGIC, Agreement, Descriptor, declared_length, parse
from .faults import BeyondLimit, Judge, Rejected, SourceFailed, Unsupported
from .jobs import MAX_MEMORY, aligned_memory, run
from .reader import MAX_DESCRIPTOR, Frame, Reader, Tensor

MAX_KEPT = 1 << 28
_LEAST_PULL, _MOST_PULL = 1 << 14, 1 << 20
_PATIENCE = 1000

# Asked for so many bytes it returns some of them, none when the file is over.
Pull = Callable[[int], bytes]


class Tape:
    """The bytes that came by last, from the file offset `start` on."""

    def __init__(self, pull: Pull) -> None:
        self._pull = pull
        self._kept = bytearray()
        self.start = 0
        self.is_over = False

    @property
    def end(self) -> int:
        return self.start + len(self._kept)

    def reach(self, offset: int) -> bool:
        """Lets the file go by up to an offset. False if it is over before."""
        interrupted = 0
        while self.end < offset and not self.is_over:
            if len(self._kept) > MAX_KEPT:
                raise BeyondLimit(f"more than {MAX_KEPT} bytes to be kept in mind")
            try:
                piece = self._pull(min(max(offset - self.end, _LEAST_PULL), _MOST_PULL))
            except SourceFailed as failure:
                interrupted += 1
                if failure.kind != "interrupted" or interrupted > _PATIENCE:
                    raise
                continue
            interrupted = 0
            self._kept += piece
            self.is_over = not piece
        return self.end >= offset

    def reach_end(self) -> int:
        """Lets the whole file go by; its size."""
        while self.reach(self.end + _MOST_PULL):
            pass
        return self.end

    def between(self, start: int, end: int) -> bytes:
        """Bytes that are still kept."""
        assert self.start <= start <= end <= self.end
        return bytes(self._kept[start - self.start : end - self.start])

    def forget(self, offset: int) -> None:
        """Keeps nothing before an offset that was reached."""
        del self._kept[: offset - self.start]
        self.start = offset

    def read(self, offset: int, into: memoryview) -> int:
        """A transport for what is kept."""
        if offset < self.start:
            raise Unsupported(f"byte {offset} has gone by")
        into[:] = self.between(offset, offset + len(into))
        return len(into)


@dataclass
class Passed:
    """A tensor that the walk took: its descriptor, and where its buffers were and what was in them."""

    length: int
    descriptor: Descriptor
    positions: list[int]
    data: list[bytes]
    end: int


def scan(pull: Pull) -> tuple[list[Tensor], list[kv.Entry]]:
    """Tensors in file order, and metadata."""
    tape, judge = Tape(pull), Judge()
    if not tape.reach(HEADER_SIZE):
        judge.stop("container.safety.min-file", 0, f"a file of {tape.end} bytes")
    header = container.parse_header(tape.between(0, HEADER_SIZE), judge)
    tape.forget(HEADER_SIZE)
    passed = walk(tape, header)
    size = tape.reach_end()
    if size < LEAST_FILE:
        judge.stop("container.safety.min-file", 0, f"a file of {size} bytes")
    frame = _frame(tape, size, header, passed, judge)
    reader = Reader(frame)
    tensors = []
    for entry in reader.in_file_order:
        taken = passed.get(entry.descriptor_offset)
        if taken is not None:
            tensors.append(_agreed(entry, taken, frame, judge))
        else:
            _check_order(entry, frame, passed, judge)
            tensors.append(run(reader.read(entry.name), tape.read))
    return tensors, frame.metadata


# ---- the walk -------------------------------------------------------------------------------------------------------


def walk(tape: Tape, header: Header) -> dict[int, Passed]:
    """The tensors that follow one another from the first on, by the offsets of their descriptors."""
    passed: dict[int, Passed] = {}
    total = 0
    at: int | None = header.first_descriptor_offset
    while at is not None:
        taken = _take(tape, at, header.data_buffer_alignment)
        if taken is None:
            break
        total += sum(len(data) for data in taken.data)
        if total > MAX_MEMORY:
            raise BeyondLimit(f"tensors of more than {MAX_MEMORY} bytes")
        passed[at] = taken
        tape.forget(taken.end)
        at = _next_descriptor(tape, taken.end)
    return passed


def _take(tape: Tape, at: int, alignment: int) -> Passed | None:
    """The tensor at an offset, if there is one. The index and the trailer at least follow it."""
    if not tape.reach(at + 10):
        return None
    judge = Judge()
    try:
        length = declared_length(tape.between(at, at + 10), at, judge)
        if length > MAX_DESCRIPTOR or not tape.reach(at + length):
            return None
        found = parse(tape.between(at, at + length), at, judge, Agreement())
    except Rejected:
        return None
    sizes = [handle.byte_size for handle in found.handles]
    positions = buffer_positions(round_up(at + length, alignment), alignment, sizes)
    end = max((p + s for p, s in zip(positions, sizes) if s), default=at + length)
    if not tape.reach(end + LEAST_INDEX + TRAILER_SIZE):
        return None
    data = [tape.between(p, p + s) if s else b"" for p, s in zip(positions, sizes)]
    return Passed(length, found, positions, data, end)


def _next_descriptor(tape: Tape, end: int) -> int | None:
    """Behind a tensor only padding comes before the next one, in steps of 8."""
    at = round_up(end, 8)
    while tape.reach(at + 8):
        word = tape.between(at, at + 8)
        if word[:4] == MAGIC:
            return at
        if any(word):
            return None
        at += 8
    return None


# ---- the end of the file --------------------------------------------------------------------------------------------


def _frame(tape: Tape, size: int, header: Header, passed: dict[int, Passed], judge: Judge) -> Frame:
    trailer = container.parse_trailer(tape.between(size - TRAILER_SIZE, size), size, header, judge)
    raw = _section(tape, trailer.index_offset, trailer.index_length, passed, judge)
    entries = container.parse_index(raw, header, trailer, size, judge)
    metadata: list[kv.Entry] = []
    if trailer.has_kv:
        raw = _section(tape, trailer.kv_offset, trailer.kv_length, passed, judge)
        metadata = kv.parse(raw, trailer.kv_offset, header.version[1], judge)
    return Frame(size, header, trailer, entries, metadata)


def _section(tape: Tape, start: int, length: int, passed: dict[int, Passed], judge: Judge) -> bytes:
    if start < tape.start:
        _check_apart(start, start + length, passed, judge)
        raise Unsupported("index or metadata stand before tensors and have gone by")
    return tape.between(start, start + length)


def _check_apart(start: int, end: int, passed: dict[int, Passed], judge: Judge) -> None:
    for other, taken in passed.items():
        parts = [(other, taken.length), *((p, len(data)) for p, data in zip(taken.positions, taken.data))]
        if any(start < part + length and part < end for part, length in parts if length):
            judge.stop("container.region.no-overlap", start, f"it overlaps the tensor at {other}")


def _check_order(entry: Entry, frame: Frame, passed: dict[int, Passed], judge: Judge) -> None:
    """A tensor that the walk did not meet."""
    start = entry.descriptor_offset
    if start < frame.header.first_descriptor_offset:
        message = f"the first descriptor is at {start}"
        judge.reject("container.header.first-descriptor-points", entry.place, message)
    _check_apart(start, start + entry.descriptor_length, passed, judge)


def _agreed(entry: Entry, taken: Passed, frame: Frame, judge: Judge) -> Tensor:
    """A tensor as the walk took it, if the index means the same bytes."""
    container.check_descriptor_range(entry, frame.trailer, frame.size, judge)
    if entry.descriptor_length != taken.length:
        message = f"{taken.length} in itself"
        judge.stop("container.index.descriptor-length-mismatch-reject", entry.place + 8, message)
    sizes = [handle.byte_size for handle in taken.descriptor.handles]
    positions = container.check_data_range(entry, frame.header, frame.trailer, sizes, frame.size, judge)
    if any(size and here != there for size, here, there in zip(sizes, taken.positions, positions)):
        raise Unsupported(f"data that is not at the next boundary, and has gone by as something else: {entry.name!r}")
    tensor = Tensor(entry, taken.descriptor, [])
    for handle, data in zip(taken.descriptor.handles, taken.data):
        memory = aligned_memory(handle.byte_size, handle.alignment)
        memory[:] = data
        assert tensor.buffers is not None
        tensor.buffers.append(memory)
    return tensor
