import { type CaView, selectCaViews } from "../../db/queries/certificates/ca-views.ts";
import { type Backlog, selectBacklogs } from "../../db/queries/operator/metrics.ts";
import {
  type EdgeView,
  type ProviderView,
  pageTenantViews,
  selectEdges,
  selectProviderViews,
  type TenantView,
} from "../../db/queries/operator/operator-views.ts";
import { countParked } from "../../db/queries/operator/parked-rows.ts";
import { calendarMonth, periodKey } from "../../domain/billing/plan.ts";
import { AppError } from "../../domain/errors.ts";
import type { ServiceContext } from "../context.ts";
import { type Listing, listPage, type PageQuery } from "../paging.ts";

export type { CaView } from "../../db/queries/certificates/ca-views.ts";
export type {
  EdgeView,
  ProviderView,
  TenantView,
} from "../../db/queries/operator/operator-views.ts";

/** An edge that has not reported for this long is no longer shown. */
const edgeShownMs = 24 * 3_600_000;

/** The routes let nobody else in; this is the second lock. */
function requireOperator({ actor }: ServiceContext): void {
  if (actor.kind !== "operator") throw new AppError("forbidden", "this is the operator's view");
}

/** Views over all tenants read across them by nature, as the worker role, and change nothing. */
export function viewTenants(
  ctx: ServiceContext,
  { q, ...query }: PageQuery & { readonly q?: string | undefined },
): Promise<Listing<TenantView>> {
  requireOperator(ctx);
  const text = q ?? null;
  const filter = { period: periodKey(calendarMonth(ctx.now())), text };
  return listPage(ctx, ["operator-tenants", text], query, (page) =>
    ctx.runtime.system((tx) => pageTenantViews(tx, filter, page)),
  );
}

export function viewEdges(ctx: ServiceContext): Promise<readonly EdgeView[]> {
  requireOperator(ctx);
  const since = new Date(ctx.now().getTime() - edgeShownMs);
  return ctx.runtime.system((tx) => selectEdges(tx, since));
}

export interface QueueView extends Backlog {
  /** Rows that no worker tries any more, because every run failed. */
  readonly parked: number;
}

export function viewQueues(ctx: ServiceContext): Promise<readonly QueueView[]> {
  requireOperator(ctx);
  return ctx.runtime.system(async (tx) => {
    const parked = await countParked(tx);
    const backlogs = await selectBacklogs(tx, ctx.now());
    return backlogs.map((backlog) => ({
      ...backlog,
      parked: parked.find(({ work }) => work === backlog.work)?.rows ?? 0,
    }));
  });
}

export function viewCas(ctx: ServiceContext): Promise<readonly CaView[]> {
  requireOperator(ctx);
  return ctx.runtime.system((tx) => selectCaViews(tx, ctx.now()));
}

export function viewProviders(ctx: ServiceContext): Promise<readonly ProviderView[]> {
  requireOperator(ctx);
  return ctx.runtime.system(selectProviderViews);
}
