import {
  type Plan as ChangePlan,
  type Credentials,
  type DnsProvider,
  type DnsRecord,
  defineProvider,
  findProvider,
  listRows,
  type ProviderAdapter,
  ProviderError,
  type RecordEdits,
  type Row,
  readRow,
  recordEdits,
  recordKey,
  registrableDomain,
  type Zone,
} from "@mooring/dns";
import type { Clock } from "@mooring/postgres";
import { isOwnershipRecord } from "../../domain/ownership/ownership-challenge.ts";
import {
  fromSandboxRecord,
  isSandboxZone,
  isUnderMagic,
  maxZoneRecords,
  type SandboxRecord,
  sandboxNameservers,
  toSandboxRecord,
  visibleFrom,
} from "../../domain/sandbox/sandbox.ts";
import type { TenantScope } from "../../domain/tenancy.ts";
import type { Runtime } from "../runtime.ts";
import { createTenantZones, type TenantZones } from "./tenant-zones.ts";

export interface SandboxProviderParts {
  readonly zones: TenantZones;
  readonly clock: Clock;
  /** Names to be written. Their zones are listed even when they do not exist yet. */
  readonly names: readonly string[];
}

const token = "sandbox";
const maxDelaySeconds = 60;

/**
 * The provider that writes to one tenant's sandbox zones; its writes are answered after the delay.
 */
export function createSandboxProvider(parts: SandboxProviderParts): ProviderAdapter {
  const manifest = findProvider("sandbox");
  if (!manifest) throw new Error("the sandbox provider has no manifest");
  return defineProvider(manifest, (credentials) => {
    const delayMs = readDelay(credentials) * 1_000;
    const authorise = (signal: AbortSignal): void => {
      signal.throwIfAborted();
      if (credentials["token"] !== token) {
        throw new ProviderError("auth", "The sandbox takes the token “sandbox”.");
      }
    };
    const provider: DnsProvider = {
      async listZones(signal) {
        authorise(signal);
        return listZones(parts);
      },
      async listRecords(zone, signal) {
        authorise(signal);
        const records = await parts.zones.read(zone.name);
        if (records === null && !isSandboxZone(zone.name)) throw missing(zone);
        return listRows(toRows(zone.name, records ?? []));
      },
      async apply(zone, plan, signal) {
        authorise(signal);
        refuseMagic(plan);
        await parts.zones.change(zone.name, (stored, answered) => {
          signal.throwIfAborted();
          const rows = toRows(zone.name, answered);
          const visibleAt = visibleFrom(parts.clock.now(), delayMs);
          return edited(stored, recordEdits(plan, rows, manifest.minimumTtlSeconds), visibleAt);
        });
      },
    };
    return provider;
  });
}

function readDelay(credentials: Credentials): number {
  const text = credentials["delay"] ?? "0";
  const seconds = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  if (!(seconds <= maxDelaySeconds)) {
    throw new ProviderError("auth", "The delay is a whole number of seconds, 0 to 60.");
  }
  return seconds;
}

function missing(zone: Zone): ProviderError {
  return new ProviderError("not_found", `There is no zone ${zone.name} for this credential.`);
}

async function listZones({ zones, names }: SandboxProviderParts): Promise<readonly Zone[]> {
  const own = await zones.list();
  const requested = new Set(names.flatMap((name) => registrableDomain(name) ?? []));
  const unwritten: Zone[] = [];
  for (const name of requested) {
    const isOwn = own.some((zone) => zone.name === name);
    if (isOwn || !isSandboxZone(name) || !(await zones.isAvailable(name))) continue;
    unwritten.push({ id: name, name, nameservers: sandboxNameservers });
  }
  return [...own.map((zone) => ({ id: zone.name, ...zone })), ...unwritten];
}

function toRows(zone: string, records: readonly SandboxRecord[]): readonly Row[] {
  return records
    .map(fromSandboxRecord)
    .map((record) => readRow({ id: null, raw: null, zone, record }));
}

/** The ownership TXT may be written, so that a connection gets as far as writing its records. */
function refuseMagic(plan: ChangePlan): void {
  const touched = plan.changes.filter(({ action }) => action !== "keep" && action !== "conflict");
  const refused = touched.find(
    ({ record }) => isUnderMagic(record.name, "reject") && !isOwnershipRecord(record),
  );
  if (refused) {
    throw new ProviderError("unsupported", `The sandbox refuses to write ${refused.record.name}.`);
  }
}

/** The zone's records after the edits, or null when nothing changes. */
function edited(
  stored: readonly SandboxRecord[],
  { remove, change, add }: RecordEdits<null>,
  visibleAt: Date,
): readonly SandboxRecord[] | null {
  const going = [...remove, ...change.map(({ row }) => row)];
  const removed = new Set(going.flatMap(({ record }) => (record ? recordKey(record) : [])));
  const added: readonly DnsRecord[] = [...change.map(({ record }) => record), ...add];
  if (removed.size + added.length === 0) return null;
  const staying = stored.filter((record) => !removed.has(sandboxKey(record)));
  const present = new Set(staying.map(sandboxKey));
  const fresh = added.filter((record) => !present.has(recordKey(record)));
  if (staying.length + fresh.length > maxZoneRecords) {
    throw new ProviderError("unsupported", `A sandbox zone holds ${maxZoneRecords} records.`);
  }
  return [...staying, ...fresh.map((record) => toSandboxRecord(record, visibleAt))];
}

function sandboxKey(record: SandboxRecord): string {
  return recordKey(fromSandboxRecord(record));
}

/** The sandbox's adapter, when the slug is the sandbox's; test environment only. */
export function sandboxAdapter(
  runtime: Runtime,
  owner: TenantScope & { readonly names: readonly string[] },
  slug: string,
): ProviderAdapter | null {
  if (owner.environment !== "test") return null;
  const adapter = createSandboxProvider({
    zones: createTenantZones(runtime, owner.tenantId),
    clock: runtime.clock,
    names: owner.names,
  });
  return adapter.manifest.slug === slug ? adapter : null;
}
