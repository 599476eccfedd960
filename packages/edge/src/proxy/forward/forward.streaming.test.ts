import assert from "node:assert/strict";
import { once } from "node:events";
import { type ClientHttp2Session, connect as connectH2 } from "node:http2";
import { after, before, describe, it } from "node:test";
import {
  connectTo,
  parseStatus,
  readAll,
  readUntil,
  request,
  roundTrip,
} from "@mooring/testing/edge/client";
import { startOrigin, type TestOrigin } from "@mooring/testing/edge/origin";
import { startTestEdge, type TestEdge } from "@mooring/testing/edge/test-edge";
import { until } from "@mooring/testing/processes/until";

describe("messages in pieces", () => {
  let edge: TestEdge;
  let recording: TestOrigin;
  before(async () => {
    edge = await startTestEdge();
    recording = await startOrigin();
    edge.hosts.set("shop.example", { originUrl: recording.url });
  });
  after(async () => {
    await edge.close();
    await recording.close();
  });

  async function openH2(servername: string): Promise<ClientHttp2Session> {
    const socket = await connectTo(edge, servername, { ALPNProtocols: ["h2"] });
    return connectH2(`https://${servername}`, { createConnection: () => socket });
  }

  it("pass a WebSocket's bytes both ways, also those sent too early", async () => {
    const origin = await startOrigin();
    const echo = await startEchoOrigin();
    edge.hosts.set("ws.example", { originUrl: echo.url });
    const socket = await connectTo(edge, "ws.example");
    const answer = readUntil(socket, (text) => text.includes("ECHO:early"));
    socket.write(
      "GET /chat HTTP/1.1\r\nHost: ws.example\r\nConnection: keep-alive, Upgrade\r\n" +
        "Upgrade: WebSocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\nearly",
    );
    const head = await answer;
    assert.match(head, /^HTTP\/1\.1 101 /);
    assert.match(head, /\r\nupgrade: websocket\r\n/);
    assert.match(head, /\r\nsec-websocket-accept: y\r\n/);
    const more = readUntil(socket, (text) => text.includes("later"));
    socket.write("later");
    await more;
    const closed = readAll(socket);
    socket.end();
    await closed;
    await until(() => echo.open() === 0);
    await echo.close();
    await origin.close();
  });

  it("answer what the origin answers when it refuses a WebSocket", async () => {
    const answer = await roundTrip(
      edge,
      "shop.example",
      request("shop.example", undefined, [
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
      ]),
    );
    assert.equal(parseStatus(answer), 200);
    assert.match(answer, /origin$/);
  });

  it("close a WebSocket when its host is removed", async () => {
    const echo = await startEchoOrigin();
    edge.hosts.set("removed.example", { originUrl: echo.url });
    const socket = await connectTo(edge, "removed.example");
    const opened = readUntil(socket, (text) => text.includes("\r\n\r\n"));
    socket.write(
      request("removed.example", undefined, ["Connection: Upgrade", "Upgrade: websocket"]),
    );
    await opened;
    edge.hosts.delete("removed.example");
    await readAll(socket);
    await until(() => echo.open() === 0);
    await echo.close();
  });

  it("deliver each server-sent event when it is sent", async () => {
    const step = { next: () => undefined as undefined };
    const origin = await startOrigin((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("data: 1\n\n");
      step.next = () => void response.write("data: 2\n\n") as undefined;
    });
    edge.hosts.set("sse.example", { originUrl: origin.url });
    const socket = await connectTo(edge, "sse.example");
    const first = readUntil(socket, (text) => text.includes("data: 1"));
    socket.write("GET / HTTP/1.1\r\nHost: sse.example\r\n\r\n");
    await first;
    const second = readUntil(socket, (text) => text.includes("data: 2"));
    step.next();
    await second;
    socket.destroy();
    await origin.close();
  });

  it("wait for 100 Continue and send the body only then", async () => {
    const socket = await connectTo(edge, "shop.example");
    const go = readUntil(socket, (text) => text.includes("\r\n\r\n"));
    socket.write(
      request("shop.example", "POST /expect HTTP/1.1", [
        "Expect: 100-continue",
        "Content-Length: 5",
      ]),
    );
    assert.match(await go, /^HTTP\/1\.1 100 Continue\r\n\r\n$/);
    const answer = readAll(socket);
    socket.write("hello");
    assert.equal(parseStatus(await answer), 200);
    assert.equal(recording.received.at(-1)?.body, "hello");
  });

  it("answer without the body when the origin does not want it", async () => {
    const origin = await startOrigin();
    const picky = await startOrigin((_request, response) => {
      response.writeHead(413).end("too large");
    });
    edge.hosts.set("picky.example", { originUrl: picky.url });
    const socket = await connectTo(edge, "picky.example");
    const answer = readAll(socket);
    socket.write("POST / HTTP/1.1\r\nHost: picky.example\r\nContent-Length: 1000000\r\n\r\nsome");
    const text = await answer;
    assert.equal(parseStatus(text), 413);
    assert.match(text, /\r\nconnection: close\r\n/);
    await picky.close();
    await origin.close();
  });

  it("pass trailers both ways, without those that frame or route", async () => {
    const origin = await startOrigin((incoming, response) => {
      incoming.resume().on("end", () => {
        response.writeHead(200, { trailer: "x-sum" });
        response.write(JSON.stringify(incoming.trailers));
        response.addTrailers({ "x-sum": "42" });
        response.end();
      });
    });
    edge.hosts.set("trailers.example", { originUrl: origin.url });
    const head = request("trailers.example", "POST / HTTP/1.1", [
      "Transfer-Encoding: chunked",
      "TE: trailers",
    ]);
    const body =
      "2\r\nhi\r\n0\r\nX-Check: 7\r\nX-Forwarded-For: 6.6.6.6\r\nContent-Length: 3\r\n\r\n";
    const answer = await roundTrip(edge, "trailers.example", head + body);
    assert.match(answer, /\{"x-check":"7"\}/);
    assert.match(answer, /\r\n0\r\nx-sum: 42\r\n\r\n$/);

    const session = await openH2("trailers.example");
    const stream = session.request(
      { ":method": "POST", ":path": "/", te: "trailers" },
      { waitForTrailers: true },
    );
    stream.on("wantTrailers", () => stream.sendTrailers({ "x-check": "8" }));
    const trailers = once(stream, "trailers");
    stream.end("hi");
    let text = "";
    for await (const chunk of stream) text += String(chunk);
    assert.equal(text, '{"x-check":"8"}');
    assert.equal((await trailers)[0]["x-sum"], "42");
    session.destroy();
    await origin.close();
  });

  it("relay early hints", async () => {
    const origin = await startOrigin((_request, response) => {
      response.writeEarlyHints({ link: "</a.css>; rel=preload" }, () => response.end("late"));
    });
    edge.hosts.set("hints.example", { originUrl: origin.url });
    const answer = await roundTrip(edge, "hints.example", request("hints.example"));
    // HAProxy passes on the origin's words.
    const reason = edge.ready === undefined ? "" : "Early Hints";
    const hint = `HTTP/1.1 103 ${reason}\r\nlink: </a.css>; rel=preload\r\n\r\n`;
    assert.ok(answer.startsWith(`${hint}HTTP/1.1 200 OK\r\n`), answer);
    const session = await openH2("hints.example");
    const stream = session.request({ ":path": "/" });
    const [hints] = await once(stream, "headers");
    assert.equal(hints[":status"], 103);
    await once(stream.resume(), "end");
    session.destroy();
    await origin.close();
  });

  it("have no body where HTTP has none", async () => {
    const origin = await startOrigin((incoming, response) => {
      response.writeHead(incoming.url === "/204" ? 204 : incoming.url === "/304" ? 304 : 200, {
        ...(incoming.url === "/204" ? {} : { "content-length": "7" }),
      });
      response.end(incoming.method === "HEAD" || incoming.url !== "/" ? undefined : "content");
    });
    edge.hosts.set("bare.example", { originUrl: origin.url });
    const head = await roundTrip(edge, "bare.example", request("bare.example", "HEAD / HTTP/1.1"));
    assert.match(head, /\r\ncontent-length: 7\r\n.*\r\n\r\n$/s);
    assert.match(head, /\r\nconnection: close\r\n/);
    assert.doesNotMatch(head, /content$/);
    const none = await roundTrip(
      edge,
      "bare.example",
      request("bare.example", "GET /204 HTTP/1.1"),
    );
    assert.doesNotMatch(none, /content-length|transfer-encoding/);
    const same = await roundTrip(
      edge,
      "bare.example",
      request("bare.example", "GET /304 HTTP/1.1"),
    );
    assert.match(same, /^HTTP\/1\.1 304 .*\r\n\r\n$/s);
    const old = await roundTrip(edge, "bare.example", request("bare.example", "GET / HTTP/1.0"));
    assert.match(old, /connection: close\r\n\r\ncontent$/);
    await origin.close();
  });
});

/** Answers an upgrade, then echoes all bytes. */
async function startEchoOrigin() {
  const { startRawOrigin } = await import("@mooring/testing/edge/origin");
  let open = 0;
  const origin = await startRawOrigin((socket) => {
    open += 1;
    socket.on("close", () => {
      open -= 1;
    });
    socket.once("data", (head: Buffer) => {
      assert.match(head.toString(), /\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n/);
      const early = head.toString().split("\r\n\r\n")[1] ?? "";
      socket.write(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
          `Sec-WebSocket-Accept: y\r\n\r\nECHO:${early}`,
      );
      socket.pipe(socket);
    });
  });
  return { ...origin, open: () => open };
}
