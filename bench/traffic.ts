import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { reportTraffic } from "../packages/edge/src/db/traffic.ts";
import type { Host } from "../packages/edge/src/hosts/host.ts";
import { encodeMinute } from "../packages/edge/src/traffic/batch.ts";
import { MinuteCounter, maxNames } from "../packages/edge/src/traffic/counts.ts";
import { type BenchDatabase, largeServer, openBenchDatabase } from "./support/bench-database.ts";
import { line, median } from "./support/report.ts";

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
  const names = only ?? 1_000_000;
  const hosts = makeHosts(names);
  line(`${names.toLocaleString("en")} active names`, "", "aim");
  await reportCounting(hosts);
  const database = await openBenchDatabase(largeServer);
  try {
    await reportMerging(database, hosts);
  } finally {
    await database.close();
  }
}

function makeHosts(count: number): readonly Host[] {
  const tenantId = randomUUID();
  const applications = Array.from({ length: 20 }, () => randomUUID());
  return Array.from({ length: count }, (_, index) => ({
    hostname: `h${index}.bench.example`,
    epoch: 1,
    environment: "live",
    connectionId: randomUUID(),
    applicationId: applications[index % applications.length] ?? "",
    tenantId,
    registrableDomain: "bench.example",
    own: null,
  }));
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
  const rounds = [1, 2, 3].map(() => run(count) - run(touch));
  const perRequest = (Math.max(0, median(rounds)) / requests) * 1_000;
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

async function reportMerging(database: BenchDatabase, hosts: readonly Host[]): Promise<void> {
  const { session } = database;
  const hour = Math.floor(Date.now() / 3_600_000) * 60;
  const now = new Date((hour + 59) * 60_000);
  const merge = async (some: readonly Host[], minute: number): Promise<number> => {
    const texts = await encodeNames(some, hour + minute);
    const startedAt = await readBackendMs(database);
    for (const text of texts) await reportTraffic(session, text, now);
    return (await readBackendMs(database)) - startedAt;
  };
  const firsts: number[] = [];
  for (let from = 0; from < hosts.length; from += maxNames) {
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
  const { rows: sizes } = await session.query<{ bytes: string }>(
    `select sum(pg_total_relation_size(inhrelid)) as bytes from pg_inherits
     where inhparent = 'traffic_hours'::regclass`,
  );
  line("a name and hour on disk", `${Math.round(Number(sizes[0]?.bytes) / hosts.length)} bytes`);
}

/** Processor time of the server process behind the session, as Linux counts it in hundredths. */
async function readBackendMs({ session }: BenchDatabase): Promise<number> {
  const { rows } = await session.query<{ pid: number }>("select pg_backend_pid() as pid");
  const fields = readFileSync(`/proc/${rows[0]?.pid}/stat`, "utf8").split(") ")[1]?.split(" ");
  return (Number(fields?.[11]) + Number(fields?.[12])) * 10;
}

async function readWal({ session }: BenchDatabase): Promise<number> {
  const { rows } = await session.query<{ bytes: string }>(
    "select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as bytes",
  );
  return Number(rows[0]?.bytes);
}
