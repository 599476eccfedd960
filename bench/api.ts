import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { call } from "@mooring/testing/control/http";
import { startProcess } from "@mooring/testing/processes/processes";
import { type BenchDatabase, openBenchDatabase } from "./support/bench-database.ts";
import { type LoadResult, loadHttp } from "./support/http-load.ts";
import { readCpuSeconds } from "./support/pinned.ts";
import { line, median, ms, perSecond } from "./support/report.ts";

const seconds = 5;
const rounds = 5;
const connections = 64;
const farPage = 10_000;
/** Different cursors around the deep page, one for each request in flight. */
const cursorCount = 64;

interface Way {
  readonly url: string;
  /** The process that answers. */
  readonly pid: number;
  readonly script?: string;
  readonly key?: string;
}

interface Measured extends LoadResult {
  /** Of processor time that the process takes for one request. */
  readonly microseconds: number;
}

/** Authenticated reads of the API beside a bare Fastify, in the same run. */
export async function benchApi(only: number | null): Promise<void> {
  const rows = only ?? 1_000_000;
  const database = await openBenchDatabase();
  const hello = await startHelloProcess(database.url);
  try {
    await database.fill(rows);
    const api = await startProcess("api", database.env);
    const page = Math.min(farPage, Math.floor(rows / 40));
    const { key } = database;
    const oneRow = await byId(database);
    const ours = { url: api.url, pid: api.pid, key };
    const around = async (number: number) => inRotation(await cursorsAround(api.url, key, number));
    const measured = await measure({
      "bare Fastify": { url: hello.url, pid: hello.pid },
      "bare Fastify, one row by pg": { url: hello.url, pid: hello.pid, script: oneRow },
      "GET /v1/connections/{id}": { ...ours, script: oneRow },
      "GET /v1/connections, page 1": { ...ours, url: `${api.url}/v1/connections` },
      "GET /v1/connections, pages 6 to 69": { ...ours, script: await around(1) },
      [`GET /v1/connections, around page ${page}`]: { ...ours, script: await around(page) },
    });
    await api.signal("SIGTERM");
    console.log(`${rows.toLocaleString("en")} connections, ${connections} requests at a time\n`);
    report(measured);
  } finally {
    await hello.stop();
    await database.close();
  }
}

/** The line by processor time is the one to compare on a busy machine. */
function report(measured: ReadonlyMap<string, Measured>): void {
  line("", "requests", "p99", "÷ bare", "of a processor", "÷ bare");
  const bare = measured.get("bare Fastify");
  for (const [way, result] of measured) {
    line(
      way,
      perSecond(result.perSecond),
      ms(result.p99Ms),
      (result.perSecond / (bare?.perSecond ?? Number.NaN)).toFixed(2),
      `${result.microseconds.toFixed(0)} µs`,
      ((bare?.microseconds ?? Number.NaN) / result.microseconds).toFixed(2),
    );
  }
}

/** Interleaved rounds, so that other load on the machine affects all alike. */
async function measure(ways: Readonly<Record<string, Way>>): Promise<Map<string, Measured>> {
  const results = new Map<string, Measured[]>();
  for (let round = 0; round <= rounds; round += 1) {
    for (const [way, load] of Object.entries(ways)) {
      const before = readCpuSeconds(load.pid);
      const result = await loadHttp({ ...load, seconds, connections });
      const used = readCpuSeconds(load.pid) - before;
      const microseconds = (used * 1e6) / (result.perSecond * seconds);
      // The first round warms up.
      if (round > 0) results.set(way, [...(results.get(way) ?? []), { ...result, microseconds }]);
    }
  }
  return new Map(
    [...results].map(([way, all]) => [
      way,
      {
        perSecond: median(all.map((one) => one.perSecond)),
        p99Ms: median(all.map((one) => one.p99Ms)),
        microseconds: median(all.map((one) => one.microseconds)),
      },
    ]),
  );
}

async function byId(database: BenchDatabase): Promise<string> {
  const { rows } = await database.session.query<{ id: string }>(
    "select id from connections tablesample system (1) limit 2000",
  );
  const { rows: few } = await database.session.query<{ id: string }>(
    "select id from connections limit 2000",
  );
  const ids = (rows.length > 0 ? rows : few).map(({ id }) => `"${id}"`).join(",");
  return `local ids = {${ids}}
    request = function()
      return wrk.format("GET", "/v1/connections/" .. ids[math.random(#ids)])
    end`;
}

/**
 * The API lets equal concurrent reads share one query, so requests in flight have different
 * cursors.
 */
function inRotation(cursors: readonly string[]): string {
  return `local cursors = {${cursors.map((cursor) => `"${cursor}"`).join(",")}}
    local last = 0
    request = function()
      last = last % #cursors + 1
      return wrk.format("GET", "/v1/connections?cursor=" .. cursors[last])
    end`;
}

/**
 * Cursors of consecutive pages of twenty, with the requested page in the middle; fewer at the end
 * of the list.
 */
async function cursorsAround(base: string, key: string, page: number): Promise<readonly string[]> {
  const next = async (limit: number, cursor: string | null): Promise<string | null> => {
    const query = new URLSearchParams({ limit: String(limit), ...(cursor ? { cursor } : {}) });
    const { next_cursor: found } = (await call(base, `/v1/connections?${query}`, { key })).json();
    return typeof found === "string" ? found : null;
  };
  const firstRow = Math.max(1, page - cursorCount / 2 - 1) * 20;
  let cursor: string | null = null;
  // The largest pages are the fastest way there.
  for (let row = 0; row < firstRow; row += 100) cursor = await next(100, cursor);
  const cursors: string[] = [];
  while (cursor !== null && cursors.length < cursorCount) {
    cursors.push(cursor);
    cursor = await next(20, cursor);
  }
  if (cursors.length === 0) throw new Error(`there is no page ${page}`);
  return cursors;
}

/** The bare Fastify in a separate process, like the API. */
async function startHelloProcess(databaseUrl: string): Promise<{
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, "hello-main.ts")], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const [message] = await once(child, "message");
  return {
    url: String(message.url),
    pid: child.pid ?? Number.NaN,
    async stop() {
      child.kill();
      await once(child, "exit");
    },
  };
}
