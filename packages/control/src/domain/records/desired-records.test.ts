import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findProvider, type ProviderManifest, providers } from "@mooring/dns";
import type { TemplateRecord } from "../applications/application.ts";
import { AppError } from "../errors.ts";
import { type ConnectedName, desiredRecords, fromDesired } from "./desired-records.ts";

const sub: ConnectedName = {
  hostname: "shop.eu.acme.example",
  apex: "acme.example",
  subdomain: "shop.eu",
  kind: "subdomain",
  connectionId: "0192f3a4-0000-7000-8000-00000000abcd",
};
const apex: ConnectedName = { ...sub, hostname: "acme.example", subdomain: "", kind: "apex" };
const edge = {
  cname: "edge.mooring.example",
  ipv4: ["192.0.2.10", "192.0.2.11"],
  ipv6: ["2001:0DB8::0010"],
};

function line(input: { host: string; type: string; value: string; ttl: number }): string {
  return `${input.host} ${input.ttl} ${input.type} ${input.value}`;
}

function lines(
  template: readonly TemplateRecord[],
  name: ConnectedName,
  manifest: ProviderManifest | null = null,
): string[] {
  return desiredRecords(template, name, edge, manifest).map(line);
}

function record(changes: Partial<TemplateRecord>): TemplateRecord {
  return { host: "@", type: "TXT", value: "x", ttl: null, priority: null, ...changes };
}

function provider(flattening: ProviderManifest["apexFlattening"], ttl = 60): ProviderManifest {
  const any = findProvider("sandbox");
  assert.ok(any);
  return { ...any, apexFlattening: flattening, minimumTtlSeconds: ttl };
}

describe("the default records", () => {
  const addresses = [
    "acme.example 300 A 192.0.2.10",
    "acme.example 300 A 192.0.2.11",
    "acme.example 300 AAAA 2001:db8::10",
  ];

  it("point a subdomain to the edge by CNAME, at every provider", () => {
    for (const manifest of [null, provider("none"), provider("alias"), provider("cname")]) {
      const expected = ["shop.eu.acme.example 300 CNAME edge.mooring.example"];
      assert.deepEqual(lines([], sub, manifest), expected);
    }
  });

  it("point an apex to the edge as its provider allows, else by every address", () => {
    assert.deepEqual(lines([], apex), addresses);
    assert.deepEqual(lines([], apex, provider("none")), addresses);
    const alias = ["acme.example 300 ALIAS edge.mooring.example"];
    assert.deepEqual(lines([], apex, provider("alias")), alias);
    const cname = ["acme.example 300 CNAME edge.mooring.example"];
    assert.deepEqual(lines([], apex, provider("cname")), cname);
  });

  it("never put a CNAME at the apex of a delegated zone", () => {
    const delegated = { ...sub, zone: sub.hostname };
    const types = desiredRecords([], delegated, edge, null).map(({ type }) => type);
    assert.deepEqual(types, ["A", "A", "AAAA"]);
    const within = lines([], { ...sub, zone: "eu.acme.example" });
    assert.deepEqual(within, ["shop.eu.acme.example 300 CNAME edge.mooring.example"]);
  });

  it("use the edge's name when the edge has no addresses", () => {
    const made = desiredRecords([], apex, { cname: edge.cname, ipv4: [], ipv6: [] }, null);
    assert.deepEqual(made.map(line), ["acme.example 300 ALIAS edge.mooring.example"]);
  });

  it("are valid records at every provider we know", () => {
    for (const manifest of providers) {
      for (const name of [sub, apex]) {
        const made = desiredRecords([], name, edge, manifest);
        assert.ok(made.length > 0, manifest.slug);
        for (const one of made) {
          assert.equal(fromDesired(one).name, name.hostname);
          assert.ok(one.ttl >= manifest.minimumTtlSeconds, manifest.slug);
        }
      }
    }
  });
});

describe("a template's records", () => {
  it("have every placeholder filled, in hosts and in values", () => {
    const template = [
      record({ host: "v.{{hostname}}", value: "{{hostname}}|{{apex}}|{{subdomain}}" }),
      record({ host: "{{subdomain}}.old.{{apex}}", value: "{{connection_id}} {{edge_cname}}" }),
      record({ host: "www", type: "CNAME", value: "x.example" }),
      record({ type: "A", value: "{{edge_ipv4}}" }),
      record({ type: "AAAA", value: "{{edge_ipv6}}" }),
    ];
    assert.deepEqual(lines(template, sub), [
      "v.shop.eu.acme.example 300 TXT shop.eu.acme.example|acme.example|shop.eu",
      `shop.eu.old.acme.example 300 TXT ${sub.connectionId} edge.mooring.example`,
      "www.shop.eu.acme.example 300 CNAME x.example",
      "shop.eu.acme.example 300 A 192.0.2.10",
      "shop.eu.acme.example 300 A 192.0.2.11",
      "shop.eu.acme.example 300 AAAA 2001:db8::10",
    ]);
  });

  it("are canonical and each listed once", () => {
    const template = [
      record({ type: "CNAME", value: "Edge.Mooring.Example." }),
      record({ type: "cname", value: "{{edge_cname}}", ttl: 60 }),
      record({ host: "m", type: "MX", value: "Mail.Example.", priority: 10 }),
      record({ host: "c", type: "CAA", value: "0 ISSUE letsencrypt.org" }),
    ];
    const made = desiredRecords(template, sub, edge, null);
    assert.deepEqual(
      made.map(({ type, value, priority }) => [type, value, priority]),
      [
        ["CNAME", "edge.mooring.example", null],
        ["MX", "mail.example", 10],
        ["CAA", '0 issue "letsencrypt.org"', null],
      ],
    );
  });

  it("have at least the provider's shortest TTL", () => {
    const template = [record({ ttl: 30 }), record({ value: "y", ttl: 7_200 })];
    const made = desiredRecords(template, sub, edge, provider("none", 3_600));
    assert.deepEqual(
      made.map(({ ttl }) => ttl),
      [3_600, 7_200],
    );
  });

  it("are refused by field when they are invalid for the hostname", () => {
    const template = [
      record({}),
      record({ type: "CNAME", host: "www", value: "{{subdomain}}.tenant.example" }),
      record({ host: `${"a".repeat(60)}.${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(60)}` }),
    ];
    assert.throws(
      () => desiredRecords(template, { ...apex, hostname: apex.hostname }, edge, null),
      (error: unknown) => {
        assert.ok(error instanceof AppError);
        assert.equal(error.code, "invalid");
        const text = JSON.stringify(error.details);
        assert.match(text, /record_template\.1\.value.*for acme\.example/);
        assert.match(text, /record_template\.2\.host/);
        assert.doesNotMatch(text, /record_template\.0/);
        return true;
      },
    );
  });
});
