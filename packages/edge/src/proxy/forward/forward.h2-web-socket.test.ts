import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { type ClientHttp2Session, type ClientHttp2Stream, constants } from "node:http2";
import type { Socket } from "node:net";
import { after, before, describe, it } from "node:test";
import { connectTo, readUntil } from "@mooring/testing/edge/client";
import { askH2, openH2, readAnswer } from "@mooring/testing/edge/http/h2-client";
import { startH2Origin } from "@mooring/testing/edge/http/h2-origin";
import { startRawOrigin } from "@mooring/testing/edge/origin";
import { startTestEdge, type TestEdge } from "@mooring/testing/edge/test-edge";
import { until } from "@mooring/testing/processes/until";

function acceptOf(key: string): string {
  return createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
}

/** An origin of HTTP/1.1 that opens every WebSocket and echoes its bytes. */
async function startEcho(accept: (key: string) => string = acceptOf) {
  const heads: string[] = [];
  const sockets = new Set<Socket>();
  const origin = await startRawOrigin((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.once("data", (bytes: Buffer) => {
      const head = bytes.toString();
      heads.push(head);
      const key = /\r\nsec-websocket-key: (\S+)\r\n/.exec(head)?.[1] ?? "";
      socket.write(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
          `Sec-WebSocket-Protocol: chat\r\nSec-WebSocket-Accept: ${accept(key)}\r\n\r\nwelcome`,
      );
      socket.pipe(socket);
    });
  });
  return { ...origin, heads, sockets };
}

