import assert from "node:assert/strict";
import { it } from "node:test";
import {
  create,
  makePlan,
  rec,
  suiteZone,
  withZone,
} from "../../../conformance/cases/case-context.ts";
import { startBunny } from "../../../conformance/simulators/bunny.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { bunny } from "./provider.ts";

runConformance(bunny, { simulator: startBunny });

it("leaves records alone whose settings a change would lose", async () => {
  const settings = [
    { Accelerated: true },
    { SmartRoutingType: 2 },
    { MonitorType: 1 },
    { Weight: 30 },
  ];
  for (const extras of settings) {
    await withZone(bunny, startBunny, suiteZone, async ({ backend, provider, zone, signal }) => {
      const [one, other] = [rec("app", "A", "192.0.2.1"), rec("app", "A", "192.0.2.2")];
      await backend.plant?.(suiteZone, { ...one, extras });
      await backend.plant?.(suiteZone, {
        ...other,
        extras: "Weight" in extras ? { Weight: 70 } : {},
      });
      const { opaque } = await provider.listRecords(zone, signal);
      assert.ok(
        opaque.some(({ value, isAddress }) => value === one.value && isAddress),
        JSON.stringify(extras),
      );
    });
  }
});

it("stores a TTL of a minute", () =>
  withZone(bunny, startBunny, suiteZone, async ({ backend, provider, zone, signal }) => {
    const short = rec("app", "A", "192.0.2.1", { ttl: 60 });
    await provider.apply(zone, makePlan(suiteZone, [create(short)]), signal);
    assert.equal((await backend.records(suiteZone))[0]?.ttl, 60);
  }));
