import type { StrangerCase } from "../cases.ts";
import type { H2Case } from "./case.ts";
import { connectionCases } from "./connection-cases.ts";
import { converse } from "./conversation.ts";
import { frameCases } from "./frame-cases.ts";
import { compressionCases, messageCases } from "./message-cases.ts";

export const h2Cases: readonly H2Case[] = [
  ...connectionCases,
  ...frameCases,
  ...messageCases,
  ...compressionCases,
];

/**
 * Where Node's HTTP/2 layer differs from the two others; the reasons are in docs/divergences.md.
 */
const divergences: ReadonlySet<string> = new Set([
  "DATA of 16,385 octets",
  "half closed: DATA",
  "closed by RST_STREAM: HEADERS",
  "closed: HEADERS",
  "a stream with a lower number than before",
  "PRIORITY on stream 0",
  "PING ACK",
  "a window of a stream above the maximum",
  "an initial window that makes one exceed the maximum",
  "a field name with a blank",
  "a field value with a line end",
  "a field value with NUL",
  "a change of the table's size at the end of a block",
]);

/** Those of them that RFC 9113 does not allow, and one in which the others differ too. */
export const violations: ReadonlySet<string> = new Set([
  "closed: HEADERS",
  "a stream with a lower number than before",
  "PRIORITY on stream 0",
  "PING ACK",
  "a field name with a blank",
  "an empty field name",
  "a field value with a line end",
  "a field value with NUL",
]);

/**
 * What RFC 9113 does not allow HAProxy's HTTP/2; the first two it does, for the frame size that
 * HAProxy announces.
 */
export const acceleratedViolations: ReadonlySet<string> = new Set([
  "DATA of 16,385 octets",
  "HEADERS of more than 16,384 octets",
  "DATA with padding",
  ":authority and another host",
]);

/** The cases of h2spec, whose sources no registry has, as raw frames. */
export const frameRows: readonly StrangerCase[] = h2Cases.map((one) => ({
  client: one.section.startsWith("HPACK") ? one.section : `RFC 9113, ${one.section}`,
  name: one.name,
  ...(divergences.has(one.name) ? { isDivergence: true as const } : {}),
  run: (front) => converse(front, one),
}));
