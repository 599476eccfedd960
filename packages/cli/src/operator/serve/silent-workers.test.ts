import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createSilentWorkers } from "./silent-workers.ts";

function watch() {
  const silent: number[] = [];
  let now = 0;
  const workers = createSilentWorkers(
    (pid) => silent.push(pid),
    () => now,
  );
  const pass = (seconds: number, talking: readonly number[] = []): void => {
    for (let second = 0; second < seconds; second += 1) {
      now += 1_000;
      for (const pid of talking) workers.received(pid);
      workers.check();
    }
  };
  return {
    workers,
    silent,
    pass,
    pause(seconds: number) {
      now += seconds * 1_000;
      workers.check();
    },
  };
}

describe("the watch for silent workers", () => {
  it("reports one that has sent nothing for ten seconds, once", () => {
    const { silent, pass } = watch();
    pass(3, [1, 2]);
    pass(10, [2]);
    assert.deepEqual(silent, []);
    pass(1, [2]);
    assert.deepEqual(silent, [1]);
    pass(30, [2]);
    assert.deepEqual(silent, [1]);
  });

  it("expects nothing of one that starts, or has ended", () => {
    const { workers, silent, pass } = watch();
    pass(20);
    workers.received(1);
    workers.ended(1);
    pass(20);
    assert.deepEqual(silent, []);
  });

  it("does not blame a worker when this process itself stood still", () => {
    const { silent, pass, pause } = watch();
    pass(3, [1]);
    pause(60);
    pass(10);
    assert.deepEqual(silent, []);
    pass(1);
    assert.deepEqual(silent, [1]);
  });
});
