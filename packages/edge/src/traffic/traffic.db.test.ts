import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { type EdgeDatabase, openEdgeDatabase } from "@mooring/testing/edge/edge-database";
import { proofSize } from "@mooring/testing/processes/proof-size";
import fc from "fast-check";
import { percentile, unpackTimes } from "../../../control/src/domain/traffic/traffic.ts";
import { reportTraffic } from "../db/traffic.ts";
import type { Host } from "../hosts/host.ts";
import { encodeMinute } from "./batch.ts";
import { MinuteCounter } from "./counts.ts";

const minuteMs = 60_000;
/** The first minute of an hour. */
const start = Date.parse("2026-11-18T10:00:00Z") / minuteMs;
const now = new Date("2026-11-18T10:30:00Z");

/** No percentile from 1 ms to 65 s is off by more: half a bucket. */
const percentileError = 2 ** (1 / 8) - 1;

type Sums = Map<string, { requests: number; bytes: number; times: number }>;

function addRequest(sums: Sums, subject: string, bytes: number): void {
  const sum = sums.get(subject) ?? { requests: 0, bytes: 0, times: 0 };
  const { requests, times } = sum;
  sums.set(subject, { requests: requests + 1, bytes: sum.bytes + bytes, times: times + 1 });
}

describe("batches of edge processes", () => {
  let database: EdgeDatabase;
  before(async () => {
    database = await openEdgeDatabase();
  });
  after(() => database.close());

  const report = (text: string, at = now): Promise<boolean> =>
    reportTraffic(database.pool, text, at);

  /** A host of an application of its own. */
  function makeHost(applicationId: string): Host {
    const tenantId = "00000000-0000-7000-8000-000000000001";
    const connectionId = randomUUID();
    return {
      hostname: `${connectionId}.example`,
      epoch: 1,
      environment: "live",
      connectionId,
      applicationId,
      tenantId,
      registrableDomain: "example",
      own: null,
    };
  }

  /** What one process counted in one minute; each request is [host, status, bytes, ms]. */
  async function encode(
    requests: readonly (readonly [Host, number, number, number])[],
    { process, edge = "one", at }: { process: string; edge?: string; at: number },
  ): Promise<readonly string[]> {
    const counter = new MinuteCounter();
    for (const [host, status, bytes, ms] of requests) {
      counter.ended(host, { status, bytesIn: bytes, bytesOut: 2 * bytes, isRefused: false });
      counter.answered(host, ms);
    }
    const source = { process, edge, startedAt: new Date(start * minuteMs) };
    const batches = await encodeMinute(counter.next(), source, { at, isLast: false });
    return batches.map(({ text }) => text);
  }

  async function totals(applicationId: string): Promise<unknown> {
    const { rows } = await database.admin.query(
      `select subject_id, sum(status_2xx + status_5xx)::int as requests, sum(bytes_in)::int as bytes,
         sum((select sum(t & 1099511627775) from unnest(origin_times) t))::int as times
       from traffic_hours where application_id = $1 group by 1 order by 1`,
      [applicationId],
    );
    return rows;
  }

  it("give the same totals in any order, repeated any number of times, sent again after a loss", async () => {
    const request = fc.tuple(
      fc.nat({ max: 2 }),
      fc.constantFrom(200, 500),
      fc.nat(100),
      fc.integer({ min: 1, max: 2_000 }),
    );
    const minute = fc.record({
      process: fc.nat({ max: 1 }),
      at: fc.nat({ max: 3 }),
      requests: fc.array(request, { maxLength: 8 }),
    });
    const sendings = fc.array(fc.nat(), { minLength: 0, maxLength: 12 });
    const property = fc.asyncProperty(
      fc.uniqueArray(minute, {
        minLength: 1,
        maxLength: 6,
        selector: ({ process, at }) => `${process} ${at}`,
      }),
      sendings,
      async (minutes, order) => {
        const applicationId = randomUUID();
        const hosts = [0, 1, 2].map(() => makeHost(applicationId));
        const processes = [randomUUID(), randomUUID()];
        const texts: string[] = [];
        const expected: Sums = new Map();
        for (const { process, at, requests } of minutes) {
          const resolved = requests.map(
            ([host, status, bytes, ms]) => [hosts[host] as Host, status, bytes, ms] as const,
          );
          for (const [{ connectionId }, , bytes] of resolved) {
            addRequest(expected, connectionId, bytes);
            addRequest(expected, applicationId, bytes);
          }
          const id = processes[process] as string;
          const edge = `edge-${process}`;
          texts.push(...(await encode(resolved, { process: id, edge, at: start + at })));
        }
        // Some are sent early, some twice; in the end each at least once.
        for (const index of order) await report(texts[index % texts.length] as string);
        await Promise.all(texts.map((text) => report(text)));
        const found = (await totals(applicationId)) as { subject_id: string }[];
        assert.deepEqual(
          found.map(({ subject_id, ...numbers }) => [subject_id, numbers]),
          [...expected].sort(([a], [b]) => (a < b ? -1 : 1)),
        );
      },
    );
    await fc.assert(property, { numRuns: proofSize(12, 300) });
  });

  it("answers whether a batch changed anything; one that is too old or from the future does not", async () => {
    const host = makeHost(randomUUID());
    const process = randomUUID();
    const [text = ""] = await encode([[host, 200, 1, 5]], { process, at: start });
    assert.deepEqual([await report(text), await report(text)], [true, false]);
    const [late = ""] = await encode([[host, 200, 1, 5]], { process, at: start + 1 });
    assert.equal(await report(late, new Date(now.getTime() + 48 * 60 * minuteMs)), false);
    assert.equal(await report(late, new Date(now.getTime() - 60 * minuteMs)), false);
    assert.equal(await report(late), true);
  });

  it("note the first visit of a name once, at the minute that came first", async () => {
    const host = makeHost(randomUUID());
    const two = [randomUUID(), randomUUID()];
    const texts = await Promise.all(
      two.map((process, index) => encode([[host, 200, 1, 5]], { process, at: start + 3 - index })),
    );
    await Promise.all(texts.flat().map((text) => report(text)));
    const { rows } = await database.admin.query(
      "select at from first_visits where connection_id = $1",
      [host.connectionId],
    );
    assert.equal(rows.length, 1);
  });

  it("say which minutes of which process are missing, also of one that was killed", async () => {
    const hour = start + 24 * 60;
    const coverage = async () => {
      const { rows } = await database.admin.query(
        "select expected, reported from traffic_coverage($1, $2)",
        [new Date(hour * minuteMs), new Date((hour + 60) * minuteMs)],
      );
      return rows[0] ?? null;
    };
    const at = (minute: number): Date => new Date((hour + minute) * minuteMs);
    assert.equal(await coverage(), null);
    const process = randomUUID();
    const seen = (minute: number): Promise<unknown> =>
      database.pool.query(
        `insert into edges (id, address, version, certificates, started_at, last_seen_at)
         values ($1, 'edge:443', '1', 0, $2, $3) on conflict (id) do update set last_seen_at = $3`,
        [process, at(10), at(minute)],
      );
    await seen(12.6);
    // From minute 10 to 13: half a minute after it was last seen it may have served.
    assert.deepEqual(await coverage(), { expected: 4, reported: 0 });
    const source = { process, edge: "one", startedAt: at(10) };
    const send = async (minute: number, isLast: boolean) => {
      const empty = new MinuteCounter().next();
      const batches = await encodeMinute(empty, source, { at: hour + minute, isLast });
      for (const { text } of batches) await report(text, at(30));
    };
    for (const minute of [10, 11, 13]) await send(minute, false);
    assert.deepEqual(await coverage(), { expected: 4, reported: 3 });
    await send(12, false);
    await seen(20.1);
    assert.deepEqual(await coverage(), { expected: 11, reported: 4 });
    for (const minute of [14, 15, 16, 17, 18, 19]) await send(minute, false);
    // Its last words: nothing after that is missing.
    await send(20, true);
    assert.deepEqual(await coverage(), { expected: 11, reported: 11 });
  });

  it("have percentiles within the stated error of what PostgreSQL finds in the raw numbers", async () => {
    const host = makeHost(randomUUID());
    let seed = 1;
    const random = (): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    // Log-normal, as times of origins are, over several processes and minutes.
    const times = Array.from({ length: 4_000 }, () =>
      Math.exp(4 + 0.9 * Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random())),
    );
    for (let piece = 0; piece < 8; piece += 1) {
      const requests = times
        .slice(piece * 500, (piece + 1) * 500)
        .map((ms) => [host, 200, 1, ms] as const);
      const texts = await encode(requests, { process: randomUUID(), at: start + piece });
      for (const text of texts) await report(text);
    }
    const { rows } = await database.admin.query(
      "select origin_times from traffic_hours where subject_id = $1",
      [host.connectionId],
    );
    const merged = unpackTimes(rows[0]?.origin_times ?? []);
    for (const share of [0.5, 0.95]) {
      const { rows: raw } = await database.admin.query(
        `select percentile_cont($1) within group (order by t) as exact,
           percentile_disc($1) within group (order by t) as one from unnest($2::float8[]) t`,
        [share, times],
      );
      const found = percentile(merged, share) ?? 0;
      for (const exact of [raw[0].exact, raw[0].one]) {
        assert.ok(Math.abs(found - exact) / exact <= percentileError, `${found} for ${exact}`);
      }
    }
  });
});
