import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { describe, it } from "node:test";
import { Worker } from "node:worker_threads";
import {
  connectPlain,
  connectTo,
  parseStatus,
  readAll,
  request,
  roundTrip,
} from "@mooring/testing/edge/client";
import { startOrigin } from "@mooring/testing/edge/origin";
import { startTestEdge } from "@mooring/testing/edge/test-edge";
import { longestWaitMs, until } from "@mooring/testing/processes/until";
import { toNetwork } from "./addresses.ts";
import { createAddressLimiter } from "./admission.ts";
import { judgeLoad } from "./load.ts";
import { createRefusals } from "./refusals.ts";

describe("a slow client", () => {
  it("gets 408 for an incomplete head, and is closed without one", async () => {
    const edge = await startTestEdge({ limits: { headMs: 300, keepAliveMs: 1_500 } });
    edge.hosts.set("a.example");
    const dripping = await connectTo(edge, "a.example");
    const answer = readAll(dripping);
    dripping.write("GET / HTTP/1.1\r\nHost: a.ex");
    const silent = readAll(await connectTo(edge, "a.example"));
    const plain = readAll(await connectPlain(edge.httpPort));
    assert.equal(parseStatus(await answer), 408);
    assert.deepEqual([await silent, await plain], ["", ""]);
    await edge.close();
  });

  it("is let go when it takes nothing of the answer", async () => {
    const piece = Buffer.alloc(1_048_576);
    const origin = await startOrigin((_request, response) => {
      const pour = () => {
        while (response.write(piece));
        response.once("drain", pour);
      };
      response.on("error", () => undefined);
      pour();
    });
    const edge = await startTestEdge({ limits: { stallMs: 300 } });
    edge.hosts.set("a.example", { originUrl: origin.url });
    const socket = await connectTo(edge, "a.example");
    socket.pause();
    socket.write(request("a.example"));
    await until(() => edge.stats.requests === 1);
    await until(() => edge.stats.connections === 0);
    socket.destroy();
    await edge.close();
    await origin.close();
  });

  it("does not delay others", async () => {
    const origin = await startOrigin();
    const edge = await startTestEdge();
    edge.hosts.set("a.example", { originUrl: origin.url });
    const dripping: Socket[] = [];
    for (let index = 0; index < 100; index += 1) {
      const socket = await connectPlain(edge.httpsPort);
      socket.write(Buffer.from([22, 3, 1]));
      dripping.push(socket);
    }
    assert.equal(parseStatus(await roundTrip(edge, "a.example", request("a.example"))), 200);
    for (const socket of dripping) socket.destroy();
    await edge.close();
    await origin.close();
  });
});

describe("an address", () => {
  it("has a number of connections and a rate of new ones, and gets both back", () => {
    const gate = createAddressLimiter({
      connectionsPerAddress: 3,
      handshakesPerAddressPerSecond: 5,
    });
    assert.deepEqual(
      [1, 2, 3, 4].map(() => gate.admit("192.0.2.1", 0)),
      [true, true, true, false],
    );
    assert.equal(gate.admit("192.0.2.2", 0), true);
    gate.release("192.0.2.1");
    assert.equal(gate.admit("::ffff:192.0.2.1", 0), true);
    for (let index = 0; index < 3; index += 1) gate.release("192.0.2.1");
    assert.deepEqual(
      [1, 2].map(() => gate.admit("192.0.2.1", 0)),
      [true, false],
    );
    gate.release("192.0.2.1");
    gate.release("192.0.2.2");
    gate.sweep(300);
    assert.equal(gate.size, 1);
    gate.sweep(2_000);
    assert.equal(gate.size, 0);
    assert.equal(gate.admit("192.0.2.1", 2_000), true);
  });

  it("is a whole network in IPv6", () => {
    assert.equal(toNetwork("2001:db8:1:2:3:4:5:6"), toNetwork("2001:db8:1:2::9"));
    assert.notEqual(toNetwork("2001:db8:1:2::9"), toNetwork("2001:db8:1:3::9"));
    assert.equal(toNetwork("2001:db8::1"), "2001:db8:0:0");
    assert.equal(toNetwork("fe80::1%eth0"), "fe80:0:0:0");
  });

  it("is refused by the listener", async () => {
    const edge = await startTestEdge({ limits: { connectionsPerAddress: 2 } });
    edge.hosts.set("a.example");
    const first = await connectPlain(edge.httpsPort);
    const second = await connectPlain(edge.httpPort);
    await until(() => edge.stats.connections === 2);
    assert.equal(await readAll(await connectPlain(edge.httpsPort)), "");
    assert.equal(edge.stats.refused.address_limit, 1);
    first.destroy();
    second.destroy();
    await until(() => edge.stats.connections === 0);
    assert.equal(parseStatus(await roundTrip(edge, "a.example", request("a.example"))), 404);
    await edge.close();
  });
});

