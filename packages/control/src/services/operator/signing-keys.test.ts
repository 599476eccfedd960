import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { publishedKeys } from "./signing-keys.ts";

const day = 86_400_000;
const now = new Date("2026-11-15T00:00:00Z");

function key(ageDays: number, isRetired = false) {
  const createdAt = new Date(now.getTime() - ageDays * day);
  return { createdAt, retiredAt: isRetired ? now : null };
}

describe("publishedKeys", () => {
  it("are the newest and, for two days, the one before", () => {
    const [first, second] = [key(92), key(1.9)];
    assert.deepEqual(publishedKeys([first, second], now), [second, first]);
    const later = key(2);
    assert.deepEqual(publishedKeys([first, later], now), [later]);
  });

  it("are never without the newest, however old it is", () => {
    const only = key(400);
    assert.deepEqual(publishedKeys([only], now), [only]);
    assert.deepEqual(publishedKeys([], now), []);
  });

  it("exclude a retired one at once, and include the one before", () => {
    const [first, leaked] = [key(30), key(10, true)];
    assert.deepEqual(publishedKeys([first, leaked], now), [first]);
  });
});
