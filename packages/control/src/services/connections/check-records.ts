import type { RecordCheck } from "@mooring/dns";
import { phaseOf } from "../../domain/connection.ts";
import type { ServiceContext } from "../context.ts";
import { refuseArchived, requireConnection } from "./access.ts";
import { lookNow } from "./look.ts";

/** Each desired record with what DNS has there now. With a widget token ownership is looked at too. */
export async function checkConnectionRecords(
  ctx: ServiceContext,
  id: string,
): Promise<readonly RecordCheck[]> {
  const connection = await ctx.read((tx) => requireConnection(ctx, tx, id));
  refuseArchived(connection);
  const isWaitingForProof = phaseOf(connection.state) === "ownership";
  const wish = { records: true, ownership: ctx.actor.kind === "widget" && isWaitingForProof };
  const { look } = await lookNow(ctx.runtime, connection, ctx.signal, wish);
  return look.records?.records ?? [];
}
