import assert from "node:assert/strict";
import { once } from "node:events";
import { connect as connectH2 } from "node:http2";
import { describe, it, type TestContext } from "node:test";
import { connectTo, parseStatus, readAll, readUntil, request } from "@mooring/testing/edge/client";
import { startOrigin, startRawOrigin } from "@mooring/testing/edge/origin";
import { shiftClock } from "@mooring/testing/edge/shifted-clock";
import { startTestEdge, type TestEdge } from "@mooring/testing/edge/test-edge";
import { until } from "@mooring/testing/processes/until";
import type { EdgeLimits } from "../../config/limits.ts";

const upgrade = [
  "GET /chat HTTP/1.1",
  "Host: a.example",
  "Connection: Upgrade",
  "Upgrade: websocket",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
  "\r\n",
].join("\r\n");

describe("the limits of an application", () => {
  async function start(
    context: TestContext,
    options: { readonly edge: object; readonly limits?: Partial<EdgeLimits>; readonly url: string },
  ): Promise<{ readonly edge: TestEdge; readonly advance: (ms: number) => Promise<void> }> {
    const edge = await startTestEdge({ limits: options.limits ?? {} });
    context.after(() => edge.close());
    edge.hosts.set("a.example", { originUrl: options.url, edge: options.edge });
    edge.hosts.set("other.example", { originUrl: options.url });
    const { advance } = shiftClock(context, edge);
    return { edge, advance };
  }

  async function silentOrigin(context: TestContext, head = "") {
    let requests = 0;
    const origin = await startRawOrigin((socket) => {
      socket.once("data", () => {
        requests += 1;
        socket.write(head);
      });
    });
    context.after(() => origin.close());
    return { url: origin.url, requests: () => requests };
  }

  it("end a wait for the first byte, and leave other applications alone", async (context) => {
    const { url, requests } = await silentOrigin(context);
    const { edge, advance } = await start(context, { edge: { first_byte_timeout_s: 5 }, url });
    const [own, other] = await Promise.all(
      ["a.example", "other.example"].map((name) => connectTo(edge, name)),
    );
    assert.ok(own && other);
    const answer = readAll(own);
    own.write(request("a.example"));
    other.write(request("other.example"));
    await until(() => requests() === 2);
    await advance(6_000);
    assert.equal(parseStatus(await answer), 504);
    assert.equal(other.readyState, "open");
    other.destroy();
  });

  it("never exceed a bound that the operator has lowered since", async (context) => {
    const { url, requests } = await silentOrigin(context);
    const limits = { originFirstByteMs: 5_000, bodyBytes: 10 };
    const own = { first_byte_timeout_s: 60, max_body_bytes: 100 };
    const { edge, advance } = await start(context, { edge: own, limits, url });
    const socket = await connectTo(edge, "a.example");
    const answer = readAll(socket);
    socket.write(request("a.example"));
    await until(() => requests() === 1);
    await advance(6_000);
    assert.equal(parseStatus(await answer), 504);
    const large = await connectTo(edge, "a.example");
    const refusal = readAll(large);
    large.write(request("a.example", "POST / HTTP/1.1", ["Content-Length: 11"]));
    assert.equal(parseStatus(await refusal), 413);
  });

  it("allow a silence in a response within the bound for quiet streams", async (context) => {
    const { url } = await silentOrigin(
      context,
      "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nbegin",
    );
    const { edge, advance } = await start(context, { edge: { idle_timeout_s: 300 }, url });
    const [own, other] = await Promise.all(
      ["a.example", "other.example"].map((name) => connectTo(edge, name)),
    );
    assert.ok(own && other);
    for (const [socket, name] of [
      [own, "a.example"],
      [other, "other.example"],
    ] as const) {
      const begun = readUntil(socket, (text) => text.endsWith("begin"));
      socket.write(request(name));
      await begun;
    }
    const cut = once(other, "close");
    await advance(61_000);
    await cut;
    assert.equal(own.readyState, "open");
    const ownCut = once(own, "close");
    await advance(240_000);
    await ownCut;
  });

  it("refuse a large body with 413 before the origin gets it, over both protocols", async (context) => {
    const origin = await startOrigin();
    context.after(() => origin.close());
    const { edge } = await start(context, { edge: { max_body_bytes: 10 }, url: origin.url });
    const answerTo = async (lines: readonly string[], body: string): Promise<number> => {
      const socket = await connectTo(edge, "a.example");
      const answer = readAll(socket);
      socket.write(request("a.example", "POST / HTTP/1.1", lines) + body);
      return parseStatus(await answer);
    };
    assert.equal(await answerTo(["Content-Length: 10"], "0123456789"), 200);
    assert.equal(await answerTo(["Content-Length: 11"], "0123456789a"), 413);
    const chunked = ["Transfer-Encoding: chunked"];
    assert.equal(await answerTo(chunked, "a\r\n0123456789\r\n0\r\n\r\n"), 200);
    assert.equal(await answerTo(chunked, "8\r\n01234567\r\n8\r\n01234567\r\n0\r\n\r\n"), 413);
    const socket = await connectTo(edge, "a.example", { ALPNProtocols: ["h2"] });
    const session = connectH2("https://a.example", { createConnection: () => socket });
    const stream = session.request({ ":method": "POST", ":path": "/" });
    stream.end("0123456789a");
    const [headers] = await once(stream, "response");
    assert.equal(headers[":status"], 413);
    session.destroy();
    assert.deepEqual(
      origin.received.map(({ body }) => body),
      ["0123456789", "0123456789"],
    );
    assert.equal(edge.refusals.filter((one) => "status" in one && one.status === 413).length, 3);
  });

  it("end a WebSocket at its age, also while it is used", async (context) => {
    const origin = await startRawOrigin((socket) => {
      socket.once("data", () => {
        socket.write(
          "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n",
        );
        socket.on("data", (chunk) => socket.write(chunk));
      });
    });
    context.after(() => origin.close());
    const own = { websocket_lifetime_s: 60 };
    const { edge, advance } = await start(context, { edge: own, url: origin.url });
    const socket = await connectTo(edge, "a.example");
    const opened = readUntil(socket, (text) => text.endsWith("\r\n\r\n"));
    socket.write(upgrade);
    assert.equal(parseStatus(await opened), 101);
    for (const _ of [1, 2]) {
      await advance(25_000);
      const echo = readUntil(socket, (text) => text === "ping");
      socket.write("ping");
      await echo;
    }
    const closed = once(socket, "close");
    await advance(11_000);
    await closed;
  });
});
