import type { ConnectionWithCertificate } from "../../db/queries/connection-reads.ts";
import { notFound } from "../../domain/errors.ts";
import type { ServiceContext } from "../context.ts";
import { requireReach } from "./access.ts";

export type ConnectionDetail = ConnectionWithCertificate;

export async function getConnection(ctx: ServiceContext, id: string): Promise<ConnectionDetail> {
  const { tenantId, environment } = ctx.actor;
  const found = await ctx.runtime.connections.load({ tenantId, environment, id });
  if (!found) throw notFound("connection");
  requireReach(ctx, found.connection);
  return found;
}
