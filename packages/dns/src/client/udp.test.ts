import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { createSocket, type RemoteInfo, Socket } from "node:dgram";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { describe, type TestContext, test } from "node:test";
import { until } from "@mooring/testing/processes/until";
import { decodeResponse, encodeQuery } from "../wire/message.ts";
import type { Endpoint } from "./udp.ts";
import {
  createUdpPool,
  maxIdleSockets,
  maxInFlightPerSocket,
  queriesPerSocket,
  socketLifetimeMs,
  socketsPerServer,
  type UdpPool,
} from "./udp.ts";

interface Arrived {
  readonly query: Buffer;
  readonly from: RemoteInfo;
  answer(change?: { readonly id?: number; readonly rcode?: number }): void;
}

interface Peer {
  readonly to: Endpoint;
  readonly arrived: Arrived[];
  readonly ports: () => number;
  isAnswering: boolean;
}

/** A server that notes what arrives and echoes it as an empty answer, at once or on request. */
async function startPeer(t: TestContext): Promise<Peer> {
  const socket = createSocket("udp4");
  const arrived: Arrived[] = [];
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  t.after(() => new Promise<void>((resolve) => socket.close(() => resolve())));
  const to = { address: "127.0.0.1", port: socket.address().port };
  const ports = () => new Set(arrived.map(({ from }) => from.port)).size;
  const peer: Peer = { to, arrived, ports, isAnswering: true };
  socket.on("message", (query, from) => {
    const answer: Arrived["answer"] = ({ id, rcode = 0 } = {}) => {
      const response = Buffer.from(query);
      response.writeUInt16BE(id ?? query.readUInt16BE(0), 0);
      response.writeUInt16BE(0x8000 | rcode, 2);
      socket.send(response, from.port, from.address, () => undefined);
    };
    arrived.push({ query, from, answer });
    if (peer.isAnswering) answer();
  });
  return peer;
}

/** Every UDP socket of this process opened from here on and not closed yet, in order. */
function trackSockets(t: TestContext): Set<Socket> {
  const open = new Set<Socket>();
  const onSocket = (message: unknown) => {
    assert.ok(message !== null && typeof message === "object" && "socket" in message);
    const { socket } = message;
    assert.ok(socket instanceof Socket);
    open.add(socket);
    socket.on("close", () => open.delete(socket));
  };
  subscribe("udp.socket", onSocket);
  t.after(() => unsubscribe("udp.socket", onSocket));
  return open;
}

/** Real ids, but the socket among a server's is chosen by the test. */
function choosing(slot: () => number): (size: number) => Uint8Array {
  return (size) => Uint8Array.of(slot(), ...randomBytes(size - 1));
}

function openPool(random: (size: number) => Uint8Array, nowMs = () => performance.now()): UdpPool {
  return createUdpPool({ random, nowMs });
}

/** The code of the answer, or how the try failed. */
function ask(
  pool: UdpPool,
  to: Endpoint,
  name: string,
  change: { readonly signal?: AbortSignal; readonly timeoutMs?: number } = {},
): Promise<number | string> {
  const flags = { recursionDesired: false, checkingDisabled: false, edns: false };
  const query = encodeQuery({ id: 0, name, type: "A", ...flags });
  const accept = (packet: Buffer) => {
    const decoded = decodeResponse(query, packet);
    return decoded.kind === "answer" ? decoded.message.rcode : undefined;
  };
  const { signal = new AbortController().signal, timeoutMs = 30_000 } = change;
  return pool.ask<number | string>({ to, query, timeoutMs, signal, accept });
}

