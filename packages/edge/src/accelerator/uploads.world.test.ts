import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { connect as connectH2 } from "node:http2";
import type { AddressInfo } from "node:net";
import { after, before, describe, it } from "node:test";
import type { TLSSocket } from "node:tls";
import {
  type AcceleratedEdge,
  startAcceleratedEdge,
} from "@mooring/testing/edge/accelerator/accelerated-edge";
import { connectTo, parseStatus, readUntil, roundTrip } from "@mooring/testing/edge/client";
import { startOrigin, startRawOrigin, type TestOrigin } from "@mooring/testing/edge/origin";
import { until } from "@mooring/testing/processes/until";

const stallMs = 1_200;
/** Bytes a second. */
const leastRate = 1_000;

describe("an upload to a promoted name", () => {
  let edge: AcceleratedEdge;
  let origin: TestOrigin;
  before(async () => {
    origin = await startOrigin();
    const limits = { stallMs, bodyBytesPerSecond: leastRate, bodyBytes: 50_000_000 };
    edge = await startAcceleratedEdge({ names: 8, limits });
  });
  after(async () => {
    await edge?.close();
    await origin.close();
  });

  async function send(hostname: string, bytes: string): Promise<string> {
    const socket = await connectTo(edge, hostname);
    const answer = readUntil(socket, (text) => /origin$|<\/html>\s*$/.test(text));
    socket.write(bytes, "latin1");
    const text = await answer;
    socket.destroy();
    return text;
  }

  /** How many of the requests of `work` HAProxy has sent to origins. */
  async function servedBy(work: () => Promise<unknown>): Promise<number> {
    const before = await edge.served();
    await work();
    return (await edge.served()) - before;
  }

  it("gets the same to its origin as through the Node edge, and is counted", async () => {
    edge.hosts.set("post.example", { originUrl: origin.url });
    const methods = ["POST", "PUT", "PATCH", "DELETE"];
    const ask = async (): Promise<readonly unknown[]> => {
      const seen: unknown[] = [];
      for (const method of methods) {
        const head = `${method} /x?y HTTP/1.1\r\nHost: post.example\r\nContent-Type: text/plain\r\nCF-Connecting-IP: 1\r\nContent-Length: 5\r\n\r\n`;
        assert.equal(parseStatus(await send("post.example", `${head}hello`)), 200);
        const { rawHeaders, ...received } = origin.received.at(-1) ?? { rawHeaders: [] };
        seen.push(received);
      }
      return seen;
    };
    const slow = await ask();
    await edge.promote("post.example");
    const [lines, counted] = [edge.accessLines.length, edge.counted.length];
    let fast: readonly unknown[] = [];
    assert.equal(
      await servedBy(async () => {
        fast = await ask();
      }),
      methods.length,
    );
    assert.deepEqual(fast, slow);
    await until(() => edge.accessLines.length === lines + methods.length, "their lines");
    const { exchange } = edge.counted[counted] ?? {};
    assert.deepEqual(exchange, { status: 200, bytesIn: 5, bytesOut: 6, isRefused: false });
  });

  it("arrives whole, over HTTP/1.1 and HTTP/2", async (t) => {
    const hashing = createServer((request, response) => {
      const hash = createHash("sha256");
      request.on("data", (chunk: Buffer) => hash.update(chunk));
      request.on("end", () => response.end(hash.digest("hex")));
    });
    hashing.listen(0, "127.0.0.1");
    await once(hashing, "listening");
    t.after(() => hashing.close());
    const { port } = hashing.address() as AddressInfo;
    edge.hosts.set("large.example", { originUrl: `http://127.0.0.1:${port}` });
    await edge.promote("large.example");
    const body = Buffer.alloc(20_000_000, "0123456789abcdefghijklmnopqrstuvwxyz");
    const expected = createHash("sha256").update(body).digest("hex");
    const served = await servedBy(async () => {
      const socket = await connectTo(edge, "large.example");
      const answer = readUntil(socket, (text) => text.endsWith(expected));
      socket.write(
        `PUT / HTTP/1.1\r\nHost: large.example\r\nContent-Length: ${body.length}\r\n\r\n`,
      );
      socket.write(body);
      await answer;
      socket.destroy();
      const session = connectH2(`https://127.0.0.1:${edge.httpsPort}`, {
        servername: "large.example",
        ca: edge.authority.certificatePem,
      });
      const stream = session.request({
        ":method": "POST",
        ":path": "/",
        ":authority": "large.example",
        "content-length": String(body.length),
      });
      let text = "";
      stream.setEncoding("latin1").on("data", (part: string) => {
        text += part;
      });
      stream.end(body);
      await once(stream, "close");
      session.close();
      assert.equal(text, expected);
    });
    assert.equal(served, 2);
  });

  it("is the Node edge's where its length is unknown or a limit may refuse it", async () => {
    edge.hosts.set("limited.example", { originUrl: origin.url, edge: { max_body_bytes: 4 } });
    await edge.promote("limited.example");
    await edge.promote("post.example");
    const post = (hostname: string, lines: string) =>
      send(hostname, `POST / HTTP/1.1\r\nHost: ${hostname}\r\n${lines}`);
    const served = await servedBy(async () => {
      const small = await post("limited.example", "Content-Length: 4\r\n\r\nfour");
      assert.equal(parseStatus(small), 200);
      const large = await post("limited.example", "Content-Length: 5\r\n\r\nlarge");
      assert.equal(parseStatus(large), 413);
      const chunks = "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n";
      assert.equal(parseStatus(await post("post.example", chunks)), 200);
      const asked = "Expect: 100-continue\r\nContent-Length: 3\r\n\r\nabc";
      assert.match(await post("post.example", asked), /200 OK/);
    });
    assert.equal(served, 0);
    // The Node edge of this test has no limit of its own, and waits for the body.
    const tooLarge = await servedBy(async () => {
      const begun = origin.begun();
      const socket = await connectTo(edge, "post.example");
      socket.write("POST / HTTP/1.1\r\nHost: post.example\r\nContent-Length: 50000001\r\n\r\n");
      await until(() => origin.begun() > begun, "the request at its origin");
      socket.destroy();
    });
    assert.equal(tooLarge, 0);
  });

  it("is not sent again when its origin has closed the connection", async (t) => {
    let requests = 0;
    const closing = await startRawOrigin((socket) => {
      socket.on("data", (chunk: Buffer) => {
        if (!/^(GET|POST)/.test(chunk.toString("latin1"))) return;
        requests += 1;
        if (requests === 1) socket.write("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\norigin");
        else socket.destroy();
      });
    });
    t.after(() => closing.close());
    edge.hosts.set("once.example", { originUrl: closing.url });
    await edge.promote("once.example");
    await send("once.example", "GET / HTTP/1.1\r\nHost: once.example\r\n\r\n");
    const bytes = "POST / HTTP/1.1\r\nHost: once.example\r\nContent-Length: 3\r\n\r\nabc";
    const answer = await roundTrip(edge, "once.example", bytes);
    // HAProxy 3.0 closes the visitor's connection, so that the visitor may send it again.
    if (answer !== "") assert.equal(parseStatus(answer), 502);
    assert.equal(requests, 2);
  });

  it("is cut when the claim of its name ends", async () => {
    edge.hosts.set("ending.example", { originUrl: origin.url });
    await edge.promote("ending.example");
    const socket = await connectTo(edge, "ending.example");
    const served = await servedBy(async () => {
      const begun = origin.begun();
      socket.write("POST / HTTP/1.1\r\nHost: ending.example\r\nContent-Length: 9\r\n\r\nhalf");
      await until(() => origin.begun() > begun, "the request at its origin");
    });
    assert.equal(served, 1);
    const closed = once(socket, "close");
    edge.hosts.delete("ending.example");
    edge.promotion.removed("ending.example");
    await closed;
  });

  it("is ended when it stalls or drips, and not while its origin is slow", async (t) => {
    const sleepy = await startRawOrigin((socket) => {
      socket.pause();
      t.after(() => socket.destroy());
    });
    t.after(() => sleepy.close());
    edge.hosts.set("sleepy.example", { originUrl: sleepy.url });
    await edge.promote("sleepy.example");
    await edge.promote("post.example");
    const begin = async (hostname: string, length: number): Promise<TLSSocket> => {
      const socket = await connectTo(edge, hostname);
      socket.write(`POST / HTTP/1.1\r\nHost: ${hostname}\r\nContent-Length: ${length}\r\n\r\nx`);
      return socket.resume();
    };
    const startedAt = performance.now();
    const stalled = await begin("post.example", 100);
    const dripping = await begin("post.example", 10_000);
    const steady = await begin("post.example", 1_000_000);
    const waiting = await begin("sleepy.example", 40_000_000);
    waiting.write(Buffer.alloc(39_999_999));
    const timer = setInterval(() => {
      if (!dripping.closed) dripping.write("x");
      if (!steady.closed) steady.write(Buffer.alloc(leastRate));
    }, 100);
    t.after(() => {
      clearInterval(timer);
      for (const one of [stalled, dripping, steady, waiting]) one.destroy();
    });
    await Promise.all([stalled, dripping].map((socket) => once(socket, "close")));
    const elapsedMs = performance.now() - startedAt;
    assert.ok(elapsedMs >= stallMs, `ended after ${elapsedMs} ms`);
    // Two more of their time limits.
    await until(
      () => performance.now() - startedAt > elapsedMs + 2 * stallMs,
      "others to be ended",
    );
    assert.deepEqual([steady.closed, waiting.closed], [false, false]);
  });
});
