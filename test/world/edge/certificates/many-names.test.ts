import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { fastTimings } from "@mooring/testing/acme/issue";
import { type ScriptedAcme, startScriptedAcme } from "@mooring/testing/acme/scripted-acme";
import { publicCaLimits } from "@mooring/testing/acme/scripted-acme-limits";
import { testConnection } from "@mooring/testing/control/connection";
import { claimMany, makeTenants } from "@mooring/testing/edge/clock-world";
import { type EdgeDatabase, openEdgeDatabase } from "@mooring/testing/edge/edge-database";
import { createTestVault, issueParts } from "@mooring/testing/edge/issuing";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { recordPromise } from "@mooring/testing/processes/soak";
import type { Connection } from "../../../../packages/control/src/domain/connections/connection.ts";
import {
  decide,
  type LifecycleSettings,
} from "../../../../packages/control/src/domain/connections/lifecycle.ts";
import { emptyObservation } from "../../../../packages/control/src/domain/connections/observation.ts";
import { createBudget } from "../../../../packages/edge/src/certificates/budget/budget.ts";
import { createAcmeIssuer } from "../../../../packages/edge/src/certificates/issue/acme-issuer.ts";
import {
  type IssueParts,
  issueCertificate,
} from "../../../../packages/edge/src/certificates/issue/issue.ts";
import { checkBudgets } from "../../../../packages/edge/src/certificates/issue/upkeep.ts";
import { claimDueCertificates } from "../../../../packages/edge/src/db/certificates.ts";
import type { Host } from "../../../../packages/edge/src/hosts/host.ts";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const never = new AbortController().signal;

/** The tenant that moves all its names here at once. */
const migrating = 0;
const migrated = proofSize(200, 5_000);
/** Another tenant that brings many names in the midst of it. */
const latecomer = 19;
const brought = proofSize(25, 500);
/** Names of tenants with few, one by one; and the latecomer once. */
const allArrivals = proofSize(20, 100);
const latecomerArrives = Math.ceil(allArrivals / 3);
/** Of the CA, in three hours. */
const orders = proofSize(150, publicCaLimits.orders[0]);
const begin = Date.parse("2026-11-15T00:00:00Z");
/** What the CA's rate needs for all names, after those that it takes at once. */
const expectedMs = ((migrated + brought + allArrivals - 0.9 * orders) * 3 * hour) / orders;
const settings: LifecycleSettings = {
  recheckIntervalMs: hour,
  stallAfterMs: 30 * minute,
  // Much less than the migration takes: waiting must not count.
  giveUpAfterMs: expectedMs / 4,
  contestAfterMs: 259_200_000,
  contestRestMs: 604_800_000,
  isSandbox: false,
  hasExternalEdge: false,
};

interface Name {
  readonly host: Host;
  readonly tenant: number;
  readonly from: number;
  connection: Connection;
  /** When its certificate was stored. */
  issuedAt: number | null;
}

