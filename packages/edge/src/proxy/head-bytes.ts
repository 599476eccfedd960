import type { Rejection } from "./request-head.ts";

const headEnd = Buffer.from("\r\n\r\n");
const cr = 13;
const lf = 10;

/** The head at the beginning of the bytes, without the empty line that ends it, and what follows. */
export function findHead(
  bytes: Buffer,
  maxBytes: number,
): { readonly text: string; readonly rest: Buffer | null } | Rejection | "incomplete" {
  // RFC 9112 §2.2: one empty line before a request is forgiven.
  const start = bytes[0] === cr && bytes[1] === lf ? 2 : 0;
  const end = bytes.indexOf(headEnd, start);
  if (end === -1 || end > maxBytes) {
    if (bytes.length > maxBytes) return { status: 431, reason: "head size" };
    return hasBareLineEnd(bytes) ? { status: 400, reason: "line end" } : "incomplete";
  }
  const next = end + headEnd.length;
  return {
    text: bytes.toString("latin1", start, end),
    rest: next < bytes.length ? bytes.subarray(next) : null,
  };
}

/** Such a head would never end; there is no need to wait for the rest of it. */
function hasBareLineEnd(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(lf); at !== -1; at = bytes.indexOf(lf, at + 1)) {
    if (at === 0 || bytes[at - 1] !== cr) return true;
  }
  return false;
}
