import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { after, before, describe, it } from "node:test";
import { request, roundTrip } from "@mooring/testing/edge/client";
import { askH2, openH2 } from "@mooring/testing/edge/http/h2-client";
import { startH2Origin } from "@mooring/testing/edge/http/h2-origin";
import { frames, startRawH2Origin } from "@mooring/testing/edge/http/raw-h2-origin";
import { startRawOrigin } from "@mooring/testing/edge/origin";
import { startTestEdge, type TestEdge } from "@mooring/testing/edge/test-edge";
import { until } from "@mooring/testing/processes/until";

const chunk = Buffer.alloc(65_536, "x");
const mebibyte = 1_048_576;

describe("the flow of an HTTP/2 origin", () => {
  let edge: TestEdge;
  before(async () => {
    edge = await startTestEdge();
  });
  after(() => edge.close());

  it("passes large bodies both ways unchanged", async () => {
    const origin = await startH2Origin((stream) => {
      stream.respond({ ":status": 200 });
      stream.pipe(stream);
    });
    edge.hosts.set("echo.example", { originUrl: origin.url });
    const session = await openH2(edge, "echo.example");
    const stream = session.request({ ":method": "POST", ":path": "/" });
    const [sent, received] = [createHash("sha256"), createHash("sha256")];
    let bytes = 0;
    stream.on("data", (data: Buffer) => {
      bytes += data.length;
      received.update(data);
    });
    for (let number = 0; number < 256; number += 1) {
      const data = Buffer.alloc(65_536, number);
      sent.update(data);
      if (!stream.write(data)) await once(stream, "drain");
    }
    stream.end();
    await once(stream, "end");
    assert.equal(bytes, 16 * mebibyte);
    assert.equal(received.digest("hex"), sent.digest("hex"));
    session.destroy();
    await origin.close();
  });

  it("stops with a client that does not read, and with an origin that does not", async (context) => {
    let written = 0;
    const origin = await startH2Origin((stream, headers) => {
      stream.respond({ ":status": 200 });
      if (headers[":method"] === "POST") return;
      const fill = (): void => {
        while (!stream.destroyed && written < 200 * mebibyte) {
          written += chunk.length;
          if (!stream.write(chunk)) return;
        }
      };
      stream.on("drain", fill);
      fill();
    });
    edge.hosts.set("slow.example", { originUrl: origin.url });
    const session = await openH2(edge, "slow.example");
    const before = process.memoryUsage().rss;
    const reader = session.request({ ":path": "/" });
    await once(reader, "response");
    await settled(() => written);
    const writer = session.request({ ":method": "POST", ":path": "/" });
    await once(writer, "response");
    let accepted = 0;
    const fill = (): void => {
      while (accepted < 200 * mebibyte) {
        accepted += chunk.length;
        if (!writer.write(chunk)) return;
      }
    };
    writer.on("drain", fill);
    fill();
    await settled(() => accepted);
    const grown = (process.memoryUsage().rss - before) / mebibyte;
    const text = [written, accepted].map((bytes) => (bytes / mebibyte).toFixed(1)).join(" and ");
    context.diagnostic(`${text} MiB under way, memory grew by ${grown.toFixed(1)} MiB`);
    assert.ok(written < 8 * mebibyte && accepted < 8 * mebibyte, text);
    assert.ok(grown < 64, `${grown} MiB`);
    // Others on the same connections are not held up.
    const other = session.request({ ":method": "POST", ":path": "/" });
    await once(other, "response");
    session.destroy();
    await origin.close();
  });
});

describe("an HTTP/2 origin that floods", () => {
  const floods: Readonly<Record<string, (stream: number) => Buffer>> = {
    "resets every stream": (stream) => frames.reset(stream, 2),
    "sends heads without end": (stream) =>
      Buffer.concat([
        frames.openHeaders(stream, Buffer.alloc(16_000)),
        ...Array.from({ length: 200 }, () => frames.continuation(stream, Buffer.alloc(16_000))),
      ]),
    "sends a huge head": (stream) =>
      frames.headers(stream, [
        [":status", "200"],
        ...Array.from({ length: 30 }, (_, index) => [`x-${index}`, "a".repeat(500)] as const),
        ...Array.from({ length: 2_000 }, (_, index) => [`y-${index}`, ""] as const),
      ]),
    "sends PINGs without end": () => Buffer.concat(Array.from({ length: 5_000 }, frames.ping)),
    "sends SETTINGS without end": () =>
      Buffer.concat(Array.from({ length: 5_000 }, () => frames.settings())),
    pushes: (stream) => frames.pushPromise(stream, 2),
    "sends bytes that are no frames": () => Buffer.alloc(100_000, "GET / HTTP/1.1\r\n"),
    "informs without end": (stream) =>
      Buffer.concat(
        Array.from({ length: 100 }, () => frames.headers(stream, [[":status", "103"]])),
      ),
  };

  for (const [name, flood] of Object.entries(floods)) {
    it(`and ${name} gets its clients an error, and hurts no other origin`, async () => {
      const edge = await startTestEdge();
      const origin = await startRawH2Origin(
        ({ socket, stream }) => void socket.write(flood(stream)),
      );
      const good = await startRawOrigin((socket) => {
        socket.on("data", () => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"));
      });
      edge.hosts.set("flood.example", { originUrl: origin.url });
      edge.hosts.set("good.example", { originUrl: good.url });
      const session = await openH2(edge, "good.example");
      const startedAt = performance.now();
      const failures: Promise<unknown>[] = [];
      for (let round = 0; round < 10; round += 1) {
        failures.push(roundTrip(edge, "flood.example", request("flood.example")));
        assert.equal((await askH2(session, {})).body, "ok");
      }
      for (const failure of await Promise.all(failures)) {
        assert.match(String(failure), /^HTTP\/1\.1 502 /m);
      }
      // Far less than the two minutes in which an origin may be silent.
      assert.ok(performance.now() - startedAt < 60_000);
      await until(() => edge.stats.connections === 1);
      session.destroy();
      await edge.close();
      await origin.close();
      await good.close();
    });
  }
});

/** Waits until a number has stopped to grow. */
async function settled(value: () => number): Promise<void> {
  let last = -1;
  let since = performance.now();
  await until(() => {
    if (value() !== last) {
      last = value();
      since = performance.now();
    }
    return performance.now() - since > 400;
  });
}