describe(`${migrated} names of one tenant at a CA with the limits of Let's Encrypt`, () => {
  let database: EdgeDatabase;
  let acme: ScriptedAcme;
  let parts: IssueParts;
  let now = begin;
  const clock = { now: () => new Date(now) };
  const names = new Map<string, Name>();
  const served: Name[] = [];
  let preflights = 0;
  let made = 0;
  let arrivals = 0;

  before(async () => {
    database = await openEdgeDatabase();
    const { rows } = await database.admin.query<{ name: string }>(
      "select current_database() as name",
    );
    await database.admin.query(`alter database "${rows[0]?.name}" set synchronous_commit = off`);
    await makeTenants(database.admin);
    const limits = { ...publicCaLimits, orders: [orders, 3 * hour] as const };
    acme = await startScriptedAcme({ clock, limits });
    const base = { pool: database.pool, vault: createTestVault(), clock };
    const { directoryUrl: directory, directFetch: fetch } = acme;
    const issuer = createAcmeIssuer({
      ...base,
      random: () => 0.5,
      directory,
      profile: null,
      client: { fetch, timings: { ...fastTimings, firstPollMs: 1 } },
    });
    const table = { get: (name: string) => names.get(name)?.host ?? null, size: 0 };
    const preflight = {
      check: async () => {
        preflights += 1;
        return undefined;
      },
    };
    const budget = createBudget(database.pool, clock, {
      directories: [directory],
      limits: { "*": { ordersPer3Hours: orders } },
    });
    parts = issueParts(base, table, [issuer], { budget, preflight });
  });
  after(async () => {
    await acme.stop();
    await database.close();
  });

  async function connect(tenant: number, count: number): Promise<void> {
    const fresh = Array.from({ length: count }, (_, index) => {
      const number = made + index + 1;
      return `n${number}.d${number}.example`;
    });
    made += count;
    for (const host of await claimMany(database.admin, fresh, clock.now(), () => tenant)) {
      const connection = testConnection({
        hostname: host.hostname,
        state: "issuing_cert",
        phaseStartedAt: clock.now(),
        lastCheckedAt: clock.now(),
      });
      names.set(host.hostname, { host, tenant, from: now, connection, issuedAt: null });
    }
  }

  /** Everything that is due now, eight at a time, as an edge does it. */
  async function issueDue(): Promise<void> {
    for (;;) {
      const leasedUntil = new Date(now + 30 * second);
      const rows = await claimDueCertificates(database.pool, "first", clock.now(), leasedUntil, 8);
      if (rows.length === 0) return;
      await Promise.all(
        rows.map(async (row) => {
          await issueCertificate(parts, row, never);
          const name = names.get(row.hostname);
          const { issued_at: at } = await database.row(row.hostname);
          if (!name || !(at instanceof Date) || name.issuedAt !== null) return;
          name.issuedAt = at.getTime();
          served.push(name);
        }),
      );
    }
  }

  /** The control plane's check of every name that has no certificate yet; each holds its claim. */
  async function checkAll(): Promise<void> {
    const { rows } = await database.admin.query<{
      hostname: string;
      error_code: Connection["errorCode"];
      due_at: Date;
    }>("select hostname, error_code, due_at from certificates where chain is null");
    for (const row of rows) {
      const name = names.get(row.hostname);
      assert.ok(name);
      const nothing = { ca: null, notAfter: null, issueId: null, epoch: name.host.epoch };
      const certificate = {
        ...nothing,
        status: "pending" as const,
        errorCode: row.error_code,
        nextAttemptAt: row.due_at,
      };
      const records = { outcome: "match" as const, error: null, observed: [], cachedUntil: null };
      const observation = { ...emptyObservation, records, certificate };
      const decision = decide(name.connection, observation, "own", clock.now(), settings);
      const { state, claim, errorCode, phaseStartedAt } = decision;
      assert.deepEqual([state, claim, errorCode], ["issuing_cert", "keep", "ca_rate_limited"]);
      name.connection = { ...name.connection, phaseStartedAt, lastCheckedAt: clock.now() };
    }
  }

  /** From time to time another tenant connects a name, and once the latecomer all of its names. */
  async function arrive(): Promise<void> {
    if (now < arrivesAt()) return;
    arrivals += 1;
    if (arrivals === latecomerArrives) await connect(latecomer, brought);
    else await connect(1 + (arrivals % 18), 1);
  }

  function arrivesAt(): number {
    const hasEnded = arrivals === allArrivals;
    return hasEnded ? Number.POSITIVE_INFINITY : begin + (arrivals * expectedMs) / allArrivals;
  }

  async function nextTime(): Promise<number> {
    const { rows } = await database.admin.query<{ due: Date | null }>(
      "select min(due_at) as due from certificates where chain is null",
    );
    const due = rows[0]?.due?.getTime() ?? arrivesAt();
    // An edge polls each second.
    return Math.min(Math.max(due, now + second), Math.max(arrivesAt(), now));
  }

  it("fails none, keeps every claim, and is fair between tenants", async (context) => {
    const startedAt = performance.now();
    await connect(migrating, migrated);
    let checkedAt = now;
    const hasEnded = () => served.length === names.size && arrivals === allArrivals;
    while (!hasEnded()) {
      await arrive();
      await issueDue();
      await checkBudgets(parts);
      if (now - checkedAt >= expectedMs / 20) {
        checkedAt = now;
        await checkAll();
      }
      if (hasEnded()) break;
      now = await nextTime();
      assert.ok(now - begin < 1.1 * expectedMs, "the names are not done in the time they need");
    }
    report(context, performance.now() - startedAt);
  });

  function report(context: { diagnostic(text: string): void }, elapsedMs: number): void {
    const waits = served.map((name) => ({ name, ms: (name.issuedAt ?? 0) - name.from }));
    const longest = (tenants: (tenant: number) => boolean): number =>
      Math.max(...waits.filter(({ name }) => tenants(name.tenant)).map(({ ms }) => ms));
    const others = longest((tenant) => tenant !== migrating && tenant !== latecomer);
    const last = Math.max(...served.map(({ issuedAt }) => issuedAt ?? 0)) - begin;
    const refused = acme.count("order", true) - names.size;
    context.diagnostic(
      `${names.size} names in ${(last / hour).toFixed(1)} h of the CA's time ` +
        `(its rate needs ${(expectedMs / hour).toFixed(1)} h), others waited ` +
        `${(others / second).toFixed(0)} s at most, ${refused} orders refused, ${preflights} ` +
        `preflights, ${parts.stats.held} holds, in ${(elapsedMs / minute).toFixed(1)} min`,
    );
    assert.equal(served.length, names.size);
    assert.equal(parts.stats.failed, 0);
    assert.ok(others <= minute, `another tenant's name waited ${others / second} s`);
    assert.equal(preflights, names.size, "one preflight for each name");
    assert.equal(refused, 0, "the CA never had to refuse");
    // A queue position is estimated again when others came before: seldom, not for each order.
    assert.ok(parts.stats.held < 15 * names.size, `${parts.stats.held} holds`);
    assertRoundRobin();
    recordPromise(
      "G30",
      `${migrated} names of one tenant, ${names.size} in all`,
      `all served, others waited ${(others / second).toFixed(0)} s at most (promise 1 min)`,
    );
  }

  /** While both wait, the two tenants with many names are served one by one. */
  function assertRoundRobin(): void {
    const both = served.filter(({ tenant }) => tenant === migrating || tenant === latecomer);
    const hasWaited = (name: Name): boolean => name.tenant === latecomer && waited(name) > minute;
    const first = both.findIndex(hasWaited);
    const last = both.findLastIndex(hasWaited);
    const shared = both.slice(first, last + 1);
    const theirs = shared.filter(({ tenant }) => tenant === latecomer).length;
    assert.ok(theirs > 0, "the second tenant never waited");
    const difference = Math.abs(shared.length - 2 * theirs);
    assert.ok(difference <= 0.2 * shared.length + 2, `${theirs} of ${shared.length} orders`);
  }

  function waited({ from, issuedAt }: Name): number {
    return (issuedAt ?? 0) - from;
  }
});
