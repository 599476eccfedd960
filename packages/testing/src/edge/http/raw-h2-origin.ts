import type { Socket } from "node:net";
import { startRawOrigin } from "../origin.ts";
import { frame, literal, type RawField } from "./raw-h2.ts";

/** The frames of HTTP/2 that an origin may send, right or wrong; written without a library. */
export const frames = {
  settings: (payload = Buffer.alloc(0)) => frame(4, 0, 0, payload),
  settingsAck: () => frame(4, 1, 0, Buffer.alloc(0)),
  headers: (stream: number, fields: readonly RawField[], isEnd = false) =>
    frame(1, isEnd ? 5 : 4, stream, Buffer.concat(fields.map(literal))),
  /** Without END_HEADERS: CONTINUATION has to follow. */
  openHeaders: (stream: number, block: Buffer) => frame(1, 0, stream, block),
  continuation: (stream: number, block: Buffer) => frame(9, 0, stream, block),
  data: (stream: number, text: string, isEnd = false) =>
    frame(0, isEnd ? 1 : 0, stream, Buffer.from(text)),
  reset: (stream: number, code: number) => frame(3, 0, stream, number(code)),
  goaway: (lastStream: number, code: number) =>
    frame(7, 0, 0, Buffer.concat([number(lastStream), number(code)])),
  ping: () => frame(6, 0, 0, Buffer.alloc(8)),
  pushPromise: (stream: number, promised: number) =>
    frame(5, 4, stream, Buffer.concat([number(promised), literal([":method", "GET"])])),
  unknownTo: (stream: number) => frame(8, 0, stream, number(0)),
} as const;

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

export interface RawRequest {
  readonly stream: number;
  /** The connection's number, from 0. */
  readonly connection: number;
  readonly socket: Socket;
}

export interface RawH2Origin {
  readonly url: string;
  readonly port: number;
  readonly connections: () => number;
  /** Frames received, as `type of stream`. */
  readonly received: readonly string[];
  /** Bytes of DATA received, by connection and stream. */
  readonly bodies: ReadonlyMap<string, string>;
  close(): Promise<void>;
}

const prefaceLength = 24;
const names = ["DATA", "HEADERS", "PRIORITY", "RST_STREAM", "SETTINGS", "PUSH", "PING", "GOAWAY"];

/**
 * An HTTP/2 origin of raw frames: sends SETTINGS, answers those of the edge, and calls `onRequest`
 * when a stream has been ended by END_STREAM. PINGs are answered by `onPing` only.
 */
export async function startRawH2Origin(
  onRequest: (request: RawRequest) => void,
  onPing: (socket: Socket, payload: Buffer) => void = (socket, payload) =>
    void socket.write(frame(6, 1, 0, payload)),
): Promise<RawH2Origin> {
  const received: string[] = [];
  const bodies = new Map<string, string>();
  let connections = 0;
  const origin = await startRawOrigin((socket) => {
    const connection = connections;
    connections += 1;
    socket.write(frames.settings());
    readFrames(socket, ({ type, flags, stream, payload }) => {
      const name = names[type];
      received.push(`${name} of ${stream}`);
      // SETTINGS and PING with a flag are acknowledgements.
      if (flags === 0 && name === "SETTINGS") socket.write(frames.settingsAck());
      else if (flags === 0 && name === "PING") onPing(socket, payload);
      else if (name === "DATA") append(bodies, `${connection}/${stream}`, payload);
      if (type <= 1 && (flags & 1) !== 0) onRequest({ stream, connection, socket });
    });
  });
  const url = `h2c://127.0.0.1:${origin.port}`;
  return { ...origin, url, received, bodies };
}

function append(bodies: Map<string, string>, key: string, payload: Buffer): void {
  bodies.set(key, (bodies.get(key) ?? "") + payload.toString());
}

interface ReceivedFrame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

/** Every frame after the client's preface. */
function readFrames(socket: Socket, onFrame: (frame: ReceivedFrame) => void): void {
  let bytes = Buffer.alloc(0);
  let skip = prefaceLength;
  socket.on("data", (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    if (bytes.length < skip) return;
    bytes = bytes.subarray(skip);
    skip = 0;
    while (bytes.length >= 9 && bytes.length >= 9 + bytes.readUIntBE(0, 3)) {
      const end = 9 + bytes.readUIntBE(0, 3);
      const [type = 0, flags = 0] = [bytes[3], bytes[4]];
      const stream = bytes.readUInt32BE(5);
      const payload = Buffer.from(bytes.subarray(9, end));
      bytes = bytes.subarray(end);
      onFrame({ type, flags, stream, payload });
    }
  });
}
