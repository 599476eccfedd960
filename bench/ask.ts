import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startProcess } from "@mooring/testing/processes/processes";
import { benchZone, openBenchDatabase } from "./support/bench-database.ts";
import { loadHttp } from "./support/http-load.ts";
import { line, ms, perSecond } from "./support/report.ts";
import { numberIn, runProgram } from "./support/run-program.ts";

const seconds = 8;
const connectionCounts = [4, 8, 16, 32];

/** GET /internal/ask with half of the names unknown, beside the same lookup by pgbench. */
export async function benchAsk(only: number | null): Promise<void> {
  const rows = only ?? 1_000_000;
  const database = await openBenchDatabase();
  try {
    await database.fill(rows);
    console.log(`${rows.toLocaleString("en")} claims\n`);
    const api = await startProcess("api", database.env);
    // A new seed for each run; half of the names have a claim.
    const script = `math.randomseed(os.time())
      request = function()
        return wrk.format("GET", "/internal/ask?domain=h" .. math.random(1, ${rows * 2}) .. ".${benchZone}")
      end`;
    const ask = (connections: number, time: number) =>
      loadHttp({ url: api.url, seconds: time, connections, script });
    await ask(8, 3);
    line("", "asks", "p99");
    for (const connections of connectionCounts) {
      const result = await ask(connections, seconds);
      line(`ask, ${connections} at a time`, perSecond(result.perSecond), ms(result.p99Ms));
    }
    await api.signal("SIGTERM");
    for (const clients of [1, 8]) {
      const bare = await pgbench(database.url, rows, clients);
      const title = `bare indexed select by pgbench, ${clients} at a time`;
      line(title, perSecond(bare.perSecond), `mean ${ms(bare.meanMs)}`);
    }
  } finally {
    await database.close();
  }
}

async function pgbench(url: string, rows: number, clients: number) {
  const directory = await mkdtemp(path.join(tmpdir(), "mooring-bench-"));
  const file = path.join(directory, "ask.sql");
  await writeFile(
    file,
    `\\set n random(1, ${rows * 2})\nselect 1 from claims where hostname = 'h' || :n || '.${benchZone}';\n`,
  );
  try {
    const counts = ["-c", String(clients), "-T", String(seconds)];
    const output = await runProgram("/usr/bin/pgbench", [
      "-n",
      "-M",
      "prepared",
      "-f",
      file,
      ...counts,
      url,
    ]);
    return {
      perSecond: numberIn(output, /tps = ([\d.]+)/),
      meanMs: numberIn(output, /latency average = ([\d.]+) ms/),
    };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
