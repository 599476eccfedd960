import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import {
  createMovableClock,
  type EdgeDatabase,
  openEdgeDatabase,
} from "@mooring/testing/edge/edge-database";
import type { DueCertificate } from "../../db/certificates.ts";
import { type Budget, type CaHold, createBudget, type OrderOutcome } from "./budget.ts";
import type { IssuanceLimitTable } from "./limits.ts";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const ca = "https://ca.example/directory";
const other = "https://other.example/directory";

describe("the budget of orders", () => {
  let database: EdgeDatabase;
  let clock = createMovableClock();
  before(async () => {
    database = await openEdgeDatabase();
    // Orders at the same time are more than connections: on a busy machine they wait for longer
    // than an edge does.
    database.pool.options.connectionTimeoutMillis = 30_000;
  });
  beforeEach(async () => {
    clock = createMovableClock();
    await database.admin.query("delete from issuance_budget");
  });
  after(() => database.close());

  /** A budget on a stopped clock, so that only the orders count. */
  const stoppedBudget = (limits: IssuanceLimitTable = {}) => {
    const at = clock.now();
    return createBudget(database.pool, { now: () => at }, { directories: [ca], limits });
  };

  const due = (number: number, changes: Partial<DueCertificate> = {}): DueCertificate => ({
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
    preferredIssuer: null,
    waits: 0,
    cachedUntil: null,
    version: 1,
    ...changes,
  });
  const greedy = (number: number) => due(number, { tenantId: "greedy" });
  const renewal = (number: number, issuer = ca) =>
    due(number, { chain: "pem", status: "renewing", issuer, notAfter: clock.now() });

  /** The wait in milliseconds; 0 when the order may be made, which then ends with the outcome. */
  async function take(
    budget: Budget,
    of: DueCertificate,
    outcome: OrderOutcome = "issued",
    directory = ca,
  ): Promise<number> {
    const taken = await budget.take(of, directory);
    if (!taken.isGranted) return taken.waitMs;
    await taken.end(outcome);
    return 0;
  }

  async function granted(
    count: number,
    of: (number: number) => DueCertificate,
    budget = stoppedBudget(),
  ): Promise<number> {
    let grants = 0;
    for (let number = 0; number < count; number += 1) {
      if ((await take(budget, of(number))) === 0) grants += 1;
    }
    return grants;
  }

  it("lets one tenant use all but a tenth at once, then one order each 36 seconds", async () => {
    const budget = stoppedBudget();
    assert.equal(await granted(280, greedy, budget), 270);
    const waitMs = await take(budget, greedy(999));
    assert.ok(waitMs > 35 * second && waitMs <= 36 * second, `${waitMs} ms`);
    clock.advance(waitMs + second);
    assert.equal(await granted(5, (number) => greedy(1_000 + number)), 1);
  });

  it("has the rest for names of others, who need not wait", async () => {
    await granted(280, greedy);
    assert.equal(await granted(40, (number) => due(1_000 + number)), 30);
  });

  it("counts for each CA alone, by the limits that are set for it", async () => {
    const limits = { [ca]: { ordersPer3Hours: 10, tenantShare: 1 }, "*": { ordersPer3Hours: 4 } };
    const budget = stoppedBudget(limits);
    assert.equal(await granted(20, greedy, budget), 10);
    let elsewhere = 0;
    for (let number = 0; number < 20; number += 1) {
      if ((await take(budget, due(number), "issued", other)) === 0) elsewhere += 1;
    }
    assert.equal(elsewhere, 4);
  });

  it("gives back what never reached the CA, and what got no certificate", async () => {
    const budget = stoppedBudget();
    for (let attempt = 0; attempt < 400; attempt += 1) {
      assert.equal(await take(budget, due(7), "unused"), 0, `attempt ${attempt}`);
    }
    assert.equal((await budget.left(ca)).orders, 300);
    // Failed orders count as orders, and not as certificates of the name or its domain.
    for (let attempt = 0; attempt < 20; attempt += 1) {
      assert.equal(await take(budget, due(7), "ordered"), 0, `order ${attempt}`);
    }
    assert.equal((await budget.left(ca)).orders, 280);
  });

  it("gives a domain fifty certificates a week, and a name five", async () => {
    assert.equal(await granted(7, () => due(7)), 5);
    const below = (number: number) =>
      due(number, { registrableDomain: "one.example", tenantId: `tenant ${number % 5}` });
    assert.equal(await granted(60, below), 50);
  });

  it("stops after five failed validations of a name in an hour, and continues twelve minutes later", async () => {
    const budget = stoppedBudget();
    for (let attempt = 0; attempt < 5; attempt += 1) {
      assert.equal(await take(budget, due(7), "invalid"), 0);
    }
    const waitMs = await take(budget, due(7));
    assert.ok(waitMs > 11 * minute && waitMs <= 12 * minute, `${waitMs} ms`);
    assert.equal(await take(budget, due(8)), 0, "another name is not concerned");
    clock.advance(12 * minute + second);
    assert.equal(await take(stoppedBudget(), due(7)), 0);
  });

  it("renews by a separate pace, whatever new names have used up", async () => {
    await granted(310, due);
    assert.equal(await granted(25, renewal), 20);
    assert.equal((await stoppedBudget().left(ca)).orders, 0);
  });

  it("renews all certificates within a day, however many there are", async () => {
    const certificates = 864_000;
    // As ANALYZE would leave it.
    await database.admin.query(
      `update pg_class set reltuples = ${certificates} where oid = 'certificates'::regclass`,
    );
    const budget = stoppedBudget();
    await budget.sweep();
    const perMinute = certificates / 1_440;
    assert.equal(await granted(perMinute + 20, renewal, budget), perMinute);
    const limits = { "*": { renewalsPerMinute: 7 } };
    await database.admin.query("delete from issuance_budget");
    const slow = stoppedBudget(limits);
    await slow.sweep();
    assert.equal(await granted(30, renewal, slow), 7, "a pace that is set holds");
    await database.admin.query(
      "update pg_class set reltuples = -1 where oid = 'certificates'::regclass",
    );
  });

  it("counts a renewal at another CA as an order there, before names that wait", async () => {
    await granted(280, greedy);
    assert.equal(await granted(31, (number) => renewal(2_000 + number, other)), 30);
  });

  it("is one for all edges, also when they ask at the same time", async () => {
    const [one, two] = [stoppedBudget(), stoppedBudget()];
    const atOnce = 29;
    const waits: number[] = [];
    for (let first = 0; first < 290; first += atOnce) {
      const wave = Array.from({ length: atOnce }, (_, number) =>
        take(number % 2 === 0 ? one : two, greedy(first + number)),
      );
      waits.push(...(await Promise.all(wave)));
    }
    assert.equal(waits.filter((waitMs) => waitMs === 0).length, 270);
  });

  it("is full again after a quiet time, and never fuller", async () => {
    await granted(310, due);
    clock.advance(100 * hour);
    assert.equal(await granted(310, (number) => due(1_000 + number)), 300);
  });

  const limited = (changes: Partial<CaHold>): CaHold => ({
    scope: "account",
    code: "ca_rate_limited",
    retryAfterSeconds: 5_400,
    ...changes,
  });

  it("believes what a CA says of the account, for a day at most", async () => {
    const budget = stoppedBudget();
    await budget.hold(due(1), ca, limited({}));
    assert.equal(await take(budget, due(2)), 5_400 * second);
    assert.equal(await take(budget, renewal(3)), 5_400 * second, "renewals too");
    assert.equal(await take(budget, due(2), "issued", other), 0, "another CA is free");
    await budget.hold(due(1), ca, limited({ retryAfterSeconds: 40 * 86_400 }));
    assert.equal(await take(budget, due(2)), day);
    const { heldUntil, heldFor } = await budget.left(ca);
    assert.deepEqual([heldUntil !== null, heldFor], [true, "ca_rate_limited"]);
  });

  it("holds only the domain or the name when the CA means only that", async () => {
    const budget = stoppedBudget();
    const sibling = due(5, { registrableDomain: "d1.example" });
    await budget.hold(due(1), ca, limited({ scope: "name" }));
    assert.deepEqual(
      [await take(budget, due(1)), await take(budget, sibling)],
      [5_400 * second, 0],
    );
    await budget.hold(due(1), ca, limited({ scope: "domain" }));
    assert.deepEqual(
      [await take(budget, sibling), await take(budget, due(2))],
      [5_400 * second, 0],
    );
  });

  it("sends one order to a CA that was away, more and more seldom, and all once it answers", async () => {
    const outage = limited({ code: "ca_unavailable", retryAfterSeconds: null });
    const pauses: number[] = [];
    for (let attempt = 0; attempt < 9; attempt += 1) {
      const budget = stoppedBudget();
      const probe = await budget.take(due(1), ca);
      assert.ok(probe.isGranted);
      assert.ok(attempt === 0 || (await take(budget, due(2))) > 0, "only one probes");
      await probe.end("unused");
      await budget.hold(due(1), ca, outage);
      const waitMs = await take(budget, due(2));
      pauses.push(waitMs / second);
      clock.advance(waitMs + second);
    }
    assert.deepEqual(pauses, [15, 60, 60, 120, 240, 480, 600, 600, 600]);
    const budget = stoppedBudget();
    assert.equal(await take(budget, due(1)), 0);
    assert.equal(await granted(20, (number) => due(100 + number), budget), 20);
    assert.equal((await budget.left(ca)).heldUntil, null);
  });

  it("forgets what limits nothing any more, and notes the limits for the views", async () => {
    await granted(20, due);
    clock.advance(9 * day);
    await stoppedBudget().sweep();
    const { rows } = await database.admin.query(
      "select name, rate_count, rate_seconds from issuance_budget order by name",
    );
    assert.deepEqual(rows, [
      { name: `orders:${ca}`, rate_count: 300, rate_seconds: 10_800 },
      { name: `renewals:${ca}`, rate_count: 20, rate_seconds: 60 },
    ]);
  });
});
