import { z } from "zod";
import type { Tx } from "../../db/engine/transaction.ts";
import {
  selectCoverage,
  selectFirstVisit,
  selectRolledDays,
  selectTop,
  selectTotals,
  selectTraffic,
  type TrafficGroup,
  type TrafficOrder,
  type TrafficRow,
  trafficOrders,
} from "../../db/queries/traffic/read-traffic.ts";
import { selectCandidates } from "../../db/queries/traffic/traffic-tops.ts";
import {
  addCoverage,
  addNumbers,
  type Coverage,
  noCoverage,
  noTrafficNumbers,
  type TrafficNumbers,
} from "../../domain/traffic/traffic.ts";
import { requireApplication } from "../applications/applications.ts";
import { requireConnection } from "../connections/read.ts";
import type { ServiceContext } from "../context.ts";
import { dayMs, hourDays, hourMs, readSpan, type SteppedSpan, spanQuery } from "./span.ts";

export const ConnectionTrafficQuery = z.strictObject(spanQuery);
export type ConnectionTrafficQuery = z.infer<typeof ConnectionTrafficQuery>;

export const TrafficQuery = z.strictObject({
  ...spanQuery,
  group_by: z.enum(["connection", "application"]).default("connection"),
  sort: z
    .enum(trafficOrders)
    .default("requests")
    .describe("By what the first 100 are chosen: `errors` are answers of class 5xx"),
  application_id: z.uuid().optional().describe("Of this application only"),
});
export type TrafficQuery = z.infer<typeof TrafficQuery>;

/** One hour or day. */
export interface TrafficPoint {
  readonly at: Date;
  /** Null where no edge has reported: that is not none. */
  readonly numbers: TrafficNumbers | null;
  readonly coverage: Coverage;
  /** The time has ended and every minute of every edge is counted, for each name by itself. */
  readonly isComplete: boolean;
}

export interface Traffic {
  readonly isEnabled: boolean;
  readonly span: SteppedSpan;
  readonly points: readonly TrafficPoint[];
}

export interface ConnectionTraffic extends Traffic {
  readonly firstVisitAt: Date | null;
  readonly edges: readonly { readonly edge: string; readonly numbers: TrafficNumbers }[];
}

export interface TrafficOverview extends Traffic {
  readonly groupBy: "connection" | "application";
  readonly groups: readonly (TrafficGroup & { readonly isComplete: boolean })[];
}

const maxGroups = 100;

/** What visitors asked of one name. */
export async function getConnectionTraffic(
  ctx: ServiceContext,
  id: string,
  query: ConnectionTrafficQuery,
): Promise<ConnectionTraffic> {
  const span = readSpan(query, ctx.now());
  return ctx.read(async (tx) => {
    const { applicationId, tenantId } = await requireConnection(ctx, tx, id);
    const rolled = span.step === "day" ? await selectRolledDays(tx, span) : [];
    const subjects = [id, applicationId];
    const found = await selectTraffic(tx, { tenantId, subjects }, span, rolled);
    const own = found.filter(({ subjectId }) => subjectId === id);
    const ofApplication = found.filter(({ subjectId }) => subjectId !== id);
    const points = await makePoints(ctx, tx, span, {
      rows: own,
      isWhole: (at) => unattributedIn(ofApplication, at, span) === 0,
    });
    return {
      isEnabled: ctx.runtime.config.traffic,
      span,
      points,
      firstVisitAt: await selectFirstVisit(tx, id),
      edges: addByEdge(own),
    };
  });
}

