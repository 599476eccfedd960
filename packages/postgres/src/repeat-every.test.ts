import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { repeatEvery } from "./repeat-every.ts";

function withTimers(context: TestContext) {
  context.mock.timers.enable({ apis: ["setInterval"] });
  return context.mock.timers;
}

/** Lets promises that are ready run their callbacks. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

const failOnError = (error: unknown): void => assert.fail(String(error));

describe("repeatEvery", () => {
  it("runs after each interval, and at once only when asked to", async (context) => {
    const timers = withTimers(context);
    const runs: string[] = [];
    const run = (name: string) => async () => runs.push(name);
    const later = repeatEvery(1_000, run("later"), { onError: failOnError });
    const now = repeatEvery(1_000, run("now"), { startNow: true, onError: failOnError });
    assert.deepEqual(runs, ["now"]);
    await settle();
    timers.tick(1_000);
    assert.deepEqual(runs, ["now", "later", "now"]);
    await Promise.all([later.stop(), now.stop()]);
  });

  it("runs one at a time: a tick during a run is skipped", async (context) => {
    const timers = withTimers(context);
    const { promise, resolve } = Promise.withResolvers<void>();
    let runs = 0;
    const repeating = repeatEvery(
      1_000,
      () => {
        runs += 1;
        return promise;
      },
      { onError: failOnError },
    );
    timers.tick(3_000);
    assert.equal(runs, 1);
    resolve();
    await settle();
    timers.tick(1_000);
    assert.equal(runs, 2);
    await repeating.stop();
  });

  it("reports a failed run and runs again at the next tick", async (context) => {
    const timers = withTimers(context);
    const errors: unknown[] = [];
    const broken = new Error("broken");
    const repeating = repeatEvery(1_000, () => Promise.reject(broken), {
      onError: (error) => errors.push(error),
    });
    timers.tick(1_000);
    await settle();
    timers.tick(1_000);
    await settle();
    assert.deepEqual(errors, [broken, broken]);
    await repeating.stop();
  });

  it("stop waits for the run in progress and starts no further one", async (context) => {
    const timers = withTimers(context);
    const { promise, resolve } = Promise.withResolvers<void>();
    let runs = 0;
    const repeating = repeatEvery(
      1_000,
      () => {
        runs += 1;
        return promise;
      },
      { onError: failOnError },
    );
    timers.tick(1_000);
    let isStopped = false;
    const stopped = repeating.stop().then(() => {
      isStopped = true;
    });
    await settle();
    assert.equal(isStopped, false);
    resolve();
    await stopped;
    timers.tick(5_000);
    assert.equal(runs, 1);
  });
});
