import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createPacer } from "./pacer.ts";

describe("a pacer", () => {
  it("lets so many callers continue in each tick, in their order, and others' work between", async () => {
    const pace = createPacer(2);
    const seen: string[] = [];
    const callers = ["a", "b", "c", "d", "e"].map((name) => pace().then(() => seen.push(name)));
    for (let loop = 1; loop <= 3; loop += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      seen.push(`loop ${loop}`);
    }
    await Promise.all(callers);
    assert.deepEqual(seen, ["a", "b", "loop 1", "c", "d", "loop 2", "e", "loop 3"]);
  });

  it("continues for those who come after all have gone", async () => {
    const pace = createPacer(1);
    await pace();
    await Promise.all([pace(), pace()]);
    await pace();
  });
});
