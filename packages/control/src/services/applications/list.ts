import { pageApplications } from "../../db/queries/applications.ts";
import type { Application } from "../../domain/application.ts";
import type { ServiceContext } from "../context.ts";
import { type Listing, listPage, type PageQuery } from "../paging.ts";

export function listApplications(
  ctx: ServiceContext,
  query: PageQuery,
): Promise<Listing<Application>> {
  return listPage(ctx, ["applications"], query, (page) =>
    ctx.read((tx) => pageApplications(tx, ctx.actor, page)),
  );
}
