"""Writing a file forwards: header, items, metadata, index, trailer.

Owns placement and the state of an unfinished file. Does no output of its own: each call returns an operation that
offers stretches of bytes and is told how many were taken. Must not know the worker protocol.

Everything about an item is checked before its first byte: an operation that failed without a byte taken changes
nothing and can be tried again. After the first byte there is no way back, so the writer is poisoned. The descriptor
is checked by reading it, and the data by the same checks as in validation: what this writer would find fault with it
does not write.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from . import composite, container, kv
from .container import HAS_CRC, HAS_KV, HEADER_SIZE, SORTED_INDEX, UNKNOWN_COUNT, Entry, Header, Trailer
from .contents import Contents
from .crc import crc32c
from .cursor import is_power_of_two, round_up
from .descriptor import Agreement, Descriptor, parse
from .faults import Collector, Judge, Poisoned, Refused, Rejected, SourceFailed
from .layouts import CompositeHead

Payload = bytes | bytearray | memoryview
_PATIENCE = 1000


@dataclass(frozen=True)
class Item:
    """A tensor with its buffers, or a head with its members."""

    name: str
    descriptor: Descriptor
    buffers: Sequence[Payload] = ()
    members: Sequence[Item] = ()


@dataclass(frozen=True)
class Options:
    """What is known before the first byte. Metadata that is promised is there, if need be without entries."""

    data_buffer_alignment: int = container.LEAST_ALIGNMENT
    sorted_index: bool = False
    promises_kv: bool = False
    tensor_count: int = UNKNOWN_COUNT


class Operation:
    """The bytes of one item on their way out."""

    def __init__(self, writer: Writer, chunks: Iterable[Payload], commit: Callable[[], None]) -> None:
        self._writer = writer
        self._chunks = [memoryview(chunk) for chunk in chunks if len(chunk)]
        self._commit = commit
        self._taken = 0
        self._at = 0
        self._ended = False

    def step(self) -> memoryview | None:
        """The stretch to write next, or None when the item is out."""
        if self._ended:
            raise Refused("the operation has ended")
        if self._at == len(self._chunks):
            self._ended = True
            self._writer.operation_ended(False)
            self._commit()
            return None
        return self._chunks[self._at][self._taken :]

    def report(self, count: int) -> None:
        """So many bytes of the stretch were taken."""
        if self._ended or not 0 < count <= len(self._chunks[self._at]) - self._taken:
            raise Refused(f"{count} bytes were not offered")
        self._taken += count
        if self._taken == len(self._chunks[self._at]):
            self._at, self._taken = self._at + 1, 0

    def abandon(self) -> None:
        """The item goes no further."""
        if not self._ended:
            self._ended = True
            self._writer.operation_ended(self._at > 0 or self._taken > 0)

    def __del__(self) -> None:
        self.abandon()


@dataclass
class _Piece:
    """One tensor ready for placement."""

    name: str
    encoded: bytes
    sizes: tuple[int, ...]
    buffers: Sequence[Payload]


@dataclass
class Writer:
    options: Options = Options()
    agreement: Agreement = Agreement()
    offset: int = 0
    entries: list[Entry] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    poisoned: bool = False
    finished: bool = False
    busy: bool = False

    def __post_init__(self) -> None:
        alignment = self.options.data_buffer_alignment
        within = container.LEAST_ALIGNMENT <= alignment <= container.MOST_ALIGNMENT
        if not is_power_of_two(alignment) or not within:
            raise Refused(f"data buffers cannot be aligned to {alignment}")

    # ---- the items of a file ----------------------------------------------------------------------------------------

    def header(self) -> Operation:
        self._check_usable(header=True)
        flags = HAS_CRC | (SORTED_INDEX if self.options.sorted_index else 0)
        flags |= HAS_KV if self.options.promises_kv else 0
        header = Header(flags, self.options.data_buffer_alignment, tensor_count_hint=self.options.tensor_count).encode()
        return self._start([header], [], HEADER_SIZE)

    def put(self, item: Item) -> Operation:
        self._check_usable()
        chunks, entries, offset = self._place(self.prepare(item, set(self.names)))
        return self._start(chunks, entries, offset)

    def finish(self, metadata: Sequence[kv.Entry] = ()) -> Operation:
        self._check_usable()
        chunks: list[Payload] = []
        offset = self.offset
        kv_offset = kv_length = 0
        if metadata or self.options.promises_kv:
            raw = kv.encode(metadata)
            kv_offset, kv_length = offset, len(raw)
            offset = round_up(offset + kv_length, 8)
            chunks += [raw, bytes(offset - kv_offset - kv_length)]
        entries = self.entries
        if self.options.sorted_index:
            entries = sorted(entries, key=lambda entry: entry.name.encode())
        index = container.encode_index(entries)
        trailer = Trailer(offset, len(index), kv_offset, kv_length, crc32c(index)).encode()
        return self._start([*chunks, index, trailer], [], offset + len(index) + len(trailer), last=True)

    # ---- checks -----------------------------------------------------------------------------------------------------

    def _check_usable(self, header: bool = False) -> None:
        if self.poisoned:
            raise Poisoned("an item was cut off; this file cannot be completed")
        if self.busy:
            raise Refused("another item is on its way")
        if self.finished:
            raise Refused("the file is finished")
        if header == (self.offset > 0):
            raise Refused("the header comes first, once")

    def prepare(self, item: Item, names: set[str]) -> list[_Piece]:
        """All tensors of an item in file order, checked; `names` grows by theirs."""
        try:
            return self._prepare(item, names, 1)
        except Rejected as rejected:
            raise Refused(f"{item.name!r}: {rejected}") from rejected

    def _prepare(self, item: Item, names: set[str], depth: int) -> list[_Piece]:
        _check_name(item.name, names)
        names.add(item.name)
        piece = self._check_tensor(item)
        layout = item.descriptor.layout
        if not isinstance(layout, CompositeHead):
            if item.members:
                raise Refused(f"{item.name!r} has members and is no head")
            return [piece]
        if layout.member_count != len(item.members):
            raise Refused(f"{item.name!r} has {len(item.members)} members and announces {layout.member_count}")
        if depth > composite.MAX_DEPTH:
            raise Refused(f"composites nested {depth} deep")
        pieces = [piece]
        for number, member in enumerate(item.members):
            pieces += self._prepare(member, names, depth + 1)
            composite.check_member(item.descriptor, member.descriptor, number == 0, Judge())
        composite.check_closed(item.descriptor, [member.descriptor for member in item.members], Judge())
        return pieces

    def _check_tensor(self, item: Item) -> _Piece:
        descriptor = item.descriptor
        if descriptor.version != (1, 0):
            raise Refused(f"descriptor version {descriptor.version} is not written")
        try:
            encoded = descriptor.encode()
        except OverflowError as error:
            raise Refused(f"{item.name!r} has a number that does not fit its field") from error
        judge = Collector()
        with judge.catching():
            if parse(encoded, 0, judge, self.agreement) != descriptor:
                raise Refused(f"{item.name!r} does not read back as it was described")
        sizes = tuple(handle.byte_size for handle in descriptor.handles)
        if sizes != tuple(len(memoryview(buffer).cast("B")) for buffer in item.buffers):
            raise Refused(f"{item.name!r} is given other buffers than it describes")
        if not judge.findings:
            views = [memoryview(buffer).cast("B") for buffer in item.buffers]
            Contents(descriptor, views, [0] * len(views), judge).check()
        if judge.findings:
            fault = judge.findings[0]
            raise Refused(f"{item.name!r} breaks {fault.rule}: {fault.message}")
        return _Piece(item.name, encoded, sizes, item.buffers)

    # ---- placement --------------------------------------------------------------------------------------------------

    def _place(self, pieces: Sequence[_Piece]) -> tuple[list[Payload], list[Entry], int]:
        """Descriptors at multiples of 8, buffers at multiples of the alignment, nothing but zeros between."""
        chunks: list[Payload] = []
        entries: list[Entry] = []
        offset, alignment = self.offset, self.options.data_buffer_alignment
        for piece in pieces:
            start = offset
            chunks.append(piece.encoded)
            offset += len(piece.encoded)
            data_offset = round_up(offset, alignment) if piece.sizes else offset
            data_end = data_offset
            for buffer, position in zip(piece.buffers, container.buffer_positions(data_offset, alignment, piece.sizes)):
                chunks += [bytes(position - offset), buffer]
                offset = data_end = position + len(memoryview(buffer).cast("B"))
            entries.append(Entry(piece.name, start, len(piece.encoded), data_offset, data_end - data_offset))
            padded = round_up(offset, 8)
            chunks.append(bytes(padded - offset))
            offset = padded
        return chunks, entries, offset

    def _start(self, chunks: list[Payload], entries: list[Entry], offset: int, last: bool = False) -> Operation:
        def commit() -> None:
            self.offset = offset
            self.entries = self.entries + entries
            self.names |= {entry.name for entry in entries}
            self.finished = last

        self.busy = True
        return Operation(self, chunks, commit)

    def operation_ended(self, torn: bool) -> None:
        self.busy = False
        self.poisoned = self.poisoned or torn


def _check_name(name: str, names: set[str]) -> None:
    try:
        length = len(name.encode("utf-8"))
    except UnicodeEncodeError as error:
        raise Refused("a name that UTF-8 cannot hold") from error
    if not 1 <= length <= 0xFFFF:
        raise Refused(f"a name of {length} bytes")
    if name in names:
        raise Refused(f"name {name!r} is taken")


Sink = Callable[[memoryview], int]


def run(operation: Operation, sink: Sink) -> None:
    """Puts an operation out through a sink, which takes a prefix of what it is offered and returns its length."""
    interrupted = 0
    try:
        while (stretch := operation.step()) is not None:
            try:
                count = sink(stretch)
            except SourceFailed as failure:
                interrupted += 1
                if failure.kind != "interrupted" or interrupted > _PATIENCE:
                    raise
                continue
            interrupted = 0
            if count == 0:
                raise SourceFailed("closed", "the sink takes nothing any more")
            operation.report(count)
    finally:
        operation.abandon()


def write_file(sink: Sink, items: Sequence[Item], metadata: Sequence[kv.Entry], options: Options) -> None:
    """A whole file, of which everything is checked before its first byte."""
    count = sum(_count(item) for item in items)
    known = Options(options.data_buffer_alignment, options.sorted_index, bool(metadata), count)
    writer = Writer(known)
    names: set[str] = set()
    for item in items:
        writer.prepare(item, names)
    kv.encode(metadata)
    run(writer.header(), sink)
    for item in items:
        run(writer.put(item), sink)
    run(writer.finish(metadata), sink)


def _count(item: Item) -> int:
    return 1 + sum(_count(member) for member in item.members)
