import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { providers } from "../providers/registry.ts";
import { detectProvider } from "./detect.ts";
import { knownHosts } from "./known-hosts.ts";

function detectSlug(...hosts: string[]): string | null {
  return detectProvider(hosts).provider?.slug ?? null;
}

describe("detectProvider", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["ada.ns.cloudflare.com", "cloudflare"],
    ["NS51.DOMAINCONTROL.COM.", "godaddy"],
    ["ns-1536.awsdns-00.co.uk", "route53"],
    ["ns1-03.azure-dns.com", "azure_dns"],
    ["ns3abc.name.com", "namecom"],
    ["curitiba.ns.porkbun.com", "porkbun"],
    ["helium.ns.hetzner.de", "hetzner"],
    ["nsb2.squarespacedns.com", "squarespace"],
    ["ns1.dnsowl.com", "namesilo"],
    ["ns1.ns.sandbox.test", "sandbox"],
  ];
  for (const [host, slug] of cases) {
    it(`knows ${host} as ${slug}`, () => assert.equal(detectSlug(host), slug));
  }

  it("gives the manifest of a described provider and none of a merely known one", () => {
    assert.equal(detectProvider(["ns1.gandi.net"]).provider?.manifest?.slug, "gandi");
    assert.equal(detectProvider(["ns1.wixdns.net"]).provider?.manifest, null);
  });

  it("prefers an expression to a suffix", () => {
    assert.equal(detectSlug("ns-ic.ui-dns.de"), "ionos_cloud");
    assert.equal(detectSlug("ns1234.ui-dns.de"), "ionos");
  });

  it("does not take a longer label for a suffix", () => {
    assert.equal(detectSlug("ns1.notgandi.net"), null);
  });

  it("offers the other owners of shared servers", () => {
    const { provider, ambiguous, mixed } = detectProvider(["ns-cloud-b1.googledomains.com"]);
    assert.equal(provider?.slug, "google_cloud_dns");
    assert.deepEqual(
      ambiguous.map(({ slug }) => slug),
      ["squarespace", "shopify"],
    );
    assert.equal(mixed, false);
  });

  it("names no single provider when the servers belong to several, or to one and an unknown one", () => {
    const two = detectProvider(["ns-1.awsdns-01.com", "dns1.p01.nsone.net"]);
    assert.equal(two.provider, null);
    assert.equal(two.mixed, true);
    assert.deepEqual(two.ambiguous.map(({ slug }) => slug).sort(), ["netlify", "route53"]);
    assert.equal(detectProvider(["ns1.vultr.com", "ns.private.example"]).mixed, true);
  });

  it("says nothing about unknown servers, or none", () => {
    assert.deepEqual(detectProvider(["ns1.customer.example"]), {
      provider: null,
      ambiguous: [],
      mixed: false,
    });
    assert.equal(detectProvider([]).provider, null);
  });

  it("finds every provider by each of its suffixes", () => {
    const described = providers.map(({ slug, nameservers }) => ({
      slug,
      suffixes: nameservers.suffixes,
    }));
    const hosts = knownHosts.map(({ slug, panel, suffixes }) => ({
      slug: panel ?? slug,
      suffixes,
    }));
    for (const { slug, suffixes } of [...described, ...hosts]) {
      for (const suffix of suffixes) assert.equal(detectSlug(`ns1.x9.${suffix}`), slug, suffix);
    }
  });

  it("takes a host with a panel for that panel, under the host's name", () => {
    const { provider } = detectProvider(["dns1.namecheaphosting.com"]);
    assert.deepEqual(
      [provider?.slug, provider?.name, provider?.manifest?.slug],
      ["cpanel", "Namecheap web hosting (cPanel)", "cpanel"],
    );
  });

  it("lists no slug twice and refers only to slugs that exist", () => {
    const slugs = [...providers, ...knownHosts].map(({ slug }) => slug);
    assert.equal(new Set(slugs).size, slugs.length);
    const references = [
      ...providers.flatMap(({ nameservers }) => nameservers.ambiguousWith),
      ...knownHosts.flatMap(({ ambiguousWith }) => ambiguousWith),
    ];
    for (const slug of references) assert.ok(slugs.includes(slug), slug);
  });
});
