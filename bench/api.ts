import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { call } from "../packages/control/test/support/http.ts";
import { startProcess } from "../test/support/processes.ts";
import { type BenchDatabase, openBenchDatabase } from "./support/bench-database.ts";
import { type LoadResult, loadHttp } from "./support/http-load.ts";
import { line, median, ms, perSecond } from "./support/report.ts";

const seconds = 5;
const rounds = 3;
const connections = 64;
const farPage = 10_000;

interface Way {
  readonly url: string;
  readonly script?: string;
  readonly key?: string;
}

/** Authenticated reads of the API beside a bare Fastify, in the same run. */
export async function benchApi(only: number | null): Promise<void> {
  const rows = only ?? 1_000_000;
  const database = await openBenchDatabase();
  const hello = await startHelloProcess();
  try {
    await database.fill(rows);
    const api = await startProcess("api", database.env);
    const page = Math.min(farPage, Math.floor(rows / 40));
    const cursor = await cursorAt(api.url, database.key, page);
    const { key } = database;
    const ways: Readonly<Record<string, Way>> = {
      "bare Fastify": { url: hello.url },
      "GET /v1/connections/{id}": { url: api.url, key, script: await byId(database) },
      "GET /v1/connections, page 1": { url: `${api.url}/v1/connections`, key },
      [`GET /v1/connections, page ${page}`]: {
        url: `${api.url}/v1/connections?cursor=${cursor}`,
        key,
      },
    };
    const figures = await measure(ways);
    await api.signal("SIGTERM");
    console.log(`${rows.toLocaleString("en")} connections, ${connections} requests at a time\n`);
    line("", "requests", "p99", "÷ bare");
    const bare = figures.get("bare Fastify")?.perSecond ?? Number.NaN;
    for (const [way, result] of figures) {
      const ratio = (result.perSecond / bare).toFixed(2);
      line(way, perSecond(result.perSecond), ms(result.p99Ms), ratio);
    }
  } finally {
    await hello.stop();
    await database.close();
  }
}

/** Every way in turn, several times, so that what else the machine does falls on all alike. */
async function measure(ways: Readonly<Record<string, Way>>): Promise<Map<string, LoadResult>> {
  const results = new Map<string, LoadResult[]>();
  for (let round = 0; round <= rounds; round += 1) {
    for (const [way, load] of Object.entries(ways)) {
      const result = await loadHttp({ ...load, seconds, connections });
      // The first round warms up.
      if (round > 0) results.set(way, [...(results.get(way) ?? []), result]);
    }
  }
  return new Map(
    [...results].map(([way, all]) => [
      way,
      {
        perSecond: median(all.map((one) => one.perSecond)),
        p99Ms: median(all.map((one) => one.p99Ms)),
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

/** Pages through with the largest pages to where the given page of twenty starts. */
async function cursorAt(base: string, key: string, page: number): Promise<string> {
  let cursor = "";
  for (let row = 0; row < (page - 1) * 20; row += 100) {
    const at = cursor === "" ? "" : `&cursor=${cursor}`;
    const answer = await call(base, `/v1/connections?limit=100${at}`, { key });
    cursor = String(answer.json()["next_cursor"]);
  }
  return cursor;
}

/** A server of the bench in a process of its own, so that load and work do not share a thread. */
async function startHelloProcess(): Promise<{
  readonly url: string;
  stop(): Promise<void>;
}> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, "hello-main.ts")], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const [message] = await once(child, "message");
  return {
    url: String(message.url),
    async stop() {
      child.kill();
      await once(child, "exit");
    },
  };
}
