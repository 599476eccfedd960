import assert from "node:assert/strict";
import { test } from "node:test";
import type { DnssecSource } from "./chain.ts";
import { rootAnchors } from "./trust-anchor.ts";
import { createValidator } from "./validator.ts";

test("a root that lets a check run into its time limit is not asked by the next one", async () => {
  let [nowMs, asked] = [0, 0];
  const source: DnssecSource = {
    findServers: (_zone, signal) => {
      asked += 1;
      return new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      });
    },
    ask: async () => null,
  };
  const validate = createValidator({ source, anchors: rootAnchors, now: () => new Date(nowMs) });
  const check = (signal: AbortSignal) => validate("www.acme.example", ["A"], signal);
  const abortAfter = async (ms: number) => {
    const limit = new AbortController();
    const running = check(limit.signal);
    nowMs += ms;
    limit.abort(new Error("over"));
    await assert.rejects(running, /over/);
  };
  await abortAfter(1_000);
  await abortAfter(10_000);
  assert.equal(asked, 2, "an early abort says nothing about the servers");
  const { signal } = new AbortController();
  assert.deepEqual(await check(signal), { outcome: "indeterminate" });
  assert.equal(asked, 2);
  nowMs += 31_000;
  await abortAfter(1_000);
  assert.equal(asked, 3);
});

test("an anchor that is no DS data is refused", () => {
  const source = { findServers: async () => [], ask: async () => null };
  assert.throws(
    () => createValidator({ source, anchors: ["20326 8 2"], now: () => new Date() }),
    RangeError,
  );
});
