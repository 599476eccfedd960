import { type Clock, inTransaction } from "@mooring/postgres";
import type pg from "pg";
import type { DueCertificate } from "../../db/certificates.ts";
import {
  advanceVirtualStarts,
  type BudgetRow,
  endOutage,
  type HoldCode,
  holdBudget,
  lockBudget,
  moveArrivals,
  noteRates,
  readBudget,
  sweepBudget,
} from "../../db/issuance-budget.ts";
import {
  advanceQueue,
  countAhead,
  countWaiting,
  estimateCertificates,
  farAhead,
  leaveQueue,
  loadWaiting,
  type QueuePosition,
} from "../../db/waiting-certificates.ts";
import type { BudgetLeft } from "../../metrics/metrics.ts";
import {
  available,
  deriveRates,
  findLimits,
  type IssuanceLimits,
  type IssuanceLimitTable,
  stepMs,
} from "./limits.ts";
import { computeReserve, firstOrders, type Limit, nextVirtualStart, waitFor } from "./waiting.ts";

/** How an order ended, for the limits of the CA. */
export type OrderOutcome =
  /** The CA never accepted an order. */
  | "unused"
  /** An order without a certificate, yet or ever. */
  | "ordered"
  /** The CA could not validate the name. */
  | "invalid"
  | "issued";

/** Permission to order once. What the outcome does not use up is given back. */
export interface Grant {
  readonly isGranted: true;
  /** An order of this name is in flight: it counts already. */
  readonly isResumed: boolean;
  end(outcome: OrderOutcome): Promise<void>;
}

/** The name waits in a queue; nothing was taken. */
export interface Waiting {
  readonly isGranted: false;
  readonly waitMs: number;
  readonly code: HoldCode;
  readonly position: QueuePosition | null;
}

/** What a refusal of the CA concerns. */
export type HoldScope = "account" | "domain" | "name";

export interface CaHold {
  readonly scope: HoldScope;
  readonly code: HoldCode;
  /** As the CA asked; null when it did not say. */
  readonly retryAfterSeconds: number | null;
}

/**
 * The limits of the CAs, stored in the database and shared by all edges. New names wait, round
 * robin between tenants; renewals that name what they replace are exempt at the CA and have a pace
 * of their own.
 */
export interface Budget {
  /** The CAs that are configured. */
  readonly directories: readonly string[];
  /** `mayResume` is false once an order in flight turned out to be lost. */
  take(due: DueCertificate, directory: string, mayResume?: boolean): Promise<Grant | Waiting>;
  /** The CA refused or did not answer: nothing of this scope is ordered before it may be. */
  hold(due: DueCertificate, directory: string, hold: CaHold): Promise<void>;
  left(directory: string): Promise<BudgetLeft>;
  /**
   * Has names served sooner when less was used than was taken, forgets old rows, sets the pace of
   * renewals and notes the limits.
   */
  sweep(): Promise<void>;
}

const day = 86_400_000;
/** Retry-After of a CA is believed up to this. */
const longestHoldMs = day;
const unstatedHoldMs = 300_000;
const firstOutageMs = 15_000;
const longestOutageMs = 600_000;
/** After an outage one order probes the CA; another one may after this time. */
const probeMs = 60_000;

/** What an order takes from; the names of the budget's rows. */
function nameRows(directory: string, due: DueCertificate) {
  return {
    orders: `orders:${directory}`,
    renewals: `renewals:${directory}`,
    tenant: `tenant:${directory}:${due.tenantId}`,
    domain: `domain:${directory}:${due.registrableDomain}`,
    name: `name:${directory}:${due.hostname}`,
    failures: `failures:${directory}:${due.hostname}`,
  };
}

interface Taking {
  readonly client: pg.PoolClient;
  readonly now: Date;
  readonly rates: ReturnType<typeof deriveRates>;
  readonly limits: IssuanceLimits;
  readonly due: DueCertificate;
  readonly rows: ReturnType<typeof nameRows>;
  readonly account: BudgetRow;
  readonly row: (name: string) => BudgetRow;
  readonly position: QueuePosition | null;
  readonly isResumed: boolean;
  /** The tenant has ordered so little lately that this order need not wait in the queue. */
  readonly isFirst: boolean;
}

