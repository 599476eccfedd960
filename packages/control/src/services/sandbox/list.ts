import { pageSandboxZones } from "../../db/queries/sandbox-zones.ts";
import type { SandboxZoneSummary } from "../../domain/sandbox-zone.ts";
import type { ServiceContext } from "../context.ts";
import { type Listing, listPage, type PageQuery } from "../paging.ts";
import { requireSandbox } from "./zone-name.ts";

export async function listSandboxZones(
  ctx: ServiceContext,
  query: PageQuery,
): Promise<Listing<SandboxZoneSummary>> {
  requireSandbox(ctx);
  return listPage(ctx, ["sandbox_zones"], query, (page) =>
    ctx.read((tx) => pageSandboxZones(tx, ctx.actor, page)),
  );
}
