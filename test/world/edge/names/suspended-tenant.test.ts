import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  connect,
  freshZone,
  proofRecord,
  putZone,
  toEdge,
} from "@mooring/testing/clients/connecting";
import { type SandboxEdge, startSandboxEdge } from "@mooring/testing/edge/sandbox-edge";
import { until } from "@mooring/testing/processes/until";
import {
  deleteTenant,
  resumeTenant,
  suspendTenant,
} from "../../../../packages/control/src/services/operator/tenant-states.ts";

/** API, worker and a real edge: what a visitor gets while the operator acts. */
describe("a visitor of a suspended tenant's name", () => {
  let world: SandboxEdge;
  before(async () => {
    world = await startSandboxEdge();
  });
  after(() => world.close());

  it("gets the maintenance page, the site after the resumption, and nothing after a deletion", async (t) => {
    const { operator } = world.life.app;
    const caller = await world.tenant("Acme");
    const zone = freshZone();
    const made = await connect(caller, `shop.${zone}`);
    await putZone(caller, zone, [proofRecord(made), toEdge(made)]);
    await world.life.reach(made.id, "live");
    const page = () => world.page(made.hostname);
    assert.equal(await page(), `Acme ${made.hostname}`);
    const askedAt = performance.now();
    await suspendTenant(operator, "Acme", "unpaid");
    await until(async () => /Under maintenance/.test(await page()), "the maintenance page");
    t.diagnostic(`maintenance after ${Math.round(performance.now() - askedAt)} ms`);
    await resumeTenant(operator, "Acme");
    await until(async () => (await page()) === `Acme ${made.hostname}`, "the site again");
    await deleteTenant(operator, "Acme", { isApplied: true });
    await world.life.reach(made.id, "archived");
    await until(
      () =>
        page().then(
          () => false,
          () => true,
        ),
      "no handshake",
    );
  });
});
