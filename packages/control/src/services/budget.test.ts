import assert from "node:assert/strict";
import { test } from "node:test";
import { orElse } from "@mooring/concurrency";
import { withBudget } from "./budget.ts";

const forever = new Promise<string>(() => undefined);
const { signal: never } = new AbortController();

test("work that ignores the end of its budget is not waited for", async () => {
  const result = await withBudget(5, never, (signal) => orElse(signal, forever, "unknown"));
  assert.equal(result, "unknown");
});

test("the signal is aborted once the result is there", async () => {
  let inner: AbortSignal | undefined;
  await withBudget(60_000, never, async (signal) => {
    inner = signal;
    assert.equal(signal.aborted, false);
  });
  assert.equal(inner?.aborted, true);
});

test("a failure of the work itself is passed on, one after the end is not", async () => {
  const broken = new Error("database away");
  await assert.rejects(orElse(never, Promise.reject(broken), null), broken);
  const ended = AbortSignal.abort();
  assert.equal(await orElse(ended, Promise.reject(broken), "unknown"), "unknown");
  assert.equal(await orElse(never, Promise.resolve("value"), "unknown"), "value");
});

test("the caller's own signal ends the work too", async () => {
  const caller = new AbortController();
  const result = withBudget(60_000, caller.signal, (signal) => orElse(signal, forever, "unknown"));
  caller.abort();
  assert.equal(await result, "unknown");
});
