import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createProgress, type Progress, progressText } from "./progress.ts";

describe("the progress of an import", () => {
  it("is reported at the start, every two seconds, and at the end, with the time that is left", () => {
    let nowMs = 0;
    const reports: Progress[] = [];
    const note = createProgress(
      1_000,
      () => nowMs,
      (progress) => reports.push(progress),
    );
    note(0);
    for (let done = 1; done <= 1_000; done += 1) {
      nowMs += 100;
      note(done);
    }
    assert.equal(reports.length, 51);
    assert.deepEqual(reports[0], { done: 0, total: 1_000, seconds_left: null });
    assert.deepEqual(reports[1], { done: 20, total: 1_000, seconds_left: 98 });
    assert.deepEqual(reports.at(-1), { done: 1_000, total: 1_000, seconds_left: 0 });
    const texts = [0, 1, 25, 50].map((index) => progressText(reports[index] ?? fail()));
    assert.deepEqual(texts, [
      "0 of 1000 rows",
      "20 of 1000 rows, about 2 minutes left",
      "500 of 1000 rows, less than a minute left",
      "1000 of 1000 rows",
    ]);
  });

  it("names hours where there are many", () => {
    const long = { done: 1, total: 2, seconds_left: 3 * 3_600 };
    assert.equal(progressText(long), "1 of 2 rows, about 3 hours left");
    assert.match(progressText({ ...long, seconds_left: 61 }), /about a minute left/);
  });

  function fail(): never {
    throw new Error("there is no such report");
  }
});
