import assert from "node:assert/strict";
import { it } from "node:test";
import { rec, suiteZone, withZone } from "../../../conformance/cases/case-context.ts";
import { startSimply } from "../../../conformance/simulators/simply.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { simply } from "./provider.ts";

runConformance(simply, { simulator: startSimply });

it("takes the domains of products, in any spelling, and leaves products without one", () =>
  withZone(simply, startSimply, suiteZone, async ({ backend, provider, signal }) => {
    await backend.seed("xn--bcher-kva.example", [rec("@", "A", "192.0.2.1")]);
    const zones = await provider.listZones(signal);
    const names = zones.map(({ name }) => name);
    assert.deepEqual(names.toSorted(), [suiteZone, "xn--bcher-kva.example"]);
    const [own] = zones.filter(({ name }) => name !== suiteZone);
    assert.equal(own?.id, "bücher.example");
    // What the registry has is the live delegation, which would always agree with itself.
    assert.deepEqual(own?.nameservers, []);
  }));
