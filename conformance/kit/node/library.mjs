// What the adapter asks of your library: replace every body by a call to it. Only eight bytes are looked at here.
//
// Owns the names and the errors that adapter.mjs knows. The suite finds this stub incomplete, and says where.

export const NAME = "my-library";
export const VERSION = "0";
// Every element type, layout and quantization scheme that it reads, by the names of the specification.
export const TYPES = ["float32"];
export const LAYOUTS = ["row_major"];
export const QUANTIZATION = [];

// The library's verdict that the bytes are at fault: let no other error become this one.
export class Rejected extends Error {}
// The file is fine and has no tensor of that name.
export class NotFound extends Error {}

// Opens `source.path`, or `source.size` bytes behind `source.readAt(offset, length)`, which returns fewer only where the
// file has become shorter.
export function openFile(source) {
  if (source.readAt(0n, 8).toString("latin1") !== "HRRYFILE") throw new Rejected("no magic");
  return new File();
}

class File {
  // The names of the tensors, as buffers.
  names() {
    throw new Error("library.mjs: ask your library for the names");
  }

  // The key-value entries: [key as a buffer, [kind, value]]; see kvValue in support.mjs.
  entries() {
    throw new Error("library.mjs: ask your library for the key-value entries");
  }

  // The tensor of that name, with `type`, `layout`, `shape`, and `buffers()` that reads its bytes.
  tensor(name) {
    throw new Error(`library.mjs: ask your library for the tensor ${name}`);
  }
}
