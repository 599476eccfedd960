import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate as tick } from "node:timers/promises";
import { createHandshakeStarts } from "./handshake-starts.ts";

describe("the starts of handshakes", () => {
  it("are at once for one, and in order with ticks for requests between them for others", async () => {
    const starts = createHandshakeStarts();
    const started: { readonly index: number; readonly at: number }[] = [];
    let passed = 0;
    for (let index = 0; index < 3; index += 1) starts(() => started.push({ index, at: passed }));
    assert.equal(started.length, 1);
    for (; passed < 20; passed += 1) await tick();
    assert.deepEqual(
      started.map(({ index }) => index),
      [0, 1, 2],
    );
    const [first, second, third] = started.map(({ at }) => at);
    assert.ok(second !== undefined && third !== undefined && first === 0);
    assert.ok(second >= 3 && third - second >= 3, JSON.stringify(started));
    // Nobody is waiting any more.
    starts(() => started.push({ index: 3, at: passed }));
    assert.equal(started.length, 4);
  });
});
