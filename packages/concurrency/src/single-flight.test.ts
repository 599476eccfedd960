import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { describe, it } from "node:test";
import { createSingleFlight } from "./single-flight.ts";

const never = new AbortController().signal;

/** Runs that the test ends, with the signals they got. */
function setUp() {
  const share = createSingleFlight<string>();
  const runs: (PromiseWithResolvers<string> & { readonly signal: AbortSignal })[] = [];
  const call = (key: string, signal: AbortSignal | null) =>
    share(key, signal, (inner) => {
      const run = { ...Promise.withResolvers<string>(), signal: inner };
      runs.push(run);
      return run.promise;
    });
  return { call, runs };
}

describe("createSingleFlight", () => {
  it("runs once for callers of the same key, and again afterwards", async () => {
    const { call, runs } = setUp();
    const both = Promise.all([call("a", never), call("a", null)]);
    const other = call("b", never);
    assert.equal(runs.length, 2);
    runs[0]?.resolve("first");
    runs[1]?.resolve("other");
    assert.deepEqual(await both, ["first", "first"]);
    assert.equal(await other, "other");
    const again = call("a", never);
    runs[2]?.resolve("second");
    assert.equal(await again, "second");
    assert.equal(getEventListeners(never, "abort").length, 0);
  });

  it("has ended when the first caller learns the result", async () => {
    const { call, runs } = setUp();
    const next = call("a", never).then(() => call("a", never));
    runs[0]?.resolve("first");
    void runs[0]?.promise.then(() => setImmediate(() => runs[1]?.resolve("second")));
    assert.equal(await next, "second");
  });

  it("passes a failure to all and does not keep it", async () => {
    const { call, runs } = setUp();
    const both = Promise.allSettled([call("a", never), call("a", null)]);
    runs[0]?.reject(new Error("broken"));
    assert.deepEqual(
      (await both).map(({ status }) => status),
      ["rejected", "rejected"],
    );
    const again = call("a", never);
    runs[1]?.resolve("fine");
    assert.equal(await again, "fine");
  });

  it("lets a caller leave without disturbing the others, also the first one", async () => {
    const { call, runs } = setUp();
    const stop = new AbortController();
    const first = call("a", stop.signal);
    const second = call("a", never);
    stop.abort(new Error("left"));
    await assert.rejects(first, /left/);
    assert.equal(runs[0]?.signal.aborted, false);
    runs[0]?.resolve("done");
    assert.equal(await second, "done");
    assert.equal(runs.length, 1);
  });

  it("aborts the run when its last caller leaves, and starts another for the next", async () => {
    const { call, runs } = setUp();
    const stops = [new AbortController(), new AbortController()];
    const left = Promise.allSettled(stops.map(({ signal }) => call("a", signal)));
    for (const stop of stops) stop.abort(new Error("left"));
    await left;
    assert.equal(runs[0]?.signal.reason, stops[1]?.signal.reason);
    const next = call("a", never);
    runs[0]?.reject(new Error("aborted"));
    runs[1]?.resolve("done");
    assert.equal(await next, "done");
  });

  it("never aborts a run that a caller without a signal shares", async () => {
    const { call, runs } = setUp();
    const stop = new AbortController();
    const stays = call("a", null);
    const leaves = call("a", stop.signal);
    stop.abort(new Error("left"));
    await assert.rejects(leaves, /left/);
    assert.equal(runs[0]?.signal.aborted, false);
    runs[0]?.resolve("done");
    assert.equal(await stays, "done");
  });

  it("starts nothing for a caller that has left already", async () => {
    const { call, runs } = setUp();
    await assert.rejects(call("a", AbortSignal.abort(new Error("left"))), /left/);
    assert.equal(runs.length, 0);
  });
});
