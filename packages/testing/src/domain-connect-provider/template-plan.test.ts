import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { printRecord } from "../../../dns/conformance/print-record.ts";
import type {
  DomainConnectRecord,
  DomainConnectTemplate,
} from "../../../dns/src/domain-connect/template.ts";
import { type DnsRecord, parseRecord, recordKey } from "../../../dns/src/record.ts";
import { planTemplate } from "./template-plan.ts";

/** `name type value`, relative to example.com; MX and SRV values start with the priority. */
function parseZone(...lines: readonly string[]): readonly DnsRecord[] {
  return lines.map((line) => {
    const [host = "", type = "", ...rest] = line.split(" ");
    const name = host === "@" ? "example.com" : `${host}.example.com`;
    const hasPriority = type === "MX" || type === "SRV";
    const parsed = parseRecord({
      name,
      type,
      value: (hasPriority ? rest.slice(1) : rest).join(" "),
      ttl: 3_600,
      priority: hasPriority ? Number(rest[0]) : null,
    });
    assert.ok(parsed.ok, line);
    return parsed.record;
  });
}

function template(...records: readonly DomainConnectRecord[]): DomainConnectTemplate {
  return { providerId: "p", providerName: "P", serviceId: "s", serviceName: "S", records };
}

function planned(
  zone: readonly string[],
  records: readonly DomainConnectRecord[],
  host = "",
  variables = {},
) {
  const parameters = { domain: "example.com", host, variables };
  return planTemplate(parseZone(...zone), template(...records), parameters);
}

function short(records: readonly DnsRecord[]): readonly string[] {
  return records.map((record) => printRecord(record).replace(/ \d+ /, " "));
}

type Fields = Omit<DomainConnectRecord, "type">;

function record(type: string, fields: Fields): DomainConnectRecord {
  return { type, host: "@", ttl: 300, ...fields };
}

const a = (host = "@"): DomainConnectRecord => record("A", { host, pointsTo: "203.0.113.2" });
const aaaa = record("AAAA", { pointsTo: "2001:db8::2" });
const cname = (host = "@") => record("CNAME", { host, pointsTo: "edge.example.net" });
const txt = (mode: string, prefix: Fields = {}) =>
  record("TXT", { data: "service-verify=new", txtConflictMatchingMode: mode, ...prefix });
const byPrefix = txt("Prefix", { txtConflictMatchingPrefix: "service-verify=" });
const mx = record("MX", { pointsTo: "mx.new.example", priority: 10 });
const sip = { service: "_sip", protocol: "_tcp", priority: 1, weight: 1, port: 5060 };
const srv = record("SRV", { name: "@", ...sip, target: "sip.new.example" });
const ns = (host: string) => record("NS", { host, pointsTo: "ns1.new.example" });
const spfm = record("SPFM", { spfRules: "include:spf.b.example" });
const caa = record("CAA", { data: '0 issue "new.example"' });

/** A zone with something of everything at `x`. */
const crowded = [
  "x A 192.0.2.1",
  "x AAAA 2001:db8::1",
  "x MX 10 mx.old.example",
  "x TXT service-verify=old",
  "x TXT other",
  'x CAA 0 issue "old.example"',
  "_sip._tcp.x SRV 1 1 5060 sip.old.example",
  "below.x A 192.0.2.9",
  "beside A 192.0.2.8",
  "@ NS ns1.provider.example",
  "@ A 192.0.2.7",
];

/** New record at `x` → what goes of the crowded zone. */
const matrix: readonly (readonly [string, DomainConnectRecord, readonly RegExp[]])[] = [
  ["a CNAME removes everything at the name", cname(), [/^x\.example\.com /]],
  ["an A removes A and AAAA", a(), [/^x\.example\.com A /, /^x\.example\.com AAAA /]],
  ["an AAAA removes A and AAAA", aaaa, [/^x\.example\.com A /, /^x\.example\.com AAAA /]],
  ["an MX removes MX", mx, [/^x\.example\.com MX /]],
  ["an SRV removes SRV of its own name", srv, [/^_sip\._tcp\.x\.example\.com SRV /]],
  ["an NS removes everything at and below the name", ns("@"), [/x\.example\.com /]],
  ["a TXT removes nothing", record("TXT", { data: "new" }), []],
  ["a TXT in mode None removes nothing", txt("None"), []],
  ["a TXT in mode All removes all TXT at the name", txt("All"), [/^x\.example\.com TXT /]],
  [
    "a TXT in mode Prefix removes those with the prefix",
    byPrefix,
    [/^x\.example\.com TXT service-verify=old$/],
  ],
  ["a CAA removes nothing", caa, []],
  ["SPF rules remove nothing where there is no SPF", spfm, []],
];

