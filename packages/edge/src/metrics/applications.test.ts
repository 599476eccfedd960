import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createApplicationTable, statusClass } from "./applications.ts";

const minute = 60_000;

describe("the applications in the metrics", () => {
  const labels = (table: ReturnType<typeof createApplicationTable>) =>
    [...table.entries()].map(([label]) => label);

  it("have numbers of their own up to a limit; the rest is added up", () => {
    const table = createApplicationTable(2);
    for (const id of ["a", "b", "c", "d", "c"]) table.count(id).requests["2xx"] += 1;
    assert.deepEqual(
      [...table.entries()].map(([label, { requests }]) => [label, requests["2xx"]]),
      [
        ["a", 1],
        ["b", 1],
        ["other", 3],
      ],
    );
    assert.equal(table.of("d"), table.of("c"));
    assert.deepEqual(labels(createApplicationTable(0)), ["other"]);
  });

  it("change when another is clearly busier for a minute, and no number of the rest decreases", () => {
    const table = createApplicationTable(2);
    table.rank(minute);
    const serve = (id: string, requests: number): void => {
      for (let index = 0; index < requests; index += 1) table.count(id).sentBytes += 1;
    };
    serve("a", 10);
    serve("b", 5);
    serve("c", 9);
    table.rank(2 * minute - 1);
    assert.deepEqual(labels(table), ["a", "b", "other"]);
    table.rank(2 * minute);
    // 9 is not twice 5.
    assert.deepEqual(labels(table), ["a", "b", "other"]);
    serve("a", 10);
    serve("b", 4);
    serve("c", 9);
    table.rank(3 * minute);
    assert.deepEqual(labels(table), ["a", "c", "other"]);
    assert.equal(table.of("c").sentBytes, 0);
    assert.equal(table.of("b").sentBytes, 18);
  });

  it("are as many as configured, however many there are", () => {
    const table = createApplicationTable(50);
    for (let period = 1; period < 20; period += 1) {
      for (let index = 0; index < 20_000; index += 1) table.count(`${period}-${index}`);
      table.rank(period * minute);
      assert.equal(labels(table).length, 51);
    }
  });
});

describe("the class of a status", () => {
  it("is one of a fixed list, whatever an origin sends", () => {
    assert.deepEqual([null, 101, 204, 308, 421, 503, 999].map(statusClass), [
      "none",
      "1xx",
      "2xx",
      "3xx",
      "4xx",
      "5xx",
      "5xx",
    ]);
  });
});
