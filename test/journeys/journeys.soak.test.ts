import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startWidgetWorld, type WidgetWorld } from "@mooring/testing/browser/widget-world";
import { walkJourney } from "./journey.ts";
import { journeys } from "./journeys.ts";
import { journeySettings } from "./world.ts";

/**
 * With the whole product, a real browser and the sandbox. `scripts/screens/journeys.ts` takes their
 * pictures.
 */
describe("the journeys of end customers", () => {
  let world: WidgetWorld;
  before(async () => {
    world = await startWidgetWorld(journeySettings);
    await world.work();
  });
  after(() => world?.close());

  it("are 25", () => {
    assert.equal(journeys.length, 25);
  });

  for (const journey of journeys) {
    it(`reaches its end: ${journey.name}`, async () => {
      await walkJourney(world, journey, false);
    });
  }
});
