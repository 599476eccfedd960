import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { type Plan, planEdits } from "../../src/plan/change.ts";
import { planChanges } from "../../src/plan/plan.ts";
import { planRevert } from "../../src/plan/revert.ts";
import type { DnsProvider, ProviderAdapter } from "../../src/providers/adapter/contract.ts";
import { ProviderError } from "../../src/providers/adapter/errors.ts";
import { type DnsRecord, recordKey } from "../../src/record.ts";
import { longestZone } from "../../src/zone.ts";
import { rec, suiteZone } from "../cases/case-context.ts";
import type { Backend } from "../simulator.ts";
import { type Fault, faultsArbitrary, faulty } from "./faults.ts";
import type { Relay } from "./relay.ts";

const { signal } = new AbortController();

/** One value of each kind per number, so that names and values meet often. */
const record = fc
  .tuple(
    fc.constantFrom("@", "shop", "_service-challenge.shop", "www", "mail", "a.shop"),
    fc.constantFrom("A", "AAAA", "TXT", "MX", "CNAME"),
    fc.integer({ min: 1, max: 4 }),
  )
  .filter(([name, type]) => !(name === "@" && type === "CNAME"))
  .map(([name, type, number]) => {
    const values: Readonly<Record<string, string>> = {
      A: `192.0.2.${number}`,
      AAAA: `2001:db8::${number}`,
      TXT: `value-${number}; with=words`,
      MX: `mx${number}.example.net`,
      CNAME: `target${number}.example.net`,
    };
    return rec(name, type, values[type] ?? "", type === "MX" ? { priority: number } : {});
  });

/** A zone that a server could have: no record twice, and a CNAME alone at its name. */
const zoneRecords = fc.array(record, { maxLength: 14 }).map((records) => {
  const retained: DnsRecord[] = [];
  for (const one of records) {
    const beside = retained.filter(({ name }) => name === one.name);
    const isAlone = one.type === "CNAME" || beside.some(({ type }) => type === "CNAME");
    const isTwice = beside.some((other) => recordKey(other) === recordKey(one));
    if (!isTwice && !(isAlone && beside.length > 0)) retained.push(one);
  }
  return retained;
});

const desired = fc.constantFrom<readonly DnsRecord[]>(
  [rec("shop", "CNAME", "edge.example.net")],
  [rec("shop", "A", "192.0.2.1"), rec("shop", "AAAA", "2001:db8::9")],
  [rec("_service-challenge.shop", "TXT", "service-verify=abc")],
  [
    rec("_service-challenge.shop", "TXT", "service-verify=abc"),
    rec("shop", "A", "192.0.2.200"),
    rec("a.shop", "CNAME", "edge.example.net"),
    rec("mail", "MX", "mx.example.org", { priority: 5 }),
  ],
);

const scenario = fc.record({ before: zoneRecords, desired, faults: faultsArbitrary });
interface Scenario {
  readonly before: readonly DnsRecord[];
  readonly desired: readonly DnsRecord[];
  readonly faults: readonly Fault[];
}

/** A provider with what is behind it, and a way to put faults between the two. */
export interface FarSide {
  readonly adapter: ProviderAdapter;
  readonly backend: Pick<Backend, "credentials" | "fetch" | "seed" | "records">;
  /** For the one that does not speak HTTP. */
  readonly relay?: Relay;
}

function openWith({ adapter, backend, relay }: FarSide, faults: readonly Fault[]): DnsProvider {
  const fetch = faulty(backend.fetch, faults);
  const wait = async () => undefined;
  const dial = relay === undefined ? {} : { dial: relay.dial(faults) };
  return adapter.open(backend.credentials, { fetch, ...dial, wait, timeoutMs: 5_000 });
}

/** A real server's zone always has its NS record; it is not seeded and must never be removed. */
export function withoutApexNs(backend: Backend): Backend {
  return {
    ...backend,
    async records(zone) {
      const all = await backend.records(zone);
      const others = all.filter(({ name, type }) => !(name === zone && type === "NS"));
      assert.equal(all.length - others.length, 1, "the zone's NS record");
      return others;
    },
  };
}

async function findZone(provider: DnsProvider) {
  const zone = longestZone(await provider.listZones(signal), suiteZone);
  assert.ok(zone !== null);
  return zone;
}

