import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { freshZone, putZone } from "@mooring/testing/clients/connecting";
import { randomSteps, takeovers } from "@mooring/testing/control/takeover-table";
import { openStage, playTakeover, type Stage } from "@mooring/testing/control/takeovers";
import { withoutLimits } from "@mooring/testing/control/world";
import { type LifecycleApp, startLifecycle } from "@mooring/testing/processes/lifecycle-app";
import { proofSize } from "@mooring/testing/processes/proof-size";

const env = {
  EDGE_TARGETS: "unique",
  EDGE_IPV4: "192.0.2.7",
  VALIDATION_ZONE: "validation.test",
  CONTEST_AFTER: "2h",
  ...withoutLimits,
};

describe("a name that somebody tries to take", () => {
  let life: LifecycleApp;
  let stage: Stage;
  before(async () => {
    life = await startLifecycle({ env });
    stage = await openStage(life, "test", {
      edge: "edge.localhost",
      publish: (zone, lines) => putZone(stage.callers.alice, zone, lines),
    });
  });
  after(() => life.close());

  for (const [attempt, steps, holder] of takeovers) {
    it(`is ${holder ?? "nobody"}'s when ${attempt}`, async () => {
      const zone = freshZone();
      assert.equal(await playTakeover(stage, { zone, hostname: `shop.${zone}` }, steps), holder);
    });
  }

  it("is never somebody's without a proof, in any order of events", async () => {
    const holders = new Set<string | null>();
    for (let seed = 1; seed <= proofSize(3, 200); seed += 1) {
      const zone = freshZone();
      const steps = randomSteps(seed, 16);
      holders.add(await playTakeover(stage, { zone, hostname: `shop.${zone}` }, steps));
    }
    assert.ok(holders.size > 1, "some order ends with a holder");
  });
});
