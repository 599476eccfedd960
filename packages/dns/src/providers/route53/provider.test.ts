import assert from "node:assert/strict";
import { it } from "node:test";
import { keys, rec, suiteZone, withZone } from "../../../conformance/cases/case-context.ts";
import { startRoute53 } from "../../../conformance/simulators/route53.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { planChanges } from "../../plan/plan.ts";
import { planRevert } from "../../plan/revert.ts";
import { route53 } from "./provider.ts";

const reason = "throttling is status 400 without a Retry-After header";

runConformance(route53, {
  simulator: startRoute53,
  skippedSince: "2026-11-15",
  skip: [
    { test: "waits as long as the provider asks, then retries", reason },
    { test: "hands a long wait to the caller instead of waiting", reason },
  ],
});

it("replaces aliases of an AWS resource with consent, and puts them back", () =>
  withZone(route53, startRoute53, suiteZone, async ({ backend, provider, zone, signal }) => {
    for (const type of ["A", "AAAA"]) {
      const row = { name: `www.${suiteZone}`, type, value: "192.0.2.1", ttl: 60, priority: null };
      backend.store.plant(suiteZone, { ...row, extras: { alias: "d111.cloudfront.net." } });
    }
    const wanted = rec("www", "CNAME", "edge.example.net");
    const input = {
      zone: suiteZone,
      manifest: route53.manifest,
      listing: await provider.listRecords(zone, signal),
      desired: [wanted],
      owned: [],
      allowedNames: [wanted.name],
    };
    const asked = planChanges(input);
    assert.ok(asked.ok);
    const [change] = asked.plan.changes;
    assert.deepEqual([change?.action, change?.replaceable], ["conflict", true]);
    assert.equal(change?.existing.length, 2);
    assert.match(change?.reason ?? "", /alias of an AWS resource/);
    const agreed = planChanges({ ...input, replace: [change?.id ?? ""] });
    assert.ok(agreed.ok);
    await provider.apply(zone, agreed.plan, signal);
    assert.deepEqual(keys(await backend.records(suiteZone)), keys([wanted]));
    const listing = await provider.listRecords(zone, signal);
    await provider.apply(zone, planRevert(agreed.plan, listing), signal);
    const rows = backend.store.zone(suiteZone)?.records ?? [];
    assert.deepEqual(rows.map(({ type, extras }) => [type, extras["alias"]]).sort(), [
      ["A", "d111.cloudfront.net."],
      ["AAAA", "d111.cloudfront.net."],
    ]);
  }));

it("needs no permission to list zones when it is given the zone's id", async () => {
  const backend = await startRoute53();
  try {
    await backend.seed("only.example", []);
    const id = backend.store.zone("only.example")?.id ?? "";
    // As the console's address and the command line show it.
    const credentials = { ...backend.credentials, hosted_zone_id: `/hostedzone/${id}` };
    const provider = route53.open(credentials, { fetch: backend.fetch });
    const zones = await provider.listZones(new AbortController().signal);
    assert.equal(zones[0]?.name, "only.example");
    assert.match(zones[0]?.nameservers[0] ?? "", /awsdns/);
  } finally {
    await backend.close();
  }
});

it("reads the servers of a zone, of which there may be a second with the same name", async () => {
  const backend = await startRoute53();
  try {
    await backend.seed("dead.example", []);
    const provider = route53.open(backend.credentials, { fetch: backend.fetch });
    const signal = new AbortController().signal;
    const [zone] = await provider.listZones(signal);
    assert.ok(zone !== undefined && provider.readNameservers !== undefined);
    assert.match((await provider.readNameservers(zone, signal))[0] ?? "", /awsdns/);
  } finally {
    await backend.close();
  }
});