describe("load", () => {
  const limits = { shedDelayMs: 100, refuseDelayMs: 500 };
  const window = (delayMs: number, lengthMs = 500) => ({ delayMs, lengthMs });

  it("is judged over a second, so that one delay is none", () => {
    assert.equal(judgeLoad([], limits), "easy");
    assert.equal(judgeLoad([window(20), window(300)], limits), "easy");
    assert.equal(judgeLoad([window(150), window(300)], limits), "busy");
    assert.equal(judgeLoad([window(600), window(300)], limits), "busy");
    assert.equal(judgeLoad([window(600), window(700)], limits), "flooded");
    assert.equal(judgeLoad([window(10), window(2_000, 2_000)], limits), "flooded");
    assert.equal(judgeLoad([window(10, 2_000), window(2_000)], limits), "flooded");
    assert.equal(judgeLoad([window(2_000, 2_000), window(10)], limits), "easy");
  });

  it("refuses new connections after the event loop was blocked, and recovers", async () => {
    const edge = await startTestEdge({ limits });
    edge.hosts.set("a.example");
    await connectTo(edge, "a.example").then((socket) => socket.destroy());
    // Blocked again if the refusal ended before a connection came.
    for (let attempt = 0; edge.stats.refused.overloaded === 0; attempt += 1) {
      if (attempt % 20 === 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500);
      const socket = await connectPlain(edge.httpsPort);
      socket.destroy();
      await new Promise((resolve) => setImmediate(resolve));
    }
    let status = 0;
    while (status !== 404) {
      status = await roundTrip(edge, "a.example", request("a.example")).then(parseStatus, () => 0);
    }
    await edge.close();
  });
});

/** Connects and sends by itself while this thread is blocked, and tells what it gets. */
const clientThread = `
const { connect } = require("node:net");
const { parentPort, workerData: { port, sent, isEarly } } = require("node:worker_threads");
const socket = connect(port, "127.0.0.1");
const got = [];
let code = null;
socket.on("data", (part) => got.push(part));
socket.on("error", (error) => { code = error.code; });
socket.on("close", () => parentPort.postMessage({ answer: Buffer.concat(got).toString("latin1"), code }));
const send = () => socket.write("GET / HTTP/1.1\\r\\n\\r\\n", () => {
  Atomics.store(sent, 0, 1);
  Atomics.notify(sent, 0);
});
if (isEarly) parentPort.once("message", send);
else send();
`;

/**
 * What a client gets that sent while the event loop was blocked for 1.5 s; with `accepted` it had
 * connected before.
 */
async function connectWhileBlocked(
  port: number,
  accepted: (() => boolean) | null = null,
): Promise<{ answer: string; code: string | null }> {
  const sent = new Int32Array(new SharedArrayBuffer(4));
  const isEarly = accepted !== null;
  const client = new Worker(clientThread, { eval: true, workerData: { port, sent, isEarly } });
  const answer = once(client, "message");
  if (accepted !== null) await until(accepted, "the connection");
  await new Promise((resolve) => setImmediate(resolve));
  client.postMessage("send");
  Atomics.wait(sent, 0, 0);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500);
  return (await answer)[0];
}

describe("a client that waited while the edge was blocked", () => {
  const limits = { shedDelayMs: 100, refuseDelayMs: 500, helloMs: 200, headMs: 200, sweepMs: 100 };
  const refusals = [
    ["httpsPort", "\x15\x03\x03\x00\x02\x02\x50"],
    ["httpPort", "HTTP/1.1 503 Service Unavailable\r\n"],
  ] as const;
  for (const [port, answer] of refusals) {
    it(`gets an answer and no reset for the bytes that it has sent to the ${port}`, async () => {
      const edge = await startTestEdge({ limits });
      // Two delays without a pause between them.
      for (let count = 1; count <= 2; count += 1) {
        const got = await connectWhileBlocked(edge[port]);
        assert.equal(edge.stats.refused.overloaded, count);
        assert.equal(got.code, null);
        assert.equal(got.answer.slice(0, answer.length), answer);
      }
      await edge.close();
    });
  }
});

