import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FairQueue } from "./fair-queue.ts";

function queueOf(...entries: readonly string[]): FairQueue<string> {
  const queue = new FairQueue<string>();
  for (const entry of entries) {
    const [tenant = "", host = "", client = ""] = entry.split("/");
    queue.push([tenant, host, client], entry);
  }
  return queue;
}

function drain(queue: FairQueue<string>): string[] {
  const order: string[] = [];
  for (let next = queue.shift(); next !== null; next = queue.shift()) order.push(next);
  return order;
}

describe("a fair queue", () => {
  it("takes turns between groups at every level, and keeps the order within one", () => {
    const queue = queueOf("t/a/v/1", "t/a/v/2", "t/a/v/3", "t/a/w/1", "t/b/v/1", "u/c/v/1");
    assert.equal(queue.size, 6);
    assert.deepEqual(drain(queue), [
      "t/a/v/1",
      "u/c/v/1",
      "t/b/v/1",
      "t/a/w/1",
      "t/a/v/2",
      "t/a/v/3",
    ]);
    assert.equal(queue.size, 0);
  });

  it("has a single entry wait one turn behind a thousand of another group", () => {
    const queue = queueOf(...Array.from({ length: 1_000 }, (_, index) => `t/noisy/v/${index}`));
    queue.push(["t", "quiet", "w"], "t/quiet/w/1");
    queue.shift();
    assert.equal(queue.shift(), "t/quiet/w/1");
    assert.equal(queue.size, 999);
  });

  it("gives up the last entry of the largest group first", () => {
    const queue = queueOf("t/a/v/1", "t/a/v/2", "t/a/w/1", "t/b/v/1", "u/c/v/1", "u/c/v/2");
    assert.equal(queue.popLargest(), "t/a/v/2");
    assert.deepEqual([queue.popLargest(), queue.size], ["t/a/v/1", 4]);
    assert.equal(new FairQueue().popLargest(), null);
  });

  it("passes over what may not be taken", () => {
    const queue = queueOf("t/a/v/1", "u/b/v/1");
    assert.equal(
      queue.shift((entry) => entry.startsWith("u")),
      "u/b/v/1",
    );
    assert.equal(
      queue.shift(undefined, (tenant) => tenant !== "t"),
      null,
    );
    assert.equal(queue.shift(), "t/a/v/1");
  });

  it("removes what matches, wherever it waits", () => {
    const queue = queueOf("t/a/v/1", "t/a/v/2", "t/b/w/1");
    assert.deepEqual(
      queue.removeAll((entry) => entry.endsWith("/1")),
      ["t/a/v/1", "t/b/w/1"],
    );
    assert.deepEqual([queue.size, drain(queue)], [1, ["t/a/v/2"]]);
  });
});
