"""Looking for every fault of a file, not only the first.

Owns the checks that need the whole file: order, gaps and padding, the count hint, composites, and the walk over
everything that the other modules check. Must not know the worker protocol.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

from . import demands
from .container import HEADER_SIZE, TRAILER_SIZE, UNKNOWN_COUNT, Entry
from .contents import Contents
from .cursor import round_up
from .descriptor import Agreement, Descriptor
from .faults import Collector, Fault, Judge, Rejected
from .jobs import Plan, Want
from .reader import Frame, Reader, Tensor, open_frame

_CHUNK = 1 << 22


@dataclass(frozen=True)
class Span:
    """A used range. `next_starts` are the offsets at which the format lets the next thing begin, if any."""

    start: int
    end: int
    what: str
    padding_rule: str
    next_starts: tuple[int, ...] | None = None


def validate(size: int, agreement: Agreement = Agreement()) -> Plan[list[Fault]]:
    judge = Collector()
    frame: Frame | None = None
    with judge.catching():
        frame = yield from open_frame(size, judge)
    if frame is None:
        return judge.findings
    reader = Reader(frame, agreement, judge)
    _check_header(frame, reader, judge)
    spans = [Span(0, HEADER_SIZE, "header", "container.region.lead-padding-zero")]
    heads: dict[int, Descriptor] = {}
    for place, entry in enumerate(reader.in_file_order):
        descriptor: Descriptor | None = None
        with judge.catching():
            tensor = yield from reader.describe(entry.name)
            descriptor = tensor.descriptor
            if descriptor.is_head:
                heads[place] = descriptor
            spans += _spans(tensor, frame)
            _check_own_place(tensor, frame, judge)
            yield from _check_contents(reader, tensor, judge)
        if descriptor is None:
            end = entry.descriptor_offset + entry.descriptor_length
            spans.append(Span(entry.descriptor_offset, max(end, entry.data_offset + entry.data_length), "", ""))
    yield from _check_composites(reader, heads, judge)
    yield from _check_layout_of_file(frame, spans, judge)
    return judge.findings


def _check_header(frame: Frame, reader: Reader, judge: Collector) -> None:
    hint = frame.header.tensor_count_hint
    if hint not in (UNKNOWN_COUNT, len(frame.entries)):
        judge.note("container.header.hint-value", 28, f"{hint} tensors announced, {len(frame.entries)} there")
    first = reader.in_file_order[0].descriptor_offset if frame.entries else None
    if first is not None and first != frame.header.first_descriptor_offset:
        judge.note("container.header.first-descriptor-points", 20, f"the first descriptor is at {first}")
    index_end = frame.trailer.index_offset + frame.trailer.index_length
    if index_end != frame.size - TRAILER_SIZE:
        judge.note("container.region.section-gap", index_end, "a gap between index and trailer")
    if frame.entries and reader.in_file_order[-1].descriptor_offset > frame.trailer.index_offset:
        judge.note("container.region.section-order", frame.trailer.index_offset, "tensors behind the index")
    if frame.trailer.has_kv and frame.trailer.kv_offset > frame.trailer.index_offset:
        judge.note("container.region.section-order", frame.trailer.kv_offset, "metadata behind the index")


def _check_contents(reader: Reader, tensor: Tensor, judge: Collector) -> Plan[None]:
    positions = reader.positions(tensor)
    yield from reader.load(tensor, aligned=False)
    if tensor.buffers is not None and _is_sound(tensor.descriptor):
        Contents(tensor.descriptor, tensor.buffers, positions, judge).check()


def _is_sound(descriptor: Descriptor) -> bool:
    """Whether the buffers are as large as the descriptor says, so that their contents can be walked."""
    try:
        demands.check(descriptor, Judge())
    except Rejected:
        return False
    return True


# ---- what lies where ------------------------------------------------------------------------------------------------


def _spans(tensor: Tensor, frame: Frame) -> list[Span]:
    """The descriptor and the buffers of a tensor that has bytes of its own."""
    entry, alignment = tensor.entry, frame.header.data_buffer_alignment
    start, end = entry.descriptor_offset, entry.descriptor_offset + entry.descriptor_length
    sizes = [handle.byte_size for handle in tensor.descriptor.handles]
    trailing = "container.region.trailing-pad-zero"
    if not any(sizes):
        # Nothing is stored. Without any buffer there is no padding to the alignment; with empty ones there may be.
        starts = {round_up(end, 8)} | ({round_up(end, alignment)} if sizes else set())
        return [Span(start, end, "head" if not sizes else "empty tensor", trailing, tuple(starts))]
    spans = [Span(start, end, "descriptor", "container.region.descriptor-pad-zero", (round_up(end, alignment),))]
    position = entry.data_offset
    last_end = position
    for size in sizes:
        if size:
            last_end = position + size
            following = (round_up(last_end, alignment),)
            spans.append(Span(position, last_end, "buffer", "container.region.inter-buffer-pad-zero", following))
        tail = position + size
        position = round_up(tail, alignment)
    ends = {round_up(e, step) for e in (last_end, tail) for step in (8, alignment)}
    spans[-1] = Span(spans[-1].start, last_end, "last buffer", trailing, tuple(ends))
    return spans


def _check_own_place(tensor: Tensor, frame: Frame, judge: Collector) -> None:
    """Data stands behind its own descriptor; behind the descriptor of another tensor there is no gap to see."""
    entry = tensor.entry
    if not any(handle.byte_size for handle in tensor.descriptor.handles):
        return
    due = round_up(entry.descriptor_offset + entry.descriptor_length, frame.header.data_buffer_alignment)
    if entry.data_offset != due:
        rule = "container.region.data-next-boundary"
        judge.note(rule, entry.place, f"data at {entry.data_offset}, due at {due}")


def _check_layout_of_file(frame: Frame, spans: list[Span], judge: Collector) -> Plan[None]:
    """Everything is in order, apart, as close as alignment allows, and zero in between."""
    trailer, end = frame.trailer, frame.size - TRAILER_SIZE
    rule = "container.region.trailing-pad-zero"
    if trailer.has_kv:
        kv_end = trailer.kv_offset + trailer.kv_length
        spans.append(Span(trailer.kv_offset, kv_end, "metadata", rule, (round_up(kv_end, 8),)))
    index_end = trailer.index_offset + trailer.index_length
    spans.append(Span(trailer.index_offset, index_end, "index", rule, (end,)))
    spans.append(Span(end, frame.size, "trailer", rule))
    first = (max(HEADER_SIZE, frame.header.first_descriptor_offset),)
    spans[0] = Span(0, HEADER_SIZE, "header", spans[0].padding_rule, first)
    spans = [span for span in spans if span.end <= frame.size]  # what leaves the file is found elsewhere
    spans.sort(key=lambda span: (span.start, span.end))
    reached = spans[0]
    for span in spans[1:]:
        if span.start < reached.end:
            judge.note("container.region.no-overlap", span.start, f"{span.what} overlaps {reached.what}")
        else:
            _check_gap(reached, span, judge)
            yield from _check_zero(reached, span.start, judge)
        if span.end >= reached.end:
            reached = span


def _check_gap(before: Span, after: Span, judge: Collector) -> None:
    if before.next_starts is None or not before.what or not after.what or after.start in before.next_starts:
        return
    if before.what == "header" and after.start == HEADER_SIZE:
        return  # without tensors the first descriptor may be announced anywhere
    if before.what == "head":
        rule = "container.composite.no-pad-after-head"
    elif before.what == "descriptor":
        rule = "container.region.data-next-boundary"
    elif before.what == "buffer":
        return  # positions follow from the first one
    elif after.what in ("descriptor", "head", "empty tensor"):
        rule = "container.region.descriptor-successor"
    else:
        rule = "container.region.section-gap"
    judge.note(rule, after.start, f"{after.what} begins {after.start - before.end} bytes behind {before.what}")


def _check_zero(before: Span, stop: int, judge: Collector) -> Plan[None]:
    position = before.end
    while position < stop and before.padding_rule:
        chunk = yield Want(position, min(_CHUNK, stop - position))
        data = bytes(chunk)
        if data.count(0) != len(data):
            at = position + len(data) - len(data.lstrip(b"\0"))
            judge.note(before.padding_rule, at, f"padding behind {before.what} that is not zero")
            return
        position += len(data)


# ---- composites -----------------------------------------------------------------------------------------------------


def _check_composites(
    reader: Reader, heads: dict[int, Descriptor], judge: Collector
) -> Generator[Want, memoryview, None]:
    """Every head that no composite has taken is the root of one."""
    place = 0
    order: list[Entry] = reader.in_file_order
    while place < len(order):
        taken = 0
        if place in heads:
            with judge.catching():
                _, taken = yield from reader.composite_at(place, heads[place])
        place += 1 + taken
