import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findProvider } from "@mooring/dns";
import { asOffered, knownFields } from "./providers.ts";

const unset: Parameters<typeof asOffered>[0] = {
  providersOff: [],
  egressIpv4: [],
  egressIpv6: [],
};
const set = { ...unset, egressIpv4: ["203.0.113.5"], egressIpv6: ["2001:db8::5"] };

function offered(config: typeof unset, slug: string) {
  const manifest = asOffered(config, findProvider(slug));
  assert.ok(manifest !== null);
  return manifest;
}

describe("a provider that answers only to allowed addresses", () => {
  it("shows the operator's addresses, of the families that it knows", () => {
    assert.match(offered(set, "namecheap").credentialHelp, /calls out from 203\.0\.113\.5\.$/);
    assert.match(offered(set, "vultr").credentialHelp, /from 203\.0\.113\.5, 2001:db8::5\.$/);
    assert.doesNotMatch(offered(set, "cloudflare").credentialHelp, /calls out from/);
  });

  it("asks the customer for the address only when the operator has not set it", () => {
    const field = (config: typeof unset) =>
      offered(config, "namecheap").credentialFields.find(({ key }) => key === "client_ip");
    assert.equal(field(unset)?.required, true);
    assert.equal(field(set), undefined);
    const manifest = findProvider("namecheap");
    assert.ok(manifest !== null);
    assert.deepEqual(knownFields(set, manifest), { client_ip: "203.0.113.5" });
    assert.deepEqual(knownFields(unset, manifest), {});
  });
});

describe("the help for a credential", () => {
  it("names what public documentation asks for", () => {
    const help = (slug: string) => findProvider(slug)?.credentialHelp ?? "";
    assert.match(help("cloudflare"), /add the permission Zone · Zone · Read/);
    assert.match(help("azure_dns"), /Reader on the resource group/);
    assert.match(help("godaddy"), /10 domains.*Discount Domain Club Premier/);
    assert.match(help("google_cloud_dns"), /on the project/);
    assert.match(help("ovh"), /ca\.api\.ovh\.com.*us\.ovhcloud\.com/);
    assert.match(help("dnsimple"), /any plan/);
    assert.match(help("porkbun"), /limited to domains or to addresses/);
    assert.match(help("vercel"), /settings/);
    const links = findProvider("route53")?.credentialFields.map(({ help_url }) => help_url) ?? [];
    assert.ok(!links.some((link) => link.endsWith("security_credentials")));
  });
});
