import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Fetch } from "../src/providers/adapter/http.ts";
import { recordKey } from "../src/record.ts";
import { longestZone } from "../src/zone.ts";
import { create, makePlan, withZone } from "./cases/case-context.ts";
import { simulators } from "./random-zones/all-simulators.ts";

const { signal } = new AbortController();
const ascii = "xn--gthub-zsa.example";
/** Their simulators list such a zone in Unicode, as they do. */
const known = new Set(["cloudflare", "inwx"]);
const unicode = "gíthub.example";

/** The same answers, in which the zone is named in Unicode; a cursor may repeat it. */
function inUnicode(fetch: Fetch): Fetch {
  return async (url, init) => {
    const { status, headers, body } = await fetch(
      url.replace(encodeURIComponent(unicode), ascii),
      init,
    );
    const text = (await new Response(body).text()).replaceAll(ascii, unicode);
    return new Response(text === "" ? null : text, { status, headers });
  };
}

/**
 * Cloudflare lists such zones in Unicode (octodns/octodns-cloudflare at 33cbe027,
 * tests/fixtures/cloudflare-zones-page-3.json), and so does INWX (StackExchange/dnscontrol at
 * 7a079bc2, providers/inwx/inwxProvider.go).
 */
describe("a zone that is listed in Unicode", () => {
  for (const { name, adapter, start } of simulators) {
    it(`is found by its A-labels: ${name}`, async () => {
      const backend = await start();
      try {
        await backend.seed(ascii, []);
        const environment = { fetch: inUnicode(backend.fetch), wait: async () => undefined };
        const zones = await adapter.open(backend.credentials, environment).listZones(signal);
        assert.equal(longestZone(zones, `www.${ascii}`)?.name, ascii);
      } finally {
        await backend.close();
      }
    });
  }

  for (const { name, adapter, start } of simulators.filter(({ name: one }) => known.has(one))) {
    it(`is read and written by its A-labels: ${name}`, async () => {
      const record = { name: `www.${ascii}`, type: "A", value: "192.0.2.1", ttl: 3_600 } as const;
      const change = create({ ...record, priority: null });
      await withZone(adapter, start, ascii, async ({ backend, provider, zone, signal: one }) => {
        await provider.apply(zone, makePlan(ascii, [change]), one);
        assert.deepEqual((await backend.records(ascii)).map(recordKey), [recordKey(change.record)]);
        const { records } = await provider.listRecords(zone, one);
        assert.deepEqual(records.map(recordKey), [recordKey(change.record)]);
      });
    });
  }
});
