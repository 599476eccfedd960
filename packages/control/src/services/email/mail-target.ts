import { type MailNote, mailNote } from "@mooring/dns";
import { type Connection, holdsClaim } from "../../domain/connections/connection.ts";
import { actorLabel } from "../../domain/tenancy.ts";
import type { ServiceContext } from "../context.ts";
import {
  chooseTarget,
  credentialReach,
  findWritableZone,
  type WritableZone,
  withProviderErrors,
} from "../dns-write/writable-zone.ts";

export type MailTarget =
  | { readonly target: WritableZone }
  /** Why there is no zone to write to. */
  | { readonly target: null; readonly why: MailNote };

const nowhere = (why: MailNote): MailTarget => ({ target: null, why });

/** The zone to write to. */
export async function findMailTarget(
  ctx: ServiceContext,
  connection: Connection,
  input: { readonly provider: string; readonly fields: Readonly<Record<string, string>> } | null,
): Promise<MailTarget> {
  const { actor } = ctx;
  const reach = credentialReach(actor, connection);
  if (!holdsClaim(connection.state)) {
    return nowhere(mailNote("not_proven", { domain: connection.hostname }));
  }
  if (input) {
    const choose = () => chooseTarget(ctx, connection, input);
    return { target: await withProviderErrors(input.provider, ctx, choose) };
  }
  if (reach === "none") return nowhere(mailNote("nothing_written"));
  const search = await withProviderErrors(connection.provider, ctx, () =>
    findWritableZone(ctx.runtime, connection, actorLabel(actor), ctx.signal, reach),
  );
  if (search.outcome === "found") return { target: search.target };
  if (search.isRefused) return nowhere(mailNote("credential_refused"));
  if (reach === "own") return nowhere(mailNote("nothing_written"));
  return nowhere(mailNote("zone_not_reached", { domain: connection.hostname }));
}
