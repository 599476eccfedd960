import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  type ClockCa,
  chooseLifetime,
  createClockCa,
  type NotedOrder,
} from "@mooring/testing/edge/clock-ca";
import { claimMany, makeTenants } from "@mooring/testing/edge/clock-world";
import { type EdgeDatabase, openEdgeDatabase, silent } from "@mooring/testing/edge/edge-database";
import { createTestVault, issueParts } from "@mooring/testing/edge/issuing";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { recordPromise } from "@mooring/testing/processes/soak";
import { claimDueCertificates, type Lane } from "../../db/certificates.ts";
import type { Host } from "../../hosts/host.ts";
import { createBudget } from "../budget/budget.ts";
import { type IssueParts, issueCertificate } from "./issue.ts";
import { askRenewalInfo } from "./renewal-info.ts";
import { checkExpiry } from "./upkeep.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const never = new AbortController().signal;

const names = proofSize(25, 1_000);
/** Every other day. */
const newNames = Math.ceil(names / 25);
const days = 45;
const outage = { from: 20 * day, until: 23 * day };
const withdrawal = 35 * day;
/** How late a CA may be asked: fewer steps make the run shorter. */
const askFloor = hour;

/** The rates that Let's Encrypt publishes; ours are a part of them. */
const publicLimits = {
  orders: [300, 3 * hour],
  domain: [50, 7 * day],
  name: [5, 7 * day],
} as const;

interface Alarm {
  readonly at: number;
  readonly hostname: string;
}

interface Schedule {
  readonly first: Date | null;
  readonly renewal: Date | null;
  readonly ask: Date | null;
  readonly soonestEnd: Date | null;
  readonly overdue: string;
}

