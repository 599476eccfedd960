import assert from "node:assert/strict";
import { it } from "node:test";
import { rec, suiteZone, withZone } from "../../../conformance/cases/case-context.ts";
import { startScaleway } from "../../../conformance/simulators/scaleway.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { scaleway } from "./provider.ts";

runConformance(scaleway, { simulator: startScaleway });

it("leaves geographic, weighted, view and health-checked records alone", async () => {
  const kinds = ["geo_ip_config", "weighted_config", "view_config", "http_service_config"];
  for (const kind of kinds) {
    await withZone(scaleway, startScaleway, suiteZone, async (opened) => {
      const { backend, provider, zone, signal } = opened;
      const one = rec("app", "A", "192.0.2.1");
      await backend.plant?.(suiteZone, { ...one, extras: { [kind]: { default: "192.0.2.1" } } });
      const { records, opaque } = await provider.listRecords(zone, signal);
      assert.deepEqual(records, [], kind);
      assert.equal(opaque[0]?.isAddress, true);
    });
  }
});
