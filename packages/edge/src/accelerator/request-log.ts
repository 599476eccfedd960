import { createServer, type Socket } from "node:net";
import { listenAtPath } from "../listen/private-socket.ts";

/** One request of a promoted name, as HAProxy has served it. */
export interface FastRequest {
  /** Whether HAProxy served it; else the Node edge did, and has counted it. */
  readonly isFast: boolean;
  readonly claim: string;
  readonly hostname: string;
  /** The first one of its connection. */
  readonly isFirst: boolean;
  readonly remoteAddress: string;
  /** Null when the visitor disconnected before the response. */
  readonly status: number | null;
  /** Two letters: who ended it, and in which state; `--` for a whole response. */
  readonly ending: string;
  /** Of the response's body. */
  readonly bytes: number;
  readonly elapsedMs: number;
  /** To the head of the origin's response; null without one. */
  readonly answeredMs: number | null;
  readonly reference: string;
  readonly method: string;
  /** Of the request's body. */
  readonly receivedBytes: number;
  readonly path: string;
}

const fieldCount = 18;
/** What HAProxy counts beside the fields and the body of a message: the start line. */
const startLineBytes = 20;

/** How many lines are lost by what this one says: HAProxy names those that found no room. */
export function countLost(line: string): number {
  const dropped = /^(\d+) events? dropped$/.exec(line)?.[1];
  if (dropped !== undefined) return Number(dropped);
  return line.split(" ").length < fieldCount ? 1 : 0;
}

/** Reads one line; null for one without a request, as that of a connection which sent none. */
export function parseRequestLine(line: string): FastRequest | null {
  const fields = line.split(" ");
  if (fields.length < fieldCount) return null;
  const [fast, claim, hostname, first, remoteAddress, status, ending, sent, head, length] = fields;
  const [elapsed, answered, reference, method, announced, asked, received] = fields.slice(10);
  if (claim === undefined || hostname === undefined || claim === "-" || hostname === "-")
    return null;
  // HAProxy writes 400 for a visitor who has left, and sends it to nobody.
  const hasLeft = ending?.startsWith("C") === true && Number(answered) < 0;
  const statusNumber = hasLeft ? -1 : Number(status);
  return {
    isFast: fast === "1",
    claim,
    hostname,
    isFirst: first === "1",
    remoteAddress: remoteAddress ?? "",
    status: statusNumber >= 100 ? statusNumber : null,
    ending: ending ?? "",
    bytes: hasLeft
      ? 0
      : bodyBytes({ sent: Number(sent), head, length, ending, method, status: statusNumber }),
    elapsedMs: Math.max(0, Number(elapsed) || 0),
    answeredMs: Number(answered) >= 0 ? Number(answered) : null,
    reference: reference ?? "",
    method: method ?? "",
    receivedBytes: receivedBodyBytes({ announced, asked, received, ending }),
    path: fields.slice(fieldCount - 1).join(" "),
  };
}

/** Exact for a whole response of known length; else from what was sent in all. */
function bodyBytes(parts: {
  readonly sent: number;
  readonly head: string | undefined;
  readonly length: string | undefined;
  readonly ending: string | undefined;
  readonly method: string | undefined;
  readonly status: number;
}): number {
  if (parts.method === "HEAD" || parts.status === 204 || parts.status === 304) return 0;
  if (parts.ending === "--" && /^\d+$/.test(parts.length ?? "")) return Number(parts.length);
  return Math.max(0, (parts.sent || 0) - (Number(parts.head) || 0) - startLineBytes);
}

/** Exact for a whole upload; else from what was received in all. */
function receivedBodyBytes(parts: {
  readonly announced: string | undefined;
  readonly asked: string | undefined;
  readonly received: string | undefined;
  readonly ending: string | undefined;
}): number {
  if (!/^\d+$/.test(parts.announced ?? "")) return 0;
  if (parts.ending === "--") return Number(parts.announced);
  const received = (Number(parts.received) || 0) - (Number(parts.asked) || 0) - startLineBytes;
  return Math.min(Number(parts.announced), Math.max(0, received));
}

export interface RequestLog {
  /** Lines that HAProxy had no room for, or that could not be read. */
  lost(): number;
  close(): void;
}

/**
 * HAProxy sends a line as soon as it has one. They are read together, because to be woken for each
 * would cost several times what the line does; HAProxy has room for more (`ring requests`).
 */
const readEveryMs = 20;
/** What Node reads at once; there may be more of it. */
const wholeRead = 65_536;

/** Listens for HAProxy's lines, each after its length in bytes (RFC 6587 §3.4.1). */
export async function startRequestLog(
  path: string,
  onRequest: (request: FastRequest) => void,
): Promise<RequestLog> {
  const open = new Set<Socket>();
  let lost = 0;
  const server = createServer((socket) => {
    open.add(socket);
    let resume: NodeJS.Timeout | undefined;
    socket.on("close", () => {
      clearTimeout(resume);
      open.delete(socket);
    });
    socket.on("error", () => socket.destroy());
    const read = createLineReader((line) => {
      const request = parseRequestLine(line);
      if (request === null) lost += countLost(line);
      else onRequest(request);
    });
    socket.on("data", (chunk: Buffer) => {
      if (!read(chunk)) {
        lost += 1;
        socket.destroy();
      } else if (chunk.length < wholeRead) {
        socket.pause();
        resume = setTimeout(() => socket.resume(), readEveryMs);
      }
    });
  });
  await listenAtPath(server, path);
  return {
    lost: () => lost,
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

const maxLengthDigits = 6;
const spaceByte = 0x20;
const noBytes = Buffer.alloc(0);

/** False when the bytes are not lines with their lengths. */
export function createLineReader(onLine: (line: string) => void): (chunk: Buffer) => boolean {
  let pending: Buffer = noBytes;
  return (chunk) => {
    const bytes = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    let at = 0;
    for (;;) {
      const line = findLine(bytes, at);
      if (line === "malformed") return false;
      if (line === "incomplete") break;
      onLine(bytes.toString("latin1", line.start, line.end).trimEnd());
      at = line.end;
    }
    pending = at === bytes.length ? noBytes : Buffer.from(bytes.subarray(at));
    return true;
  };
}

function findLine(
  bytes: Buffer,
  at: number,
): { readonly start: number; readonly end: number } | "incomplete" | "malformed" {
  const space = bytes.indexOf(spaceByte, at);
  if (space === -1) return bytes.length - at <= maxLengthDigits ? "incomplete" : "malformed";
  const digits = bytes.toString("latin1", at, space);
  if (!/^\d{1,6}$/.test(digits)) return "malformed";
  const start = space + 1;
  const end = start + Number(digits);
  return end > bytes.length ? "incomplete" : { start, end };
}
