import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create, keys, makePlan, rec, remove, suiteZone, withZone } from "./cases/case-context.ts";
import { simulators } from "./random-zones/all-simulators.ts";

/** RFC 7505 and RFC 2782: no mail is accepted, no such service is offered. */
const mail = rec("@", "MX", ".", { priority: 0 });
const service = rec("_imap._tcp", "SRV", "0 0 .", { priority: 0 });
const address = rec("app", "A", "192.0.2.1");

/**
 * Where StackExchange/dnscontrol at 7a079bc2 stores the root as a target: convert.go of bunnydns,
 * dnsimpleProvider.go, linodeProvider.go (an empty text for a mail exchanger), records.go of ns1,
 * porkbunProvider.go, and of the others no `MxNull` or `SrvHasNullTarget` in auditrecords.go.
 */
const accepting = new Set([
  "akamai",
  "bunny",
  "cloudflare",
  "cloudns",
  "desec",
  "dnsimple",
  "dnsmadeeasy",
  "gandi",
  "google_cloud_dns",
  "hetzner",
  "inwx",
  "linode",
  "ns1",
  "oracle",
  "ovh",
  "porkbun",
  "powerdns",
  "route53",
]);

describe("the root as a target", () => {
  for (const { name, adapter, start } of simulators.filter(({ name: one }) => accepting.has(one))) {
    it(`is written, read and deleted: ${name}`, () =>
      withZone(adapter, start, suiteZone, async ({ backend, provider, zone, signal }) => {
        const apply = (...changes: Parameters<typeof makePlan>[1]) =>
          provider.apply(zone, makePlan(suiteZone, changes), signal);
        await apply(create(mail), create(service), create(address));
        const all = keys([mail, service, address]);
        assert.deepEqual(keys(await backend.records(suiteZone)), all);
        assert.deepEqual(keys((await provider.listRecords(zone, signal)).records), all);
        await apply(remove(mail), remove(service));
        assert.deepEqual(keys(await backend.records(suiteZone)), keys([address]));
      }));
  }
});
