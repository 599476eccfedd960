import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { stripVTControlCharacters } from "node:util";
import { readConfig, syntheticDrillNames, writeDrillCopy } from "@mooring/control";
import { type DrillKind, type DrillReport, drillChain, drillIssuer, runDrill } from "@mooring/edge";
import { callCli } from "@mooring/testing/cli/run-cli";
import { createTestDatabase, type TestDatabase } from "@mooring/testing/database/database";
import { proofSize } from "@mooring/testing/processes/proof-size";
import pg from "pg";
import { namesFor, withCopy } from "./copy.ts";
import { drillText, toHost } from "./drill.ts";

const hour = 3_600_000;
const day = 24 * hour;

const size = proofSize(30, 1_000);

interface Report {
  readonly names: number;
  readonly names_total: number;
  readonly recovered_after_s: number | null;
  readonly orders: number;
  readonly overdue: number;
  readonly expired: number;
  readonly least_left_s: number;
}

/** An installation with names whose certificates have all ages. */
describe(`mooring drill with ${size} names`, () => {
  let installation: TestDatabase;
  const copies: TestDatabase[] = [];

  before(async () => {
    installation = await createTestDatabase();
    const now = new Date();
    await writeDrillCopy(installation.url, syntheticDrillNames(size, now), {
      issuer: "https://ca.example/directory",
      makeChain: drillChain,
      now,
    });
  });
  after(async () => {
    for (const database of [installation, ...copies]) await database.drop();
  });

  /** The same in the process of the test, on a database that is migrated already. */
  async function drill(kind: DrillKind, durationMs: number): Promise<DrillReport> {
    const copy = await createTestDatabase();
    copies.push(copy);
    const now = new Date();
    const names = syntheticDrillNames(size, now);
    await writeDrillCopy(copy.url, names, { issuer: drillIssuer, makeChain: drillChain, now });
    const lifeMs = 160 * hour;
    const hosts = names.map(toHost);
    const input = { kind, durationMs, lifeMs, hosts, limits: {}, startAt: now };
    return runDrill({ ...input, databaseUrl: copy.url });
  }

  /** Every row of the tables that a drill works on. */
  async function contents(): Promise<string> {
    const client = new pg.Client({ connectionString: installation.url });
    await client.connect();
    try {
      const hash = createHash("sha256");
      for (const table of ["certificates", "claims", "connections", "issuance_budget"]) {
        const { rows } = await client.query(`select * from ${table} order by 1`);
        hash.update(JSON.stringify(rows));
      }
      return hash.digest("hex");
    } finally {
      await client.end();
    }
  }

  it("of an absent CA says how long the backlog takes; the installation is not touched", async (t) => {
    const before = await contents();
    // On a server of its own.
    const result = await callCli(["drill", "ca-down", "--hours", "72", "--json"], {
      DATABASE_URL: installation.url,
    });
    assert.equal(result.code, 0, result.stderr);
    const report = result.json() as unknown as Report;
    t.diagnostic(`ca-down: recovered after ${report.recovered_after_s} s, ${report.orders} orders`);
    assert.deepEqual([report.names, report.names_total], [size, size]);
    // 72 hours of 60 days until a renewal: about a twentieth of the names fall due.
    assert.ok(report.overdue >= 1 && report.overdue <= size / 4, `${report.overdue} due`);
    assert.ok(report.orders >= report.overdue);
    assert.equal(report.expired, 0);
    const recovered = report.recovered_after_s ?? Number.POSITIVE_INFINITY;
    assert.ok(recovered > 0 && recovered < 27 * 3_600, `${recovered} s`);
    assert.ok(report.least_left_s > 20 * 86_400, "a third of 90 days, less three");
    assert.equal(await contents(), before);
  });

  it("of a revocation says how long it takes to replace every certificate", async (t) => {
    const report = await drill("revoke", 0);
    const recoveredMs = report.recoveredAfterMs ?? Number.POSITIVE_INFINITY;
    t.diagnostic(`revoke: recovered after ${recoveredMs / hour} h, ${report.orders} orders`);
    assert.equal(report.orders, size);
    // The CA is asked every six hours; the pace of renewals then suffices for all within a day.
    assert.ok(recoveredMs > hour && recoveredMs <= 31 * hour, `${recoveredMs} ms`);
    assert.equal(report.expired, 0);
    const text = stripVTControlCharacters(drillText("revoke", { names: [], total: 0 }, 0, report));
    assert.match(text, /Time to recover +\d+ h \d+ min/);
    assert.match(text, /No visitor would have seen an expired certificate\./);
  });

  it("of short-lived certificates shows that they are renewed with life left", async (t) => {
    const report = await drill("short-lived", 7 * day);
    const allMs = report.recoveredAfterMs ?? Number.POSITIVE_INFINITY;
    t.diagnostic(`short-lived: all after ${allMs / 60_000} min, ${report.orders} orders in 7 days`);
    assert.ok(allMs < day, `${allMs} ms`);
    assert.equal(report.expired, 0);
    // Half of 160 hours is left at a renewal, less the spread: the first order, and one renewal at
    // least.
    assert.ok(report.orders >= 2 * size, `${report.orders} orders`);
    assert.ok(report.leastLeftMs > 60 * hour, `${report.leastLeftMs} ms`);
  });

  it("of an outage that is longer than a certificate counts the names that visitors could not reach", async (t) => {
    const report = await drill("ca-down", 45 * day);
    assert.ok(report.expired > 0 && report.overdue > report.expired / 2);
    // By its own schedule the edge tries a CA that was away for long every ten minutes.
    const recoveredMs = report.recoveredAfterMs ?? Number.POSITIVE_INFINITY;
    t.diagnostic(`45 days: ${report.expired} expired, recovered after ${recoveredMs / hour} h`);
    assert.ok(recoveredMs > 0 && recoveredMs <= 2 * day, `${recoveredMs} ms`);
    const text = drillText("ca-down", { names: [], total: 0 }, 45 * day, report);
    assert.match(text, /would have had an expired certificate: add a second CA/);
  });

  it("refuses to work on a database that is not empty, and makes names up where there are none", async () => {
    const now = new Date();
    const config = readConfig({ DATABASE_URL: installation.url });
    const taken = { scratchUrl: installation.url, now };
    const none = async (): Promise<void> => undefined;
    await assert.rejects(withCopy(config, [], taken, none), /must be an empty database/);
    const alone = await namesFor(readConfig({ DATA_DIR: "/nonexistent" }), 5, now);
    assert.deepEqual([alone.names.length, alone.total], [5, 0]);
  });
});