export function createBudget(
  pool: pg.Pool,
  clock: Clock,
  settings: { readonly directories: readonly string[]; readonly limits?: IssuanceLimitTable },
): Budget {
  const { directories, limits: table = {} } = settings;
  // Each process counts for itself; the pace of renewals need not be exact.
  let certificates = 0;
  const transact = <T>(work: (client: pg.PoolClient) => Promise<T>) => inTransaction(pool, work);
  return {
    directories,
    take: (due, directory, mayResume = true) =>
      transact(async (client) => {
        const now = clock.now();
        const rows = nameRows(directory, due);
        // One order at a time decides: the lock of this row is the CA's queue.
        const account = await lockBudget(client, rows.orders, now);
        const row = await readBudget(client, Object.values(rows));
        const { position, hasOrder } = await loadWaiting(client, due, directory);
        const limits = findLimits(table, directory);
        const isResumed = mayResume && hasOrder;
        const isFirst =
          available(firstOrders(limits), row(rows.tenant).arrivesAt, now.getTime()) >= 1;
        const rates = deriveRates(limits, certificates);
        const shared = { client, now, limits, rates, due, rows, account, row, position };
        const moves = await admit({ ...shared, isResumed, isFirst });
        if ("isGranted" in moves) return moves;
        const end = createEnd({
          pool,
          clock,
          rows,
          rates,
          limits,
          isResumed,
          taken: moves,
          account,
        });
        return { isGranted: true, isResumed, end } as const;
      }),
    async hold(due, directory, { scope, code, retryAfterSeconds }) {
      const rows = nameRows(directory, due);
      const name = { account: rows.orders, domain: rows.domain, name: rows.name }[scope];
      await transact(async (client) => {
        const now = clock.now();
        const row = await lockBudget(client, name, now);
        const isOutage = code === "ca_unavailable" && isNewOutage(row, now);
        const ownMs = code === "ca_unavailable" ? outageMs(row.outages) : unstatedHoldMs;
        const askedMs = retryAfterSeconds === null ? ownMs : retryAfterSeconds * 1_000;
        const until = new Date(now.getTime() + Math.min(askedMs, longestHoldMs));
        await holdBudget(client, name, { until, code, isOutage }, now);
      });
    },
    async left(directory) {
      const queue = `orders:${directory}`;
      const [row, now] = [(await readBudget(pool, [queue]))(queue), clock.now().getTime()];
      const rate = deriveRates(findLimits(table, directory)).orders;
      const isHeld = row.heldUntil !== null && row.heldUntil > now;
      return {
        directory,
        orders: Math.max(0, Math.floor(available(rate, row.arrivesAt, now) + 1e-3)),
        ordersLimit: rate.count,
        waiting: await countWaiting(pool, queue),
        heldUntil: isHeld ? new Date(row.heldUntil) : null,
        heldFor: isHeld ? row.heldFor : null,
      };
    },
    async sweep() {
      const now = clock.now();
      certificates = await estimateCertificates(pool);
      for (const directory of directories) {
        const sweeping = { directory, limits: findLimits(table, directory), certificates, now };
        await transact((client) => sweepDirectory(client, sweeping));
      }
      await sweepBudget(pool, new Date(now.getTime() - day));
    },
  };
}

/** Takes from every limit and returns what was taken, or takes nothing and returns the wait. */
async function admit(taking: Taking): Promise<ReadonlyMap<string, number> | Waiting> {
  const { client, now, rows, account, row, due, position } = taking;
  const virtualStart = findVirtualStart(taking);
  const limits = await limitsFor(taking, virtualStart);
  const { waitMs, code, limit } = waitFor(limits, now.getTime());
  const isNew = due.chain === null;
  if (limit !== null) {
    const isFair = limit === rows.orders || limit === rows.renewals;
    const waits = { queue: limit, virtualStart: isFair ? virtualStart : now.getTime() };
    const stays = position?.queue === limit ? position : waits;
    const isQueued = stays === waits && limit === rows.orders && isNew;
    if (isQueued)
      await advanceVirtualStarts(client, new Map([[rows.tenant, virtualStart + 1]]), now);
    return { isGranted: false, waitMs, code, position: stays };
  }
  const taken = takenBy(taking);
  if (taken.size > 0) await moveArrivals(client, taken, now);
  if (isNew && !taking.isResumed) {
    const next = Math.max(row(rows.tenant).virtualStart, virtualStart + 1);
    await advanceVirtualStarts(
      client,
      new Map([
        [rows.orders, virtualStart],
        [rows.tenant, next],
      ]),
      now,
    );
  }
  if (account.outages > 0) {
    const until = new Date(now.getTime() + probeMs);
    await holdBudget(client, rows.orders, { until, code: "ca_unavailable", isOutage: false }, now);
  }
  if (position !== null) await leaveQueue(client, due.hostname);
  return taken;
}

/**
 * Renewals wait by their expiry, new names round robin between tenants, which a renewal elsewhere
 * precedes.
 */
function findVirtualStart(taking: Taking): number {
  const { due, position, rows, account, row } = taking;
  if (isExempt(taking)) return due.notAfter?.getTime() ?? 0;
  if (position?.queue === rows.orders) return position.virtualStart;
  return due.chain === null ? nextVirtualStart(account, row(rows.tenant)) : account.virtualStart;
}

/** A renewal that names its predecessor at the same CA (RFC 9773 §5). */
function isExempt({ due, rows }: Taking): boolean {
  return due.chain !== null && rows.orders === `orders:${due.issuer}`;
}

