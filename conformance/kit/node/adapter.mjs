// Connects a library that reads Hurray files to the conformance suite. A template: it works as it stands.
//
// Owns the worker protocol (conformance/PROTOCOL.md) and what the suite is told of the library. It translates and
// decides nothing; everything about files is asked of `library.mjs`, which is yours to fill.

import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync, writeSync } from "node:fs";

import * as library from "./library.mjs";

const HELLO = {
  protocol: [1, 1],
  name: library.NAME,
  version: library.VERSION,
  operations: ["open", "list", "kv", "describe", "read"],
  types: library.TYPES,
  layouts: library.LAYOUTS,
  quantization: library.QUANTIZATION,
  source: ["path", "served"], // take `served` out if the library opens paths only
  observes: ["tensors", "kv", "payload"],
};

// A range could not be read; the file itself is not at fault.
class TransportError extends Error {}

// Standard output belongs to the protocol; whatever a library prints goes to standard error.
console.log = console.info = console.debug = console.error;

let waiting = Buffer.alloc(0);

function readLine() {
  const chunk = Buffer.alloc(1 << 16);
  for (;;) {
    const end = waiting.indexOf(0x0a);
    if (end >= 0) {
      const line = waiting.toString("utf8", 0, end);
      waiting = waiting.subarray(end + 1);
      return line;
    }
    const length = readSync(0, chunk);
    if (length === 0) return null;
    waiting = Buffer.concat([waiting, chunk.subarray(0, length)]);
  }
}

function send(message) {
  const line = Buffer.from(`${JSON.stringify(message)}\n`);
  for (let at = 0; at < line.length; ) at += writeSync(1, line, at);
}

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
    const reply = JSON.parse(readLine());
    if (reply.error === "interrupted") return this.piece(offset, length);
    if (reply.error !== undefined) throw new TransportError(reply.error);
    return Buffer.from(reply.bytes ?? "", "base64");
  }

  close() {
    if (this.fd !== undefined) closeSync(this.fd);
  }
}

const asText = (bytes) => {
  const utf8 = bytes.toString("utf8");
  return Buffer.from(utf8).equals(bytes) ? { utf8 } : { hex: bytes.toString("hex") };
};
const nameOf = ({ name }) => (name.utf8 === undefined ? Buffer.from(name.hex, "hex") : Buffer.from(name.utf8));

// A value of the key-value section; `kind` is its type, an array is ["array", [itemKind, items]].
function kvValue(kind, value) {
  if (kind === "array") {
    const [type, items] = value;
    return { array: { type, items: items.map((item) => kvValue(type, item)) } };
  }
  const forms = {
    string: asText,
    bytes: (bytes) => bytes.toString("hex"),
    bool: Boolean,
    float64: (bits) => bits.toString(16).padStart(16, "0"),
  };
  return { [kind]: (forms[kind] ?? String)(value) };
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
    const digest = (bytes) => createHash("sha256").update(bytes).digest("hex");
    const buffers = tensor.buffers().map((bytes) => ({ len: String(bytes.length), sha256: digest(bytes) }));
    return { ...describe(tensor), buffers };
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
for (let line = readLine(); line !== null; line = readLine()) {
  const request = JSON.parse(line);
  const script = new Script(request);
  const results = request.steps.map((step) => script.run(step));
  script.close();
  send({ id: request.id, results });
}
