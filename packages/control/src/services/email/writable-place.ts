import { type Connection, holdsClaim } from "../../domain/connection.ts";
import { actorLabel } from "../../domain/tenancy.ts";
import type { ServiceContext } from "../context.ts";
import {
  chooseTarget,
  credentialReach,
  findWritableZone,
  type WritableZone,
  withProviderErrors,
} from "../dns-write/writable-zone.ts";

const notUsable = "Nothing was written: no stored credential may be used here.";

/** The zone to write to, or a sentence that says why there is none. */
export async function writablePlace(
  ctx: ServiceContext,
  connection: Connection,
  given: { readonly provider: string; readonly fields: Readonly<Record<string, string>> } | null,
): Promise<WritableZone | string> {
  const { actor } = ctx;
  const reach = credentialReach(actor, connection);
  if (!holdsClaim(connection.state)) {
    return `Nothing was written: it is not proven yet that ${connection.hostname} is yours.`;
  }
  if (given) {
    return withProviderErrors(given.provider, ctx, () => chooseTarget(ctx, connection, given));
  }
  if (reach === "none") return notUsable;
  const search = await withProviderErrors(connection.provider, ctx, () =>
    findWritableZone(ctx.runtime, connection, actorLabel(actor), ctx.signal, reach),
  );
  if (search.outcome === "found") return search.target;
  if (reach === "own" && !search.isRefused) return notUsable;
  return search.isRefused
    ? "Nothing was written: the DNS provider refuses the stored credential."
    : `Nothing was written: no stored credential sees the zone of ${connection.hostname}.`;
}
