import assert from "node:assert/strict";
import { it } from "node:test";
import { create, planOf, rec, suiteZone } from "../../../conformance/bench.ts";
import { startAzureDns } from "../../../conformance/simulators/azure-dns.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { ProviderError } from "../adapter/errors.ts";
import { azureDns } from "./provider.ts";

runConformance(azureDns, { simulator: startAzureDns });

it("retains the metadata of a set that it adds to, and does not overwrite a newer one", async () => {
  const backend = await startAzureDns();
  try {
    const [old, mine] = [rec("multi", "TXT", "old"), rec("multi", "TXT", "mine")];
    await backend.seed(suiteZone, [old]);
    backend.notes.set(`${old.name} TXT`, { owner: "mail team" });
    const signal = new AbortController().signal;
    let isRacing = false;
    const fetch = async (url: string, init: RequestInit) => {
      // Somebody else rewrites the set between our reading and our writing.
      if (isRacing && init.method === "PUT")
        await backend.seed(suiteZone, [rec("multi", "TXT", "newer")]);
      return backend.fetch(url, init);
    };
    const provider = azureDns.open(backend.credentials, { fetch });
    const [zone] = await provider.listZones(signal);
    assert.ok(zone !== undefined);
    await provider.apply(zone, planOf(suiteZone, [create(mine)]), signal);
    assert.deepEqual(backend.notes.get(`${old.name} TXT`), { owner: "mail team" });
    isRacing = true;
    const late = provider.apply(
      zone,
      planOf(suiteZone, [create(rec("multi", "TXT", "late"))]),
      signal,
    );
    await assert.rejects(
      late,
      (error) => error instanceof ProviderError && error.kind === "conflict",
    );
    assert.deepEqual(
      (await backend.records(suiteZone)).map(({ value }) => value),
      ["newer"],
    );
  } finally {
    await backend.close();
  }
});