describe("a client that sent in time while the edge was blocked", () => {
  it("is answered before deadlines are checked", async () => {
    const limits = { helloMs: 1_000, sweepMs: 100, refuseDelayMs: 60_000, shedDelayMs: 60_000 };
    const edge = await startTestEdge({ limits });
    const got = await connectWhileBlocked(edge.httpsPort, () => edge.stats.connections === 1);
    await edge.close();
    assert.deepEqual(got, { answer: "\x15\x03\x03\x00\x02\x02\x70", code: null });
    assert.equal(edge.stats.refused.hello_timeout, 0);
  });
});

describe("an answered refusal", () => {
  /** How a client that does not close fares, by what it sends. */
  async function refusedClients(count: number, bytes: number): Promise<readonly string[]> {
    const refuse = createRefusals(longestWaitMs);
    const refused: Socket[] = [];
    const server = createServer((socket) => {
      refused.push(socket);
      refuse(socket, Buffer.from("busy"));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const answers: Promise<string>[] = [];
    const clients: Socket[] = [];
    for (let index = 0; index < count; index += 1) {
      const client = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
      client.on("error", () => undefined);
      clients.push(client);
      answers.push(once(client, "data").then(String, () => ""));
      await until(() => refused.length > index, "a refusal");
      client.write(Buffer.alloc(bytes));
    }
    const isOpen = (socket: Socket): string => (socket.destroyed ? "closed" : "open");
    await until(() => refused.some(({ destroyed }) => destroyed), "a closed one");
    const states = refused.map(isOpen);
    for (const client of clients) client.destroy();
    for (const socket of refused) socket.destroy();
    server.close();
    assert.equal(await answers[0], "busy");
    return states;
  }

  it("does not read more than the first message of a client", async () => {
    assert.deepEqual(await refusedClients(1, 32_768), ["closed"]);
  });

  it("is for a bounded number of clients at once", async () => {
    const states = await refusedClients(257, 1);
    assert.deepEqual(states, [...Array.from({ length: 256 }, () => "open"), "closed"]);
  });
});

describe("a busy edge", () => {
  it("serves a certificate that was obtained before, and obtains none", async () => {
    // Every delay of the event loop counts as overload.
    const edge = await startTestEdge({ limits: { shedDelayMs: -1 } });
    edge.hosts.set("a.example");
    edge.certificates.answer = async () => "unavailable";
    const connect = () => connectTo(edge, "a.example").catch(() => null);
    let socket = await connect();
    // Not for its first second: that it is busy has to last.
    while (socket === null) socket = await connect();
    assert.equal(socket.getPeerCertificate().subjectaltname, "DNS:a.example");
    socket.destroy();
    await edge.close();
  });
});

describe("a stop", () => {
  it("completes requests in flight, closes idle connections, and accepts nothing new", async () => {
    const { promise, resolve } = Promise.withResolvers<() => void>();
    const origin = await startOrigin((_request, response) =>
      resolve(() => response.end("at last")),
    );
    const edge = await startTestEdge();
    edge.hosts.set("a.example", { originUrl: origin.url });
    const idle = readAll(await connectTo(edge, "a.example"));
    const parked = readAll(await connectPlain(edge.httpsPort));
    const busy = await connectTo(edge, "a.example");
    const answer = readAll(busy);
    busy.write("GET / HTTP/1.1\r\nHost: a.example\r\n\r\n");
    const finish = await promise;
    const stopped = edge.close();
    await Promise.all([idle, parked]);
    await assert.rejects(connectPlain(edge.httpsPort));
    finish();
    const text = await answer;
    assert.match(text, /connection: close\r\n/);
    assert.match(text, /at last/);
    await stopped;
    await origin.close();
  });

  it("cuts what does not finish in time", async () => {
    const origin = await startOrigin(() => undefined);
    const edge = await startTestEdge({ limits: { drainMs: 200 } });
    edge.hosts.set("a.example", { originUrl: origin.url });
    const socket = await connectTo(edge, "a.example");
    socket.write(request("a.example"));
    await until(() => edge.stats.requests === 1);
    const closed = once(socket, "close");
    await edge.close();
    await closed;
    await origin.close();
  });

  it("comes after the last request that a connection may carry", async () => {
    const origin = await startOrigin();
    const edge = await startTestEdge({ limits: { requestsPerConnection: 3 } });
    edge.hosts.set("a.example", { originUrl: origin.url });
    const socket = await connectTo(edge, "a.example");
    const answer = readAll(socket);
    socket.write("GET / HTTP/1.1\r\nHost: a.example\r\n\r\n".repeat(5));
    assert.equal((await answer).match(/HTTP\/1\.1 200/g)?.length, 3);
    await edge.close();
    await origin.close();
  });
});