describe("applying a template", () => {
  for (const [title, coming, gone] of matrix) {
    it(`${title}, and nothing else`, () => {
      const plan = planned(crowded, [coming], "x");
      assert.ok(plan.ok);
      const expected = short(parseZone(...crowded)).filter((line) =>
        gone.some((rule) => rule.test(line)),
      );
      assert.deepEqual(short(plan.remove), expected);
      assert.equal(plan.add.length, 1);
    });
  }

  for (const record of [a(), mx, txt("None"), caa, spfm, cname(), aaaa]) {
    it(`replaces a CNAME at the name by ${record.type}`, () => {
      const plan = planned(["x CNAME old.example"], [record], "x");
      assert.ok(plan.ok);
      assert.deepEqual(short(plan.remove), ["x.example.com CNAME old.example"]);
    });
  }

  for (const record of [a(), txt("None"), mx, spfm]) {
    it(`takes away a delegation at or above the name for ${record.type}`, () => {
      const zone = ["x NS ns1.else.example", "x NS ns2.else.example", "other NS ns1.else.example"];
      for (const host of ["x", "api.x"]) {
        const plan = planned(zone, [record], host);
        assert.ok(plan.ok);
        assert.deepEqual(short(plan.remove), [
          "x.example.com NS ns1.else.example",
          "x.example.com NS ns2.else.example",
        ]);
      }
    });
  }

  it("replaces another provider's flattened CNAME by addresses", () => {
    const plan = planned(["@ ALIAS old.example", "@ MX 10 mx.example"], [a()]);
    assert.ok(plan.ok);
    assert.deepEqual(short(plan.remove), ["example.com ALIAS old.example"]);
  });

  it("leaves the zone's own name servers alone", () => {
    const plan = planned(["@ NS ns1.provider.example"], [a(), mx, txt("All")]);
    assert.ok(plan.ok);
    assert.deepEqual(plan.remove, []);
  });

  it("keeps a record that is there already, whatever its TTL, and removes only what differs", () => {
    const plan = planned(["@ A 203.0.113.2", "@ A 192.0.2.1"], [a()]);
    assert.ok(plan.ok);
    assert.deepEqual(short(plan.keep), ["example.com A 203.0.113.2"]);
    assert.deepEqual(short(plan.remove), ["example.com A 192.0.2.1"]);
    assert.deepEqual(plan.add, []);
    const delegated = planned(["x NS ns1.new.example", "x NS ns2.old.example"], [ns("x")]);
    assert.ok(delegated.ok);
    assert.deepEqual(short(delegated.keep), ["x.example.com NS ns1.new.example"]);
    assert.deepEqual(short(delegated.remove), ["x.example.com NS ns2.old.example"]);
  });

  it("writes several records of one set side by side", () => {
    const plan = planned(["@ A 192.0.2.1"], [a(), { ...a(), pointsTo: "203.0.113.3" }, a()]);
    assert.ok(plan.ok);
    assert.deepEqual(short(plan.add), ["example.com A 203.0.113.2", "example.com A 203.0.113.3"]);
  });

  it("changes the apex and www as in the protocol's example, and leaves mail there", () => {
    const zone = [
      "@ A 192.0.2.1",
      "@ AAAA 2001:db8::1",
      "@ MX 10 mx.old.example",
      "www CNAME other.example",
    ];
    const plan = planned(zone, [a("@"), a("www")]);
    assert.ok(plan.ok);
    assert.deepEqual(short(plan.remove), [
      "example.com A 192.0.2.1",
      "example.com AAAA 2001:db8::1",
      "www.example.com CNAME other.example",
    ]);
  });

  it("replaces a DMARC policy by prefix", () => {
    const mode = txt("Prefix", { txtConflictMatchingPrefix: "v=DMARC1" });
    const policy = { ...mode, host: "_dmarc", data: "v=DMARC1; p=none" };
    const plan = planned(["_dmarc TXT v=DMARC1; p=reject", "_dmarc TXT note"], [policy]);
    assert.ok(plan.ok);
    assert.deepEqual(short(plan.remove), ["_dmarc.example.com TXT v=DMARC1; p=reject"]);
  });
});

