import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { describe, it } from "node:test";
import type { ProviderAdapter } from "../../src/providers/adapter/contract.ts";
import type { Fetch } from "../../src/providers/adapter/http.ts";
import { longestZone } from "../../src/zone.ts";
import { create, makePlan, rec, remove, suiteZone, update } from "../cases/case-context.ts";
import { simulators } from "../random-zones/all-simulators.ts";
import type { Backend } from "../simulator.ts";
import { type Comparison, compare, type SentRequest } from "./compare.ts";
import { type Facts, readFacts, readWireFacts } from "./facts.ts";

/** Records of each form: an address, a target, a text with spaces, one with a priority. */
const written = [
  rec("app", "A", "192.0.2.20"),
  rec("shop", "CNAME", "edge.example.net"),
  rec("_service-challenge.shop", "TXT", "v=1; words and=signs"),
  rec("lists", "MX", "mx.example.net", { priority: 20 }),
  rec("@", "TXT", "site-verification=abc123"),
];

/**
 * Everything that the adapter sends to find a zone, read it, and add, change and remove records.
 */
async function record(
  adapter: ProviderAdapter,
  start: () => Promise<Backend>,
): Promise<readonly SentRequest[]> {
  const backend = await start();
  const sent: SentRequest[] = [];
  const fetch: Fetch = (url, init) => {
    const { method = "GET", body } = init;
    const headers = new Headers(init.headers);
    sent.push({ method, url: new URL(url), headers, body: body == null ? null : String(body) });
    return backend.fetch(url, init);
  };
  try {
    await backend.seed(suiteZone, [rec("@", "A", "192.0.2.10")]);
    const signal = new AbortController().signal;
    const provider = adapter.open(backend.credentials, { fetch, wait: async () => undefined });
    const zone = longestZone(await provider.listZones(signal), suiteZone);
    assert.ok(zone !== null);
    await provider.listRecords(zone, signal);
    const { unwritableTypes = [] } = adapter.manifest;
    const writable = written.filter(({ type }) => !unwritableTypes.includes(type));
    await provider.apply(zone, makePlan(suiteZone, writable.map(create)), signal);
    const [address] = writable;
    assert.ok(address !== undefined);
    const changed = rec("app", "A", "192.0.2.21");
    await provider.apply(zone, makePlan(suiteZone, [update(changed, address)]), signal);
    await provider.apply(zone, makePlan(suiteZone, [remove(changed)]), signal);
    return sent;
  } finally {
    await backend.close();
  }
}

function requireSources({ sources, requests }: Facts): void {
  const ids = new Set(sources.map(({ id }) => id));
  assert.ok(new Set(sources.map(({ repository }) => repository)).size >= 2, "one source only");
  for (const { what, sources: named } of requests) {
    assert.deepEqual(
      named.filter((id) => !ids.has(id)),
      [],
      `${what} names a source that is not listed`,
    );
  }
  const named = new Set(requests.flatMap((one) => one.sources));
  assert.deepEqual(
    [...ids].filter((id) => !named.has(id)),
    [],
    "sources that no fact comes from",
  );
}

function unusedIn({ requests }: Facts, compared: readonly Comparison[]): readonly string[] {
  return requests.flatMap((fact) => {
    if (!compared.some((one) => one.fact === fact)) return [fact.what];
    return fact.body
      .filter((part) => !compared.some(({ bodies }) => bodies.includes(part)))
      .map(({ at }) => `${fact.what}: ${at}`);
  });
}

describe("what independent clients send", () => {
  for (const [slug, facts] of readFacts()) {
    it(`is what our adapter for ${slug} sends`, async () => {
      requireSources(facts);
      // One simulator for each credential type.
      const simulated = simulators.filter(({ adapter }) => adapter.manifest.slug === slug);
      assert.ok(simulated.length > 0, `there is no simulator of ${slug}`);
      const compared: Comparison[] = [];
      for (const { adapter, start } of simulated) {
        const sent = await record(adapter, start);
        compared.push(...sent.map((one) => compare(one, facts)));
      }
      assert.deepEqual([...new Set(compared.flatMap(({ differences }) => differences))], []);
      assert.deepEqual(unusedIn(facts, compared), [], "facts that were not compared with anything");
    });
  }

  for (const [slug, { comparedIn }] of readWireFacts()) {
    it(`is compared for ${slug} by a test of its own`, () => {
      assert.ok(existsSync(new URL(`../../../../${comparedIn}`, import.meta.url)), comparedIn);
    });
  }
});
