import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { singleFlight } from "./single-flight.ts";

const never = new AbortController().signal;

describe("singleFlight", () => {
  it("runs once for concurrent callers, and again afterwards", async () => {
    let runs = 0;
    const shared = singleFlight(async () => {
      runs += 1;
      return runs;
    });
    assert.deepEqual(await Promise.all([shared(never), shared(never)]), [1, 1]);
    assert.equal(await shared(never), 2);
  });

  it("passes a failure to all and does not cache it", async () => {
    let runs = 0;
    const shared = singleFlight(async () => {
      runs += 1;
      if (runs === 1) throw new Error("no");
      return runs;
    });
    const both = await Promise.allSettled([shared(never), shared(never)]);
    assert.deepEqual(
      both.map(({ status }) => status),
      ["rejected", "rejected"],
    );
    assert.equal(await shared(never), 2);
  });

  it("lets a waiting caller leave without disturbing the work", async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const shared = singleFlight(() => promise);
    const first = shared(never);
    const stop = new AbortController();
    const second = shared(stop.signal);
    stop.abort(new Error("bored"));
    await assert.rejects(second, { message: "bored" });
    resolve("done");
    assert.equal(await first, "done");
  });
});
