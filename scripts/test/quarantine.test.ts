import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { quarantineProblems, readQuarantine } from "./quarantine.ts";

const today = new Date("2026-11-15T12:00:00Z");
const entry = (since: string, file = "test/world/a.test.ts") => ({
  file,
  since,
  reason: "depends on the order of two timers",
});
const exists = () => true;

describe("the quarantine of flaky tests", () => {
  it("has no problems as committed", () => {
    assert.deepEqual(quarantineProblems(readQuarantine(), new Date()), []);
  });

  it("accepts an entry for 14 days and no longer", () => {
    assert.deepEqual(quarantineProblems([entry("2026-11-01")], today, exists), []);
    assert.match(String(quarantineProblems([entry("2026-10-31")], today, exists)), /15 days/);
    assert.match(String(quarantineProblems([entry("2026-11-17")], today, exists)), /in the future/);
  });

  it("accepts at most five entries", () => {
    const entries = Array.from({ length: 6 }, () => entry("2026-11-15"));
    assert.deepEqual(quarantineProblems(entries.slice(1), today, exists), []);
    assert.match(String(quarantineProblems(entries, today, exists)), /6 entries/);
  });

  it("names only files that exist", () => {
    const problems = quarantineProblems([entry("2026-11-15")], today, () => false);
    assert.match(String(problems), /test\/world\/a\.test\.ts does not exist/);
  });
});
