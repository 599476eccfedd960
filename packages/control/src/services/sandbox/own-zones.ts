import { ProviderError } from "@mooring/dns";
import type { Database } from "../../db/engine/pool.ts";
import type { Tx } from "../../db/engine/transaction.ts";
import {
  lockSandboxZone,
  pageSandboxZones,
  selectLiveSince,
  selectSandboxZone,
  updateSandboxZone,
} from "../../db/queries/sandbox-zones.ts";
import type { Clock } from "../../domain/clock.ts";
import { AppError } from "../../domain/errors.ts";
import type { SandboxRecord } from "../../domain/sandbox.ts";
import { isDrifted, isMagic } from "../../domain/sandbox-magic.ts";
import { pointElsewhere } from "../../domain/sandbox-node.ts";
import { isSandboxZone, maxZonesPerTenant, type SandboxZone } from "../../domain/sandbox-zone.ts";
import type { TenantScope } from "../../domain/tenancy.ts";
import { ownZone } from "./own-zone.ts";

/** One tenant's sandbox zones, as its provider sees them. Failures are ProviderErrors. */
export interface OwnZones {
  list(): Promise<readonly { readonly name: string; readonly nameservers: readonly string[] }[]>;
  /** Nobody else has written it. */
  isOpen(zone: string): Promise<boolean>;
  /** Null when the tenant has no such zone. A name that drifted shows what it drifted to. */
  read(zone: string): Promise<readonly SandboxRecord[] | null>;
  /**
   * Writes what `edit` makes of the records that are kept and those that are shown; null writes
   * nothing. No other write of the zone happens in between.
   */
  change(
    zone: string,
    edit: (
      kept: readonly SandboxRecord[],
      shown: readonly SandboxRecord[],
    ) => readonly SandboxRecord[] | null,
  ): Promise<void>;
}

export function createOwnZones(
  parts: { readonly database: Database; readonly clock: Clock },
  tenantId: string,
): OwnZones {
  const { database, clock } = parts;
  const scope: TenantScope = { tenantId, environment: "test" };
  const transact = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
    database.tenant(scope, work).catch((error: unknown) => {
      throw asProviderError(error);
    });
  const shown = (tx: Tx, zone: SandboxZone) =>
    showDrift(zone, clock.now(), (hostname) => selectLiveSince(tx, hostname));
  return {
    list: () =>
      transact(async (tx) => {
        const page = await pageSandboxZones(tx, scope, { limit: maxZonesPerTenant, after: null });
        return page.items.map(({ zone: name, nameservers }) => ({ name, nameservers }));
      }),
    isOpen: (zone) =>
      transact(async (tx) => {
        const found = await selectSandboxZone(tx, zone);
        return found === null || found.tenantId === tenantId;
      }),
    read: (zone) =>
      transact(async (tx) => {
        const found = await selectSandboxZone(tx, zone);
        if (found === null) return null;
        if (found.tenantId !== tenantId) throw notYours(zone);
        return shown(tx, found);
      }),
    change: (zone, edit) =>
      transact(async (tx) => {
        const now = clock.now();
        const found = isSandboxZone(zone)
          ? await ownZone(tx, scope, zone, now)
          : await lockSandboxZone(tx, scope, zone);
        if (!found) throw notYours(zone);
        const records = edit(found.records, await shown(tx, found));
        if (records) await updateSandboxZone(tx, { ...found, records, updatedAt: now });
      }),
  };
}

async function showDrift(
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

function notYours(zone: string): ProviderError {
  return new ProviderError("not_found", `There is no zone ${zone} for this credential.`);
}

/** What the database or the rules of zones say, in the words of providers. */
function asProviderError(error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  const kind = error.code === "unavailable" ? "unavailable" : "not_found";
  return new ProviderError(kind, error.message, { cause: error });
}
