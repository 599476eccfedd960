import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, describe, it } from "node:test";
import { groupFiles } from "./groups.ts";

describe("the processes of a test run", () => {
  const directory = mkdtempSync(path.join(tmpdir(), "test-groups-"));
  after(() => rmSync(directory, { recursive: true }));
  const plain = "packages/dns/src/name.test.ts";
  const files = [
    "packages/control/src/api/billing.db.test.ts",
    "packages/dns/src/client/limiter.test.ts",
    plain,
    "test/e2e/demo.test.ts",
  ];

  it("are shared by neighbours, except for tests with servers or limits of memory", () => {
    const [first, second, third, group = ""] = groupFiles(files, directory);
    assert.deepEqual(
      [first, second, third],
      [
        "packages/control/src/api/billing.db.test.ts",
        "packages/dns/src/client/limiter.test.ts",
        "test/e2e/demo.test.ts",
      ],
    );
    assert.match(readFileSync(group, "utf8"), /^import "file:.*name\.test\.ts";\n$/);
  });

  it("leave no file out and run none twice", () => {
    const many = Array.from({ length: 30 }, () => plain);
    const imports = groupFiles(many, directory)
      .map((group) => readFileSync(group, "utf8"))
      .join("")
      .trim()
      .split("\n");
    assert.equal(imports.length, many.length);
  });
});
