import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findForm, findPanel, findProvider } from "@mooring/dns";
import { healthy, record } from "@mooring/testing/control/diagnosis/facts";
import { atDnsHost, type DnsHost, findDnsHost, inForm } from "./finding-text.ts";

function at(slug: string | null): DnsHost {
  const manifest = slug === null ? null : (findProvider(slug) ?? null);
  return {
    zone: "acme.example",
    provider: manifest?.name ?? null,
    manifest,
    panel: findPanel(slug, "acme.example"),
    form: findForm(slug, manifest),
  };
}

const txt = record("TXT", "v", "_service-challenge.shop.acme.example");
const apexAlias = record("ALIAS", "edge.mooring.example", "acme.example");

describe("a record in the terms of a provider's form", () => {
  const table: readonly (readonly [string | null, typeof txt, string])[] = [
    ["cloudflare", txt, "Type: TXT, Name: _service-challenge.shop, Content: v, TTL: 300"],
    [
      "digitalocean",
      txt,
      "Type: TXT, Hostname: _service-challenge.shop, Value: v, TTL (seconds): 300",
    ],
    ["desec", txt, "Type: TXT, Subname: _service-challenge.shop, Content: v, TTL: 3600"],
    [
      "powerdns",
      txt,
      "Type: TXT, Name: _service-challenge.shop.acme.example, Content: v, TTL: 300",
    ],
    [
      null,
      txt,
      "Type: TXT, Name: _service-challenge.shop (in full: _service-challenge.shop.acme.example), Value: v, TTL: 300",
    ],
    ["cloudflare", apexAlias, "Type: CNAME, Name: @, Content: edge.mooring.example, TTL: 300"],
    [
      "bunny",
      apexAlias,
      "Type: CNAME, Hostname: (leave empty), Value: edge.mooring.example, TTL: 300",
    ],
    [
      "powerdns",
      apexAlias,
      "Type: ALIAS, Name: acme.example, Content: edge.mooring.example, TTL: 300",
    ],
    [
      "cloudflare",
      { ...record("MX", "mail.acme.example", "acme.example"), priority: 10 },
      "Type: MX, Name: @, Content: mail.acme.example, Priority: 10, TTL: 300",
    ],
    ["strato", record("CNAME", "edge.example"), "Type: CNAME, Präfix: shop, Wert: edge.example."],
    [
      "registro_br",
      record("A", "192.0.2.1", "acme.example"),
      "Type: A, Nome: (leave empty), Dados: 192.0.2.1",
    ],
    ["one_com", txt, "Type: TXT, Hostname: _service-challenge.shop, Value: v, TTL: 300"],
  ];
  for (const [slug, requested, expected] of table) {
    it(`${slug ?? "an unknown provider"}: ${expected}`, () => {
      assert.equal(inForm(requested, at(slug)), expected);
    });
  }

  it("shows a name outside the zone in full", () => {
    const outside = record("TXT", "v", "other.example");
    assert.equal(
      inForm(outside, at("cloudflare")),
      "Type: TXT, Name: other.example, Content: v, TTL: 300",
    );
  });
});

describe("the DNS host where records are edited", () => {
  it("is the provider whose nameservers serve the zone now", () => {
    const facts = healthy({ connection: { provider: "desec" } });
    assert.deepEqual(atDnsHost(findDnsHost(facts)), "At Cloudflare");
  });

  it("is the provider at creation while the nameservers are not known", () => {
    const dnsHost = findDnsHost(healthy({ dns: { zone: null } }));
    assert.deepEqual([dnsHost.zone, atDnsHost(dnsHost)], ["acme.example", "At Cloudflare"]);
    const unknown = findDnsHost(healthy({ connection: { provider: null }, dns: { zone: null } }));
    assert.equal(atDnsHost(unknown), "Where the DNS of acme.example is managed");
  });
});
