import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { domainChecks } from "@mooring/testing/control/domain-check";
import { memoryResolver, records } from "@mooring/testing/dns/memory-resolver";
import { detectForCreate } from "./check.ts";

const { signal } = new AbortController();
const template = [{ host: "@", type: "A", value: "192.0.2.1", ttl: null, priority: null }];

const settings = {
  providerName: "DNS Example",
  urlSyncUX: "https://consent.dns.example",
  urlAPI: "https://api.dns.example",
};

/** A zone at a provider that we cannot write to, whose Domain Connect API answers as given. */
function zoneWith(answers: Readonly<Record<string, number>>) {
  const resolver = memoryResolver({
    zone: "acme.example",
    servers: { "ns1.vanity.example": [] },
    recursive: records("_domainconnect.acme.example 60 TXT api.dns.example"),
  });
  const asked: string[] = [];
  const fetch: typeof globalThis.fetch = async (input) => {
    const path = new URL(String(input)).pathname;
    asked.push(path);
    return new Response(JSON.stringify(settings), { status: answers[path] ?? 404 });
  };
  return { ...domainChecks(resolver, fetch), asked };
}

const settingsPath = "/v2/acme.example/settings";
const subPath = "/v2/domainTemplates/providers/mooring.example/services/sub";
const apexPath = "/v2/domainTemplates/providers/mooring.example/services/apex";

describe("detection for a new connection", () => {
  it("is unknown and manual when DNS fails, and never throws", async () => {
    const unknown = { provider: null, manifest: null, setupType: "manual", zone: null };
    for (const zoneFailure of ["servfail", "timeout", "bogus", "lame"] as const) {
      const { runtime } = domainChecks(
        memoryResolver({ zone: "x.example", servers: {}, zoneFailure }),
      );
      assert.deepEqual(
        await detectForCreate(runtime, "live", "shop.acme.example", signal),
        unknown,
      );
    }
    const nowhere = domainChecks(memoryResolver({ zone: "x.example", servers: {} }));
    const found = await detectForCreate(nowhere.runtime, "live", "shop.acme.example", signal);
    assert.deepEqual(found, unknown);
  });

  it("knows the provider of a zone whose DNSSEC is broken", async () => {
    const dns = { zone: "acme.example", servers: { "ada.ns.cloudflare.com": [] } };
    const { findZone } = memoryResolver(dns);
    const bogus = memoryResolver({ ...dns, zoneFailure: "bogus" });
    const { runtime } = domainChecks({ ...bogus, findUncheckedZone: findZone });
    const found = await detectForCreate(runtime, "live", "shop.acme.example", signal);
    assert.deepEqual(
      [found.provider, found.zone, found.setupType],
      ["cloudflare", "acme.example", "manual"],
    );
  });

  it("is automatic at a provider that we can write to", async () => {
    const servers = { "ns1.ns.sandbox.test": [] };
    const { runtime } = domainChecks(memoryResolver({ zone: "acme.example", servers }));
    const found = await detectForCreate(runtime, "test", "shop.acme.example", signal, template);
    assert.deepEqual(
      [found.provider, found.manifest?.slug, found.setupType, found.zone],
      ["sandbox", "sandbox", "automatic", "acme.example"],
    );
  });

  it("is automatic when Domain Connect has our template for this kind of name", async () => {
    const both = { [settingsPath]: 200, [subPath]: 200 };
    const sub = await detectForCreate(zoneWith(both).runtime, "live", "a.acme.example", signal);
    assert.deepEqual([sub.provider, sub.setupType], [null, "automatic"]);
    const apex = await detectForCreate(zoneWith(both).runtime, "live", "acme.example", signal);
    assert.equal(apex.setupType, "manual");
    const other = { [settingsPath]: 200, [apexPath]: 200 };
    const good = await detectForCreate(zoneWith(other).runtime, "live", "acme.example", signal);
    assert.equal(good.setupType, "automatic");
  });

  it("asks for the application's own template when it has its own records", async () => {
    const zone = zoneWith({ [settingsPath]: 200, [subPath]: 200 });
    const found = await detectForCreate(zone.runtime, "live", "a.acme.example", signal, template);
    assert.equal(found.setupType, "manual");
    assert.deepEqual(zone.asked, []);
    const ownPath = `${subPath}-the-id`;
    for (const [status, setupType] of [
      [404, "manual"],
      [200, "automatic"],
    ] as const) {
      const { runtime, asked } = zoneWith({
        [settingsPath]: 200,
        [subPath]: 200,
        [ownPath]: status,
      });
      const args = [runtime, "live", "a.acme.example", signal, template, "the-id"] as const;
      assert.equal((await detectForCreate(...args)).setupType, setupType);
      assert.deepEqual(asked, [settingsPath, ownPath]);
    }
  });

  it("asks a provider again after a failure, and caches a definite answer", async () => {
    const failing = zoneWith({ [settingsPath]: 503 });
    await detectForCreate(failing.runtime, "live", "a.acme.example", signal);
    await detectForCreate(failing.runtime, "live", "b.acme.example", signal);
    assert.deepEqual(failing.asked, [settingsPath, settingsPath]);
    const refusing = zoneWith({ [settingsPath]: 200 });
    for (const label of ["a", "b"]) {
      await detectForCreate(refusing.runtime, "live", `${label}.acme.example`, signal);
    }
    assert.deepEqual(refusing.asked, [settingsPath, subPath]);
    refusing.clock.advance(60_001);
    await detectForCreate(refusing.runtime, "live", "a.acme.example", signal);
    assert.deepEqual(refusing.asked, [settingsPath, subPath, settingsPath, subPath]);
  });
});
