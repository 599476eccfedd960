import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { describe, it } from "node:test";
import { providerSlugs } from "./adapter/slugs.ts";
import { adapters, findAdapter, findProvider, providers } from "./registry.ts";

const here = import.meta.dirname;
// adapter/ holds what the adapters share, guide/ the ways through the providers' panels.
const shared = ["adapter", "guide"];
const folders = readdirSync(here, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !shared.includes(entry.name))
  .map(({ name }) => name)
  .sort();

describe("the registry", () => {
  it("lists each folder under its slug, in alphabetical order", () => {
    assert.deepEqual(
      providers.map(({ slug }) => slug),
      folders,
    );
    assert.deepEqual([...providerSlugs], folders);
    const slugs = adapters.map(({ manifest }) => manifest.slug);
    assert.deepEqual(slugs, slugs.toSorted());
  });

  it("promises an adapter exactly where there is one with a conformance test", () => {
    for (const { slug, adapter } of providers) {
      if (slug === "sandbox") continue;
      assert.equal(findAdapter(slug) !== null, adapter, slug);
      assert.equal(existsSync(`${here}/${slug}/provider.ts`), adapter, slug);
      const tests = ["provider.test.ts", "provider.world.test.ts"];
      assert.equal(
        tests.some((name) => existsSync(`${here}/${slug}/${name}`)),
        adapter,
        slug,
      );
    }
  });

  it("finds by slug and nothing else", () => {
    assert.equal(findProvider("cloudflare")?.name, "Cloudflare");
    assert.equal(findProvider("Cloudflare"), null);
    assert.equal(findAdapter("nowhere"), null);
  });
});

describe("each manifest", () => {
  for (const manifest of providers) {
    it(`of ${manifest.slug} is complete and agrees with itself`, () => {
      assert.match(manifest.slug, /^[a-z][a-z0-9_]*$/);
      assert.ok(manifest.credentialFields.some(({ secret }) => secret));
      const keys = manifest.credentialFields.map(({ key }) => key);
      assert.equal(new Set(keys).size, keys.length);
      for (const { key, label, help_url } of manifest.credentialFields) {
        assert.match(key, /^[a-z][a-z0-9_]*$/);
        assert.ok(label.length > 2);
        assert.equal(new URL(help_url).protocol, "https:");
      }
      assert.ok(manifest.credentialHelp.length > 40);
      const flattens = manifest.apexFlattening !== "none";
      assert.equal(manifest.capabilities.cname_flattening, flattens);
      assert.equal(manifest.apexRecordType !== null, flattens);
      assert.ok(manifest.minimumTtlSeconds <= manifest.defaultTtlSeconds);
      assert.equal(manifest.apexHost === "zone", manifest.hostStyle === "absolute");
      assert.equal(new URL(manifest.docsUrl).protocol, "https:");
    });
  }
});
