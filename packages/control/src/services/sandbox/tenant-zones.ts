import { ProviderError } from "@mooring/dns";
import type { Clock } from "@mooring/postgres";
import type { Database } from "../../db/engine/pool.ts";
import type { Tx } from "../../db/engine/transaction.ts";
import {
  lockSandboxZone,
  pageSandboxZones,
  recheckZone,
  selectLiveSince,
  selectSandboxZone,
  updateSandboxZone,
} from "../../db/queries/sandbox/sandbox-zones.ts";
import { AppError } from "../../domain/errors.ts";
import type { SandboxRecord } from "../../domain/sandbox/sandbox.ts";
import {
  isDrifted,
  isMagic,
  isSandboxZone,
  maxZonesPerTenant,
  pointElsewhere,
  type SandboxZone,
} from "../../domain/sandbox/sandbox.ts";
import type { TenantScope } from "../../domain/tenancy.ts";
import { lockOrCreateZone } from "./zones.ts";

/** One tenant's sandbox zones, as its provider sees them. Failures are `ProviderError`s. */
export interface TenantZones {
  list(): Promise<readonly { readonly name: string; readonly nameservers: readonly string[] }[]>;
  /** Whether the zone is the tenant's, or no tenant's yet. */
  isAvailable(zone: string): Promise<boolean>;
  /** Null when the tenant has no such zone. A name that drifted shows what it drifted to. */
  read(zone: string): Promise<readonly SandboxRecord[] | null>;
  /**
   * Writes what `edit` returns for the stored records and those that are answered; null writes
   * nothing. The zone is locked meanwhile.
   */
  change(
    zone: string,
    edit: (
      stored: readonly SandboxRecord[],
      answered: readonly SandboxRecord[],
    ) => readonly SandboxRecord[] | null,
  ): Promise<void>;
}

export function createTenantZones(
  parts: { readonly database: Database; readonly clock: Clock },
  tenantId: string,
): TenantZones {
  const { database, clock } = parts;
  const scope: TenantScope = { tenantId, environment: "test" };
  const transact = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
    database.tenant(scope, work).catch((error: unknown) => {
      throw asProviderError(error);
    });
  const answered = (tx: Tx, zone: SandboxZone) =>
    withDrift(zone, clock.now(), (hostname) => selectLiveSince(tx, hostname));
  return {
    list: () =>
      transact(async (tx) => {
        const page = await pageSandboxZones(tx, scope, { limit: maxZonesPerTenant, after: null });
        return page.items.map(({ zone: name, nameservers }) => ({ name, nameservers }));
      }),
    isAvailable: (zone) =>
      transact(async (tx) => {
        const found = await selectSandboxZone(tx, zone);
        return found === null || found.tenantId === tenantId;
      }),
    read: (zone) =>
      transact(async (tx) => {
        const found = await selectSandboxZone(tx, zone);
        if (found === null) return null;
        if (found.tenantId !== tenantId) throw zoneNotFound(zone);
        return answered(tx, found);
      }),
    change: (zone, edit) =>
      transact(async (tx) => {
        const now = clock.now();
        const found = isSandboxZone(zone)
          ? await lockOrCreateZone(tx, scope, zone, now)
          : await lockSandboxZone(tx, scope, zone);
        if (!found) throw zoneNotFound(zone);
        const records = edit(found.records, await answered(tx, found));
        if (!records) return;
        await updateSandboxZone(tx, { ...found, records, updatedAt: now });
        await recheckZone(tx, zone, now);
      }),
  };
}

async function withDrift(
  zone: SandboxZone,
  now: Date,
  liveSince: (hostname: string) => Promise<Date | null>,
): Promise<readonly SandboxRecord[]> {
  let { records } = zone;
  const hosts = new Set(records.map(({ host }) => host).filter((host) => isMagic(host, "drift")));
  for (const host of hosts) {
    if (!isDrifted(await liveSince(host), zone.updatedAt, now)) continue;
    const here = records.filter((record) => record.host === host);
    const others = records.filter((record) => record.host !== host);
    records = [...others, ...pointElsewhere(here)];
  }
  return records;
}

function zoneNotFound(zone: string): ProviderError {
  return new ProviderError("not_found", `There is no zone ${zone} for this credential.`);
}

/** Translates errors of the database and of the zone rules. */
function asProviderError(error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  const kind = error.code === "unavailable" ? "unavailable" : "not_found";
  return new ProviderError(kind, error.message, { cause: error });
}
