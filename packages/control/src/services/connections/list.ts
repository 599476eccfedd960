import { parseHostname } from "@mooring/dns";
import type { VisibleConnection } from "../../domain/connection.ts";
import type { ServiceContext } from "../context.ts";
import { type Listing, listPage } from "../paging.ts";
import type { ListConnections } from "./schemas.ts";

export function listConnections(
  ctx: ServiceContext,
  query: ListConnections,
): Promise<Listing<VisibleConnection>> {
  const state = query.state ?? null;
  const hostname = query.hostname === undefined ? null : normalized(query.hostname);
  const { runtime, actor: scope } = ctx;
  return listPage(ctx, ["connections", state, hostname], query, async (page) => {
    const found = await runtime.connectionPages.load({ scope, state, hostname, ...page });
    return found ?? { items: [], next: null };
  });
}

/** A name that cannot be one of ours is looked for as it is, and not found. */
function normalized(spelling: string): string {
  const parsed = parseHostname(spelling);
  return parsed.ok ? parsed.hostname : spelling.toLowerCase();
}
