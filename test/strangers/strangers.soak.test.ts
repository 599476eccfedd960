import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ensureSoakPackages } from "../../scripts/system-packages.ts";
import { heavyCases } from "./heavy-cases.ts";
import { isOdd, runCases, storedTable, tableOf, withFronts } from "./table.ts";

describe("Go's and Java's clients", () => {
  it("see through the edge what they see through Caddy and nginx", {
    timeout: 900_000,
  }, async (context) => {
    await ensureSoakPackages();
    const cases = await heavyCases();
    const rows = await withFronts((fronts) => runCases(cases, fronts));
    context.diagnostic(tableOf(rows));
    assert.deepEqual(
      rows.filter((row) => isOdd(row) || row.ours.includes("failed")),
      [],
    );
    assert.equal(tableOf(rows).trim(), storedTable("heavy").trim());
  });
});