describe("merging SPF rules of a template", () => {
  it("makes one record with all that was there", () => {
    const plan = planned(["@ TXT v=spf1 a include:spf.a.example ~all", "@ TXT note"], [spfm]);
    assert.ok(plan.ok);
    assert.deepEqual(short(plan.remove), ["example.com TXT v=spf1 a include:spf.a.example ~all"]);
    assert.deepEqual(short(plan.add), [
      "example.com TXT v=spf1 a include:spf.a.example include:spf.b.example ~all",
    ]);
  });

  it("leaves a record alone that has them, and joins the rules of several templates' records", () => {
    const untouched = planned(["@ TXT v=spf1 include:spf.b.example -all"], [spfm]);
    assert.ok(untouched.ok);
    assert.deepEqual([untouched.add, untouched.remove], [[], []]);
    const joined = planned([], [spfm, { ...spfm, spfRules: "ip4:192.0.2.1" }]);
    assert.ok(joined.ok);
    assert.deepEqual(short(joined.add), [
      "example.com TXT v=spf1 include:spf.b.example ip4:192.0.2.1 ~all",
    ]);
  });

  it("shows all SPF records as conflicts where none can be merged", () => {
    const plan = planned(["@ TXT v=spf1 a ~all", "@ TXT v=spf1 mx ~all"], [spfm]);
    assert.ok(plan.ok);
    assert.equal(plan.remove.length, 2);
    assert.deepEqual(short(plan.add), ["example.com TXT v=spf1 include:spf.b.example ~all"]);
  });

  it("refuses rules that would decide over all senders", () => {
    for (const spfRules of ["all", "+all", "-all", "redirect=x.example", "v=spf1 a"]) {
      assert.equal(planned([], [{ ...spfm, spfRules }]).ok, false, spfRules);
    }
  });
});

describe("a template that cannot be applied", () => {
  const refused: readonly (readonly [string, readonly DomainConnectRecord[], string])[] = [
    ["a CNAME beside another record", [cname(), txt("None")], "x"],
    ["two CNAMEs at a name", [cname(), { ...cname(), pointsTo: "other.example" }], "x"],
    ["a delegation over another record", [ns("@"), a("www")], "x"],
    ["a CNAME at the apex", [cname()], ""],
    ["a delegation of the zone itself", [ns("@")], ""],
    ["a variable without value", [{ ...a(), pointsTo: "%ip%" }], "x"],
    ["a record outside the zone", [{ ...a(), host: "www.example.net." }], "x"],
    ["an unknown type", [{ ...a(), type: "APEXCNAME" }], ""],
  ];
  for (const [title, records, host] of refused) {
    it(`is refused whole: ${title}`, () => {
      const plan = planned(crowded, records, host);
      assert.equal(plan.ok, false);
    });
  }

  it("plans the same change once: applied to its own result it does nothing", () => {
    const pool = [
      a(),
      { ...a(), pointsTo: "203.0.113.9" },
      mx,
      srv,
      txt("All"),
      byPrefix,
      caa,
      spfm,
      a("www"),
      cname("cdn"),
      ns("dev"),
    ];
    fc.assert(
      fc.property(fc.subarray(crowded), fc.subarray(pool, { minLength: 1 }), (zone, records) => {
        const parameters = { domain: "example.com", host: "x", variables: {} };
        const before = parseZone(...zone);
        const first = planTemplate(before, template(...records), parameters);
        assert.ok(first.ok);
        const gone = new Set(first.remove.map(recordKey));
        const after = [...before.filter((record) => !gone.has(recordKey(record))), ...first.add];
        const second = planTemplate(after, template(...records), parameters);
        assert.ok(second.ok);
        assert.deepEqual([second.add, second.remove], [[], []]);
      }),
    );
  });
});
