import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import {
  type DueRows,
  type LeaseLoopOptions,
  type LeaseLoopSpec,
  runLeaseLoop,
} from "./lease-loop.ts";

interface Row {
  readonly id: string;
  readonly version: number;
}

const startMs = Date.parse("2026-11-15T00:00:00Z");

/** Rows in memory that are due at a time, with every call of the loop on record. */
function memoryRows() {
  const stored = new Map<string, { version: number; dueMs: number; leasedUntilMs: number }>();
  const claims: { readonly limit: number; readonly ids: readonly string[] }[] = [];
  const extended: { readonly leased: Record<string, number>; readonly untilMs: number }[] = [];
  const released: { readonly id: string; readonly dueMs: number }[] = [];
  let claimError: Error | null = null;
  const rows: DueRows<Row> = {
    table: "things",
    idOf: ({ id }) => id,
    versionOf: ({ version }) => version,
    async claim(now, leasedUntil, limit) {
      if (claimError) throw claimError;
      const due = [...stored]
        .filter(([, row]) => row.dueMs <= now.getTime() && row.leasedUntilMs <= now.getTime())
        .toSorted(([, a], [, b]) => a.dueMs - b.dueMs)
        .slice(0, limit);
      for (const [, row] of due) {
        row.version += 1;
        row.leasedUntilMs = leasedUntil.getTime();
      }
      claims.push({ limit, ids: due.map(([id]) => id) });
      return due.map(([id, { version }]) => ({ id, version }));
    },
    async extend(leased, leasedUntil) {
      extended.push({ leased: Object.fromEntries(leased), untilMs: leasedUntil.getTime() });
    },
    async release({ id }, dueAt) {
      released.push({ id, dueMs: dueAt.getTime() });
      const row = stored.get(id);
      if (row) Object.assign(row, { dueMs: dueAt.getTime(), leasedUntilMs: 0 });
    },
  };
  return {
    rows,
    claims,
    extended,
    released,
    add: (...ids: readonly string[]) => {
      for (const id of ids) stored.set(id, { version: 0, dueMs: startMs, leasedUntilMs: 0 });
    },
    /** As a verb does when it writes its result. */
    finish: (id: string) => void stored.delete(id),
    failClaims: (error: Error | null) => {
      claimError = error;
    },
  };
}

/** A loop over rows in memory, with a clock and timers that the test moves together. */
function setUp(
  context: TestContext,
  spec: Partial<LeaseLoopSpec<Row>> = {},
  options: Partial<LeaseLoopOptions> = {},
) {
  context.mock.timers.enable({ apis: ["setInterval", "setTimeout"] });
  let nowMs = startMs;
  const memory = memoryRows();
  const runs = new Map<string, PromiseWithResolvers<void>>();
  const warnings: string[] = [];
  const start = () =>
    runLeaseLoop<Row>(
      {
        name: "test",
        rows: memory.rows,
        run: async ({ id }) => {
          const run = Promise.withResolvers<void>();
          runs.set(id, run);
          await run.promise;
        },
        concurrency: 2,
        timeoutMs: 60_000,
        ...spec,
      },
      {
        clock: { now: () => new Date(nowMs) },
        log: { warn: (_fields, message) => void warnings.push(message) },
        random: () => 0.5,
        ...options,
      },
    );
  return {
    ...memory,
    warnings,
    start,
    runningIds: () => [...runs.keys()],
    async advance(ms: number) {
      nowMs += ms;
      context.mock.timers.tick(ms);
      await settle();
    },
    async succeed(id: string) {
      memory.finish(id);
      runs.get(id)?.resolve();
      runs.delete(id);
      await settle();
    },
    async fail(id: string) {
      runs.get(id)?.reject(new Error("failed"));
      runs.delete(id);
      await settle();
    },
  };
}

/** Lets promises that are ready run their callbacks; setImmediate is not mocked. */
async function settle(): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

