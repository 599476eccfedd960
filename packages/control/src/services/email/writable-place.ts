import { type Connection, holdsClaim } from "../../domain/connection.ts";
import { actorLabel } from "../../domain/tenancy.ts";
import type { ServiceContext } from "../context.ts";
import {
  chooseTarget,
  findWritableZone,
  type WritableZone,
  withProviderErrors,
} from "../dns-write/writable-zone.ts";

/** The zone to write to, or a sentence that says why there is none. */
export async function writablePlace(
  ctx: ServiceContext,
  connection: Connection,
  given: { readonly provider: string; readonly fields: Readonly<Record<string, string>> } | null,
): Promise<WritableZone | string> {
  const { actor } = ctx;
  if (!holdsClaim(connection.state)) {
    return `Nothing was written: it is not proven yet that ${connection.hostname} is yours.`;
  }
  if (given) {
    return withProviderErrors(given.provider, ctx, () => chooseTarget(ctx, connection, given));
  }
  // A stored credential is for keys and for tokens bound to this hostname; otherwise any visitor could
  // write into the tenant's zones.
  const isTrusted = actor.kind !== "widget" || actor.domain === connection.hostname;
  if (!connection.mayUseCredentials || !isTrusted) {
    return "Nothing was written: no stored credential may be used here.";
  }
  const search = await withProviderErrors(connection.provider, ctx, () =>
    findWritableZone(ctx.runtime, connection, actorLabel(actor), ctx.signal),
  );
  if (search.outcome === "found") return search.target;
  return search.isRefused
    ? "Nothing was written: the DNS provider refuses the stored credential."
    : `Nothing was written: no stored credential sees the zone of ${connection.hostname}.`;
}
