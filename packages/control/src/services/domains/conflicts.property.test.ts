import assert from "node:assert/strict";
import { test } from "node:test";
import { type DnsRecord, parseRecord, recordKey } from "@mooring/dns";
import { propertyRuns } from "@mooring/testing/processes/property-runs";
import fc from "fast-check";
import { fromDesired, toDesired } from "../../domain/records/desired-records.ts";
import { recordConflicts } from "./conflicts.ts";
import type { NameObservation } from "./observe-name.ts";

const names = ["acme.example", "shop.acme.example", "www.shop.acme.example"] as const;
const values: readonly (readonly [string, string, number | null])[] = [
  ["A", "192.0.2.10", null],
  ["A", "203.0.113.5", null],
  ["AAAA", "2001:db8::10", null],
  ["AAAA", "2001:db8:f::5", null],
  ["CNAME", "edge.mooring.example", null],
  ["CNAME", "old.host.example", null],
  ["ALIAS", "edge.mooring.example", null],
  ["TXT", "v=spf1 -all", null],
  ["TXT", "v=spf1 ~all", null],
  ["TXT", "hello", null],
  ["MX", "mail.acme.example", 10],
  ["NS", "ns1.dns.example", null],
  ["CAA", '0 issue "ca.example"', null],
];

const anyRecord = fc
  .tuple(fc.constantFrom(...names), fc.constantFrom(...values))
  .map(([name, [type, value, priority]]): DnsRecord => {
    const parsed = parseRecord({ name, type, value, ttl: 60, priority });
    assert.ok(parsed.ok);
    return parsed.record;
  });

const scene = fc.record({
  requested: fc.array(anyRecord, { maxLength: 6 }),
  // DNS answers an ALIAS with addresses.
  there: fc.array(
    anyRecord.filter(({ type }) => type !== "ALIAS"),
    { maxLength: 12 },
  ),
  zone: fc.constantFrom("acme.example", "shop.acme.example"),
  canFlatten: fc.boolean(),
});

test("conflicts are there, are not requested, and with them gone there are none", () => {
  const edgeAddresses = new Set(["192.0.2.10", "2001:db8::10"]);
  fc.assert(
    fc.property(scene, ({ requested, there, zone, canFlatten }) => {
      const seenWith = (records: readonly DnsRecord[]): NameObservation[] =>
        names.map((name) => ({
          name,
          zone: name.endsWith(zone) ? zone : "acme.example",
          records: records.filter((record) => record.name === name),
          bindings: [],
          fromWildcard: false,
          complete: true,
        }));
      const desired = requested.map(toDesired);
      const find = (records: readonly DnsRecord[]) =>
        recordConflicts(desired, seenWith(records), { edgeAddresses, canFlatten });
      const conflicts = new Set(find(there).map((one) => recordKey(fromDesired(one))));
      const isThere = new Set(there.map(recordKey));
      const isRequested = new Set(requested.map(recordKey));
      for (const key of conflicts) assert.ok(isThere.has(key) && !isRequested.has(key), key);
      const left = there.filter((record) => !conflicts.has(recordKey(record)));
      assert.deepEqual(find(left), []);
    }),
    { numRuns: propertyRuns(20_000) },
  );
});
