import { spawn } from "node:child_process";
import { once } from "node:events";
import { openBenchDatabase } from "./support/bench-database.ts";
import { loadHttp } from "./support/http-load.ts";
const rows = Number(process.argv[2] ?? 20000);
const database = await openBenchDatabase();
await database.fill(rows);
const child = spawn(process.execPath, ["--cpu-prof", "--cpu-prof-dir=/tmp/prof", "test/support/process-main.ts", "api"], { env: { PATH: process.env["PATH"], PORT: "0", ...database.env }, stdio: ["ignore", "inherit", "inherit", "ipc"] });
const [message] = await once(child, "message");
const url = String((message as { url: string }).url);
const ids = (await database.session.query<{ id: string }>("select id from connections limit 2000")).rows.map(({ id }) => `"${id}"`).join(",");
const script = `local ids = {${ids}}
request = function() return wrk.format("GET", "/v1/connections/" .. ids[math.random(#ids)]) end`;
const cpu = async () => { const t = (await import("node:fs")).readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ")[1]!.split(" "); return (Number(t[11]) + Number(t[12])) * 10; };
for (const [name, load] of [["get", { url, script }], ["list", { url: `${url}/v1/connections` }]] as const) {
  if (process.argv[3] && process.argv[3] !== name) continue;
  await loadHttp({ ...load, key: database.key, seconds: 2, connections: 64 });
  const before = await cpu();
  const result = await loadHttp({ ...load, key: database.key, seconds: 5, connections: 64 });
  const used = (await cpu()) - before;
  console.log(name, Math.round(result.perSecond), "per s; node cpu us per request:", Math.round((used * 1000) / (result.perSecond * 5)), "p99", result.p99Ms);
}
child.kill("SIGTERM"); await once(child, "exit"); await database.close();