describe("a WebSocket over HTTP/2", () => {
  let edge: TestEdge;
  before(async () => {
    edge = await startTestEdge();
  });
  after(() => edge.close());

  async function open(
    servername: string,
    from: TestEdge = edge,
  ): Promise<{ readonly session: ClientHttp2Session; readonly stream: ClientHttp2Stream }> {
    const session = await openH2(from, servername);
    if (session.remoteSettings.enableConnectProtocol !== true)
      await once(session, "remoteSettings");
    assert.equal(session.remoteSettings.enableConnectProtocol, true);
    const stream = session.request(
      {
        ":method": "CONNECT",
        ":protocol": "websocket",
        ":scheme": "https",
        ":path": "/chat",
        ":authority": servername,
        "sec-websocket-version": "13",
      },
      { endStream: false },
    );
    stream.on("error", () => undefined);
    return { session, stream };
  }

  it("becomes an upgrade of HTTP/1.1 with a key that the edge makes", async () => {
    const echo = await startEcho();
    edge.hosts.set("chat.example", { originUrl: echo.url });
    const { session, stream } = await open("chat.example");
    const [headers] = await once(stream, "response");
    assert.equal(headers[":status"], 200);
    assert.equal(headers["sec-websocket-protocol"], "chat");
    assert.equal(headers["sec-websocket-accept"], undefined);
    let text = "";
    stream.on("data", (chunk: Buffer) => {
      text += chunk;
    });
    stream.write("hello");
    await until(() => text === "welcomehello");
    const [head = ""] = echo.heads;
    assert.match(head, /^GET \/chat HTTP\/1\.1\r\nhost: chat\.example\r\n/);
    assert.match(head, /\r\nsec-websocket-version: 13\r\n/);
    assert.match(head, /\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n$/);
    assert.match(head, /\r\nx-svc-assertion: assertion-for-chat\.example\r\n/);
    const ended = once(stream, "close");
    stream.end();
    await ended;
    assert.equal(stream.rstCode, constants.NGHTTP2_NO_ERROR);
    await until(() => echo.sockets.size === 0);
    session.destroy();
    await echo.close();
  });

  it("is ended with the origin's, and cut with it", async () => {
    const echo = await startEcho();
    edge.hosts.set("ends.example", { originUrl: echo.url });
    for (const how of ["end", "reset"] as const) {
      const { session, stream } = await open("ends.example");
      await once(stream, "response");
      let hasEnded = false;
      stream.on("end", () => {
        hasEnded = true;
      });
      stream.resume();
      const [socket] = echo.sockets;
      if (how === "end") {
        socket?.end();
        await until(() => hasEnded);
      } else {
        socket?.resetAndDestroy();
        await until(() => stream.closed);
      }
      session.destroy();
      await until(() => echo.sockets.size === 0);
    }
    await echo.close();
  });

  it("is refused when the origin does not open it, with the origin's answer", async () => {
    const cases = [
      ["HTTP/1.1 403 Forbidden\r\ncontent-length: 2\r\n\r\nno", 403, "no"],
      // As a success it would open the WebSocket.
      ["HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok", 502, null],
    ] as const;
    for (const [bytes, status, body] of cases) {
      const origin = await startRawOrigin((socket) => {
        socket.once("data", () => socket.write(bytes));
      });
      edge.hosts.set("refuses.example", { originUrl: origin.url });
      const { session, stream } = await open("refuses.example");
      const [headers] = await once(stream, "response");
      assert.equal(headers[":status"], status);
      let text = "";
      stream.on("data", (chunk: Buffer) => {
        text += chunk;
      });
      await once(stream, "end");
      if (body !== null) assert.equal(text, body);
      session.destroy();
      await origin.close();
    }
    const wrong = await startEcho(() => "wrong");
    edge.hosts.set("wrong.example", { originUrl: wrong.url });
    const { session, stream } = await open("wrong.example");
    const [headers] = await once(stream, "response");
    assert.equal(headers[":status"], 502);
    session.destroy();
    await wrong.close();
  });

  it("becomes a stream where the origin offers that, from clients of both versions", async () => {
    const heads: Readonly<Record<string, string>>[] = [];
    const origin = await startH2Origin(
      (stream, headers) => {
        heads.push(headers);
        if (headers[":method"] !== "CONNECT") {
          stream.respond({ ":status": 204 }, { endStream: true });
          return;
        }
        stream.respond({ ":status": 200, "sec-websocket-protocol": "chat" });
        stream.pipe(stream);
      },
      { settings: { enableConnectProtocol: true } },
    );
    edge.hosts.set("stream.example", { originUrl: origin.url });
    const { session, stream } = await open("stream.example");
    await once(stream, "response");
    stream.write("hello");
    const [echoed] = await once(stream, "data");
    assert.equal(String(echoed), "hello");
    // Another request beside it, on the same connection to the origin.
    assert.equal((await askH2(session, {})).status, 204);
    const socket = await connectTo(edge, "stream.example");
    const opened = readUntil(socket, (text) => text.endsWith("early"));
    const key = Buffer.alloc(16).toString("base64");
    socket.write(
      "GET /chat HTTP/1.1\r\nHost: stream.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" +
        `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\nearly`,
    );
    const answer = await opened;
    assert.match(answer, /^HTTP\/1\.1 101 /);
    assert.ok(answer.includes(`\r\nsec-websocket-accept: ${acceptOf(key)}\r\n`));
    assert.deepEqual(
      heads.map((head) => [head[":method"], head[":protocol"], head["sec-websocket-key"]]),
      [
        ["CONNECT", "websocket", undefined],
        ["GET", undefined, undefined],
        ["CONNECT", "websocket", undefined],
      ],
    );
    assert.equal(origin.connections(), 1);
    socket.destroy();
    session.destroy();
    await origin.close();
  });

  it("is closed after the same silence as over HTTP/1.1, and with its host", async () => {
    const quick = await startTestEdge({ limits: { quietStreamMs: 300 } });
    const echo = await startEcho();
    quick.hosts.set("quiet.example", { originUrl: echo.url });
    const { session, stream } = await open("quiet.example", quick);
    await once(stream, "response");
    stream.resume();
    await until(() => stream.closed);
    assert.equal(stream.rstCode, constants.NGHTTP2_CANCEL);
    assert.equal(session.closed, false);
    const second = await open("quiet.example", quick);
    await once(second.stream, "response");
    quick.hosts.delete("quiet.example");
    await until(() => second.session.destroyed);
    await until(() => echo.sockets.size === 0);
    session.destroy();
    await quick.close();
    await echo.close();
  });

  it("is the only protocol that CONNECT names", async () => {
    const session = await openH2(edge, "chat.example");
    await once(session, "remoteSettings");
    const headers = { ":method": "CONNECT", ":scheme": "https", ":authority": "chat.example" };
    const other = session.request({ ...headers, ":protocol": "connect-udp", ":path": "/" });
    assert.equal((await readAnswer(other)).status, 501);
    session.destroy();
  });
});
