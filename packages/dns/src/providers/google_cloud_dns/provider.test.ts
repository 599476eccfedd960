import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create, makePlan, rec, withZone } from "../../../conformance/cases/case-context.ts";
import {
  startGoogleCloudDns,
  startGoogleSignIn,
} from "../../../conformance/simulators/google-cloud-dns.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { planChanges } from "../../plan/plan.ts";
import { ProviderError } from "../adapter/errors.ts";
import { googleCloudDns } from "./provider.ts";

runConformance(googleCloudDns, { simulator: startGoogleCloudDns });
describe("with a person's sign-in", () => {
  runConformance(googleCloudDns, { simulator: startGoogleSignIn });
});

it("does not let the apex of a signed zone follow a host name", async () => {
  const name = "signed.example";
  await withZone(googleCloudDns, startGoogleCloudDns, name, async ({ provider, zone, signal }) => {
    const record = { ...rec("x", "ALIAS", "edge.example.net"), name };
    const planned = planChanges({
      zone: name,
      manifest: googleCloudDns.manifest,
      limits: zone.limits,
      listing: { records: [], opaque: [] },
      desired: [record],
      owned: [],
      allowedNames: [name],
    });
    assert.ok(!planned.ok && planned.refusals[0]?.code === "unsupported");
    await assert.rejects(
      provider.apply(zone, makePlan(name, [create(record)]), signal),
      (error) => error instanceof ProviderError && error.kind === "unsupported",
    );
  });
});
