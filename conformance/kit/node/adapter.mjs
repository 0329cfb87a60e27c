// Connects a library that reads Hurray files to the conformance suite. A template: it works as it stands.
//
// Owns the worker protocol (conformance/PROTOCOL.md) and what the suite is told of the library. It translates and
// decides nothing; everything about files is asked of `library.mjs`, which is yours to fill.

import { closeSync, fstatSync, openSync, readSync } from "node:fs";

// First, so that nothing the library prints while it is loaded gets in between.
import { asText, bufferSeen, kvValue, nameOf, receive, send } from "./support.mjs";
import * as library from "./library.mjs";

const HELLO = {
  protocol: [1, 1],
  name: library.NAME,
  version: library.VERSION,
  operations: ["open", "list", "kv", "describe", "read"], // the methods of Script; declare what you add
  types: library.TYPES,
  layouts: library.LAYOUTS,
  quantization: library.QUANTIZATION,
  source: ["path", "served"], // take `served` out if the library opens paths only
  observes: ["tensors", "kv", "payload"], // declare what `describe` and the others come to show
};

// A range could not be read; the file itself is not at fault.
class TransportError extends Error {}

// The file of one request: a path, or ranges that the suite serves. Give the library whichever it can use.
class Source {
  constructor({ id, source }) {
    this.id = id;
    this.path = source.path;
    this.fd = this.path === undefined ? undefined : openSync(this.path);
    this.size = this.fd === undefined ? BigInt(source.served.size) : BigInt(fstatSync(this.fd).size);
  }

  // The bytes of a range, fewer only at the end of the file. Offsets are BigInt: a file names any of 64 bits.
  readAt(offset, length) {
    const pieces = [];
    for (let got = 0; got < length; ) {
      const piece = this.piece(offset + BigInt(got), length - got);
      if (piece.length === 0) break;
      pieces.push(piece);
      got += piece.length;
    }
    return Buffer.concat(pieces);
  }

  piece(offset, length) {
    if (this.fd !== undefined) {
      const piece = Buffer.alloc(length);
      return piece.subarray(0, readSync(this.fd, piece, 0, length, offset));
    }
    send({ id: this.id, need: { offset: String(offset), len: length } });
    const reply = receive();
    if (reply.error === "interrupted") return this.piece(offset, length);
    if (reply.error !== undefined) throw new TransportError(reply.error);
    return Buffer.from(reply.bytes ?? "", "base64");
  }

  close() {
    if (this.fd !== undefined) closeSync(this.fd);
  }
}

const describe = ({ type, layout, shape }) => ({ tensor: { type, layout, shape: shape.map(String) } });

// The steps of one request, all on the same open file.
class Script {
  constructor(request) {
    this.request = request;
  }

  open() {
    this.close();
    this.source = new Source(this.request);
    this.file = library.openFile(this.source);
    return {};
  }

  list = () => ({ names: this.file.names().map(asText) });
  kv = () => ({ kv: this.file.entries().map(([key, typed]) => ({ key: asText(key), value: kvValue(...typed) })) });
  describe = (step) => describe(this.file.tensor(nameOf(step)));

  read(step) {
    const tensor = this.file.tensor(nameOf(step));
    return { ...describe(tensor), buffers: tensor.buffers().map(bufferSeen) };
  }

  close() {
    this.source?.close();
    this.source = this.file = undefined;
  }

  run(step) {
    const [[operation, args]] = Object.entries(step);
    if (!HELLO.operations.includes(operation)) return { unsupported: {} };
    if (this.file === undefined && operation !== "open") return { refused: { message: "no file is open" } };
    try {
      return { ok: this[operation](args) };
    } catch (error) {
      if (error instanceof library.NotFound) return { not_found: {} };
      if (error instanceof library.Rejected) return { reject: { message: error.message } };
      if (error instanceof TransportError) return { io: { kind: error.message } };
      if (error.syscall !== undefined) return { io: { kind: "other" } };
      // Whatever is not the library's verdict on the bytes is the adapter's own failure.
      return { error: { message: String(error) } };
    }
  }
}

send({ hello: HELLO });
for (let request = receive(); request !== null; request = receive()) {
  const script = new Script(request);
  const results = request.steps.map((step) => script.run(step));
  script.close();
  send({ id: request.id, results });
}
