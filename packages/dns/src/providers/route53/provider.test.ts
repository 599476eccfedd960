import assert from "node:assert/strict";
import { it } from "node:test";
import { startRoute53 } from "../../../conformance/simulators/route53.ts";
import { runConformance } from "../../../conformance/suite.ts";
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

it("leaves an alias of an AWS resource alone and says so", async () => {
  const backend = await startRoute53();
  try {
    await backend.seed("alias.example", []);
    const extras = { alias: "d111.cloudfront.net." };
    const row = { name: "www.alias.example", type: "A", value: "192.0.2.1", ttl: 60 };
    backend.store.plant("alias.example", { ...row, priority: null, extras });
    const provider = route53.open(backend.credentials, { fetch: backend.fetch });
    const signal = new AbortController().signal;
    const [zone] = await provider.listZones(signal);
    assert.ok(zone !== undefined);
    const { records, opaque } = await provider.listRecords(zone, signal);
    assert.deepEqual(records, []);
    assert.match(opaque[0]?.note ?? "", /AWS resource/);
  } finally {
    await backend.close();
  }
});

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
    assert.ok(zone !== undefined && provider.nameserversOf !== undefined);
    assert.match((await provider.nameserversOf(zone, signal))[0] ?? "", /awsdns/);
  } finally {
    await backend.close();
  }
});
