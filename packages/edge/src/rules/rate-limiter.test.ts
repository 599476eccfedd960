import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createRateAllotter, createSharedLimiter, type RateLimiter } from "./rate-limiter.ts";
import { createRateTable } from "./rate-table.ts";

const tenAnHour = { requests: 10, perSeconds: 3_600 };

describe("createRateTable", () => {
  it("admits as many at once as the limit has, then as many more in its time", () => {
    const table = createRateTable();
    const limit = { requests: 4, perSeconds: 2 };
    const take = (at: number): number => table.take("key", limit, at);
    assert.deepEqual([0, 0, 0, 0].map(take), [0, 0, 0, 0]);
    assert.equal(take(0), 500);
    assert.equal(take(499), 1);
    assert.equal(take(500), 0);
    assert.equal(take(500), 500);
    assert.deepEqual([10_000, 10_000, 10_000, 10_000].map(take), [0, 0, 0, 0]);
    assert.equal(take(10_000), 500, "no more are saved up");
  });

  it("has a fixed number of keys, and drops the one used least lately", () => {
    const table = createRateTable(3);
    const take = (key: string): boolean =>
      table.take(key, { requests: 1, perSeconds: 3_600 }, 0) === 0;
    assert.deepEqual(["own", "a", "b"].map(take), [true, true, true]);
    assert.equal(take("own"), false);
    assert.equal(take("c"), true);
    assert.equal(table.size, 3);
    assert.equal(take("own"), false, "a used key stays, as long as it is used");
    assert.deepEqual(["d", "e", "f"].map(take), [true, true, true]);
    assert.equal(take("own"), true, "as many other keys as there are buckets end it");
  });
});

/** Workers and the process that counts for them, over channels that a test can cut. */
function startWorkers(count: number) {
  let now = 0;
  const allotter = createRateAllotter(() => now);
  const messages: unknown[] = [];
  const channels = Array.from({ length: count }, () => {
    const listeners: ((message: unknown) => void)[] = [];
    return {
      connected: true,
      isStuck: false,
      on: (_event: "message", listener: (message: unknown) => void) => listeners.push(listener),
      send(message: object) {
        messages.push(message);
        const reply = (answer: object): void => {
          const copy: unknown = JSON.parse(JSON.stringify(answer));
          setImmediate(() => {
            for (const listener of listeners) listener(copy);
          });
        };
        const copy: unknown = JSON.parse(JSON.stringify(message));
        if (!this.isStuck) assert.equal(allotter.receive({ reply }, copy), true);
        return true;
      },
    };
  });
  const limiters = channels.map((channel) => createSharedLimiter(channel, count, () => now));
  return {
    limiters,
    channels,
    messages,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

async function countAdmitted(limiters: readonly RateLimiter[], takes: number): Promise<number> {
  const waits = Array.from({ length: takes }, (_, index) =>
    limiters[index % limiters.length]?.take("key", tenAnHour),
  );
  return (await Promise.all(waits)).filter((wait) => wait === 0).length;
}

describe("rate limits that processes share", () => {
  it("admit exactly as many over all processes as over one", async () => {
    const { limiters, messages, pass } = startWorkers(4);
    assert.equal(await countAdmitted(limiters, 200), 10);
    assert.equal(messages.length, 4, "one message for what a pass of the event loop takes");
    assert.equal(await countAdmitted(limiters, 200), 0);
    assert.equal(messages.length, 4, "what is refused costs no message");
    pass(720_000);
    assert.equal(await countAdmitted(limiters, 200), 2);
  });

  it("give each process its share while nobody answers, so that the sum holds", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const { limiters, channels } = startWorkers(2);
    for (const channel of channels) channel.isStuck = true;
    const counted = countAdmitted(limiters, 100);
    await new Promise((resolve) => setImmediate(resolve));
    t.mock.timers.tick(500);
    assert.equal(await counted, 10);
  });

  it("go on at once in a process whose parent has ended", async () => {
    const { limiters, channels } = startWorkers(2);
    for (const channel of channels) channel.connected = false;
    assert.equal(await countAdmitted(limiters, 100), 10);
  });

  it("are counted by a process that gets no other messages wrong", () => {
    const allotter = createRateAllotter();
    const reply = (): never => assert.fail("no reply");
    for (const message of [
      null,
      "x",
      { type: "edge_metrics" },
      { type: "edge_rates", waits: [] },
    ]) {
      assert.equal(allotter.receive({ reply }, message), false);
    }
  });
});
