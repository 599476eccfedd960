import assert from "node:assert/strict";
import { mkdtempSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, describe, it, type TestContext } from "node:test";
import type { Host } from "../host.ts";
import { TakenOverStore } from "./errors.ts";
import { HostStore } from "./host-store.ts";
import { createWriterLock, type WriterLock } from "./writer-lock.ts";

function createHost(hostname: string): Host {
  return {
    hostname,
    epoch: 1,
    environment: "live",
    connectionId: "connection",
    own: null,
    applicationId: "application",
    tenantId: "tenant",
    registrableDomain: "example",
  };
}

const base = mkdtempSync(path.join(tmpdir(), "mooring-takeover-"));
after(() => rmSync(base, { recursive: true, force: true }));

describe("the lock of the process that writes", () => {
  /** As two processes have it; the first writes. */
  function two(context: TestContext) {
    const folder = mkdtempSync(path.join(base, "lock-"));
    const [first, second] = [createWriterLock(folder), createWriterLock(folder)];
    context.after(() => {
      for (const lock of [first, second]) lock.unlock();
    });
    assert.ok(first.tryLock());
    return { file: path.join(folder, "writer-1.lock"), first, second };
  }

  const failedTries = (lock: WriterLock, most: number): number => {
    let tries = 0;
    while (tries < most && !lock.tryLock()) tries += 1;
    return tries;
  };

  it("is taken over after six tries without a sign of life, at two a second", (context) => {
    const { first, second } = two(context);
    // The first try sees the sign; the six that follow see no other.
    assert.equal(failedTries(second, 100), 6);
    assert.equal(second.takeovers(), 1);
    assert.equal(second.term(), 2);
    assert.ok(first.isEnded());
    assert.ok(!second.isEnded());
  });

  it("stays with the first as long as that gives signs of life", (context) => {
    const { file, first, second } = two(context);
    for (let sign = 1; sign <= 5; sign += 1) {
      assert.equal(failedTries(second, 5), 5);
      const at = new Date(Date.now() - 60_000 + sign * 1_000);
      utimesSync(file, at, at);
    }
    assert.equal(second.takeovers(), 0);
    assert.ok(!first.isEnded());
  });

  it("stays with the first through long work that was announced", (context) => {
    const { first, second } = two(context);
    first.beat(60_000);
    assert.equal(failedTries(second, 20), 20);
  });

  it("goes to another process as soon as the first gives it back", (context) => {
    const { first, second } = two(context);
    assert.ok(!second.tryLock());
    first.unlock();
    assert.ok(second.tryLock());
    assert.equal(second.takeovers(), 0);
    assert.equal(second.term(), 1);
  });
});

describe("a process whose term has ended", () => {
  it("writes nothing in a store of a later term", () => {
    const file = path.join(base, "store.sqlite");
    const first = HostStore.create(file, 1);
    first.write([{ hostname: "first.example", host: createHost("first.example") }]);
    first.finish();
    const second = HostStore.open(file);
    assert.ok(second.takeOver(2));
    for (const work of [
      () => first.write([{ hostname: "late.example", host: createHost("late.example") }]),
      () => first.write([], { asOf: "2026-11-16T00:00:00Z" }),
      () => first.takeOver(1),
    ]) {
      assert.throws(work, TakenOverStore);
    }
    second.write([{ hostname: "second.example", host: createHost("second.example") }]);
    assert.deepEqual(second.namesAfter("", 10), ["first.example", "second.example"]);
    assert.equal(second.state().asOf, null);
    for (const store of [first, second]) store.close();
  });
});
