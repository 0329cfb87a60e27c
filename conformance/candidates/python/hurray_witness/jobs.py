"""Jobs without input or output: a job names the bytes it wants and is told how many of them arrived.

Owns ranges, partial arrival and aligned memory. Must not know what is read, nor where the bytes come from.

A job is written as a generator that yields the ranges it wants and returns its result. `Job` wraps it so that any
transport can serve it: ask for the `range`, put bytes into `destination`, `report` their number. The position
advances only with a report, so a transfer that failed is asked for again, from the same offset and into the same
memory.
"""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Generic, TypeVar

from .faults import BeyondLimit, Refused, SourceFailed

MAX_ALIGNMENT = 1 << 28
MAX_MEMORY = 1 << 29
_PATIENCE = 1000

T = TypeVar("T")


def address_of(memory: memoryview) -> int:
    return ctypes.addressof(ctypes.c_char.from_buffer(memory)) if len(memory) else 0


def aligned_memory(size: int, alignment: int) -> memoryview:
    """Zeroed memory whose address is a multiple of the alignment. Untouched pages of it cost nothing."""
    if alignment > MAX_ALIGNMENT or size > MAX_MEMORY:
        raise BeyondLimit(f"{size} bytes of memory aligned to {alignment}")
    if size == 0:
        return memoryview(bytearray())
    block = memoryview(mmap.mmap(-1, size + alignment))
    start = -address_of(block) % alignment
    return block[start : start + size]


@dataclass(frozen=True)
class Want:
    """A range of the file, never empty. With a destination the bytes go there, else into fresh memory."""

    offset: int
    length: int
    destination: memoryview | None = None


Plan = Generator[Want, memoryview, T]


class Job(Generic[T]):
    """Drives one plan. `step` never blocks and may be called again at any time."""

    def __init__(self, plan: Plan[T]) -> None:
        self._plan = plan
        self._memory: memoryview | None = None
        self._offset = 0
        self._filled = 0
        self._done = False
        self._result: T | None = None
        self._started = False

    def step(self) -> tuple[int, int] | None:
        """The range wanted next as (offset, length), or None when the result is there."""
        if not self._started:
            self._started = True
            self._advance(None)
        if self._done:
            return None
        assert self._memory is not None
        return self._offset + self._filled, len(self._memory) - self._filled

    def destination(self) -> memoryview:
        """The memory for the wanted range, exactly as long as the range."""
        if self._memory is None:
            raise Refused("nothing is wanted")
        return self._memory[self._filled :]

    def report(self, count: int) -> None:
        """So many bytes arrived. None at all means that the file ends here."""
        if self._memory is None or not 0 <= count <= len(self._memory) - self._filled:
            raise Refused(f"{count} bytes were not asked for")
        if count == 0:
            self._plan.close()
            self._memory = None
            raise SourceFailed("unexpected_eof", f"the file ends at {self._offset + self._filled}")
        self._filled += count
        if self._filled == len(self._memory):
            self._advance(self._memory)

    def result(self) -> T:
        if not self._done:
            raise Refused("the job is not finished")
        return self._result  # type: ignore[return-value]

    def _advance(self, arrived: memoryview | None) -> None:
        self._memory = None
        try:
            want = next(self._plan) if arrived is None else self._plan.send(arrived)
        except StopIteration as stop:
            self._done, self._result = True, stop.value
            return
        self._offset, self._filled = want.offset, 0
        self._memory = want.destination if want.destination is not None else aligned_memory(want.length, 8)


Transport = Callable[[int, memoryview], int]


def run(plan: Plan[T], transport: Transport) -> T:
    """Serves a plan from a transport, which fills a prefix of the memory and returns its length. Interrupted transfers
    are repeated; any other failure ends the job."""
    job = Job(plan)
    interrupted = 0
    while (wanted := job.step()) is not None:
        try:
            count = transport(wanted[0], job.destination())
        except SourceFailed as failure:
            interrupted += 1
            if failure.kind != "interrupted" or interrupted > _PATIENCE:
                raise
            continue
        interrupted = 0
        job.report(count)
    return job.result()