describe("runLeaseLoop", () => {
  it("claims up to its free slots, and the next row when one is finished", async (context) => {
    const test = setUp(context);
    test.add("a", "b", "c");
    const loop = test.start();
    await settle();
    assert.deepEqual(test.claims, [{ limit: 2, ids: ["a", "b"] }]);
    assert.equal(loop.running(), 2);
    await test.succeed("a");
    assert.deepEqual(test.claims[1], { limit: 1, ids: ["c"] });
    assert.deepEqual(test.runningIds(), ["b", "c"]);
    await test.succeed("b");
    await test.succeed("c");
    await loop.stop();
    assert.equal(loop.running(), 0);
  });

  it("claims at most 32 rows at a time, and again at once while all it asked for were due", async (context) => {
    const test = setUp(context, { concurrency: 40 });
    const ids = Array.from({ length: 36 }, (_, index) => `row-${index}`);
    test.add(...ids);
    const loop = test.start();
    await settle();
    assert.deepEqual(
      test.claims.map(({ limit, ids: claimed }) => [limit, claimed.length]),
      [
        [32, 32],
        [8, 4],
      ],
    );
    for (const id of ids) await test.succeed(id);
    await loop.stop();
  });

  it("gives the slot of a row that runs for a second to another row", async (context) => {
    const test = setUp(context, { concurrency: 1, maxConcurrency: 2 });
    test.add("slow", "next", "third");
    const loop = test.start();
    await settle();
    assert.deepEqual(test.runningIds(), ["slow"]);
    await test.advance(1_000);
    assert.deepEqual(test.runningIds(), ["slow", "next"]);
    await test.advance(1_000);
    assert.deepEqual(test.runningIds(), ["slow", "next"]);
    await test.succeed("slow");
    assert.deepEqual(test.runningIds(), ["next", "third"]);
    await test.succeed("next");
    await test.succeed("third");
    await loop.stop();
  });

  it("extends the leases of running rows, by id and version, every third of a lease", async (context) => {
    const test = setUp(context);
    test.add("a", "b");
    const loop = test.start();
    await settle();
    await test.advance(10_000);
    assert.deepEqual(test.extended, [
      { leased: { a: 1, b: 1 }, untilMs: startMs + 10_000 + 30_000 },
    ]);
    await test.succeed("a");
    await test.advance(10_000);
    assert.deepEqual(test.extended[1], { leased: { b: 1 }, untilMs: startMs + 50_000 });
    await test.succeed("b");
    await test.advance(10_000);
    assert.equal(test.extended.length, 2);
    await loop.stop();
  });

  it("releases a row whose run failed, due again 15 seconds later", async (context) => {
    const test = setUp(context);
    test.add("a");
    const loop = test.start();
    await settle();
    await test.fail("a");
    assert.deepEqual(test.released, [{ id: "a", dueMs: startMs + 15_000 }]);
    assert.deepEqual(test.warnings, ["run failed, row is retried"]);
    await test.advance(14_000);
    assert.deepEqual(test.runningIds(), []);
    await test.advance(1_000);
    assert.deepEqual(test.runningIds(), ["a"]);
    await test.succeed("a");
    await loop.stop();
  });

  it("retries a row at growing intervals when the fault is its own, and parks it after five", async (context) => {
    const test = setUp(context);
    const failures = new Map<string, number>();
    const parked: { readonly id: string; readonly failures: number }[] = [];
    const { release } = test.rows;
    test.rows.release = async (row, dueAt, count) => {
      failures.set(row.id, count);
      await release(row, dueAt, count);
    };
    Object.assign(test.rows, {
      parking: {
        failuresOf: ({ id }: Row) => failures.get(id) ?? 0,
        isRowFault: () => true,
        park: async ({ id }: Row, { failures: count }: { readonly failures: number }) => {
          parked.push({ id, failures: count });
          test.finish(id);
        },
      },
    });
    test.add("a");
    const loop = test.start();
    await settle();
    for (const waitMs of [15_000, 60_000, 240_000, 960_000]) {
      const before = test.released.length;
      await test.fail("a");
      assert.equal(test.released.length, before + 1);
      await test.advance(waitMs);
    }
    await test.fail("a");
    assert.deepEqual(parked, [{ id: "a", failures: 5 }]);
    assert.equal(test.warnings.at(-1), "run failed for good, row is parked");
    await test.advance(3_600_000);
    assert.deepEqual(test.runningIds(), []);
    await loop.stop();
  });

  it("continues when a lease could not be released: it expires by itself", async (context) => {
    const test = setUp(context);
    test.add("a");
    test.rows.release = () => Promise.reject(new Error("database is down"));
    const loop = test.start();
    await settle();
    await test.fail("a");
    assert.deepEqual(test.warnings, ["run failed, row is retried", "lease not released"]);
    await test.advance(29_000);
    assert.deepEqual(test.runningIds(), []);
    await test.advance(1_000);
    assert.deepEqual(test.runningIds(), ["a"]);
    await test.succeed("a");
    await loop.stop();
  });

  it("aborts a run that takes longer than its timeout", async (context) => {
    const reasons: unknown[] = [];
    const test = setUp(context, {
      timeoutMs: 5,
      run: (_row, signal) => untilAborted(signal, (reason) => reasons.push(reason)),
    });
    test.add("a");
    const loop = test.start();
    while (test.released.length === 0) await settle();
    assert.equal((reasons[0] as Error).name, "TimeoutError");
    assert.deepEqual(test.released, [{ id: "a", dueMs: startMs + 15_000 }]);
    await loop.stop();
  });

  it("lets running rows finish after stop, and claims no more", async (context) => {
    const test = setUp(context);
    test.add("a");
    const loop = test.start();
    await settle();
    const stopped = loop.stop();
    test.add("b");
    loop.wake("things");
    await test.advance(5_000);
    await test.succeed("a");
    await stopped;
    await test.advance(5_000);
    assert.deepEqual([test.claims.length, test.released], [1, []]);
  });

  it("extends leases while rows finish after stop", async (context) => {
    const test = setUp(context, {}, { leaseMs: 3_000 });
    test.add("a");
    const loop = test.start();
    await settle();
    const stopped = loop.stop();
    await test.advance(1_000);
    assert.equal(test.extended.length, 1);
    await test.succeed("a");
    await stopped;
    await test.advance(10_000);
    assert.equal(test.extended.length, 1);
  });

  it("aborts what still runs after the grace period, and releases it as due now", async (context) => {
    const test = setUp(context, { run: (_row, signal) => untilAborted(signal) });
    test.add("a");
    const loop = test.start();
    await settle();
    const stopped = loop.stop();
    await settle();
    await test.advance(5_999);
    assert.deepEqual(test.released, []);
    await test.advance(1);
    await stopped;
    assert.deepEqual(test.released, [{ id: "a", dueMs: startMs + 6_000 }]);
  });

  it("claims at once when its table wakes it, and not for another table", async (context) => {
    const test = setUp(context);
    const loop = test.start();
    await settle();
    test.add("a");
    loop.wake("others");
    await settle();
    assert.deepEqual(test.runningIds(), []);
    loop.wake("things");
    await settle();
    assert.deepEqual(test.runningIds(), ["a"]);
    await test.succeed("a");
    await loop.stop();
  });

  it("finds a row without being woken within a second", async (context) => {
    const test = setUp(context);
    const loop = test.start();
    await settle();
    test.add("a");
    await test.advance(1_000);
    assert.deepEqual(test.runningIds(), ["a"]);
    await test.succeed("a");
    await loop.stop();
  });

  it("claims again at the next poll when a claim failed", async (context) => {
    const test = setUp(context);
    test.add("a");
    test.failClaims(new Error("database is down"));
    const loop = test.start();
    await settle();
    assert.deepEqual(test.warnings, ["claim of due rows failed"]);
    test.failClaims(null);
    await settle();
    assert.deepEqual(test.runningIds(), []);
    await test.advance(1_000);
    assert.deepEqual(test.runningIds(), ["a"]);
    await test.succeed("a");
    await loop.stop();
  });

  it("reports a failed heartbeat and tries again at the next", async (context) => {
    const test = setUp(context);
    test.add("a");
    const { extend } = test.rows;
    test.rows.extend = () => Promise.reject(new Error("database is down"));
    const loop = test.start();
    await settle();
    await test.advance(10_000);
    assert.deepEqual(test.warnings, ["heartbeat failed"]);
    test.rows.extend = extend;
    await test.advance(10_000);
    assert.equal(test.extended.length, 1);
    await test.succeed("a");
    await loop.stop();
  });
});

function untilAborted(
  signal: AbortSignal,
  onAbort: (reason: unknown) => void = () => undefined,
): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => {
      onAbort(signal.reason);
      reject(signal.reason);
    });
  });
}
