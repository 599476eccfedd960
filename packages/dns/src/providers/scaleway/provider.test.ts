import assert from "node:assert/strict";
import { it } from "node:test";
import {
  create,
  keys,
  makePlan,
  rec,
  suiteZone,
  withZone,
} from "../../../conformance/cases/case-context.ts";
import { startScaleway } from "../../../conformance/simulators/scaleway.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { scaleway } from "./provider.ts";

runConformance(scaleway, { simulator: startScaleway });

/**
 * scaleway/terraform-provider-scaleway at b2d45ed4, internal/services/domain/testdata:
 * domain-record-basic.cassette.yaml and domain-record-srv-zone.cassette.yaml.
 */
it("reads and writes mail exchangers and services as the recorded API does", async () => {
  const mail = rec("record_mx", "MX", "aspmx.l.google.com", { priority: 1, ttl: 600 });
  const proxy = rec("_proxy-preproduction._tcp", "SRV", "1 3128 bigbox.example.com", {
    priority: 100,
  });
  const recorded = [
    { id: "f5c96b5a-0802", name: "record_mx", type: "MX", data: "1 aspmx.l.google.com.", ttl: 600 },
    {
      id: "624d34c1-a95f",
      name: "_proxy-preproduction._tcp",
      type: "SRV",
      data: "100 1 3128 bigbox.example.com.",
      ttl: 3_600,
    },
  ].map((one) => ({ ...one, priority: Number(one.data.split(" ")[0]), comment: null }));
  const sent: unknown[] = [];
  let records: readonly unknown[] = [];
  const provider = scaleway.open(
    { secret_key: "key" },
    {
      fetch: async (_url, { method, body }) => {
        if (method === "PATCH") sent.push(JSON.parse(String(body)).changes);
        return Response.json({ records, total_count: records.length });
      },
    },
  );
  const { signal } = new AbortController();
  const zone = { id: suiteZone, name: suiteZone, nameservers: [] };
  await provider.apply(zone, makePlan(suiteZone, [create(mail), create(proxy)]), signal);
  const added = (data: string, fields: object) => ({
    add: { records: [{ ...fields, data }] },
  });
  assert.deepEqual(sent, [
    [
      added("aspmx.l.google.com.", { name: "record_mx", type: "MX", priority: 1, ttl: 600 }),
      added("100 1 3128 bigbox.example.com.", {
        name: "_proxy-preproduction._tcp",
        type: "SRV",
        priority: 0,
        ttl: 3_600,
      }),
    ],
  ]);
  records = recorded;
  const listing = await provider.listRecords(zone, signal);
  assert.deepEqual(keys(listing.records), keys([mail, proxy]));
  assert.deepEqual(listing.opaque, []);
});

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
