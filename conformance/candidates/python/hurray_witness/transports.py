"""Where bytes come from and go to: a file by its path, or the conversation itself.

Owns positional reads, appending writes and the exchange of ranges over the conversation. Must not know what the bytes
mean.
"""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Callable
from typing import Any, Protocol

from .faults import SourceFailed

Ask = Callable[[dict[str, Any]], dict[str, Any]]
_LINE = 1 << 20
_KINDS = ("interrupted", "timed_out", "unexpected_eof", "other")


class Source(Protocol):
    size: int

    def read(self, offset: int, into: memoryview) -> int:
        """Fills a prefix and returns its length, 0 behind the end."""

    def close(self) -> None: ...


class Sink(Protocol):
    def write(self, stretch: memoryview) -> int:
        """Takes a prefix and returns its length, 0 when it is closed."""

    def close(self) -> None: ...


class Conversation:
    """Lines of JSON, one question and one answer at a time."""

    def __init__(self, read_line: Callable[[], str], write_line: Callable[[str], None]) -> None:
        self._read_line = read_line
        self._write_line = write_line

    def say(self, message: dict[str, Any]) -> None:
        self._write_line(json.dumps(message, separators=(",", ":")))

    def hear(self) -> dict[str, Any] | None:
        line = self._read_line()
        if not line:
            return None
        heard = json.loads(line)
        return heard if isinstance(heard, dict) else {}

    def ask(self, message: dict[str, Any]) -> dict[str, Any]:
        self.say(message)
        heard = self.hear()
        if heard is None:
            raise EOFError("the conversation ended within a request")
        if "error" in heard:
            kind = str(heard["error"])
            raise SourceFailed(kind if kind in _KINDS else "other")
        return heard


def _kind(error: OSError) -> str:
    if isinstance(error, InterruptedError):
        return "interrupted"
    return "timed_out" if isinstance(error, TimeoutError) else "other"


class FileSource:
    """Positional reads keep no cursor: the same range can be asked for again."""

    def __init__(self, path: str) -> None:
        try:
            self._fd = os.open(path, os.O_RDONLY)
            self.size = os.fstat(self._fd).st_size
        except OSError as error:
            raise SourceFailed(_kind(error), str(error)) from error

    def read(self, offset: int, into: memoryview) -> int:
        try:
            return os.preadv(self._fd, [into], offset)
        except OSError as error:
            raise SourceFailed(_kind(error), str(error)) from error

    def close(self) -> None:
        os.close(self._fd)


class ServedSource:
    """Ranges are asked for over the conversation."""

    def __init__(self, conversation: Conversation, request: Any, size: int) -> None:
        self._conversation = conversation
        self._request = request
        self.size = size

    def read(self, offset: int, into: memoryview) -> int:
        need = {"offset": str(offset), "len": len(into)}
        answer = self._conversation.ask({"id": self._request, "need": need})
        if "bytes" not in answer:
            return 0
        data = base64.b64decode(answer["bytes"])
        if len(data) > len(into):
            raise SourceFailed("other", f"{len(data)} bytes for a range of {len(into)}")
        into[: len(data)] = data
        return len(data)

    def close(self) -> None:
        pass


class StreamSource:
    """What comes next is asked for over the conversation; there is no way back."""

    def __init__(self, conversation: Conversation, request: Any) -> None:
        self._conversation = conversation
        self._request = request

    def pull(self, length: int) -> bytes:
        answer = self._conversation.ask({"id": self._request, "next": {"len": length}})
        data = base64.b64decode(answer.get("bytes", ""))
        if len(data) > length:
            raise SourceFailed("other", f"{len(data)} bytes where {length} were asked for")
        return data


class FileSink:
    """The file comes into being with its first byte."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._fd: int | None = None

    def write(self, stretch: memoryview) -> int:
        try:
            if self._fd is None:
                self._fd = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
            return os.write(self._fd, stretch)
        except OSError as error:
            raise SourceFailed(_kind(error), str(error)) from error

    def close(self) -> None:
        if self._fd is not None:
            os.close(self._fd)


class ServedSink:
    """Stretches are offered over the conversation."""

    def __init__(self, conversation: Conversation, request: Any) -> None:
        self._conversation = conversation
        self._request = request

    def write(self, stretch: memoryview) -> int:
        offer = {"bytes": base64.b64encode(stretch[:_LINE]).decode("ascii")}
        answer = self._conversation.ask({"id": self._request, "offer": offer})
        return int(answer.get("taken", 0))

    def close(self) -> None:
        pass