async function limitsFor(taking: Taking, virtualStart: number): Promise<readonly Limit[]> {
  const { client, now, limits, rates, due, rows, account, row, position } = taking;
  const free = { ahead: 0, reserve: 0 };
  const isRenewal = isExempt(taking);
  // A hold of the CA also holds what takes nothing from its limits.
  const always: readonly Limit[] = [
    { name: isRenewal ? rows.renewals : rows.orders, rate: null, row: account, ...free },
    { name: rows.domain, rate: null, row: row(rows.domain), ...free },
    { name: rows.name, rate: null, row: row(rows.name), ...free },
    { name: rows.failures, rate: rates.failures, row: row(rows.failures), ...free },
  ];
  if (taking.isResumed) return always;
  const queues = [
    { queue: isRenewal ? rows.renewals : rows.orders, virtualStart },
    {
      queue: rows.domain,
      virtualStart: position?.queue === rows.domain ? position.virtualStart : now.getTime(),
    },
  ];
  const ahead = await countAhead(client, due.hostname, queues, now);
  const queued = (kind: "renewals" | "domain"): Limit => {
    const name = rows[kind];
    return { name, rate: rates[kind], row: row(name), ahead: ahead(name), reserve: 0 };
  };
  if (isRenewal) return [queued("renewals"), ...always];
  const isPreferred = due.chain !== null || taking.isFirst;
  const mayPass = isPreferred && available(rates.orders, account.arrivesAt, now.getTime()) >= 1;
  const counted = ahead(rows.orders);
  // The names of one tenant are as far apart as their virtual starts, however many wait.
  const before =
    counted < farAhead ? counted : Math.max(counted, virtualStart - account.virtualStart);
  const waiting = { ahead: before, reserve: isPreferred ? 0 : computeReserve(limits) };
  const orders = { name: rows.orders, rate: rates.orders, row: account };
  return [
    { ...orders, ...(mayPass ? free : waiting) },
    queued("domain"),
    { name: rows.name, rate: rates.name, row: row(rows.name), ...free },
    ...always,
  ];
}

function takenBy(taking: Taking): ReadonlyMap<string, number> {
  const { rows, limits, rates } = taking;
  if (taking.isResumed) return new Map();
  if (isExempt(taking)) return new Map([[rows.renewals, stepMs(rates.renewals)]]);
  const taken = new Map([
    [rows.orders, stepMs(rates.orders)],
    [rows.domain, stepMs(rates.domain)],
    [rows.name, stepMs(rates.name)],
  ]);
  return taking.isFirst ? taken.set(rows.tenant, stepMs(firstOrders(limits))) : taken;
}

/** Gives back what the outcome did not use up, and notes that the CA answers. */
function createEnd(about: {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly rows: ReturnType<typeof nameRows>;
  readonly rates: ReturnType<typeof deriveRates>;
  readonly limits: IssuanceLimits;
  readonly isResumed: boolean;
  readonly taken: ReadonlyMap<string, number>;
  readonly account: BudgetRow;
}): (outcome: OrderOutcome) => Promise<void> {
  const { pool, clock, rows, rates, limits, isResumed, taken, account } = about;
  const perCertificate: readonly string[] = [rows.domain, rows.name];
  return async (outcome) => {
    const now = clock.now();
    const unused = [...taken].filter(
      ([name]) => outcome === "unused" || (outcome !== "issued" && perCertificate.includes(name)),
    );
    const moves = new Map(unused.map(([name, ms]) => [name, -ms]));
    if (outcome === "invalid") moves.set(rows.failures, stepMs(rates.failures));
    if (outcome === "issued" && isResumed) {
      moves.set(rows.domain, stepMs(rates.domain)).set(rows.name, stepMs(rates.name));
    }
    if (moves.size > 0) await moveArrivals(pool, moves, now);
    if (outcome === "unused" || account.outages === 0) return;
    if (!(await endOutage(pool, rows.orders))) return;
    await inTransaction(pool, (client) => advance(client, parseDirectory(rows), limits, now));
  };
}

function parseDirectory({ orders }: ReturnType<typeof nameRows>): string {
  return orders.slice("orders:".length);
}

interface Sweeping {
  readonly directory: string;
  readonly limits: IssuanceLimits;
  readonly certificates: number;
  readonly now: Date;
}

async function sweepDirectory(
  client: pg.PoolClient,
  { directory, limits, certificates, now }: Sweeping,
): Promise<void> {
  await advance(client, directory, limits, now);
  const { orders, renewals } = deriveRates(limits, certificates);
  const rates = { [`orders:${directory}`]: orders, [`renewals:${directory}`]: renewals };
  await noteRates(client, new Map(Object.entries(rates)), now);
}

async function advance(
  client: pg.PoolClient,
  directory: string,
  limits: IssuanceLimits,
  now: Date,
): Promise<void> {
  const queue = `orders:${directory}`;
  const row = await lockBudget(client, queue, now);
  if (row.heldUntil !== null && row.heldUntil > now.getTime()) return;
  const free = available(deriveRates(limits).orders, row.arrivesAt, now.getTime());
  const count = Math.floor(free - computeReserve(limits) + 1e-3);
  if (count > 0) await advanceQueue(client, queue, count, now);
}

/** Failures of orders that were under way together are one outage, not many. */
function isNewOutage({ heldUntil }: BudgetRow, now: Date): boolean {
  return heldUntil === null || heldUntil <= now.getTime() + probeMs;
}

function outageMs(outages: number): number {
  return Math.min(firstOutageMs * 2 ** Math.min(outages, 10), longestOutageMs);
}
