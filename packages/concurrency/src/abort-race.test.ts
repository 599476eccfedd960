import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { describe, it } from "node:test";
import { orElse, unlessAborted } from "./abort-race.ts";

const listeners = (signal: AbortSignal): number => getEventListeners(signal, "abort").length;

for (const [name, race] of [
  ["unlessAborted", unlessAborted],
  ["orElse", (signal: AbortSignal, work: Promise<string>) => orElse(signal, work, "")],
] as const) {
  describe(name, () => {
    it("passes on a result and a failure, and leaves no listener", async () => {
      const { signal } = new AbortController();
      assert.equal(await race(signal, Promise.resolve("done")), "done");
      await assert.rejects(race(signal, Promise.reject(new Error("broken"))), /broken/);
      assert.equal(listeners(signal), 0);
    });

    it("ignores what the work comes to after the abort", async () => {
      const { promise, reject } = Promise.withResolvers<string>();
      const stop = new AbortController();
      const raced = race(stop.signal, promise);
      stop.abort(new Error("left"));
      reject(new Error("too late"));
      await raced.then(
        (value) => assert.equal(value, ""),
        (error: unknown) => assert.equal(error, stop.signal.reason),
      );
      assert.equal(listeners(stop.signal), 0);
    });
  });
}

describe("unlessAborted", () => {
  it("rejects with the reason when the signal aborts, or has aborted already", async () => {
    const { promise } = Promise.withResolvers<string>();
    const stop = new AbortController();
    const raced = unlessAborted(stop.signal, promise);
    stop.abort(new Error("left"));
    await assert.rejects(raced, /left/);
    await assert.rejects(unlessAborted(stop.signal, Promise.resolve("done")), /left/);
  });
});

describe("orElse", () => {
  it("resolves with the fallback when the signal aborts, or has aborted already", async () => {
    const { promise } = Promise.withResolvers<string>();
    const stop = new AbortController();
    const raced = orElse(stop.signal, promise, "fallback");
    stop.abort();
    assert.equal(await raced, "fallback");
    assert.equal(await orElse(stop.signal, Promise.resolve("done"), "fallback"), "fallback");
  });
});
