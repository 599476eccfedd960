import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { describe, it } from "node:test";
import { createGuard } from "@mooring/egress";
import { memoryResolver, records } from "@mooring/testing/dns/memory-resolver";
import { discoverOffer, ownTemplate } from "./domain-connect-offer.ts";

const { signal } = new AbortController();
const template = { providerId: "mooring.example", serviceId: "sub" };

function zoneWith(text: string) {
  const recursive = records(`_domainconnect.acme.example 60 TXT ${text}`);
  return memoryResolver({ zone: "acme.example", servers: {}, recursive });
}

describe("the Domain Connect offer", () => {
  it("never connects to our own network, whatever host the zone names", async (t) => {
    let connections = 0;
    const inside = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    inside.listen(0, "127.0.0.1");
    await once(inside, "listening");
    t.after(() => inside.close());
    const address = inside.address();
    assert.ok(typeof address === "object" && address !== null);
    const { fetch } = createGuard({ lookup: async () => ["127.0.0.1"] });
    const resolver = zoneWith(`internal.acme.example:${address.port}`);
    const offer = await discoverOffer("acme.example", template, { resolver, fetch, signal });
    assert.deepEqual(offer, { offered: false, reason: "settings_unavailable" });
    assert.equal(connections, 0);
  });

  it("needs the synchronous flow and our template, and says which is missing", async () => {
    const settings = { providerName: "DNS", urlAPI: "https://api.dns.example" };
    const withSync = { ...settings, urlSyncUX: "https://consent.dns.example" };
    const reasonWith = async (body: object, templateStatus: number) => {
      const fetch = async (url: unknown) =>
        String(url).endsWith("/settings")
          ? new Response(JSON.stringify(body))
          : new Response(null, { status: templateStatus });
      const resolver = zoneWith("api.dns.example");
      const offer = await discoverOffer("acme.example", template, { resolver, fetch, signal });
      return offer.offered ? "offered" : offer.reason;
    };
    assert.equal(await reasonWith(settings, 200), "no_sync_flow");
    assert.equal(await reasonWith(withSync, 404), "template_unsupported");
    assert.equal(await reasonWith(withSync, 503), "template_unknown");
    assert.equal(await reasonWith(withSync, 204), "offered");
  });

  it("is asynchronous when the operator is a client of exactly that API", async () => {
    const client = {
      providerId: "dns.example",
      urlAPI: "https://api.dns.example",
      clientId: "us",
      clientSecret: "secret",
    };
    const settings = {
      providerId: "dns.example",
      providerName: "DNS",
      urlAPI: "https://api.dns.example",
      urlAsyncUX: "https://consent.dns.example",
    };
    const modeWith = async (body: object) => {
      const fetch = async (url: unknown) =>
        String(url).endsWith("/settings") ? new Response(JSON.stringify(body)) : new Response();
      const resolver = zoneWith("api.dns.example");
      const options = { resolver, fetch, signal, clients: [client] };
      const offer = await discoverOffer("acme.example", template, options);
      return offer.offered ? offer.mode : offer.reason;
    };
    assert.equal(await modeWith(settings), "async");
    const elsewhere = { ...settings, urlAPI: "https://api.evil.example" };
    assert.equal(await modeWith(elsewhere), "no_sync_flow");
    const both = { ...elsewhere, urlSyncUX: "https://consent.dns.example" };
    assert.equal(await modeWith(both), "sync");
  });
});

it("a template is published under the service's registrable domain, or not at all", () => {
  const own = (baseUrl: string) => ownTemplate({ baseUrl }, "apex")?.providerId ?? null;
  assert.equal(own("https://api.connect.mooring.co.uk:8443"), "mooring.co.uk");
  for (const url of ["http://localhost:8080", "http://127.0.0.1:8080", "http://[::1]:8080"]) {
    assert.equal(own(url), null, url);
  }
  const at = { baseUrl: "https://mooring.example" };
  assert.deepEqual(
    [ownTemplate(at, "apex")?.serviceId, ownTemplate(at, "subdomain")?.serviceId],
    ["apex", "sub"],
  );
});
