import assert from "node:assert/strict";
import { it } from "node:test";
import { startCloudflare } from "../../../conformance/simulators/cloudflare.ts";
import { runConformance } from "../../../conformance/suite.ts";
import type { StoredRecord } from "../../../conformance/zone-store.ts";
import { ProviderError } from "../adapter/errors.ts";
import { cloudflare } from "./provider.ts";

runConformance(cloudflare, { simulator: startCloudflare });

async function listing(row: Omit<StoredRecord, "id">) {
  const backend = await startCloudflare();
  try {
    await backend.seed("odd.example", []);
    backend.store.plant("odd.example", row);
    const provider = cloudflare.open(backend.credentials, { fetch: backend.fetch });
    const signal = new AbortController().signal;
    const [zone] = await provider.listZones(signal);
    assert.ok(zone !== undefined);
    return await provider.listRecords(zone, signal);
  } finally {
    await backend.close();
  }
}

it("shows a proxied record as one that is not ours to touch", async () => {
  const row = { name: "www.odd.example", type: "A", value: "192.0.2.1", ttl: 1, priority: null };
  const { records, opaque } = await listing({ ...row, extras: { proxied: true } });
  assert.deepEqual(records, []);
  assert.match(opaque[0]?.note ?? "", /proxy/);
});

it("reads a zone that holds types of no concern to us", async () => {
  const row = { name: "odd.example", type: "NAPTR", value: "", ttl: 300, priority: null };
  const { opaque } = await listing({ ...row, extras: { data: { flags: "S", order: 100 } } });
  assert.equal(opaque[0]?.type, "NAPTR");
});

it("knows Cloudflare's codes better than their status", async () => {
  for (const [code, kind] of [
    [971, "rate_limited"],
    [6003, "auth"],
    [7003, "not_found"],
    [81053, "conflict"],
  ] as const) {
    const fetch = async () =>
      Response.json({ success: false, errors: [{ code, message: "no" }] }, { status: 400 });
    const provider = cloudflare.open({ api_token: "t" }, { fetch, wait: async () => undefined });
    await assert.rejects(
      provider.listZones(new AbortController().signal),
      (error) => error instanceof ProviderError && error.kind === kind,
    );
  }
});
