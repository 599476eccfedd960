import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, describe, it } from "node:test";
import { connectPlain, parseStatus, request, roundTrip } from "@mooring/testing/edge/client";
import { startOrigin, startRawOrigin, type TestOrigin } from "@mooring/testing/edge/origin";
import { startTestEdge, type TestEdge } from "@mooring/testing/edge/test-edge";
import { propertyRuns } from "@mooring/testing/processes/property-runs";
import fc from "fast-check";

const numRuns = Math.max(100, propertyRuns(20_000) / 4);

const sampleRequest = Buffer.from(
  "POST /x?y HTTP/1.1\r\nHost: a.example\r\nTransfer-Encoding: chunked\r\nTE: trailers\r\n\r\n" +
    "5\r\nhello\r\n0\r\nx-t: 1\r\n\r\nGET / HTTP/1.1\r\nHost: a.example\r\n\r\n",
);
/** The edge closes the connection after it, or before, unless it waits for the rest of a body. */
const lastRequest = Buffer.from(request("a.example", "GET /last HTTP/1.1"));
const sampleResponse = Buffer.from(
  "HTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n" +
    "Connection: keep-alive\r\nKeep-Alive: timeout=5\r\n\r\n5\r\nhello\r\n0\r\nx-t: 1\r\n\r\n",
);

/** What the edge waits for in vain ends soon. */
const impatient = { headMs: 250, stallMs: 250, keepAliveMs: 250 };

/** The bytes with some of them changed, taken out or doubled. */
function mutated(sample: Buffer): fc.Arbitrary<Buffer> {
  const change = fc.tuple(
    fc.nat(sample.length - 1),
    fc.constantFrom("set", "cut", "double"),
    fc.oneof(fc.nat(255), fc.constantFrom(0, 9, 10, 13, 32, 44, 58, 59)),
  );
  return fc.array(change, { minLength: 1, maxLength: 6 }).map((changes) => {
    let bytes = Buffer.from(sample);
    for (const [at, kind, value] of changes) {
      if (kind === "set" && at < bytes.length) bytes[at] = value;
      else if (kind === "cut")
        bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]);
      else bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from([value]), bytes.subarray(at)]);
    }
    return bytes;
  });
}

describe("any bytes", () => {
  let edge: TestEdge;
  let origin: TestOrigin;
  before(async () => {
    edge = await startTestEdge({ limits: impatient });
    origin = await startOrigin();
    edge.hosts.set("a.example", { originUrl: origin.url });
  });
  after(async () => {
    await edge.close();
    await origin.close();
  });

  it("from a client end in an answer or a closed connection, and never in a bad request to an origin", async () => {
    await fc.assert(
      fc.asyncProperty(mutated(sampleRequest), async (bytes) => {
        // A client that closes its half at once has left: its requests end before the origin.
        await roundTrip(edge, "a.example", Buffer.concat([bytes, lastRequest]));
      }),
      { numRuns },
    );
    assert.equal(origin.malformed(), 0);
    assert.ok(origin.begun() > numRuns / 10, `${origin.begun()} requests at the origin`);
    assert.equal(parseStatus(await roundTrip(edge, "a.example", request("a.example"))), 200);
  });

  it("from an origin end in an answer or a closed connection", async () => {
    let answer: Buffer = sampleResponse;
    const raw = await startRawOrigin((socket) => socket.once("data", () => socket.end(answer)));
    edge.hosts.set("raw.example", { originUrl: raw.url });
    await fc.assert(
      fc.asyncProperty(mutated(sampleResponse), async (bytes) => {
        answer = bytes;
        const text = await roundTrip(edge, "raw.example", request("raw.example"));
        assert.ok(text === "" || text.startsWith("HTTP/1.1 "));
      }),
      { numRuns },
    );
    answer = sampleResponse;
    assert.match(await roundTrip(edge, "raw.example", request("raw.example")), /hello/);
    await raw.close();
  });

  it("on the TLS port end in a closed connection", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 1, maxLength: 300 }),
        fc.boolean(),
        async (noise, isTls) => {
          const socket = await connectPlain(edge.httpsPort);
          const start = isTls
            ? [22, 3, 1, 0, noise.length & 255, 1, 0, 0, (noise.length - 4) & 255]
            : [];
          socket.resume().end(Buffer.concat([Buffer.from(start), noise]));
          await once(socket, "close");
        },
      ),
      { numRuns },
    );
    assert.equal(parseStatus(await roundTrip(edge, "a.example", request("a.example"))), 200);
  });
});
