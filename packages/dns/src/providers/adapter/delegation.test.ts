import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { FoundZone } from "../../resolve/resolver.ts";
import { adapters, findProvider } from "../registry.ts";
import { judgeDelegation } from "./delegation.ts";
import type { ProviderManifest } from "./manifest.ts";

function found(zone: string, ...hosts: readonly string[]): FoundZone {
  return { outcome: "found", zone, servers: hosts.map((host) => ({ host, addresses: [] })) };
}

function findManifest(slug: string): ProviderManifest {
  const manifest = findProvider(slug);
  if (manifest === null) throw new Error(`there is no ${slug}`);
  return manifest;
}

const zone = (...nameservers: readonly string[]) => ({ name: "acme.example", nameservers });

describe("the delegation of a zone", () => {
  it("is live when one of its assigned servers is delegated to, in any spelling", () => {
    const live = found("acme.example", "ns1.awsdns-01.com", "ns9.other.example");
    const route53 = findManifest("route53");
    assert.equal(judgeDelegation(zone("NS1.awsdns-01.com."), route53, live), "live");
    // Another delegation set of the same provider: a dead zone beside the live one.
    assert.equal(judgeDelegation(zone("ns2.awsdns-02.com"), route53, live), "elsewhere");
  });

  it("goes by the servers that the manifest knows when the API names none", () => {
    const digitalocean = findManifest("digitalocean");
    const here = found("acme.example", "ns1.digitalocean.com");
    const away = found("acme.example", "ada.ns.cloudflare.com");
    assert.equal(judgeDelegation(zone(), digitalocean, here), "live");
    assert.equal(judgeDelegation(zone(), digitalocean, away), "elsewhere");
  });

  it("is elsewhere for a zone above or below the one that answers, and for no domain", () => {
    const manifest = findManifest("digitalocean");
    const above = found("example", "ns1.digitalocean.com");
    const below = found("shop.acme.example", "ns1.digitalocean.com");
    for (const live of [above, below, { outcome: "unregistered" } as const]) {
      assert.equal(judgeDelegation(zone(), manifest, live), "elsewhere");
    }
  });

  it("is unknown when DNS does not answer, or when nothing says which servers the zone has", () => {
    const live = found("acme.example", "ns1.acme.example");
    assert.equal(judgeDelegation(zone(), findManifest("powerdns"), live), "unknown");
    const failed = { outcome: "failed", reason: "timeout" } as const;
    assert.equal(
      judgeDelegation(zone("ns1.acme.example"), findManifest("powerdns"), failed),
      "unknown",
    );
  });

  it("can be judged for every adapter", () => {
    for (const adapter of adapters) {
      const { suffixes, expressions } = adapter.manifest.nameservers;
      const hasPatterns = suffixes.length + expressions.length > 0;
      // Those that run at the customer's own servers read the zone's NS set.
      const isOwn = adapter.manifest.serverFields !== undefined;
      assert.equal(hasPatterns, !isOwn, adapter.manifest.slug);
    }
  });
});
