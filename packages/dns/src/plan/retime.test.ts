import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { manifest } from "../providers/cloudflare/manifest.ts";
import { manifest as transip } from "../providers/transip/manifest.ts";
import { type DnsRecord, parseRecord } from "../record.ts";
import { planLowerTtl, type RetimeInput } from "./retime.ts";

function rec(type: string, value: string, ttl: number): DnsRecord {
  const parsed = parseRecord({ name: "shop.example.com", type, value, ttl });
  assert.ok(parsed.ok);
  return parsed.record;
}

const [one, two, six] = [
  rec("A", "192.0.2.1", 3_600),
  rec("A", "192.0.2.2", 3_600),
  rec("AAAA", "2001:db8::1", 3_600),
] as const;
const https = { name: one.name, type: "A", value: "", note: "it is managed", isAddress: true };

describe("a plan that lowers TTLs", () => {
  const ttlsOf = (changes: Partial<RetimeInput>): readonly string[] =>
    planLowerTtl({
      zone: "example.com",
      manifest,
      ttlSeconds: 60,
      records: [one, two, six],
      listing: { records: [one, two, six], opaque: [] },
      ...changes,
    }).map(({ action, record, existing }) => {
      assert.deepEqual([action, existing], ["update", [{ ...record, ttl: existing[0]?.ttl }]]);
      return `${record.value} ${record.ttl}`;
    });
  const listed = (...records: readonly DnsRecord[]) => ({ listing: { records, opaque: [] } });

  const table: readonly (readonly [string, Partial<RetimeInput>, readonly string[]])[] = [
    ["lowers every record of a set", {}, ["192.0.2.1 60", "192.0.2.2 60", "2001:db8::1 60"]],
    ["leaves a set with another record", { records: [one, six] }, ["2001:db8::1 60"]],
    [
      "leaves a set that has something unreadable",
      { listing: { records: [one, two, six], opaque: [https] } },
      ["2001:db8::1 60"],
    ],
    ["leaves a short TTL", listed({ ...one, ttl: 60 }, { ...six, ttl: 30 }), []],
    ["leaves what is not there", listed(), []],
    [
      "goes no lower than the zone allows",
      { ...listed(one), limits: { minimumTtlSeconds: 600 } },
      ["192.0.2.1 600"],
    ],
    ["leaves a record with a setting", listed({ ...one, setting: { key: "x", note: "" } }), []],
    ["leaves a provider that deletes a record to change it", { manifest: transip }, []],
    [
      "leaves a provider that writes the whole zone again",
      { manifest: { ...manifest, rewriteWarning: "Some is lost." } },
      [],
    ],
  ];
  for (const [title, changes, expected] of table) {
    it(title, () => assert.deepEqual(ttlsOf(changes), expected));
  }
});
