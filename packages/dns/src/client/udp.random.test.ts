import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inBlocks } from "./udp.ts";

describe("inBlocks", () => {
  test("hands out no byte twice and asks its source once a block", () => {
    let [next, draws] = [0, 0];
    const source = (size: number) => {
      draws += 1;
      return Uint8Array.from({ length: size }, () => next++);
    };
    const random = inBlocks(source, 16);
    const given = [3, 5, 8, 2, 14, 1, 16].map((size) => {
      const bytes = random(size);
      assert.equal(bytes.length, size);
      return [...bytes];
    });
    assert.equal(new Set(given.flat()).size, given.flat().length);
    assert.equal(draws, 4);
    assert.equal(random(17).length, 17);
  });
});
