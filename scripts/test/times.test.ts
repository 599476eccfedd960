import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { timesTable } from "./times.ts";
import { waitFactor } from "./wait-factor.ts";

describe("the table of times", () => {
  it("has the dearest file first, and the start of shared processes apart", () => {
    const table = timesTable(
      [
        { file: "a.test.ts", own: 1, children: 0, wall: 2 },
        { file: "b.test.ts", own: 1, children: 3, wall: 5 },
        { file: "/tmp/001.test.ts", own: 2.5, children: 3, wall: 8 },
        { file: "alone.test.ts", own: 2, children: 0, wall: 2 },
      ],
      new Map([["/tmp/001.test.ts", ["a.test.ts", "b.test.ts"]]]),
    );
    assert.deepEqual(
      table
        .split("\n")
        .slice(1)
        .map((line) => line.trim().replace(/ +/g, " ")),
      [
        "4.00 1.00 3.00 5.00 b.test.ts",
        "2.00 2.00 0.00 2.00 alone.test.ts",
        "1.00 1.00 0.00 2.00 a.test.ts",
        "0.50 0.50 0.00 1.00 start of 1 shared processes",
        "7.50 4.50 3.00 10.00 total of 3 files",
      ],
    );
  });
});

describe("the factor of waits", () => {
  it("is 1 on an idle machine, grows with the time that the work takes, and is at most 8", () => {
    assert.deepEqual([100, 300, 750, 9_999].map(waitFactor), [1, 1, 2.5, 8]);
  });
});
