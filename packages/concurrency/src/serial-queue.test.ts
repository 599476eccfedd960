import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate } from "node:timers/promises";
import { createSerialQueue } from "./serial-queue.ts";

describe("createSerialQueue", () => {
  it("runs one at a time, in the order of the calls, each with its result", async () => {
    const serially = createSerialQueue();
    const steps: string[] = [];
    const run = (name: string) =>
      serially(async () => {
        steps.push(`${name} starts`);
        await setImmediate();
        steps.push(`${name} ends`);
        return name;
      });
    assert.deepEqual(await Promise.all([run("a"), run("b")]), ["a", "b"]);
    assert.deepEqual(steps, ["a starts", "a ends", "b starts", "b ends"]);
  });

  it("gives a failure to its caller only", async () => {
    const serially = createSerialQueue();
    const failing = serially(() => Promise.reject(new Error("broken")));
    const next = serially(async () => "done");
    await assert.rejects(failing, /broken/);
    assert.equal(await next, "done");
  });
});
