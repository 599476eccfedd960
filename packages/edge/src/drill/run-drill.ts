import { createVault, generateRootKey, parseRootKeys } from "@mooring/vault";
import type pg from "pg";
import { createBudget } from "../certificates/budget/budget.ts";
import type { IssuanceLimitTable } from "../certificates/budget/limits.ts";
import { type IssueParts, issueCertificate } from "../certificates/issue/issue.ts";
import { askRenewalInfo } from "../certificates/issue/renewal-info.ts";
import { checkExpiry } from "../certificates/issue/upkeep.ts";
import { claimDueCertificates } from "../db/certificates.ts";
import { measureRenewals, type RenewalMeasure, renewAll } from "../db/drill.ts";
import { openPool } from "../db/pool.ts";
import type { Host } from "../hosts/host.ts";
import { createCertificateStats } from "../metrics/metrics.ts";
import { createDrillCa, type DrillCa, drillIssuer } from "./drill-ca.ts";

export const drillKinds = ["ca-down", "revoke", "short-lived"] as const;
export type DrillKind = (typeof drillKinds)[number];

export interface DrillOptions {
  readonly kind: DrillKind;
  /** A copy, which is written to. */
  readonly databaseUrl: string;
  readonly hosts: readonly Host[];
  /** As configured; those of the first directory count. */
  readonly limits: IssuanceLimitTable;
  readonly startAt: Date;
  /** How long the CA is away, or the short certificates are watched. */
  readonly durationMs: number;
  /** Of the short certificates. */
  readonly lifeMs: number;
}

