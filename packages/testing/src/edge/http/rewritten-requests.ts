import type { TestEdge } from "../test-edge.ts";

interface Rewritten {
  /** As docs/edge.md has it, "What differs for visitors of a promoted name". */
  readonly why: string;
  /** Names of cases of the corpora. */
  readonly cases: readonly string[];
}

/**
 * Requests that the Node edge refuses and HAProxy reads in one way, and writes again in that form:
 * the origin gets one request that has one reading.
 */
const rewritten: readonly Rewritten[] = [
  {
    why: "a length beside chunks is dropped (RFC 9112 §6.3)",
    cases: ['length beside encoding "chunked"', 'length beside encoding "CHUNKED"'],
  },
  {
    why: "an equal length or host twice is one (RFC 9110 §8.6)",
    cases: [
      'length "5,5"',
      'length "5, 5"',
      "two equal lengths",
      "two lengths",
      'field ["content-length","5, 5"]',
      'field line "Host: shop.example"',
      "two hosts",
    ],
  },
  {
    why: "Host beside :authority is dropped (RFC 9113 §8.3.1)",
    cases: ['field ["host","evil.example"]'],
  },
  {
    why: "the length of a request that HTTP/2 ends with its head is 0",
    cases: ["a length without a body"],
  },
  {
    why: "the parts of a start line may have several blanks between them (RFC 9112 §3)",
    cases: [
      'start line "POST  /case-@ HTTP/1.1"',
      'start line "POST /case-@  HTTP/1.1"',
      'start line "POST\\t/case-@\\tHTTP/1.1"',
    ],
  },
  {
    why: "another version than HTTP/1.1 is written as that",
    cases: ['start line "POST /case-@ HTTP/1.2"', 'start line "POST /case-@ HTTP/2.0"'],
  },
  {
    why: "a folded line is one line (RFC 9112 §5.2)",
    cases: [
      'field line "X-A: b\\n Host: x"',
      'field line "X-A: b\\r\\n folded: c"',
      'field line "X-A: b\\r\\n\\tfolded"',
      "a blank line with a blank",
    ],
  },
  {
    why: "a line may end with LF alone (RFC 9112 §2.2)",
    cases: [
      'field line "\\nTransfer-Encoding: chunked"',
      'chunks "5\\nhello\\r\\n0\\r\\n\\r\\n"',
      'chunks "5\\r\\nhello\\n0\\r\\n\\r\\n"',
      'chunks "5\\r\\nhello\\r\\n0\\n\\n"',
      'chunks "5\\r\\nhello\\r\\n0\\r\\n\\n"',
      'chunks "5\\r\\nhello\\r\\n0;x\\n\\r\\n"',
      "line feeds only",
      "line feed after the start line",
      "line feed at the end of the head",
      "a line feed first",
      "two empty lines first",
    ],
  },
  {
    why: "what follows the size of a chunk is dropped (RFC 9112 §7.1.1)",
    cases: [
      'chunks "5;\\r\\nhello\\r\\n0\\r\\n\\r\\n"',
      'chunks "5 \\r\\nhello\\r\\n0\\r\\n\\r\\n"',
      'chunks "5\\t\\r\\nhello\\r\\n0\\r\\n\\r\\n"',
      'chunks "0005;\\r\\nhello\\r\\n0\\r\\n\\r\\n"',
      'chunks "5;a=\\r\\nhello\\r\\n0\\r\\n\\r\\n"',
      'chunks "5;a=b c\\r\\nhello\\r\\n0\\r\\n\\r\\n"',
      'chunks "5;a\\u0000\\r\\nhello\\r\\n0\\r\\n\\r\\n"',
    ],
  },
  {
    why: "Connection is not among the fields that are counted",
    cases: ["257 fields"],
  },
  {
    why: "HAProxy refuses what is above ASCII in a path",
    cases: ["bytes above ASCII in the target"],
  },
];

const names = new Set(rewritten.flatMap(({ cases }) => cases));

/** Whether HAProxy, in front of this edge, may forward or refuse the case where Node does not. */
export function mayDiffer({ ready }: TestEdge, name: string): boolean {
  return ready !== undefined && names.has(name);
}
