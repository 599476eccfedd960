import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import {
  isDrifted,
  isMagic,
  isUnderMagic,
  magicLabels,
  nodeAt,
  toSandboxRecord,
  visibleFrom,
} from "./sandbox.ts";

describe("magic names", () => {
  it("begin with their label and are under .test", () => {
    assert.ok(isMagic("certfail.acme.test", "certfail"));
    assert.ok(isMagic("stall.shop.acme.test", "stall"));
    assert.ok(!isMagic("certfail.acme.example", "certfail"));
    assert.ok(!isMagic("notstall.acme.test", "stall"));
    assert.ok(!isMagic("www.stall.acme.test", "stall"));
  });

  it("include the names below them", () => {
    assert.ok(isUnderMagic("_service-challenge.stall.acme.test", "stall"));
    assert.ok(isUnderMagic("*.stall.acme.test", "stall"));
    assert.ok(isUnderMagic("stall.acme.test", "stall"));
    assert.ok(!isUnderMagic("x.notstall.acme.test", "stall"));
    assert.ok(!isUnderMagic("x.stall.acme.example", "stall"));
  });

  it("are the table of the documentation, row by row", async () => {
    const page = await readFile(new URL("../../../../../docs/sandbox.md", import.meta.url), "utf8");
    const documented = page.split("\n").filter((line) => /^\| `\w+\.` \|/.test(line));
    assert.deepEqual(
      documented,
      magicLabels.map(
        ({ label, effect, sentence }) => `| \`${label}.\` | ${effect} | ${sentence} |`,
      ),
    );
  });
});

describe("visibleFrom", () => {
  const record = {
    name: "a.b.test",
    type: "A",
    value: "192.0.2.1",
    ttl: 60,
    priority: null,
  } as const;
  const written = new Date("2026-11-01T00:00:00Z");
  const isThere = (delayMs: number, afterMs: number): boolean => {
    const records = [toSandboxRecord(record, visibleFrom(written, delayMs))];
    const now = new Date(written.getTime() + afterMs);
    return nodeAt({ zone: "b.test", records }, record.name, { now, isDrifted: false }).exists;
  };

  it("has a record there at once, for a process too whose clock is late", () => {
    assert.ok(isThere(0, 0));
    assert.ok(isThere(0, -500));
  });

  it("keeps a delay to the millisecond", () => {
    assert.ok(!isThere(5_000, 4_999));
    assert.ok(isThere(5_000, 5_000));
  });
});

describe("isDrifted", () => {
  const at = (seconds: number) => new Date(1_000 * seconds);

  it("begins 10 s after live and ends with a write after that", () => {
    assert.ok(!isDrifted(null, at(0), at(1_000)));
    assert.ok(!isDrifted(at(100), at(0), at(109.999)));
    assert.ok(isDrifted(at(100), at(109.999), at(110)));
    assert.ok(!isDrifted(at(100), at(110), at(110)));
  });
});