export interface DrillReport {
  /**
   * From the end of the outage, or from the begin of the drill; null when it was not over in time.
   */
  readonly recoveredAfterMs: number | null;
  readonly orders: number;
  /** The most orders in a day. */
  readonly ordersPerDay: number;
  /** The most certificates that were due and not renewed at one time. */
  readonly overdue: number;
  /** The most names without a valid certificate at one time. */
  readonly expired: number;
  /** The least life that a served certificate had left. */
  readonly leastLeftMs: number;
  readonly simulatedMs: number;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** A drill that is not over by then has no end. */
const longestMs = 90 * day;
/**
 * Until the last hours of an outage, retries that fall into one such part of it are made together.
 */
const outageSteps = 72;
const lastHoursMs = 6 * hour;
const inFlight = 8;
const never = new AbortController().signal;

/**
 * Runs the edge's own orders, budgets and renewal questions over a copy, with a scripted CA and a
 * clock that jumps to whatever is due next. Every name is taken to be allowed and to resolve to us.
 */
export async function runDrill(options: DrillOptions): Promise<DrillReport> {
  const pool = openPool(options.databaseUrl, () => undefined, { connections: inFlight });
  try {
    return await simulate(options, pool);
  } finally {
    await pool.end();
  }
}

async function simulate(options: DrillOptions, pool: pg.Pool): Promise<DrillReport> {
  const begin = options.startAt.getTime();
  let now = begin;
  const clock = { now: () => new Date(now) };
  const ca = createDrillCa(clock);
  const parts = createParts(options, pool, ca, clock);
  await begun(options, pool, ca);
  let recoveredAfterMs: number | null = null;
  let [overdue, expired, leastLeftMs] = [0, 0, Number.POSITIVE_INFINITY];
  let checkedAt = 0;
  for (;;) {
    const elapsedMs = now - begin;
    ca.isAway = options.kind === "ca-down" && elapsedMs < options.durationMs;
    if (now - checkedAt >= hour) {
      checkedAt = now;
      await parts.budget.sweep();
      await checkExpiry(parts);
    }
    await runDue(parts, pool, ca);
    const seen = await measureRenewals(pool, clock.now());
    overdue = Math.max(overdue, seen.overdue);
    expired = Math.max(expired, seen.expired);
    leastLeftMs = Math.min(leastLeftMs, seen.leastLeftMs);
    if (isRecovered(options, ca, seen)) recoveredAfterMs ??= elapsedMs - findOutageMs(options);
    const isEnded = recoveredAfterMs !== null && elapsedMs >= watchedMs(options);
    if (isEnded || elapsedMs >= longestMs) break;
    now = nextTime(now, seen, ca.isAway ? options.durationMs : null, begin);
  }
  const orders = ca.issuedAt.length;
  return {
    recoveredAfterMs,
    orders,
    ordersPerDay: mostPerDay(ca.issuedAt),
    overdue,
    expired,
    leastLeftMs: Math.max(0, leastLeftMs),
    simulatedMs: now - begin,
  };
}

function createParts(
  { hosts, limits }: DrillOptions,
  pool: pg.Pool,
  ca: DrillCa,
  clock: IssueParts["clock"],
): IssueParts {
  const known = new Map(hosts.map((host) => [host.hostname, host]));
  const nothing = (): void => undefined;
  return {
    pool,
    clock,
    random: Math.random,
    vault: createVault(parseRootKeys(generateRootKey())),
    log: { debug: nothing, info: nothing, warn: nothing, error: nothing },
    hosts: { get: (hostname) => known.get(hostname) ?? null },
    permission: { isAllowed: async () => true },
    preflight: { check: async () => undefined },
    budget: createBudget(pool, clock, { directories: [drillIssuer], limits }),
    issuersFor: () => [ca],
    stats: createCertificateStats(),
  };
}

/** What happens at the begin of the drill. */
async function begun(options: DrillOptions, pool: pg.Pool, ca: DrillCa): Promise<void> {
  if (options.kind === "revoke") ca.withdrawnBefore = options.startAt;
  if (options.kind !== "short-lived") return;
  ca.lifeMs = options.lifeMs;
  // The CA is not asked about what is replaced: its answer would put the renewal off again.
  await renewAll(pool, options.startAt);
}

async function runDue(parts: IssueParts, pool: pg.Pool, { isAway }: DrillCa): Promise<void> {
  const { clock } = parts;
  // Questions to a CA that is away change nothing: they wait for its return.
  if (!isAway) while ((await askRenewalInfo(parts, never)) > 0);
  for (;;) {
    const leasedUntil = new Date(clock.now().getTime() + minute);
    const rows = await claimDueCertificates(pool, "renewal", clock.now(), leasedUntil, inFlight);
    if (rows.length === 0) return;
    await Promise.all(rows.map((row) => issueCertificate(parts, row, never)));
  }
}

/** Every name has what the drill took from it. */
function isRecovered({ kind, hosts }: DrillOptions, ca: DrillCa, seen: RenewalMeasure): boolean {
  if (kind === "ca-down") return !ca.isAway && seen.overdue === 0 && seen.expired === 0;
  return ca.issuedFor.size === hosts.length;
}

function findOutageMs({ kind, durationMs }: DrillOptions): number {
  return kind === "ca-down" ? durationMs : 0;
}

function watchedMs({ kind, durationMs }: DrillOptions): number {
  return kind === "revoke" ? 0 : durationMs;
}

/**
 * The next order or retry, which the edge's own schedule has set, at a minute's step, and the next
 * question at an hour's. While the CA is away nothing can succeed, so the steps are longer until
 * the last hours, which decide how soon its return is seen. The end of the outage is a step of its
 * own.
 */
function nextTime(
  now: number,
  { dueAt, askAt }: RenewalMeasure,
  outageMs: number | null,
  begin: number,
): number {
  const at = (time: Date | null, floorMs: number): number =>
    Math.max(now + floorMs, time?.getTime() ?? Number.POSITIVE_INFINITY);
  if (outageMs === null) return Math.min(at(dueAt, minute), at(askAt, hour), now + 6 * hour);
  const end = begin + outageMs;
  const isLast = now >= end - lastHoursMs;
  if (isLast) return Math.min(at(dueAt, minute), end);
  return Math.min(at(dueAt, outageMs / outageSteps), end - lastHoursMs);
}

function mostPerDay(times: readonly number[]): number {
  const perDay = Map.groupBy(times, (at) => Math.floor(at / day));
  return Math.max(0, ...[...perDay.values()].map((orders) => orders.length));
}
