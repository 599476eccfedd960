import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, mock, test } from "node:test";
import { createLimiter, type Limiter, type ServerPolicy } from "./limiter.ts";
import { askFor, createJointFlight, type Share, type Urgency } from "./share.ts";

/** What other people's servers are asked with. */
const policy: ServerPolicy = { ratePerSecond: 20, burst: 60, maxInFlight: 16 };
const wide: ServerPolicy = { ...policy, maxInFlight: 10_000 };
const never = new AbortController().signal;

async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

/** A limiter on a clock that the test moves. */
function setUp(maxWaiting = 100_000) {
  const gate = createLimiter({
    maxInFlight: 1_024,
    maxWaiting,
    nowMs: () => Date.now(),
    random: () => 0.5,
  });
  const served: string[] = [];
  return {
    gate,
    /** Who was served, in order; the list is emptied. */
    take: async () => {
      await settle();
      return served.splice(0);
    },
    /** Asks a question that is answered at once; its label is its key and urgency. */
    ask: (share: Share, at = policy, signal = never) =>
      void askFor(share, () => answered(gate, at, signal)).then(
        () => served.push(`${share.key} ${share.urgency}`),
        () => undefined,
      ),
    async advance(ms: number) {
      for (let left = ms; left > 0; left -= 50) {
        mock.timers.tick(Math.min(50, left));
        await settle();
      }
    },
  };
}

async function answered(gate: Limiter, at: ServerPolicy, signal: AbortSignal): Promise<void> {
  const release = await gate.acquire("192.0.2.53 53", at, signal);
  release?.();
}

const share = (key: string, urgency: Urgency = "fresh"): Share => ({ key, urgency });
const countOf = (served: readonly string[], key: string) =>
  served.filter((label) => label.startsWith(`${key} `)).length;

beforeEach(() => mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_000_000 }));
afterEach(() => mock.timers.reset());

describe("a server's limit between shares", () => {
  test("beside 10,000 questions of one key, another's are asked at once, check after check", async () => {
    const { ask, take, advance } = setUp();
    for (let index = 0; index < 10_000; index += 1) ask(share("many"));
    await take();
    for (let check = 0; check < 10; check += 1) {
      for (let index = 0; index < 24; index += 1) ask(share("other"));
      // The clock stands still: none of them waits.
      assert.equal(countOf(await take(), "other"), 24, `check ${check}`);
      await advance(3_000);
      assert.equal(countOf(await take(), "other"), 0);
    }
  });

  test("what nobody else asks for goes to the key that waits: the rate is used up", async () => {
    const { ask, take, advance } = setUp();
    for (let index = 0; index < 1_000; index += 1) ask(share("many"));
    assert.equal((await take()).length, 30, "half of the burst");
    await advance(10_000);
    const { length } = await take();
    assert.ok(length >= 199 && length <= 201, `${length} in ten seconds`);
  });

  test("keys that all ask too much get the same", async () => {
    const { ask, take, advance } = setUp();
    const keys = ["a", "b", "c", "d"];
    for (const key of keys) for (let index = 0; index < 500; index += 1) ask(share(key));
    await advance(30_000);
    const served = await take();
    const counts = keys.map((key) => countOf(served, key));
    // The first two find the burst; after that all are served in rotation.
    assert.ok(Math.min(...counts) >= 100, counts.join());
    assert.ok(Math.max(...counts) - Math.min(...counts) <= 32, counts.join());
    await advance(10_000);
    const later = await take();
    const even = keys.map((key) => countOf(later, key));
    assert.ok(Math.max(...even) - Math.min(...even) <= 1, even.join());
  });

  test("a fresh question is asked before others of its key, and yet none waits for ever", async () => {
    const { ask, take, advance } = setUp();
    for (let index = 0; index < 30; index += 1) ask(share("many"));
    await take();
    for (let index = 0; index < 100; index += 1) ask(share("many", "retry"));
    for (let index = 0; index < 100; index += 1) ask(share("many", "recheck"));
    for (let index = 0; index < 100; index += 1) ask(share("many", "fresh"));
    await advance(4_000);
    const served = await take();
    const counts = ["fresh", "recheck", "retry"].map(
      (urgency) => served.filter((label) => label === `many ${urgency}`).length,
    );
    assert.equal(served.length, 80);
    assert.deepEqual(counts, [60, 0, 20], "three of four to the most urgent");
    await advance(4_000);
    const next = await take();
    assert.ok(next.filter((label) => label === "many recheck").length >= 15, next.join());
  });

  test("a key has three quarters of what may be in flight, at one server and at all", async () => {
    const gate = createLimiter({ maxInFlight: 40, maxWaiting: 1_000, nowMs: () => Date.now() });
    const start = (key: string, server: string, count: number): number =>
      askFor(share(key), () =>
        Array.from({ length: count }, () => gate.acquire(server, policy, never)).filter(
          (acquired) => typeof acquired === "function",
        ),
      ).length;
    assert.equal(start("many", "a", 20), 12);
    assert.equal(start("many", "b", 20), 12);
    assert.equal(start("many", "c", 20), 6, "three quarters of 40");
    assert.equal(start("other", "d", 4), 4);
  });

  test("a key's questions wait in three quarters of the queue", async () => {
    const { gate, ask } = setUp(100);
    for (let index = 0; index < 200; index += 1) ask(share("many"));
    askFor(share("many"), () => assert.equal(gate.acquire("b", policy, never), null));
    askFor(share("other"), () => assert.equal(typeof gate.acquire("b", policy, never), "function"));
  });

  test("who asks for nobody has everything", async () => {
    const { gate } = setUp();
    const free = Array.from({ length: 60 }, () => gate.acquire("a", wide, never));
    assert.ok(free.every((acquired) => typeof acquired === "function"));
    assert.ok(gate.acquire("a", wide, never) instanceof Promise);
  });
});

