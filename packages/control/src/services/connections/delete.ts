import { lockConnection, lockHostname } from "../../db/queries/connections.ts";
import type { Connection } from "../../domain/connection.ts";
import { notFound } from "../../domain/errors.ts";
import { actorLabel } from "../../domain/tenancy.ts";
import type { ServiceContext } from "../context.ts";
import { revertArchived } from "../dns-write/revert-archived.ts";
import { requireConnection } from "./access.ts";
import { archiveIn } from "./archive.ts";

/**
 * Offboards a domain: archived for good, its hostname free for others. A repeat changes nothing. The
 * records are reverted after that, when no worker writes them any more.
 */
export async function deleteConnection(
  ctx: ServiceContext,
  id: string,
  options: { readonly revertDns: boolean },
): Promise<Connection> {
  const archived = await archive(ctx, id);
  if (options.revertDns) await revertArchived(ctx, archived);
  return archived;
}

async function archive(ctx: ServiceContext, id: string): Promise<Connection> {
  const { hostname } = await ctx.read((tx) => requireConnection(ctx, tx, id));
  const { runtime } = ctx;
  return runtime.system(async (tx) => {
    await lockHostname(tx, hostname);
    const connection = await lockConnection(tx, id);
    if (!connection) throw notFound("connection");
    const why = { now: ctx.now(), actor: actorLabel(ctx.actor), reason: "deleted" } as const;
    return archiveIn(runtime, tx, connection, why);
  });
}
