import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createRecent } from "./recent.ts";

describe("the entries used last", () => {
  it("are never more than their number, and the last half of them stays", () => {
    const recent = createRecent<number>(10);
    for (let index = 0; index < 100; index += 1) {
      recent.set(`k${index}`, index);
      assert.ok([...recent.entries()].length <= 10);
      for (let last = Math.max(0, index - 4); last <= index; last += 1) {
        assert.ok([...recent.entries()].some(([key]) => key === `k${last}`));
      }
    }
  });

  it("stay while they are used, whatever is added meanwhile", () => {
    const recent = createRecent<number>(10);
    recent.set("used", 1);
    for (let index = 0; index < 100; index += 1) {
      recent.set(`k${index}`, index);
      assert.equal(recent.get("used"), 1);
    }
    assert.equal(recent.get("k0"), undefined);
  });

  it("are gone when they are deleted, wherever they were", () => {
    const recent = createRecent<number>(4);
    for (const key of ["a", "b", "c"]) recent.set(key, 1);
    for (const key of ["a", "c"]) recent.delete(key);
    assert.deepEqual([...recent.entries()], [["b", 1]]);
    recent.clear();
    assert.equal(recent.get("b"), undefined);
  });
});
