import assert from "node:assert/strict";
import { describe, mock, test } from "node:test";
import { collectGarbage } from "@mooring/testing/processes/collect-garbage";
import { createLimiter, type ServerPolicy } from "./limiter.ts";

const unlimited: ServerPolicy = {
  ratePerSecond: 1_000_000,
  burst: 1_000_000,
  maxInFlight: 1_000_000,
};
const never = () => new AbortController().signal;

function limiter(change: { maxInFlight?: number; maxWaiting?: number; nowMs?: () => number } = {}) {
  return createLimiter({ maxInFlight: 100, maxWaiting: 100, nowMs: () => 0, ...change });
}

/** Enters and notes the admission under its label. */
function queue(
  gate: ReturnType<typeof limiter>,
  server: string,
  policy: ServerPolicy,
  log: string[],
) {
  return Promise.resolve(gate.acquire(server, policy, never())).then((leave) => {
    log.push(server);
    return leave;
  });
}

async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

describe("limiter", () => {
  test("serves servers in rotation, so that a slow one does not block the others", async () => {
    const gate = limiter({ maxInFlight: 2 });
    const log: string[] = [];
    const slow = { ...unlimited, maxInFlight: 1 };
    const first = queue(gate, "slow", slow, log);
    for (let index = 0; index < 20; index += 1) void queue(gate, "slow", slow, log);
    const other = await queue(gate, "other", unlimited, log);
    assert.deepEqual(log, ["slow", "other"]);
    other?.();
    (await first)?.();
    await settle();
    assert.deepEqual(log, ["slow", "other", "slow"]);
  });

  test("gives this process its part of what several share, and at least one", async () => {
    let [nowMs, processes] = [0, 4];
    const gate = limiter({ nowMs: () => nowMs });
    const policy = { ratePerSecond: 20, burst: 8, maxInFlight: 40, processes: () => processes };
    const isFree = async (server: string): Promise<boolean> => {
      const leaving = new AbortController();
      const acquired = gate.acquire(server, policy, leaving.signal);
      leaving.abort(new Error("leaving"));
      return !(acquired instanceof Promise) || acquired.then(() => true).catch(() => false);
    };
    const three = async (server: string) => [
      await isFree(server),
      await isFree(server),
      await isFree(server),
    ];
    assert.deepEqual(await three("a"), [true, true, false], "a quarter of the burst");
    nowMs = 199;
    assert.equal(await isFree("a"), false, "five a second are its part");
    nowMs = 201;
    assert.deepEqual(await three("a"), [true, false, false]);
    processes = 1_000;
    assert.deepEqual(await three("b"), [true, false, false]);
  });

  test("never has more in flight than allowed, and leaving twice counts once", async () => {
    const gate = limiter({ maxInFlight: 1 });
    const log: string[] = [];
    const first = await queue(gate, "a", unlimited, log);
    void queue(gate, "b", unlimited, log);
    void queue(gate, "c", unlimited, log);
    await settle();
    assert.deepEqual(log, ["a"]);
    first?.();
    first?.();
    await settle();
    assert.deepEqual(log, ["a", "b"]);
  });

  test("spends the burst, then holds the sustained rate", async () => {
    mock.timers.enable({ apis: ["setTimeout", "Date"] });
    try {
      const gate = limiter({ nowMs: () => Date.now() });
      const log: string[] = [];
      const policy = { ratePerSecond: 2, burst: 3, maxInFlight: 100 };
      for (let index = 0; index < 6; index += 1) void queue(gate, "a", policy, log);
      await settle();
      assert.equal(log.length, 3);
      for (const expected of [4, 5, 6]) {
        mock.timers.tick(499);
        await settle();
        assert.equal(log.length, expected - 1);
        mock.timers.tick(1);
        await settle();
        assert.equal(log.length, expected);
      }
    } finally {
      mock.timers.reset();
    }
  });

  test("refuses at once when too many wait", async () => {
    const gate = limiter({ maxInFlight: 1, maxWaiting: 1 });
    await gate.acquire("a", unlimited, never());
    void gate.acquire("a", unlimited, never());
    assert.equal(await gate.acquire("a", unlimited, never()), null);
  });

  test("forgets a waiter who leaves, and serves the next", async () => {
    const gate = limiter({ maxInFlight: 1 });
    const log: string[] = [];
    const first = await queue(gate, "a", unlimited, log);
    const leaver = new AbortController();
    const left = Promise.resolve(gate.acquire("a", unlimited, leaver.signal));
    void queue(gate, "b", unlimited, log);
    leaver.abort(new Error("caller left"));
    await assert.rejects(left, /caller left/);
    await assert.rejects(
      Promise.resolve(gate.acquire("a", unlimited, leaver.signal)),
      /caller left/,
    );
    first?.();
    await settle();
    assert.deepEqual(log, ["a", "b"]);
  });

  test("does not grow with the number of servers ever queried", async () => {
    let now = 0;
    const gate = limiter({ nowMs: () => now });
    const policy = { ratePerSecond: 1, burst: 1, maxInFlight: 1 };
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    for (let index = 0; index < 50_000; index += 1) {
      now += 10;
      (await gate.acquire(`server-${index}`, policy, never()))?.();
    }
    collectGarbage();
    assert.ok(process.memoryUsage().heapUsed - before < 50_000_000);
  });
});
