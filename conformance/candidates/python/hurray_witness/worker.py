"""The worker: answers requests on standard input with results on standard output.

Owns the conversation, the steps and how outcomes are named. Must not know the format: every step is one call
elsewhere.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

from . import __version__, meaning, observe, validate
from .descriptor import Agreement, declared_length, parse
from .faults import (
    BeyondLimit,
    Judge,
    NotFound,
    Permissive,
    Poisoned,
    Refused,
    Rejected,
    SourceFailed,
    Unsupported,
)
from .jobs import Plan, run
from .reader import Reader, open_frame
from .sequential import scan
from .transports import (
    Conversation,
    FileSink,
    FileSource,
    ServedSink,
    ServedSource,
    Sink,
    Source,
    StreamSource,
)
from .writer import Operation, Writer, write_file
from .writer import run as run_write

Json = dict[str, Any]
T = TypeVar("T")

HELLO: Json = {
    "protocol": [1, 1],
    "name": "python-witness",
    "version": __version__,
    "permissive": True,
    "operations": [
        *("open", "list", "kv", "describe", "read", "composite", "locate", "decode", "all", "descriptor", "validate"),
        "scan",
        *("write", "create", "header", "put", "finish"),
    ],
    "types": observe.TYPE_NAMES,
    "layouts": observe.LAYOUT_NAMES,
    "quantization": observe.SCHEME_NAMES,
    "source": ["path", "served", "stream"],
    "sink": ["path", "served"],
    "writes": {
        "types": observe.TYPE_NAMES,
        "layouts": observe.LAYOUT_NAMES,
        "quantization": observe.SCHEME_NAMES,
        "features": [
            *("alignment", "sorted_index", "kv", "kv_integers", "kv_array_type", "byte_offset"),
            *("handle_alignment", "handle_size", "device", "sync", "version"),
            *("composite", "member_names", "shard", "statistics", "extension", "member"),
        ],
    },
    "io_contract": True,
    "observes": [
        *("container", "tensors", "kv", "handles", "payload", "memory_alignment"),
        *("descriptor_version", "layout_fields", "sections", "rules"),
    ],
}


def outcome(work: Callable[[], Json]) -> Json:
    """The result of a step: what was seen, or the name of what went wrong."""
    try:
        return {"ok": work()}
    except Rejected as rejected:
        return {"reject": observe.fault(rejected.fault)}
    except NotFound:
        return {"not_found": {}}
    except (Refused, Poisoned) as refused:
        return {"refused": {"message": str(refused)}}
    except (BeyondLimit, MemoryError) as limit:
        return {"limit": {"message": str(limit) or "memory"}}
    except SourceFailed as failure:
        return {"io": {"kind": failure.kind}}
    except Unsupported as unsupported:
        return {"unsupported": {"message": str(unsupported)}}
    except EOFError:
        raise
    except Exception as error:
        return {"error": {"message": f"{type(error).__name__}: {error}"}}


class Reading:
    """One request with a source: the file is opened by its first step and stays open."""

    def __init__(self, make_source: Callable[[], Source]) -> None:
        self._make_source = make_source
        self._source: Source | None = None
        self._reader: Reader | None = None
        self._failed: Exception | None = None

    def close(self) -> None:
        if self._source is not None:
            self._source.close()

    def _run(self, plan: Plan[T]) -> T:
        assert self._source is not None
        return run(plan, self._source.read)

    def _open_source(self) -> Source:
        if self._source is None:
            self._source = self._make_source()
        return self._source

    def open(self, given: Json) -> Json:
        """A file that cannot be opened cannot be opened later either, unless only the transport failed."""
        if self._failed is not None:
            raise self._failed
        judge = Permissive() if given.get("permissive") else Judge()
        if self._reader is not None:
            self._reader.judge = judge
        else:
            source = self._open_source()
            try:
                self._reader = Reader(self._run(open_frame(source.size, judge)), judge=judge)
            except (Rejected, BeyondLimit) as failure:
                self._failed = failure
                raise
            except SourceFailed as failure:
                if failure.kind == "unexpected_eof":
                    self._failed = failure
                raise
        frame = self._reader.frame
        return {"container": observe.container(frame.header, len(frame.entries))}

    @property
    def reader(self) -> Reader:
        if self._failed is not None:
            raise self._failed
        if self._reader is None:
            raise Refused("no file is open")
        return self._reader

    def list(self, given: Json) -> Json:
        return {"names": [observe.text(name) for name in self.reader.names()]}

    def kv(self, given: Json) -> Json:
        return {"kv": observe.metadata(self.reader.frame.metadata)}

    def describe(self, given: Json) -> Json:
        tensor = self._run(self.reader.describe(observe.text_in(given["name"])))
        return observe.described(tensor.descriptor)

    def descriptor(self, given: Json) -> Json:
        """A descriptor that no file is around."""
        data, judge = bytes.fromhex(given["bytes"]), Judge()
        length = declared_length(data, 0, judge)
        if length > len(data):
            judge.stop("descriptor.header.length-overread", 6, f"{length} bytes announced, {len(data)} there")
        found = parse(data[:length], 0, judge, Agreement())
        return observe.described(found) | {"descriptor_length": str(length)}

    def read(self, given: Json) -> Json:
        tensor = self._run(self.reader.read(observe.text_in(given["name"])))
        return {"buffers": observe.buffers(tensor)} | observe.described(tensor.descriptor)

    def composite(self, given: Json) -> Json:
        return {"composite": observe.node(self._run(self.reader.composite(observe.text_in(given["name"]))))}

    def locate(self, given: Json) -> Json:
        name, index = observe.text_in(given["name"]), _index(given)
        place = self._run(meaning.locate(self.reader, name, index))
        if place is None:
            return {"place": "unstored"}
        return {"place": {"buffer": 0, "byte": str(place.byte), "bit": place.bit}}

    def decode(self, given: Json) -> Json:
        name = observe.text_in(given["name"])
        return {"value": self._run(meaning.decode(self.reader, name, _index(given)))}

    def all(self, given: Json) -> Json:
        """Everything the file holds is read once."""
        reader = self.reader
        for name in reader.names():
            with suppress(Unsupported):  # only permissively there are tensors of which less can be had
                tensor = self._run(reader.read(name))
                if tensor.descriptor.is_head:
                    self._run(reader.composite(name))
        return self.list(given)

    def validate(self, given: Json) -> Json:
        source = self._open_source()
        return {"findings": [observe.fault(fault) for fault in self._run(validate.validate(source.size))]}


def _index(given: Json) -> tuple[int, ...]:
    return tuple(int(i) for i in given["index"])


class Streaming:
    """One request with a stream: it goes by once."""

    def __init__(self, source: StreamSource) -> None:
        self._source: StreamSource | None = source

    def close(self) -> None:
        pass

    def scan(self, given: Json) -> Json:
        if self._source is None:
            raise Refused("the stream has gone by")
        source, self._source = self._source, None
        tensors, metadata = scan(source.pull)
        return {"scan": {"tensors": [observe.passed(tensor) for tensor in tensors], "kv": observe.metadata(metadata)}}


class Writing:
    """One request with a sink: all its steps go to the same writer."""

    def __init__(self, make_sink: Callable[[], Sink]) -> None:
        self._sink = make_sink()
        self._writer: Writer | None = None

    def close(self) -> None:
        self._sink.close()

    @property
    def writer(self) -> Writer:
        if self._writer is None:
            raise Refused("no writer was created")
        return self._writer

    @property
    def state(self) -> str | None:
        if self._writer is None:
            return None
        return "unusable" if self._writer.poisoned or self._writer.finished else "usable"

    def _out(self, operation: Operation) -> Json:
        run_write(operation, self._sink.write)
        return {}

    def write(self, given: Json) -> Json:
        items = [observe.item_in(item) for item in given.get("items") or []]
        metadata = observe.entries_in(given.get("kv") or [])
        write_file(self._sink.write, items, metadata, observe.options_in(given.get("options") or {}))
        return {}

    def create(self, given: Json) -> Json:
        if self._writer is not None:
            raise Refused("there is a writer already")
        self._writer = Writer(observe.options_in(given))
        return {}

    def header(self, given: Json) -> Json:
        return self._out(self.writer.header())

    def put(self, given: Json) -> Json:
        item = observe.item_in(given)
        self._begin()
        return self._out(self.writer.put(item))

    def finish(self, given: Json) -> Json:
        metadata = observe.entries_in(given.get("kv") or [])
        self._begin()
        return self._out(self.writer.finish(metadata))

    def _begin(self) -> None:
        """Who does not ask for the header gets it before the first item."""
        if self.writer.offset == 0:
            self._out(self.writer.header())


Session = Reading | Streaming | Writing
READING = {"open", "list", "kv", "describe", "read", "composite", "locate", "decode", "all", "descriptor", "validate"}
STREAMING = {"scan"}
WRITING = {"write", "create", "header", "put", "finish"}


def _step(session: Session, step: Json) -> Json:
    ((name, given),) = step.items()
    known = READING if isinstance(session, Reading) else STREAMING if isinstance(session, Streaming) else WRITING
    if name not in known:
        return {"unsupported": {}}
    result = outcome(lambda: getattr(session, name)(given or {}))
    if isinstance(session, Writing) and "ok" not in result and session.state is not None:
        for detail in result.values():
            detail["state"] = session.state
    return result


def answer(conversation: Conversation, request: Json) -> Json:
    number = request.get("id")
    session = _session(conversation, request)
    try:
        results = [_step(session, step) for step in request.get("steps", [])]
    finally:
        session.close()
    return {"id": number, "results": results}


def _session(conversation: Conversation, request: Json) -> Session:
    number = request.get("id")
    if "sink" in request:
        sink = request["sink"]
        if "path" in sink:
            return Writing(lambda: FileSink(sink["path"]))
        return Writing(lambda: ServedSink(conversation, number))
    source = request.get("source") or {}
    if "stream" in source:
        return Streaming(StreamSource(conversation, number))
    if "path" in source:
        return Reading(lambda: FileSource(source["path"]))
    return Reading(lambda: ServedSource(conversation, number, int(source["served"]["size"])))


def serve(conversation: Conversation) -> None:
    conversation.say({"hello": HELLO})
    while (request := conversation.hear()) is not None:
        try:
            conversation.say(answer(conversation, request))
        except EOFError:
            return


def main() -> None:
    def write_line(line: str) -> None:
        sys.stdout.write(line + "\n")
        sys.stdout.flush()

    sys.stdin.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    serve(Conversation(sys.stdin.readline, write_line))
