import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { after, afterEach, before, describe, it } from "node:test";
import { connectTo, parseStatus, readAll, readUntil, request } from "@mooring/testing/edge/client";
import { frame, literal } from "@mooring/testing/edge/http/raw-h2";
import { startOrigin, startRawOrigin, type TestOrigin } from "@mooring/testing/edge/origin";
import {
  connectSealed,
  type SealedClient,
  singleBytes,
} from "@mooring/testing/edge/sealed-records";
import { startTestEdge, type TestEdge } from "@mooring/testing/edge/test-edge";
import { until } from "@mooring/testing/processes/until";
import { JoinedReads } from "../http/head-scan.ts";

const get = "GET / HTTP/1.1\r\nHost: a.example\r\n";
const preface = Buffer.concat([
  Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
  frame(4, 0, 0, Buffer.alloc(0)),
]);
const post = frame(
  1,
  4,
  1,
  Buffer.concat(
    (
      [
        [":method", "POST"],
        [":scheme", "https"],
        [":path", "/"],
        [":authority", "a.example"],
      ] as const
    ).map(literal),
  ),
);
const oneByteOfData = frame(0, 0, 1, Buffer.from("x"));

describe("bytes in very many pieces", () => {
  let edge: TestEdge;
  let origin: TestOrigin;
  const hanging: ServerResponse[] = [];
  const clients: SealedClient[] = [];
  let addresses = 0;
  before(async () => {
    edge = await startTestEdge();
    origin = await startOrigin((incoming, response) => {
      incoming.resume();
      if (incoming.url === "/hang") hanging.push(response);
      else incoming.on("end", () => response.end("origin"));
    });
    edge.hosts.set("a.example", { originUrl: origin.url });
  });
  afterEach(async () => {
    for (const { socket } of clients.splice(0)) socket.destroy();
    for (const response of hanging.splice(0)) response.end();
    await until(() => edge.stats.connections === 0);
    edge.hosts.set("a.example", { originUrl: origin.url });
    edge.stats.refused.small_reads = 0;
  });
  after(async () => {
    await edge.close();
    await origin.close();
  });

  /** Each from another address: one that was refused opens no further connection. */
  async function open(protocol: "http/1.1" | "h2"): Promise<SealedClient> {
    addresses += 1;
    const client = await connectSealed({
      port: edge.httpsPort,
      servername: "a.example",
      ca: edge.authority.certificatePem,
      protocol,
      localAddress: `127.0.3.${addresses}`,
    });
    clients.push(client);
    return client;
  }

  async function isClosedAfter(client: SealedClient, pieces: Iterable<Buffer>): Promise<void> {
    const closed = new Promise((resolve) => client.socket.once("close", resolve));
    client.secure.resume();
    client.socket.write(await client.seal(pieces));
    await closed;
    assert.equal(edge.stats.refused.small_reads, 1);
  }

  it("as the head of a request get 400, and are counted", async () => {
    const client = await open("http/1.1");
    const answer = readAll(client.secure);
    const head = Buffer.from(get + "a\r\n".repeat(16_000)).subarray(0, 16_000);
    client.socket.write(await client.seal(singleBytes(head)));
    assert.equal(parseStatus(await answer), 400);
    assert.equal(edge.stats.refused.small_reads, 1);
    assert.ok(
      edge.refusals.some((one) => "reason" in one && one.reason === "head in too many pieces"),
    );
  });

  it("as a head of usual size are served", async () => {
    const client = await open("http/1.1");
    const answer = readAll(client.secure);
    const head = request("a.example", "GET / HTTP/1.1", [`X-Long: ${"v".repeat(700)}`]);
    client.socket.write(await client.seal(singleBytes(Buffer.from(head))));
    assert.equal(parseStatus(await answer), 200);
    assert.equal(edge.stats.refused.small_reads, 0);
  });

  it("behind a pending response are not read", async (t) => {
    const client = await open("http/1.1");
    client.secure.write("GET /hang HTTP/1.1\r\nHost: a.example\r\n\r\n");
    await until(() => hanging.length === 1);
    const records = await client.seal(singleBytes(Buffer.alloc(20_000, "a")));
    const joined = t.mock.method(JoinedReads.prototype, "join");
    client.socket.write(records);
    await until(() => joined.mock.callCount() >= 32);
    const other = await connectTo(edge, "a.example");
    other.write(request("a.example"));
    assert.equal(parseStatus(await readAll(other)), 200);
    // At most the records of one read of the TLS socket more.
    assert.ok(joined.mock.callCount() < 1_000, `${joined.mock.callCount()} of 20,000 reads`);
  });

  it("behind a pending response are served when it is complete", async () => {
    const client = await open("http/1.1");
    const next = 50;
    const answers = readUntil(client.secure, (text) => text.split("200 OK").length === next + 2);
    client.secure.write("GET /hang HTTP/1.1\r\nHost: a.example\r\n\r\n");
    await until(() => hanging.length === 1);
    client.socket.write(await client.seal(singleBytes(Buffer.from(`${get}\r\n`.repeat(next)))));
    hanging[0]?.end("late");
    assert.match(await answers, /late/);
    assert.equal(edge.stats.refused.small_reads, 0);
  });

  it("as the body of a request close the connection", async () => {
    const client = await open("http/1.1");
    client.secure.write("POST / HTTP/1.1\r\nHost: a.example\r\nContent-Length: 100000\r\n\r\n");
    await isClosedAfter(client, singleBytes(Buffer.alloc(8_000)));
  });

  it("as a frame of HTTP/2 close the connection", async () => {
    const client = await open("h2");
    client.secure.write(preface);
    await isClosedAfter(client, singleBytes(frame(0xbb, 0, 0, Buffer.alloc(16_000))));
  });

  for (const [name, perRecord] of [
    ["each in a record", 1],
    ["many in a record", 1_000],
  ] as const) {
    it(`as DATA frames of HTTP/2, ${name}, close the connection`, async () => {
      const client = await open("h2");
      client.secure.write(Buffer.concat([preface, post]));
      const record = Buffer.concat(Array<Buffer>(perRecord).fill(oneByteOfData));
      await isClosedAfter(client, Array<Buffer>(8_000 / perRecord).fill(record));
    });
  }

  it("as DATA frames that nobody takes close the connection", async () => {
    const raw = await startRawOrigin((socket) => socket.pause());
    edge.hosts.set("a.example", { originUrl: raw.url });
    const client = await open("h2");
    client.secure.write(Buffer.concat([preface, post]));
    const record = Buffer.concat(Array<Buffer>(1_000).fill(oneByteOfData));
    await isClosedAfter(client, Array<Buffer>(8).fill(record));
    await raw.close();
  });

  it("as some DATA frames are forwarded", async () => {
    const client = await open("h2");
    const before = origin.begun();
    const end = frame(0, 1, 1, Buffer.from("x"));
    let received = Buffer.alloc(0);
    client.secure.on("data", (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
    });
    client.secure.write(Buffer.concat([preface, post]));
    client.socket.write(await client.seal([...Array<Buffer>(1_500).fill(oneByteOfData), end]));
    await until(() => received.includes("origin"));
    assert.equal(origin.begun(), before + 1);
    assert.equal(edge.stats.refused.small_reads, 0);
  });

  it("as messages of a WebSocket pass, unless they are a flood", async () => {
    const echo = await startRawOrigin((socket) => {
      socket.once("data", () => {
        socket.write("HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n");
        socket.on("data", (chunk) => socket.write(chunk));
      });
    });
    edge.hosts.set("a.example", { originUrl: echo.url });
    const client = await open("http/1.1");
    let received = "";
    client.secure.on("data", (chunk: Buffer) => {
      received += chunk.toString("latin1");
    });
    const upgrade = `${get}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n`;
    client.secure.write(`${upgrade}Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`);
    await until(() => received.includes("\r\n\r\n"));
    client.socket.write(await client.seal(singleBytes(Buffer.alloc(1_500, "m"))));
    await until(() => received.endsWith("m".repeat(1_500)));
    assert.equal(edge.stats.refused.small_reads, 0);
    await isClosedAfter(client, singleBytes(Buffer.alloc(16_000)));
    await echo.close();
  });

  it("refuse the address for a time, and no other", async () => {
    const client = await open("h2");
    client.secure.write(Buffer.concat([preface, post]));
    const record = Buffer.concat(Array<Buffer>(8_000).fill(oneByteOfData));
    await isClosedAfter(client, [record]);
    const refused = edge.stats.refused.address_limit;
    addresses -= 1;
    await assert.rejects(open("h2"));
    assert.equal(edge.stats.refused.address_limit, refused + 1);
    addresses += 1;
    await open("h2");
  });
});
