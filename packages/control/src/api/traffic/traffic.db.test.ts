import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { connect, openCaller } from "@mooring/testing/clients/connecting";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { call } from "@mooring/testing/control/http";
import pg from "pg";
import {
  keepTrafficPartitions,
  rankTraffic,
  rollTrafficDays,
} from "../../services/traffic/upkeep.ts";

const hourMs = 3_600_000;

interface Point {
  readonly at: string;
  readonly complete: boolean;
  readonly coverage: number | null;
  readonly numbers: { readonly requests: number } | null;
}

describe("the traffic of connections", () => {
  let app: TestApp;
  let key: string;
  let own: Awaited<ReturnType<TestApp["tenant"]>>;
  let admin: pg.Client;
  let connections: readonly string[];
  let application: string;
  /** The hour that is under way, in milliseconds. */
  let hour: number;
  before(async () => {
    app = await startTestApp();
    own = await app.tenant("Acme");
    key = own.keys.test;
    const caller = await openCaller(app.api.url, key);
    application = caller.applicationId;
    const made = [await connect(caller, "one.acme.test"), await connect(caller, "two.acme.test")];
    connections = made.map(({ id }) => id);
    admin = new pg.Client({ connectionString: app.databaseUrl });
    await admin.connect();
    hour = Math.floor(app.clock.now().getTime() / hourMs) * hourMs;
  });
  after(async () => {
    await admin.end();
    await app.close();
  });

  const read = async (path: string): Promise<Record<string, unknown>> => {
    const reply = await call(app.api.url, path, { key });
    assert.equal(reply.status, 200, reply.text);
    return reply.json();
  };

  /** A whole hour of a process: each request in its first minute, all other minutes empty. */
  async function reportHour(
    at: number,
    visits: Readonly<Record<string, number>>,
    {
      skip = [],
      unattributed = 0,
      edge = "one",
    }: {
      readonly skip?: readonly number[];
      readonly unattributed?: number;
      readonly edge?: string;
    } = {},
  ): Promise<void> {
    const process = randomUUID();
    const entries = Object.entries(visits);
    const sum = entries.reduce((total, [, count]) => total + count, 0);
    const row = (subject: string, count: number, beside = 0) => {
      const numbers = [0, 0, count, 0, 0, 0, 3 * count, 5 * count, 1, 0, beside];
      // Each origin took about 100 ms: bucket 27.
      return [subject, 0, ...numbers, [27 * 2 ** 40 + count]];
    };
    for (let minute = 0; minute < 60; minute += 1) {
      if (skip.includes(minute)) continue;
      const rows = minute > 0 ? [] : entries.map(([subject, count]) => row(subject, count));
      const batch = {
        process,
        edge,
        startedAt: new Date(at),
        minute: new Date(at + minute * 60_000),
        part: 0,
        parts: 1,
        isLast: minute === 59,
        others: 0,
        applications: [[own.tenant.id, "test", application]],
        rows: minute > 0 ? [] : [...rows, row(application, sum + unattributed, unattributed)],
      };
      await admin.query("select report_traffic($1, $2)", [JSON.stringify(batch), app.clock.now()]);
    }
  }

  it("has no numbers before an edge has reported, and says whether hours are whole", async () => {
    const [one = "", two = ""] = connections;
    const empty = await read(`/v1/connections/${one}/traffic`);
    assert.equal(empty["totals"], null);
    assert.deepEqual([empty["complete"], empty["first_visit_at"]], [false, null]);
    assert.equal((empty["points"] as Point[]).length, 24);
    for (const { numbers, coverage, complete } of empty["points"] as Point[]) {
      assert.deepEqual([numbers, coverage, complete], [null, null, false]);
    }

    await reportHour(hour - 4 * hourMs, { [one]: 7 });
    await reportHour(hour - 3 * hourMs, { [one]: 2, [two]: 9 }, { skip: [10, 11, 12] });
    await reportHour(hour - 2 * hourMs, { [two]: 1 }, { unattributed: 4 });
    await reportHour(hour - 2 * hourMs, { [two]: 3 }, { edge: "another" });

    const from = new Date(hour - 5 * hourMs).toISOString();
    const seen = await read(`/v1/connections/${one}/traffic?from=${from}`);
    assert.deepEqual(
      (seen["points"] as Point[]).map(({ numbers, coverage, complete }) => [
        numbers?.requests ?? null,
        coverage,
        complete,
      ]),
      [
        [null, null, false],
        [7, 1, true],
        [2, 0.95, false],
        // All minutes arrived, but four requests may have been this name's.
        [0, 1, false],
        [null, null, false],
        [null, null, false],
      ],
    );
    assert.equal(seen["first_visit_at"], new Date(hour - 4 * hourMs).toISOString());
    const { requests, bytes_in, origin_p95_ms } = seen["totals"] as Record<string, number>;
    assert.deepEqual([requests, bytes_in], [9, 27]);
    assert.ok(Math.abs((origin_p95_ms ?? 0) - 100) < 10);
    const other = await read(`/v1/connections/${two}/traffic?from=${from}`);
    assert.deepEqual(
      (other["edges"] as { edge: string; numbers: Point["numbers"] }[]).map((at) => [
        at.edge,
        at.numbers?.requests,
      ]),
      [
        ["another", 3],
        ["one", 10],
      ],
    );
  });

  const groups = async (query: string) =>
    (
      (await read(`/v1/traffic?${query}`))["groups"] as {
        id: string;
        name: string;
        numbers: { requests: number };
      }[]
    ).map(({ id, name, numbers }) => [id, name, numbers.requests]);

  it("lists what had the most, of names and of applications, of this tenant and environment only", async () => {
    const [one = "", two = ""] = connections;
    assert.deepEqual(await groups("group_by=connection"), [
      [two, "two.acme.test", 13],
      [one, "one.acme.test", 9],
    ]);
    const [total] = await groups("group_by=application");
    assert.deepEqual([total?.[0], total?.[2]], [application, 26]);
    assert.deepEqual(await groups("sort=errors"), []);
    const live = await call(app.api.url, "/v1/traffic", { key: own.keys.live });
    assert.deepEqual(live.json()["groups"], []);
    const stranger = await app.tenant("Stranger");
    const hidden = await call(app.api.url, `/v1/connections/${one}/traffic`, {
      key: stranger.keys.test,
    });
    assert.equal(hidden.status, 404);
  });

  it("lists the same by a ranking, once there are many names in an hour", async () => {
    const [one = "", two = ""] = connections;
    const queries = ["sort=requests", "sort=bytes", "sort=errors"].flatMap((sort) => [
      sort,
      `${sort}&application_id=${application}`,
    ]);
    const lists = async () => {
      const found: unknown[] = [];
      for (const query of queries) found.push(await groups(query));
      return found;
    };
    const exact = await lists();
    await rankTraffic(app.operator, 1);
    const count = async (where: string): Promise<number> =>
      (await admin.query(`select count(*)::int as rows from traffic_tops where ${where}`)).rows[0]
        .rows;
    // The tenant and the application, in the two hours with more than one row, by two orders.
    assert.equal(await count("subject_id is not null"), 3 * 2 * 2);
    assert.deepEqual(await lists(), exact, "with the hour that was not ranked");
    const [last] = await groups("sort=requests");
    assert.deepEqual(last, [two, "two.acme.test", 13]);

    // Only who was ranked is compared.
    await admin.query("delete from traffic_tops where subject_id = $1", [one]);
    assert.deepEqual(await groups("sort=requests"), [[two, "two.acme.test", 13]]);
    await rankTraffic(app.operator, 1);
    assert.equal(await count(`subject_id = '${one}'`), 0, "an hour that has settled stays");
    await admin.query("delete from traffic_rankings");
    await rankTraffic(app.operator, 1);
    assert.deepEqual(await lists(), exact);

    // An application with few names of a tenant with many.
    await admin.query("delete from traffic_tops where scope_id = $1", [application]);
    assert.deepEqual(await lists(), exact);
    await admin.query("delete from traffic_rankings");
    await rankTraffic(app.operator);
    assert.equal(await count("true"), 0, "two names are not many");
    await admin.query("delete from traffic_rankings");
    await rankTraffic(app.operator, 1);
  });

  it("refuses a time that ends before it begins, or is longer than what is stored", async () => {
    const ask = async (query: string): Promise<number> =>
      (await call(app.api.url, `/v1/traffic?${query}`, { key })).status;
    const at = (ms: number): string => new Date(ms).toISOString();
    assert.equal(await ask(`from=${at(hour)}&to=${at(hour - hourMs)}`), 400);
    assert.equal(await ask(`from=${at(hour - 40 * 24 * hourMs)}`), 400);
    assert.equal(await ask(`from=${at(hour - 401 * 24 * hourMs)}&step=day`), 400);
    assert.equal(await ask("from=yesterday"), 400);
  });

  it("shows the first visit on the timeline, once", async () => {
    const [one = ""] = connections;
    const timeline = await read(`/v1/connections/${one}/events?kind=visit`);
    assert.deepEqual(
      (timeline["data"] as { kind: string; created_at: string }[]).map((entry) => [
        entry.kind,
        entry.created_at,
      ]),
      [["visit", new Date(hour - 4 * hourMs).toISOString()]],
    );
    const all = await read(`/v1/connections/${one}/events`);
    const kinds = (all["data"] as { kind: string }[]).map(({ kind }) => kind);
    assert.equal(kinds.filter((kind) => kind === "visit").length, 1);
  });

  it("adds days up from their hours, again after a late batch, and drops what is too old", async () => {
    const [one = ""] = connections;
    const roll = () => rollTrafficDays(app.operator);
    const days = async () => {
      const { rows } = await admin.query(
        `select day::text, sum(status_2xx)::int as requests from traffic_days
         where subject_id = $1 group by 1 order by 1`,
        [one],
      );
      return rows.map(({ requests }) => requests);
    };
    const byDay = async () =>
      ((await read(`/v1/connections/${one}/traffic?step=day`))["points"] as Point[])
        .map(({ numbers }) => numbers?.requests ?? 0)
        .reduce((sum, count) => sum + count, 0);
    assert.equal(await byDay(), 9);
    app.clock.advance(24.5 * hourMs);
    await roll();
    await roll();
    const rolled = await days();
    assert.equal(
      rolled.reduce((sum, count) => sum + count, 0),
      9,
    );
    assert.equal(await byDay(), 9);
    const [, second] = await groups("step=day");
    assert.deepEqual(second, [one, "one.acme.test", 9]);
    const { rows: rankedDays } = await admin.query(
      "select sum(amount)::int as amount from traffic_tops where step = 'day' and sort = 'requests' and scope_id = $1",
      [own.tenant.id],
    );
    assert.deepEqual(rankedDays, [{ amount: 2 + 9 + 1 + 3 }]);
    // A batch that waited for a day changes a day that was added up.
    await reportHour(hour - hourMs, { [one]: 5 });
    assert.equal(await byDay(), 14);
    await roll();
    assert.equal(
      (await days()).reduce((sum, count) => sum + count, 0),
      14,
    );
    assert.equal(await byDay(), 14);

    const count = async (table: string): Promise<number> =>
      Number((await admin.query(`select count(*) from ${table}`)).rows[0].count);
    app.clock.advance(36 * 24 * hourMs);
    await keepTrafficPartitions(app.operator);
    assert.deepEqual([await count("traffic_hours"), (await days()).length > 0], [0, true]);
    assert.equal(await byDay(), 0);
    app.clock.advance(400 * 24 * hourMs);
    await keepTrafficPartitions(app.operator);
    for (const table of ["traffic_days", "traffic_batches", "traffic_reports", "traffic_tops"]) {
      assert.equal(await count(table), 0, table);
    }
  });
});
