import type { Row } from "./table.ts";

interface Difference {
  /** As docs/edge.md has it, "What differs for visitors of a promoted name". */
  readonly why: string;
  /** Names of cases. */
  readonly cases: readonly string[];
}

/** Where visitors of a promoted name see something else than through the Node edge alone. */
const differences: readonly Difference[] = [
  {
    why: "WebSockets are offered over HTTP/1.1 only",
    cases: ["a WebSocket over HTTP/2 (RFC 8441)", "a WebSocket of the page"],
  },
  {
    why: "a length beside chunks is written again in one form",
    cases: ["both Content-Length and Transfer-Encoding"],
  },
  {
    why: "Host beside another :authority is dropped",
    cases: [":authority and another host"],
  },
  {
    why: "HAProxy 2.6 closes a connection when a frame follows DATA with padding",
    cases: ["DATA with padding"],
  },
  {
    why: "HAProxy announces and accepts frames of up to 32,768 octets",
    cases: ["DATA of 16,385 octets", "HEADERS of more than 16,384 octets"],
  },
  {
    why: "HAProxy treats frames that are wrong in its own way",
    cases: [
      "half closed: DATA",
      "closed by RST_STREAM: DATA",
      "closed by RST_STREAM: HEADERS",
      "closed: DATA",
      "closed: HEADERS",
      "a stream with a lower number than before",
      "PRIORITY that depends on itself",
      "PRIORITY on stream 0",
      "PING ACK",
      "WINDOW_UPDATE of 0 on a stream",
      "a window of a stream above the maximum",
      "an initial window that makes one exceed the maximum",
      "a second HEADERS without the end of the stream",
      "a field name with a blank",
      "an empty field name",
      "a field value with a line end",
      "a field value with NUL",
      "content-length below the DATA",
    ],
  },
];

const reasons = new Map(
  differences.flatMap(({ why, cases }) => cases.map((name) => [name, why] as const)),
);

/** Null where the accelerated edge must show what ours does. */
export function differenceOf({ name }: Pick<Row, "name">): string | null {
  return reasons.get(name) ?? null;
}
