import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, it } from "node:test";
import { listen } from "@mooring/postgres";
import {
  createMovableClock,
  type EdgeDatabase,
  openEdgeDatabase,
  silent,
} from "@mooring/testing/edge/edge-database";
import { until } from "@mooring/testing/processes/until";
import { originsChannel, reportOrigins } from "../db/origin-health.ts";
import { createPostgresOrigins } from "../feed/postgres/reports.ts";
import type { Host } from "../hosts/host.ts";
import { type OriginReporter, startOriginReporter } from "./reporter.ts";

describe("two edge processes", () => {
  let database: EdgeDatabase;
  let host: Host;
  let made = 0;
  const clock = createMovableClock();
  let first: OriginReporter;
  let second: OriginReporter;
  let stops: (() => Promise<void>)[] = [];

  before(async () => {
    database = await openEdgeDatabase();
  });
  after(() => database.close());
  beforeEach(async () => {
    made += 1;
    host = await database.hold(`o${made}.acme.example`);
    await database.admin.query(
      "update connections set state = 'live', due_at = now() + interval '1 hour' where id = $1",
      [host.connectionId],
    );
    [first, second] = await Promise.all([start(), start()]);
  });
  afterEach(async () => {
    await Promise.all(stops.map((stop) => stop()));
    stops = [];
  });

  /** Resolves when it listens: what is notified before is read only half a minute later. */
  async function start(): Promise<OriginReporter> {
    const reporter = startOriginReporter({
      feed: createPostgresOrigins({ pool: database.pool, clock }),
      clock,
      log: silent,
    });
    const connected = Promise.withResolvers<void>();
    const listener = listen({
      url: database.url,
      channels: [originsChannel],
      applicationName: "test",
      onNotification: (_channel, payload) => reporter.notified(payload),
      onConnected: connected.resolve,
      onError: (error) => assert.fail(String(error)),
    });
    stops.push(async () => {
      await reporter.stop();
      await listener.close();
    });
    await connected.promise;
    return reporter;
  }

  async function health(): Promise<{ failures: number; isServing: boolean; isDue: boolean }> {
    const { rows } = await database.admin.query(
      `select coalesce(cardinality(o.failures), 0) as failures, o.success_since is not null as "isServing",
         k.due_at <= now() as "isDue"
       from connections c join connection_checks k on k.connection_id = c.id left join origin_health o on o.connection_id = c.id where c.id = $1`,
      [host.connectionId],
    );
    return rows[0];
  }
  const failures = async (count: number): Promise<void> =>
    until(async () => (await health()).failures === count, `${count} failures`);

  it("count their failures together, and the fifth in a row makes the connection due", async () => {
    for (let request = 0; request < 3; request += 1) {
      first.outcomes.failed(host);
      clock.advance(1);
    }
    await failures(3);
    assert.equal((await health()).isDue, false);
    for (let request = 0; request < 2; request += 1) {
      second.outcomes.failed(host);
      clock.advance(1);
    }
    await failures(5);
    await until(async () => (await health()).isDue, "a check");
  });

  it("know a success of one of them between the failures of the other", async () => {
    for (let request = 0; request < 4; request += 1) {
      first.outcomes.failed(host);
      clock.advance(1);
    }
    second.outcomes.succeeded(host);
    clock.advance(1);
    first.outcomes.failed(host);
    clock.advance(1);
    // Four and one are not five in a row.
    await failures(1);
  });

  it("a success of the other one ends the outage, also when it began to listen later", async () => {
    for (let request = 0; request < 5; request += 1) {
      first.outcomes.failed(host);
      clock.advance(1);
    }
    await failures(5);
    const third = await start();
    // It reads what it has missed at its start.
    await until(async () => {
      third.outcomes.succeeded(host);
      return (await health()).isServing;
    }, "a reported success");
    assert.equal((await health()).failures, 0);
  });

  it("that merge reports at the same time lose none", async () => {
    const rounds = Array.from({ length: 16 }, (_, index) => index);
    const hosts: Host[] = [];
    for (const name of ["a", "b", "c"]) hosts.push(await database.hold(`${name}.race.example`));
    await Promise.all(
      rounds.map((round) => {
        const failures = [new Date(Date.now() + round * 1_000)];
        const reports = hosts.map(({ connectionId }) => ({
          connectionId,
          failures,
          success: null,
        }));
        return reportOrigins(database.pool, round % 2 === 0 ? reports : reports.toReversed());
      }),
    );
    const { rows } = await database.admin.query(
      `select cardinality(failures) as failures,
         extract(epoch from last_failure_at - failing_since) as seconds
       from origin_health where connection_id = any ($1)`,
      [hosts.map(({ connectionId }) => connectionId)],
    );
    assert.deepEqual(
      rows.map((row) => [row.failures, Math.round(Number(row.seconds))]),
      hosts.map(() => [5, 15]),
    );
  });
});
