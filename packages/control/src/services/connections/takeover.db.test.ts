import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { freshZone, putZone } from "@mooring/testing/clients/connecting";
import { takeovers } from "@mooring/testing/control/takeover-table";
import { openStage, playTakeover, type Stage } from "@mooring/testing/control/takeovers";
import { withoutLimits } from "@mooring/testing/control/world";
import { type LifecycleApp, startLifecycle } from "@mooring/testing/processes/lifecycle-app";

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
});
