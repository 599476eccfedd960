import assert from "node:assert/strict";
import { test } from "node:test";
import { createExpiringCache } from "./expiring-cache.ts";

test("an entry is given until its lifetime ends", () => {
  let now = 0;
  const cache = createExpiringCache<string>({ maxEntries: 10, nowMs: () => now });
  cache.set("a", "1", 100);
  now = 99;
  assert.equal(cache.get("a"), "1");
  now = 100;
  assert.equal(cache.get("a"), undefined);
  now = 50;
  assert.equal(cache.get("a"), undefined, "what has expired is gone");
});

test("beyond its bound the cache forgets what was not used for longest", () => {
  const cache = createExpiringCache<number>({ maxEntries: 2, nowMs: () => 0 });
  cache.set("a", 1, 10);
  cache.set("b", 2, 10);
  cache.get("a");
  cache.set("c", 3, 10);
  assert.deepEqual(["a", "b", "c"].map(cache.get), [1, undefined, 3]);
  cache.set("a", 4, 10);
  assert.deepEqual(["a", "c"].map(cache.get), [4, 3]);
});
