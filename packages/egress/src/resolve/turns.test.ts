import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createTurns } from "./turns.ts";

describe("turns of the event loop", () => {
  it("let so many callers go on in each, in their order, and others' work between", async () => {
    const turn = createTurns(2);
    const seen: string[] = [];
    const callers = ["a", "b", "c", "d", "e"].map((name) => turn().then(() => seen.push(name)));
    for (let loop = 1; loop <= 3; loop += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      seen.push(`loop ${loop}`);
    }
    await Promise.all(callers);
    assert.deepEqual(seen, ["a", "b", "loop 1", "c", "d", "loop 2", "e", "loop 3"]);
  });

  it("go on for those who come after all have gone", async () => {
    const turn = createTurns(1);
    await turn();
    await Promise.all([turn(), turn()]);
    await turn();
  });
});
