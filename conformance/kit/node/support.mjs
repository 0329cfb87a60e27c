// Lines in and out, and how the protocol writes names, values and buffers as JSON. Nothing to fill in here.
//
// Owns forms alone; knows neither the steps of the conversation nor any library.

import { createHash } from "node:crypto";
import { readSync, writeSync } from "node:fs";

// Standard output belongs to the protocol; whatever a library prints goes to standard error.
console.log = console.info = console.debug = console.error;

let waiting = Buffer.alloc(0);

// The next message, or null when the input has ended.
export function receive() {
  const chunk = Buffer.alloc(1 << 16);
  for (;;) {
    const end = waiting.indexOf(0x0a);
    if (end >= 0) {
      const line = waiting.toString("utf8", 0, end);
      waiting = waiting.subarray(end + 1);
      return JSON.parse(line);
    }
    const length = readSync(0, chunk);
    if (length === 0) return null;
    waiting = Buffer.concat([waiting, chunk.subarray(0, length)]);
  }
}

export function send(message) {
  const line = Buffer.from(`${JSON.stringify(message)}\n`);
  for (let at = 0; at < line.length; ) at += writeSync(1, line, at);
}

// Bytes that are meant as text: a name, a key, a string.
export function asText(bytes) {
  const utf8 = bytes.toString("utf8");
  return Buffer.from(utf8).equals(bytes) ? { utf8 } : { hex: bytes.toString("hex") };
}

// The name that a step asks for, as a buffer.
export const nameOf = ({ name }) => (name.utf8 === undefined ? Buffer.from(name.hex, "hex") : Buffer.from(name.utf8));

// A value of the key-value section; `kind` is its type, an array is ["array", [itemKind, items]].
export function kvValue(kind, value) {
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

// What is shown of the bytes of a buffer.
export const bufferSeen = (bytes) => ({
  len: String(bytes.length),
  sha256: createHash("sha256").update(bytes).digest("hex"),
});
