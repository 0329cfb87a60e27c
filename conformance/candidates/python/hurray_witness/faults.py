"""What can go wrong, and who decides what follows from it.

Owns the outcomes of an operation and the judges. Must not know the format: rules are only names here.

A check never raises by itself, it tells a judge. The strict judge turns the first fault into a rejection, the
permissive one too, but for what ruling R3 lists. The collecting judge writes faults down and lets the check go on, so
that `validate` sees all of them with the very same code.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple, NoReturn


class Fault(NamedTuple):
    """A broken rule, with the absolute file offset of the bytes that break it."""

    rule: str
    offset: int | None
    message: str


class Rejected(Exception):
    """The bytes are at fault."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(f"{fault.rule} at {fault.offset}: {fault.message}")
        self.fault = fault


class NotFound(Exception):
    """The file is fine and has no such name."""


class Refused(Exception):
    """The argument is wrong; nothing was done."""


class BeyondLimit(Exception):
    """The bytes may be legal; this implementation stops here."""


class Unsupported(Exception):
    """Not offered by this implementation."""


class Poisoned(Exception):
    """A write stopped inside an item; the file cannot be completed."""


class SourceFailed(Exception):
    """Bytes could not be moved. `kind` is interrupted, timed_out, unexpected_eof or other."""

    def __init__(self, kind: str, message: str = "") -> None:
        super().__init__(message or kind)
        self.kind = kind


class Judge:
    """Strict: the first fault ends the operation; what only validation cares about is passed over."""

    def stop(self, rule: str, offset: int | None, message: str) -> NoReturn:
        """A fault behind which nothing can be read."""
        raise Rejected(Fault(rule, offset, message))

    def reject(self, rule: str, offset: int | None, message: str) -> None:
        """A fault for which a strict reader refuses, though reading could go on."""
        self.stop(rule, offset, message)

    def note(self, rule: str, offset: int | None, message: str) -> None:
        """A broken rule that is no reason for a reader to refuse."""

    def unknown(self, rule: str, offset: int | None, message: str) -> None:
        """Something without a meaning here. Who goes on behind this call is permissive and gives it none."""
        self.stop(rule, offset, message)

    def relaxed(self, rule: str, offset: int | None, message: str) -> None:
        """A fault that permissive reading lets pass."""
        self.reject(rule, offset, message)


class Permissive(Judge):
    """Strict but for what ruling R3 lists."""

    def unknown(self, rule: str, offset: int | None, message: str) -> None:
        pass

    def relaxed(self, rule: str, offset: int | None, message: str) -> None:
        pass


class Collector(Judge):
    """Writes down every fault once and goes on as long as the bytes make any sense."""

    def __init__(self) -> None:
        self.findings: list[Fault] = []
        self._seen: set[tuple[str, int | None]] = set()

    def add(self, fault: Fault) -> None:
        if (fault.rule, fault.offset) not in self._seen:
            self._seen.add((fault.rule, fault.offset))
            self.findings.append(fault)

    def reject(self, rule: str, offset: int | None, message: str) -> None:
        self.add(Fault(rule, offset, message))

    def note(self, rule: str, offset: int | None, message: str) -> None:
        self.add(Fault(rule, offset, message))

    @contextmanager
    def catching(self) -> Iterator[None]:
        """Writes down the fault that ends the enclosed work."""
        try:
            yield
        except Rejected as rejected:
            self.add(rejected.fault)
