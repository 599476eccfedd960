import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import {
  createMovableClock,
  type EdgeDatabase,
  openEdgeDatabase,
} from "../../test/support/edge-database.ts";
import type { WantedCertificate } from "../db/certificates.ts";
import { createBudget } from "./budget.ts";

const hour = 3_600_000;

describe("the budget of orders", () => {
  let database: EdgeDatabase;
  let clock = createMovableClock();
  before(async () => {
    database = await openEdgeDatabase();
  });
  beforeEach(async () => {
    clock = createMovableClock();
    await database.admin.query("delete from issuance_budget");
  });
  after(() => database.close());

  /** A budget on a stopped clock, so that only the orders count. */
  const stoppedBudget = () => {
    const at = clock.now();
    return createBudget(database.pool, { now: () => at });
  };

  const wanted = (number: number, changes: Partial<WantedCertificate> = {}): WantedCertificate => ({
    hostname: `n${number}.d${number}.example`,
    registrableDomain: `d${number}.example`,
    connectionId: "00000000-0000-7000-8000-000000000003",
    tenantId: `tenant ${number}`,
    environment: "live",
    epoch: 1,
    status: "pending",
    issuer: null,
    chain: null,
    notAfter: null,
    failures: 0,
    waits: 0,
    cachedUntil: null,
    version: 1,
    ...changes,
  });

  async function granted(
    count: number,
    of: (number: number) => WantedCertificate,
    budget = stoppedBudget(),
  ): Promise<number> {
    let grants = 0;
    for (let number = 0; number < count; number += 1) {
      if ((await budget.take(of(number))) === 0) grants += 1;
    }
    return grants;
  }

  it("lets a burst of 60 orders through, then one each 45 seconds", async () => {
    const budget = stoppedBudget();
    assert.equal(await granted(70, wanted, budget), 60);
    const waitMs = await budget.take(wanted(99));
    assert.ok(waitMs > 44_990 && waitMs <= 45_000, `${waitMs} ms`);
    clock.advance(waitMs + 1_000);
    assert.equal(await granted(5, (number) => wanted(100 + number)), 1);
  });

  it("gives no tenant more than its share, and leaves the others theirs", async () => {
    const greedy = (number: number) => wanted(number, { tenantId: "greedy" });
    assert.equal(await granted(40, greedy), 20);
    assert.equal(await granted(10, (number) => wanted(100 + number)), 10);
  });

  it("takes nothing from any budget for an order that has to wait", async () => {
    const greedy = (number: number) => wanted(number, { tenantId: "greedy" });
    await granted(40, greedy);
    // Of the shared 60, one tenant gets at most 20, however often it asks.
    assert.equal(await granted(60, (number) => wanted(1_000 + number)), 40);
  });

  it("orders one name three times, and one domain forty times, in a burst", async () => {
    assert.equal(await granted(5, () => wanted(7)), 3);
    const below = (number: number) =>
      wanted(number, { registrableDomain: "one.example", tenantId: `tenant ${number % 5}` });
    assert.equal(await granted(50, below), 40);
  });

  it("renews by a separate limit, whatever new names have used up", async () => {
    assert.equal(await granted(61, wanted), 60);
    const renewal = (number: number) => wanted(number, { chain: "pem", status: "renewing" });
    assert.equal(await granted(25, renewal), 20);
  });

  it("is one for all edges, also when they ask at the same time", async () => {
    const [one, other] = [stoppedBudget(), stoppedBudget()];
    const waits = await Promise.all(
      Array.from({ length: 40 }, (_, number) =>
        (number % 2 === 0 ? one : other).take(wanted(number, { tenantId: "greedy" })),
      ),
    );
    assert.equal(waits.filter((waitMs) => waitMs === 0).length, 20);
  });

  it("is full again after a quiet time, and never fuller", async () => {
    assert.equal(await granted(61, wanted), 60);
    clock.advance(100 * hour);
    assert.equal(await granted(70, (number) => wanted(1_000 + number)), 60);
  });
});
