import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { connect as connectH2 } from "node:http2";
import type { Readable } from "node:stream";
import { after, before, describe, it } from "node:test";
import { connectTo, parseStatus, readAll, request } from "@mooring/testing/edge/client";
import { startOrigin } from "@mooring/testing/edge/origin";
import { startTestEdge, type TestEdge } from "@mooring/testing/edge/test-edge";

const mib = 1_048_576;
const pieceBytes = 65_536;
/** Each is different, so that memory used twice shows. */
const pieceOf = (index: number): Buffer => Buffer.alloc(pieceBytes, `${index}-`);
/** The buffers of two connections and their streams; far less than a body without backpressure. */
const maxInFlight = 32 * mib;
const pieces = (100 * mib) / pieceBytes;

describe("large bodies", () => {
  let edge: TestEdge;
  before(async () => {
    edge = await startTestEdge();
  });
  after(async () => {
    await edge.close();
  });

  it("go up 100 MiB at the origin's pace, without being buffered", async () => {
    let taken = 0;
    const { promise, resolve } = Promise.withResolvers<string>();
    const origin = await startOrigin(async (incoming, response) => {
      const hash = createHash("sha256");
      for await (const chunk of incoming) {
        hash.update(chunk);
        taken += chunk.length;
        await eventLoop();
      }
      resolve(hash.digest("hex"));
      response.end("done");
    });
    edge.hosts.set("up.example", { originUrl: origin.url });
    const socket = await connectTo(edge, "up.example");
    const answer = readAll(socket);
    socket.write(request("up.example", "PUT / HTTP/1.1", [`Content-Length: ${100 * mib}`]));
    const expected = createHash("sha256");
    let lag = 0;
    for (let index = 1; index <= pieces; index += 1) {
      const piece = pieceOf(index);
      expected.update(piece);
      if (!socket.write(piece)) await once(socket, "drain");
      lag = Math.max(lag, index * piece.length - taken);
    }
    assert.equal(await promise, expected.digest("hex"));
    assert.equal(parseStatus(await answer), 200);
    assert.ok(lag < maxInFlight, `${lag} bytes were in flight`);
    await origin.close();
  });

  for (const protocol of ["http/1.1", "h2"]) {
    it(`come down 100 MiB at the client's pace over ${protocol}, without being buffered`, async () => {
      const { origin, sent } = await startPouring();
      edge.hosts.set("down.example", { originUrl: origin.url });
      const socket = await connectTo(edge, "down.example", { ALPNProtocols: [protocol] });
      const session =
        protocol === "h2" ? connectH2("https://x", { createConnection: () => socket }) : null;
      const stream = session?.request({ ":path": "/", ":authority": "down.example" }) ?? socket;
      if (session === null) socket.write(request("down.example"));
      const { hash, lag } = await receive(stream, { hasHead: session === null, sent });
      assert.equal(hash, sent.hash.digest("hex"));
      assert.ok(lag < maxInFlight, `${lag} bytes were in flight`);
      session?.destroy();
      await origin.close();
    });
  }
});

/** An origin that answers with 100 MiB as quickly as it may. */
async function startPouring() {
  const sent = { bytes: 0, hash: createHash("sha256") };
  const pour = (response: ServerResponse): void => {
    while (sent.bytes < pieces * pieceBytes) {
      const piece = pieceOf(sent.bytes / pieceBytes);
      sent.hash.update(piece);
      sent.bytes += piece.length;
      if (!response.write(piece)) {
        response.once("drain", () => pour(response));
        return;
      }
    }
    response.end();
  };
  const origin = await startOrigin((_request, response) => {
    response.setHeader("content-length", pieces * pieceBytes);
    pour(response);
  });
  return { origin, sent };
}

/** Reads the body slowly; returns its hash, and how far the origin was ahead at most. */
async function receive(
  stream: Readable,
  { hasHead, sent }: { readonly hasHead: boolean; readonly sent: { readonly bytes: number } },
): Promise<{ readonly hash: string; readonly lag: number }> {
  const hash = createHash("sha256");
  let total = 0;
  let lag = 0;
  let isHead = hasHead;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk);
    const body = isHead ? bytes.subarray(bytes.indexOf("\r\n\r\n") + 4) : bytes;
    isHead = false;
    hash.update(body);
    total += body.length;
    lag = Math.max(lag, sent.bytes - total);
    if (total === pieces * pieceBytes) break;
    await eventLoop();
  }
  return { hash: hash.digest("hex"), lag };
}

/** Lets everyone else run, so that this side is the slowest. */
async function eventLoop(): Promise<void> {
  for (let run = 0; run < 3; run += 1) await new Promise((done) => setImmediate(done));
}
