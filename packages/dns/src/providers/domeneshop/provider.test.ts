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
import { startDomeneshop } from "../../../conformance/simulators/domeneshop.ts";
import { runConformance } from "../../../conformance/suite.ts";
import type { Fetch } from "../adapter/http.ts";
import { domeneshop } from "./provider.ts";

runConformance(domeneshop, { simulator: startDomeneshop });

/**
 * StackExchange/dnscontrol at 7a079bc2, providers/domainnameshop/convert.go;
 * domeneshop/domeneshop.js at 55d87c10, src/lib/interfaces/dnsrecord.ts.
 */
it("writes and reads the tags of CAA records as numbers", () =>
  withZone(domeneshop, startDomeneshop, suiteZone, async ({ backend, provider, zone, signal }) => {
    const records = ["issue", "issuewild", "iodef"].map((tag) =>
      rec(tag, "CAA", `0 ${tag} "ca.example.net"`),
    );
    const tags: unknown[] = [];
    const fetch: Fetch = (url, init) => {
      if (init.method === "POST") tags.push(JSON.parse(String(init.body)).tag);
      return backend.fetch(url, init);
    };
    const watched = domeneshop.open(backend.credentials, { fetch });
    await watched.apply(zone, makePlan(suiteZone, records.map(create)), signal);
    assert.deepEqual(tags, [0, 1, 2]);
    assert.deepEqual(keys((await provider.listRecords(zone, signal)).records), keys(records));
    const unknown = create(rec("mail", "CAA", '0 issuemail "ca.example.net"'));
    const applying = provider.apply(zone, makePlan(suiteZone, [unknown]), signal);
    await assert.rejects(applying, /does not know the CAA tag/);
  }));

/** sebastka/domeneshop-sdk at 44fa627a, NOTES.md, entries 28 and 29: seen at the live API. */
it("reads targets that come back with a closing dot and priorities that are texts", async () => {
  const mail = { id: 1, host: "@", type: "MX", data: "mx.example.net.", ttl: 3_600 };
  const provider = domeneshop.open(
    { api_token: "token", api_secret: "secret" },
    {
      fetch: async (url) =>
        Response.json(url.endsWith("/forwards/") ? [] : [{ ...mail, priority: "42" }]),
    },
  );
  const zone = { id: "7", name: suiteZone, nameservers: [] };
  const { records } = await provider.listRecords(zone, new AbortController().signal);
  assert.deepEqual(keys(records), keys([rec("@", "MX", "mx.example.net", { priority: 42 })]));
});

it("shows a web forward, which answers for its host", () =>
  withZone(domeneshop, startDomeneshop, suiteZone, async ({ backend, provider, zone, signal }) => {
    const forward = { name: `www.${suiteZone}`, type: "FORWARD", ttl: 0, priority: null };
    await backend.plant?.(suiteZone, { ...forward, value: "https://example.net/", extras: {} });
    const { opaque } = await provider.listRecords(zone, signal);
    assert.deepEqual(
      opaque.map(({ name, value, isAddress }) => ({ name, value, isAddress })),
      [{ name: `www.${suiteZone}`, value: "https://example.net/", isAddress: true }],
    );
  }));

it("leaves out domains without the DNS service, and the registry's name servers", () =>
  withZone(domeneshop, startDomeneshop, suiteZone, async ({ backend, provider, signal }) => {
    await backend.seed("elsewhere.example", []);
    await backend.plant?.("elsewhere.example", {
      ...rec("@", "TXT", "no DNS service"),
      extras: { withoutDns: true },
    });
    const zones = await provider.listZones(signal);
    assert.deepEqual(
      zones.map(({ name, nameservers }) => [name, nameservers]),
      [[suiteZone, []]],
    );
  }));

it("rounds a TTL up to whole minutes", () =>
  withZone(domeneshop, startDomeneshop, suiteZone, async ({ backend, provider, zone, signal }) => {
    const odd = rec("app", "A", "192.0.2.1", { ttl: 100 });
    await provider.apply(zone, makePlan(suiteZone, [create(odd)]), signal);
    assert.equal((await backend.records(suiteZone))[0]?.ttl, 120);
  }));
