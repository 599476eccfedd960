import assert from "node:assert/strict";
import { ProviderError } from "../../src/providers/adapter/errors.ts";
import { type DnsRecord, recordKey } from "../../src/record.ts";
import { type Case, keys, rec } from "./case-context.ts";

/** The records of an ordinary zone; no writing case may change them. */
export const suiteRecords: readonly DnsRecord[] = [
  rec("@", "A", "192.0.2.10"),
  rec("@", "TXT", "v=spf1 include:_spf.example.net ~all"),
  rec("@", "MX", "mail.example.net", { priority: 10 }),
  rec("www", "CNAME", "conformance.example"),
  rec("mail", "AAAA", "2001:db8::25"),
  rec("_sip._tcp", "SRV", "5 5060 sip.example.net", { priority: 1 }),
];

export const readingCases: readonly Case[] = [
  {
    name: "finds the zone of a name by the longest match",
    run: async ({ backend, find }) => {
      await backend.seed("sub.conformance.example", []);
      await backend.seed("unrelated.example", []);
      assert.equal((await find("a.sub.conformance.example")).name, "sub.conformance.example");
      assert.equal((await find("a.b.conformance.example")).name, "conformance.example");
    },
  },
  {
    name: "lists every zone over all pages",
    run: async ({ backend, provider, signal }) => {
      const names = Array.from({ length: 60 }, (_, index) => `zone${index}.example`);
      for (const name of names) await backend.seed(name, []);
      const listed = (await provider.listZones(signal)).map(({ name }) => name);
      assert.deepEqual(
        names.filter((name) => !listed.includes(name)),
        [],
      );
      assert.equal(new Set(listed).size, listed.length);
    },
  },
  {
    name: "lists every record over all pages",
    run: async ({ backend, zone, list, initialRecords }) => {
      const many = Array.from({ length: 130 }, (_, index) => rec(`host${index}`, "A", "192.0.2.1"));
      await backend.seed(zone, [...initialRecords, ...many]);
      assert.deepEqual(keys((await list()).records), keys([...initialRecords, ...many]));
    },
  },
  {
    name: "gives names, targets, texts and priorities in canonical form",
    run: async ({ backend, zone, list, initialRecords }) => {
      const records = initialRecords;
      await backend.seed(zone, records);
      const listed = (await list()).records;
      assert.deepEqual(keys(listed), keys(records));
      // A provider may have one TTL for all records.
      const ttls = [listed, await backend.records(zone)].map(
        (some) =>
          some.find((one) => recordKey(one) === recordKey(rec("mail", "AAAA", "2001:db8::25")))
            ?.ttl,
      );
      assert.ok(ttls[0] !== undefined && ttls[0] > 0);
      assert.equal(ttls[0], ttls[1]);
    },
  },
  {
    name: "reports a zone that is not there as not_found",
    run: async ({ backend, provider, signal }) => {
      await assert.rejects(provider.listRecords(backend.missingZone, signal), isKind("not_found"));
    },
  },
];

export function isKind(kind: ProviderError["kind"]): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof ProviderError, `not a ProviderError: ${String(error)}`);
    assert.equal(error.kind, kind, error.message);
    return true;
  };
}
