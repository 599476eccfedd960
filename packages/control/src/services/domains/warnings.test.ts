import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { domainChecks, joinMessages } from "@mooring/testing/control/domain-check";
import { memoryResolver, records } from "@mooring/testing/dns/memory-resolver";

const plain = { "ns1.vanity.example": [] };

async function warn(
  dns: Parameters<typeof memoryResolver>[0],
  hostname = "shop.acme.example",
  options: Parameters<ReturnType<typeof domainChecks>["check"]>[1] & { fetch?: typeof fetch } = {},
): Promise<string> {
  const { fetch, ...rest } = options;
  const checked = await domainChecks(memoryResolver(dns), fetch).check(hostname, rest);
  return joinMessages(checked.warnings);
}

describe("warnings", () => {
  it("name every provider that these nameservers may belong to", async () => {
    const servers = { "dns1.p01.nsone.net": [] };
    const text = await warn({ zone: "acme.example", servers });
    assert.match(text, /^Make sure where the DNS is managed: .*Netlify.*NS1.*Squarespace/);
  });

  it("say that DNSSEC is broken, and not that something was slow", async () => {
    const text = await warn({ zone: "acme.example", servers: plain, zoneFailure: "bogus" });
    assert.match(text, /^Repair DNSSEC for acme\.example at its registrar/);
    assert.doesNotMatch(text, /Check again/);
  });

  it("say that nameservers without a CAA answer prevent a certificate", async () => {
    const servers = { "ns1.vanity.example": "servfail" } as const;
    const text = await warn({ zone: "acme.example", servers });
    assert.match(text, /^Check the nameservers behind shop\.acme\.example: .* CAA/m);
  });

  it("refuse a CNAME at the apex of a provider without flattening", async () => {
    const record = { host: "@", type: "CNAME", value: "{{edge_cname}}", ttl: null, priority: null };
    const dns = { zone: "acme.example", servers: plain };
    const text = await warn(dns, "acme.example", { template: [record] });
    assert.match(text, /^Use A and AAAA records at acme\.example/);
    assert.equal(await warn(dns, "shop.acme.example", { template: [record] }), "");
  });

  it("ask about an ending that does not exist, where one is near", async () => {
    const dns = { zone: "acme.example", servers: plain };
    assert.match(
      await warn(dns, "shop.acme.con"),
      /^Check the ending .* Is shop\.acme\.com meant\?/,
    );
    assert.match(await warn(dns, "shop.acme.co"), /^Register acme\.co first/);
  });

  it("say how long the present records may stay cached", async () => {
    const there = records("shop.acme.example 86400 A 203.0.113.5");
    const text = await warn({ zone: "acme.example", servers: { "ns1.vanity.example": there } });
    assert.match(text, /^Expect up to 24 hours/);
  });

  it("cut values of the zone and strip deceptive characters", async () => {
    const value = `0 issue "\u202eevil${"x".repeat(500)}"`;
    const servers = { "ns1.vanity.example": records(`acme.example 60 CAA ${value}`) };
    const text = await warn({ zone: "acme.example", servers });
    assert.match(text, /^Add the record acme\.example CAA 0 issue "letsencrypt\.org": .*evilx+…/);
    assert.doesNotMatch(text, /\u202e|x{100}/);
  });

  it("question an offer of a provider whose servers the domain does not use", async () => {
    const offer = async (nameServers: readonly string[]) => {
      const body = {
        providerName: "DNS Example",
        urlSyncUX: "https://consent.dns.example",
        urlAPI: "https://api.dns.example",
        nameServers,
      };
      const recursive = records("_domainconnect.acme.example 60 TXT api.dns.example");
      const resolver = memoryResolver({ zone: "acme.example", servers: plain, recursive });
      const fetch = async () => new Response(JSON.stringify(body));
      return domainChecks(resolver, fetch).check("shop.acme.example");
    };
    const good = await offer(["ns1.vanity.example", "ns2.vanity.example"]);
    assert.deepEqual([good.domainConnect, good.warnings], [true, []]);
    const stale = await offer(["ns1.dns.example"]);
    assert.equal(stale.domainConnect, true);
    assert.match(
      joinMessages(stale.warnings),
      /^Make sure that the DNS is still managed at DNS Example/,
    );
  });
});
