import assert from "node:assert/strict";
import type { Change, Plan } from "../../src/plan/change.ts";
import type {
  DnsProvider,
  ProviderAdapter,
  ProviderEnvironment,
} from "../../src/providers/adapter/contract.ts";
import { type DnsRecord, parseRecord, type RecordInput, recordKey } from "../../src/record.ts";
import { longestZone, type Zone, type ZoneListing } from "../../src/zone.ts";
import type { Backend } from "../simulator.ts";

/** One provider, opened against a fresh backend, with the few moves that every case is made of. */
export interface CaseContext {
  readonly adapter: ProviderAdapter;
  readonly backend: Backend;
  readonly provider: DnsProvider;
  readonly signal: AbortSignal;
  /** The name of the zone in which the cases work, and what is in it from the start. */
  readonly zone: string;
  readonly initialRecords: readonly DnsRecord[];
  /** How long the adapter has paused between attempts, in milliseconds. */
  readonly pauses: number[];
  find(name: string): Promise<Zone>;
  list(): Promise<ZoneListing>;
  apply(...changes: readonly Change[]): Promise<void>;
  /**
   * Fails unless the zone holds exactly these, TTLs aside, by the backend's and the adapter's
   * account.
   */
  expect(records: readonly DnsRecord[]): Promise<void>;
}

export interface Case {
  readonly name: string;
  /** A reason why the manifest rules this case out, or null. */
  readonly unless?: (adapter: ProviderAdapter) => string | null;
  readonly run: (context: CaseContext) => Promise<void>;
}

export function createCaseContext(
  adapter: ProviderAdapter,
  backend: Backend,
  initialRecords: readonly DnsRecord[],
  timeoutMs: number,
): CaseContext {
  const zoneName = suiteZone;
  const signal = new AbortController().signal;
  const pauses: number[] = [];
  const wait = async (ms: number, waiting: AbortSignal) => {
    waiting.throwIfAborted();
    pauses.push(ms);
  };
  const environment = { ...reachBackend(backend), wait, timeoutMs };
  const provider = adapter.open(backend.credentials, environment);
  const find = async (name: string) => {
    const zone = longestZone(await provider.listZones(signal), name);
    assert.ok(zone !== null, `no zone found for ${name}`);
    return zone;
  };
  return {
    adapter,
    backend,
    provider,
    signal,
    zone: zoneName,
    initialRecords,
    pauses,
    find,
    list: async () => provider.listRecords(await find(zoneName), signal),
    apply: async (...changes) =>
      provider.apply(await find(zoneName), makePlan(zoneName, changes), signal),
    expect: async (records) => {
      const wanted = keys(records);
      assert.deepEqual(keys(await backend.records(zoneName)), wanted);
      const listing = await provider.listRecords(await find(zoneName), signal);
      assert.deepEqual(keys(listing.records), wanted);
    },
  };
}

/** One provider, opened against a fresh backend with this zone, for a test of its own. */
export async function withZone<B extends Backend>(
  adapter: ProviderAdapter,
  start: () => Promise<B>,
  zoneName: string,
  work: (opened: {
    readonly backend: B;
    readonly provider: DnsProvider;
    readonly zone: Zone;
    readonly signal: AbortSignal;
  }) => Promise<void>,
): Promise<void> {
  const backend = await start();
  try {
    await backend.seed(zoneName, []);
    const signal = new AbortController().signal;
    const wait = async () => undefined;
    const provider = adapter.open(backend.credentials, { ...reachBackend(backend), wait });
    const zone = longestZone(await provider.listZones(signal), zoneName);
    assert.ok(zone !== null);
    await work({ backend, provider, zone, signal });
  } finally {
    await backend.close();
  }
}

/** How an adapter reaches the backend. */
export function reachBackend({
  fetch,
  dial,
}: Backend): Pick<ProviderEnvironment, "fetch" | "dial"> {
  return dial === undefined ? { fetch } : { fetch, dial };
}

export function keys(records: readonly DnsRecord[]): readonly string[] {
  return records
    .filter(({ type, name }) => !(type === "NS" && isApexNs(name)))
    .map(recordKey)
    .sort();
}

/** Real servers insist on an NS set at the apex, which no case writes. */
function isApexNs(name: string): boolean {
  return name === suiteZone;
}

/** Below a domain that RFC 2606 reserves, so that no real zone is ever meant. */
export const suiteZone = "conformance.example";

export function makePlan(zone: string, changes: readonly Change[]): Plan {
  return { zone, changes };
}

/** A record from its usual fields; the name is relative to the zone of the cases. */
export function rec(
  name: string,
  type: string,
  value: string,
  extra: Partial<RecordInput> = {},
): DnsRecord {
  const absolute = name === "@" ? suiteZone : `${name}.${suiteZone}`;
  const parsed = parseRecord({ name: absolute, type, value, ttl: 3_600, ...extra });
  if (!parsed.ok) throw new Error(`${name} ${type} ${value}: ${parsed.message}`);
  return parsed.record;
}

export function create(record: DnsRecord): Change {
  return change("create", record, []);
}

export function update(record: DnsRecord, ...existing: readonly DnsRecord[]): Change {
  return change("update", record, existing);
}

export function remove(record: DnsRecord): Change {
  return change("delete", record, [record]);
}

function change(
  action: Change["action"],
  record: DnsRecord,
  existing: readonly DnsRecord[],
): Change {
  return {
    id: `chg_${recordKey(record)}`,
    action,
    record,
    existing,
    reason: "",
    replaceable: false,
  };
}