describe("udp pool", () => {
  test("many questions share a socket, each with a different id and its answer", async (t) => {
    const [peer, open] = [await startPeer(t), trackSockets(t)];
    peer.isAnswering = false;
    let drawn = 0;
    const repeating = (size: number) => {
      if (size === 1) return Uint8Array.of(3);
      drawn += 1;
      return Uint8Array.of(0, Math.floor(drawn / 3));
    };
    const pool = openPool(repeating);
    const asked = Array.from({ length: 50 }, (_, index) => ask(pool, peer.to, `q${index}.example`));
    await until(() => peer.arrived.length === 50);
    assert.equal(new Set(peer.arrived.map(({ query }) => query.readUInt16BE(0))).size, 50);
    assert.equal(peer.ports(), 1);
    assert.equal(open.size, 1);
    peer.arrived.toReversed().forEach(({ query, answer }) => {
      answer({ rcode: Number(/\d+/.exec(query.toString("latin1", 13))?.[0]) % 16 });
    });
    const answers = await Promise.all(asked);
    assert.deepEqual(
      answers,
      answers.map((_, index) => index % 16),
    );
  });

  test("an answer under another question's id is ignored, and both wait on", async (t) => {
    const peer = await startPeer(t);
    peer.isAnswering = false;
    const pool = openPool(choosing(() => 0));
    const asked = ["one.example", "two.example"].map((name) => ask(pool, peer.to, name));
    await until(() => peer.arrived.length === 2);
    const [first, second] = peer.arrived;
    assert.ok(first !== undefined && second !== undefined);
    first.answer({ id: second.query.readUInt16BE(0), rcode: 5 });
    second.answer({ id: first.query.readUInt16BE(0), rcode: 5 });
    first.answer();
    second.answer();
    assert.deepEqual(await Promise.all(asked), [0, 0]);
  });

  test("questions to one server spread at random over a bounded number of ports", async (t) => {
    const peer = await startPeer(t);
    const pool = openPool(randomBytes);
    const names = Array.from({ length: 150 }, (_, index) => `n${index}.example`);
    const answers = await Promise.all(names.map((name) => ask(pool, peer.to, name)));
    assert.ok(answers.every((answer) => answer === 0));
    assert.equal(peer.ports(), socketsPerServer);
  });

  test("a socket retires after its number of questions, yet its last one is waited for", async (t) => {
    const [peer, open] = [await startPeer(t), trackSockets(t)];
    const pool = openPool(choosing(() => 0));
    peer.isAnswering = false;
    const slow = ask(pool, peer.to, "slow.example");
    await until(() => peer.arrived.length === 1);
    peer.isAnswering = true;
    for (let asked = 1; asked < queriesPerSocket; asked += 1) {
      await ask(pool, peer.to, "next.example");
    }
    assert.equal(peer.ports(), 1);
    await ask(pool, peer.to, "next.example");
    assert.equal(peer.ports(), 2);
    const [first] = open;
    assert.ok(first !== undefined && open.size === 2);
    peer.arrived[0]?.answer({ rcode: 3 });
    assert.equal(await slow, 3);
    await until(() => !open.has(first));
  });

  test("a socket with many queries in flight takes no more of them", async (t) => {
    const [peer, open] = [await startPeer(t), trackSockets(t)];
    peer.isAnswering = false;
    const pool = openPool(choosing(() => 0));
    const names = Array.from(
      { length: 2 * maxInFlightPerSocket },
      (_, index) => `n${index}.example`,
    );
    const asked = names.map((name) => ask(pool, peer.to, name));
    await until(() => peer.arrived.length === names.length);
    assert.equal(peer.ports(), 2);
    for (const { answer } of peer.arrived) answer();
    assert.ok((await Promise.all(asked)).every((answer) => answer === 0));
    await until(() => open.size === 0);
  });

  test("a socket retires with age, busy or idle", async (t) => {
    const [peer, open] = [await startPeer(t), trackSockets(t)];
    let now = 0;
    const pool = openPool(
      choosing(() => 0),
      () => now,
    );
    await ask(pool, peer.to, "young.example");
    now += socketLifetimeMs - 1;
    peer.isAnswering = false;
    const slow = ask(pool, peer.to, "slow.example");
    await until(() => peer.arrived.length === 2);
    assert.equal(peer.ports(), 1);
    now += 1;
    peer.isAnswering = true;
    await ask(pool, peer.to, "after-busy.example");
    assert.equal(peer.ports(), 2);
    peer.arrived[1]?.answer();
    assert.equal(await slow, 0);
    now += socketLifetimeMs;
    await ask(pool, peer.to, "after-idle.example");
    assert.equal(peer.ports(), 3);
    now += socketLifetimeMs;
    await until(() => open.size === 0);
  });

  test("a failing socket fails its own questions alone and is replaced", async (t) => {
    const [peer, open] = [await startPeer(t), trackSockets(t)];
    peer.isAnswering = false;
    let slot = 0;
    const pool = openPool(choosing(() => slot));
    const failing = [ask(pool, peer.to, "one.example"), ask(pool, peer.to, "two.example")];
    slot = 1;
    const other = ask(pool, peer.to, "other.example");
    await until(() => peer.arrived.length === 3);
    const [first] = open;
    first?.emit("error", Object.assign(new Error("refused"), { code: "ECONNREFUSED" }));
    assert.deepEqual(await Promise.all(failing), ["refused", "refused"]);
    peer.arrived.find(({ query }) => query.includes("other"))?.answer();
    assert.equal(await other, 0);
    slot = 0;
    peer.isAnswering = true;
    assert.equal(await ask(pool, peer.to, "again.example"), 0);
    assert.equal(peer.ports(), 3);
    await until(() => open.size === 0);
  });

  test("a closed port refuses every query, and no other server's", async (t) => {
    const [peer, open] = [await startPeer(t), trackSockets(t)];
    const unused = { address: "127.0.0.9", port: peer.to.port };
    const pool = openPool(choosing(() => 0));
    const refused = Array.from({ length: 20 }, (_, n) => ask(pool, unused, `n${n}.example`));
    assert.equal(await ask(pool, peer.to, "fine.example"), 0);
    assert.ok((await Promise.all(refused)).every((end) => end === "refused"));
    await until(() => open.size === 0);
  });

  test("idle sockets hold no process, are few over all servers, and close soon", async (t) => {
    const peers = await Promise.all(Array.from({ length: 10 }, () => startPeer(t)));
    const openSockets = () =>
      process.getActiveResourcesInfo().filter((kind) => kind === "UDPWrap").length;
    const open = trackSockets(t);
    let [now, slot] = [0, 0];
    const pool = openPool(
      choosing(() => slot),
      () => now,
    );
    for (slot = 0; slot < socketsPerServer; slot += 1) {
      await Promise.all(peers.map(({ to }) => ask(pool, to, "n.example")));
    }
    await until(() => open.size <= maxIdleSockets);
    assert.equal(open.size, maxIdleSockets);
    assert.equal(openSockets(), peers.length);
    now += 1_000;
    await until(() => open.size === 0);
  });

  test("an aborted question rejects at once, is not sent any more, and leaves nothing open", async (t) => {
    const [peer, open] = [await startPeer(t), trackSockets(t)];
    const pool = openPool(choosing(() => 0));
    const [early, late] = [new AbortController(), new AbortController()];
    peer.isAnswering = false;
    const unsent = ask(pool, peer.to, "unsent.example", { signal: early.signal });
    const sent = ask(pool, peer.to, "sent.example", { signal: late.signal });
    early.abort(new Error("early"));
    await assert.rejects(unsent, /early/);
    await until(() => peer.arrived.length === 1);
    late.abort(new Error("late"));
    await assert.rejects(sent, /late/);
    await assert.rejects(ask(pool, peer.to, "never.example", { signal: late.signal }), /late/);
    await until(() => open.size === 0);
    assert.deepEqual(
      peer.arrived.map(({ query }) => query.includes("unsent")),
      [false],
    );
  });

  test("a socket given up before it was connected is closed all the same", async (t) => {
    const [peer, open] = [await startPeer(t), trackSockets(t)];
    const controller = new AbortController();
    const asked = ask(openPool(randomBytes), peer.to, "n.example", { signal: controller.signal });
    assert.equal(open.size, 1);
    controller.abort(new Error("caller left"));
    await assert.rejects(asked, /caller left/);
    await until(() => open.size === 0);
    assert.equal(peer.arrived.length, 0);
  });

  test("each question has its own deadline on a shared socket", async (t) => {
    const [peer, open] = [await startPeer(t), trackSockets(t)];
    peer.isAnswering = false;
    const pool = openPool(choosing(() => 0));
    const patient = ask(pool, peer.to, "patient.example");
    assert.equal(await ask(pool, peer.to, "brief.example", { timeoutMs: 20 }), "timeout");
    await until(() => peer.arrived.length === 2);
    for (const { answer } of peer.arrived) answer();
    assert.equal(await patient, 0);
    await until(() => open.size === 0);
  });
});
