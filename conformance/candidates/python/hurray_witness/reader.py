"""Reading a file by ranges: open, list, metadata, describe, read, composite.

Owns the state of an open file and the plan of each operation. Does no input of its own: each operation is a plan for
`jobs.run` or for any other driver. Must not know the worker protocol.

Opening takes four ranges at most: header, trailer, index, metadata. A descriptor takes one, a tensor its descriptor
and one for each buffer that is not empty. A failed open is final; a failed operation leaves the reader as it was.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

from . import composite, container, kv
from .composite import Node
from .container import HEADER_SIZE, LEAST_FILE, TRAILER_SIZE, Entry, Header, Trailer
from .descriptor import HEADER_SIZE as DESCRIPTOR_HEADER_SIZE
from .descriptor import Agreement, Descriptor, declared_length, parse
from .faults import BeyondLimit, Judge, NotFound, Refused, Unsupported
from .jobs import MAX_MEMORY, Plan, Want, aligned_memory
from .layouts import Extension, Unknown
from .quantization import PrivateScheme

MAX_INDEX = 1 << 27
MAX_DESCRIPTOR = 1 << 24


@dataclass
class Tensor:
    """What an operation found: the buffers are missing where only the descriptor was asked for."""

    entry: Entry
    descriptor: Descriptor
    buffers: list[memoryview] | None = None


@dataclass
class Frame:
    """Everything known about a file after opening it."""

    size: int
    header: Header
    trailer: Trailer
    entries: list[Entry]
    metadata: list[kv.Entry]


def open_frame(size: int, judge: Judge) -> Plan[Frame]:
    if size < LEAST_FILE:
        judge.stop("container.safety.min-file", 0, f"a file of {size} bytes")
    header = container.parse_header(bytes((yield Want(0, HEADER_SIZE))), judge)
    end = size - TRAILER_SIZE
    trailer = container.parse_trailer(bytes((yield Want(end, TRAILER_SIZE))), size, header, judge)
    if max(trailer.index_length, trailer.kv_length) > MAX_INDEX:
        raise BeyondLimit(f"an index or metadata section of more than {MAX_INDEX} bytes")
    raw = bytes((yield Want(trailer.index_offset, trailer.index_length)))
    entries = container.parse_index(raw, header, trailer, size, judge)
    metadata: list[kv.Entry] = []
    if trailer.has_kv:
        raw = bytes((yield Want(trailer.kv_offset, trailer.kv_length)))
        metadata = kv.parse(raw, trailer.kv_offset, header.version[1], judge)
    return Frame(size, header, trailer, entries, metadata)


class Reader:
    """An open file. Make one with `Reader(frame)` from the result of `open_frame`."""

    def __init__(self, frame: Frame, agreement: Agreement = Agreement(), judge: Judge | None = None) -> None:
        self.frame = frame
        self.agreement = agreement
        self.judge = judge or Judge()
        self._by_name = {entry.name: entry for entry in frame.entries}
        self.in_file_order = sorted(frame.entries, key=lambda entry: entry.descriptor_offset)

    def names(self) -> list[str]:
        return [entry.name for entry in self.frame.entries]

    def entry(self, name: str) -> Entry:
        if name not in self._by_name:
            raise NotFound(name)
        return self._by_name[name]

    def describe(self, name: str) -> Plan[Tensor]:
        entry = self.entry(name)
        return Tensor(entry, (yield from self._describe(entry)))

    def _describe(self, entry: Entry) -> Generator[Want, memoryview, Descriptor]:
        judge, start = self.judge, entry.descriptor_offset
        container.check_descriptor_range(entry, self.frame.trailer, self.frame.size, judge)
        # Enough to see what the descriptor says of itself, whatever the index says.
        wanted = max(DESCRIPTOR_HEADER_SIZE, min(entry.descriptor_length, MAX_DESCRIPTOR))
        raw = bytes((yield Want(start, min(wanted, self.frame.size - TRAILER_SIZE - start))))
        length = declared_length(raw, start, judge)
        if length != entry.descriptor_length:
            judge.stop("container.index.descriptor-length-mismatch-reject", entry.place + 8, f"{length} in itself")
        if length > MAX_DESCRIPTOR:
            raise BeyondLimit(f"a descriptor of {length} bytes")
        return parse(raw[:length], start, judge, self.agreement)

    def read(self, name: str) -> Plan[Tensor]:
        tensor = yield from self.describe(name)
        unknown = self._unknown(tensor.descriptor)
        if unknown is not None:
            raise Unsupported(f"data of {unknown}")
        yield from self.load(tensor)
        return tensor

    def _unknown(self, d: Descriptor) -> str | None:
        """The unknown layout or scheme that keeps hands off the buffers. Of an unknown type the bytes may be shown."""
        if isinstance(d.layout, Unknown):
            return f"layout {d.layout.NAME}"
        if isinstance(d.layout, Extension) and d.layout.extension_layout_id not in self.agreement.layouts:
            return f"private layout {d.layout.extension_layout_id:#x}"
        if isinstance(d.quantization, PrivateScheme) and d.quantization.tag not in self.agreement.schemes:
            return f"scheme {d.quantization.NAME}"
        return None

    def load(self, tensor: Tensor, aligned: bool = True) -> Plan[None]:
        """The buffers of a described tensor, each in memory as aligned as its handle declares."""
        positions = self.positions(tensor)
        handles = tensor.descriptor.handles
        if sum(handle.byte_size for handle in handles) > MAX_MEMORY:
            raise BeyondLimit(f"a tensor of more than {MAX_MEMORY} bytes")
        tensor.buffers = []
        for position, handle in zip(positions, handles):
            memory = aligned_memory(handle.byte_size, handle.alignment if aligned else 1)
            if handle.byte_size:
                yield Want(position, handle.byte_size, memory)
            tensor.buffers.append(memory)

    def positions(self, tensor: Tensor) -> list[int]:
        """Where the buffers are, known to be inside the file."""
        frame, sizes = self.frame, [handle.byte_size for handle in tensor.descriptor.handles]
        return container.check_data_range(tensor.entry, frame.header, frame.trailer, sizes, frame.size, self.judge)

    def composite(self, name: str) -> Plan[Node]:
        """The whole tree, read from the descriptors and checked level by level."""
        entry = self.entry(name)
        head = yield from self._describe(entry)
        if not head.is_head:
            raise Refused(f"{name!r} is no composite")
        node, _ = yield from self.composite_at(self.in_file_order.index(entry), head)
        return node

    def composite_at(self, place: int, head: Descriptor) -> Plan[tuple[Node, int]]:
        """The tree of the head that is number `place` in file order, and the number of tensors in it."""
        order = self.in_file_order
        return (yield from composite.recover(order[place + 1 :], order[place], head, self._describe, self.judge))
