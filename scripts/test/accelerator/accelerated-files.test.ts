import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { listTestFiles } from "../tiers.ts";
import {
  chooseAccelerated,
  isCovered,
  judgeAccelerated,
  skipArguments,
} from "./accelerated-files.ts";
import { notAccelerated } from "./not-accelerated.ts";

const files = listTestFiles();

describe("the files that run with promoted names", () => {
  const chosen = chooseAccelerated(files, ["edge"]);

  it("are those of the edge that start one, but for those of the table", () => {
    assert.ok(chosen.includes("packages/edge/src/http/h1/connection.smuggling.test.ts"));
    assert.ok(chosen.length >= 15, `${chosen.length} files`);
    const whole = notAccelerated.filter(({ test }) => test === undefined);
    for (const { file } of whole) assert.ok(!chosen.includes(file), file);
    assert.deepEqual(chooseAccelerated(files, ["smuggling"]).length, 2);
  });

  it("are all of the folders of whole edges and of the cut-overs, but for those of the table", () => {
    const parts = ["test/world/edge/", "test/strangers/", "test/world/validation/cutover"];
    const all = files.filter((file) => parts.some((part) => file.startsWith(part)));
    const known = new Set([...chosen, ...notAccelerated.map(({ file }) => file)]);
    assert.deepEqual(
      all.filter((file) => !known.has(file) && !file.endsWith(".soak.test.ts")),
      [],
    );
    assert.ok(all.length >= 35, `${all.length} files`);
  });

  it("have nothing in the table that is not there, or without a reason", () => {
    const seen = new Set<string>();
    for (const { file, test, reason } of notAccelerated) {
      const text = readFileSync(file, "utf8");
      assert.ok(isCovered(file), file);
      assert.ok(reason.length > 10, file);
      if (test !== undefined)
        assert.equal(text.split(`it("${test}"`).length, 2, `${file}: ${test}`);
      const key = `${file} ${test}`;
      assert.ok(!seen.has(key), key);
      seen.add(key);
    }
  });

  it("have one skipped test for each pattern", () => {
    const names = files.flatMap((file) =>
      chosen.includes(file)
        ? [...readFileSync(file, "utf8").matchAll(/\bit\("([^"]+)"/g)].map(([, name]) => name ?? "")
        : [],
    );
    for (const argument of skipArguments()) {
      const source = argument.replace("--test-skip-pattern=/", "").slice(0, -1);
      const pattern = new RegExp(source);
      assert.equal(names.filter((name) => pattern.test(`suite ${name}`)).length, 1, argument);
    }
  });
});

describe("what they show", () => {
  it("is nothing where no name was promoted", () => {
    const line = (file: string, promoted: readonly string[], served: number): string =>
      JSON.stringify({ file, promoted, served });
    const report = `${line("a.test.ts", ["x.example"], 3)}\n${line("b.test.ts", [], 0)}\n`;
    const { lines, unproved } = judgeAccelerated(["a.test.ts", "b.test.ts", "c.test.ts"], report);
    assert.deepEqual(unproved, ["b.test.ts", "c.test.ts"]);
    assert.equal(lines[0], "accelerated: a.test.ts: 1 names promoted, 3 requests by HAProxy");
  });
});
