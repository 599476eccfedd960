import { once } from "node:events";
import type { Socket } from "node:net";

/** A field exactly as it is sent, without the validation of a library. */
export type RawField = readonly [name: string, value: string];

/** RFC 9113 §3.4, followed by empty SETTINGS. */
const clientPreface = Buffer.concat([
  Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
  frame(4, 0, 0, Buffer.alloc(0)),
]);

const dataFrame = 0;
const headersFrame = 1;
const pingFrame = 6;
const endStreamFlag = 1;
const endHeadersFlag = 4;
const ackFlag = 1;

/**
 * Sends one request as raw frames on a connection that speaks HTTP/2, and waits until the server
 * has dealt with it: it answers a PING that follows, or closes. Then the connection is closed.
 */
export async function sendRawH2(
  socket: Socket,
  fields: readonly RawField[],
  body: readonly string[] = [],
): Promise<void> {
  const last = body.length - 1;
  const head = endHeadersFlag | (last === -1 ? endStreamFlag : 0);
  const block = Buffer.concat(fields.map(literal));
  const data = body.map((text, index) =>
    frame(dataFrame, index === last ? endStreamFlag : 0, 1, Buffer.from(text, "latin1")),
  );
  let bytes = Buffer.alloc(0);
  let isEnded = false;
  socket.on("data", (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    isEnded = hasAnswered(bytes);
    if (isEnded) socket.destroy();
  });
  socket.write(Buffer.concat([clientPreface, frame(headersFrame, head, 1, block), ...data]));
  socket.write(frame(pingFrame, 0, 0, Buffer.alloc(8)));
  if (!socket.closed) await once(socket, "close");
}

export interface RawFrame {
  readonly type: "data" | "headers" | "reset";
  readonly isEnd: boolean;
  /** The error code of a reset. */
  readonly code: number | null;
}

/**
 * The frames of the answer to a request whose body, if `upload` is given, has begun and is never
 * ended; until the stream is closed by the server. SETTINGS are not acknowledged.
 */
export async function requestFrames(
  socket: Socket,
  fields: readonly RawField[],
  upload: string | null,
  repeated: { readonly field: RawField; readonly times: number } | null = null,
): Promise<readonly RawFrame[]> {
  const flags = endHeadersFlag | (upload === null ? endStreamFlag : 0);
  const block = Buffer.concat([
    ...fields.map(literal),
    ...(repeated === null ? [] : [indexed(repeated.field, repeated.times)]),
  ]);
  const body = upload === null ? [] : [frame(dataFrame, 0, 1, Buffer.from(upload))];
  const frames: RawFrame[] = [];
  let bytes = Buffer.alloc(0);
  socket.on("data", (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    for (let next = takeFrame(bytes); next !== null; next = takeFrame(bytes)) {
      bytes = bytes.subarray(next.length);
      if (next.frame !== null) frames.push(next.frame);
    }
    const last = frames.at(-1);
    if (last?.type === "reset" || (last?.isEnd && upload === null)) socket.destroy();
  });
  socket.write(Buffer.concat([clientPreface, frame(headersFrame, flags, 1, block), ...body]));
  if (!socket.closed) await once(socket, "close");
  return frames;
}

const frameTypes = new Map([
  [dataFrame, "data"],
  [headersFrame, "headers"],
  [3, "reset"],
] as const);

/** The first whole frame; null for its value when it is not of stream 1. */
function takeFrame(
  bytes: Buffer,
): { readonly length: number; readonly frame: RawFrame | null } | null {
  if (bytes.length < 9) return null;
  const length = 9 + bytes.readUIntBE(0, 3);
  if (bytes.length < length) return null;
  const type = frameTypes.get((bytes[3] ?? 0) as 0 | 1 | 3);
  if (type === undefined || bytes.readUInt32BE(5) !== 1) return { length, frame: null };
  const isEnd = type !== "reset" && ((bytes[4] ?? 0) & endStreamFlag) !== 0;
  return { length, frame: { type, isEnd, code: type === "reset" ? bytes.readUInt32BE(9) : null } };
}

/** The stream has ended, well or not, and the PING has come back. */
function hasAnswered(bytes: Buffer): boolean {
  let isPinged = false;
  let isEnded = false;
  for (let at = 0; at + 9 <= bytes.length; ) {
    const length = bytes.readUIntBE(at, 3);
    const [type = 0, flags = 0] = [bytes[at + 3], bytes[at + 4]];
    const stream = bytes.readUInt32BE(at + 5);
    if (type === pingFrame && (flags & ackFlag) !== 0) isPinged = true;
    const isReset = type === 3;
    const isLast = (type === dataFrame || type === headersFrame) && (flags & endStreamFlag) !== 0;
    if (stream === 1 && (isReset || isLast)) isEnded = true;
    at += 9 + length;
  }
  return isPinged && isEnded;
}

export function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** RFC 7541 §6.2.2: a literal field that is not indexed, its name new, nothing Huffman coded. */
export function literal([name, value]: RawField): Buffer {
  return Buffer.concat([Buffer.from([0]), text(name), text(value)]);
}

/** RFC 7541 §6.2.1: the field enters the dynamic table; after that, each copy is a byte. */
function indexed(field: RawField, times: number): Buffer {
  const first = literal(field);
  first[0] = 0x40;
  return Buffer.concat([first, Buffer.alloc(times - 1, 0x80 | 62)]);
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
