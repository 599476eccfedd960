import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { propertyRuns } from "@mooring/testing/processes/property-runs";
import fc from "fast-check";
import {
  canonicalIpv6,
  type DnsRecord,
  parseRecord,
  parseValue,
  recordKey,
  sameRecord,
} from "./record.ts";

function read(type: string, value: string, priority: number | null = null): string {
  const parsed = parseRecord({ name: "Shop.Example.com.", type, value, ttl: 300, priority });
  return parsed.ok ? parsed.record.value : `refused: ${parsed.field}`;
}

describe("parseRecord", () => {
  const accepted: readonly (readonly [string, string, string, number | null])[] = [
    ["A", "192.0.2.1", "192.0.2.1", null],
    ["AAAA", "2001:DB8:0:0:0:0:0:1", "2001:db8::1", null],
    ["CNAME", "Edge.Example.NET.", "edge.example.net", null],
    ["CNAME", "_x.Example.net", "_x.example.net", null],
    ["ALIAS", "bücher.example", "xn--bcher-kva.example", null],
    ["NS", "NS1.example.", "ns1.example", null],
    ["MX", "Mail.example", "mail.example", 10],
    ["MX", ".", ".", 0],
    ["TXT", "v=spf1 -all", "v=spf1 -all", null],
    ["TXT", 'says "hi" \\ ü', 'says "hi" \\ ü', null],
    ["CAA", '0 ISSUE "letsencrypt.org"', '0 issue "letsencrypt.org"', null],
    ["CAA", "128 iodef mailto:a@b.example", '128 iodef "mailto:a@b.example"', null],
    ["CAA", '0 issue ";"', '0 issue ";"', null],
    ["CAA", '0 issue "a\\"b\\\\c"', '0 issue "a\\"b\\\\c"', null],
    ["SRV", "5  05060 Sip.example.", "5 5060 sip.example", 10],
    ["SRV", "0 0 .", "0 0 .", 0],
  ];
  for (const [type, value, canonical, priority] of accepted) {
    test(`reads ${type} ${value}`, () => assert.equal(read(type, value, priority), canonical));
  }

  const refused: readonly (readonly [string, string, number | null])[] = [
    ["A", "1.2.3", null],
    ["A", "01.2.3.4", null],
    ["A", "2001:db8::1", null],
    ["AAAA", "1.2.3.4", null],
    ["AAAA", "fe80::1%eth0", null],
    ["CNAME", "1.2.3.4", null],
    ["CNAME", "*.example.com", null],
    ["CNAME", "https://example.com", null],
    ["CNAME", ".", null],
    ["MX", "", 10],
    ["TXT", "", null],
    ["TXT", "a\nb", null],
    ["TXT", "a\u0000", null],
    ["TXT", "\ufffd", null],
    ["TXT", "\ud800", null],
    ["TXT", "x".repeat(4_097), null],
    ["CAA", "0 issue", null],
    ["CAA", '256 issue "x"', null],
    ["CAA", '0 is-sue "x"', null],
    ["CAA", '0 issue "x" y', null],
    ["SRV", "1 65536 a.example", 0],
    ["SRV", "1 a.example", 0],
  ];
  for (const [type, value, priority] of refused) {
    test(`refuses ${type} ${JSON.stringify(value.slice(0, 30))}`, () => {
      assert.equal(read(type, value, priority), "refused: value");
    });
  }

  test("names the field that is wrong", () => {
    const good = { name: "a.example", type: "A", value: "192.0.2.1", ttl: 60 };
    const field = (change: object) => {
      const parsed = parseRecord({ ...good, ...change });
      return parsed.ok ? null : parsed.field;
    };
    assert.equal(field({}), null);
    assert.equal(field({ type: "a" }), null);
    assert.equal(field({ type: "PTR" }), "type");
    assert.equal(field({ name: "a..b" }), "name");
    assert.equal(field({ ttl: -1 }), "ttl");
    assert.equal(field({ ttl: 1.5 }), "ttl");
    assert.equal(field({ ttl: 2 ** 31 }), "ttl");
    assert.equal(field({ priority: 10 }), "priority");
    assert.equal(field({ type: "MX", value: "m.example" }), "priority");
    assert.equal(field({ type: "MX", value: "m.example", priority: 65_536 }), "priority");
  });
});

describe("equality", () => {
  const txt: DnsRecord = { name: "a.example", type: "TXT", value: "Ab", ttl: 60, priority: null };

  test("leaves out the TTL and preserves the case of texts", () => {
    assert.ok(sameRecord(txt, { ...txt, ttl: 300 }));
    assert.ok(!sameRecord(txt, { ...txt, value: "ab" }));
    assert.ok(!sameRecord(txt, { ...txt, name: "b.example" }));
  });

  test("ignores the case of host targets once they are parsed", () => {
    assert.equal(read("CNAME", "EDGE.example"), read("CNAME", "edge.Example."));
  });

  test("never confuses the parts of a record", () => {
    const mx: DnsRecord = { name: "a.example", type: "MX", value: "m", ttl: 1, priority: 1 };
    assert.notEqual(recordKey(mx), recordKey({ ...mx, priority: 11 }));
  });
});

describe("canonical values", () => {
  test("are fixed points of their own grammar", () => {
    const values = fc.oneof(
      fc.ipV4().map((value) => ["A", value] as const),
      fc.ipV6().map((value) => ["AAAA", value] as const),
      fc.domain().map((value) => ["CNAME", value.toUpperCase()] as const),
      fc.string({ unit: "grapheme", minLength: 1 }).map((value) => ["TXT", value] as const),
      fc.string().map((value) => ["CAA", `0 issue "${value}"`] as const),
      fc
        .tuple(fc.nat(70_000), fc.nat(70_000), fc.domain())
        .map((parts) => ["SRV", parts.join(" ")] as const),
    );
    fc.assert(
      fc.property(values, ([type, value]) => {
        const once = parseValue(type, value);
        if (!once.ok) return;
        assert.deepEqual(parseValue(type, once.value), once);
      }),
      { numRuns: propertyRuns(10_000) },
    );
  });

  test("give every spelling of an IPv6 address one form (RFC 5952)", () => {
    const groups = fc.array(fc.constantFrom(0, 0, 0, 1, 0xdb8, 0xffff), {
      minLength: 8,
      maxLength: 8,
    });
    fc.assert(
      fc.property(groups, (address) => {
        const padded = address.map((group) => group.toString(16).padStart(4, "0")).join(":");
        const upper = address.map((group) => group.toString(16).toUpperCase()).join(":");
        const canonical = canonicalIpv6(padded);
        assert.equal(canonicalIpv6(upper), canonical);
        assert.equal(canonicalIpv6(canonical ?? ""), canonical);
        assert.doesNotMatch(canonical ?? "", /(?:^|:)0[0-9a-f]/);
      }),
      { numRuns: propertyRuns(5_000) },
    );
    assert.equal(canonicalIpv6("0:0:0:0:0:FFFF:0102:0304"), "::ffff:1.2.3.4");
    assert.equal(canonicalIpv6("2001:db8:0:1:1:1:1:1"), "2001:db8:0:1:1:1:1:1");
    assert.equal(canonicalIpv6("2001:0:0:1:0:0:0:1"), "2001:0:0:1::1");
  });
});
