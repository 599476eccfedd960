import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { createSlots } from "./slots.ts";

function withTimers(context: TestContext) {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  return context.mock.timers;
}

describe("createSlots", () => {
  it("has as many free slots as the concurrency, less those taken", (context) => {
    withTimers(context);
    const slots = createSlots({ concurrency: 2 }, () => undefined);
    const slot = slots.take();
    slots.take();
    assert.equal(slots.free(), 0);
    slot.release();
    assert.equal(slots.free(), 1);
  });

  it("gives the slot of a row that runs for a second to another row, and reports it", (context) => {
    const timers = withTimers(context);
    let freed = 0;
    const slots = createSlots({ concurrency: 1, maxConcurrency: 3 }, () => {
      freed += 1;
    });
    slots.take();
    timers.tick(999);
    assert.deepEqual([slots.free(), freed], [0, 0]);
    timers.tick(1);
    assert.deepEqual([slots.free(), freed], [1, 1]);
  });

  it("never lets more rows run than the maximum, slow ones included", (context) => {
    const timers = withTimers(context);
    const slots = createSlots({ concurrency: 1, maxConcurrency: 2 }, () => undefined);
    const slow = slots.take();
    timers.tick(1_000);
    slots.take();
    assert.equal(slots.free(), 0);
    timers.tick(1_000);
    assert.equal(slots.free(), 0);
    slow.release();
    assert.equal(slots.free(), 1);
  });

  it("without a maximum, a slow row occupies its slot until it ends", (context) => {
    const timers = withTimers(context);
    const slots = createSlots({ concurrency: 1 }, () => undefined);
    const slot = slots.take();
    timers.tick(5_000);
    assert.equal(slots.free(), 0);
    slot.release();
    assert.equal(slots.free(), 1);
  });

  it("frees the slot of a fast row once, and calls nothing later", (context) => {
    const timers = withTimers(context);
    let freed = 0;
    const slots = createSlots({ concurrency: 1 }, () => {
      freed += 1;
    });
    slots.take().release();
    timers.tick(5_000);
    assert.deepEqual([slots.free(), freed], [1, 0]);
  });
});
