import { normalizeName, parseHostname } from "@mooring/dns";
import { z } from "zod";
import type { Tx } from "../../db/engine/transaction.ts";
import {
  countSandboxZones,
  insertSandboxZone,
  lockSandboxZone,
  lockZoneMaking,
  pageSandboxZones,
  recheckZone,
  deleteSandboxZone as remove,
  selectSandboxZone,
  updateSandboxZone,
} from "../../db/queries/sandbox/sandbox-zones.ts";
import { sandboxValidationZone } from "../../domain/certificates/validation.ts";
import { AppError, type Issue, invalid, notFound } from "../../domain/errors.ts";
import {
  isSandboxZone,
  maxZoneRecords,
  maxZonesPerTenant,
  type SandboxZone,
  type SandboxZoneSummary,
  sandboxHome,
  sandboxNameservers,
  visibleFrom,
} from "../../domain/sandbox/sandbox.ts";
import type { TenantScope } from "../../domain/tenancy.ts";
import { audit, type ServiceContext } from "../context.ts";
import { type Listing, type PageQuery, readPage } from "../paging.ts";
import { watchZone } from "./watch.ts";
import { readZoneRecords, withVisibility, zoneRecord } from "./zone-records.ts";

export const PutSandboxZone = z.strictObject({
  records: z
    .array(zoneRecord)
    .max(maxZoneRecords)
    .describe("All records of the zone; records that are not listed are removed"),
  nameservers: z
    .array(z.string().min(1).max(500))
    .min(1)
    .max(13)
    .nullish()
    .describe(
      "The zone's apparent servers, from which its provider is detected; the sandbox's by default",
    ),
});
export type PutSandboxZone = z.infer<typeof PutSandboxZone>;

/** The content of the tenant's zone; a zone that was never written is empty. */
export async function getSandboxZone(
  ctx: ServiceContext,
  zoneText: string,
): Promise<Pick<SandboxZone, "zone" | "nameservers" | "records">> {
  const zone = requireZoneName(ctx, zoneText);
  const found = await ctx.read((tx) => selectSandboxZone(tx, zone));
  if (!found) return { zone, nameservers: sandboxNameservers, records: [] };
  if (found.tenantId !== ctx.actor.tenantId) throw notFound("sandbox zone");
  await watchZone(ctx, zone);
  return found;
}

export async function listSandboxZones(
  ctx: ServiceContext,
  query: PageQuery,
): Promise<Listing<SandboxZoneSummary>> {
  requireSandbox(ctx);
  return readPage(ctx, ["sandbox_zones"], query, (tx, page) =>
    pageSandboxZones(tx, ctx.actor, page),
  );
}

/** Replaces the zone's content; connections under it are checked again at once. */
export async function putSandboxZone(
  ctx: ServiceContext,
  zoneText: string,
  input: PutSandboxZone,
): Promise<SandboxZone> {
  const zone = requireZoneName(ctx, zoneText);
  const nameservers = readNameservers(input.nameservers ?? sandboxNameservers);
  const records = readZoneRecords(zone, input.records);
  return ctx.write(async (tx) => {
    const now = ctx.now();
    const before = await lockOrCreateZone(tx, ctx.actor, zone, now);
    const after: SandboxZone = {
      ...before,
      nameservers,
      records: withVisibility(records, before.records, visibleFrom(now)),
      updatedAt: now,
    };
    await updateSandboxZone(tx, after);
    await recheckZone(tx, zone, now);
    await audit(ctx, tx, "sandbox_zone.put", zone, { records: records.length });
    return after;
  });
}

function readNameservers(hosts: readonly string[]): string[] {
  const issues: Issue[] = [];
  const names = hosts.flatMap((text, index) => {
    const name = text.includes("*") ? null : normalizeName(text);
    if (name !== null) return [name];
    issues.push({ path: `nameservers.${index}`, message: "is not a valid DNS name" });
    return [];
  });
  if (issues.length > 0) throw invalid(issues);
  return [...new Set(names)];
}

/** Deletes the zone; the next tenant to write it owns it. A repeat is a no-op. */
export async function deleteSandboxZone(ctx: ServiceContext, zoneText: string): Promise<null> {
  const zone = requireZoneName(ctx, zoneText);
  return ctx.write(async (tx) => {
    if (!(await remove(tx, ctx.actor, zone))) {
      if (await selectSandboxZone(tx, zone)) throw notFound("sandbox zone");
      return null;
    }
    await recheckZone(tx, zone, ctx.now());
    await audit(ctx, tx, "sandbox_zone.delete", zone);
    return null;
  });
}

/**
 * The tenant's zone, locked until the transaction ends; created when it does not exist. Throws
 * `conflict` when it is another tenant's, or the tenant has as many zones as allowed.
 */
export async function lockOrCreateZone(
  tx: Tx,
  scope: TenantScope,
  zone: string,
  now: Date,
): Promise<SandboxZone> {
  const known = await lockSandboxZone(tx, scope, zone);
  if (known) return known;
  await lockZoneMaking(tx, scope);
  // Read again: another request of the tenant may have created it while this one waited.
  const meanwhile = await lockSandboxZone(tx, scope, zone);
  if (meanwhile) return meanwhile;
  if ((await countSandboxZones(tx, scope)) >= maxZonesPerTenant) {
    throw new AppError(
      "conflict",
      `there are ${maxZonesPerTenant} sandbox zones already; delete one that is no longer used`,
    );
  }
  const fresh: SandboxZone = {
    zone,
    tenantId: scope.tenantId,
    nameservers: sandboxNameservers,
    records: [],
    updatedAt: now,
  };
  if (!(await insertSandboxZone(tx, fresh, now))) {
    throw new AppError("conflict", "this zone belongs to another tenant; choose a random name");
  }
  return fresh;
}

/** The sandbox exists in the test environment only; for a live key it is `not_found`. */
function requireSandbox(ctx: ServiceContext): void {
  if (ctx.actor.environment !== "test") throw notFound("sandbox zone");
}

/** The zone's canonical name, or `invalid` with the form of a zone's name. */
function requireZoneName(ctx: ServiceContext, text: string): string {
  requireSandbox(ctx);
  const parsed = parseHostname(text, { reserved: [sandboxHome, sandboxValidationZone] });
  if (!parsed.ok) throw invalid([{ path: "zone", message: parsed.message }]);
  if (!isSandboxZone(parsed.hostname)) {
    const message = "must be a name directly under .test, like acme-7f3a.test";
    throw invalid([{ path: "zone", message }]);
  }
  return parsed.hostname;
}
