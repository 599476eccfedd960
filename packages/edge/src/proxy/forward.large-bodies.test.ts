import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { connect as connectH2 } from "node:http2";
import { after, before, describe, it } from "node:test";
import { connectTo, readAll, request, statusOf } from "../../test/support/client.ts";
import { startOrigin } from "../../test/support/origin.ts";
import { startTestEdge, type TestEdge } from "../../test/support/test-edge.ts";

const mib = 1_048_576;
const piece = Buffer.alloc(65_536, "0123456789abcdef");
/** The buffers of two connections and their streams; far less than a body without backpressure. */
const maxInFlight = 32 * mib;
const pieces = (100 * mib) / piece.length;

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
      expected.update(piece);
      if (!socket.write(piece)) await once(socket, "drain");
      lag = Math.max(lag, index * piece.length - taken);
    }
    assert.equal(await promise, expected.digest("hex"));
    assert.equal(statusOf(await answer), 200);
    assert.ok(lag < maxInFlight, `${lag} bytes were in flight`);
    await origin.close();
  });

  for (const protocol of ["http/1.1", "h2"]) {
    it(`come down 100 MiB at the client's pace over ${protocol}, without being buffered`, async () => {
      let poured = 0;
      const origin = await startOrigin((_request, response) => {
        const pour = () => {
          while (poured < pieces * piece.length) {
            poured += piece.length;
            if (!response.write(piece)) {
              response.once("drain", pour);
              return;
            }
          }
          response.end();
        };
        pour();
      });
      edge.hosts.set("down.example", { originUrl: origin.url });
      const socket = await connectTo(edge, "down.example", { ALPNProtocols: [protocol] });
      const session =
        protocol === "h2" ? connectH2("https://x", { createConnection: () => socket }) : null;
      const stream = session?.request({ ":path": "/", ":authority": "down.example" }) ?? socket;
      if (session === null) socket.write(request("down.example"));
      let total = 0;
      let lag = 0;
      for await (const chunk of stream) {
        total += Buffer.from(chunk).length;
        lag = Math.max(lag, poured - total);
        await eventLoop();
      }
      assert.ok(total >= 100 * mib && total < 101 * mib);
      assert.ok(lag < maxInFlight, `${lag} bytes were in flight`);
      session?.destroy();
      await origin.close();
    });
  }
});

/** Lets everyone else run, so that this side is the slowest. */
async function eventLoop(): Promise<void> {
  for (let run = 0; run < 3; run += 1) await new Promise((done) => setImmediate(done));
}
