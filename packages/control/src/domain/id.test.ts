import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { newId } from "./id.ts";

describe("ids", () => {
  it("are UUIDs of version 7 with the RFC's variant", () => {
    for (let count = 0; count < 1_000; count += 1) {
      const id = newId(new Date());
      assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    }
  });

  it("hold their milliseconds in the first 48 bits", () => {
    const time = new Date("2026-11-15T12:34:56.789Z");
    const id = newId(time);
    assert.equal(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16), time.getTime());
  });

  it("sort by age as text", () => {
    const start = Date.UTC(2026, 0, 1);
    const ids = Array.from({ length: 2_000 }, (_, step) => newId(new Date(start + step * 37)));
    assert.deepEqual([...ids].sort(), ids);
  });

  it("do not repeat within one millisecond", () => {
    const now = new Date();
    assert.equal(new Set(Array.from({ length: 10_000 }, () => newId(now))).size, 10_000);
  });
});
