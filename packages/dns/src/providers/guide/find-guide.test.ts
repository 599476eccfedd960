import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { knownHosts } from "../../checks/known-hosts.ts";
import { providers } from "../registry.ts";
import { findPanel, findTokenGuide } from "./find-guide.ts";
import { panels } from "./panels.ts";
import { tokens } from "./tokens.ts";

const slugs = new Set([...providers, ...knownHosts].map(({ slug }) => slug));

describe("the guides", () => {
  it("lead to the domain's own page at 25 providers at least, and to the panel of others, over TLS", () => {
    const known = Object.keys(panels);
    const direct = known.filter((slug) => findPanel(slug, "acme.com")?.isZonePage === true);
    assert.ok(direct.length >= 25, direct.join());
    // The panel of a web host is on the machine of the domain.
    const ownMachine = new Set(providers.flatMap(({ slug, panel }) => (panel ? [slug] : [])));
    for (const slug of known) {
      const { url = "", isZonePage } = findPanel(slug, "acme.com") ?? {};
      assert.equal(new URL(url).protocol, "https:", slug);
      assert.equal(url.includes("acme.com"), isZonePage || ownMachine.has(slug), slug);
      assert.doesNotMatch(url, /[{}]/, slug);
      assert.ok(slugs.has(slug), `${slug} is not detected`);
    }
  });

  it("escape the domain in a link", () => {
    assert.match(findPanel("porkbun", "a b&c")?.url ?? "", /\/a%20b%26c$/);
    assert.equal(findPanel("porkbun", "acme.com")?.url, "https://porkbun.com/account/dns/acme.com");
    assert.equal(findPanel("nobody", "acme.com"), null);
    assert.equal(findPanel("constructor", "acme.com"), null);
  });

  it("call a credential that takes programs a developer's", () => {
    const effort = (slug: string) => {
      const manifest = providers.find((one) => one.slug === slug);
      return manifest === undefined ? null : findTokenGuide(manifest).effort;
    };
    for (const slug of [
      "route53",
      "azure_dns",
      "google_cloud_dns",
      "rfc2136",
      "godaddy",
      "namecheap",
      "powerdns",
    ]) {
      assert.equal(effort(slug), "developer", slug);
    }
    for (const slug of ["cloudflare", "digitalocean", "gandi", "hetzner"]) {
      assert.equal(effort(slug), "minute", slug);
    }
  });

  it("have fields of the manifest as alternatives, each with all that is required", () => {
    for (const manifest of providers) {
      const { alternatives } = findTokenGuide(manifest);
      const keys = manifest.credentialFields.map(({ key }) => key);
      assert.ok(
        alternatives.flat().every((key) => keys.includes(key)),
        manifest.slug,
      );
      const required = manifest.credentialFields.filter((field) => field.required);
      const areComplete = alternatives.map((one) => required.every(({ key }) => one.includes(key)));
      assert.ok(!areComplete.includes(false), manifest.slug);
    }
    for (const slug of Object.keys(tokens)) assert.ok(slugs.has(slug), slug);
  });

  it("say where our addresses are allowed, at every provider with a list of them", () => {
    for (const manifest of providers.filter((one) => one.allowedAddress !== undefined)) {
      const { steps } = findTokenGuide(manifest);
      assert.ok(
        steps.some(({ action }) => action === "addresses"),
        manifest.slug,
      );
    }
  });
});
