import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import type { FailedFileReport } from "./failed-files.ts";

const sources = {
  "a.test.ts": `
    import { afterEach, before, describe, it } from "node:test";
    before(() => console.log("before a"));
    afterEach(() => console.log("each of a"));
    describe("a", () => it("fails", () => { throw new Error("a is broken"); }));`,
  "b.test.ts": `import "./absent.ts";`,
  "c.test.ts": `
    import { it } from "node:test";
    console.log("load c");
    it("passes", () => console.log("run c"));`,
};

describe("test files that share a process", () => {
  const directory = mkdtempSync(path.join(tmpdir(), "members-"));
  const inDirectory = (name: string) => path.join(directory, name);
  const report = inDirectory("report");
  let output = "";

  before(() => {
    for (const [name, text] of Object.entries(sources)) writeFileSync(inDirectory(name), text);
    const runner = pathToFileURL(path.join(import.meta.dirname, "members.ts")).href;
    const members = Object.keys(sources).map(inDirectory);
    writeFileSync(
      inDirectory("group.test.ts"),
      `import { runMembers } from "${runner}"; await runMembers(${JSON.stringify(members)});`,
    );
    const { NODE_TEST_CONTEXT: _inner, ...env } = process.env;
    const args = [
      "--test",
      "--test-reporter=spec",
      "--test-reporter-destination=stdout",
      `--test-reporter=${path.join(import.meta.dirname, "failed-files.ts")}`,
      `--test-reporter-destination=${report}`,
      inDirectory("group.test.ts"),
    ];
    output = spawnSync(process.execPath, args, { env, encoding: "utf8" }).stdout;
  });
  after(() => rmSync(directory, { recursive: true }));

  it("are loaded one after the other, with hooks of their own", () => {
    const lines = output.split("\n").filter((line) => /^(before|each|load|run) /.test(line));
    assert.deepEqual(lines, ["before a", "each of a", "load c", "run c"]);
  });

  it("are reported by their own names, also one that cannot be loaded", () => {
    const lines = readFileSync(report, "utf8").trim().split("\n");
    const reports = lines.map((line) => JSON.parse(line) as FailedFileReport);
    assert.deepEqual(
      reports.map(({ file }) => path.basename(file)),
      ["a.test.ts", "b.test.ts"],
    );
    assert.match(reports[0]?.output ?? "", /a is broken/);
    assert.match(reports[1]?.output ?? "", /absent\.ts/);
  });
});
