import { type Backlog, selectBacklogs } from "../../db/queries/metrics.ts";
import {
  type CaView,
  type EdgeView,
  type ProviderView,
  pageTenantViews,
  selectCaViews,
  selectEdges,
  selectProviderViews,
  type TenantView,
} from "../../db/queries/operator-views.ts";
import { AppError } from "../../domain/errors.ts";
import { monthOf, periodKey } from "../../domain/plan.ts";
import type { ServiceContext } from "../context.ts";
import { type Listing, listPage, type PageQuery } from "../paging.ts";

export type { Backlog } from "../../db/queries/metrics.ts";
export type {
  CaView,
  EdgeView,
  ProviderView,
  TenantView,
} from "../../db/queries/operator-views.ts";

/** An edge that has not reported for this long is no longer shown. */
const edgeShownMs = 24 * 3_600_000;

/** The routes let nobody else in; this is the second lock. */
function requireOperator({ actor }: ServiceContext): void {
  if (actor.kind !== "operator") throw new AppError("forbidden", "this is the operator's view");
}

/** Views over all tenants read across them by nature, as the worker role, and change nothing. */
export function viewTenants(ctx: ServiceContext, query: PageQuery): Promise<Listing<TenantView>> {
  requireOperator(ctx);
  const period = periodKey(monthOf(ctx.now()));
  return listPage(ctx, ["operator-tenants"], query, (page) =>
    ctx.runtime.system((tx) => pageTenantViews(tx, period, page)),
  );
}

export function viewEdges(ctx: ServiceContext): Promise<readonly EdgeView[]> {
  requireOperator(ctx);
  const since = new Date(ctx.now().getTime() - edgeShownMs);
  return ctx.runtime.system((tx) => selectEdges(tx, since));
}

export function viewQueues(ctx: ServiceContext): Promise<readonly Backlog[]> {
  requireOperator(ctx);
  return ctx.runtime.system((tx) => selectBacklogs(tx, ctx.now()));
}

export function viewCas(ctx: ServiceContext): Promise<readonly CaView[]> {
  requireOperator(ctx);
  return ctx.runtime.system((tx) => selectCaViews(tx, ctx.now()));
}

export function viewProviders(ctx: ServiceContext): Promise<readonly ProviderView[]> {
  requireOperator(ctx);
  return ctx.runtime.system(selectProviderViews);
}
