import assert from "node:assert/strict";
import { it } from "node:test";
import { create, makePlan, rec, suiteZone } from "../../../conformance/cases/case-context.ts";
import { startAzureDns } from "../../../conformance/simulators/azure-dns.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { ProviderError } from "../adapter/errors.ts";
import { azureDns } from "./provider.ts";

runConformance(azureDns, { simulator: () => startAzureDns() });

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
    await provider.apply(zone, makePlan(suiteZone, [create(mine)]), signal);
    assert.deepEqual(backend.notes.get(`${old.name} TXT`), { owner: "mail team" });
    isRacing = true;
    const late = provider.apply(
      zone,
      makePlan(suiteZone, [create(rec("multi", "TXT", "late"))]),
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

it("works with a role on one zone when that zone is named", async () => {
  const backend = await startAzureDns({ hasZoneRoleOnly: true });
  try {
    await backend.seed(suiteZone, [rec("@", "A", "192.0.2.1")]);
    const signal = new AbortController().signal;
    const given = { ...backend.credentials, resource_group: "dns" };
    const listing = azureDns.open(given, { fetch: backend.fetch }).listZones(signal);
    await assert.rejects(
      listing,
      (error) => error instanceof ProviderError && error.kind === "auth",
    );
    const named = azureDns.open({ ...given, zone: suiteZone }, { fetch: backend.fetch });
    const [zone] = await named.listZones(signal);
    assert.ok(zone !== undefined);
    assert.deepEqual(zone.nameservers, ["ns1-01.azure-dns.com"]);
    await named.apply(zone, makePlan(suiteZone, [create(rec("app", "A", "192.0.2.2"))]), signal);
    assert.equal((await backend.records(suiteZone)).length, 2);
  } finally {
    await backend.close();
  }
});

it("signs in at the national cloud that is named", async () => {
  const login = "login.microsoftonline.us";
  const management = "management.usgovcloudapi.net";
  const backend = await startAzureDns({ login, management });
  try {
    await backend.seed(suiteZone, []);
    const given = { ...backend.credentials, cloud: "usgovernment" };
    const zones = await azureDns
      .open(given, { fetch: backend.fetch })
      .listZones(new AbortController().signal);
    assert.equal(zones[0]?.name, suiteZone);
    assert.throws(
      () => azureDns.open({ ...given, cloud: "mars" }, { fetch: backend.fetch }),
      (error) => error instanceof ProviderError && /usgovernment/.test(error.message),
    );
  } finally {
    await backend.close();
  }
});
