// A small honest reader of plain files, in place of a library: row-major tensors of whole-byte types, and key-values.
//
// It shows the template at work. It checks what it needs to find its way and no more, so the suite has a lot to say.

export const NAME = "plain-node";
export const VERSION = "0.1.0";
const SIZES = new Map([
  [0x01, ["float16", 2n]], [0x02, ["bfloat16", 2n]], [0x03, ["float32", 4n]], [0x04, ["float64", 8n]],
  [0x10, ["int8", 1n]], [0x11, ["uint8", 1n]], [0x12, ["int16", 2n]], [0x13, ["uint16", 2n]],
  [0x14, ["int32", 4n]], [0x15, ["uint32", 4n]], [0x16, ["int64", 8n]], [0x17, ["uint64", 8n]],
]);
export const TYPES = [...SIZES.values()].map(([name]) => name);
export const LAYOUTS = ["row_major"];
export const QUANTIZATION = [];
const ROW_MAJOR = 0x01;
const KINDS = ["", "string", "int64", "uint64", "float64", "bool", "bytes", "array"];
// Longest part that is read at once: a length in a file is only a claim.
const LONGEST = 1n << 30n;

export class Rejected extends Error {}
export class NotFound extends Error {}

// Takes bytes from the front, and rejects where there are none left.
class Cursor {
  constructor(data) {
    this.data = data;
    this.at = 0;
  }

  take(length) {
    if (length > this.data.length - this.at) throw new Rejected("a part of the file ends too early");
    this.at += length;
    return this.data.subarray(this.at - length, this.at);
  }

  u8 = () => this.take(1).readUInt8();
  u16 = () => this.take(2).readUInt16LE();
  u32 = () => this.take(4).readUInt32LE();
  u64 = () => this.take(8).readBigUInt64LE();

  value(tag) {
    const kind = KINDS[tag];
    if (kind === "int64") return [kind, this.take(8).readBigInt64LE()];
    if (kind === "uint64" || kind === "float64") return [kind, this.u64()];
    if (kind === "bool") return [kind, this.u8() !== 0];
    if (kind === "string" || kind === "bytes") return [kind, this.take(this.u32())];
    if (kind === "array") {
      const [item, count, items] = [this.u8(), this.u32(), []];
      if (KINDS[item] && KINDS[item] !== "array") {
        for (let at = 0; at < count; at += 1) items.push(this.value(item)[1]);
        return [kind, [KINDS[item], items]];
      }
    }
    throw new Rejected("an unknown value type");
  }
}

function part(source, offset, length) {
  if (offset < 0n || offset + length > source.size || length > LONGEST) {
    throw new Rejected("a part lies outside of the file");
  }
  const data = length === 0n ? Buffer.alloc(0) : source.readAt(offset, Number(length));
  if (data.length < Number(length)) throw new Error("the file has become shorter");
  return new Cursor(data);
}

export function openFile(source) {
  if (source.size < 104n) throw new Rejected("too short for a file of this format");
  const [header, trailer] = [part(source, 0n, 64n), part(source, source.size - 40n, 40n)];
  const isOne = header.take(8).toString("latin1") === "HRRYFILE" && header.u8() === 1;
  if (!isOne || trailer.data.toString("latin1", 36) !== "HRRY") {
    throw new Rejected("not a file of this format and version");
  }
  const index = part(source, trailer.u64(), trailer.u64());
  const kv = part(source, trailer.u64(), BigInt(trailer.u32()));
  const tensors = new Map();
  for (let left = index.u64(); left > 0n; left -= 1n) {
    const name = index.take(index.u16());
    const descriptor = [index.u64(), BigInt(index.u32())];
    tensors.set(name.toString("hex"), { name, descriptor, data: [index.u64(), index.u64()], flags: index.u32() });
  }
  return new File(source, tensors, kv.data);
}

class File {
  constructor(source, tensors, kv) {
    Object.assign(this, { source, tensors, kv });
  }

  names() {
    return [...this.tensors.values()].map(({ name }) => name);
  }

  entries() {
    const [kv, entries] = [new Cursor(this.kv), []];
    for (let left = this.kv.length > 0 ? kv.u32() : 0; left > 0; left -= 1) {
      entries.push([kv.take(kv.u16()), kv.value(kv.u8())]);
    }
    return entries;
  }

  tensor(name) {
    const entry = this.tensors.get(name.toString("hex"));
    if (entry === undefined) throw new NotFound();
    return new Tensor(this.source, part(this.source, ...entry.descriptor), ...entry.data);
  }
}

class Tensor {
  constructor(source, descriptor, dataOffset, dataLength) {
    Object.assign(this, { source, dataOffset, layout: "row_major" });
    const isOne = descriptor.take(4).toString("latin1") === "HRRY" && descriptor.u8() === 1;
    descriptor.take(9);
    const [tag, layout, rank] = [descriptor.u8(), descriptor.u8(), descriptor.u32()];
    if (!isOne || !SIZES.has(tag) || layout !== ROW_MAJOR || rank > 64) {
      throw new Rejected("a descriptor this reader does not understand");
    }
    let size;
    [this.type, size] = SIZES.get(tag);
    this.shape = Array.from({ length: rank }, () => descriptor.u64());
    for (const extent of this.shape) size *= extent;
    const [byteOffset, count] = [descriptor.u64(), descriptor.u8()];
    this.length = count === 1 ? descriptor.u64() : 0n;
    if (count !== 1 || byteOffset + size > this.length || this.length !== dataLength) {
      throw new Rejected("a buffer that does not hold the tensor");
    }
  }

  buffers() {
    return [part(this.source, this.dataOffset, this.length).data];
  }
}
