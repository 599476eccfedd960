import { selectSandboxZone } from "../../db/queries/sandbox-zones.ts";
import { notFound } from "../../domain/errors.ts";
import { type SandboxZone, sandboxNameservers } from "../../domain/sandbox-zone.ts";
import type { ServiceContext } from "../context.ts";
import { requireZoneName } from "./zone-name.ts";

/** What the tenant's zone holds; one that nobody has written is there and empty. */
export async function getSandboxZone(
  ctx: ServiceContext,
  zoneText: string,
): Promise<Pick<SandboxZone, "zone" | "nameservers" | "records">> {
  const zone = requireZoneName(ctx, zoneText);
  return ctx.read(async (tx) => {
    const found = await selectSandboxZone(tx, zone);
    if (!found) return { zone, nameservers: sandboxNameservers, records: [] };
    if (found.tenantId !== ctx.actor.tenantId) throw notFound("sandbox zone");
    return found;
  });
}
