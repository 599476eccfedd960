import assert from "node:assert/strict";
import { describe, it } from "node:test";
import vectors from "../../../dns/src/domain-connect/fixtures/vectors.json" with { type: "json" };
import type { DomainConnectTemplate } from "../../../dns/src/domain-connect/template.ts";
import { fillTemplate, ownerName, substitute, TemplateError } from "./template-fill.ts";

function values(input: object | undefined, at = { domain: "example.com", host: "" }) {
  const fqdn = at.host === "" ? at.domain : `${at.host}.${at.domain}`;
  const entries = Object.entries(input ?? {}).map(
    ([name, value]) => [name, String(value)] as const,
  );
  return new Map([...entries, ["domain", at.domain], ["host", at.host], ["fqdn", fqdn]]);
}

describe("owner names of a template", () => {
  for (const vector of vectors.ownerNameRendering) {
    it(`${vector.id}: ${JSON.stringify(vector.templateHost)} for ${JSON.stringify(vector.host)} is ${vector.owner ?? "refused"}`, () => {
      const name = () => `${ownerName(vector.templateHost, vector, values(vector.vars, vector))}.`;
      if (vector.owner === undefined) assert.throws(name, TemplateError);
      else assert.equal(name(), vector.owner);
    });
  }

  it("are refused when they are no names", () => {
    assert.throws(
      () => ownerName("a..b", { domain: "example.com", host: "" }, new Map()),
      TemplateError,
    );
  });
});

describe("variables of a template", () => {
  for (const vector of vectors.variableSubstitution) {
    it(`${vector.id}: ${vector.field} becomes ${vector.result ?? "an error"}`, () => {
      const input = new Map(
        Object.entries(vector.vars).map(([name, value]) => [name, String(value)]),
      );
      if (vector.result === undefined) {
        assert.throws(() => substitute(vector.field, input), TemplateError);
      } else assert.equal(substitute(vector.field, input), vector.result);
    });
  }
});

const head = { providerId: "p", providerName: "P", serviceId: "s", serviceName: "S" };

function template(records: DomainConnectTemplate["records"], more = {}): DomainConnectTemplate {
  return { ...head, ...more, records };
}

function filled(records: DomainConnectTemplate["records"], input = {}) {
  const parameters = { domain: "example.com", host: "shop", variables: {}, ...input };
  return fillTemplate(template(records), parameters).map((one) =>
    one.kind === "spf" ? one : one.record,
  );
}

describe("filling a template in", () => {
  it("reads every kind of record, numbers as numbers, texts and variables", () => {
    const records = filled(
      [
        { type: "A", host: "@", pointsTo: "192.0.2.%n%", ttl: "300" },
        { type: "AAAA", host: "@", pointsTo: "2001:db8::1", ttl: 300 },
        { type: "CNAME", host: "www", pointsTo: "@", ttl: "%ttl%" },
        { type: "MX", host: "@", pointsTo: "mx.%domain%.", ttl: 60, priority: "%n%" },
        { type: "TXT", host: "_t", data: "v=%host%", ttl: 60 },
        {
          type: "SRV",
          name: "@",
          service: "_sip",
          protocol: "_tcp",
          priority: 1,
          weight: 2,
          port: 3,
          target: ".",
          ttl: 60,
        },
        { type: "CAA", host: "@", data: '0 issue "ca.example"', ttl: 60 },
        { type: "NS", host: "sub", pointsTo: "ns.else.example", ttl: 60 },
        { type: "SPFM", host: "@", spfRules: "include:a.example  include:%domain%" },
      ],
      { variables: { n: "7", ttl: "60", unused: "x" } },
    );
    const printed = records.map((one) =>
      "kind" in one
        ? `${one.name} SPF ${one.rules.join(",")}`
        : `${one.name} ${one.type} ${one.priority ?? ""}${one.priority === null ? "" : " "}${one.value} ${one.ttl}`,
    );
    assert.deepEqual(printed, [
      "shop.example.com A 192.0.2.7 300",
      "shop.example.com AAAA 2001:db8::1 300",
      "www.shop.example.com CNAME shop.example.com 60",
      "shop.example.com MX 7 mx.example.com 60",
      "_t.shop.example.com TXT v=shop 60",
      "_sip._tcp.shop.example.com SRV 1 2 3 . 60",
      'shop.example.com CAA 0 issue "ca.example" 60',
      "sub.shop.example.com NS ns.else.example 60",
      "shop.example.com SPF include:a.example,include:example.com",
    ]);
  });

  it("takes the named groups and what has none, and asks only for their variables", () => {
    const records = [
      { type: "A", host: "@", pointsTo: "192.0.2.1", ttl: 60 },
      { type: "TXT", host: "a", data: "x", ttl: 60, groupId: "a" },
      { type: "TXT", host: "b", data: "%missing%", ttl: 60, groupId: "b" },
    ];
    assert.deepEqual(
      filled(records, { groupIds: ["a"] }).map(({ name }) => name),
      ["shop.example.com", "a.shop.example.com"],
    );
    assert.throws(() => filled(records), TemplateError);
    assert.throws(() => filled(records, { groupIds: ["A"] }), TemplateError);
  });

  it("fails whole for what cannot be filled in", () => {
    const bad: readonly DomainConnectTemplate["records"][] = [
      [{ type: "A", host: "@", pointsTo: "not an address", ttl: 60 }],
      [{ type: "A", host: "@", pointsTo: "@", ttl: 60 }],
      [{ type: "A", host: "@", pointsTo: "192.0.2.1" }],
      [{ type: "A", host: "@", pointsTo: "192.0.2.1", ttl: "soon" }],
      [{ type: "A", pointsTo: "192.0.2.1", ttl: 60 }],
      [{ type: "APEXCNAME", host: "@", pointsTo: "x.example", ttl: 60 }],
      [{ type: "REDIR301", host: "@", target: "https://x.example", ttl: 60 }],
      [{ type: "TXT", host: "x.", data: "outside", ttl: 60 }],
      [{ type: "TXT", host: "@", data: "x", ttl: 60, txtConflictMatchingMode: "Some" }],
      [{ type: "TXT", host: "@", data: "x", ttl: 60, txtConflictMatchingMode: "Prefix" }],
    ];
    for (const records of bad) {
      assert.throws(() => filled(records), TemplateError, JSON.stringify(records));
    }
    const txt = [{ type: "TXT", host: "@", data: "%v%", ttl: 60 }];
    assert.throws(() => filled(txt, { variables: { v: "é" } }), TemplateError);
  });

  it("refuses the apex where the template is for subdomains", () => {
    const sub = template([{ type: "TXT", host: "@", data: "x", ttl: 60 }], { hostRequired: true });
    const apex = { domain: "example.com", host: "", variables: {} };
    assert.throws(() => fillTemplate(sub, apex), TemplateError);
  });
});
