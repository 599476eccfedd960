import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Change } from "../src/plan/change.ts";
import { ProviderError } from "../src/providers/adapter/errors.ts";
import type { Fetch } from "../src/providers/adapter/http.ts";
import { isObject } from "../src/providers/adapter/json.ts";
import { longestZone } from "../src/zone.ts";
import { create, keys, makePlan, rec, remove, suiteZone, update } from "./cases/case-context.ts";
import { simulators } from "./random-zones/all-simulators.ts";
import type { Backend } from "./simulator.ts";

const { signal } = new AbortController();
const old = rec("app", "A", "192.0.2.1");
const fresh = rec("app", "A", "192.0.2.2");
const other = rec("other", "A", "192.0.2.9");
const added = rec("new", "A", "192.0.2.3");

/** Their entries have no keys: a change names the set, or repeats the entry. */
const keyless = new Set([
  "akamai",
  "azure_dns",
  "desec",
  "directadmin",
  "dynadot",
  "gandi",
  "godaddy with a classic key",
  "google_cloud_dns",
  "hetzner",
  "hostinger",
  "namecheap",
  "ns1",
  "oracle",
  "powerdns",
  "regru",
  "route53",
  "spaceship",
  "transip",
]);

/** Undefined leaves the key out. */
const unusable: readonly (string | null | undefined)[] = [
  undefined,
  null,
  "",
  "a/b",
  "/",
  "..",
  ".",
  "?x",
  "17?x",
  "#x",
  "17#x",
  "%2e%2e",
  "17 18",
];

const keyField = /^(?:record_?)?id$/i;
const typeField = /^(?:record_?|field)?type$/i;

/** Every entry of an answer with this key instead of its own. */
function withKey(answer: unknown, key: Key): unknown {
  if (Array.isArray(answer)) return answer.map((one: unknown) => withKey(one, key));
  if (!isObject(answer)) return answer;
  const isEntry = Object.keys(answer).some((name) => typeField.test(name));
  const fields = Object.entries(answer).map(([name, value]) =>
    isEntry && keyField.test(name) ? [name, key] : [name, withKey(value, key)],
  );
  return Object.fromEntries(fields);
}

function rewrite(text: string, key: Key): string {
  if (!text.startsWith("<")) return JSON.stringify(withKey(JSON.parse(text), key));
  const element = key === undefined ? "" : `<record_id>${key ?? ""}</record_id>`;
  return text.replaceAll(/<record_id>[^<]*<\/record_id>/g, element);
}

/** The same backend, whose entries have another key; `sent` are the requests that reached it. */
function tampered(fetch: Fetch, key: Key) {
  const sent: string[] = [];
  const changed: Fetch = async (url, init) => {
    sent.push(`${init.method} ${url} ${String(init.body ?? "")}`);
    const { status, headers, ok, body } = await fetch(url, init);
    const text = await new Response(body).text();
    const isListed = ok && text !== "";
    return new Response(isListed ? rewrite(text, key) : text || null, { status, headers });
  };
  return { sent, fetch: changed };
}

type Key = (typeof unusable)[number];

/** Lists and changes the zone through an adapter that is shown only entries with this key. */
async function tryKey({ name, adapter }: (typeof simulators)[number], backend: Backend, key: Key) {
  await backend.seed(suiteZone, [old, other]);
  const wait = async () => undefined;
  const open = (fetch: Fetch) => adapter.open(backend.credentials, { fetch, wait });
  const zone = longestZone(await open(backend.fetch).listZones(signal), suiteZone);
  assert.ok(zone !== null);
  const apply = (fetch: Fetch, ...changes: readonly Change[]) =>
    open(fetch).apply(zone, makePlan(suiteZone, changes), signal);
  const reading = tampered(backend.fetch, key);
  const { records, opaque } = await open(reading.fetch).listRecords(zone, signal);
  if (keyless.has(name)) {
    assert.deepEqual(keys(records), keys([old, other]));
    await apply(reading.fetch, remove(old));
    assert.deepEqual(keys(await backend.records(suiteZone)), keys([other]));
    return;
  }
  assert.deepEqual(keys(records), []);
  assert.deepEqual(opaque.map(({ value }) => value).sort(), [old.value, other.value]);
  for (const attempt of [remove(old), update(fresh, old)]) {
    const writing = tampered(backend.fetch, key);
    await assert.rejects(apply(writing.fetch, attempt), isConflict, attempt.action);
    const others = writing.sent.filter((one) => !reading.sent.includes(one));
    assert.deepEqual(others, [], "more was sent than is needed to read");
  }
  await apply(tampered(backend.fetch, key).fetch, create(added));
  await apply(tampered(backend.fetch, key).fetch, create(added));
  assert.deepEqual(keys(await backend.records(suiteZone)), keys([old, other, added]));
}

function isConflict(error: unknown): boolean {
  return error instanceof ProviderError && error.kind === "conflict";
}

/** godaddy/cli at fa66cfa3 and Posh-ACME at 2ba7a681 refuse records without `recordId`. */
describe("entries whose key is missing, empty or would be read as another path", () => {
  for (const simulated of simulators) {
    it(`are shown and left alone: ${simulated.name}`, async () => {
      const backend = await simulated.start();
      try {
        const tried = keyless.has(simulated.name) ? unusable.slice(0, 1) : unusable;
        for (const key of tried) await tryKey(simulated, backend, key);
      } finally {
        await backend.close();
      }
    });
  }
});
