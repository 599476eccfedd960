/** Frames of RFC 9113 as bytes, right or wrong. */

export const types = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  push: 5,
  ping: 6,
  goaway: 7,
  window: 8,
  continuation: 9,
} as const;

export const flags = { endStream: 1, ack: 1, endHeaders: 4, padded: 8, priority: 0x20 } as const;

export const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

export function frame(
  type: number,
  flag: number,
  stream: number,
  payload: Buffer | readonly number[] | string = [],
): Buffer {
  const data =
    typeof payload === "string"
      ? Buffer.from(payload, "latin1")
      : Buffer.from(payload as Uint8Array);
  const head = Buffer.alloc(9);
  head.writeUIntBE(data.length, 0, 3);
  head[3] = type;
  head[4] = flag;
  head.writeUInt32BE(stream >>> 0, 5);
  return Buffer.concat([head, data]);
}

export type Field = readonly [name: string, value: string];

/** RFC 7541 §6.2.2: literals that are not indexed, nothing Huffman coded. */
export function block(fields: readonly Field[]): Buffer {
  return Buffer.concat(
    fields.flatMap(([name, value]) => [Buffer.from([0]), text(name), text(value)]),
  );
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value, "latin1");
  return Buffer.concat([integer(bytes.length), bytes]);
}

/** RFC 7541 §5.1 with a prefix of seven bits. */
function integer(value: number): Buffer {
  if (value < 127) return Buffer.from([value]);
  const bytes = [127];
  let rest = value - 127;
  for (; rest >= 128; rest >>= 7) bytes.push((rest & 127) | 128);
  return Buffer.from([...bytes, rest]);
}

export function settings(...pairs: readonly (readonly [id: number, value: number])[]): Buffer {
  const payload = Buffer.alloc(6 * pairs.length);
  pairs.forEach(([id, value], index) => {
    payload.writeUInt16BE(id, 6 * index);
    payload.writeUInt32BE(value >>> 0, 6 * index + 2);
  });
  return frame(types.settings, 0, 0, payload);
}

export function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
}

export interface Received {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

/** The first whole frame of the bytes, and how long it is. */
export function takeFrame(
  bytes: Buffer,
): { readonly length: number; readonly frame: Received } | null {
  if (bytes.length < 9) return null;
  const length = 9 + bytes.readUIntBE(0, 3);
  if (bytes.length < length) return null;
  const received = {
    type: bytes[3] ?? 0,
    flags: bytes[4] ?? 0,
    stream: bytes.readUInt32BE(5) & 0x7fffffff,
    payload: bytes.subarray(9, length),
  };
  return { length, frame: received };
}

/** Of the static table of RFC 7541, from index 8. */
const staticStatuses = ["200", "204", "206", "304", "400", "404", "500"];

/** The status at the start of a response's field block, where HPACK puts it. */
export function statusIn(fields: Buffer): string {
  let at = 0;
  // RFC 7541 §6.3: changes of the table's size come first.
  while (((fields[at] ?? 0) & 0xe0) === 0x20) at += 1;
  const first = fields[at] ?? 0;
  if ((first & 0x80) !== 0) return staticStatuses[(first & 0x7f) - 8] ?? "unknown";
  const length = fields[at + 1] ?? 0;
  const value = fields.subarray(at + 2, at + 2 + (length & 0x7f));
  return (length & 0x80) === 0 ? value.toString("latin1") : huffmanDigits(value);
}

/** RFC 7541, appendix B: 0 to 2 have five bits, the other digits six. */
function huffmanDigits(bytes: Buffer): string {
  const bits = [...bytes].map((one) => one.toString(2).padStart(8, "0")).join("");
  let [at, digits] = [0, ""];
  while (digits.length < 3 && at < bits.length) {
    const short = Number.parseInt(bits.slice(at, at + 5), 2);
    const isShort = short <= 2;
    digits += isShort ? String(short) : String(Number.parseInt(bits.slice(at, at + 6), 2) - 22);
    at += isShort ? 5 : 6;
  }
  return digits;
}
