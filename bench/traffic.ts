import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { dropPartitions } from "../packages/control/src/db/queries/traffic/traffic-upkeep.ts";
import type { KeyActor } from "../packages/control/src/domain/tenancy.ts";
import { openRuntime, readConfig } from "../packages/control/src/index.ts";
import { createContext, type ServiceContext } from "../packages/control/src/services/context.ts";
import {
  getConnectionTraffic,
  getTraffic,
} from "../packages/control/src/services/traffic/read-traffic.ts";
import { rankTraffic } from "../packages/control/src/services/traffic/upkeep.ts";
import { reportTraffic } from "../packages/edge/src/db/traffic.ts";
import type { Host } from "../packages/edge/src/hosts/host.ts";
import { encodeMinute } from "../packages/edge/src/traffic/batch.ts";
import { MinuteCounter, maxNames } from "../packages/edge/src/traffic/counts.ts";
import { type BenchDatabase, largeServer, openBenchDatabase } from "./support/bench-database.ts";
import { line, median } from "./support/report.ts";
import { fillHour, makeNames, type TrafficNames } from "./support/traffic-data.ts";

const requests = 2_000_000;
/** Processes that report in a minute: two edges of four, or four of two. */
const processes = 8;
/** What the edge takes for a request over HTTP/1.1 with keep-alive, as `bench edge` measures it. */
const requestMicroseconds = 60;

/**
 * What counting costs an edge, and what the batches cost the database, with this many names that
 * are visited in the same hour.
 */
export async function benchTraffic(only: number | null): Promise<void> {
  const count = only ?? 1_000_000;
  line(`${count.toLocaleString("en")} active names`, "", "aim");
  const database = await openBenchDatabase(largeServer);
  try {
    const names = await makeNames(database, count);
    await reportCounting(names.hosts);
    await reportMerging(database, names);
    await reportReading(database, names);
  } finally {
    await database.close();
  }
}

const visit = { status: 200, bytesIn: 0, bytesOut: 4_096, isRefused: false };

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Any name at any time, which is the worst case: most have no slot and no cache line. */
async function reportCounting(hosts: readonly Host[]): Promise<void> {
  const counter = new MinuteCounter();
  const run = (count: (host: Host) => void): number => {
    const startedAt = processorMs();
    for (let index = 0; index < requests; index += 1) {
      count(hosts[Math.floor(Math.random() * hosts.length)] as Host);
    }
    return processorMs() - startedAt;
  };
  const touch = (host: Host): void => void (host.connectionId.length + host.applicationId.length);
  const count = (host: Host): void => {
    counter.ended(host, visit);
    counter.answered(host, 40);
  };
  run(count);
  const costs = [1, 2, 3].map(() => run(count) - run(touch));
  const perRequest = (Math.max(0, median(costs)) / requests) * 1_000;
  const share = (perRequest / requestMicroseconds) * 100;
  line("counting a request, processor time", `${perRequest.toFixed(2)} µs`);
  line(`of the ${requestMicroseconds} µs of a request`, `${share.toFixed(2)} %`, "5 %");
  const startedAt = processorMs();
  const batches = await encodeMinute(counter.next(), benchSource(), { at: 1, isLast: false });
  const took = processorMs() - startedAt;
  line(`encoding ${maxNames.toLocaleString("en")} names`, `${took.toFixed(0)} ms a minute`);
  line("of a processor", `${((took / 60_000) * 100).toFixed(2)} %`, "5 % of both");
  const bytes = batches.reduce((sum, { text }) => sum + text.length, 0);
  line("sent in a minute", `${(bytes / 1e6).toFixed(1)} MB in ${batches.length} parts`);
}

function benchSource() {
  return { process: randomUUID(), edge: "bench", startedAt: new Date(0) };
}

