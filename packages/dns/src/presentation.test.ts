import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { propertyRuns } from "@mooring/testing/processes/property-runs";
import fc from "fast-check";
import { parseData, presentData, readTarget, splitCaa, splitSrv } from "./presentation.ts";
import { type DnsRecord, parseRecord } from "./record.ts";

function rec(type: string, value: string, priority: number | null = null): DnsRecord {
  const parsed = parseRecord({ name: "a.example.com", type, value, ttl: 300, priority });
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.record;
}

const label = fc.stringMatching(/^[a-z0-9_]{1,10}$/);
const host = fc
  .array(label, { minLength: 2, maxLength: 4 })
  .map((labels) => `x${labels.join(".")}.example`);
const u16 = fc.nat({ max: 65_535 });
const printable = fc.stringMatching(/^[\x20-\x7e]{1,600}$/);
const anyRecord: fc.Arbitrary<DnsRecord> = fc.oneof(
  fc.ipV4().map((value) => rec("A", value)),
  fc.ipV6().map((value) => rec("AAAA", value)),
  host.map((value) => rec("CNAME", value)),
  fc.tuple(host, u16).map(([value, priority]) => rec("MX", value, priority)),
  fc
    .tuple(u16, u16, host, u16)
    .map(([weight, port, target, priority]) => rec("SRV", `${weight} ${port} ${target}`, priority)),
  printable.map((value) => rec("TXT", value)),
  fc.stringMatching(/^[\p{L}\p{N} ]{1,200}$/u).map((value) => rec("TXT", value)),
  fc
    .stringMatching(/^[a-z0-9.; =\\"]{1,40}$/)
    .map((value) => rec("CAA", `0 issue "${value.replace(/["\\]/g, "\\$&")}"`)),
);

describe("zone-file data", () => {
  it("says the same after writing and reading it, for every record", () => {
    const property = fc.property(anyRecord, (record) => {
      for (const origin of [null, "example.com"]) {
        const read = parseData(record.type, presentData(record), origin);
        assert.ok(read !== null);
        const parsed = parseRecord({ ...record, ...read });
        assert.ok(parsed.ok);
        assert.deepEqual(parsed.record, record);
      }
    });
    fc.assert(property, { numRuns: propertyRuns(20_000) });
  });

  it("takes a name without closing dot as relative where there is an origin", () => {
    assert.equal(readTarget("www", "example.com"), "www.example.com");
    assert.equal(readTarget("@", "example.com"), "example.com");
    assert.equal(readTarget("www.example.net", null), "www.example.net");
    assert.equal(readTarget(".", "example.com"), ".");
    assert.deepEqual(parseData("MX", "10 mail", "example.com"), {
      value: "mail.example.com",
      priority: 10,
    });
  });

  it("does not make sense of what has none", () => {
    assert.equal(parseData("MX", "mail.example.com.", null), null);
    assert.equal(parseData("TXT", '"unclosed', null), null);
  });

  it("takes CAA and SRV apart", () => {
    assert.deepEqual(splitCaa('128 iodef "mailto:a@example.com"'), {
      flags: 128,
      tag: "iodef",
      text: "mailto:a@example.com",
    });
    assert.deepEqual(splitCaa('0 issue "a\\"b\\\\c"'), { flags: 0, tag: "issue", text: 'a"b\\c' });
    assert.deepEqual(splitSrv("5 5060 sip.example.com"), {
      weight: 5,
      port: 5060,
      target: "sip.example.com",
    });
  });
});
