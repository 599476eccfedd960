import type { SendingKey } from "@mooring/dns";
import {
  deleteSendingDomain,
  selectSendingDomains,
} from "../../db/queries/sending/sending-domains.ts";
import { notFound } from "../../domain/errors.ts";
import type { SendingDomain } from "../../domain/sending/sending.ts";
import { refuseArchived, requireConnection } from "../connections/read.ts";
import { audit, type ServiceContext } from "../context.ts";
import { examine, storeChecked } from "./check.ts";

export function listSending(ctx: ServiceContext, id: string): Promise<readonly SendingDomain[]> {
  return ctx.read(async (tx) => {
    await requireConnection(ctx, tx, id);
    return selectSendingDomains(tx, id);
  });
}

/** Checks the sending domains of a connection at once, for a caller who waits. */
export async function checkSending(
  ctx: ServiceContext,
  id: string,
): Promise<readonly SendingDomain[]> {
  const { connection, before } = await ctx.read(async (tx) => ({
    connection: await requireConnection(ctx, tx, id),
    before: await selectSendingDomains(tx, id),
  }));
  refuseArchived(connection);
  const checked = await Promise.all(
    before.map((sending) => examine(ctx.runtime, connection, sending, ctx.signal)),
  );
  return ctx.write(async (tx) => {
    for (const one of checked) await storeChecked(tx, one);
    await audit(ctx, tx, "connection.check_sending", id);
    // A worker that checked meanwhile knows as much.
    return selectSendingDomains(tx, id);
  });
}

/** Ends the watch and drops the access. The records stay: mail may depend on them. */
export function removeSending(
  ctx: ServiceContext,
  id: string,
  provider: SendingKey,
): Promise<null> {
  return ctx.write(async (tx) => {
    await requireConnection(ctx, tx, id);
    if (!(await deleteSendingDomain(tx, id, provider))) throw notFound("sending domain");
    await audit(ctx, tx, "connection.remove_sending", id, { provider });
    return null;
  });
}