/** What visitors asked of all names, or of those of one application, and which had the most. */
export async function getTraffic(
  ctx: ServiceContext,
  query: TrafficQuery,
): Promise<TrafficOverview> {
  const span = readSpan(query, ctx.now());
  const applicationId = query.application_id ?? null;
  const { tenantId } = ctx.actor;
  return ctx.read(async (tx) => {
    if (applicationId !== null) await requireApplication(tx, applicationId);
    const rolled = await selectRolledDays(tx, span);
    const days = span.step === "day" ? rolled : [];
    const rows = await selectTotals(tx, { tenantId, applicationId }, span, days);
    const points = await makePoints(ctx, tx, span, { rows, isWhole: () => true });
    const { group_by: groupBy, sort: order } = query;
    const which = { tenantId, applicationId, groupBy, order, limit: maxGroups };
    const ranked = await readRanking(tx, which, span, rolled);
    const groups = await selectTop(tx, { ...which, ...ranked }, span, rolled);
    const isComplete = points.every((point) => point.isComplete);
    const isAttributed = rows.every(({ unattributed }) => unattributed === 0);
    return {
      isEnabled: ctx.runtime.config.traffic,
      span,
      points,
      groupBy,
      groups: groups.map((group) => ({
        ...group,
        isComplete: isComplete && (groupBy === "application" || isAttributed),
      })),
    };
  });
}

/** Who is compared: all, where the tenant or the application never had many names in an hour. */
async function readRanking(
  tx: Tx,
  {
    tenantId,
    applicationId,
    groupBy,
    order,
  }: {
    readonly tenantId: string;
    readonly applicationId: string | null;
    readonly groupBy: "connection" | "application";
    readonly order: TrafficOrder;
  },
  span: SteppedSpan,
  rolled: readonly Date[],
): Promise<{ readonly candidates: readonly string[] | null; readonly isMany: boolean }> {
  if (groupBy === "application") return { candidates: null, isMany: false };
  const read = (scopeId: string) =>
    selectCandidates(tx, { tenantId, scopeId }, order, span, rolled);
  const candidates = await read(applicationId ?? tenantId);
  const isMany = applicationId !== null && (await read(tenantId)) !== null;
  return { candidates, isMany };
}

async function makePoints(
  ctx: ServiceContext,
  tx: Tx,
  span: SteppedSpan,
  {
    rows,
    isWhole,
  }: {
    readonly rows: readonly Pick<TrafficRow, "at" | keyof TrafficNumbers>[];
    readonly isWhole: (at: Date) => boolean;
  },
): Promise<readonly TrafficPoint[]> {
  const coverage = await selectCoverage(tx, span);
  const now = ctx.now().getTime();
  // Hours that are dropped already; the day's partition goes as a whole.
  const storedFrom = span.step === "hour" ? now - hourDays * dayMs : 0;
  return span.steps.map((at) => {
    const begin = at.getTime();
    const end = begin + span.stepMs;
    const covered = begin < storedFrom ? noCoverage : coverageIn(coverage, begin, end);
    const inStep = rows.filter((row) => row.at.getTime() >= begin && row.at.getTime() < end);
    const isReported = covered.reported > 0;
    return {
      at,
      numbers: isReported ? inStep.reduce<TrafficNumbers>(addNumbers, noTrafficNumbers) : null,
      coverage: covered,
      isComplete:
        isReported &&
        end <= now &&
        covered.reported >= covered.expected &&
        covered.others === 0 &&
        isWhole(at),
    };
  });
}

function coverageIn(hours: ReadonlyMap<number, Coverage>, begin: number, end: number): Coverage {
  let sum = noCoverage;
  for (let hour = begin; hour < end; hour += hourMs) {
    sum = addCoverage(sum, hours.get(hour) ?? noCoverage);
  }
  return sum;
}

function unattributedIn(
  rows: readonly TrafficRow[],
  at: Date,
  { stepMs }: Pick<SteppedSpan, "stepMs">,
): number {
  const begin = at.getTime();
  return rows
    .filter((row) => row.at.getTime() >= begin && row.at.getTime() < begin + stepMs)
    .reduce((sum, row) => sum + row.unattributed, 0);
}

function addByEdge(rows: readonly TrafficRow[]): ConnectionTraffic["edges"] {
  const edges = new Map<string, TrafficNumbers>();
  for (const row of rows) {
    edges.set(row.edge, addNumbers(edges.get(row.edge) ?? noTrafficNumbers, row));
  }
  return [...edges]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([edge, numbers]) => ({ edge, numbers }));
}
