import assert from "node:assert/strict";
import { once } from "node:events";
import { connect as connectH2 } from "node:http2";
import { describe, it } from "node:test";
import { connect as connectTls } from "node:tls";
import {
  connectPlain,
  connectTo,
  parseStatus,
  readAll,
  readUntil,
} from "@mooring/testing/edge/client";
import { startOrigin, startRawOrigin } from "@mooring/testing/edge/origin";
import { startTestEdge } from "@mooring/testing/edge/test-edge";
import { until } from "@mooring/testing/processes/until";

const oneRequest = "GET / HTTP/1.1\r\nHost: a.example\r\n\r\n";

describe("a stopping edge", () => {
  it("leaves a WebSocket open to the end of the drain", async () => {
    const origin = await startRawOrigin((socket) => {
      socket.once("data", () => {
        socket.write(
          "HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n",
        );
        socket.on("data", (bytes) => socket.write(bytes));
      });
    });
    const edge = await startTestEdge({ limits: { drainMs: 5_000 } });
    edge.hosts.set("a.example", { originUrl: origin.url });
    const socket = await connectTo(edge, "a.example");
    socket.write(
      "GET / HTTP/1.1\r\nHost: a.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n",
    );
    await readUntil(socket, (text) => text.includes("\r\n\r\n"));
    const closed = edge.close();
    await assert.rejects(connectPlain(edge.httpsPort));
    const echo = readUntil(socket, (text) => text === "ping");
    socket.write("ping");
    assert.equal(await echo, "ping");
    await Promise.all([closed, once(socket, "close")]);
    await origin.close();
  });

  it("announces the close on a connection before it closes it, also after a response under way", async () => {
    const unfinished: (() => void)[] = [];
    let requests = 0;
    const origin = await startOrigin((_request, response) => {
      requests += 1;
      response.write("begun");
      if (requests === 1) unfinished.push(() => response.end());
      else response.end();
    });
    const edge = await startTestEdge({ limits: { drainIdleMs: 10_000 } });
    edge.hosts.set("a.example", { originUrl: origin.url });
    const idle = await connectTo(edge, "a.example");
    const busy = await connectTo(edge, "a.example");
    busy.write(oneRequest);
    await readUntil(busy, (text) => text.includes("begun"));
    const closed = edge.close();
    for (const finish of unfinished) finish();
    await readUntil(busy, (text) => text.endsWith("0\r\n\r\n"));
    for (const socket of [busy, idle]) {
      const answer = readAll(socket);
      socket.write(oneRequest);
      const text = await answer;
      assert.equal(parseStatus(text), 200);
      assert.match(text, /^connection: close\r$/im);
    }
    await closed;
    await origin.close();
  });

  it("serves a connection that was accepted before, and sends GOAWAY over HTTP/2", async () => {
    const origin = await startOrigin();
    const edge = await startTestEdge({ limits: { drainIdleMs: 10_000 } });
    edge.hosts.set("a.example", { originUrl: origin.url });
    edge.certificates.hasCached = true;
    await edge.certificates.makeContext("a.example");
    const socket = await connectPlain(edge.httpsPort);
    await until(() => edge.stats.connections === 1);
    const closed = edge.close();
    const ca = edge.authority.certificatePem;
    const secure = connectTls({ socket, servername: "a.example", ca, ALPNProtocols: ["h2"] });
    const session = connectH2("https://a.example", { createConnection: () => secure });
    const stream = session.request({ ":path": "/", ":authority": "a.example" });
    const goaway = once(session, "goaway");
    const [headers] = await once(stream, "response");
    assert.equal(headers[":status"], 200);
    assert.equal((await goaway)[0], 0);
    stream.resume();
    await closed;
    await origin.close();
  });
});