/** A minute of a process: each name visited a few times, times over several buckets. */
async function encodeNames(hosts: readonly Host[], at: number): Promise<readonly string[]> {
  const counter = new MinuteCounter();
  for (const host of hosts) {
    for (let visits = 0; visits < 3; visits += 1) {
      counter.ended(host, visit);
      counter.answered(host, 10 + Math.random() * 200);
    }
  }
  const batches = await encodeMinute(counter.next(), benchSource(), { at, isLast: false });
  return batches.map(({ text }) => text);
}

const hourMs = 3_600_000;
/** Batches of names that had no row in the hour before. */
const newBatches = 5;
/** Hours before this one with rows of all names. */
const earlierHours = 1;

/** The hour has rows of all names but some, which come by batches, when these are measured. */
async function reportMerging(database: BenchDatabase, names: TrafficNames): Promise<void> {
  const { session } = database;
  const { hosts } = names;
  const begin = Math.floor(Date.now() / hourMs) * hourMs;
  const hour = begin / 60_000;
  const now = new Date((hour + 59) * 60_000);
  const fresh = Math.min(newBatches * maxNames, hosts.length);
  const startedAt = performance.now();
  for (let back = earlierHours; back >= 0; back -= 1) {
    await fillHour(session, names, new Date(begin - back * hourMs), back === 0 ? fresh : 0);
  }
  await session.query("vacuum (analyze) traffic_hours");
  const filled = ((earlierHours + 1) * hosts.length - fresh).toLocaleString("en");
  line(`filled ${filled} rows`, `${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
  const merge = async (some: readonly Host[], minute: number): Promise<number> => {
    const texts = await encodeNames(some, hour + minute);
    const before = await readBackendMs(database);
    for (const text of texts) await reportTraffic(session, text, now);
    return (await readBackendMs(database)) - before;
  };
  const firsts: number[] = [];
  for (let from = 0; from < fresh; from += maxNames) {
    firsts.push(await merge(hosts.slice(from, from + maxNames), 0));
  }
  line("a batch of new names in their hour, processor", `${median(firsts).toFixed(0)} ms`);
  const before = await readWal(database);
  const again: number[] = [];
  for (let batch = 0; batch < processes; batch += 1) {
    const some = Array.from(
      { length: maxNames },
      () => hosts[Math.floor(Math.random() * hosts.length)] as Host,
    );
    again.push(await merge(some, 1));
  }
  const wal = (await readWal(database)) - before;
  const sum = again.reduce((total, ms) => total + ms, 0);
  line("a batch of names that have rows, processor", `${median(again).toFixed(0)} ms`);
  const rows = Math.round((processes * maxNames) / 60);
  line(`rows a second of ${processes} processes`, rows.toLocaleString("en"), "2,000");
  line("of a processor of the database", `${((sum / 60_000) * 100).toFixed(1)} %`);
  line("its log, a second", `${(wal / 60 / 1e6).toFixed(2)} MB`);
  const { rows: sizes } = await session.query<{ bytes: string; rows: string }>(
    `select (select sum(pg_total_relation_size(inhrelid)) from pg_inherits
       where inhparent = 'traffic_hours'::regclass) as bytes, count(*) as rows from traffic_hours`,
  );
  const [size] = sizes;
  line("all rows on disk", `${(Number(size?.bytes) / 1e9).toFixed(2)} GB`);
  line("a name and hour on disk", `${Math.round(Number(size?.bytes) / Number(size?.rows))} bytes`);
}

/** What the console asks for, as the API reads it; and the upkeep by a worker. */
async function reportReading(database: BenchDatabase, names: TrafficNames): Promise<void> {
  const { url, env } = database;
  const config = readConfig(env);
  const api = await openRuntime(config, { url, role: "mooring_api", name: "api" });
  const worker = await openRuntime(config, { url, role: "mooring_worker", name: "worker" });
  const [first] = names.hosts;
  const actor: KeyActor = {
    kind: "key",
    tenantId: names.tenantId,
    environment: "live",
    keyId: "bench",
    applicationId: first?.applicationId ?? "",
    scopes: ["connections:read"],
    role: null,
    isSuspended: false,
  };
  const read = <T>(work: (ctx: ServiceContext) => Promise<T>): Promise<T> =>
    work(createContext(api.runtime, actor, 60_000));
  const step = "hour" as const;
  const top = { step, group_by: "connection", sort: "requests" } as const;
  try {
    const id = first?.connectionId ?? "";
    await reportTime(database, "one domain's plot, 24 hours", () =>
      read((ctx) => getConnectionTraffic(ctx, id, { step })),
    );
    const group_by = "application" as const;
    await reportTime(database, "the applications and the plot of all", () =>
      read((ctx) => getTraffic(ctx, { ...top, group_by })),
    );
    await reportTime(database, "top 100 of all names, not ranked", () =>
      read((ctx) => getTraffic(ctx, top)),
    );
    const startedAt = await readServerMs(database);
    await rankTraffic(worker.runtime);
    const ranked = ((await readServerMs(database)) - startedAt) / (earlierHours + 1);
    line("ranking an hour, processor", `${(ranked / 1_000).toFixed(1)} s`);
    line("every ten minutes, of a processor", `${(ranked / 6_000).toFixed(2)} %`);
    for (const sort of ["requests", "errors", "bytes"] as const) {
      await reportTime(
        database,
        `top 100 of all names by ${sort}`,
        () => read((ctx) => getTraffic(ctx, { ...top, sort })),
        "200 ms",
      );
    }
    const application_id = actor.applicationId;
    await reportTime(
      database,
      "top 100 of an application",
      () => read((ctx) => getTraffic(ctx, { ...top, application_id })),
      "200 ms",
    );
    const partitionsAt = performance.now();
    const later = new Date(Date.now() + 2 * 24 * hourMs);
    await worker.runtime.system((tx) => dropPartitions(tx, { hours: later, days: later }));
    const took = performance.now() - partitionsAt;
    line("dropping the partitions of these hours", `${took.toFixed(0)} ms`);
  } finally {
    await Promise.all([api.close(), worker.close()]);
  }
}

const rounds = 7;

/**
 * The median of some rounds, the least, and the server's processor time; a statement that the API
 * gives up on is said so.
 */
async function reportTime(
  database: BenchDatabase,
  what: string,
  work: () => Promise<unknown>,
  aim?: string,
): Promise<void> {
  const times: number[] = [];
  const before = await readServerMs(database);
  while (times.length < rounds) {
    const startedAt = performance.now();
    try {
      await work();
    } catch (error) {
      line(what, `gave up: ${error instanceof Error ? error.message : String(error)}`);
      return;
    }
    times.push(performance.now() - startedAt);
  }
  const used = ((await readServerMs(database)) - before) / rounds;
  const least = Math.min(...times).toFixed(0);
  const cost = `least ${least} ms, processor ${used.toFixed(0)} ms`;
  line(what, `${median(times).toFixed(0)} ms`, aim ?? "", `  (${cost})`);
}

/** Processor time of the server process behind the session. */
async function readBackendMs({ session }: BenchDatabase): Promise<number> {
  const { rows } = await session.query<{ pid: number }>("select pg_backend_pid() as pid");
  return readProcessMs(rows[0]?.pid ?? 0);
}

/** That of all server processes of clients. */
async function readServerMs({ session }: BenchDatabase): Promise<number> {
  const { rows } = await session.query<{ pid: number }>(
    `select pid from pg_stat_activity where backend_type in ('client backend', 'parallel worker')`,
  );
  return rows.reduce((sum, { pid }) => sum + readProcessMs(pid), 0);
}

/** As Linux counts it in hundredths. */
function readProcessMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ");
  return (Number(fields?.[11]) + Number(fields?.[12])) * 10;
}

async function readWal({ session }: BenchDatabase): Promise<number> {
  const { rows } = await session.query<{ bytes: string }>(
    "select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as bytes",
  );
  return Number(rows[0]?.bytes);
}