describe("a crowded server", () => {
  /** A check of two questions that can be put off. */
  function startChecks(setup: ReturnType<typeof setUp>, count: number, urgency: Urgency = "retry") {
    const appointments: number[] = [];
    for (let index = 0; index < count; index += 1) {
      const leaving = new AbortController();
      const onCrowded = (retryAfterMs: number) => {
        if (!leaving.signal.aborted) appointments.push(retryAfterMs);
        leaving.abort(new Error("put off"));
      };
      const checking = { key: "many", urgency, onCrowded };
      setup.ask(checking, policy, leaving.signal);
      setup.ask(checking, policy, leaving.signal);
    }
    return appointments;
  }

  test("takes what it can answer in some seconds, and appoints the rest further and further apart", async () => {
    const setup = setUp();
    const appointments = startChecks(setup, 10_000);
    const taken = 10_000 - appointments.length;
    // Twelve questions at once, 60 in the next three seconds.
    assert.ok(taken >= 36 && taken <= 38, `${taken} checks`);
    // Four questions each, at an eighth of 20 a second.
    const steps = appointments.slice(1, 1_000).map((at, index) => at - (appointments[index] ?? 0));
    assert.deepEqual(new Set(steps), new Set([1_600]));
    assert.ok(Math.max(...appointments) <= 3_600_000);
    await setup.advance(5_000);
    assert.equal((await setup.take()).length, 2 * taken, "all that were taken are served");
  });

  test("puts off no check that it has begun to serve, and none of another key", async () => {
    const setup = setUp();
    let isPutOff = false;
    const onCrowded = () => {
      isPutOff = true;
    };
    const early = { key: "many", urgency: "retry", onCrowded } as const;
    for (let index = 0; index < 40; index += 1) setup.ask(early);
    startChecks(setup, 100);
    setup.ask(early);
    setup.ask({ key: "other", urgency: "retry", onCrowded });
    assert.equal(isPutOff, false);
  });

  test("counts the retries of a key not before its fresh checks", async () => {
    const setup = setUp();
    assert.ok(startChecks(setup, 100, "retry").length > 0);
    assert.deepEqual(startChecks(setup, 5, "fresh"), []);
  });

  test("tells a check whose time ended in its queue, and no other, that it was put off", async () => {
    const setup = setUp();
    const putOff: string[] = [];
    for (let index = 0; index < 40; index += 1) setup.ask(share("many"));
    const ends = { late: "TimeoutError", gone: "AbortError" };
    for (const [name, reason] of Object.entries(ends)) {
      const leaving = new AbortController();
      const onCrowded = () => void putOff.push(name);
      setup.ask({ key: "many", urgency: "retry", onCrowded }, policy, leaving.signal);
      leaving.abort(new DOMException("over", reason));
    }
    assert.deepEqual(putOff, ["late"]);
  });
});

describe("a question that several wait for", () => {
  test("goes with the best of them, also when that one joins later", async () => {
    const { gate, ask, take, advance } = setUp();
    for (let index = 0; index < 1_000; index += 1) ask(share("many", "retry"));
    await take();
    const outer = createJointFlight<string>();
    const inner = createJointFlight<string>();
    const find = () =>
      outer("zone", never, (signal) =>
        inner("question", signal, async () => {
          await answered(gate, policy, never);
          return "answer";
        }),
      );
    const first = askFor(share("many", "retry"), find);
    let isAnswered = false;
    void first.then(() => {
      isAnswered = true;
    });
    await advance(1_000);
    assert.equal(isAnswered, false, "it waits behind those of its key");
    const joined = askFor(share("other", "fresh"), find);
    await settle();
    assert.equal(isAnswered, true, "served at once for the other");
    assert.deepEqual(await Promise.all([first, joined]), ["answer", "answer"]);
  });

  test("is not put off while one of them can wait for it", async () => {
    const { gate, ask } = setUp();
    for (let index = 0; index < 1_000; index += 1) ask(share("many"));
    await settle();
    const flight = createJointFlight<void>();
    let isPutOff = false;
    const onCrowded = () => {
      isPutOff = true;
    };
    const started = Promise.withResolvers<void>();
    const find = () =>
      flight("zone", never, async () => {
        await started.promise;
        await answered(gate, policy, never);
      });
    void askFor({ key: "many", urgency: "retry", onCrowded }, find);
    const joined = askFor(share("other"), find);
    started.resolve();
    await joined;
    assert.equal(isPutOff, false);
  });
});
