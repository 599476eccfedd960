import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { needsNewKey, signingKey } from "./signing-keys.ts";

const hour = 3_600_000;
const day = 24 * hour;
const now = new Date("2026-11-15T00:00:00Z");

function keyOf(ageMs: number): { readonly createdAt: Date } {
  return { createdAt: new Date(now.getTime() - ageMs) };
}

describe("which key signs assertions", () => {
  it("is the first one at once, because there is no older one", () => {
    const only = keyOf(0);
    assert.equal(signingKey([only], now), only);
    assert.equal(signingKey([], now), null);
  });

  it("is the old one until the new one has been published for an hour", () => {
    const [old, young] = [keyOf(90 * day), keyOf(hour - 1)];
    assert.equal(signingKey([young, old], now), old);
    const known = keyOf(hour);
    assert.equal(signingKey([old, known], now), known);
  });

  it("is followed by a new one after 90 days, and by one only", () => {
    assert.equal(needsNewKey([], now), true);
    assert.equal(needsNewKey([keyOf(90 * day - 1)], now), false);
    assert.equal(needsNewKey([keyOf(90 * day)], now), true);
    assert.equal(needsNewKey([keyOf(90 * day), keyOf(0)], now), false);
    assert.equal(needsNewKey([keyOf(-hour)], now), false, "made by a clock ahead of ours");
  });
});
