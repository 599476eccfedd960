import assert from "node:assert/strict";
import { it } from "node:test";
import { create, makePlan, rec, withZone } from "../../../conformance/cases/case-context.ts";
import { startDesec } from "../../../conformance/simulators/desec.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { desec } from "./provider.ts";

runConformance(desec, { simulator: startDesec });

it("takes the shortest TTL from the domain, not from the provider", async () => {
  for (const least of [60, 7_200]) {
    const name = `ttl${least}.example`;
    await withZone(desec, startDesec, name, async ({ backend, provider, zone, signal }) => {
      assert.equal(zone.limits?.minimumTtlSeconds, least);
      const record = { ...rec("x", "A", "192.0.2.1", { ttl: 60 }), name: `app.${name}` };
      await provider.apply(zone, makePlan(name, [create(record)]), signal);
      assert.equal((await backend.records(name))[0]?.ttl, least);
    });
  }
});
