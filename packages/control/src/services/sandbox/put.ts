import { normalizeName } from "@mooring/dns";
import { recheckZone, updateSandboxZone } from "../../db/queries/sandbox-zones.ts";
import { type Issue, invalid } from "../../domain/errors.ts";
import { type SandboxZone, sandboxNameservers } from "../../domain/sandbox-zone.ts";
import { audit } from "../audit.ts";
import type { ServiceContext } from "../context.ts";
import { ownZone } from "./own-zone.ts";
import type { PutSandboxZone } from "./schemas.ts";
import { requireZoneName } from "./zone-name.ts";
import { readZoneRecords, withVisibility } from "./zone-records.ts";

/** Replaces what the zone holds; connections under it are looked at again at once. */
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
    const before = await ownZone(tx, ctx.actor, zone, now);
    const after: SandboxZone = {
      ...before,
      nameservers,
      records: withVisibility(records, before.records, now),
      updatedAt: now,
    };
    await updateSandboxZone(tx, after);
    await recheckZone(tx, zone, now);
    await audit(ctx, tx, "sandbox_zone.put", zone, { records: records.length });
    return after;
  });
}

function readNameservers(given: readonly string[]): string[] {
  const issues: Issue[] = [];
  const names = given.flatMap((text, index) => {
    const name = text.includes("*") ? null : normalizeName(text);
    if (name !== null) return [name];
    issues.push({ path: `nameservers.${index}`, message: "is not a valid DNS name" });
    return [];
  });
  if (issues.length > 0) throw invalid(issues);
  return [...new Set(names)];
}
