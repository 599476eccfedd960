import assert from "node:assert/strict";
import { it } from "node:test";
import { makePlan, rec, suiteZone, update } from "../../../conformance/cases/case-context.ts";
import { startOvh } from "../../../conformance/simulators/ovh.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { ProviderError } from "../adapter/errors.ts";
import { ovh } from "./provider.ts";

runConformance(ovh, { simulator: startOvh });

it("names the endpoints when another is given", () => {
  const credentials = {
    endpoint: "https://elsewhere.example",
    application_key: "a",
    application_secret: "b",
    consumer_key: "c",
  };
  assert.throws(
    () => ovh.open(credentials, { fetch }),
    (error) =>
      error instanceof ProviderError && error.kind === "auth" && /ovh-eu/.test(error.message),
  );
});

it("changes a DMARC or DKIM row of the panel by its plain text", async () => {
  for (const native of ["DMARC", "DKIM", "SPF"]) {
    const backend = await startOvh();
    try {
      const [old, next] = ["none", "reject"].map((policy) =>
        rec("_dmarc", "TXT", `v=DMARC1; p=${policy}`),
      );
      assert.ok(old !== undefined && next !== undefined);
      await backend.seed(suiteZone, []);
      await backend.plant?.(suiteZone, { ...old, extras: { native } });
      const provider = ovh.open(backend.credentials, { fetch: backend.fetch });
      const signal = new AbortController().signal;
      const [zone] = await provider.listZones(signal);
      assert.ok(zone !== undefined);
      await provider.apply(zone, makePlan(suiteZone, [update(next, old)]), signal);
      assert.deepEqual(
        (await backend.records(suiteZone)).map(({ value }) => value),
        [next.value],
        native,
      );
    } finally {
      await backend.close();
    }
  }
});
