import assert from "node:assert/strict";
import { it } from "node:test";
import { keys, rec, suiteZone, withZone } from "../../../conformance/cases/case-context.ts";
import { startCloudflare } from "../../../conformance/simulators/cloudflare.ts";
import { runConformance } from "../../../conformance/suite.ts";
import type { StoredRecord } from "../../../conformance/zone-store.ts";
import { planChanges } from "../../plan/plan.ts";
import { planRevert } from "../../plan/revert.ts";
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

it("replaces a proxied record with consent, says what that means, and puts it back", async () => {
  await withZone(cloudflare, startCloudflare, suiteZone, async (opened) => {
    const { backend, provider, zone, signal } = opened;
    const theirs = rec("shop", "A", "192.0.2.1");
    backend.store.plant(suiteZone, { ...theirs, ttl: 1, extras: { proxied: true } });
    const wanted = rec("shop", "CNAME", "edge.example.net");
    const input = {
      zone: suiteZone,
      manifest: cloudflare.manifest,
      listing: await provider.listRecords(zone, signal),
      desired: [wanted],
      owned: [],
      allowedNames: [wanted.name],
    };
    const asked = planChanges(input);
    assert.ok(asked.ok);
    const [change] = asked.plan.changes;
    assert.deepEqual([change?.action, change?.replaceable], ["conflict", true]);
    assert.match(change?.reason ?? "", /proxying will be switched off/);
    const agreed = planChanges({ ...input, replace: [change?.id ?? ""] });
    assert.ok(agreed.ok);
    await provider.apply(zone, agreed.plan, signal);
    assert.deepEqual(keys(await backend.records(suiteZone)), keys([wanted]));
    const listing = await provider.listRecords(zone, signal);
    await provider.apply(zone, planRevert(agreed.plan, listing), signal);
    const [restored] = backend.store.zone(suiteZone)?.records ?? [];
    assert.equal(restored?.value, "192.0.2.1");
    assert.deepEqual(restored?.extras, { proxied: true });
  });
});

it("keeps the proxy of a record that it replaces, where settings are retained", async () => {
  await withZone(cloudflare, startCloudflare, suiteZone, async (opened) => {
    const { backend, provider, zone, signal } = opened;
    const theirs = rec("shop", "A", "192.0.2.1");
    backend.store.plant(suiteZone, { ...theirs, ttl: 1, extras: { proxied: true } });
    const wanted = rec("shop", "CNAME", "edge.example.net");
    const proof = rec("_service-challenge.shop", "TXT", "service-verify=x");
    const plan = async (replace: readonly string[] = []) => {
      const planned = planChanges({
        zone: suiteZone,
        manifest: cloudflare.manifest,
        listing: await provider.listRecords(zone, signal),
        desired: [wanted, proof],
        owned: [],
        allowedNames: [wanted.name, proof.name],
        replace,
        retainsSettings: true,
      });
      assert.ok(planned.ok);
      return planned.plan;
    };
    const [change] = (await plan()).changes;
    assert.equal(change?.action, "conflict");
    assert.match(change?.reason ?? "", /stays switched on/);
    assert.doesNotMatch(change?.reason ?? "", /switched off/);
    const agreed = await plan([change?.id ?? ""]);
    await provider.apply(zone, agreed, signal);
    const stored = backend.store.zone(suiteZone)?.records ?? [];
    const byType = (type: string) => stored.find((one) => one.type === type);
    assert.equal(byType("CNAME")?.value, "edge.example.net");
    assert.deepEqual(byType("CNAME")?.extras, { proxied: true });
    assert.notDeepEqual(byType("TXT")?.extras, { proxied: true });
    assert.deepEqual(
      (await plan()).changes.map(({ action }) => action),
      ["keep", "keep"],
    );
    const listing = await provider.listRecords(zone, signal);
    await provider.apply(zone, planRevert(agreed, listing), signal);
    const [restored] = backend.store.zone(suiteZone)?.records ?? [];
    assert.deepEqual([restored?.value, restored?.extras], ["192.0.2.1", { proxied: true }]);
  });
});

it("does not offer to replace a record that Cloudflare manages", async () => {
  const row = { name: "www.odd.example", type: "A", value: "192.0.2.1", ttl: 1, priority: null };
  const { records, opaque } = await listing({ ...row, extras: { meta: { read_only: true } } });
  assert.deepEqual(records, []);
  const planned = planChanges({
    zone: "odd.example",
    manifest: cloudflare.manifest,
    listing: { records, opaque },
    desired: [{ ...rec("x", "CNAME", "edge.example.net"), name: row.name }],
    owned: [],
    allowedNames: [row.name],
  });
  assert.ok(planned.ok);
  const [change] = planned.plan.changes;
  assert.deepEqual([change?.action, change?.replaceable], ["conflict", false]);
  assert.match(change?.reason ?? "", /Cloudflare manages it/);
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
