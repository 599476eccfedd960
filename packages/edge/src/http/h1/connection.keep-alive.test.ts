import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { connectTo, readAll, readUntil, request, roundTrip } from "@mooring/testing/edge/client";
import { startOrigin, startRawOrigin } from "@mooring/testing/edge/origin";
import { startTestEdge } from "@mooring/testing/edge/test-edge";

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
