import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { chooseFiles, fileArea, fileTier } from "./tiers.ts";

const files = [
  ["packages/dns/src/name.test.ts", "quick", "dns"],
  ["packages/widget/src/ui/field.test.tsx", "quick", "widget"],
  ["packages/control/src/api/billing.db.test.ts", "quick", "control"],
  ["packages/edge/src/acme/client.world.test.ts", "world", "edge"],
  ["packages/dns/conformance/official-sdk.aws.soak.test.ts", "soak", "dns"],
  ["test/fuzz/api.test.ts", "quick", "fuzz"],
  ["test/strangers/grpc.world.test.ts", "world", "strangers"],
  ["test/world/edge/processes/restart.test.ts", "world", "edge"],
  ["test/world/console/axe.soak.test.ts", "soak", "console"],
  ["scripts/docs/site.test.ts", "quick", "scripts"],
  ["scripts/docs/site.world.test.ts", "world", "scripts"],
] as const;

describe("the tier and area of a test file", () => {
  for (const [file, tier, area] of files) {
    it(`of ${file} are ${tier} and ${area}`, () => {
      assert.deepEqual([fileTier(file), fileArea(file)], [tier, area]);
    });
  }
});

describe("the files of a command", () => {
  const all = files.map(([file]) => file);

  it("are those of its tier, and of all tiers for the soak", () => {
    const ofTier = (tier: string) => files.filter((row) => row[1] === tier).map(([file]) => file);
    assert.deepEqual(chooseFiles(all, "quick", []), ofTier("quick"));
    assert.deepEqual(chooseFiles(all, "world", []), ofTier("world"));
    assert.deepEqual(chooseFiles(all, "soak", []), all);
  });

  it("can be chosen by area or by a part of the path", () => {
    assert.deepEqual(chooseFiles(all, "world", ["edge"]), [
      "packages/edge/src/acme/client.world.test.ts",
      "test/world/edge/processes/restart.test.ts",
    ]);
    assert.deepEqual(chooseFiles(all, "quick", ["api/billing", "fuzz"]), [
      "packages/control/src/api/billing.db.test.ts",
      "test/fuzz/api.test.ts",
    ]);
  });
});