describe(`45 days of ${names} certificates with the CA unreachable for 72 hours`, () => {
  let database: EdgeDatabase;
  let parts: IssueParts;
  let ca: ClockCa;
  const begin = Date.parse("2026-11-15T00:00:00Z");
  let now = begin;
  const clock = { now: () => new Date(now) };
  const hosts = new Map<string, Host>();
  const alarms: Alarm[] = [];
  let checkedAt = 0;
  let hostsMade = 0;
  let today = 0;
  /** The seed is stated so that a run that fails can be run again. */
  let seed = 20_261_115;
  const random = (): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 2_147_483_648;
  };

  before(async () => {
    database = await openEdgeDatabase();
    // Before the pool's first connection. The database need not survive a power cut.
    const { rows } = await database.admin.query<{ name: string }>(
      "select current_database() as name",
    );
    await database.admin.query(`alter database "${rows[0]?.name}" set synchronous_commit = off`);
    await makeTenants(database.admin);
    ca = createClockCa(clock);
    const base = { pool: database.pool, vault: createTestVault(), clock };
    const table = { get: (name: string) => hosts.get(name) ?? null, size: names };
    const log = { ...silent, error: (line: object) => void alarms.push(alarmOf(line)) };
    const budget = createBudget(database.pool, clock, { directories: [ca.name] });
    parts = issueParts(base, table, [ca], { budget, random, log });
  });
  after(() => database.close());

  function alarmOf(line: object): Alarm {
    return { at: now - begin, hostname: "hostname" in line ? String(line.hostname) : "" };
  }

  async function connect(count: number): Promise<void> {
    const fresh = Array.from({ length: count }, (_, index) => {
      const number = hostsMade + index + 1;
      return `n${number}.d${number}.example`;
    });
    hostsMade += count;
    for (const host of await claimMany(database.admin, fresh, clock.now())) {
      hosts.set(host.hostname, host);
    }
  }

  async function schedule(): Promise<Schedule> {
    const { rows } = await database.admin.query<Schedule>({
      name: "schedule",
      text: `select min(due_at) filter (where chain is null) as first,
          min(due_at) filter (where chain is not null) as renewal, min(ari_due_at) as ask,
          min(not_after) as "soonestEnd",
          count(*) filter (where chain is not null and renew_at < $1) as overdue
        from certificates`,
      values: [clock.now()],
    });
    const [row] = rows;
    assert.ok(row);
    return row;
  }

  async function issueDue(lane: Lane): Promise<void> {
    for (;;) {
      const leasedUntil = new Date(now + 30_000);
      const rows = await claimDueCertificates(database.pool, lane, clock.now(), leasedUntil, 6);
      if (rows.length === 0) return;
      await Promise.all(rows.map((row) => issueCertificate(parts, row, never)));
    }
  }

  /** Runs everything that is due now; returns the next due times. */
  async function runDue(before: Schedule): Promise<Schedule> {
    const isDue = (at: Date | null): boolean => at !== null && at.getTime() <= now;
    assertNoneExpired(before.soonestEnd);
    if (isDue(before.first)) await issueDue("first");
    if (isDue(before.renewal)) await issueDue("renewal");
    if (isDue(before.ask)) while ((await askRenewalInfo(parts, never)) > 0);
    if (now - checkedAt >= hour) {
      checkedAt = now;
      await checkExpiry(parts);
    }
    return schedule();
  }

  function nextTime({ first, renewal, ask }: Schedule): number {
    const soonest = (floor: number, ...of: readonly (Date | null)[]): number =>
      Math.max(now + floor, Math.min(...of.map((at) => at?.getTime() ?? Number.POSITIVE_INFINITY)));
    return Math.min(soonest(minute, first, renewal), soonest(askFloor, ask), now + hour);
  }

  function assertNoneExpired(soonestEnd: Date | null): void {
    if (soonestEnd === null) return;
    const onDay = ((now - begin) / day).toFixed(2);
    assert.ok(soonestEnd.getTime() > now, `a certificate has expired on day ${onDay}`);
  }

  /** Events from outside: outages of the CA, new names, withdrawn certificates. */
  async function applyEvents(elapsed: number): Promise<boolean> {
    ca.isAway = elapsed >= outage.from && elapsed < outage.until;
    if (Math.floor(elapsed / day) <= today) return false;
    today += 1;
    if (today % 2 === 0) await connect(newNames);
    if (today === withdrawal / day) ca.withdraw((name) => name.includes("7."));
    return true;
  }

  it("lets none expire, orders nothing over budget, and catches up after the outage", async (context) => {
    await connect(names);
    let drainedAt: number | null = null;
    let state = await schedule();
    while (now - begin < days * day) {
      const elapsed = now - begin;
      if (await applyEvents(elapsed)) state = await schedule();
      state = await runDue(state);
      if (elapsed >= outage.until && Number(state.overdue) === 0) drainedAt ??= elapsed;
      now = nextTime(state);
    }
    report(context, drainedAt);
  });

  function report(context: { diagnostic(text: string): void }, drainedAt: number | null): void {
    const renewals = ca.orders.filter((order) => order.isRenewal);
    const firsts = ca.orders.filter((order) => !order.isRenewal);
    assert.ok(drainedAt !== null, "the backlog of the outage was never drained");
    const drainHours = (drainedAt - outage.until) / hour;
    context.diagnostic(
      `${firsts.length} first orders, ${renewals.length} renewals, ` +
        `${[...ca.asked.values()].flat().length} questions, drained in ${drainHours.toFixed(1)} h, ` +
        `${alarms.length} alarms, ${parts.stats.failed} failed tries, ${parts.stats.held} held back`,
    );
    assert.equal(firsts.length, hostsMade, "one first order for each name");
    assert.ok(renewals.length > names, "every name was renewed, short lives often");
    const replacing = renewals.filter((order) => order.hasReplaces).length / renewals.length;
    assert.ok(replacing >= 0.99, `${replacing} of the renewals name what they replace`);
    assert.ok(drainHours <= 27, `drained after ${drainHours} h`);
    for (const { at, hostname } of alarms) {
      const isMeant =
        chooseLifetime(hostname) < 10 * day && at >= outage.from && at < outage.until + day;
      assert.ok(isMeant, `an alarm about ${hostname} on day ${at / day}`);
    }
    assertShortLives(renewals);
    assertPublicLimits(firsts);
    assertConforms("renewals", renewals, 20, minute, 20);
    assertAskedSeldom();
    recordPromise(
      "G17",
      `${names} certificates, ${renewals.length} renewals in ${days} days`,
      `0 expired, 0 over budget, ${(replacing * 100).toFixed(1)} % with replaces (promise 99 %)`,
    );
    recordPromise(
      "G18",
      `in the run of G17, ${names} certificates`,
      `0 down, backlog drained in ${drainHours.toFixed(1)} h`,
    );
  }

  /** Six-day certificates are renewed with half of their life left, save when the CA was away. */
  function assertShortLives(renewals: readonly NotedOrder[]): void {
    const short = renewals.filter(({ hostname }) => chooseLifetime(hostname) < 10 * day);
    const late = short.filter(({ at, leftMs, hostname }) => {
      const isAfterOutage = at - begin >= outage.from && at - begin < outage.until + day;
      return !isAfterOutage && leftMs < 0.4 * chooseLifetime(hostname);
    });
    assert.deepEqual(late, []);
    const perName = Map.groupBy(short, ({ hostname }) => hostname);
    const early = [...perName].filter(
      ([hostname]) => Number(/^n(\d+)/.exec(hostname)?.[1]) <= names,
    );
    assert.ok(early.length > 0 && early.every(([, orders]) => orders.length >= 10), "often enough");
  }

  function assertPublicLimits(firsts: readonly NotedOrder[]): void {
    const [count, perMs] = publicLimits.orders;
    assertConforms("the CA's orders", firsts, count, perMs, count);
    for (const [what, of] of [
      ["domain", (order: NotedOrder) => order.domain],
      ["name", (order: NotedOrder) => order.hostname],
    ] as const) {
      const [most, within] = publicLimits[what];
      for (const group of Map.groupBy(firsts, of).values()) {
        assertConforms(what, group, most, within, most);
      }
    }
  }

  /** Asserts a leaky bucket: at most the burst plus the rate in any span of time. */
  function assertConforms(
    what: string,
    orders: readonly NotedOrder[],
    count: number,
    perMs: number,
    burst: number,
  ): void {
    let level = 0;
    let last = 0;
    for (const { at } of orders.toSorted((a, b) => a.at - b.at)) {
      level = Math.max(0, level - ((at - last) * count) / perMs) + 1;
      last = at;
      assert.ok(level <= burst + 1e-6, `${what}: ${level} at once on day ${(at - begin) / day}`);
    }
  }

  function assertAskedSeldom(): void {
    for (const times of ca.asked.values()) {
      for (const [index, at] of times.entries()) {
        const before = times[index - 1];
        assert.ok(before === undefined || at - before >= 6 * hour, "asked before its time");
      }
    }
  }
});
