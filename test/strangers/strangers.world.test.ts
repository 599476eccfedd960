import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { chromiumCases } from "./browser.ts";
import { lightCases } from "./cases.ts";
import { acceleratedViolations, frameRows, h2Cases, violations } from "./h2/cases.ts";
import {
  formatTable,
  isOdd,
  isOddAccelerated,
  type Row,
  runCases,
  storedTable,
  withFronts,
} from "./table.ts";

describe("clients that nobody here wrote", () => {
  it("see through the edge what they see through Caddy and nginx", async (context) => {
    const rows = await withFronts((fronts) => runCases([...lightCases, ...chromiumCases], fronts));
    context.diagnostic(formatTable(rows));
    const odd = rows.filter((row) => isOdd(row) !== row.isDivergence);
    assert.deepEqual(odd, []);
    assert.deepEqual(rows.filter(isOddAccelerated), []);
    assert.deepEqual(
      rows.filter(({ ours }) => /failed|reset|closed/.test(ours.replace("0 failed", ""))),
      [],
    );
    assert.equal(formatTable(rows).trim(), storedTable("light").trim());
  });
});

describe("HTTP/2 frames, right and wrong", () => {
  it("are treated as RFC 9113 says, and as Caddy and nginx treat them", async (context) => {
    const rows = await withFronts((fronts) => runCases(frameRows, fronts, 8));
    context.diagnostic(`${rows.length} cases`);
    assert.deepEqual(
      rows.filter((row) => isOdd(row) !== row.isDivergence),
      [],
    );
    assert.deepEqual(rows.filter(isOddAccelerated), []);
    const wrong = (outcome: (row: Row) => string): ReadonlySet<string> =>
      new Set(
        rows
          .filter((row, index) => !h2Cases[index]?.allowed.includes(outcome(row)))
          .map(({ name }) => name),
      );
    assert.deepEqual(
      wrong(({ ours }) => ours),
      violations,
    );
    assert.deepEqual(
      wrong(({ accelerated }) => accelerated),
      acceleratedViolations,
    );
    assert.equal(formatTable(rows).trim(), storedTable("frames").trim());
  });
});