const withTtl = (records: readonly DnsRecord[]) =>
  records.map((one) => `${recordKey(one)} ${one.ttl}`).sort();
const sortedKeys = (records: readonly DnsRecord[]) => records.map(recordKey).sort();

/** Everything in the way is authorised, so that much is removed. */
async function planFor(
  { adapter }: FarSide,
  provider: DnsProvider,
  desired: readonly DnsRecord[],
): Promise<Plan | null> {
  const listing = await provider.listRecords(await findZone(provider), signal);
  const allowedNames = desired.map(({ name }) => name);
  const input = {
    zone: suiteZone,
    manifest: adapter.manifest,
    listing,
    desired,
    owned: [],
    allowedNames,
  };
  const first = planChanges(input);
  if (!first.ok) return null;
  const replace = first.plan.changes.map(({ id }) => id);
  const second = planChanges({ ...input, replace });
  assert.ok(second.ok);
  return second.plan.changes.some(({ action }) => action === "conflict") ? null : second.plan;
}

/** Whatever has happened so far: nothing but the plan's own records came or went. */
function onlyThePlan(before: readonly DnsRecord[], now: readonly DnsRecord[], plan: Plan): void {
  const { add, remove } = planEdits(plan);
  const mayGo = new Set(sortedKeys(remove));
  const mayCome = new Set([...sortedKeys(add), ...sortedKeys(before)]);
  const present = new Set(withTtl(now));
  const lost = before.filter(
    (one) => !mayGo.has(recordKey(one)) && !present.has(`${recordKey(one)} ${one.ttl}`),
  );
  assert.deepEqual(lost, [], "an unrelated record was changed");
  assert.deepEqual(
    now.filter((one) => !mayCome.has(recordKey(one))),
    [],
    "a record came from nowhere",
  );
}

async function tryScenario(side: FarSide, { before: seeded, desired, faults }: Scenario) {
  // An adapter that replaces whole zones does not believe an empty list.
  if (side.adapter.manifest.rewriteWarning !== undefined && seeded.length === 0) return;
  await side.backend.seed(suiteZone, seeded);
  // A provider may have one TTL for all records.
  const before = await side.backend.records(suiteZone);
  assert.deepEqual(sortedKeys(before), sortedKeys(seeded));
  const sound = openWith(side, []);
  const plan = await planFor(side, sound, desired);
  if (plan === null) return;
  const zone = await findZone(sound);
  const failure = await openWith(side, faults)
    .apply(zone, plan, signal)
    .then(
      () => null,
      (error: unknown) => error,
    );
  assert.ok(failure === null || failure instanceof ProviderError, String(failure));
  onlyThePlan(before, await side.backend.records(suiteZone), plan);
  await sound.apply(zone, plan, signal);
  const { add, remove } = planEdits(plan);
  const removed = new Set(sortedKeys(remove));
  const wanted = new Set([
    ...sortedKeys(before).filter((key) => !removed.has(key)),
    ...sortedKeys(add),
  ]);
  assert.deepEqual(
    sortedKeys(await side.backend.records(suiteZone)),
    [...wanted].sort(),
    "not finished",
  );
  const listing = await sound.listRecords(zone, signal);
  await sound.apply(zone, planRevert(plan, listing), signal);
  assert.deepEqual(withTtl(await side.backend.records(suiteZone)), withTtl(before), "not reverted");
}

/** The adapters of this process at which no unrelated record was changed. */
export const proven: string[] = [];

/** A share of the `runs` zones at each of `sideCount` backends, which work at the same time. */
export function prove(
  name: string,
  runs: number,
  open: () => Promise<FarSide & { close(): Promise<void> }>,
  sideCount = 1,
): void {
  const options = { numRuns: runs / sideCount, endOnFailure: runs > 1_000 };
  it(`${name}: ${runs} random zones with faults, no unrelated record changed`, async () => {
    const share = async () => {
      const side = await open();
      try {
        const property = fc.asyncProperty(scenario, (one) => tryScenario(side, one));
        await fc.assert(property, options);
      } finally {
        await side.close();
      }
    };
    await Promise.all(Array.from({ length: sideCount }, share));
    proven.push(name);
  });
}
