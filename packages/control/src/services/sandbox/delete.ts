import {
  recheckZone,
  deleteSandboxZone as remove,
  selectSandboxZone,
} from "../../db/queries/sandbox-zones.ts";
import { notFound } from "../../domain/errors.ts";
import { audit } from "../audit.ts";
import type { ServiceContext } from "../context.ts";
import { requireZoneName } from "./zone-name.ts";

/** Empties the zone and leaves it to whoever writes it next. A repeat is a no-op. */
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
