import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createPacedTurn } from "./paced-turn.ts";

describe("a paced turn of the event loop", () => {
  it("lets so many callers go on in each, in their order, and others' work between", async () => {
    const turn = createPacedTurn(2);
    const seen: string[] = [];
    const callers = ["a", "b", "c", "d", "e"].map((name) => turn().then(() => seen.push(name)));
    for (let loop = 1; loop <= 3; loop += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      seen.push(`loop ${loop}`);
    }
    await Promise.all(callers);
    assert.deepEqual(seen, ["a", "b", "loop 1", "c", "d", "loop 2", "e", "loop 3"]);
  });

  it("goes on for those who come after all have gone", async () => {
    const turn = createPacedTurn(1);
    await turn();
    await Promise.all([turn(), turn()]);
    await turn();
  });
});
