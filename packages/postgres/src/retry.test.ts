import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createRunRecord, retryMs } from "./retry.ts";

describe("retryMs", () => {
  it("grows by four with each failure of the row, from 15 seconds", () => {
    const waits = [0, 1, 2, 3, 4].map((failures) => retryMs(failures, () => 0.5) / 1_000);
    assert.deepEqual(waits, [15, 15, 60, 240, 960]);
  });

  it("is spread by a fifth to both sides", () => {
    assert.deepEqual([retryMs(1, () => 0), retryMs(1, () => 1)], [12_000, 18_000]);
  });
});

describe("the record of a loop's runs", () => {
  it("takes one row that fails all the time for that row's fault", () => {
    const record = createRunRecord();
    for (let run = 0; run < 100; run += 1) record.note("one", true);
    assert.equal(record.isWidespread(), false);
  });

  it("takes failures of most rows for a fault elsewhere, until most succeed again", () => {
    const record = createRunRecord();
    for (let run = 0; run < 8; run += 1) record.note(`row ${run}`, true);
    assert.equal(record.isWidespread(), true);
    for (let run = 0; run < 8; run += 1) record.note(`row ${run}`, false);
    assert.equal(record.isWidespread(), false);
  });
});
