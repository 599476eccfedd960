import assert from "node:assert/strict";
import { type AddressInfo, createServer, type Socket } from "node:net";
import fc from "fast-check";
import { foreignText } from "../../../packages/dns/src/index.ts";
import { createGuard, EgressError, parseRetryAfter } from "../../../packages/egress/src/index.ts";
import type { FuzzTarget } from "../target.ts";

/** What a receiver of webhooks sends back, in pieces, and whether it closes afterwards. */
interface Reply {
  readonly pieces: readonly string[];
  readonly end: "close" | "reset" | "open";
}

const octets = fc.string({ unit: "binary-ascii", maxLength: 120 });
const lines = fc.constantFrom(
  "HTTP/1.1 200 OK\r\n",
  "HTTP/1.1 410 Gone\r\n",
  "HTTP/1.0 200\r\n",
  "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n",
  "HTTP/1.1 100 Continue\r\n\r\n",
  "HTTP/1.1 999 \r\n",
  "HTTP/9.9 200 OK\r\n",
  "Content-Length: 5\r\n",
  "Content-Length: -1\r\n",
  "Content-Length: 99999999999999999999\r\n",
  "Transfer-Encoding: chunked\r\n",
  "Transfer-Encoding: gzip, chunked\r\n",
  "Content-Encoding: gzip\r\n",
  "Retry-After: 99999999999999999999\r\n",
  "Retry-After: Thu, 01 Jan 1970 00:00:00 GMT\r\n",
  "Location: http://127.0.0.1/\r\n",
  `X: ${"a".repeat(20_000)}\r\n`,
  "\r\n",
  "5\r\nhello\r\n",
  "0\r\n\r\n",
  "ffffffffffffffff\r\n",
  "\0",
  "\r",
  "\n",
);
const replies: fc.Arbitrary<Reply> = fc.record({
  pieces: fc.array(fc.oneof({ weight: 5, arbitrary: lines }, { weight: 1, arbitrary: octets }), {
    maxLength: 12,
  }),
  end: fc.constantFrom("close", "close", "close", "reset", "open"),
});
const inputs = fc.array(replies, { minLength: 1, maxLength: 16 });

const limits = { connectTimeoutMs: 5_000, totalTimeoutMs: 300, maxBytes: 65_536 };

/**
 * The client that delivers webhooks, at receivers that answer with broken HTTP. Harm is a failure
 * that is no EgressError, a text that a statement refuses, a call without an end, or memory.
 */
export async function openReceiversTarget(): Promise<FuzzTarget<readonly Reply[]>> {
  const waiting: Reply[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => answer(socket, waiting.shift()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const guard = createGuard({ allowPrivate: "loopback" });
  let count = 0;

  async function deliver(): Promise<void> {
    count += 1;
    try {
      const response = await guard.request(`http://127.0.0.1:${port}/`, {
        method: "POST",
        body: "{}",
        schemes: ["http", "https"],
        ...limits,
      });
      parseRetryAfter(response.headers.get("retry-after"), new Date());
      const text = foreignText(response.body.subarray(0, 1_024).toString("utf8"));
      assert.ok(text.isWellFormed() && !text.includes("\0"), JSON.stringify(text));
      assert.ok(response.status >= 100 && response.status <= 999, String(response.status));
    } catch (error) {
      if (!(error instanceof EgressError)) throw error;
    }
  }

  return {
    inputs,
    maxGrowthBytes: 150 * 1_048_576,
    count: () => count,
    async attempt(list) {
      waiting.splice(0, waiting.length, ...list);
      await Promise.all(list.map(deliver));
    },
    async close() {
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function answer(socket: Socket, reply: Reply | undefined): void {
  for (const piece of reply?.pieces ?? []) socket.write(Buffer.from(piece, "latin1"));
  if (reply?.end === "reset") socket.resetAndDestroy();
  else if (reply?.end !== "open") socket.end();
}
