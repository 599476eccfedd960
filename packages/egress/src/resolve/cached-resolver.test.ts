import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { EgressError } from "../egress-error.ts";
import { createCachedResolver, TooManyNames } from "./cached-resolver.ts";
import type { NameAnswer } from "./name-servers.ts";

const found = (address: string, ttlMs = 60_000): NameAnswer => ({
  kind: "found",
  addresses: [address],
  ttlMs,
});
const minute = 60_000;

/** Name servers that a test answers for, and a clock that it moves. */
function world(options: { readonly maxNames?: number; readonly perOwner?: number } = {}) {
  const asked: string[] = [];
  const state = {
    nowMs: 0,
    asked,
    answer: (_name: string): Promise<NameAnswer> => Promise.resolve(found("192.0.2.1")),
  };
  const resolve = createCachedResolver({
    ...options,
    nowMs: () => state.nowMs,
    ask(name) {
      asked.push(name);
      return state.answer(name);
    },
  });
  return { state, resolve };
}

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
const failure = () => Promise.reject(new EgressError("timeout", "silent"));

describe("cached answers", () => {
  test("are used for their time to live, then while a new one is fetched", async () => {
    const { state, resolve } = world();
    for (let call = 0; call < 3; call += 1) await resolve("A.example");
    assert.deepEqual(state.asked, ["a.example"]);
    state.nowMs = minute + 1;
    state.answer = async () => found("192.0.2.2");
    assert.deepEqual(await resolve("a.example"), ["192.0.2.1"]);
    await settle();
    assert.deepEqual(await resolve("a.example"), ["192.0.2.2"]);
    assert.equal(state.asked.length, 2);
  });

  test("older than the time of a refresh are used only when no new one can be had", async () => {
    const { state, resolve } = world();
    await resolve("a.example");
    state.nowMs = 10 * minute;
    state.answer = async () => found("192.0.2.2", 1_000);
    assert.deepEqual(await resolve("a.example"), ["192.0.2.2"]);
    state.nowMs += minute;
    state.answer = failure;
    assert.deepEqual(await resolve("a.example"), ["192.0.2.2"]);
    // Not asked again at once.
    const askedBefore = state.asked.length;
    assert.deepEqual(await resolve("a.example"), ["192.0.2.2"]);
    assert.equal(state.asked.length, askedBefore);
    state.nowMs += 70 * minute;
    await assert.rejects(resolve("a.example"), { kind: "timeout" });
  });

  test("go at once when the name no longer exists", async () => {
    const { state, resolve } = world();
    await resolve("a.example");
    state.nowMs = 5 * minute;
    state.answer = async () => ({ kind: "absent" });
    await assert.rejects(resolve("a.example"), { kind: "dns", message: "the host has no address" });
  });

  test("that are negative or failures last for seconds", async () => {
    for (const answer of [failure, async (): Promise<NameAnswer> => ({ kind: "absent" })]) {
      const { state, resolve } = world();
      state.answer = answer;
      await assert.rejects(resolve("a.example"));
      await assert.rejects(resolve("a.example"));
      assert.equal(state.asked.length, 1);
      state.nowMs = 5_001;
      state.answer = async () => found("192.0.2.3");
      assert.deepEqual(await resolve("a.example"), ["192.0.2.3"]);
    }
  });

  test("are bounded in number and in time, the least recently used leaving first", async () => {
    const { state, resolve } = world({ maxNames: 2 });
    state.answer = async () => found("192.0.2.1", 86_400_000);
    await resolve("a.example");
    await resolve("b.example");
    await resolve("a.example");
    await resolve("c.example");
    await resolve("a.example");
    assert.deepEqual(state.asked, ["a.example", "b.example", "c.example"]);
    await resolve("b.example");
    assert.equal(state.asked.length, 4);
    state.nowMs = 5 * minute + 1;
    await resolve("b.example");
    assert.equal(state.asked.length, 5);
  });
});

describe("questions under way", () => {
  test("are shared by equal names", async () => {
    const { state, resolve } = world();
    const { promise, resolve: answer } = Promise.withResolvers<NameAnswer>();
    state.answer = () => promise;
    const calls = Array.from({ length: 200 }, (_, index) => resolve("a.example", `t${index % 3}`));
    await settle();
    assert.deepEqual(state.asked, ["a.example"]);
    answer(found("192.0.2.1"));
    assert.equal((await Promise.all(calls)).length, 200);
  });

  test("of one owner have slots of their own, and delay no other owner", async () => {
    const { state, resolve } = world({ perOwner: 4 });
    const { promise: silence, resolve: speak } = Promise.withResolvers<NameAnswer>();
    state.answer = (name) => (name.startsWith("dead") ? silence : Promise.resolve(found("::1")));
    const dead = Array.from({ length: 200 }, (_, index) => resolve(`dead${index}.example`, "a"));
    await settle();
    assert.equal(state.asked.length, 4);
    assert.deepEqual(await resolve("alive.example", "b"), ["::1"]);
    assert.deepEqual(await resolve("ours.example"), ["::1"]);
    speak({ kind: "absent" });
    const outcomes = await Promise.allSettled(dead);
    assert.ok(outcomes.every(({ status }) => status === "rejected"));
    assert.equal(state.asked.length, 202);
  });

  test("are refused when the owner's queue is full", async () => {
    const { state, resolve } = world({ perOwner: 1 });
    const { promise: silence, resolve: speak } = Promise.withResolvers<NameAnswer>();
    state.answer = () => silence;
    const dead = Array.from({ length: 1_025 }, (_, index) => resolve(`n${index}.example`, "a"));
    await assert.rejects(resolve("one-more.example", "a"), TooManyNames);
    speak({ kind: "absent" });
    await Promise.allSettled(dead);
  });

  test("end after their time, whatever the name servers do", async () => {
    const resolve = createCachedResolver({
      ask: () => new Promise(() => undefined),
      timeoutMs: 20,
    });
    await assert.rejects(resolve("a.example"), {
      kind: "timeout",
      message: "the name servers of the host did not answer in time",
    });
  });
});
