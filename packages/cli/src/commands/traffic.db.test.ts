import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { callCli } from "@mooring/testing/cli/run-cli";
import { connect, openCaller, openSession } from "@mooring/testing/clients/connecting";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import type pg from "pg";

const hourMs = 3_600_000;

interface Point {
  readonly at: string;
  readonly complete: boolean;
  readonly coverage: number | null;
  readonly numbers: { readonly requests: number } | null;
}

/** An app with one name, and `mooring` with its key. */
async function startNamed(hostname: string, env: Readonly<Record<string, string>> = {}) {
  const app = await startTestApp(env);
  const { tenant, keys } = await app.tenant("Acme");
  const caller = await openCaller(app.api.url, keys.test);
  const { id } = await connect(caller, hostname);
  const variables = { MOORING_URL: app.api.url, MOORING_API_KEY: keys.test };
  const mooring = (...args: readonly string[]) => callCli(args, variables);
  return { app, mooring, id, tenantId: tenant.id, applicationId: caller.applicationId };
}

describe("mooring traffic", () => {
  const name = "shop.acme.test";
  let app: TestApp;
  let session: pg.Client;
  let world: Awaited<ReturnType<typeof startNamed>>;
  before(async () => {
    world = await startNamed(name);
    app = world.app;
    session = await openSession(app.databaseUrl);
  });
  after(async () => {
    await session.end();
    await app.close();
  });

  /** The first minutes of an hour of an edge that was killed then; all requests in the first. */
  async function reportHour(at: number, requests: number, minutes: number): Promise<void> {
    const process = randomUUID();
    const { id, tenantId, applicationId } = world;
    const row = (subject: string) => {
      const numbers = [0, 0, requests, 0, 2, 1, 30 * requests, 500 * requests, 1, 0, 0];
      // Bucket 27 is about 100 ms.
      return [subject, 0, ...numbers, [27 * 2 ** 40 + requests]];
    };
    for (let minute = 0; minute < minutes; minute += 1) {
      const batch = {
        ...{ process, edge: "one", startedAt: new Date(at), part: 0, parts: 1, others: 0 },
        minute: new Date(at + minute * 60_000),
        isLast: false,
        applications: [[tenantId, "test", applicationId]],
        rows: minute === 0 ? [row(id), row(applicationId)] : [],
      };
      await session.query("select report_traffic($1, $2)", [
        JSON.stringify(batch),
        app.clock.now(),
      ]);
    }
    await session.query("update traffic_processes set seen_at = $2 where id = $1", [
      process,
      new Date(at + 59 * 60_000),
    ]);
  }

  it("says that nothing is known before an edge has reported, which is not zero", async () => {
    const { code, stdout } = await world.mooring("traffic", name, "--hours", "3");
    assert.equal(code, 0);
    assert.match(stdout, /^Requests +unknown$/m);
    assert.match(stdout, /^First visit +none yet$/m);
    assert.match(stdout, /^Plot +···$/m);
    assert.match(stdout, /Not all of it is known: dots and dashes are parts/);
    const rows = stdout.split("\n").filter((line) => /^\d{4}-.* nothing$/.test(line));
    assert.equal(rows.length, 3, stdout);
    assert.ok(rows.every((row) => / {2}– {2}/.test(row) && !/ {2}0 {2}/.test(row)));
    const found = (await world.mooring("traffic", name, "--hours", "3", "--json")).json();
    assert.deepEqual([found["enabled"], found["totals"]], [true, null]);
    assert.deepEqual(
      (found["points"] as Point[]).map(({ numbers, complete }) => [numbers, complete]),
      [1, 2, 3].map(() => [null, false]),
    );
    const all = await world.mooring("traffic");
    assert.match(all.stdout, /No name was visited\.$/m);
  });

  it("shows whole hours and how much of the others is known, as a table and as JSON", async () => {
    const hour = Math.floor(app.clock.now().getTime() / hourMs) * hourMs;
    await reportHour(hour - 3 * hourMs, 7, 60);
    await reportHour(hour - 2 * hourMs, 4, 34);
    const { stdout } = await world.mooring("traffic", name, "--hours", "6");
    assert.match(stdout, /^Requests +17$/m);
    assert.match(stdout, /^Failed +2 with 5xx, 0 refused$/m);
    assert.match(stdout, /^Plot +·*█[▁-▇]·+$/m);
    assert.match(stdout, /^FROM +REQUESTS +4XX +5XX +P50 +P95 +IN +OUT +REFUSED +KNOWN$/m);
    const whole = /^\S+ \S+ +10 +2 +1 +\d+ ms +\d+ ms +210 B +3\.5 KB +0 +all$/m;
    assert.match(stdout, whole);
    assert.match(stdout, /^\S+ \S+ +7 +2 +1 .* 56 %$/m);
    const found = (await world.mooring("traffic", name, "--hours", "6", "--json")).json();
    const at = (ms: number) => {
      const point = (found["points"] as Point[]).find((one) => Date.parse(one.at) === ms);
      return [point?.numbers?.requests ?? null, point?.coverage, point?.complete];
    };
    assert.deepEqual(at(hour - 3 * hourMs), [10, 1, true]);
    assert.deepEqual(at(hour - 2 * hourMs), [7, 0.566, false]);
    assert.deepEqual(at(hour - hourMs), [null, null, false]);
    const days = (await world.mooring("traffic", name, "--days", "2", "--json")).json();
    assert.equal((days["totals"] as { requests: number }).requests, 17);
    const all = await world.mooring("traffic", "--hours", "6");
    assert.match(all.stdout, /^shop\.acme\.test +17 +2 +\d+ ms +5\.5 KB$/m);
  });

  it("refuses a name that is not connected, and times that are not stored", async () => {
    const unknown = await world.mooring("traffic", "nobody.acme.test");
    assert.equal(unknown.code, 1);
    assert.match(unknown.stderr, /there is no connection for nobody\.acme\.test/);
    const other = await world.mooring("traffic", randomUUID());
    assert.equal(other.code, 1);
    for (const [option, value] of [
      ["--hours", "0"],
      ["--hours", "841"],
      ["--days", "401"],
      ["--days", "many"],
    ] as const) {
      const refused = await world.mooring("traffic", name, option, value);
      assert.equal(refused.code, 2, value);
      assert.match(refused.stderr, new RegExp(`${option} takes a number from 1 to `));
    }
  });
});

describe("mooring traffic where nothing is counted", () => {
  it("says that counting is turned off", async () => {
    const { app, mooring } = await startNamed("off.acme.test", { TRAFFIC: "off" });
    try {
      const { code, stdout } = await mooring("traffic", "off.acme.test");
      assert.equal(code, 0);
      assert.match(stdout, /^Counting is turned off: TRAFFIC=off\.$/m);
      const found = (await mooring("traffic", "off.acme.test", "--json")).json();
      assert.deepEqual([found["enabled"], found["totals"]], [false, null]);
      assert.equal((await mooring("traffic", "--json")).json()["enabled"], false);
    } finally {
      await app.close();
    }
  });
});
