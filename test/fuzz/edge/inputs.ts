import { clientHello } from "@mooring/testing/clients/many-clients";
import { h2SmugglingCorpus } from "@mooring/testing/edge/http/h2-smuggling-corpus";
import type { RawField } from "@mooring/testing/edge/http/raw-h2";
import { smugglingCorpus } from "@mooring/testing/edge/http/smuggling-corpus";
import fc from "fast-check";
import { type Mutation, mutated, mutations } from "../tokens/mutation.ts";

/** One connection of a client, as bytes or frames. All text is latin1. */
export type EdgeInput =
  | { readonly kind: "h1"; readonly bytes: string; readonly pieces: number }
  | { readonly kind: "h2"; readonly fields: readonly RawField[]; readonly body: readonly string[] }
  | { readonly kind: "frames"; readonly frames: readonly RawFrame[] }
  | { readonly kind: "hello"; readonly bytes: string };

export interface RawFrame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: string;
}

export const hostname = "n0.stock.example";

const methods = ["GET", "POST", "PUT", "HEAD", "OPTIONS", "get", "DELETE", "PATCH"];
const targets = ["/", "/a/b?c=d", `https://${hostname}/x`, "/%2e%2e/", "*", "//x", "/\xff", "/a#b"];
const fieldLines = [
  ...["Content-Length: 5", "Content-Length: 0", "Content-Length: 5, 5", "Content-Length:5"],
  ...["Transfer-Encoding: chunked", "Transfer-Encoding: Chunked", "transfer-encoding:\tchunked"],
  ...["Transfer-Encoding: gzip, chunked", "Connection: close", "Connection: keep-alive, x-a"],
  ...["Connection: transfer-encoding", "Connection: content-length", "Connection: host"],
  ...["Expect: 100-continue", "TE: trailers", "Upgrade: h2c", "Trailer: content-length"],
  ...[
    "X-A: b",
    "X-A:",
    "X_Forwarded_For: 6.6.6.6",
    "X-Svc-Assertion: forged",
    "Host: evil.example",
  ],
];
const bodies = [
  ...["", "hello", "0\r\n\r\n", "5\r\nhello\r\n0\r\n\r\n", "5;a=b\r\nhello\r\n0\r\nx: y\r\n\r\n"],
  ...[
    "00000005\r\nhello\r\n0\r\n\r\n",
    "5 \r\nhello\r\n0\r\n\r\n",
    "5\nhello\n0\n\n",
    "-5\r\nhello\r\n",
  ],
  ...["5\r\nhello0\r\n\r\n", "ffffffff\r\n", "0\r\ncontent-length: 5\r\n\r\n"],
];

const request = fc
  .tuple(
    fc.constantFrom(...methods),
    fc.constantFrom(...targets),
    fc.constantFrom("HTTP/1.1", "HTTP/1.1", "HTTP/1.1", "HTTP/1.0"),
    fc.array(fc.constantFrom(...fieldLines), { maxLength: 4 }),
    fc.constantFrom(...bodies),
  )
  .map(([method, target, version, lines, body]) => {
    const head = [`${method} ${target} ${version}`, `Host: ${hostname}`, ...lines];
    return `${head.join("\r\n")}\r\n\r\n${body}`;
  });

const corpus = smugglingCorpus().map(({ bytes }) =>
  bytes.toString("latin1").replaceAll("shop.example", hostname),
);

const changes: fc.Arbitrary<readonly Mutation[]> = fc.oneof(fc.constant([]), mutations);

const h1 = fc
  .tuple(
    fc.oneof(
      fc.array(request, { minLength: 1, maxLength: 3 }).map((list) => list.join("")),
      fc.constantFrom(...corpus),
    ),
    changes,
    fc.integer({ min: 1, max: 5 }),
  )
  .map(([text, list, pieces]) => ({ kind: "h1" as const, bytes: mutated(text, list), pieces }));

const h2Corpus = h2SmugglingCorpus().map(({ fields, body }) => ({
  body,
  fields: fields.map(
    ([name, value]): RawField => [name, value.replaceAll("shop.example", hostname)],
  ),
}));

const h2 = fc
  .tuple(fc.constantFrom(...h2Corpus), fc.nat(20), fc.boolean(), changes)
  .map(([{ fields, body }, at, isName, list]) => ({
    kind: "h2" as const,
    body,
    fields: fields.map(([name, value], index): RawField => {
      if (index !== at % fields.length) return [name, value];
      return isName ? [mutated(name, list), value] : [name, mutated(value, list)];
    }),
  }));

const frame = fc.record<RawFrame>({
  type: fc.constantFrom(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 200),
  flags: fc.constantFrom(0, 1, 4, 5, 8, 0x20, 0x2d, 0xff),
  stream: fc.constantFrom(0, 1, 1, 3, 2, 5, 0x7fffffff, 0x80000001),
  payload: fc.oneof(
    fc.constantFrom(
      "",
      "\0".repeat(4),
      "\0".repeat(5),
      "\0".repeat(8),
      "\x82\x87\x84",
      "\0\x03\0\0\0\x64",
    ),
    // A GET of "/" for the host, from the static table.
    fc.constant(`\x82\x87\x84\x41${String.fromCharCode(hostname.length)}${hostname}`),
    fc.string({ unit: "binary-ascii", maxLength: 60 }),
  ),
});

const frames = fc
  .array(frame, { minLength: 1, maxLength: 12 })
  .map((list) => ({ kind: "frames" as const, frames: list }));

const goodHello = clientHello(hostname).toString("latin1");

const hello = changes.map((list) => ({ kind: "hello" as const, bytes: mutated(goodHello, list) }));

export const edgeInputs: fc.Arbitrary<readonly EdgeInput[]> = fc.array(
  fc.oneof<fc.Arbitrary<EdgeInput>[]>(h1, h1, h1, h2, h2, frames, hello),
  { minLength: 1, maxLength: 6 },
);
