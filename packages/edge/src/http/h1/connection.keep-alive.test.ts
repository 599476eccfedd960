import assert from "node:assert/strict";
import { once } from "node:events";
import { describe, it } from "node:test";
import { connectTo, readAll, readUntil, request, roundTrip } from "@mooring/testing/edge/client";
import { startOrigin, startRawOrigin } from "@mooring/testing/edge/origin";
import { startTestEdge } from "@mooring/testing/edge/test-edge";
import { until } from "@mooring/testing/processes/until";

describe("a client that does not read its responses", () => {
  it("has no further request of it served, and is closed after the stall timeout", async () => {
    const edge = await startTestEdge({ limits: { stallMs: 300 } });
    const origin = await startOrigin((_request, response) => response.end("x".repeat(60_000)));
    edge.hosts.set("a.example", { originUrl: origin.url });
    const socket = await connectTo(edge, "a.example");
    socket.pause();
    const closed = once(socket, "close");
    socket.write("GET / HTTP/1.1\r\nHost: a.example\r\n\r\n".repeat(990));
    await until(() => edge.stats.connections === 0);
    assert.ok(origin.begun() < 400, `${origin.begun()} requests`);
    socket.resume();
    await closed;
    await edge.close();
    await origin.close();
  });

  it("gets all of them when it reads again", async () => {
    const edge = await startTestEdge();
    const origin = await startOrigin((_request, response) => response.end("x".repeat(60_000)));
    edge.hosts.set("a.example", { originUrl: origin.url });
    const socket = await connectTo(edge, "a.example");
    socket.pause();
    const get = "GET / HTTP/1.1\r\nHost: a.example\r\n";
    socket.write(`${`${get}\r\n`.repeat(400)}${get}Connection: close\r\n\r\n`);
    await settled(origin.begun);
    assert.ok(origin.begun() < 400, `${origin.begun()} requests`);
    const all = readAll(socket);
    socket.resume();
    assert.equal((await all).match(/HTTP\/1\.1 200 /g)?.length, 401);
    await edge.close();
    await origin.close();
  });
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

describe("HTTP/1.0", () => {
  it("keeps a client's connection when it asks for that and the length is known", async () => {
    const edge = await startTestEdge();
    const origin = await startOrigin((incoming, response) => {
      if (incoming.url === "/length") response.setHeader("content-length", "6");
      response.flushHeaders();
      response.end("origin");
    });
    edge.hosts.set("a.example", { originUrl: origin.url });
    const get = (path: string) => `GET ${path} HTTP/1.0\r\nHost: a.example\r\n`;
    const socket = await connectTo(edge, "a.example");
    const first = readUntil(socket, (text) => text.endsWith("origin"));
    socket.write(`${get("/length")}Connection: Keep-Alive\r\n\r\n`);
    assert.match(await first, /\r\ncontent-length: 6\r\nconnection: keep-alive\r\n\r\norigin$/);
    const second = readAll(socket);
    socket.write(`${get("/length")}\r\n`);
    assert.match(await second, /^HTTP\/1\.1 200 [\s\S]*\r\nconnection: close\r\n\r\norigin$/);
    const open = await connectTo(edge, "a.example");
    const unknown = readAll(open);
    open.write(`${get("/chunked")}Connection: Keep-Alive\r\n\r\n`);
    assert.match(await unknown, /\r\nconnection: close\r\n\r\norigin$/);
    await edge.close();
    await origin.close();
  });

  it("keeps an origin's connection when it offers that", async () => {
    const edge = await startTestEdge();
    const origin = await startRawOrigin((socket) => {
      socket.on("data", () =>
        socket.write("HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok"),
      );
    });
    edge.hosts.set("a.example", { originUrl: origin.url });
    for (let index = 0; index < 3; index += 1) {
      assert.match(await roundTrip(edge, "a.example", request("a.example")), /\r\n\r\nok$/);
    }
    assert.equal(origin.connections(), 1);
    await edge.close();
    await origin.close();
  });
});
