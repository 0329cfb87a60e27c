"""Connects a library that reads Hurray files to the conformance suite. A template: it works as it stands.

Owns the worker protocol (conformance/PROTOCOL.md) and what the suite is told of the library. It translates and decides
nothing; everything about files is asked of `library.py`, which is yours to fill.
"""

import base64
import json
import os
import sys

import library
from support import buffer, kv_value, name_of, text

HELLO = {
    "protocol": [1, 1],
    "name": library.NAME,
    "version": library.VERSION,
    "operations": ["open", "list", "kv", "describe", "read"],  # the methods of Script; declare what you add
    "types": library.TYPES,
    "layouts": library.LAYOUTS,
    "quantization": library.QUANTIZATION,
    "source": ["path", "served"],  # take `served` out if the library opens paths only
    "observes": ["tensors", "kv", "payload"],  # declare what `describe` and the others come to show
}


class TransportError(Exception):
    """A range could not be read; the file itself is not at fault."""


class Source:
    """The file of one request: a path, or ranges that the suite serves. Give the library whichever it can use."""

    def __init__(self, request, requests, answers):
        self.id, self.requests, self.answers = request["id"], requests, answers
        self.path = request["source"].get("path")
        self.size = os.path.getsize(self.path) if self.path else int(request["source"]["served"]["size"])

    def read_at(self, offset, length):
        """The bytes of a range, fewer only at the end of the file."""
        got = b""
        while len(got) < length:
            piece = self.piece(offset + len(got), length - len(got))
            if not piece:
                break
            got += piece
        return got

    def piece(self, offset, length):
        if self.path:
            with open(self.path, "rb") as file:
                file.seek(offset)
                return file.read(length)
        send(self.answers, {"id": self.id, "need": {"offset": str(offset), "len": length}})
        reply = json.loads(self.requests.readline())
        if reply.get("error") == "interrupted":
            return self.piece(offset, length)
        if "error" in reply:
            raise TransportError(reply["error"])
        return base64.b64decode(reply.get("bytes", ""))


class Script:
    """The steps of one request, all on the same open file."""

    def __init__(self, request, requests, answers):
        self.make_source = lambda: Source(request, requests, answers)
        self.file = None

    def open(self, _):
        self.file = None
        self.file = library.open_file(self.make_source())
        return {}

    def list(self, _):
        return {"names": [text(name) for name in self.file.names()]}

    def kv(self, _):
        return {"kv": [{"key": text(key), "value": kv_value(*typed)} for key, typed in self.file.entries()]}

    def describe(self, arguments):
        tensor = self.file.tensor(name_of(arguments))
        return {"tensor": {"type": tensor.type, "layout": tensor.layout, "shape": [str(n) for n in tensor.shape]}}

    def read(self, arguments):
        buffers = self.file.tensor(name_of(arguments)).buffers()
        return {**self.describe(arguments), "buffers": [buffer(data) for data in buffers]}

    def run(self, step):
        operation, arguments = next(iter(step.items()))
        if operation not in HELLO["operations"]:
            return {"unsupported": {}}
        if self.file is None and operation != "open":
            return {"refused": {"message": "no file is open"}}
        try:
            return {"ok": getattr(self, operation)(arguments)}
        except library.NotFound:
            return {"not_found": {}}
        except library.Rejected as verdict:
            return {"reject": {"message": str(verdict)}}
        except TransportError as error:
            return {"io": {"kind": str(error)}}
        except OSError:
            return {"io": {"kind": "other"}}
        except Exception as error:  # whatever is not the library's verdict on the bytes is the adapter's own failure
            return {"error": {"message": f"{type(error).__name__}: {error}"}}


def send(answers, message):
    print(json.dumps(message), file=answers, flush=True)


def serve(requests, answers):
    send(answers, {"hello": HELLO})
    for line in iter(requests.readline, ""):
        request = json.loads(line)
        script = Script(request, requests, answers)
        send(answers, {"id": request["id"], "results": [script.run(step) for step in request["steps"]]})


if __name__ == "__main__":
    # Standard output belongs to the protocol; whatever a library prints goes to standard error.
    protocol = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    serve(sys.stdin, protocol)
