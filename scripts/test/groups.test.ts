import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, describe, it } from "node:test";
import { groupFiles, planGroups } from "./groups.ts";

describe("the processes of the quick tier", () => {
  const weights = new Map<string, number>(
    Array.from({ length: 40 }, (_, index) => {
      const name = index % 4 === 0 ? "dns" : "control";
      return [`packages/${name}/src/${index}.test.ts`, 10_000 + 1_000 * index] as const;
    }),
  );
  const weigh = (members: readonly string[]) =>
    members.reduce((sum, file) => sum + (weights.get(file) ?? 0), 0);

  it("leave no file out and run none twice", () => {
    const alone = new Set(["packages/dns/src/4.test.ts"]);
    const groups = planGroups(weights, alone, 2);
    assert.deepEqual(groups.flat().sort(), [...weights.keys()].sort());
    assert.ok(groups.some((members) => members.join() === [...alone].join()));
  });

  it("hold files of one package, about equal in weight, the heaviest first", () => {
    const groups = planGroups(weights, new Set(), 2);
    for (const members of groups) {
      assert.equal(new Set(members.map((file) => file.split("/")[1])).size, 1);
    }
    const all = groups.map(weigh);
    assert.deepEqual(
      all,
      all.toSorted((a, b) => b - a),
    );
    const ofControl = groups.filter(([file]) => file?.includes("control")).map(weigh);
    assert.ok(Math.max(...ofControl) < 1.3 * Math.min(...ofControl), ofControl.join());
  });
});

describe("the generated files", () => {
  const directory = mkdtempSync(path.join(tmpdir(), "test-groups-"));
  after(() => rmSync(directory, { recursive: true }));

  it("name their members, and files that change their process are alone", () => {
    const files = ["packages/dns/src/client/limiter.test.ts", "packages/dns/src/name.test.ts"];
    const groups = groupFiles(files, directory, 2);
    assert.deepEqual(
      groups.map(({ members }) => members.length),
      [1, 1],
    );
    const group = groups.find(({ members }) => members[0]?.endsWith("name.test.ts"));
    assert.match(
      readFileSync(group?.file ?? "", "utf8"),
      /runMembers\(\["packages\/dns\/src\/name\.test\.ts"\]\)/,
    );
  });
});
